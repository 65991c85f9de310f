"""What the log alone can refute, the audit refutes: out of time too soon, acting too late, a settlement that lies."""

from collections.abc import Callable
from typing import Any

import pytest

from events import commands
from events.batch import EntryBatch
from events.entries import Clock, GameAborted, SeatWithdrawn, total_clock
from replays.audit.audit import audit, settlement
from replays.audit.verify import SETTLED_CHECKS, verify
from replays.record import Record
from tests.events.logs import ANYONE, SITTERS, TOYS, Log, Watch, created, named
from tests.events.puppet import PUPPET, PUPPETS
from tests.events.test_clocks import Timed
from tests.replays.forging import (
    Change,
    aborted,
    all_failures,
    all_faults,
    chained,
    data,
    entry_of,
    failures,
    faults,
    first_terms,
    newest,
    of,
    place_of,
    plain,
    reread,
    sealed,
)

CLUB = {"host": "club"}
OPERATOR = {"operator": True}
BOT = commands.Sitter(bot="greedy")


def forged(make: Callable[[], Record], *changes: Change) -> Record:
    record = make()
    for change in changes:
        change(record)
    return chained(record)


def written(log: Log, *lines: tuple[dict[str, Any], Any]) -> Record:
    """The record of a server that writes what it likes after this log, and settles it as it should."""

    def write(batch: EntryBatch) -> None:
        for actor, entry in lines:
            facts = getattr(entry, "facts", None)
            batch.write(actor, entry, batch.game.state if facts is not None else None)

    log.append(write)
    log.settles()
    return log.record


def withdrawn(log: Log, seat: int) -> Record:
    """A server says that a seat has run out of time, whatever the clocks say."""
    facts = TOYS.latest("lanterns").withdraw(log.game.state, seat, "timed_out")
    state = TOYS.latest("lanterns").fold(log.game.state, facts)
    line = SeatWithdrawn(seat, "timed_out", list(facts), [])
    log.append(lambda batch: batch.write(commands.CLOCK_ACTOR, line, state))
    log.append(lambda batch: commands.abort(batch, OPERATOR, "by_operator"))
    log.settles()
    return log.record


def playing(clock: Clock | None = None, *sitters: commands.Sitter) -> Log:
    return Log(created(sitters=sitters or SITTERS, clock=clock))


def one_move_made() -> Log:
    """Two seats are still to act, and their time has been up for long."""
    log = playing(Clock(60))
    log.plays_on(until=lambda game: len(game.to_act) == 2)
    assert isinstance(log.entry_factory.now, Watch)
    log.entry_factory.now.wind(3600)
    return log


def test_the_good_records_are_good() -> None:
    for make in (newest, sealed, plain, aborted, first_terms):
        assert audit(make(), TOYS).verdict == "pass"
        assert all_faults(make()) == {}


# -- out of time ------------------------------------------------------------------------------------------------------


def test_nobody_runs_out_of_time_without_a_clock() -> None:
    record = withdrawn(playing(), 0)
    place = place_of(record, "seat_withdrawn")
    assert all_failures(record) == all_faults(record) == {"clocks": place}


def test_nobody_runs_out_of_time_who_is_not_to_act() -> None:
    log = one_move_made()
    (done,) = {0, 1, 2} - set(log.game.to_act)
    record = withdrawn(log, done)
    assert failures(record) == {"clocks": place_of(record, "seat_withdrawn")}
    assert faults(record) == {}, "whose turn it is, the rules know"


@pytest.mark.parametrize("clock", [Clock(3600), total_clock(3600)], ids=["turn", "total"])
def test_nobody_runs_out_of_time_an_hour_early(clock: Clock) -> None:
    record = withdrawn(playing(clock), 0)
    place = place_of(record, "seat_withdrawn")
    assert failures(record) == faults(record) == {"clocks": place}


def test_a_deadline_that_began_later_is_known_to_the_rules_alone() -> None:
    log = Timed(seats=3)
    log.after(59, 0, {"type": "pull", "to_act": [1]})
    log.watch.wind(59)
    facts = PUPPET.withdraw(log.game.state, 1, "timed_out")
    state = PUPPET.fold(log.game.state, facts)
    log.append(
        lambda batch: batch.write(commands.CLOCK_ACTOR, SeatWithdrawn(1, "timed_out", list(facts), []), state)
    )
    log.is_aborted()
    log.settles()
    assert failures(log.record, PUPPETS) == {"clocks": place_of(log.record, "seat_withdrawn")}
    assert faults(log.record) == {}


def test_not_everyone_has_run_out_of_time_while_one_is_not_asked_or_is_a_bot() -> None:
    record = written(one_move_made(), (commands.CLOCK_ACTOR, GameAborted("all_timed_out")))
    assert failures(record) == {"clocks": place_of(record, "game_aborted")}
    assert faults(record) == {}
    with_bot = playing(Clock(0), *SITTERS[:2])
    with_bot.sits(2, BOT, ANYONE)
    record = written(with_bot, (commands.CLOCK_ACTOR, GameAborted("all_timed_out")))
    assert failures(record) == faults(record) == {"clocks": place_of(record, "game_aborted")}


def test_no_action_is_late() -> None:
    record = forged(sealed, data("game_created", clock={"turn_seconds": 0}))
    assert failures(record) == {"clocks": place_of(record, "action_taken")}
    assert faults(record) == {}
    total = forged(newest, data("game_created", clock={"total_seconds": 0, "increment_seconds": 0}))
    assert failures(total) == {"clocks": place_of(total, "action_taken")}


def test_no_game_is_abandoned_while_a_deadline_runs() -> None:
    record = written(playing(Clock(60)), (commands.CLOCK_ACTOR, GameAborted("abandoned", 0)))
    assert failures(record) == {"clocks": place_of(record, "game_aborted")}
    assert faults(record) == {}
    assert failures(written(playing(), (commands.CLOCK_ACTOR, GameAborted("abandoned", 0)))) == {}


def test_where_there_is_nothing_to_check_clocks_pass_without_rules() -> None:
    bots = playing(Clock(60), BOT, BOT, BOT)
    bots.plays_on()
    bots.settles()
    for record in (plain(), aborted(), bots.record):
        assert [check.verdict for check in verify(record) if check.check == "clocks"] == ["pass"]
    for record in (sealed(), newest()):
        assert [check.verdict for check in verify(record) if check.check == "clocks"] == ["not_checked"]


# -- aborts and their limits ------------------------------------------------------------------------------------------


def open_game(*sitters: commands.Sitter, by: dict[str, Any] | None = None) -> Log:
    log = Log(created(sitters=()))
    for seat, sitter in enumerate(sitters):
        log.sits(seat, sitter, by)
    return log


SEALING = (named("Ada", entropy_commitment="f" * 64), *SITTERS[1:])
WRONG_ABORTS: dict[str, tuple[Callable[[], Log], dict[str, Any], GameAborted]] = {
    "never filled, too soon": (
        lambda: open_game(SITTERS[0]),
        commands.CLOCK_ACTOR,
        GameAborted("never_filled", 1),
    ),
    "entropy withheld, too soon": (
        lambda: open_game(*SEALING),
        commands.CLOCK_ACTOR,
        GameAborted("entropy_withheld", 1),
    ),
    "abandoned, too soon": (playing, commands.CLOCK_ACTOR, GameAborted("abandoned", 1)),
    "abandoned before it began": (
        lambda: open_game(SITTERS[0]),
        commands.CLOCK_ACTOR,
        GameAborted("abandoned", 0),
    ),
    "too long, too soon": (playing, commands.CLOCK_ACTOR, GameAborted("too_long", 6)),
    "no limit": (playing, commands.CLOCK_ACTOR, GameAborted("too_long")),
    "a limit that nobody waits for": (playing, OPERATOR, GameAborted("by_operator", 0)),
    "by a worker": (playing, commands.WORKER_ACTOR, GameAborted("too_long", 0)),
    "by who joined": (lambda: open_game(SITTERS[0]), {"seat": 0}, GameAborted("by_creator")),
    "by its creator's bot": (lambda: open_game(BOT, by=ANYONE), {"seat": 0}, GameAborted("by_creator")),
    "by who is not there": (lambda: open_game(SITTERS[0]), {"seat": 1}, GameAborted("by_creator")),
    "by its creator, begun": (lambda: open_game(*SITTERS, by=ANYONE), {"seat": 0}, GameAborted("by_creator")),
    "by its creator, unseated": (lambda: open_game(SITTERS[0], by=ANYONE), ANYONE, GameAborted("by_creator")),
}
RIGHT_ABORTS: dict[str, tuple[Callable[[], Log], dict[str, Any], GameAborted]] = {
    "never filled": (lambda: open_game(SITTERS[0]), commands.CLOCK_ACTOR, GameAborted("never_filled", 0)),
    "entropy withheld": (
        lambda: open_game(*SEALING),
        commands.CLOCK_ACTOR,
        GameAborted("entropy_withheld", 0),
    ),
    "abandoned": (playing, commands.CLOCK_ACTOR, GameAborted("abandoned", 0)),
    "too long": (playing, commands.CLOCK_ACTOR, GameAborted("too_long", 5)),
    "open and too long": (lambda: open_game(SITTERS[0]), commands.CLOCK_ACTOR, GameAborted("too_long", 2)),
    "by its creator": (lambda: open_game(SITTERS[0], by=ANYONE), {"seat": 0}, GameAborted("by_creator")),
}


def called_off(name: str) -> Record:
    make, actor, line = (WRONG_ABORTS | RIGHT_ABORTS)[name]
    return written(make(), (actor, line))


@pytest.mark.parametrize("name", WRONG_ABORTS)
def test_a_game_is_called_off_by_who_may_when_its_limit_is_reached(name: str) -> None:
    record = called_off(name)
    assert all_failures(record) == all_faults(record) == {"schema": place_of(record, "game_aborted")}


@pytest.mark.parametrize("name", RIGHT_ABORTS)
def test_what_the_clock_and_a_creator_may_call_off(name: str) -> None:
    assert all_failures(called_off(name)) == all_faults(called_off(name)) == {}


# -- left seats, judgements, bots -------------------------------------------------------------------------------------

MALFORMED: dict[str, tuple[Change, str]] = {
    "a seat that nobody took is left": (data("seat_left", seat=2), "seat_left"),
    "a generation is passed over": (data("seat_left", generation=3), "seat_left"),
    "a generation comes twice": (data("seat_left", generation=1), "seat_left"),
    "left by another seat": (of("seat_left", actor={"seat": 1}), "seat_left"),
    "left by another host": (of("seat_left", actor={"host": "other"}), "seat_left"),
    "left by nobody": (of("seat_left", actor=ANYONE), "seat_left"),
    "a bot's ref by a seat": (of("seat_taken", -1, actor={"seat": 0}), "seat_taken"),
    "judged by a seat": (of("game_adjudicated", actor={"seat": 0}), "game_adjudicated"),
    "judged by another host": (of("game_adjudicated", actor={"host": "other"}), "game_adjudicated"),
    "judged for no reason": (data("game_adjudicated", why=""), "game_adjudicated"),
    "judged with a long reason": (data("game_adjudicated", why="x" * 201), "game_adjudicated"),
    "judged in two lines": (data("game_adjudicated", why="a\nb"), "game_adjudicated"),
    "judged from right to left": (data("game_adjudicated", why="\u202eb"), "game_adjudicated"),
    "judged by chance": (
        data("game_adjudicated", random=[{"label": "x", "result": []}]),
        "game_adjudicated",
    ),
    "judged without an outcome": (data("game_adjudicated", outcome=None), "game_adjudicated"),
    "no terms that we know": (data("game_created", terms=4), "game_created"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_the_second_terms_added_has_its_form_its_place_and_its_actor(name: str) -> None:
    change, kind = MALFORMED[name]
    record = forged(newest, change)
    last = -1 if kind == "seat_taken" else 0
    assert failures(record) == faults(record) == {"schema": place_of(record, kind, last)}


def test_a_seat_of_a_full_game_is_not_left() -> None:
    record = forged(newest)
    left = record["entries"].pop(place_of(record, "seat_left") - 1)
    record["entries"].insert(
        place_of(record, "game_started"), left | {"state": entry_of(record, "game_started")["state"]}
    )
    assert "schema" in faults(chained(record))


def test_the_name_of_who_has_left_is_no_name_of_the_seat() -> None:
    record = newest()
    gone = entry_of(record, "seat_taken", 0)["data"]["player"]["name_hash"]
    assert gone != entry_of(record, "seat_taken", 2)["data"]["player"]["name_hash"]
    record["people"][0] |= {"name": "Eve"}
    assert faults(record) == {"schema": place_of(record, "seat_taken", 2)}


def test_the_winners_of_a_judgement_are_those_of_its_facts_and_none_has_withdrawn() -> None:
    place = place_of(newest(), "game_adjudicated")
    outcome = entry_of(newest(), "game_adjudicated")["data"]["outcome"]
    for winners in ([0, 1], [0], [], [2, 0], [0, 0], [5], "all", None):
        record = forged(newest, data("game_adjudicated", outcome=outcome | {"winners": winners}))
        assert failures(record) == {"facts": place, "outcome": place}, winners
        assert faults(record) == {}
    scored = forged(newest, data("game_adjudicated", outcome=outcome | {"scores": [9, 9, 9]}))
    assert failures(scored) == {"outcome": place}


def test_what_is_appended_together_has_one_time() -> None:
    record = forged(plain, of("game_started", at=entry_of(plain(), "action_taken")["at"]))
    assert failures(record) == faults(record) == {"schema": place_of(record, "game_started")}


def test_a_position_has_all_its_players() -> None:
    log = Log(created(sitters=SITTERS, rulesets=PUPPETS), PUPPETS)
    log.is_aborted()
    log.settles()
    record = log.record
    position = {"kind": "position", "position": {"players": [{"vacated": "resigned"}]}, "seeded": False}
    data("game_created", origin=position)(record)
    assert failures(chained(record), PUPPETS) == {"facts": place_of(record, "game_started")}


# -- settlements that lie ---------------------------------------------------------------------------------------------


def told(**members: Any) -> Change:
    return lambda record: entry_of(record, "game_settled")["data"]["audit"].update(members)


def told_of(check: str, **members: Any) -> Change:
    return lambda record: entry_of(record, "game_settled")["data"]["audit"]["checks"][
        SETTLED_CHECKS.index(check)
    ].update(members)


def without_check(number: int) -> Change:
    return lambda record: entry_of(record, "game_settled")["data"]["audit"]["checks"].pop(number)


def exchanged(record: Record) -> None:
    checks = entry_of(record, "game_settled")["data"]["audit"]["checks"]
    checks[0], checks[1] = checks[1], checks[0]


LIES: dict[str, tuple[Change, ...]] = {
    "more fair than it was": (told(fairness="sealed"),),
    "less fair than it was": (told(fairness=None),),
    "a verdict that does not follow": (told(verdict="fail"),),
    "incomplete, though all was checked": (told(verdict="incomplete"),),
    "a failure that is none": (told_of("chain", verdict="fail", entry=3), told(verdict="fail")),
    "an entry where nothing failed": (told_of("schema", entry=3),),
    "not checked, what can be": (told_of("random", verdict="not_checked"), told(verdict="incomplete")),
    "a check left out": (without_check(4),),
    "the clocks left out": (without_check(8),),
    "no checks at all": (told(checks=[]),),
    "another order": (exchanged,),
    "a check too many": (
        lambda record: entry_of(record, "game_settled")["data"]["audit"]["checks"].append(
            {"check": "signature", "verdict": "pass", "entry": None, "detail": None}
        ),
    ),
}


@pytest.mark.parametrize("make", [plain, newest], ids=["plain", "newest"])
@pytest.mark.parametrize("name", LIES)
def test_a_settlement_that_lies_is_found_out(name: str, make: Callable[[], Record]) -> None:
    record = forged(make, *LIES[name])
    place = len(record["entries"])
    assert all_failures(record) == all_faults(record) == {"settlement": place}


def test_what_only_rules_can_refute_is_refuted_where_they_are() -> None:
    record = forged(plain, told_of("facts", verdict="fail", entry=7), told(verdict="fail"))
    assert all_failures(record) == {"settlement": len(record["entries"])}
    assert all_faults(record) == {}


def test_a_settlement_that_hides_a_fault_fails_with_it() -> None:
    record = forged(sealed, data("game_created", clock=None))
    place, last = place_of(record, "seat_withdrawn", 1), len(record["entries"])
    assert all_failures(record) == all_faults(record) == {"clocks": place, "settlement": last}


def test_an_honest_settlement_of_a_false_log_passes_its_own_check() -> None:
    record = withdrawn(playing(), 0)
    checks = {check["check"]: check for check in audit(reread(record), TOYS).checks}
    assert (checks["clocks"]["verdict"], checks["settlement"]["verdict"]) == ("fail", "pass")
    settled = entry_of(record, "game_settled")["data"]["audit"]
    assert settled["verdict"] == "fail"


def test_the_names_beside_the_log_do_not_bear_on_its_settlement() -> None:
    log = playing()
    log.plays_on()
    log.people = {0: b'{"name": "Eve", "nonce": "' + b"0" * 32 + b'"}'}
    assert settlement(log.record, TOYS, log.server_seed)["verdict"] == "pass"
    record = plain()
    record["people"][0] |= {"name": "Eve"}
    assert all_failures(record) == all_faults(record) == {"schema": 2}


def test_a_game_of_the_first_terms_is_not_asked_when_and_what_its_settlement_said() -> None:
    checks = [check["check"] for check in audit(first_terms(), TOYS).checks]
    assert not {"clocks", "settlement"} & {*checks, *(check.check for check in verify(first_terms()))}
    record = forged(first_terms, told(fairness="sealed", verdict="fail", checks=[]))
    assert all_failures(record) == all_faults(record) == {}
    for change in (data("game_aborted", limit=1),):
        old = forged(
            lambda: written(Log(created(first_terms=True)), (OPERATOR, GameAborted("by_operator"))), change
        )
        assert faults(old) == {"schema": place_of(old, "game_aborted")}
    named_bot = forged(first_terms, data("seat_taken", 2, player={"name_hash": "f" * 64, "ref": None}))
    assert faults(named_bot) == {"schema": place_of(named_bot, "seat_taken", 2)}


# -- both verifiers hold to all of it ---------------------------------------------------------------------------------


def forgeries() -> list[Record]:
    """Every forgery of this page that can be judged without rules."""
    records = [forged(newest, change) for change, _ in MALFORMED.values()]
    records += [forged(make, *changes) for make in (plain, newest) for changes in LIES.values()]
    records += [called_off(name) for name in WRONG_ABORTS | RIGHT_ABORTS]
    records += [
        withdrawn(playing(), 0),
        withdrawn(playing(Clock(3600)), 0),
        withdrawn(one_move_made(), 0),
    ]
    records += [newest(), first_terms(), forged(sealed, data("game_created", clock=None))]
    records.append(written(playing(Clock(60)), (commands.CLOCK_ACTOR, GameAborted("abandoned", 0))))
    return records

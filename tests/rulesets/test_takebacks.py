"""Take-backs in every game: what stood before stands again, and nobody has learned anything."""

import json
from random import Random
from typing import Any

import pytest

from events.batch import EntryBatch
from events.entries import total_clock
from events.game import Game, fold_on, unfold
from events.table_commands import take_back
from events.takebacks import MAX_TAKEBACKS, lowest_takeback
from games import RULESETS
from games.canonical import canonical
from games.chance import Stream
from games.kernel import Refusal, Ruleset
from projections.snapshots import read_snapshot, snapshot_tag, write_snapshot
from tests.events.logs import Log, created, game_at, named
from tests.events.puppet import PUPPETS, pull

SEATS = {"babel": 2, "aton": 2, "temple_of_five": 3, "sa_re": 3}
MOVES, SAMPLES = 60, 3
each_ruleset = pytest.mark.parametrize("name", SEATS)


def begun(name: str, number: int = 0, **settings: Any) -> Log:
    seed = number.to_bytes(32, "big")
    sitters = tuple(named(str(seat)) for seat in range(SEATS[name]))
    ruleset = RULESETS.latest(name)
    batch = created(
        None, None, sitters, RULESETS, ruleset=ruleset, seats=SEATS[name], server_seed=seed, **settings
    )
    return Log(batch, RULESETS, server_seed=seed)


def act_at_random(log: Log, dice: Random) -> None:
    seat = dice.choice(log.game.to_act)
    actions = log.game.created.ruleset, log.game.created.ruleset_version
    action = dice.choice(RULESETS.get(*actions).legal_actions(log.game.state, seat))
    log.acts(seat, json.loads(canonical(action)))


def what_it_may_think(ruleset: Ruleset[Any, Any], game: Game, seat: int) -> list[bytes]:
    """Some of the full states that a seat must hold possible, with the same dice each time."""
    view = ruleset.view(game.state, seat)
    dice = [Stream(bytes(32), f"sample/{number}") for number in range(SAMPLES)]
    return [canonical(ruleset.zones.determinise(view, seat, each)) for each in dice]


@each_ruleset
def test_after_a_take_back_everything_is_as_it_was_at_the_earlier_version(name: str) -> None:
    ruleset, dice, done = RULESETS.latest(name), Random(7), 0
    log = begun(name)
    for _ in range(MOVES):
        if not log.game.to_act:
            break
        act_at_random(log, dice)
        for seat in range(SEATS[name]):
            lowest = lowest_takeback(log.game, seat, RULESETS)
            if lowest is None:
                refused_as_it_was(log, seat)
                continue
            earlier, forward = game_at(log.entries, lowest, RULESETS), log.game
            log.takes_back(seat, lowest)
            done += 1
            for viewer in (None, *range(SEATS[name])):
                assert ruleset.view(log.game.state, viewer) == ruleset.view(earlier.state, viewer)
            assert log.game.state_hash == earlier.state_hash
            assert log.game.to_act == earlier.to_act
            assert ruleset.legal_actions(log.game.state, seat) == ruleset.legal_actions(earlier.state, seat)
            assert what_it_may_think(ruleset, log.game, seat) == what_it_may_think(ruleset, earlier, seat)
            assert learned_nothing(ruleset, earlier, forward, seat)
            assert log.game.decisions[seat] == log.game.version
    assert done or name == "aton", "nobody could take anything back"
    folded = list(unfold(log.entries, RULESETS))[-1][1]
    assert folded == log.game
    kept = read_snapshot(write_snapshot(folded), snapshot_tag(ruleset), RULESETS)
    assert kept == folded


def refused_as_it_was(log: Log, seat: int) -> None:
    """What may not be taken back is refused, to whatever version, and changes nothing."""
    for to in (None, log.game.version - 1, log.game.version, log.game.version + 1):
        batch = EntryBatch(log.entry_factory, log.game, log.game.id)
        with pytest.raises(Refusal) as refusal:
            take_back(batch, seat, to, RULESETS)
        assert refusal.value.code in {"nothing_to_take_back", "turn_has_passed", "something_was_revealed"}
        assert batch.carve() == []


def learned_nothing(ruleset: Ruleset[Any, Any], earlier: Game, later: Game, seat: int) -> bool:
    """Every component that the seat saw later, it saw before."""
    before, after = (ruleset.zones.seen(game.state, seat) for game in (earlier, later))
    return all(components <= before[kind] for kind, components in after.items())


@each_ruleset
def test_what_a_draw_or_a_reveal_has_shown_is_never_taken_back(name: str) -> None:
    ruleset, dice = RULESETS.latest(name), Random(11)
    log = begun(name, 1)
    for _ in range(MOVES):
        if not log.game.to_act:
            return
        before = log.game
        act_at_random(log, dice)
        seat = log.latest.entry.actor["seat"]
        drew = bool(log.latest.data.random)
        if drew or not learned_nothing(ruleset, before, log.game, seat):
            assert lowest_takeback(log.game, seat, RULESETS) in (None, log.game.version)


def test_a_snapshot_in_the_midst_of_a_turn_can_still_be_taken_back() -> None:
    log, dice = begun("sa_re", 2), Random(3)
    while lowest_takeback(log.game, log.game.to_act[0], RULESETS) is None:
        act_at_random(log, dice)
    seat = log.game.to_act[0]
    kept = read_snapshot(write_snapshot(log.game), snapshot_tag(RULESETS.latest("sa_re")), RULESETS)
    assert kept == log.game
    assert lowest_takeback(kept, seat, RULESETS) == lowest_takeback(log.game, seat, RULESETS)
    log.takes_back(seat)
    assert fold_on(kept, [log.latest], RULESETS) == log.game


def test_acting_and_taking_back_gains_no_time_and_forces_no_game_to_its_limit() -> None:
    settings: dict[str, Any] = {"seats": 2, "clock": total_clock(600, 60)}
    log = Log(created(rulesets=PUPPETS, sitters=(named("Ada"), named("Ben")), **settings), PUPPETS)
    start = log.game.at
    for _ in range(MAX_TAKEBACKS):
        log.acts(0, pull(0, phase="rest" if log.game.state.phase == "dance" else "dance"))
        log.takes_back(0)
    log.acts(0, pull(0, phase="rest"))
    assert lowest_takeback(log.game, 0, PUPPETS) is None
    batch = EntryBatch(log.entry_factory, log.game, log.game.id)
    with pytest.raises(Refusal) as refusal:
        take_back(batch, 0, None, PUPPETS)
    assert refusal.value.code == "limit_reached"
    gained = 60_000  # by the first action, which was not after a take-back
    assert log.game.left[0] <= 600_000 + gained
    assert start < log.game.at
    log.acts(0, pull(1, turn=2))
    assert log.game.left[0] <= 600_000 + 2 * gained
    assert log.game.stalled == ()

"""Twin games: the same game on two servers, but for what one viewer cannot know.

Both servers have the same keys, clocks, salts and nonces, so ids, times and tokens are the same on both. Hashes of
entries differ, because the entries do (that is what their salts are for); they alone, and what signs them, are
passed over. Everything else that the viewer receives must be the same on both, byte for byte, as long as the rules tell
it the same.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from events.game import unfold
from games import RULESETS
from games.canonical import canonical
from games.chance import Chance
from games.kernel import Registry, Viewer
from games.toy import LANTERNS
from projections.host_events import host_events, turn_event
from tests.api.client import NAMES, NO_BODY, OPERATOR, SCHOOL, Answer, Api, Table, new_game
from tests.events.logs import ticking_scribe
from tests.rulesets.fuzz import fuzzed
from tests.rulesets.kit import Kit
from tests.rulesets.playing import Moment, a_sample, refusal_of
from tests.rulesets.story import builtins

HASHES = re.compile(
    rb'(?<="(?:hash|prev)":")[0-9a-f]{64}|(?<="decision_hash":")[0-9a-f]{64}|(?<="signature":")[0-9a-f]{128}|(?<="now":")[-0-9:.TZ]{24}'
)
PLACES = (
    "",
    "/events",
    "/actions",
    "/head",
    "/replay",
    "/replay/4",
    "/board.svg",
    "/replay/4/board.svg?lang=fr&theme=dark",
    "/board.svg?shape=tall",
    "/board.png?card=true",
    "/replay/4/board.png?width=200",
    "/replay?as=spectator",
    "/replay?as=0",
    "?view=full",
    "?include=actions",
    "?include=labels",
    "/actions?include=labels&lang=fr",
    "/replay?include=actions",
    "/replay?include=labels",
    "/events?after=2&limit=3",
    "/audit",
    "/record",
    "/proof",
    "/forks",
    "/review",
    "/hint",
    "/rematch",
)
FOR_HOSTS = PLACES[:9]
TOO_LATE = ("decision=1", "dry_run=true&decision=1", "dry_run=true")
LINES, STREAM = "application/x-ndjson", "text/event-stream"


GAMES = Registry([*RULESETS, LANTERNS])


def fix_nonces(patch: pytest.MonkeyPatch) -> None:
    """Have everything that a server draws at random, but for tickets' times, be the same on all servers."""
    patch.setattr("secrets.token_bytes", lambda size=32: bytes(size))
    patch.setattr("secrets.token_hex", lambda size=32: "0" * 2 * size)


def but_for_hashes(answer: Answer) -> bytes:
    """What a client sees of an answer, hashes of entries, signatures of them and the time of day left out."""
    return HASHES.sub(lambda match: b"." * len(match[0]), answer.bytes)


class Question(NamedTuple):
    """A request about a game."""

    method: str
    path: str
    body: Any
    token: str | None
    headers: Mapping[str, str] = MappingProxyType({})

    def ask(self, table: Table) -> Answer:
        if self.method == "GET":
            return table.get(self.path, self.token, **self.headers)
        return table.post(self.path, self.body, self.token, **self.headers)


@dataclass
class Twins:
    """A game and its twin, which `viewer` cannot tell apart."""

    kit: Kit
    viewer: Viewer
    games: tuple[Table, Table]
    random: Random
    vocabulary: list[Any]

    # -- what the rules say -----------------------------------------------------------------------------------------

    def states(self) -> tuple[Any, Any]:
        """The full states, as only the servers know them."""
        one, other = (table.api.context.ledger.get(table.id).game.state for table in self.games)
        return one, other

    def told(self, facts: list[Any]) -> bytes:
        """What the rules tell the viewer of some facts."""
        return canonical([self.kit.ruleset.redact(fact, self.viewer) for fact in facts])

    def next_steps(self) -> Iterator[tuple[int, Any, Any]]:
        """What may be done next on both sides so that the rules tell the viewer no difference: a seat, two actions."""
        one, other = self.states()
        for seat in self.random.sample(one.to_act, len(one.to_act)):
            for action in a_sample(self.kit.ruleset.legal_actions(one, seat), 8, self.random):
                twin = self._alike(seat, action, one, other)
                if twin is not None:
                    yield seat, builtins(action), builtins(twin)

    def _alike(self, seat: int, action: Any, one: Any, other: Any) -> Any:
        rules = self.kit.ruleset
        shown = rules.redact_action(builtins(action), seat, self.viewer)
        told = self.told(rules.decide(one, seat, action, self._chance(0)))
        choices = rules.legal_actions(other, seat)
        for choice in self.random.sample(choices, len(choices))[:40]:
            same = rules.redact_action(builtins(choice), seat, self.viewer) == shown
            if same and self.told(rules.decide(other, seat, choice, self._chance(1))) == told:
                return choice
        return None

    def _chance(self, side: int) -> Chance:
        table = self.games[side]
        return Chance(table.api.context.ledger.get(table.id).seed)

    def refused(self, seat: int, most: int) -> list[Any]:
        """Actions that the rules would refuse this seat now."""
        state, _ = self.states()
        words = [
            builtins(each) for each in a_sample(self.kit.ruleset.legal_actions(state, seat), 10, self.random)
        ]
        tries = (fuzzed(words + self.vocabulary, self.random) for _ in range(4 * most))
        single = (raw for raw in tries if _is_plain(raw) and not isinstance(raw, list))
        return [raw for raw in single if refusal_of(self.kit.ruleset, state, seat, raw)][:most]

    # -- what the servers say ---------------------------------------------------------------------------------------

    def same(self, question: Question) -> Answer:
        """Ask both servers the same: the answers may not differ in a byte."""
        one, other = (question.ask(table) for table in self.games)
        assert but_for_hashes(one) == but_for_hashes(other), question
        return one

    def look(self) -> None:
        """The viewer looks wherever it can."""
        for question in self._questions():
            self.same(question)
        self._look_around()

    def glance(self) -> None:
        """The viewer looks at the game, and wherever else it happens to look."""
        everything = self._questions()
        for question in [everything[0], *a_sample(everything[1:], 5, self.random)]:
            self.same(question)

    def _questions(self) -> list[Question]:
        table = self.games[0]
        token = table.token(self.viewer)
        etag = table.get("", token).headers["etag"]
        asked = [Question("GET", path, None, token) for path in PLACES]
        asked += [Question("GET", "/events", None, token, {"Accept": each}) for each in (LINES, STREAM)]
        asked.append(Question("GET", "/replay", None, token, {"Accept": LINES}))
        asked += [Question("GET", "", None, token, {"If_None_Match": each}) for each in (etag, '"1.x"')]
        if self.viewer is not None:
            return asked + self._wishes(self.viewer, token)
        return asked + [
            Question("GET", path, None, each) for path in FOR_HOSTS for each in (SCHOOL, OPERATOR)
        ]

    def _wishes(self, seat: int, token: str | None) -> list[Question]:
        """What a seat might try: actions that are refused, dry runs, actions that come too late."""
        wishes: list[Question] = []
        for raw in self.refused(seat, 2):
            wishes += [Question("POST", path, raw, token) for path in ("/actions", "/actions?dry_run=true")]
            wishes.append(Question("POST", "/actions", [raw, raw], token))
        for action in self.games[0].legal(seat)[:1]:
            wishes += [Question("POST", f"/actions?{query}", action, token) for query in TOO_LATE]
            wishes.append(Question("POST", "/actions", action, token, {"If_Match": '"1.x"'}))
        return wishes

    def _look_around(self) -> None:
        rows = []
        for table in self.games:
            table.api.project(table.id)
            rows.append(but_for_hashes(table.api.get(f"/v1/games?ruleset={self.kit.ruleset.name}&limit=1")))
        assert rows[0] == rows[1]
        one, other = (happenings_of(table) for table in self.games)
        assert one == other

    # -- what happens -------------------------------------------------------------------------------------------------

    def act(self, seat: int, action: Any, twin: Any) -> None:
        """A seat acts in both games; if the viewer is that seat, it may not see a difference in its answers."""
        if seat != self.viewer:
            self.act_apart(seat, action, twin)
            return
        token, key = self.games[0].token(seat), f"action-{self.games[0].head[0]}"
        body = [action, *self.refused(seat, 1)] if self.random.random() < 0.5 else action
        deed = Question("POST", "/actions", body, token, {"Idempotency_Key": key})
        first, again = self.same(deed), self.same(deed)
        assert first.status == 201, first
        assert again.body == first.body
        assert again.headers["idempotent-replayed"] == "true"

    def act_apart(self, seat: int, action: Any, twin: Any) -> None:
        """A seat acts in each game; what it is answered is its own affair."""
        for table, chosen in zip(self.games, (action, twin), strict=True):
            answer = table.act(seat, chosen)
            assert answer.status == 201, answer

    def resign(self, seat: int) -> bool:
        """A seat gives up in both games, unless they are over or that uncovers something."""
        states = self.states()
        one, other = (self.told(self.kit.ruleset.withdraw(state, seat, "resigned")) for state in states)
        if states[0].phase == "ended" or one != other:
            return False
        if seat == self.viewer:
            self.same(Question("POST", "/resignation", NO_BODY, self.games[0].token(seat)))
        else:
            for table in self.games:
                assert table.post("/resignation", token=table.token(seat)).status == 201
        return True


def happenings_of(table: Table) -> bytes:
    """Everything that feed and webhooks tell of a game, from its beginning."""
    before, told = None, []
    for _, game in unfold(table.api.context.store.walk(table.id), table.api.context.rulesets):
        told += host_events(before, game) + turn_event(game)
        before = game
    assert told
    return canonical(told)


def _is_plain(raw: Any) -> bool:
    """Could this be sent as JSON that the log takes? (Floats and huge numbers are refused before any rule.)"""
    match raw:
        case float():
            return False
        case dict():
            return all(map(_is_plain, raw.values()))
        case list():
            return all(map(_is_plain, raw))
        case int():
            return abs(raw) < 2**53
    return True


def twins_at(
    servers: tuple[Api, Api],
    moment: Moment,
    viewer: Viewer,
    random: Random,
    key: str,
    bot: str | None = None,
) -> Twins | None:
    """Two games from this moment on, of which the second has everything exchanged that the viewer cannot know.

    None if the set-up uncovers a difference at once: where one choice is left, the rules may take it.
    """
    states = (moment.state, moment.game.kit.exchange(moment.state, viewer, random))
    return (
        twins_from(servers, moment, states, viewer, random, key, bot)
        if _begin_alike(moment, states, viewer)
        else None
    )


def twins_from(
    servers: tuple[Api, Api],
    moment: Moment,
    states: tuple[Any, Any],
    viewer: Viewer,
    random: Random,
    key: str,
    bot: str | None = None,
) -> Twins:
    """Two games from these states on, with the same id, the same players and the same clock.

    The viewer is a person, or a bot of this level.
    """
    kit, setting = moment.game.kit, moment.game.setting
    players: list[Any] = list(NAMES[: setting.seats])
    if bot is not None:
        assert viewer is not None, "a bot sits somewhere"
        players[viewer] = {"bot": bot}
    tables = []
    for api, state in zip(servers, states, strict=True):
        api.context.ledger.entry_factory = ticking_scribe()
        more = {"options": dict(setting.options), "position": builtins(state), "clock": {"turn_seconds": 60}}
        tables.append(new_game(api, kit.ruleset.name, players, OPERATOR, key, **more))
    return Twins(kit, viewer, (tables[0], tables[1]), random, moment.game.vocabulary)


def _begin_alike(moment: Moment, states: tuple[Any, Any], viewer: Viewer) -> bool:
    setting, rules = moment.game.setting, GAMES.latest(moment.ruleset.name)
    one, other = (
        rules.new_game(setting.options, setting.seats, Chance(bytes(32)), builtins(state)) for state in states
    )
    told, told_there = (canonical([rules.redact(fact, viewer) for fact in facts]) for facts in (one, other))
    return told == told_there

"""Looking back: frames early and late in a long game, folding and auditing whole games, and what a game weighs."""

from collections.abc import Callable

from bench.measure import Line, at_least, at_most, medians, told
from bench.rules import chess_games, replay_chess
from events.entries import Carved
from events.game import fold
from events.keys import game_key
from events.store import EMPTY, Appended, EventStore, Head
from games import RULESETS
from projections.catch_up import catch_up
from projections.keyframes import EVERY
from projections.store import ProjectionStore
from replays.audit.audit import audit
from replays.frames import Perspective, frame
from replays.record import Record, entries_of
from services.core.archive import FileArchive
from services.core.archiving import Archivist
from services.core.ledger import Ledger
from services.core.past import Past
from tests.golden.records import RECORDS, golden
from tests.golden.stories import Golden, at_random, moves
from tests.servers import running_valkey

WHOLE_GAMES = 4
EARLY, LATE = 100, 2000
KEPT = ("log", "retries", "snapshot", "keyframes", "secrets", "people", "archived")
"""What the store holds of a single game."""


def run() -> list[Line]:
    """Everything, on one server."""
    with running_valkey() as server, server.client() as client:
        store = EventStore(client)
        projections = ProjectionStore(client, RULESETS)
        archive = FileArchive(server.directory / "archive")
        weighed = weights(store, projections, archive)
        return [frames(store, projections), *folds_and_audits(), *weighed]


def frames(store: EventStore, projections: ProjectionStore) -> Line:
    """A frame early and late in one game, over all distances from a keyframe."""
    long_game = Golden("sa_re", "a long game", moves(LATE + EVERY, at_random), 3, {"max_rounds": None})
    game = keep(store, projections, long_game.played().entries)
    past = Past(Ledger(store, projections))

    def around(version: int) -> Callable[[], int]:
        first = version - version % EVERY

        def work() -> int:
            for moment in range(first, first + EVERY, 3):
                frame(*past.moment(game, moment), Perspective(0), RULESETS)
            return len(range(first, first + EVERY, 3))

        return work

    found = medians({"early": around(EARLY), "late": around(LATE)})
    early, late = 1e6 / found["early"], 1e6 / found["late"]
    return at_most(f"a frame at version {LATE:,} ÷ at {EARLY}", late, early, "µs", 1.2)


def folds_and_audits() -> list[Line]:
    """Facts of whole games from their records, beside moves that python-chess replays with legality."""
    chess_moves = chess_games(12)
    lines = []
    for ruleset in RULESETS:
        records = whole_games(ruleset.name)
        logs = [entries_of(record) for record in records]

        def folded(records: list[Record] = records, logs: list[list[Carved]] = logs) -> int:
            for log in logs:
                game = None
                for carved in log:
                    game = fold(game, carved, RULESETS)
            return sum(map(facts_in, records))

        def audited(records: list[Record] = records) -> int:
            for record in records:
                assert audit(record, RULESETS).verdict == "pass"
            return sum(map(facts_in, records))

        found = medians({"fold": folded, "audit": audited, "chess": lambda: replay_chess(chess_moves)})
        lines += [
            at_least(
                f"{ruleset.name}: fold of a log ÷ python-chess", found["fold"], found["chess"], "/s", 2.0
            ),
            at_least(
                f"{ruleset.name}: full audit ÷ python-chess", found["audit"], found["chess"], "/s", 0.75
            ),
        ]
    return lines


def facts_in(record: Record) -> int:
    return sum(len(entry["data"].get("facts", ())) for entry in record["entries"])


def whole_games(ruleset: str) -> list[Record]:
    """The longest golden records of a game."""
    found = [golden(path) for path in RECORDS if path.parent.name == ruleset]
    return sorted(found, key=lambda record: -len(record["entries"]))[:WHOLE_GAMES]


def weights(store: EventStore, projections: ProjectionStore, archive: FileArchive) -> list[Line]:
    """What one settled game takes in the store's memory, everything of it included, and what once it is archived."""
    lines = []
    for ruleset in RULESETS:
        record = whole_games(ruleset.name)[0]
        game = keep(store, projections, entries_of(record))
        name = f"{ruleset.name}: a game of {len(record['entries'])} entries"
        lines.append(told(f"{name} in the store", in_store(store, game) / 1024, "KiB"))
        Archivist(Ledger(store, projections), archive).move(game)
        lines.append(told(f"{name} archived: the file", archive.path(game).stat().st_size / 1024, "KiB"))
        lines.append(told(f"{name} archived: left in the store", in_store(store, game) / 1024, "KiB"))
    return lines


def in_store(store: EventStore, game: str) -> int:
    """The bytes that the store holds of a game."""
    return sum(store.client.memory_usage(game_key(game, name), samples=0) or 0 for name in KEPT)


def keep(store: EventStore, projections: ProjectionStore, log: list[Carved]) -> str:
    """Put a log into the store, and project it."""
    head = EMPTY
    for start in range(0, len(log), 200):
        part = log[start : start + 200]
        assert store.append(head, part) == Appended()
        head = Head(part[-1].seq, part[-1].hash)
    game = log[0].entry.game
    catch_up(store, projections, RULESETS, game)
    return game

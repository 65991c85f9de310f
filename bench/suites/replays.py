"""Looking back: frames early and late in a long game, folding and auditing whole games, and what a game weighs."""

from collections.abc import Callable

from bench.figures import Figure, rates
from bench.runs import Run
from bench.suites.rules import chess_games, replay_chess
from events.entries import Carved
from events.game import fold
from events.store import EMPTY_LOG, Appended, EventStore, Head
from games import RULESETS
from projections.catch_up import catch_up
from projections.keyframes import KEYFRAME_INTERVAL
from projections.store import ProjectionStore
from replays.audit.audit import audit
from replays.frames import Perspective, frame
from replays.record import Record, entries_of
from services.core.archive import FileArchive
from services.core.archivist import Archivist
from services.core.history import History
from services.core.ledger import Ledger
from services.host.embedded import STREAM_OPTIONS
from tests.golden.records import RECORDS, golden
from tests.golden.stories import Golden, at_random, moves
from tests.servers import running_valkey

WHOLE_GAMES = 4
EARLY, LATE = 100, 2000
AIMED_AT = {"babel": (72.0, 12.0)}
"""KiB of a game's longest golden record in the store, and of its file once it is archived."""


def run(run: Run) -> list[Figure]:
    """Everything, on one server."""
    with running_valkey() as server, server.client() as client:
        for option, value in STREAM_OPTIONS.items():  # as the embedded store is set
            client.config_set(option, value)
        store = EventStore(client)
        projections = ProjectionStore(client, RULESETS)
        archive = FileArchive(server.directory / "archive")
        run.say("frames of a long game")
        early_and_late = frames(run, store, projections)
        run.say("folds and audits")
        whole = folds_and_audits(run)
        run.say("what a game weighs")
        return [early_and_late, *whole, *weights(store, projections, archive)]


def frames(run: Run, store: EventStore, projections: ProjectionStore) -> Figure:
    """A frame early and late in one game, over all distances from a keyframe."""
    long_game = Golden(
        "sa_re", "a long game", moves(LATE + KEYFRAME_INTERVAL, at_random), 3, {"max_rounds": None}
    )
    game = keep(store, projections, long_game.played().entries)
    past = History(Ledger(store, projections))

    def around(version: int) -> Callable[[], int]:
        first = version - version % KEYFRAME_INTERVAL

        def work() -> int:
            for moment in range(first, first + KEYFRAME_INTERVAL, 3):
                frame(*past.moment(game, moment), Perspective(0), RULESETS)
            return len(range(first, first + KEYFRAME_INTERVAL, 3))

        return work

    measured = rates({"early": around(EARLY), "late": around(LATE)}, run.rounds())
    early, late = ([1e6 / each for each in measured[name]] for name in ("early", "late"))
    return Figure(f"a frame at version {LATE:,} ÷ at {EARLY}", late, "µs", early, 1.2, "≤")


def folds_and_audits(run: Run) -> list[Figure]:
    """Facts of whole games from their records, beside moves that python-chess replays with legality."""
    chess_moves = chess_games(12)
    figures = []
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

        contenders = {"fold": folded, "audit": audited, "chess": lambda: replay_chess(chess_moves)}
        measured = rates(contenders, run.rounds())
        for work, name, aim in (("fold", "fold of a log", 2.0), ("audit", "full audit", None)):
            title = f"{ruleset.name}: {name}, facts/s ÷ python-chess' moves/s"
            figures.append(Figure(title, measured[work], "/s", measured["chess"], aim))
    return figures


def facts_in(record: Record) -> int:
    return sum(len(entry["data"].get("facts", ())) for entry in record["entries"])


def whole_games(ruleset: str) -> list[Record]:
    """The longest golden records of a game by the first terms: the same in every version, so that figures compare."""
    records = [golden(path) for path in RECORDS if path.parent.name == ruleset]
    first_terms = [record for record in records if "terms" not in record["entries"][0]["data"]]
    return sorted(first_terms, key=lambda record: -len(record["entries"]))[:WHOLE_GAMES]


def weights(store: EventStore, projections: ProjectionStore, archive: FileArchive) -> list[Figure]:
    """What one settled game takes in the store's memory, everything of it included, and what once it is archived."""
    figures = []
    for ruleset in RULESETS:
        record = whole_games(ruleset.name)[0]
        game = keep(store, projections, entries_of(record))
        name = f"{ruleset.name}: a game of {len(record['entries'])} entries"
        stored, archived = AIMED_AT.get(ruleset.name, (None, None))
        figures.append(weight(f"{name} in the store", in_store(store, game), stored))
        Archivist(Ledger(store, projections), archive).move(game)
        figures.append(weight(f"{name} archived: the file", archive.path(game).stat().st_size, archived))
        figures.append(weight(f"{name} archived: left in the store", in_store(store, game)))
    return figures


def weight(name: str, size: int, aim: float | None = None) -> Figure:
    return Figure(name, [size / 1024], "KiB", aim=aim, direction="≤")


def in_store(store: EventStore, game: str) -> int:
    """The bytes that the store holds of a game."""
    keys = store.client.scan_iter(match=f"*{game}*", count=1000)
    return sum(store.client.memory_usage(key, samples=0) or 0 for key in keys)


def keep(store: EventStore, projections: ProjectionStore, log: list[Carved]) -> str:
    """Put a log into the store, and project it."""
    head = EMPTY_LOG
    for start in range(0, len(log), 200):
        part = log[start : start + 200]
        assert store.append(head, part) == Appended()
        head = Head(part[-1].seq, part[-1].hash)
    game = log[0].entry.game
    catch_up(store, projections, RULESETS, game)
    return game

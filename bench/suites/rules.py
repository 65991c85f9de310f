"""The rules on their own: folding facts beside python-chess replaying moves, playouts, long lists of legal actions."""

import random
from typing import Any

import chess

from bench.figures import Figure, rates
from bench.runs import Run
from games import RULESETS
from games.chance import Chance, Stream
from games.kernel import Fact, Ruleset
from tests.games.temple_of_five.kit import LATE_OPTIONS, LATE_POSITION

GAMES = 12
SEED = bytes(range(32))


def course(
    ruleset: Ruleset[Any, Any], seed: bytes, seats: int | None = None, level: str = "random"
) -> list[Fact[Any]]:
    """The facts of a whole game between bots, for as few as can play it if nothing is said."""
    facts: list[Fact[Any]] = list(ruleset.new_game({}, seats or ruleset.seat_counts[0], Chance(seed)))
    state, bot, actions = ruleset.fold(None, facts), ruleset.bot(level), 0
    while state.to_act:
        seat = state.to_act[0]
        action = bot.choose(ruleset.view(state, seat), seat, Stream(seed, f"bot/{seat}/{actions}"))
        follow = ruleset.decide(state, seat, action, Chance(seed))
        state, actions = ruleset.fold(state, follow), actions + 1
        facts += follow
    return facts


def chess_games(count: int) -> list[list[str]]:
    """Random games of chess as moves in UCI."""
    dice, games = random.Random(7), []  # not for secrets
    for _ in range(count):
        board = chess.Board()
        moves: list[str] = []
        while not board.is_game_over() and len(moves) < 120:
            move = dice.choice(list(board.legal_moves))
            moves.append(move.uci())
            board.push(move)
        games.append(moves)
    return games


def replay_chess(games: list[list[str]]) -> int:
    """Replay with legality: each move is parsed, checked and pushed."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
    return sum(map(len, games))


def late_legal_actions(run: Run) -> Figure:
    """The longest list of all: a late position of Temple of Five with four players."""
    temple = RULESETS.latest("temple_of_five")
    state = temple.fold(None, temple.new_game(LATE_OPTIONS, 4, Chance(SEED), LATE_POSITION))
    seat = state.to_act[0]
    lists = 20

    def listed() -> int:
        for _ in range(lists):
            temple.legal_actions(state, seat)
        return lists

    length = len(temple.legal_actions(state, seat))
    costs = [1000 / each for each in rates({"lists": listed}, run.rounds())["lists"]]
    return Figure(f"temple_of_five: {length} legal actions of a late position", costs, "ms", direction="≤")


def run(run: Run) -> list[Figure]:
    """How each game folds and plays."""
    chess_moves = chess_games(GAMES)
    figures = []
    for ruleset in RULESETS:
        run.say(ruleset.name)
        courses = [course(ruleset, bytes([number]) * 32) for number in range(GAMES)]

        def fold(ruleset: Ruleset[Any, Any] = ruleset, courses: list[list[Fact[Any]]] = courses) -> int:
            for facts in courses:
                ruleset.fold(None, facts)
            return sum(map(len, courses))

        def playout(ruleset: Ruleset[Any, Any] = ruleset) -> int:
            return len(course(ruleset, SEED))

        contenders = {"fold": fold, "chess": lambda: replay_chess(chess_moves), "playout": playout}
        measured = rates(contenders, run.rounds())
        name = f"{ruleset.name}: facts/s folded ÷ python-chess' moves/s"
        figures.append(Figure(name, measured["fold"], "/s", measured["chess"], 2.0))
        figures.append(Figure(f"{ruleset.name}: random playout, facts/s", measured["playout"], "/s"))
    return [*figures, late_legal_actions(run)]

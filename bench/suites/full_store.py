"""Whether a store full of games makes an action slower: the same moves on a server with ten games and on one with 100,000.

The store is filled with copies of a few real games, everything that is kept of them and about them included. A copy's
log says the name of its original, so that it can be counted but not read; nobody reads it here.
"""

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from redis import Redis

from bench.figures import Figure
from bench.loading import Result, load
from bench.runs import Run
from bench.scripts import scripts
from bench.servers import Stele, stele, until
from events.keys import game_id, partition_of

FEW = 10
TEMPLATES = 48
"""Enough for one at least in nearly every partition."""
BATCH = 200


def run(run: Run) -> list[Figure]:
    scale = run.scale
    results_by_name: dict[str, list[Result]] = {"few": [], "many": []}
    with stele() as few, stele() as many, scripts(8) as file:
        begin_games(few, FEW)
        fill(run, many, scale.full_store)
        for _ in run.rounds():
            for name, server in (("few", few), ("many", many)):
                job: dict[str, Any] = {
                    "seconds": scale.seconds,
                    "warm": scale.warm,
                    "players": scale.players,
                    "per_game": scale.per_game,
                }
                job |= {"games": scale.games, "scripts": str(file), "token": server.token}
                results_by_name[name].append(load(server, "stele", "acting", settle=server.settle, **job))
                run.note_cpu(
                    f"stele, {FEW if name == 'few' else scale.full_store:,} games",
                    results_by_name[name][-1].cpu,
                )
    p50 = {name: [1000 * result.p50 for result in results] for name, results in results_by_name.items()}
    title = f"an action with {scale.full_store:,} games in the store ÷ with {FEW}"
    return [Figure(title, p50["many"], "µs", p50["few"], 1.1, "≤")]


def begin_games(server: Stele, count: int) -> list[str]:
    new = {"ruleset": "babel", "players": [{"name": "Ann"}, {"name": "Bob"}]}
    games = [server.call("POST", "/v1/games", new)["id"] for _ in range(count)]
    server.settle()
    return games


def fill(run: Run, server: Stele, count: int) -> None:
    """Copy a few games until there are so many."""
    run.say("begins games to be copied")
    games = begin_games(server, TEMPLATES)
    with Redis(unix_socket_path=str(server.socket), socket_timeout=60) as client:
        templates = [Template(client, game) for game in games]
        with client.pipeline(transaction=False) as pipe:
            for number, template in enumerate(islice(cycle(templates), count), 1):
                template.copy(pipe)
                if number % BATCH == 0 or number == count:
                    pipe.execute()
                    run.say(f"{number:,} of {count:,} games copied")
        run.say("the store tidies its file")
        until(lambda: not client.info("persistence")["aof_rewrite_in_progress"], "the store's file")


class Template:
    """All that the store holds of one game."""

    def __init__(self, client: Redis, game: str) -> None:
        self.game = game
        self._own: list[str] = []
        self._entries: list[tuple[str, str, list[Any]]] = []
        """Where else it stands: key, command, and its arguments."""
        for key in map(bytes.decode, client.scan_iter(count=1000)):
            if game in key:
                self._own.append(key)
            else:
                self._entries += [(key, command, words) for command, words in mentions(client, key, game)]

    def copy(self, pipe: Any) -> None:
        new = partition_of(self.game) + game_id()[2:]
        for key in self._own:
            pipe.copy(key, key.replace(self.game, new))
        for key, command, words in self._entries:
            pipe.execute_command(command, key, *(renamed(word, self.game, new) for word in words))


def mentions(client: Redis, key: str, game: str) -> Iterator[tuple[str, list[Any]]]:
    """How a game is entered in a set, a sorted set or a hash that belongs to more than one."""
    pattern = f"*{game}*"
    match client.type(key):
        case b"set":
            yield from (("SADD", [member]) for member in client.sscan_iter(key, pattern))
        case b"zset":
            yield from (("ZADD", [score, member]) for member, score in client.zscan_iter(key, pattern))
        case b"hash":
            yield from (("HSET", [name, value]) for name, value in client.hscan_iter(key, pattern))


def renamed(word: Any, old: str, new: str) -> Any:
    return word.replace(old.encode(), new.encode()) if isinstance(word, bytes) else word

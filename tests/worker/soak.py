"""`make soak`: fifty bot games under random kill -9 of dispatcher and workers for a minute."""

import sys

from redis import Redis

from tests.servers import ValkeyServer, short_directory
from tests.worker.house import House
from tests.worker.killing import survive_kills

GAMES, SECONDS, PATIENCE = 50, 60.0, 600.0


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with short_directory() as directory:
        server = ValkeyServer(directory, appendonly="always")
        server.start()
        try:
            with Redis.from_url(server.url) as client:
                took = survive_kills(House(client, client), server.url, games, SECONDS, PATIENCE)
        finally:
            server.stop()
    print(
        f"{games} games ended, each settled once with a clean audit; all done {took:.1f} s after the last kill"
    )


if __name__ == "__main__":
    main()

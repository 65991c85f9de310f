"""What a released version of Stele left behind, as files: its store, archive, backup and data directory, and its answers.

0.1.0/games.json      the games by name: ids, tokens, join codes, seals; the keys and tokens of the server
0.1.0/store.jsonl.gz  every key of its store, a line each, as types and values that any Valkey or Redis takes
0.1.0/archive/        games that `stele archive` moved out of the store
0.1.0/backup/         the same games as `stele backup` wrote them
0.1.0/data.tar.gz     the same store once more, as the data directory of an embedded one
0.1.0/seen.json.gz    what the server answered about all this (`looking.py`)
"""

import base64
import gzip
import json
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from redis import Redis

HERE = Path(__file__).parent
VERSIONS = sorted(path.parent.name for path in HERE.glob("*/games.json"))


class Kept:
    """The files of one version."""

    def __init__(self, version: str) -> None:
        self.directory = HERE / version
        self.archive = self.directory / "archive"
        self.backup = self.directory / "backup"

    @property
    def house(self) -> Any:
        """Games by name, and the keys and tokens of the server."""
        return json.loads((self.directory / "games.json").read_text())

    @property
    def seen(self) -> Any:
        """What the server answered."""
        return json.loads(gzip.decompress((self.directory / "seen.json.gz").read_bytes()))

    @property
    def rows(self) -> list[Any]:
        """Every key of the store."""
        packed = gzip.decompress((self.directory / "store.jsonl.gz").read_bytes())
        return [json.loads(line) for line in packed.splitlines()]

    def unpack_data(self, into: Path) -> None:
        """Lay out the data directory."""
        with tarfile.open(self.directory / "data.tar.gz") as packed:
            packed.extractall(into, filter="data")

    def write_house(self, house: Any) -> None:
        (self.directory / "games.json").write_text(json.dumps(house, indent=1) + "\n")

    def write_seen(self, seen: Any) -> None:
        (self.directory / "seen.json.gz").write_bytes(packed_lines([seen]))

    def write_rows(self, client: Redis) -> None:
        (self.directory / "store.jsonl.gz").write_bytes(packed_lines(rows_of(client)))

    def pack_data(self, data_dir: Path) -> None:
        """Pack what a store that has ended leaves in its data directory, but its locks and its log."""
        with tarfile.open(self.directory / "data.tar.gz", "w:gz") as packed:
            for name in ("appendonlydir", "token.key", "signing.key"):
                packed.add(data_dir / name, name)
        shutil.copytree(data_dir / "archive", self.archive)


def packed_lines(values: Any) -> bytes:
    """Values as packed JSON, a line each; the same values give the same bytes."""
    lines = (json.dumps(value, separators=(",", ":")) + "\n" for value in values)
    return gzip.compress("".join(lines).encode(), mtime=0)


# -- keys of a store ----------------------------------------------------------------------------------------------------


def rows_of(client: Redis) -> Iterator[Any]:
    """Every key that does not expire by itself: name, type, value, and for a stream its groups."""
    for key in sorted(cast(Iterator[bytes], client.scan_iter(count=1000))):
        if client.pttl(key) == -1:
            kind = cast(bytes, client.type(key)).decode()
            groups = groups_of(client, key) if kind == "stream" else {}
            yield {"key": text(key), "type": kind, "value": value_of(client, key, kind)} | groups


def value_of(client: Any, key: bytes, kind: str) -> Any:
    match kind:
        case "string":
            return text(client.get(key))
        case "hash":
            return [[text(name), text(value)] for name, value in sorted(client.hgetall(key).items())]
        case "list":
            return [text(item) for item in client.lrange(key, 0, -1)]
        case "set":
            return sorted(text(item) for item in client.smembers(key))
        case "zset":
            return [[text(item), score] for item, score in client.zrange(key, 0, -1, withscores=True)]
        case "stream":
            rows = client.xrange(key)
            return [[text(number), [[text(n), text(v)] for n, v in row.items()]] for number, row in rows]
    raise TypeError(f"{key!r} is a {kind}")


def groups_of(client: Any, key: bytes) -> Any:
    found = {text(group["name"]): text(group["last-delivered-id"]) for group in client.xinfo_groups(key)}
    return {"groups": found} if found else {}


def bring_in(client: Any, rows: list[Any]) -> None:
    """Write such keys into an empty store."""
    with client.pipeline(transaction=False) as pipe:
        for row in rows:
            write_row(pipe, row)
        pipe.execute()


def write_row(pipe: Any, row: Any) -> None:
    key, value = raw(row["key"]), row["value"]
    match row["type"]:
        case "string":
            pipe.set(key, raw(value))
        case "hash":
            pipe.hset(key, mapping={raw(name): raw(member) for name, member in value})
        case "list":
            pipe.rpush(key, *map(raw, value))
        case "set":
            pipe.sadd(key, *map(raw, value))
        case "zset":
            pipe.zadd(key, {raw(item): score for item, score in value})
        case "stream":
            for number, fields in value:
                pipe.xadd(key, {raw(name): raw(member) for name, member in fields}, id=number)
    for group, last in row.get("groups", {}).items():
        pipe.xgroup_create(key, group, last, mkstream=True)


def text(value: bytes | str) -> Any:
    """Bytes as JSON has them: text where they are."""
    if isinstance(value, str):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def raw(value: Any) -> bytes:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else str(value).encode()

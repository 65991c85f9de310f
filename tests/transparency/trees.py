"""Trees made in the most obvious way, for the real ones to be held against."""

import hashlib

from replays.audit.verify import HASH_BYTES, Tiles
from replays.transparency.growing_tree import FullTile, GrowingTree


def naive_root(leaves: list[bytes]) -> bytes:
    """The definition of RFC 6962, word for word."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    return hashlib.sha256(b"\1" + naive_root(leaves[:middle]) + naive_root(leaves[middle:])).digest()


def leaves_numbered(count: int) -> list[bytes]:
    return [b"leaf %d" % number for number in range(count)]


class Shelf:
    """A growing tree and the tiles that it has filled."""

    def __init__(self) -> None:
        self.tree = GrowingTree()
        self.full: dict[tuple[int, int], bytes] = {}

    def add(self, leaf: bytes) -> list[FullTile]:
        filled = self.tree.append(leaf)
        for tile in filled:
            self.full[tile.level, tile.number] = tile.hashes
        return filled

    @property
    def tiles(self) -> Tiles:
        def read(level: int, number: int, width: int) -> bytes:
            found = self.full.get((level, number)) or self.tree.edge[level]
            assert len(found) >= width * HASH_BYTES
            return found

        return read

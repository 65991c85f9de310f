"""Growing Merkle tree: appends leaves in amortised constant time, and keeps nothing but its unfinished tiles."""

from typing import NamedTuple

from replays.audit.verify import HASH_BYTES, TILE_WIDTH, leaf_hash, node_hash, tile_nodes

FULL = TILE_WIDTH * HASH_BYTES
EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class FullTile(NamedTuple):
    """A tile that has its 256 hashes and never changes again."""

    level: int
    number: int
    hashes: bytes


class GrowingTree:
    """The right edge of a tree: of each level, the hashes of the tile that is not full yet."""

    def __init__(self, size: int = 0, edge: list[bytes] | None = None) -> None:
        self.size = size
        self._edge = [bytearray(tile) for tile in edge or []]

    @property
    def edge(self) -> list[bytes]:
        """The unfinished tile of each level, lowest first; what the tree goes on from."""
        return [bytes(tile) for tile in self._edge]

    def append(self, leaf: bytes) -> list[FullTile]:
        """Add a leaf; the tiles that it has filled."""
        filled: list[FullTile] = []
        hashed, level = leaf_hash(leaf), 0
        while True:
            if level == len(self._edge):
                self._edge.append(bytearray())
            tile = self._edge[level]
            tile += hashed
            if len(tile) < FULL:
                break
            hashes = bytes(tile)
            tile.clear()
            filled.append(FullTile(level, self.size // TILE_WIDTH ** (level + 1), hashes))
            hashed, level = tile_nodes(hashes)[-1][0], level + 1
        self.size += 1
        return filled

    def root(self) -> bytes:
        """The hash over all leaves (RFC 6962): its complete subtrees, joined from the smallest to the largest."""
        joined: bytes | None = None
        for tile in self._edge:
            for peak in _peaks(bytes(tile)):
                joined = peak if joined is None else node_hash(peak, joined)
        return bytes.fromhex(EMPTY_ROOT) if joined is None else joined


def _peaks(tile: bytes) -> list[bytes]:
    """The complete subtrees over the hashes of a tile, smallest first."""
    rows = tile_nodes(tile)
    return [row[-1] for row in rows if len(row) % 2]

"""The Merkle tree of the transparency log: roots, tiles and proofs."""

import random
import time
from pathlib import Path

import pytest
from pymerkle import InmemoryTree

from replays.audit.verify import (
    HASH_BYTES,
    NotChecked,
    PublishedTiles,
    Tree,
    is_consistent,
    leaf_hash,
    root_by_inclusion,
    tile_path,
)
from replays.transparency.growing_tree import GrowingTree
from tests.transparency.trees import Shelf, leaves_numbered, naive_root

PUBLISHED_LEAVES = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
]
PUBLISHED_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The example tree that implementations of Certificate Transparency share."""


def test_the_roots_are_those_of_certificate_transparency() -> None:
    tree = GrowingTree()
    roots = [tree.root().hex()]
    for leaf in PUBLISHED_LEAVES:
        tree.append(bytes.fromhex(leaf))
        roots.append(tree.root().hex())
    assert roots == PUBLISHED_ROOTS


def test_roots_and_proofs_are_those_of_an_independent_implementation() -> None:
    shelf, theirs = Shelf(), InmemoryTree(algorithm="sha256")
    for size, leaf in enumerate(leaves_numbered(70), 1):
        shelf.add(leaf)
        theirs.append_entry(leaf)
        assert shelf.tree.root() == theirs.get_root()
        tree = Tree(size, shelf.tiles)
        index, earlier = size // 3, size // 2 + 1
        first, *path = theirs.prove_inclusion(index + 1).path
        assert (first, path) == (leaf_hash(b"leaf %d" % index), tree.inclusion(index))
        roots = theirs.get_root(earlier), theirs.get_root()
        assert is_consistent(earlier, roots[0], size, roots[1], tree.consistency(earlier))


def test_proofs_of_every_small_tree_lead_where_they_should() -> None:
    leaves = leaves_numbered(40)
    shelf = Shelf()
    roots = [naive_root([])]
    for size, leaf in enumerate(leaves, 1):
        shelf.add(leaf)
        tree = Tree(size, shelf.tiles)
        roots.append(naive_root(leaves[:size]))
        assert tree.root() == shelf.tree.root() == roots[size]
        for index in range(size):
            proof = tree.inclusion(index)
            assert root_by_inclusion(leaf_hash(leaves[index]), index, size, proof) == roots[size]
            assert root_by_inclusion(leaf_hash(b"another"), index, size, proof) != roots[size]
            assert root_by_inclusion(leaf_hash(leaves[index]), index, size, [*proof, roots[1]]) is None
        for earlier in range(size + 1):
            proof = tree.consistency(earlier)
            assert is_consistent(earlier, roots[earlier], size, roots[size], proof)
            if 0 < earlier < size:
                assert not is_consistent(earlier, roots[earlier - 1], size, roots[size], proof)
                assert not is_consistent(earlier, roots[earlier], size, roots[size - 1], proof)
                assert not is_consistent(earlier, roots[earlier], size, roots[size], proof[:-1])
    assert not is_consistent(3, roots[3], 2, roots[2], [])
    assert root_by_inclusion(leaf_hash(leaves[0]), 5, 5, []) is None


def grow(count: int) -> None:
    """A tree of so many leaves: its tiles are those of the specification, and proofs lead from anywhere to its root."""
    shelf, chance = Shelf(), random.Random(count)
    marks = {count // 3: b"", count // 2: b""}
    for number in range(count):
        shelf.add(b"%d" % number)
        if number + 1 in marks:
            marks[number + 1] = shelf.tree.root()
    widths = [count // 256**level for level in range(4)]
    assert len(shelf.full) == sum(width // 256 for width in widths)
    assert [len(tile) // HASH_BYTES for tile in shelf.tree.edge if tile] == [
        width % 256 for width in widths if width % 256
    ]
    tree, root = Tree(count, shelf.tiles), shelf.tree.root()
    assert tree.root() == root
    for size, earlier in marks.items():
        assert is_consistent(size, earlier, count, root, tree.consistency(size))
    began = time.perf_counter()
    for index in [0, count - 1, *(chance.randrange(count) for _ in range(100))]:
        assert root_by_inclusion(leaf_hash(b"%d" % index), index, count, tree.inclusion(index)) == root
    print(f"{count} leaves: {(time.perf_counter() - began) / 102 * 1e6:.0f} µs a proof, made and checked")
    again = GrowingTree(count, shelf.tree.edge)
    for tile in (again, shelf.tree):
        tile.append(b"one more")
    assert again.root() == shelf.tree.root() != root


def test_seventy_thousand_leaves_have_the_tiles_of_the_specification() -> None:
    grow(70_000)


@pytest.mark.long
def test_a_million_leaves() -> None:
    grow(1_000_000)


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        ((0, 0, 256), "tile/0/000"),
        ((1, 67, 1), "tile/1/067.p/1"),
        ((0, 1234067, 256), "tile/0/x001/x234/067"),
        ((2, 1000, 255), "tile/2/x001/000.p/255"),
    ],
)
def test_tiles_have_the_paths_of_the_specification(tile: tuple[int, int, int], path: str) -> None:
    assert tile_path(*tile) == path


def test_a_tile_that_is_cut_off_or_missing_proves_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotChecked, match=r"no tile/0/000.p/3"):
        Tree(3, PublishedTiles(str(tmp_path))).root()
    with pytest.raises(NotChecked, match="cut off"):
        Tree(3, lambda *_: bytes(64)).root()

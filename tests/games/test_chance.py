"""Chance: the published values, and what a stream promises."""

import hmac
import json
import runpy
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.chance import Chance, Stream

VECTORS = Path(__file__).parents[2] / "docs/test-vectors"
LOG = json.loads((VECTORS / "log.json").read_text(encoding="utf-8"))
CHANCE = json.loads((VECTORS / "chance.json").read_text(encoding="utf-8"))
SEED = bytes(range(32))

seeds = st.binary(min_size=32, max_size=32)
labels = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=40)
decks = st.lists(st.integers(0, 9) | st.sampled_from(["medes", "persians"]), max_size=60)


def _words(stream: Stream, count: int) -> list[str]:
    return [f"{stream.word():016x}" for _ in range(count)]


def test_the_words_of_the_published_game_are_drawn_again() -> None:
    for label, words in LOG["words"].items():
        assert _words(Stream(bytes.fromhex(LOG["game_seed"]), label), len(words)) == words


@pytest.mark.parametrize("row", LOG["shuffles"], ids=lambda row: str(row["label"]))
def test_the_shuffles_of_the_published_game_are_drawn_again(row: dict[str, Any]) -> None:
    stream = Stream(bytes.fromhex(LOG["game_seed"]), row["label"])
    assert list(stream.shuffle(row["items"])) == row["result"]


def test_the_larger_set_of_words_agrees() -> None:
    for row in CHANCE["words"]:
        stream = Stream(bytes.fromhex(row["seed"]), row["label"])
        assert _words(stream, len(row["words"])) == row["words"], row["label"]


def test_the_larger_set_of_numbers_agrees() -> None:
    for row in CHANCE["below"]:
        stream = Stream(bytes.fromhex(row["seed"]), row["label"])
        assert [str(stream.below(int(row["n"]))) for _ in row["results"]] == row["results"], row["n"]


def test_the_larger_set_of_shuffles_agrees() -> None:
    for row in CHANCE["shuffles"]:
        stream = Stream(bytes.fromhex(row["seed"]), row["label"])
        assert list(stream.shuffle(row["items"])) == row["result"], row["label"]
    assert {len(row["items"]) for row in CHANCE["shuffles"]} >= set(range(61))


def test_the_larger_set_is_what_its_script_makes() -> None:
    script = runpy.run_path(str(VECTORS / "make.py"))
    made = script["document"](script["vectors"]())
    assert made == (VECTORS / "chance.json").read_text(encoding="utf-8")


@given(seeds, labels, decks, st.randoms())
def test_the_order_that_items_come_in_has_no_influence(
    seed: bytes, label: str, deck: list[Any], random: Any
) -> None:
    otherwise = random.sample(deck, len(deck))
    assert Stream(seed, label).shuffle(otherwise) == Stream(seed, label).shuffle(deck)


@given(seeds, labels, decks)
def test_a_result_is_its_own_proof(seed: bytes, label: str, deck: list[Any]) -> None:
    result = Stream(seed, label).shuffle(deck)
    assert Counter(map(repr, result)) == Counter(map(repr, deck))
    assert Stream(seed, label).shuffle(result) == result


@given(seeds, labels, st.integers(1, 2**64))
def test_a_number_lies_below_its_bound(seed: bytes, label: str, n: int) -> None:
    assert 0 <= Stream(seed, label).below(n) < n


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_there_is_no_number_below_nothing_or_beyond_a_word(n: int) -> None:
    with pytest.raises(ValueError, match="below"):
        Stream(SEED, "a").below(n)


def test_every_order_of_three_is_about_as_likely() -> None:
    seen = Counter(Stream(SEED, f"three/{number}").shuffle("abc") for number in range(6000))
    assert set(seen) == set(permutations("abc"))
    assert all(850 < count < 1150 for count in seen.values())


def test_a_word_that_would_favour_small_numbers_is_passed_over() -> None:
    words = iter([2**64 - 1, 2**63 + 1, 5])
    stream = Stream(SEED, "a")
    stream._words = words
    assert stream.below(2**63 + 1) == 5
    assert not list(words)


def test_a_shuffle_passes_over_such_a_word_too() -> None:
    stream = Stream(SEED, "a")
    stream._words = iter([2**64 - 1, 2**64 - 2, 0])
    assert stream.shuffle("abc") == ("b", "a", "c")  # 2⁶⁴ − 1 would favour 0: three goes into it evenly
    assert not list(stream._words)


@given(st.binary(max_size=200), labels)
def test_a_stream_is_the_hmac_of_its_blocks(seed: bytes, label: str) -> None:
    prefix = b"stele-rng-1" + bytes([len(label)]) + label.encode()
    blocks = [hmac.digest(seed, prefix + number.to_bytes(8, "big"), "sha256") for number in range(3)]
    assert "".join(_words(Stream(seed, label), 12)) == b"".join(blocks).hex()


def test_a_seed_and_a_label_make_a_stream_of_their_own() -> None:
    streams = [Stream(SEED, "a"), Stream(SEED, "b"), Stream(bytes(32), "a"), Stream(SEED, "a/0")]
    assert len({tuple(_words(stream, 4)) for stream in streams}) == 4


@pytest.mark.parametrize("label", ["", "x" * 256, "é" * 128])
def test_a_label_has_1_to_255_bytes(label: str) -> None:
    with pytest.raises(ValueError, match="1 to 255 bytes"):
        Stream(SEED, label)


def test_a_label_is_used_once_in_a_decision() -> None:
    chance = Chance(SEED)
    chance.shuffle("deck/0", [1, 2, 3])
    with pytest.raises(ValueError, match="deck/0"):
        chance.shuffle("deck/0", [1, 2, 3])


def test_draws_are_recorded_in_the_order_of_their_labels() -> None:
    chance = Chance(SEED)
    results = {label: chance.shuffle(label, range(5)) for label in ("tiles/0", "boards/0", "deck/0")}
    assert [(draw.label, draw.result) for draw in chance.draws] == sorted(results.items())


def test_what_bots_draw_is_not_recorded() -> None:
    chance = Chance(SEED)
    chance.stream("bot/0/1").below(6)
    assert chance.draws == ()

"""Writes chance.json beside it: `python3 make.py`.

It shares no code with the rest of the project and needs the standard library alone, so that two implementations
written apart from each other must agree on every value.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SEEDS = [bytes(range(32)), bytes(32), hashlib.sha256(b"stele").digest()]
LABELS = ["a", "nations/0", "deck/1/3", "season/4", "saison/été", "x" * 255]
BOUNDS = [1, 2, 3, 6, 7, 10, 60, 1000, 2**32, 2**53, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64]


def words(seed: bytes, label: str) -> Iterator[int]:
    """The 64-bit words of a label."""
    name = label.encode("utf-8")
    counter = 0
    while True:
        message = b"stele-rng-1" + len(name).to_bytes(1, "big") + name + counter.to_bytes(8, "big")
        block = hmac.new(seed, message, hashlib.sha256).digest()
        yield from (int.from_bytes(block[at : at + 8], "big") for at in (0, 8, 16, 24))
        counter += 1


def below(stream: Iterator[int], n: int) -> int:
    """A number from 0 to n − 1: words that would favour the small ones are passed over."""
    for word in stream:
        if word < 2**64 - 2**64 % n:
            return word % n
    raise AssertionError("a stream has no end")


def canonical(value: Any) -> str:
    """RFC 8785, for what may occur in a log."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def shuffle(seed: bytes, label: str, items: list[Any]) -> list[Any]:
    """The items in the order that the label gives them."""
    stream = words(seed, label)
    deck = sorted(items, key=lambda item: canonical(item).encode("utf-8"))
    for last in reversed(range(1, len(deck))):
        chosen = below(stream, last + 1)
        deck[chosen], deck[last] = deck[last], deck[chosen]
    return deck


def lists() -> Iterator[tuple[str, list[Any]]]:
    """What is shuffled, and under which label: every length to 60, and every kind of item."""
    for length in range(61):
        yield f"numbers/{length}", [item * 37 % 61 for item in range(length)]
    for length in (2, 5, 13, 60):
        yield f"twins/{length}", [item % 3 for item in range(length)]
        yield f"signs/{length}", [(-1) ** item * item**3 for item in range(length)]
        yield f"texts/{length}", [f"card_{item * 7 % length}" for item in range(length)]
        yield f"objects/{length}", [{"value": item % 5, "kind": f"k{item}"} for item in range(length)]
        yield f"pairs/{length}", [[item % 4, item // 4] for item in range(length)]
    yield "mixed/0", [10, 9, "10", "9", None, True, False, [], {}, [1], {"a": 1}, "", "é", "🏛", "\n", '"', -1]
    yield "unicode/0", ["￦", "🏛", "é", "e", "E", "z", "ß", "\u2028", "\x7f", "\x1f"]


def vectors() -> dict[str, Any]:
    """Everything that chance.json holds. Numbers that may exceed 2⁵³ are decimal text."""
    return {
        "words": [
            {"seed": seed.hex(), "label": label, "words": [f"{next(stream):016x}" for _ in range(10)]}
            for seed in SEEDS
            for label in LABELS
            for stream in [words(seed, label)]
        ],
        "below": [
            {
                "seed": seed.hex(),
                "label": label,
                "n": str(n),
                "results": [str(below(stream, n)) for _ in range(12)],
            }
            for seed in SEEDS
            for n in BOUNDS
            for label in [f"below/{n}"]
            for stream in [words(seed, label)]
        ],
        "shuffles": [
            {
                "seed": SEEDS[0].hex(),
                "label": label,
                "items": items,
                "result": shuffle(SEEDS[0], label, items),
            }
            for label, items in lists()
        ],
    }


def document() -> str:
    """chance.json: one vector a line."""
    sections = []
    for name, rows in vectors().items():
        lines = ",\n".join(f"  {canonical(row)}" for row in rows)
        sections.append(f' "{name}": [\n{lines}\n ]')
    return "{\n" + ",\n".join(sections) + "\n}\n"


if __name__ == "__main__":
    (Path(__file__).parent / "chance.json").write_text(document(), encoding="utf-8")

"""Writes chance.json and terms.json beside it: `python3 make.py`.

It shares no code with the rest of the project and needs the standard library alone, so that two implementations
written apart from each other must agree on every value.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
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


def document(sections: dict[str, Any]) -> str:
    """A file of vectors: one a line."""
    written = []
    for name, rows in sections.items():
        lines = ",\n".join(f"  {canonical(row)}" for row in rows)
        written.append(f' "{name}": [\n{lines}\n ]')
    return "{\n" + ",\n".join(written) + "\n}\n"


# -- terms.json: what the second terms brought ------------------------------------------------------------------------

GAME = "07-00000000000000000000000000"
BEGIN = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def time(milliseconds: int) -> str:
    """So many milliseconds after the game began, as a log writes it."""
    return (
        (BEGIN + timedelta(milliseconds=milliseconds))
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )


def callers() -> list[Any]:
    """How `req` names the caller of a seat that was left so many times."""
    rows = []
    for seat, left in ((0, 0), (0, 1), (1, 2), (3, 12)):
        caller = f"{seat}~{left}" if left else str(seat)
        rows.append({"seat": seat, "left": left, "caller": caller, "key": "k-1",
                     "key_hash": sha256(caller.encode() + b"\0" + b"k-1")})  # fmt: skip
    return rows


def seat(number: int, by: str = "itself", **brought: Any) -> dict[str, Any]:
    return {"type": "seat_taken", "seat": number, "by": by, "bot": False} | brought


def left(number: int) -> dict[str, Any]:
    return {"type": "seat_left", "seat": number}


SEATINGS: dict[str, list[dict[str, Any]]] = {
    "nobody leaves": [seat(0, entropy="fiche"), seat(1), seat(2, sealed_hex="aa" * 32)],
    "what is taken along is gone": [seat(0, entropy="fiche"), left(0), seat(0), seat(1), seat(2)],
    "what the next one brings counts": [
        seat(0, sealed_hex="bb" * 32), left(0), seat(1), left(1), seat(0, entropy="thé"), seat(1), seat(2),
    ],
    "brought by another": [seat(0, by="another", entropy="fiche"), seat(1), seat(2, by="another", sealed_hex="aa" * 32)],
    "brought by a bot": [seat(0), seat(1), seat(2, bot=True, entropy="fiche")],
}  # fmt: skip


def seated(name: str) -> dict[str, Any]:
    """What the seats brought in the end: the game's seed, what it is worth, and each seat's generation."""
    there: dict[int, dict[str, Any]] = {}
    generations = [0, 0, 0]
    for step in SEATINGS[name]:
        if step["type"] == "seat_left":
            del there[step["seat"]]
            generations[step["seat"]] += 1
        else:
            there[step["seat"]] = step
    entropy = [
        bytes.fromhex(step["sealed_hex"]) if "sealed_hex" in step else step.get("entropy", "").encode()
        for _, step in sorted(there.items())
    ]
    message = (
        b"stele-game-1\0" + GAME.encode() + b"\0" + b"".join(hashlib.sha256(e).digest() for e in entropy)
    )
    own = [step for step in there.values() if step["by"] == "itself" and not step["bot"]]
    sealed, opened = (any(kind in step for step in own) for kind in ("sealed_hex", "entropy"))
    return {
        "name": name,
        "server_seed": SEEDS[0].hex(),
        "game": GAME,
        "steps": SEATINGS[name],
        "game_seed": hmac.new(SEEDS[0], message, hashlib.sha256).hexdigest(),
        "fairness": "sealed" if sealed else "open" if opened else "server_only",
        "generations": generations,
    }


def step(after: int, kind: str, actor: int | None, to_act: list[int], turn: int = 1) -> dict[str, Any]:
    """An entry: so many milliseconds after the start, by a seat or by nobody, who is to act then, in which turn."""
    return {"at": time(after), "type": kind, "actor": actor, "to_act": to_act, "turn": turn}


COURSE = [
    step(0, "game_started", None, [0]),
    step(20_000, "action_taken", 0, [0]),
    step(25_000, "action_taken", 0, [0], turn=2),
    step(31_500, "seat_token_renewed", None, [0], turn=2),
    step(40_000, "action_taken", 0, [1, 2], turn=2),
    step(52_001, "action_taken", 1, [2, 1], turn=2),
    step(60_000, "action_taken", 2, [1], turn=2),
    step(60_000, "action_taken", 1, [1, 2], turn=3),
    step(131_000, "seat_withdrawn", 2, [1, 2], turn=3),
    step(131_002, "action_taken", 1, [0, 2], turn=4),
]
"""Three people; the JSON of the state has `turn`, which restarts a turn clock, and neither `phase` nor `round`."""


def clocked(clock: dict[str, int]) -> dict[str, Any]:
    """The course of a game on a clock: what everyone has left, and when their time runs out, after each entry."""
    remaining = {seat: clock.get("total_seconds", 0) * 1000 for seat in range(3)}
    people, asked_at, judged = {0, 1, 2}, {}, []
    before = None
    for entry in COURSE:
        at = datetime.fromisoformat(entry["at"])
        anew = before is None or before["turn"] != entry["turn"]
        if before is not None:
            passed = round((at - datetime.fromisoformat(before["at"])).total_seconds() * 1000)
            for seat in people & set(before["to_act"]):
                remaining[seat] -= passed
                own = entry["type"] == "action_taken" and entry["actor"] == seat
                if own and (anew or seat not in entry["to_act"]):
                    remaining[seat] += clock.get("increment_seconds", 0) * 1000
        if entry["type"] == "seat_withdrawn":
            people = people - {entry["actor"]}
        asked_at = {seat: at if anew or seat not in asked_at else asked_at[seat] for seat in entry["to_act"]}
        due = {
            seat: asked_at[seat] + timedelta(seconds=clock["turn_seconds"])
            if "turn_seconds" in clock
            else at + timedelta(milliseconds=remaining[seat])
            for seat in entry["to_act"]
            if seat in people
        }
        ends = {
            str(seat): time(round((moment - BEGIN).total_seconds() * 1000)) for seat, moment in due.items()
        }
        left = {str(seat): remaining[seat] for seat in sorted(people)} if "total_seconds" in clock else {}
        judged.append(entry | {"left": left, "deadlines": ends})
        before = entry
    return {"clock": clock, "entries": judged}


def created() -> dict[str, Any]:
    """The first entry of a game of the second terms."""
    data = {
        "ruleset": "babel",
        "ruleset_version": 1,
        "component_set": {"name": "2013", "sha256": "0" * 64},
        "options": {"edition": "2013"},
        "seats": 2,
        "seed_commitment": sha256(SEEDS[0]),
        "private": False,
        "clock": {"total_seconds": 600, "increment_seconds": 0},
        "host": "club",
        "origin": {"kind": "fresh"},
        "tags": ["spring-2026", "final"],
        "terms": 2,
    }
    entry = {"actor": {"host": "club"}, "at": time(0), "data": data, "game": GAME, "prev": "0" * 64, "req": None,
             "salt": "00112233445566778899aabbccddeeff", "seq": 1, "state": None, "type": "game_created", "v": 1}  # fmt: skip
    return {"entry": entry, "canonical": canonical(entry), "hash": sha256(canonical(entry).encode())}


def terms() -> dict[str, Any]:
    """Everything that terms.json holds."""
    clocks = [{"turn_seconds": 90}, {"total_seconds": 120, "increment_seconds": 0}]
    clocks.append({"total_seconds": 90, "increment_seconds": 7})
    return {
        "created": [created()],
        "callers": callers(),
        "seatings": [seated(name) for name in SEATINGS],
        "clocks": [clocked(clock) for clock in clocks],
    }


if __name__ == "__main__":
    here = Path(__file__).parent
    (here / "chance.json").write_text(document(vectors()), encoding="utf-8")
    (here / "terms.json").write_text(document(terms()), encoding="utf-8")

"""What the generic suite needs to know of Sa-Ré."""

from dataclasses import replace

from games.sa_re import SA_RE, SA_RE_1
from tests.rulesets.kit import Kit, Perft, Setting

GREAT_CITY = {
    "0": ["warehouse", "master_builder"],
    "1": ["temple"],
    "2": ["gardens"],
    "4": ["barracks"],
    "5": ["carpenter"],
    "6": [{"building": "pyramid", "built": False}],
    "8": ["palace"],
    "9": ["market"],
    "10": ["library"],
}
"""All six powers, and a pyramid to build."""

GREAT_CITIES = Setting(
    seats=3,
    options={"mode": "pharaoh", "max_rounds": 4},
    position={
        "phase": "season",
        "round": 3,
        "players": [
            {"spaces": GREAT_CITY, "caravans": 2, "cards": ["wood_wood", "stone_1"], "revolt": 1},
            {"spaces": GREAT_CITY, "caravans": 1, "cards": [{"id": "gold_1", "kept": True}]},
            {"spaces": GREAT_CITY, "cards": ["gold_gold", "stone_2"], "revolt": 2},
        ],
    },
)

A_PAIR_FROM_HORUS = Setting(
    seats=3,
    options={},
    position={
        "phase": "season",
        "active_seat": 1,
        "players": [
            {"revolt": 5},
            {"spaces": GREAT_CITY, "cards": ["wood_1"], "revolt": 3},
            {"cards": ["gold_1"]},
        ],
        "sequence": {"drawn": 4, "troubles": 1, "pending": ["double_trouble_1", "gold_wood"]},
    },
)

A_TROUBLE_TOO_MANY = Setting(
    seats=2,
    options={"max_rounds": 1},
    position={
        "phase": "season",
        "sequence": {"drawn": 4, "troubles": 1, "passed_to": [1], "pending": ["trouble_2", "wood_4"]},
    },
)
"""Nobody is left to pass it to: it must be thrown away."""

A_TEMPLE_TO_PAY = Setting(
    seats=2,
    options={},
    position={
        "phase": "construction",
        "players": [
            {
                "spaces": {
                    "0": ["warehouse", "master_builder"],
                    "3": ["port"],
                    "6": ["carpenter"],
                    "7": [{"building": "temple", "built": False}],
                },
                "caravans": 1,
                "cards": ["gold_wood", "stone_stone", "wood_1", {"id": "trouble_1", "joker": True}],
            },
            {"cards": ["stone_1"]},
        ],
    },
)

FIRST_SITES = Setting(seats=2, options={"divinity": True, "max_rounds": 3})


KIT = Kit(
    ruleset=SA_RE,
    settings=(
        Setting(seats=2, options={"mode": "scribe", "max_rounds": 6}),
        Setting(seats=3, options={"mode": "architect", "divinity": True, "max_rounds": 3}),
        Setting(seats=4, options={"mode": "priest", "quick_start": True, "max_rounds": 3, "begins": "drawn"}),
        Setting(seats=2, options={"mode": "pharaoh", "divinity": True, "quick_start": True, "max_rounds": 4}),
        GREAT_CITIES,
        A_TROUBLE_TOO_MANY,
    ),
    hidden=frozenset({"deck", "set_aside", "top_card", "sequence/temple/id"}),
    reveals=frozenset(
        {
            ("card_drawn", "card"),
            ("top_revealed", "card"),
            ("hoshekh_appeared", "type"),
        }
    ),
    perft=(
        Perft("the first sites under Divinity", FIRST_SITES, (26, 387)),
        Perft("a Horus pair with every power at hand", A_PAIR_FROM_HORUS, (9, 43, 168)),
        Perft("a Temple to pay for", A_TEMPLE_TO_PAY, (9, 42, 2146)),
    ),
)

KIT_1 = replace(
    KIT,
    ruleset=SA_RE_1,
    settings=(
        Setting(seats=2, options={"mode": "scribe", "max_rounds": 6}),
        Setting(seats=3, options={"mode": "architect", "divinity": True, "max_rounds": 3}),
        Setting(seats=4, options={"mode": "priest", "quick_start": True, "max_rounds": 3}),
        Setting(
            seats=3,
            options={"mode": "pharaoh", "max_rounds": 4},
            position={"phase": "season", "round": 3, "players": [{"spaces": GREAT_CITY}] * 3},
        ),
        A_TROUBLE_TOO_MANY,
    ),
    perft=KIT.perft[:1],
)
"""Version 1, whose rulings on revolts and growth are others."""

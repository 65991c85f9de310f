"""Games of the second versions of Babel, Temple of Five and Sa-Ré: who begins, revolts and growth."""

from tests.games.sa_re.table import city, site
from tests.golden.stories import Golden, at_random, does, in_order, positioned, to_the_end

AFTER_A_REVOLT = {
    "phase": "construction",
    "round": 2,
    "players": [
        {
            "obelisk": "revolt",
            "revolt": 7,
            "cards": [
                {"id": "wood_1", "kept": True},
                {"id": "gold_gold", "kept": True},
                "stone_1",
                "stone_2",
            ],
        },
        {
            "spaces": city({"6": site("barracks")}),
            "ever_built": ["temple"],
            "cards": ["gold_1", "gold_2", "stone_stone", "stone_wood"],
        },
    ],
}

GOLDEN = (
    Golden("babel", "second_version_seat_1_begins", to_the_end(), options={"begins": 1}),
    Golden(
        "babel",
        "second_version_drawn",
        to_the_end(),
        options={"edition": "2000", "begins": "drawn"},
        number=1,
    ),
    Golden("temple_of_five", "second_version_drawn", to_the_end(), 3, options={"begins": "drawn"}, number=1),
    Golden("sa_re", "second_version_drawn", to_the_end(), 3, options={"begins": "drawn"}, number=1),
    Golden(
        "sa_re",
        "second_version_founded_by_lot",
        to_the_end(at_random),
        4,
        options={"begins": "drawn", "quick_start": True, "max_rounds": 2},
        number=1,
    ),
    Golden(
        "sa_re",
        "second_version_revolt_and_growth",
        in_order(does(0, type="end_construction", keep=["stone_2"]), to_the_end()),
        origin=positioned(AFTER_A_REVOLT),
        options={"begins": "drawn"},
    ),
)

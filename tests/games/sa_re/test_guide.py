"""The player's guide of Sa-Ré: what buildings cost is what the box says."""

import re
from collections.abc import Mapping

import pytest

from games import RULESETS

NAMES = {
    "en": {"wood": "wood", "gold": "gold", "stone": "stone"},
    "fr": {"wood": "bois", "gold": "or", "stone": "pierre"},
}
SA_RE = RULESETS.latest("sa_re")
(BOX,) = (component_set.data for component_set in SA_RE.component_sets.values())


def told(price: Mapping[str, int], language: str) -> str:
    """A price as the guide tells it, without the resources it does not ask for."""
    parts = (f"{number} {NAMES[language][resource]}" for resource, number in price.items() if number)
    return ", ".join(parts)


@pytest.mark.parametrize("language", NAMES)
def test_every_building_costs_what_the_guide_says(language: str) -> None:
    guide = SA_RE.guide(language)
    assert guide
    for name, building in BOX["buildings"].items():
        if price := building.get("cost"):
            assert guide.things[name].cost == told(price, language)


@pytest.mark.parametrize("language", NAMES)
def test_every_step_of_a_pyramid_costs_what_the_guide_says(language: str) -> None:
    guide = SA_RE.guide(language)
    assert guide
    for pyramid in BOX["pyramids"]:
        cost = guide.things[f"pyramid_{pyramid['number']}"].cost or ""
        steps = [step.partition(":")[2].strip() for step in re.split(r"\s?;\s", cost)]
        assert steps == [told(step, language) for step in pyramid["steps"]]

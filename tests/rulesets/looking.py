"""Looking at the picture of a story's latest moment."""

from xml.etree.ElementTree import Element, fromstring

from games.gallery import board_of
from games.kernel import Viewer
from games.pictures import Scene
from tests.rulesets.story import Story, builtins

PLAYERS = ("Ana", "Bruno", "Chloé", "Dmitri")


class Picture:
    """The board as a viewer sees it, part by part."""

    def __init__(self, story: Story, viewer: Viewer) -> None:
        ruleset = story.ruleset
        latest = [builtins(ruleset.redact(fact, viewer)) for fact in story.facts]
        scene = Scene(viewer, PLAYERS, latest, ruleset.names["en"])
        self.root = fromstring(board_of(ruleset.name).draw(ruleset.view(story.state, viewer), scene))
        self.parts = {part.attrib["id"]: part for part in self.root.iter() if "id" in part.attrib}

    def uses(self, name: str) -> list[Element]:
        """Everything that a part is drawn with, stamps and their stamps included."""
        parts: list[Element] = []
        waiting = list(self.parts[name].iter())
        while waiting:
            element = waiting.pop(0)
            parts.append(element)
            if "href" in element.attrib:
                waiting += self.parts[element.attrib["href"].removeprefix("#")].iter()
        return parts

    def written(self, name: str) -> list[str]:
        """What is written on a part, from one text to the next."""
        return [each.text or "" for each in self.uses(name) if each.tag.endswith("}text")]

    def outlines(self, name: str) -> list[str]:
        """The path data that a part is drawn with."""
        return [each.attrib["d"] for each in self.uses(name) if "d" in each.attrib]

    def named(self, parameter: str) -> set[str]:
        """The values that parts of the board stand for."""
        key = f"data-{parameter}"
        return {part.attrib[key] for part in self.root.iter() if key in part.attrib}

    def latest(self) -> set[str]:
        """The ids of the parts that wear gold."""
        return {name for name, part in self.parts.items() if "data-latest" in part.attrib}

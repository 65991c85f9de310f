"""Whole games told in both languages, one of each ruleset, checked in as text for people to read.

`python -m tests.golden.told` writes them anew, after a sentence was mended.
"""

from pathlib import Path

from games import RULESETS
from replays.frames import Perspective
from replays.narration import LANGUAGES
from replays.record import Record
from services.cli.film import Film
from tests.golden.records import HERE as GOLDEN
from tests.golden.records import golden

HERE = Path(__file__).parent
EVERYTHING = Perspective(None, everything=True)
STORIES = {
    "aton": "points_at_scoring",
    "babel": "below_ten_2000",
    "sa_re": "scribe",
    "temple_of_five": "three_effect_and_goals",
}
"""The golden record of each ruleset that is told."""
PEOPLE = ("Ana", "Omar", "Béa")
"""Names that a language treats differently: of Omar, of Béa; d'Omar, de Béa."""


def story_record(ruleset: str) -> Record:
    """The record of a story, with the names that it is told with."""
    record = golden(GOLDEN / ruleset / f"{STORIES[ruleset]}.json")
    seats = record["entries"][0]["data"]["seats"]
    people = [{"seat": seat, "name": name, "nonce": ""} for seat, name in enumerate(PEOPLE[:seats])]
    return {**record, "people": people}


def story(ruleset: str, language: str) -> str:
    """A whole game in sentences, an entry a paragraph."""
    film = Film(story_record(ruleset), RULESETS, EVERYTHING, language)
    paragraphs = [
        f"{scene.version} · {scene.headline}\n" + "".join(f"  {each}\n" for each in scene.sentences)
        for scene in film
    ]
    return f"{film.title}\n\n" + "\n".join(paragraphs)


def path_of(ruleset: str, language: str) -> Path:
    return HERE / f"{ruleset}.{language}.txt"


def write_all() -> None:
    """Every story as it is told now."""
    for ruleset in STORIES:
        for language in LANGUAGES:
            path_of(ruleset, language).write_text(story(ruleset, language), encoding="utf-8")

"""Frames of golden records: everyone sees in a replay what the rules show them, and in the end everything."""

from pathlib import Path

import pytest

from events.game import ruleset_of, unfold
from games import RULESETS
from games.canonical import canonical, digest
from games.kernel import Viewer
from replays.frames import Perspective, frame
from replays.record import entries_of
from tests.golden.records import HERE, RECORDS, golden
from tests.rulesets.story import builtins

SOME = [path for path in RECORDS if path.stem in ("resigned", "fork", "last_player", "sealed_entropy")]
HIDDEN = {"salt", "state", "req"}

each_game = pytest.mark.parametrize("path", SOME, ids=lambda path: f"{path.parent.name}/{path.stem}")


@each_game
def test_open_frames_are_the_record_itself(path: Path) -> None:
    record = golden(path)
    for (carved, game), entry in zip(unfold(entries_of(record), RULESETS), record["entries"], strict=True):
        shown = frame(carved, game, Perspective(None, everything=True), RULESETS)
        assert shown.event == entry
        assert (None if shown.view is None else digest(shown.view)) == entry["state"]


@each_game
def test_folding_the_facts_a_viewer_was_shown_gives_the_views_it_was_shown(path: Path) -> None:
    entries = entries_of(golden(path))
    seats = entries[0].data.seats
    viewers: list[Viewer] = [None, *range(seats)]
    for viewer in viewers:
        view = None
        for carved, game in unfold(entries, RULESETS):
            ruleset = ruleset_of(game, RULESETS)
            shown = frame(carved, game, Perspective(viewer), RULESETS)
            facts = builtins(shown.event["data"]).get("facts", [])
            if facts:
                view = ruleset.fold(view, ruleset.read_facts(facts))
            assert canonical(shown.view) == canonical(view)


@each_game
def test_until_the_settlement_salts_states_and_chances_were_hidden(path: Path) -> None:
    *played, settlement = unfold(entries_of(golden(path)), RULESETS)
    for carved, game in played:
        event = frame(carved, game, Perspective(0), RULESETS).event
        assert not HIDDEN & event.keys()
        assert "random" not in builtins(event["data"])
    assert frame(*settlement, Perspective(0), RULESETS).event == golden(path)["entries"][-1]


def test_a_fork_hides_its_position_from_those_who_looked_then() -> None:
    created, game = next(unfold(entries_of(golden(HERE / "aton" / "fork.json")), RULESETS))
    then = frame(created, game, Perspective(1), RULESETS).event["data"]["origin"]
    now = frame(created, game, Perspective(1, everything=True), RULESETS).event["data"]["origin"]
    assert ("position" in then, "position" in now) == (False, True)

"""Runs the vectors of a game's specification: scenarios in JSON, kept beside the game's own tests."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.kernel import Ruleset, Viewer
from tests.rulesets.story import Story, refuses_to_begin


def load_scenarios(path: Path) -> list[Any]:
    """The scenarios of a file: a JSON list."""
    scenarios = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(scenarios, list)
    return scenarios


def run_scenario(ruleset: Ruleset[Any, Any], scenario: Mapping[str, Any]) -> Story | None:
    """Play a scenario through and hold every expectation against it."""
    setting = {"seats": scenario["seats"], "options": scenario.get("options")}
    expect = scenario.get("expect", {})
    if "error" in expect:
        refuses_to_begin(ruleset, expect["error"], scenario.get("position"), **setting)
        return None
    story = Story(ruleset).given(scenario.get("position"), **setting)
    hold(story, expect)
    for step in scenario["steps"]:
        expect = step.get("expect", {"ok": True})
        if "error" in expect:
            story.refuses(step["seat"], step["action"], expect["error"])
        else:
            story.when(step["seat"], step["action"])
            hold(story, expect)
    return story


def hold(story: Story, expect: Mapping[str, Any]) -> None:
    """Hold one `expect` against the story as it stands."""
    unknown = set(expect) - {"ok", "state", "views", "facts", "facts_for"}
    assert not unknown, f"a scenario expects something unknown: {unknown}"
    story.stands(expect.get("state", {}))
    for viewer, pointers in expect.get("views", {}).items():
        story.shows(_viewer(viewer), pointers)
    if "facts" in expect:
        story.happened(*expect["facts"])
    for viewer, facts in expect.get("facts_for", {}).items():
        story.seen(_viewer(viewer), *facts)


def _viewer(name: str) -> Viewer:
    return None if name == "spectator" else int(name)

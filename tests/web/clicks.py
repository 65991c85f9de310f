"""Plays an action as a person does, on the page or in `<stele-board>`: by clicks on what is lit on the board, and on
buttons beside it; or by the keyboard alone.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from playwright.sync_api import Locator, Page

MOST_TABS = 150

POINT = """([name, text, kind]) => {
  const root = document.querySelector("stele-board")?.shadowRoot ?? document;
  const fits = (part) => part.getAttribute(`data-${name}`) === text
    && (part.getAttribute("data-actions") ?? kind).split(" ").includes(kind);
  for (const part of [...root.querySelectorAll("[data-page-lit]")].filter(fits)) {
    part.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    const {left, top, width, height} = part.getBoundingClientRect();
    for (let row = 1; row < 8; row++) for (let column = 1; column < 8; column++) {
      const [x, y] = [left + width * column / 8, top + height * row / 8];
      const lit = root.elementsFromPoint(x, y).map((each) => each.closest("[data-page-lit]")).find(Boolean);
      if (lit === part) return {x, y};
    }
  }
  return null;
}"""
"""Where a part of the board can be hit that is lit and names this value."""
OFFERED = """() => [...(document.querySelector("stele-board")?.shadowRoot ?? document).querySelectorAll(".options button")]
  .map((button) => [button.dataset.param, button.dataset.value])"""
TRIES = 4
"""Clicks on one part before it counts as dead."""


class Kind(NamedTuple):
    """A kind of action: its parameters in the order in which they are asked for, and which are lists."""

    names: Sequence[str]
    lists: frozenset[str]


def kinds_of(ruleset: Any) -> dict[str, Kind]:
    """The kinds of actions of a game, as the API describes it."""
    kinds = {}
    for schema in ruleset["actions"]["anyOf"]:
        members = schema["properties"]
        names = [name for name in dict.fromkeys((*schema["required"], *sorted(members))) if name != "type"]
        pairs = {
            name for name in names if members[name].get("minItems") == members[name].get("maxItems") == 2
        }
        lists = frozenset(name for name in names if members[name].get("type") == "array") - pairs
        kinds[members["type"]["const"]] = Kind(names, lists)
    return kinds


def written(value: Any) -> str:
    """A value as boards and buttons name it."""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), sort_keys=True)


class Clicks:
    """The clicks that make up one action."""

    def __init__(
        self,
        page: Page,
        action: Mapping[str, Any],
        kind: Kind,
        table: Literal[".table", ".stele-frame"] = ".table",
    ) -> None:
        self.page = page
        self.table = table
        self.action = action
        self.type: str = action["type"]
        self.kind = kind
        self.left = {
            name: [written(item) for item in (action[name] if name in kind.lists else [action[name]])]
            for name in kind.names
            if name in action
        }
        self.on_board = 0
        self.touches = bool(self.page.evaluate("navigator.maxTouchPoints"))

    def play(self) -> int:
        """Choose the action step by step, and confirm it; how many of the clicks were on the board."""
        self.page.locator(".my-turn .chooser .prompt").wait_for()
        version = self.page.locator(self.table).get_attribute("data-version")
        self._begin_on_board()
        while offered := self.page.evaluate(OFFERED):
            if not self._step(offered):
                break  # a list that could be longer
        self._turn()
        confirm = self.page.locator("#confirm")
        assert confirm.count(), (
            f"{self.action} could not be chosen: {self.page.locator('.chooser').inner_text()}"
        )
        self._press(confirm)
        self.page.locator(f"{self.table}:not([data-version='{version}'])").wait_for(state="attached")
        return self.on_board

    def _begin_on_board(self) -> None:
        """Click what the first parameter names before saying what is meant, if it is lit."""
        name = next((name for name in self.kind.names if self.left.get(name)), None)
        if name is not None and self._on_board(name, self.left[name][0]):
            self.left[name].pop(0)

    def _step(self, offered: Sequence[Sequence[str]]) -> bool:
        """Choose the next thing that the action wants among those that are offered."""
        if offered[0][0] == "type":
            self._in_list("type", self.type)
            return True
        for name in self.kind.names:
            values = [value for param, value in offered if param == name]
            wanted = next((value for value in self.left.get(name, ()) if value in values), None)
            if wanted is not None:
                self.left[name].remove(wanted)
                if not self._on_board(name, wanted):
                    self._in_list(name, wanted)
                return True
        return False

    def _on_board(self, name: str, value: str) -> bool:
        """Click a part that stands for this value, if there is one; once more if others' moves redrew the board meanwhile."""
        for _ in range(TRIES):
            point = self.page.evaluate(POINT, [name, value, self.type])
            if not point:
                return False
            before = self.page.locator(".chooser").inner_html()
            (self.page.touchscreen.tap if self.touches else self.page.mouse.click)(point["x"], point["y"])
            if self._changes(before):
                self.on_board += 1
                return True
        raise AssertionError(f"a click on {name} {value} has no effect")

    def _changes(self, before: str) -> bool:
        """Does the choice change soon? A tap becomes a click a little later."""
        for _ in range(250):
            if self.page.locator(".chooser").inner_html() != before:
                return True
            self.page.wait_for_timeout(20)
        return False

    def _in_list(self, name: str, value: str) -> None:
        text = json.dumps(value, ensure_ascii=False)  # as CSS writes a text, too
        listed = self.page.locator(f".options button[data-param='{name}'][data-value={text}]")
        if not listed.is_visible():
            self._press(self.page.locator("#grip"))  # on a phone the list is drawn up
        self._press(listed)

    def _turn(self) -> None:
        """Turn a tile that lies ready until it lies as the action has it."""
        output = self.page.locator(".turner output")
        while output.count() and output.inner_text() != f"{self.action['rotation']}°":
            self._press(self.page.locator("#turn-right"))

    def _press(self, button: Locator) -> None:
        (button.tap if self.touches else button.click)()


class Keys(Clicks):
    """The same without a pointer: buttons are reached by Tab and pressed by Enter."""

    def _on_board(self, name: str, value: str) -> bool:
        return False

    def _press(self, button: Locator) -> None:
        for key in ("Tab", "Shift+Tab"):
            for _ in range(MOST_TABS):
                if button.evaluate("(button) => button.getRootNode().activeElement === button"):
                    return self.page.keyboard.press("Enter")
                self.page.keyboard.press(key)
        raise AssertionError(f"{button} cannot be reached by the keyboard")

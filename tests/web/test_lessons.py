"""Lessons in the page, played to their ends by clicks; and the rules, which every view of a game leads to."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from games import RULESETS
from tests.seeding import SEED
from tests.system.stele import Stele
from tests.web.clicks import Clicks, kinds_of
from tests.web.tables import call
from tests.web.windows import OpenWindow, Window

NAMES = sorted({ruleset.name for ruleset in RULESETS})
SIZES = {"wide": (1400, 900), "phone": (390, 844)}


def every_lesson() -> Iterator[Any]:
    """Each lesson in each language and size; every run plays the first one of every other game, in one look each."""
    looks = [("wide", "en"), ("phone", "fr"), ("wide", "fr"), ("phone", "en")]
    for turn, name in enumerate(NAMES):
        for place, lesson in enumerate(RULESETS.latest(name).lessons("en")):
            for at, (size, lang) in enumerate(looks):
                chosen = place == 0 and (turn + SEED) % 2 == 0 and at == (turn + SEED // 2) % len(looks)
                marks = () if chosen else (pytest.mark.long,)
                yield pytest.param(
                    name, lesson.id, size, lang, marks=marks, id=f"{lesson.id}-{name}-{size}-{lang}"
                )


def play_lesson(window: Window, stele: Stele, ruleset: str, lesson: Any) -> None:
    """Read and play every step, as the lesson asks."""
    page, kinds = window.page, kinds_of(call(stele, "GET", f"/v1/rulesets/{ruleset}"))
    for step in lesson["steps"]:
        expect(page.locator("#lesson-text")).to_have_text(step["text"])
        if not step.get("do"):
            page.locator("#lesson-next").click()
            continue
        page.locator(".my-turn .chooser .prompt").wait_for()
        game = window.place.removeprefix("#/games/")
        token = page.evaluate(
            "(id) => JSON.parse(localStorage.getItem('stele.games'))[id].seats[0].token", game
        )
        legal = call(stele, "GET", f"/v1/games/{game}/actions", token)["actions"]
        action = next(each for each in legal if step["do"][0].items() <= each.items())
        Clicks(window.page, action, kinds[action["type"]]).play()


@pytest.mark.parametrize(("ruleset", "lesson_id", "size", "lang"), list(every_lesson()))
def test_a_lesson_is_played_to_its_end_by_clicks(
    windows: OpenWindow, stele: Stele, ruleset: str, lesson_id: str, size: str, lang: str
) -> None:
    lessons = call(stele, "GET", f"/v1/rulesets/{ruleset}/lessons?lang={lang}")["items"]
    (lesson,) = (each for each in lessons if each["id"] == lesson_id)
    width, height = SIZES[size]
    window = windows(width=width, height=height, lang=lang)
    page = window.page
    window.go(f"#/learn/{ruleset}")
    page.locator(f"[data-lesson='{lesson_id}'] button").click()
    play_lesson(window, stele, ruleset, lesson)
    expect(page.locator("#lesson-text")).to_have_text(lesson["end"]["text"])
    page.locator("#lesson-play").click()
    page.locator(".table:not(:has(.lesson:not([hidden]))) .pane svg").wait_for()
    game = call(stele, "GET", f"/v1/games/{window.place.removeprefix('#/games/')}")
    assert [seat["bot"] for seat in game["seats"]] == [None] + ["greedy"] * (len(game["seats"]) - 1)
    window.go(f"#/learn/{ruleset}")
    expect(page.locator(f"[data-lesson='{lesson_id}']")).to_contain_text(
        "done" if lang == "en" else "terminée"
    )


def test_a_lesson_is_resumed_where_it_was_left(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    (lesson, *_) = call(stele, "GET", "/v1/rulesets/babel/lessons")["items"]
    window.go("#/learn/babel")
    page.get_by_role("button", name="Start: Your first temples").click()
    page.locator("#lesson-next").click()
    expect(page.locator("#lesson-text")).to_have_text(lesson["steps"][1]["text"])
    window.go("#/learn/babel")
    page.get_by_role("button", name="Go on: Your first temples").click()
    expect(page.locator("#lesson-text")).to_have_text(lesson["steps"][1]["text"])


def test_the_rules_are_found_by_their_words_and_closed_by_escape(windows: OpenWindow) -> None:
    window = windows()
    page = window.page
    window.go()
    page.locator("[data-ruleset=sa_re] button.help").click()
    rules = page.get_by_role("dialog")
    expect(rules.get_by_role("heading", name="How to play Sa-Ré")).to_be_focused()
    window.check_accessible()
    rules.get_by_role("searchbox").fill("WAREHOUSE")
    expect(rules.locator("[data-ref='things.warehouse']")).to_be_visible()
    expect(rules.locator("[data-ref='goal']")).to_be_hidden()
    rules.get_by_role("searchbox").fill("zzz")
    expect(rules).to_contain_text("Nothing found")
    rules.get_by_role("searchbox").fill("")
    page.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    expect(page.locator("[data-ruleset=sa_re] button.help")).to_be_focused()


def test_every_option_of_a_new_game_is_explained(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    guide = call(stele, "GET", "/v1/rulesets/sa_re/guide")
    window.go("#/create?ruleset=sa_re")
    mode = window.page.locator("#option-mode")
    mode.select_option("priest")
    expect(window.page.locator("#about-mode")).to_contain_text(guide["options"]["mode"]["values"]["priest"])
    for option, about in guide["options"].items():
        if option != "component_set":
            expect(window.page.locator(f"#about-{option}")).to_contain_text(about["text"])
    window.page.locator("#rules").click()
    expect(window.page.get_by_role("dialog")).to_contain_text(guide["goal"])


def test_parts_of_the_board_and_moves_explain_themselves(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    guide = call(stele, "GET", "/v1/rulesets/babel/guide")
    window.go("#/learn/babel")
    page.locator(".lessons button").first.click()
    page.locator("#lesson-next").click()
    page.locator("#confirm").wait_for()
    expect(page.locator("#will")).to_have_text("Discard a Mede and move your pawn to the Medes' site.")
    page.locator(".pane svg [data-nation=hittites], .pane svg [data-nations=hittites]").last.hover()
    tooltip = page.get_by_role("tooltip")
    expect(tooltip).to_contain_text(guide["things"]["hittites"]["effect"])
    page.keyboard.press("Escape")
    expect(tooltip).to_be_hidden()
    page.locator(".pane").focus()
    page.keyboard.press("ArrowRight")
    expect(tooltip).to_be_visible()

"""A review in the replay: asked for, waited for, called off; its curve, its turning points, and its words."""

import re
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from games import RULESETS
from replays.narration import teller_of
from replays.record import entries_of
from replays.review.report import review
from replays.review.steps import steps
from tests.golden.records import golden
from tests.seeding import rotated
from tests.servers import wait_until
from tests.system.stele import Player, Stele, sit_down
from tests.web.games import bring_in, golden_file
from tests.web.windows import OpenWindow, Theme, Window

TWO, THREE = "aton/temple_filled", "temple_of_five/shared"
MADE = 300_000
"""Milliseconds within which the workers make a short review, on a machine that has much else to do."""
LITTLE = 6
"""Playouts for each decision: enough for something to look at."""


@cache
def review_of(name: str) -> Any:
    """A review of a golden game, as the server would tell it."""
    entries = list(entries_of(golden(golden_file(name))))
    made = review(entries, list(steps(entries, RULESETS, {}, LITTLE)))
    return {"status": "done", "progress": 100, **made}


def answer(window: Window, *answers: tuple[int, Any]) -> list[Route]:
    """Let the server answer so to all that is asked of reviews, the last one ever after; what was asked.

    Whoever calls one off has done so.
    """
    asked: list[Route] = []

    def tell(route: Route) -> None:
        status, body = answers[min(len(asked), len(answers) - 1)]
        asked.append(route)
        if route.request.method == "DELETE":
            route.fulfill(status=204)
        else:
            route.fulfill(status=status, json=body)

    window.page.route("**/review", tell)
    return asked


def opened(window: Window, game: Any, more: str = "") -> None:
    window.go(f"#/games/{game['id']}/replay{more}")
    window.page.locator(".pane svg").wait_for()
    last = window.page.locator(f'.log [data-version="{game["version"]}"]')
    last.wait_for(state="attached")


def reviewed(window: Window, stele: Stele, name: str, at: int | None = None) -> Any:
    """The replay of a golden game with its review; what the review says."""
    made = review_of(name)
    answer(window, (200, made))
    opened(window, bring_in(stele, name), f"?review=1{'' if at is None else f'&at={at}'}")
    window.page.locator(".curve").wait_for()
    return made


def entry(window: Window) -> int:
    return int(window.page.locator("#scrubber").input_value())


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture(scope="module")
def players(stele: Stele) -> list[Player]:
    """Who played a game of one move, which is settled: its review is made in seconds."""
    players = sit_down(stele, "babel")
    seat = players[0].look()["to_act"][0]
    assert players[seat].act(players[seat].legal()[0]).status_code == 201
    assert players[1].post("/resignation").status_code == 201
    wait_until(lambda: players[0].look()["settled"], "the game is settled", 60)
    return players


def seated(window: Window, player: Player) -> str:
    """The replay of a game in the window of who played it; the token that it holds."""
    game, token = player.look(), player.headers["Authorization"].removeprefix("Bearer ")
    window.hold({game["id"]: {"seats": {"0": {"token": token}}, "since": "2026-01-01"}})
    opened(window, game)
    return token


# -- asking ---------------------------------------------------------------------------------------------------------------


def test_a_seat_has_its_game_reviewed_and_anybody_reads_it(
    windows: OpenWindow, players: list[Player]
) -> None:
    stranger, window = windows(), windows()
    stranger.forgive("404")
    opened(stranger, players[0].look())
    expect(stranger.page.locator("#review")).to_have_text("Show the review")
    stranger.page.locator("#review").click()
    expect(stranger.page.locator(".asking [role=alert]")).to_contain_text("Whoever sat at this table")

    token = seated(window, players[0])
    window.page.get_by_role("button", name="Review this game").click()
    window.page.locator(".curve").wait_for(timeout=MADE)
    assert "review=1" in window.place
    expect(window.page.locator(".findings tbody tr").first).to_contain_text("Player 0")

    stranger.page.locator("#review").click()
    stranger.page.locator(".curve").wait_for()
    stranger.page.reload()
    stranger.page.locator(".curve").wait_for()
    assert not any(method in ("POST", "DELETE") for method, _ in stranger.requests)
    assert not any(token in address for _, address in window.requests)


def test_nothing_is_asked_of_reviews_before_the_reader_asks(stele: Stele, windows: OpenWindow) -> None:
    window = windows(service_workers="block")
    opened(window, bring_in(stele, TWO))
    assert not any("review" in address.partition("/v1/")[2] for _, address in window.requests)
    assert not any("curve.js" in address for _, address in window.requests)


def test_a_game_that_goes_on_has_no_review(stele: Stele, windows: OpenWindow) -> None:
    (player, _), window = sit_down(stele, "babel"), windows()
    opened(window, player.look())
    assert window.page.locator("#review").count() == 0


def test_one_sees_how_far_it_is_and_calls_it_off(windows: OpenWindow, players: list[Player]) -> None:
    window = windows()
    token = seated(window, players[0])
    going = (202, {"status": "running", "progress": 37})
    asked = answer(window, (202, {"status": "waiting", "progress": 0}), going)
    window.page.locator("#review").click()
    expect(window.page.locator(".asking")).to_contain_text("37%")
    assert window.page.evaluate("document.querySelector('.asking progress').value") == 37
    window.check_accessible()
    window.page.locator("#review-cancel").click()
    expect(window.page.locator(".asking")).to_contain_text("called off")
    expect(window.page.locator("#review")).to_be_focused()
    window.page.wait_for_timeout(1500)  # longer than it waits between two looks
    methods = [route.request.method for route in asked]
    assert methods == ["POST", *["GET"] * (len(methods) - 2), "DELETE"]
    for route in asked:
        assert route.request.headers["authorization"] == f"Bearer {token}"


def test_a_review_that_someone_else_called_off_is_told(stele: Stele, windows: OpenWindow) -> None:
    game, window = bring_in(stele, TWO), windows()
    window.forgive("404")
    answer(
        window, (202, {"status": "running", "progress": 5}), (404, {"code": "no_review", "detail": "None."})
    )
    opened(window, game, "?review=1")
    expect(window.page.locator(".asking [role=alert]")).to_have_text("The review was called off.")


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (200, {"status": "failed", "progress": 12}, "could not be reviewed"),
        (403, {"code": "forbidden", "detail": "Not for you."}, "Not for you."),
    ],
)
def test_a_review_that_cannot_be_made_is_told(
    windows: OpenWindow, players: list[Player], status: int, body: Any, told: str
) -> None:
    window = windows()
    window.forgive("403")
    seated(window, players[0])
    answer(window, (status, body))
    window.page.locator("#review").click()
    expect(window.page.locator(".asking [role=alert]")).to_contain_text(told)
    expect(window.page.locator("#review")).to_be_enabled()
    assert window.page.locator(".curve").count() == 0


# -- the curve ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", rotated([1280, 390]))
def test_the_curve_lies_in_line_with_the_scrubber_and_leads_through_the_game(
    stele: Stele, windows: OpenWindow, width: int
) -> None:
    window = windows(width=width, height=844)
    made = reviewed(window, stele, TWO)
    mouse, surface = window.page.mouse, window.page.locator(".curve .surface")
    rail, box = window.page.locator("#scrubber").bounding_box(), surface.bounding_box()
    assert rail
    assert box
    assert box["y"] >= rail["y"] + rail["height"] - 1
    _, y = middle(surface)
    for share in (0.25, 0.75):  # on the rail and below it, on the curve, lies the same entry
        x = box["x"] + share * box["width"]
        mouse.click(x, rail["y"] + rail["height"] / 2)
        of_rail = entry(window)
        mouse.click(x, y)
        assert entry(window) == of_rail
        assert abs(middle(window.page.locator(".now-line"))[0] - x) < box["width"] / made["version"]
    mouse.move(box["x"] + 1, box["y"] + 2)  # where no mark lies
    mouse.down()
    mouse.move(box["x"] + box["width"] / 2, y, steps=4)
    mouse.move(box["x"] + box["width"] - 1, y, steps=4)
    mouse.up()
    assert entry(window) == made["version"]


def test_keys_on_the_curve_move_the_replay_and_its_value_is_told(stele: Stele, windows: OpenWindow) -> None:
    window = windows()
    made = reviewed(window, stele, TWO, at=20)
    surface = window.page.get_by_role("slider", name="Chances of winning")
    surface.focus()
    for key, wanted in (("ArrowRight", 21), ("ArrowUp", 22), ("ArrowDown", 21), ("ArrowLeft", 20)):
        surface.press(key)
        assert entry(window) == wanted
    (chances,) = [point["chances"] for point in made["curve"] if point["version"] == 20]
    percents = [(each + 5) // 10 for each in chances]
    told = f"Entry 20: Ada {percents[0]}%, Ben {percents[1]}%"
    expect(surface).to_have_attribute("aria-valuetext", told)
    expect(window.page.locator(".chances")).to_have_text(f"Ada{percents[0]}%Ben{percents[1]}%")
    surface.press("End")
    assert entry(window) == made["version"]


def test_marks_of_turning_points_lead_to_their_entries_by_click_and_by_key(
    stele: Stele, windows: OpenWindow
) -> None:
    window = windows()
    made = reviewed(window, stele, TWO)
    versions = [point["version"] for point in made["turning_points"]]
    assert len(versions) > 2
    marks = window.page.locator(".turning-mark")
    assert marks.count() == len(versions)
    for number, point in enumerate(made["turning_points"]):
        mark = marks.nth(number)
        assert f"entry {point['version']}." in str(mark.get_attribute("aria-label"))
        assert mark.locator(f"svg.seat-{point['seat']}").count() == 1
        mark.focus()
        mark.press("Enter")
        assert entry(window) == point["version"]
    marks.first.click()
    assert entry(window) == versions[0]
    expect(window.page.locator(".findings li[aria-current]")).to_have_attribute(
        "data-version", str(versions[0])
    )


def test_three_seats_have_a_line_each_and_are_told_apart_by_their_marks(
    stele: Stele, windows: OpenWindow
) -> None:
    window = windows()
    reviewed(window, stele, THREE)
    assert window.page.locator(".curve .line").count() == 3
    for seat in range(3):
        assert window.page.locator(f".line-mark .seat-{seat}").count() > 2
        assert window.page.locator(f".now-mark .seat-{seat}").count() == 1


def test_nothing_jumps_from_one_entry_to_the_next(stele: Stele, windows: OpenWindow) -> None:
    for width in (1280, 390):
        window = windows(width=width, height=844)
        made = reviewed(window, stele, TWO)
        places = set()
        turning = [point["version"] for point in made["turning_points"]]
        for version in (made["curve"][0]["version"], *turning, made["version"]):
            window.page.locator("#scrubber").fill(str(version))
            expect(window.page.locator(".findings h2").first).to_have_text(f"Entry {version}")
            places.add(str(window.page.locator(".controls").bounding_box()))
        assert len(places) == 1, places


# -- words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", rotated(["en", "fr"]))
def test_each_turning_point_has_its_sentence_and_leads_there(
    stele: Stele, windows: OpenWindow, language: str
) -> None:
    window = windows(lang=language)
    made = reviewed(window, stele, TWO)
    teller = teller_of(RULESETS.latest("aton"), language, ["Ada", "Ben"])
    items = window.page.locator(".turning-points li")
    assert items.count() == len(made["turning_points"])
    for number, point in enumerate(made["turning_points"]):
        sentence = teller.turning_point(point)
        expect(items.nth(number).locator(".sentence")).to_have_text(sentence, use_inner_text=False)
        items.nth(number).get_by_role("button").click()
        assert entry(window) == point["version"]
    assert re.search(r"\d+\s?%", items.first.inner_text())


def test_of_the_present_entry_is_told_what_it_did_and_what_was_better(
    stele: Stele, windows: OpenWindow
) -> None:
    made = review_of(TWO)
    point = max(made["turning_points"], key=lambda point: point["lost"])
    (decision,) = [each for each in made["decisions"] if each["version"] == point["version"]]
    window = windows()
    reviewed(window, stele, TWO, at=point["version"])
    seat, best = decision["seat"], decision["better"][0]
    before, after = ((decision[key][seat] + 5) // 10 for key in ("before", "after"))
    told = window.page.locator("#worth")
    expect(told).to_contain_text(f"{('Ada', 'Ben')[seat]}: {before}% → {after}%.")
    expect(told).to_contain_text(f"({(best['chance'] + 5) // 10}%)")
    about = window.page.locator(".about-entry")
    expect(about).to_contain_text("could know")
    assert ("With open cards" in about.inner_text()) == bool(decision["open"])


def test_what_would_have_been_better_is_framed_on_the_board(stele: Stele, windows: OpenWindow) -> None:
    made = review_of(TWO)
    placed = [
        each for each in made["decisions"] if any("space" in one["action"] for one in each["better"][:1])
    ]
    assert placed
    window = windows()
    reviewed(window, stele, TWO, at=placed[0]["version"])
    assert window.page.locator(".pane .marks rect.gold").count() == 1
    x, y = middle(window.page.locator(".pane .marks rect.gold"))
    space = window.page.locator(f".pane [data-space='{placed[0]['better'][0]['action']['space']}']")
    wanted = middle(space)
    assert abs(x - wanted[0]) < 3
    assert abs(y - wanted[1]) < 3
    expect(window.page.get_by_text("framed on the board")).to_be_visible()
    window.page.locator("#eyes").select_option(str(1 - placed[0]["seat"]))
    expect(window.page.get_by_text("framed on the board")).to_be_hidden()


def test_luck_stands_apart_from_skill(stele: Stele, windows: OpenWindow) -> None:
    window = windows()
    made = reviewed(window, stele, TWO)
    for seat in made["seats"]:
        row = window.page.locator(".luck-and-skill table").first.locator("tbody tr").nth(seat["seat"])
        figures = row.locator("td").all_inner_texts()
        assert int(figures[0]) == seat["decisions"]
        for figure, wanted in zip(figures[1:], (seat["skill"], seat["luck"]), strict=True):
            assert abs(int(figure.replace("−", "-")) - wanted / 10) <= 0.5
    expect(window.page.locator(".luck-and-skill")).to_contain_text("estimated")


def test_the_curve_can_be_read_as_a_table(stele: Stele, windows: OpenWindow) -> None:
    window = windows()
    made = reviewed(window, stele, TWO)
    window.page.locator(".in-figures summary").click()
    rows = window.page.locator(".in-figures tbody tr")
    expect(rows.first).to_contain_text("Round 1")
    end = [f"{(each + 5) // 10}%" for each in made["curve"][-1]["chances"]]
    assert rows.last.locator("td").all_inner_texts() == end
    expect(window.page.locator(".review .unseen")).to_contain_text(f"In the end: Ada {end[0]}, Ben {end[1]}")


@pytest.mark.parametrize("theme", rotated(["light", "dark"]))
@pytest.mark.parametrize("width", rotated([1400, 1000, 390]))
def test_axe_finds_nothing_serious_in_a_review_and_it_is_not_wider_than_the_window(
    stele: Stele, windows: OpenWindow, theme: Theme, width: int
) -> None:
    for name in (TWO, THREE):
        window = windows(theme=theme, width=width, height=800, lang="fr" if theme == "dark" else "en")
        made = reviewed(window, stele, name, at=review_of(name)["turning_points"][0]["version"])
        assert made["turning_points"]
        window.page.locator(".in-figures summary").click()
        window.check_accessible()
        assert window.page.evaluate("document.documentElement.scrollWidth") <= width

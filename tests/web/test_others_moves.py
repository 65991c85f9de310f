"""What a table shows beside a move: what others did, why something cannot be done, taking back, pauses, signed seats."""

from typing import Any

from playwright.sync_api import expect

from tests.servers import wait_until
from tests.system.stele import Stele
from tests.web.games import OPERATOR
from tests.web.tables import call
from tests.web.test_lobby import create
from tests.web.test_moves import take_seat
from tests.web.windows import OpenWindow, Window


def start(window: Window, stele: Stele, ruleset: str, **terms: Any) -> tuple[str, dict[int, str]]:
    """Let a window hold the first seat of a game of two, which is always dealt the same; its id and all tokens."""
    terms = {key: value for key, value in ({"seed": "07" * 32} | terms).items() if value is not None}
    body = {"ruleset": ruleset, "players": [{"name": "Ana"}, {"name": "Omar"}], **terms}
    game = call(stele, "POST", "/v1/games", OPERATOR, json=body)
    tokens = {each["seat"]: each["token"] for each in game["seats"]}
    seats = {"0": {"token": tokens[0], "name": "Ana"}}
    window.hold({game["id"]: {"seats": seats, "ruleset": ruleset, "since": "2026-01-01"}})
    window.go(f"#/games/{game['id']}")
    window.page.locator(".pane svg").wait_for()
    return game["id"], tokens


def act_for(stele: Stele, game: str, token: str, kind: str | None = None) -> int:
    """Do the first thing (of a kind) that a seat may do, beside the windows; the version it leads to."""
    legal = call(stele, "GET", f"/v1/games/{game}/actions", token)["actions"]
    action = next(each for each in legal if kind in (None, each["type"]))
    return int(call(stele, "POST", f"/v1/games/{game}/actions", token, json=action)["version"])


def test_what_cannot_be_done_is_greyed_and_says_why(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    take_seat(window, stele, "babel")
    greyed = page.locator(".why-not [data-why=pawn_in_quarry]")
    greyed.wait_for()
    assert page.locator(".why-not li").count() <= 3
    greyed.click()
    expect(page.locator(".why-told")).to_contain_text(
        "Your pawn is still in the quarry: travel to a site first."
    )
    page.locator(".why-told button").click()
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.locator(".options [data-param=site]").first.click()
    expect(page.locator(".why-told")).to_be_hidden()


def test_a_click_on_a_dark_part_of_the_board_says_why_it_leads_nowhere(
    windows: OpenWindow, stele: Stele
) -> None:
    window = windows()
    take_seat(window, stele, "babel")
    window.page.locator(".why-not li").first.wait_for()
    dark = window.page.locator(".pane svg [data-actions~=deploy]:not([data-page-lit])").first
    dark.click(force=True)
    expect(window.page.locator(".why-told")).to_contain_text("pawn is still in the quarry")


def test_others_moves_are_shown_one_by_one_and_again_until_one_moves_oneself(
    windows: OpenWindow, stele: Stele
) -> None:
    window = windows(still=False)
    page = window.page
    game, tokens = start(window, stele, "babel")
    act_for(stele, game, tokens[0], "travel")
    while call(stele, "GET", f"/v1/games/{game}")["to_act"] == [0]:
        act_for(stele, game, tokens[0])
    page.locator(".elapsed").wait_for(state="attached")
    act_for(stele, game, tokens[1], "travel")
    caption = page.locator(".caption")
    expect(caption).to_contain_text("Omar")
    while call(stele, "GET", f"/v1/games/{game}")["to_act"] == [1]:
        version = act_for(stele, game, tokens[1])
    page.locator("#skip-shown").click()
    page.locator(f".table.my-turn[data-version='{version}']").wait_for(state="attached")
    expect(caption).to_be_hidden()
    page.locator("#show-again").click()
    expect(caption).to_contain_text("Omar")
    page.locator("#skip-shown").click()
    expect(caption).to_be_hidden()
    assert page.locator(".gilt .kept, .pane [data-latest]").count()
    page.locator(".options button").first.wait_for()


def test_a_move_is_undone_where_nothing_was_learned(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    take_seat(window, stele, "babel")
    page.locator(".options [data-param=site]").first.click()
    page.locator("#confirm").click()
    page.locator("#undo").click()
    expect(page.locator(".log li").last).to_contain_text("takes back")
    page.locator(".options [data-param=site]").first.wait_for()
    expect(page.locator("#undo")).to_have_count(0)


def test_a_seat_signs_what_it_does_and_goes_on_elsewhere(windows: OpenWindow, stele: Stele) -> None:
    """Moves, take-backs and resignations are signed; a recovery link and another device bring the seat and its key."""
    window, other, third = windows(), windows(), windows()
    page = window.page
    game = create(window, "babel", "Ana")
    page.locator(".keepsake summary").click()
    recovery = page.locator(".keepsake input").input_value()
    assert recovery.startswith(f"{window.wire.address}/#/seat/{game}/0?token=")
    call(stele, "POST", f"/v1/games/{game}/seats", json={"name": "Omar"})
    for act in ("#confirm", "#undo"):
        if act == "#confirm":
            page.locator(".my-turn .options [data-param=site]").first.click()
        page.locator(act).click()
    expect(page.locator(".log li").last).to_contain_text("takes back")
    page.locator("details.menu summary").click()
    page.locator("#other-device").click()
    page.locator("dialog .qr").wait_for()
    link = page.locator("dialog .link input").first.input_value()
    for newcomer, address in ((other, link), (third, recovery)):
        newcomer.go(address.removeprefix(window.wire.address).removeprefix("/"))
        newcomer.page.locator(".my-turn .chooser .prompt").wait_for()
        assert newcomer.place == f"#/games/{game}"
    other.page.locator(".options [data-param=site]").first.click()
    other.page.locator("#confirm").click()
    other.page.locator("#undo").wait_for()
    other.page.locator("details.menu summary").click()
    for each in (window, third):
        each.forgive("403")  # they may be asking why not while the same seat resigns in another window
    for _ in range(2):
        other.page.locator("#resign").click()
    third.page.locator(".ending h2").wait_for()
    wait_until(lambda: call(stele, "GET", f"/v1/games/{game}")["settled"], "the game is settled")
    signed = [
        each["data"]["signed"]
        for each in call(stele, "GET", f"/v1/games/{game}/record")["entries"]
        if each["type"] in ("action_taken", "taken_back", "seat_withdrawn")
    ]
    assert len(signed) == 4
    assert all(signed)
    assert not any("token=" in address for _, address in [*third.requests, *other.requests])


def test_a_seat_is_given_away_and_a_game_paused(windows: OpenWindow, stele: Stele) -> None:
    window, other = windows(), windows()
    page = window.page
    game, tokens = start(window, stele, "babel", clock={"turn_seconds": 900})
    page.locator("details.menu summary").click()
    page.locator("#pause").click()
    call(stele, "POST", f"/v1/games/{game}/pause", tokens[1])
    expect(page.locator(".pause-note")).to_contain_text("paused")
    page.locator("#resume").click()
    expect(page.locator(".pause-note")).to_have_count(0)
    page.locator("details.menu summary").click()
    page.locator("#give-away").click()
    link = page.locator("dialog .link input").input_value()
    other.go(link.removeprefix(window.wire.address).removeprefix("/"))
    other.page.locator("#name").fill("Zoé")
    window.forgive("401")
    other.page.locator("#take-over").click()
    other.page.locator(".my-turn .chooser .prompt").wait_for()
    assert call(stele, "GET", f"/v1/games/{game}")["seats"][0]["name"] == "Zoé"


def test_a_hint_points_out_a_good_move_against_bots(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    create(window, "babel", "Ana", seat_1="random")
    page.locator(".my-turn #hint").click()
    expect(page.locator(".hint")).to_contain_text("A good move: ")
    assert page.locator(".spots .spot").count()
    page.locator(".options button").first.click()
    page.locator("#confirm").click()
    expect(page.locator(".hint")).to_have_count(0)


AWAY = """
window.shown = [];
Object.defineProperty(Notification, "permission", {get: () => "granted"});
Notification.requestPermission = async () => "granted";
ServiceWorkerRegistration.prototype.showNotification = async (title, about) => window.shown.push([title, about.tag]);
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async () => { throw new DOMException("no push service here", "AbortError"); };
Object.defineProperty(document, "hidden", {get: () => window.isAway === true});
"""


def test_who_looks_elsewhere_is_notified_of_their_turn(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    page.add_init_script(AWAY)
    game, tokens = start(window, stele, "babel")
    page.locator("details.menu summary").click()
    expect(page.locator("#notify")).not_to_be_checked()
    page.locator("#notify").click()
    expect(page.locator("#notify")).to_be_checked()
    while call(stele, "GET", f"/v1/games/{game}")["to_act"] == [0]:
        act_for(stele, game, tokens[0])
    page.locator(".table:not(.my-turn)").wait_for()
    assert page.evaluate("window.shown") == []
    page.evaluate("window.isAway = true")
    while call(stele, "GET", f"/v1/games/{game}")["to_act"] == [1]:
        act_for(stele, game, tokens[1])
    page.locator(".table.my-turn").wait_for()
    window.until("window.shown.length")
    assert page.evaluate("window.shown") == [["Your turn in Babel", game]]

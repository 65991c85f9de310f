"""The lobby: creating a game, inviting others, joining, and what this browser remembers."""

import re

from playwright.sync_api import Browser, Route, expect

from tests.servers import wait_until
from tests.system.stele import Stele, stele_up
from tests.web.games import OPERATOR, bring_in
from tests.web.tables import Table, call, tokens
from tests.web.windows import OpenWindow, Window, window_of


def create(window: Window, ruleset: str, name: str, **sitters: str) -> str:
    """Create a game by clicks from the lobby on; its id. `sitters` are the kinds of the other seats."""
    page = window.page
    window.go()
    page.locator("#create").click()
    page.locator(f".boxes label:has(input[value={ruleset}])").click()
    page.locator("#name").fill(name)
    for seat, kind in sitters.items():
        page.locator(f"#sitter-{seat.removeprefix('seat_')}").select_option(kind)
    page.locator("#begin").click()
    page.locator(".table").wait_for()
    found = re.fullmatch(r"#/games/(.+)", window.place)
    assert found
    return found[1]


def test_a_game_against_a_bot_is_created_and_played_by_clicks(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    table = Table(stele, create(window, "aton", "Ana", seat_1="greedy"))
    table.windows[0] = window
    for _ in range(6):
        window.page.locator(".my-turn .chooser button").first.wait_for()
        table.move(0)
    assert table.game()["fairness"] == "sealed"  # made and opened by the page itself
    window.go()
    row = window.page.locator(".mine .games li").first
    expect(row).to_contain_text("Aton")
    row.get_by_role("link").click()
    window.page.locator(".pane svg").wait_for()


def test_the_game_that_was_chosen_last_is_created_however_slowly_rulesets_come(
    windows: OpenWindow, stele: Stele
) -> None:
    held: list[Route] = []
    holding = True

    def hold(route: Route) -> None:
        if holding:
            held.append(route)
        else:
            route.continue_()

    window = windows()
    page = window.page
    page.route("**/v1/rulesets/*", hold)
    window.go("#/create")
    page.locator(".boxes label:has(input[value=temple_of_five])").click()
    page.locator("#name").fill("Ana")
    page.locator("#begin").click()
    while not any("temple_of_five" in route.request.url for route in held):
        page.wait_for_timeout(10)
    holding = False
    for route in reversed(held):  # the first game of the list, which nobody chose, comes last
        route.continue_()
    page.locator(".table").wait_for()
    game = window.place.removeprefix("#/games/")
    assert call(stele, "GET", f"/v1/games/{game}")["ruleset"] == "temple_of_five"


def test_the_lobby_is_live(windows: OpenWindow) -> None:
    reader, host = windows(), windows()
    reader.go()
    reader.page.locator(".game-card").first.wait_for()
    game = create(host, "babel", "Ana")
    row = reader.page.locator(f".open li[data-game='{game}']")
    expect(row).to_contain_text("Ana")
    expect(row).to_contain_text("1 seat free")
    row.get_by_role("link", name="Join").click()
    reader.page.locator("#name").fill("Omar")
    reader.page.locator("#sit").click()
    host.page.locator(".pane svg").wait_for()
    reader.page.locator(".pane svg").wait_for()


def test_options_come_from_the_schema(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    window.go("#/create?ruleset=sa_re")
    page.locator("#option-mode").select_option("priest")
    page.locator("#option-divinity").check()
    page.locator("#option-max_rounds").fill("7")
    page.locator("#name").fill("Ana")
    page.locator("#clock").select_option("total")
    page.locator("#minutes-total").fill("20")
    begins = page.locator("#option-begins option")
    expect(begins).to_have_text(["Seat 1", "Seat 2", "Drawn by lot"])
    page.locator("#seats").select_option("3")
    expect(begins).to_have_text(["Seat 1", "Seat 2", "Seat 3", "Drawn by lot"])
    page.locator("#option-begins").select_option("2")
    page.locator("#begin").click()
    page.locator(".waiting li").first.wait_for()
    game = call(stele, "GET", f"/v1/games/{window.place.removeprefix('#/games/')}")
    options = {"mode": "priest", "divinity": True, "max_rounds": 7, "begins": 2}
    assert options.items() <= game["options"].items()
    assert game["clock"] == {"total_seconds": 1200, "increment_seconds": 10}
    assert len(game["seats"]) == 3


def test_an_invitation_to_a_private_game_carries_its_code_and_no_token(windows: OpenWindow) -> None:
    host, guest, stranger = windows(), windows(), windows()
    host.go("#/create?ruleset=babel")
    host.page.locator("#name").fill("Ana")
    host.page.locator("#private").check()
    host.page.locator("#begin").click()
    link = host.page.locator(".waiting .link input").first.input_value()
    game = host.place.removeprefix("#/games/")
    (token,) = tokens(host, game).values()
    assert re.search(rf"/g/{game}#/join/{game}/\w+$", link)
    assert token not in link

    stranger.forgive("404")
    stranger.go(f"#/join/{game}")
    expect(stranger.page.get_by_role("alert")).to_be_visible()

    guest.go("/" + link.split("/", 3)[3])
    guest.page.locator("#name").fill("Omar")
    guest.page.locator("#sit").click()
    guest.page.locator(".pane svg").wait_for()
    host.page.locator(".pane svg").wait_for()
    for window in (host, guest):
        assert not any(token in address for _, address in window.requests)
        assert not any(
            token in address for token in tokens(window, game).values() for _, address in window.requests
        )


def test_a_game_is_joined_by_its_number(windows: OpenWindow) -> None:
    host, guest = windows(), windows()
    game = create(host, "aton", "Ana")
    guest.go()
    guest.page.locator("#by-code").fill(game)
    guest.page.locator("#by-code").press("Enter")
    guest.page.locator("#name").fill("Omar")
    guest.page.locator("#name").press("Enter")
    guest.page.locator(".pane svg").wait_for()


def test_a_private_game_is_joined_by_a_link_that_is_pasted(windows: OpenWindow) -> None:
    host, guest = windows(), windows()
    host.go("#/create?ruleset=babel")
    host.page.locator("#name").fill("Ana")
    host.page.locator("#private").check()
    host.page.locator("#begin").click()
    link = host.page.locator(".waiting .link input").first.input_value()
    guest.go()
    guest.page.locator("#by-code").fill("no link at all")
    guest.page.locator("#by-code").press("Enter")
    expect(guest.page.get_by_role("alert")).to_be_visible()
    guest.page.locator("#by-code").fill(f"  {link} ")
    guest.page.locator("#by-code").press("Enter")
    guest.page.locator("#name").fill("Omar")
    guest.page.locator("#sit").click()
    guest.page.locator(".pane svg").wait_for()


def test_the_lobby_shows_results_and_standings(windows: OpenWindow, stele: Stele) -> None:
    game = bring_in(stele, "aton/temple_filled")
    window = windows()
    window.go()
    row = window.page.locator(f"li[data-game='{game['id']}']")
    expect(row).to_contain_text("Ben 4")
    expect(row.locator("strong")).to_have_text("4")
    row.get_by_role("link", name="Replay").click()
    window.page.locator(".pane svg").wait_for()


def test_the_lobby_shows_who_has_won_how_often(windows: OpenWindow, stele: Stele) -> None:
    players = [{"name": "Zoé", "ref": "lobby-zoe"}, {"name": "Yann", "ref": "lobby-yann"}]
    game = call(stele, "POST", "/v1/games", OPERATOR, json={"ruleset": "aton", "players": players})
    call(stele, "POST", f"/v1/games/{game['id']}/resignation", game["seats"][1]["token"])
    wait_until(
        lambda: "lobby-zoe" in {each["ref"] for each in call(stele, "GET", "/v1/standings")["items"]},
        "the game counts",
        60,
    )
    window = windows()
    window.go()
    rows = window.page.locator(".standings tbody tr")
    expect(window.page.locator(f".results li[data-game='{game['id']}']")).to_contain_text("Yann gave up")
    expect(rows.filter(has_text="Zoé").locator("td")).to_have_text(["Zoé", "1", "1", "2"])
    expect(rows.filter(has_text="Yann").locator("td")).to_have_text(["Yann", "1", "0", "0"])


def test_every_bot_can_be_chosen_by_what_it_is_called(windows: OpenWindow, stele: Stele) -> None:
    bots = call(stele, "GET", "/v1/rulesets/babel")["bots"]
    assert len(bots) > 2
    window = windows()
    window.go("#/create?ruleset=babel")
    choice = window.page.locator("#sitter-1")
    choice.wait_for()
    offered = {
        option.get_attribute("value"): option.text_content() for option in choice.locator("option").all()
    }
    assert set(bots) <= offered.keys()
    assert len(set(offered.values())) == len(offered)


def test_where_only_hosts_create_games_the_form_asks_for_their_token(chromium: Browser) -> None:
    host = "token-of-a-host-of-the-page"
    with (
        stele_up(STELE_CREATE="host", STELE_HOST_TOKENS=f"club:{host}") as closed,
        window_of(chromium, closed.port) as window,
    ):
        window.forgive("401")
        window.go("#/create?ruleset=babel")
        page = window.page
        expect(page.locator("#host")).to_be_hidden()
        page.locator("#name").fill("Ana")
        page.locator("#begin").click()
        expect(page.locator(".create .refusal")).to_contain_text("host")
        page.locator("#host").fill(host)
        page.locator("#begin").click()
        page.locator(".waiting li").first.wait_for()
        assert host not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
        window.check_sound()


def test_a_bot_without_a_name_is_a_robot_in_french(windows: OpenWindow) -> None:
    window = windows(lang="fr")
    game = create(window, "babel", "Ana", seat_1="greedy")
    window.page.locator(".pane svg").wait_for()
    expect(window.page.locator(".players")).to_contain_text("Robot rapide")
    expect(window.page.locator(".log")).to_contain_text("Un robot rapide prend place")
    expect(window.page.locator(".pane svg")).to_contain_text("Robot rapide")
    window.go()
    expect(window.page.locator(f".mine li[data-game='{game}']")).to_contain_text("Robot rapide")
    expect(window.page.locator("body")).not_to_contain_text("greedy bot")


def test_a_player_may_leave_before_it_begins(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    terms = {"ruleset": "temple_of_five", "seats": 3, "players": [{"bot": "greedy"}]}
    only_a_bot = call(stele, "POST", "/v1/games", OPERATOR, json=terms)["id"]
    game = create(window, "temple_of_five", "Ana")

    def answer_late(route: Route) -> None:
        answer = route.fetch()
        # long enough for a page that still follows the game to hear of it and ask with the token that was given up
        window.page.wait_for_timeout(500)
        route.fulfill(response=answer)

    window.page.route(f"**/v1/games/{game}/seats/0", answer_late)
    window.page.get_by_role("button", name="Leave").click()
    window.page.locator(".game-card").first.wait_for()
    for nobody in (game, only_a_bot):
        expect(window.page.locator(f".open li[data-game='{nobody}']")).to_have_count(0)
    window.page.locator("#create").wait_for()
    assert call(stele, "GET", f"/v1/games/{game}")["seats"][0]["name"] is None
    assert window.page.locator(f".mine li[data-game='{game}']").count() == 0


def test_a_player_who_may_not_leave_stays_and_hears_on(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    window.forgive("418")
    game = create(window, "babel", "Ana")
    refuse = f"**/v1/games/{game}/seats/0"
    problem = {"title": "Not now", "status": 418}
    window.page.route(refuse, lambda route: route.fulfill(status=418, json=problem))
    window.page.get_by_role("button", name="Leave").click()
    expect(window.page.get_by_text("Not now")).to_be_visible()
    call(stele, "POST", f"/v1/games/{game}/seats", json={"name": "Omar"})
    window.page.locator(".pane svg").wait_for()

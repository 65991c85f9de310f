"""At the table: choosing, refusals, lost connections, clocks, several players at one screen, nothing that leaks."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.system.stele import Stele
from tests.web.tables import Table, call, tokens
from tests.web.test_lobby import create
from tests.web.test_moves import take_seat
from tests.web.windows import OpenWindow, Window


def new_table(stele: Stele, windows: OpenWindow, ruleset: str, **how: object) -> Table:
    """Two windows at a new game."""
    table = Table(stele, call(stele, "POST", "/v1/games", json={"ruleset": ruleset, **how})["id"])
    table.join(windows(), "Ana")
    table.join(windows(), "Omar")
    for window in table.windows.values():
        window.page.locator(".pane svg").wait_for()
    return table


def test_a_step_is_taken_back_before_it_is_sent(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    create(window, "babel", "Ana", seat_1="greedy")
    page = window.page
    page.locator(".my-turn .options button").first.click()
    page.locator("#confirm").wait_for()
    page.locator("#back").click()
    expect(page.locator("#confirm")).to_have_count(0)
    page.locator(".options button").first.click()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_have_count(0)


PLAY_INSTEAD = """(action) => {
    globalThis.sendAsAsked = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        const message = JSON.parse(text);
        const sent = message.op === "act" ? { ...message, action } : message;
        globalThis.sendAsAsked.call(this, JSON.stringify(sent));
    };
}"""
"""Has a window send another action than the one that was chosen."""


def test_a_refused_action_shows_its_sentence_and_nothing_is_lost(windows: OpenWindow, stele: Stele) -> None:
    window = windows(lang="fr", service_workers="block")
    game = take_seat(window, stele, "babel")
    page = window.page
    page.locator(".my-turn .options button").first.click()
    version = call(stele, "GET", f"/v1/games/{game}")["version"]
    page.evaluate(PLAY_INSTEAD, {"type": "migrate", "from": "medes", "to": "persians"})
    page.locator("#confirm").click()
    expect(page.locator(".chooser .refusal")).to_contain_text("Une migration déplace trois cartes")
    assert call(stele, "GET", f"/v1/games/{game}")["version"] == version
    page.evaluate("() => { WebSocket.prototype.send = globalThis.sendAsAsked; }")
    page.locator("#confirm").click()
    page.locator(f".table:not([data-version='{version}'])").wait_for(state="attached")
    expect(page.locator(".chooser .refusal")).to_have_count(0)


@pytest.mark.parametrize("has_sockets", [True, False])
def test_a_table_is_played_over_a_socket_and_without_one_over_http(
    has_sockets: bool, windows: OpenWindow, stele: Stele
) -> None:
    window = windows(service_workers="block")
    page = window.page
    if not has_sockets:
        page.add_init_script("delete globalThis.WebSocket")
        page.reload()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.partition('?')[0]}"))
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    game = create(window, "babel", "Ana", seat_1="greedy")
    page.locator(".connection[data-state=live]").wait_for()
    version = page.locator(".table").get_attribute("data-version")
    page.locator(".my-turn .options button").first.click()
    page.locator("#confirm").click()
    page.locator(f".table:not([data-version='{version}'])").wait_for(state="attached")
    acts = [each for each in asked if each.startswith("POST") and each.endswith(f"/{game}/actions")]
    streams = [each for each in asked if each.endswith(f"/{game}/events")]
    assert (len(sockets) > 0, len(acts) == 0, len(streams) == 0) == (has_sockets,) * 3


def test_what_has_just_happened_is_in_sight(windows: OpenWindow, stele: Stele) -> None:
    table = new_table(stele, windows, "babel")
    for _ in range(12):
        table.move(table.game()["to_act"][0])
    for how in ("games", "watch"):
        window = table.windows[table.game()["to_act"][0]] if how == "games" else windows()
        window.go(f"#/{how}/{table.id}")
        window.page.locator(".pane svg").wait_for()
        window.page.locator(".log li").nth(5).wait_for(state="attached")
        window.until(
            """(() => {
                const list = document.querySelector(".log").getBoundingClientRect();
                const latest = document.querySelector(".log li:last-child").getBoundingClientRect();
                return latest.bottom <= Math.min(list.bottom, innerHeight) + 1;
            })()"""
        )


def test_on_a_phone_the_panel_tells_what_others_did(windows: OpenWindow, stele: Stele) -> None:
    """One entry or several: each has a line of its own, in the words of the log."""
    table = Table(stele, call(stele, "POST", "/v1/games", json={"ruleset": "babel"})["id"])
    phone = windows(width=390, height=844)
    table.join(phone, "Ana")
    table.join(windows(), "Omar")
    phone.page.locator(".pane svg").wait_for()  # both seals are open
    numbers: set[int] = set()
    while not (1 in numbers and max(numbers) > 1):
        game = table.game()
        assert game["status"] == "playing"
        if game["to_act"] == [0]:
            phone.page.locator(f".table.my-turn[data-version='{game['version']}']").wait_for()
            phone.page.locator(".chooser .prompt").wait_for()
            lines = phone.page.locator(".happened p").all_inner_texts()
            assert lines == told_since_last_move(phone, 0)
            expect(phone.page.locator(".phase")).to_contain_text("turn")
            numbers.add(len(lines))
        table.move(*game["to_act"])


def told_since_last_move(window: Window, seat: int) -> list[str]:
    """The entries of the log after the last one of this seat; if there are none, the last one."""
    entries: list[tuple[str, str]] = window.page.locator(".log li").evaluate_all(
        "(all) => all.map((entry) => [entry.dataset.seat, entry.innerText.trim()])"
    )
    after: list[str] = []
    for actor, text in entries:
        after = [] if actor == str(seat) else [*after, text]
    return after or [entries[-1][1]]


def test_a_lost_connection_is_shown_and_nothing_is_missed(windows: OpenWindow, stele: Stele) -> None:
    table = new_table(stele, windows, "babel")
    reader = windows(service_workers="block")
    reader.go(f"#/watch/{table.id}")
    reader.page.locator(".connection[data-state=live]").wait_for()
    reader.forgive("ERR_")
    reader.wire.cut()
    reader.page.locator(".connection[data-state=lost]").wait_for()
    expect(reader.page.locator(".connection")).to_contain_text("Connection lost")
    for _ in range(3):
        (seat,) = table.game()["to_act"]
        table.move(seat)
    reader.wire.mend()
    reader.page.locator(".connection[data-state=live]").wait_for()
    version = table.game()["version"]
    reader.page.locator(f".table[data-version='{version}']").wait_for(state="attached")
    told = reader.page.locator(".log li").evaluate_all(
        "(all) => all.map((each) => Number(each.dataset.version))"
    )
    assert set(range(version - 2, version + 1)) <= set(told)


@pytest.mark.parametrize("ruleset", ["babel", "aton"])
def test_no_hand_of_the_other_comes_over_the_wire(ruleset: str, windows: OpenWindow, stele: Stele) -> None:
    table = new_table(stele, windows, ruleset)
    for _ in range(4):
        table.move(table.game()["to_act"][0])
    token = {seat: tokens(window, table.id)[seat] for seat, window in table.windows.items()}
    held = {seat: hands_of(table, seat, token[seat]) for seat in table.windows}
    for seat, window in table.windows.items():
        heard = set(re.findall(rb'"hand":(\[[^\]]*\])', bytes(window.wire.heard)))
        assert held[seat] & heard
        assert not heard & (held[1 - seat] - held[seat])
        assert token[1 - seat].encode() not in window.wire.heard


def hands_of(table: Table, seat: int, token: str) -> set[bytes]:
    """Every hand that a seat has held, as it is written over the wire."""
    frames = call(table.stele, "GET", f"/v1/games/{table.id}/replay", token)["items"]
    hands = [frame["view"]["players"][seat]["hand"] for frame in frames if frame["view"]]
    return {json.dumps(hand, separators=(",", ":")).encode() for hand in hands if hand}


def test_no_tile_of_the_other_hand_is_ever_named(windows: OpenWindow, stele: Stele) -> None:
    """Tiles are one of a kind: what lies in the other's hand may not be found in any byte that came."""
    table = new_table(stele, windows, "temple_of_five")
    hands = {
        seat: table.game(tokens(window, table.id)[seat])["view"]["players"][seat]["hand"]
        for seat, window in table.windows.items()
    }
    for seat, window in table.windows.items():
        heard = bytes(window.wire.heard)
        assert all(f'"{tile}"'.encode() in heard for tile in hands[seat])
        assert not any(f'"{tile}"'.encode() in heard for tile in hands[1 - seat])


def test_several_players_at_one_screen_are_hidden_from_each_other(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    window.go("#/create?ruleset=babel")
    page.locator("#name").fill("Ana")
    page.locator("#sitter-1").select_option("here")
    page.locator(".sitters input").fill("Omar")
    page.locator("#begin").click()
    page.locator("#uncover").wait_for()
    assert page.locator(".pane svg").count() == 0
    game = window.place.removeprefix("#/games/")
    table = Table(stele, game)
    for _ in range(2):
        (seat,) = table.game()["to_act"]
        table.windows = {seat: window}
        expect(page.locator(".cover h1")).to_contain_text(["Ana", "Omar"][seat])
        assert not re.search(r'id="hand-\d', page.content())
        page.locator("#uncover").click()
        page.locator(f"[id^=hand-{seat}]").first.wait_for(state="attached")
        while table.game()["to_act"] == [seat]:
            table.move(seat)
        page.locator("#hand-over").click()
    expect(page.locator(".cover")).to_be_visible()


def test_clocks_count_down(windows: OpenWindow, stele: Stele) -> None:
    table = new_table(stele, windows, "babel", clock={"turn_seconds": 300})
    page = table.windows[0].page
    clock = page.locator(".players .acts .clock")
    first = clock.inner_text()
    assert re.fullmatch(r"[45]:\d\d", first)
    expect(clock).not_to_have_text(first)


def test_the_keyboard_alone_is_enough(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    game = create(window, "aton", "Ana", seat_1="greedy")
    page = window.page
    page.locator(".my-turn .options button").first.wait_for()
    before = call(stele, "GET", f"/v1/games/{game}")["version"]
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.options') !== null"):
            break
    for _ in range(6):
        page.keyboard.press("Enter")  # each step leaves the focus where the next one is
        page.wait_for_timeout(50)
    page.locator(f".table:not([data-version='{before}'])").wait_for(state="attached")


def test_the_page_speaks_french(windows: OpenWindow, stele: Stele) -> None:
    window = windows(lang="fr-CH")
    create(window, "babel", "Ana", seat_1="greedy")
    page = window.page
    expect(page.locator(".moment")).to_contain_text("À vous de jouer")
    expect(page.locator(".log li").last).to_contain_text("Ana pioche")
    assert page.locator(".pane svg").get_attribute("lang") == "fr"
    page.locator("#other-language").click()
    expect(page.locator(".moment")).to_contain_text("Your move")


def test_a_telephone_has_the_board_in_a_pane_and_moves_in_reach(windows: OpenWindow, stele: Stele) -> None:
    window = windows(width=390, height=844, theme="dark")
    table = Table(stele, create(window, "temple_of_five", "Ana", seat_1="greedy"))
    table.windows[0] = window
    page = window.page
    table.move(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator(".turn").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 845
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_player_gives_up_after_being_asked_once_more(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    game = create(window, "babel", "Ana", seat_1="greedy")
    page = window.page
    page.locator(".menu summary").click()
    page.locator("#resign").click()
    assert call(stele, "GET", f"/v1/games/{game}")["status"] == "playing"
    page.locator("#resign").click()
    page.locator(".ending h2").wait_for()
    assert call(stele, "GET", f"/v1/games/{game}")["outcome"]["winners"] == [1]

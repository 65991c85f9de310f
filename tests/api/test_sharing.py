"""Links to games on other pages: previews, frames, oEmbed, a new game in one press."""

import re
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.api.client import Answer, Api, Table, new_game
from tests.api.finished import settled_game
from tests.api.previewers import Head, discord, slack, wordpress, wordpress_link
from tests.api.test_page import HTML

HERE = "stele.example"


def shared(api: Api, path: str, **headers: str) -> Answer:
    return api.get(path, Host=HERE, Accept=HTML, **headers)


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height, as the head of a PNG says them."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def fetched(api: Api, address: str) -> bytes:
    """A picture, as whoever made a preview fetches it: without a token."""
    parts = urlsplit(address)
    assert (parts.scheme, parts.netloc) == ("http", HERE)
    answer = api.get(f"{parts.path}?{parts.query}")
    assert answer.headers["content-type"] == "image/png"
    return answer.body


def test_a_link_shows_the_board_on_discord_and_slack(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    page = shared(quiet_api, f"/g/{game.id}")
    card = discord(page)
    assert card[:2] == slack(page)[:2] == ("Babel: Ada, Ben", "To move: Ada.")
    assert card.image is not None
    assert card.image == slack(page).image
    assert size_of(fetched(quiet_api, card.image)) == card.size == (1200, 630)
    assert Head(page).title == card.title
    assert f"/replay/{game.head[0]}/" in card.image, (
        "whoever keeps the picture by its address sees no old board"
    )


@pytest.mark.parametrize("most", [(500, 750), (220, 750), (2000, 300), (150, 100)])
def test_wordpress_finds_a_frame_and_a_thumbnail_of_the_size_it_says(
    quiet_api: Api, most: tuple[int, int]
) -> None:
    game = new_game(quiet_api, "babel")
    url = f"http://{HERE}/g/{game.id}"
    told = wordpress(quiet_api, shared(quiet_api, f"/g/{game.id}"), url, *most)
    source = re.search('src="([^"]*)"', told["html"])
    assert source
    assert quiet_api.get(source[1].removeprefix(f"http://{HERE}").replace("&amp;", "&")).status == 200
    if "thumbnail_url" in told:
        drawn = fetched(quiet_api, told["thumbnail_url"])
        assert size_of(drawn) == (told["thumbnail_width"], told["thumbnail_height"])
    assert ("thumbnail_url" in told) == (most[0] >= 200)


def test_an_earlier_moment_has_its_own_preview(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    game.play(2)
    version = game.head[0] - 1
    page = shared(quiet_api, f"/g/{game.id}/{version}")
    image = discord(page).image
    assert image
    assert f"/replay/{version}/board.png" in image
    assert f"after entry {version} of" in discord(page).text
    told = wordpress(quiet_api, page, f"http://{HERE}/g/{game.id}/{version}")
    assert f"at={version}" in told["html"]
    before = discord(shared(quiet_api, f"/g/{game.id}/1"))
    assert (before.image, before.size) == (None, None), "there was no board yet"
    beyond = shared(quiet_api, f"/g/{game.id}/{game.head[0] + 1}")
    assert discord(beyond) == discord(shared(quiet_api, f"/g/{game.id}"))


def test_a_preview_tells_how_a_game_stands(quiet_api: Api) -> None:
    waiting = new_game(quiet_api, "babel", ['Ada <&">'], seats=2)
    card = discord(shared(quiet_api, f"/g/{waiting.id}"))
    assert card == ('Babel: Ada <&">, a free seat', "A seat is free: join the game.", None, None)
    over = settled_game(quiet_api, "aton")
    assert discord(shared(quiet_api, f"/g/{over.id}")).text.startswith("Won by ")
    french = discord(shared(quiet_api, f"/g/{over.id}", Accept_Language="fr"))
    assert french.text.startswith("Victoire : ")
    assert french.image
    assert "lang=fr" in french.image


def test_addresses_are_of_the_host_that_was_asked_or_of_the_one_that_is_set(make_api: Any) -> None:
    api: Api = make_api()
    game = new_game(api, "babel")
    page = shared(api, f"/g/{game.id}")
    assert page.headers["cache-control"] == "no-store"
    assert "host" in page.headers["vary"].lower()
    assert f"http://{HERE}/" in page.body.decode()
    assert "http://other.example/" in api.get(f"/g/{game.id}", Host="other.example:80").body.decode().replace(
        ":80", ""
    )
    assert api.get(f"/g/{game.id}", Host='"><script>').code == "bad_request"
    fixed: Api = make_api(1, public_url="https://play.example.org")
    game = new_game(fixed, "babel")
    body = shared(fixed, f"/g/{game.id}").body.decode()
    assert HERE not in body
    assert '<meta property="og:url" content="https://play.example.org/g/' in body


def test_a_trusted_proxy_says_whether_it_was_asked_safely(make_api: Any) -> None:
    https = {"X_Forwarded_Proto": "https"}
    for at, (proxies, scheme) in enumerate(((("127.0.0.1/32",), "https"), ((), "http"))):
        api: Api = make_api(at, trusted_proxies=tuple(map(ip_network, proxies)))
        game = new_game(api, "babel")
        assert f'"{scheme}://{HERE}/g/' in shared(api, f"/g/{game.id}", **https).body.decode()


def test_what_oembed_cannot_show_it_says(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    own = f"http://{HERE}/g/{game.id}"

    def ask(**wanted: str) -> Answer:
        return quiet_api.get(f"/v1/oembed?{urlencode(wanted)}", Host=HERE)

    assert ask(url=own).status == 200
    assert ask(url=own, format="xml").status == 501
    assert (
        ask().code == ask(url=own, maxwidth="0").code == ask(url=own, colour="red").code == "invalid_request"
    )
    for url in (
        f"http://elsewhere.example/g/{game.id}",
        f"http://{HERE}/play/{game.id}",
        "//[",
        f"ftp://{HERE}/g/{game.id}",
    ):
        assert ask(url=url).code == "not_found", url


def test_a_frame_shows_a_game_and_no_other_page_lets_itself_be_framed(make_api: Any) -> None:
    api: Api = make_api()
    game = new_game(api, "babel")
    page = api.get(f"/embed/{game.id}?at=7&as=1&lang=fr&theme=dark&controls=none")
    assert (
        f'<stele-board game="{game.id}" lang="fr" at="7" as="1" theme="dark" controls="none">'
        in page.body.decode()
    )
    policy = page.headers["content-security-policy"]
    assert policy.endswith("frame-ancestors *")
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    for path in ("/", f"/g/{game.id}", f"/play/{game.id}", "/new/babel", "/g/none"):
        other = shared(api, path).headers["content-security-policy"]
        assert other.endswith("frame-ancestors 'none'"), path


@pytest.mark.parametrize(
    ("written", "policy"),
    [
        (("none",), "frame-ancestors 'none'"),
        (("https://a.example", "https://b.example"), "frame-ancestors https://a.example https://b.example"),
    ],
)
def test_who_runs_the_server_says_whose_pages_may_frame_a_game(
    make_api: Any, written: Any, policy: str
) -> None:
    api: Api = make_api(embed_ancestors=written)
    assert api.get(f"/embed/{new_game(api).id}").headers["content-security-policy"].endswith(policy)


@pytest.mark.parametrize(
    "wrong", ['at="><script>', "as=9x", "theme=red", "lang=de", "controls=A%22", "token=0.0.x", "ticket=x"]
)
def test_what_a_frame_does_not_know_it_leaves_out(quiet_api: Api, wrong: str) -> None:
    game = new_game(quiet_api)
    plain = quiet_api.get(f"/embed/{game.id}")
    assert quiet_api.get(f"/embed/{game.id}?{wrong}").body == plain.body


def test_a_frame_is_of_any_game_that_could_be(quiet_api: Api) -> None:
    """It looks none up, so it tells nothing of any; what is no id of a game at all has no page."""
    game = new_game(quiet_api, private=True)
    there = quiet_api.get(f"/embed/{game.id}")
    other = game.id[:-1] + ("0" if game.id[-1] != "0" else "1")
    assert there.body.replace(game.id.encode(), b"") == quiet_api.get(f"/embed/{other}").body.replace(
        other.encode(), b""
    )
    assert quiet_api.get("/embed/<script>").status == 404


def test_a_new_game_has_a_stable_address_that_creates_nothing(quiet_api: Api) -> None:
    before = quiet_api.get("/v1/games").body
    page = shared(quiet_api, "/new/babel?with=strong")
    assert discord(page).title == "Play Babel"
    assert wordpress_link(page) is None
    assert shared(quiet_api, "/new/go").body == shared(quiet_api, "/").body
    assert quiet_api.get("/v1/games").body == before


def test_a_preview_of_every_games_new_address_says_what_it_is_about(quiet_api: Api) -> None:
    for ruleset in quiet_api.get("/v1/rulesets").json["items"]:
        card = discord(shared(quiet_api, f"/new/{ruleset['id']}"))
        assert card.text == (ruleset["guide"]["about"]["en"] if ruleset["guide"] else ruleset["names"]["en"])


def board_png(game: Table, query: str = "", token: str | None = None, **headers: str) -> Answer:
    return game.get(f"/board.png{query}", token, **headers)


def test_a_board_comes_in_pixels_as_wide_as_it_is_wanted(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    assert size_of(board_png(game).body)[0] == 1000
    assert size_of(board_png(game, "?width=200").body)[0] == 200
    assert size_of(board_png(game, "?card=true").body) == (1200, 630)
    assert size_of(board_png(game, "?card=true&width=400").body) == (400, 210)
    tall = size_of(board_png(game, "?shape=tall&width=300").body)
    assert tall[1] > tall[0]
    for wrong in ("?width=199", "?width=2001", "?width=x", "?card=yes", "?as=7"):
        assert board_png(game, wrong).code == "invalid_request"


def test_pixels_show_each_viewer_his_own_board_and_are_made_once(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(api, "babel")
    made: list[str] = []

    def rasterize(svg: str, width: int) -> bytes:
        made.append(svg)
        return f"{width} {svg}".encode()

    object.__setattr__(api.context, "rasterize", rasterize)
    for token in (None, game.token(0), game.token(1)):
        svg = game.get("/board.svg", token).body
        assert board_png(game, token=token).body == b"1000 " + svg
        assert board_png(game, token=token).body == b"1000 " + svg
    assert len(made) == 3
    tag = board_png(game, token=game.token(0)).headers["etag"]
    assert board_png(game, token=game.token(0), If_None_Match=tag).status == 304
    assert board_png(game, token=game.token(1), If_None_Match=tag).status == 200
    assert board_png(game, "?as=1", game.token(0)).code == "forbidden"


def test_a_picture_says_how_large_it_is(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    assert b' width="1000" height="' in game.get("/board.svg").body
    assert b' width="600" height="' in game.get("/board.svg?shape=tall").body

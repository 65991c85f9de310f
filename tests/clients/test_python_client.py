"""The Python client against a real server: everything it can ask for, with an event loop and without."""

import asyncio
import runpy
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidHandshake

from services.core.web_push import from_base64url
from stele_client import AsyncGame, AsyncStele, FeedEvent, Player, Retries, Seal, Stele, SteleError
from stele_client._sync import line
from stele_client.calls import game_of_record
from tests.clients.roles import HOST, OPERATOR
from tests.servers import wait_until
from tests.system import stele as system
from tests.test_architecture import OURS, imports
from tests.worker.browser import Browser
from tests.worker.receiver import receiving

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "python"
TWO: list[Player] = [{"name": "Ann"}, {"name": "Ben"}]


@pytest.fixture
def stele(served: system.Stele) -> Iterator[Stele]:
    with Stele(served.url) as client:
        yield client


@pytest.fixture
def host(served: system.Stele) -> Iterator[Stele]:
    with Stele(served.url, HOST) as client:
        yield client


def wait_for(true: Callable[[], bool]) -> None:
    wait_until(true, "the server to have done its work")


# -- one body of logic --------------------------------------------------------------------------------------------------


def test_the_client_without_an_event_loop_is_made_of_the_one_with_it() -> None:
    for path, source in runpy.run_path(str(CLIENT / "make_sync.py"))["modules"]().items():
        assert path.read_text(encoding="utf-8") == source, (
            "make it again: python3 clients/python/make_sync.py"
        )


def test_the_client_knows_nothing_of_the_server() -> None:
    for module in (CLIENT / "src").rglob("*.py"):
        assert not OURS & set(imports(module.read_text(encoding="utf-8"))), module


# -- playing ------------------------------------------------------------------------------------------------------------


def test_a_seat_looks_asks_acts_and_is_refused_in_words(stele: Stele) -> None:
    table = stele.create("babel", TWO)
    ann, ben = table.players[0], table.players[1]
    seen = ann.look(actions=True)
    assert (seen.you, seen.status, seen.view and seen.view["players"][1]["hand"]) == (0, "playing", None)
    first = seen.to_act[0]
    player, other = table.players[first], table.players[1 - first]
    legal = player.actions()
    assert legal.actions
    assert player.check(legal.actions[0]).legal
    refused = other.check(legal.actions[0])
    assert (refused.legal, refused.code) == (False, "not_your_turn")
    with pytest.raises(SteleError, match="not_your_turn") as error:
        other.act(legal.actions[0])
    assert (error.value.status, error.value.is_temporary) == (409, False)
    done = player.act(legal.actions[0], decision=legal.decision, actions=True)
    assert done.version == legal.version + 1
    assert done.event
    assert done.event.data["action"]["type"] == legal.actions[0]["type"]
    with pytest.raises(SteleError, match="version_conflict") as error:
        player.act(legal.actions[0], version=legal.version)
    assert error.value.problem["version"] == done.version
    with pytest.raises(SteleError, match="decision_passed"):
        player.act(legal.actions[0], decision=legal.decision)
    assert {ann.token, ben.token} == {seat.token for seat in table.state.seats}


def test_several_actions_stop_at_the_first_refusal(stele: Stele) -> None:
    table = stele.create("babel", TWO)
    player = table.players[table.state.to_act[0]]
    action = player.actions().actions[0]
    done = player.act_in_order([action, {"type": "nonsense"}])
    assert (len(done.events), done.stopped and done.stopped.index) == (1, 1)


def test_the_same_key_gives_the_first_answer_again(stele: Stele) -> None:
    table = stele.create("aton", TWO, key="a-key-of-our-own-which-nobody-guesses")
    again = stele.create("aton", TWO, key="a-key-of-our-own-which-nobody-guesses")
    assert again.state == table.state
    player = table.players[0]
    action = player.actions().actions[0]
    assert player.act(action, key="once") == player.act(action, key="once")


def test_a_refusal_speaks_the_language_that_was_asked_for(served: system.Stele) -> None:
    with Stele(served.url, language="fr") as stele, pytest.raises(SteleError) as error:
        stele.game("nowhere").look()
    assert error.value.code == "game_not_found"
    assert "partie" in error.value.detail


def test_what_is_wrong_with_a_request_is_told_by_field(stele: Stele) -> None:
    with pytest.raises(SteleError, match="invalid_request") as error:
        stele.create("babel", [{"bot": "clever"}])
    assert "players" in str(error.value.errors)


# -- sitting down -------------------------------------------------------------------------------------------------------


def test_a_private_game_is_joined_and_watched_by_its_code(stele: Stele) -> None:
    table = stele.create("babel", [{"name": "Ann"}], seats=2, private=True)
    code = table.game.join_code
    assert code
    with pytest.raises(SteleError, match="game_not_found"):
        stele.game(table.game.id).look()
    ben = stele.join(table.game.id, "Ben", join_code=code)
    assert ben.look().you == 1
    guest = stele.game(table.game.id, join_code=code)
    assert guest.look().you is None
    ben.resign()
    types = [event.type for event in guest.follow()]
    assert types[-1] == "seat_withdrawn", "a guest sees all but the settlement"
    assert [event.type for event in ben.follow()][-1] == "game_settled"


def test_a_seat_is_left_and_a_bot_takes_it(stele: Stele) -> None:
    table = stele.create("babel", [{"name": "Ann"}], seats=2)
    ann = table.players[0]
    assert ann.sit(bot="random", seat=1) is ann
    assert [seat.bot for seat in ann.look().seats] == [None, "random"]
    open_table = stele.create("babel", [{"name": "Ann"}], seats=2)
    left = open_table.players[0].leave(0)
    assert open_table.players[0].leave(0) == left
    assert open_table.game.look().seats[0].name is None


def test_my_turns_opens_the_seal_when_it_is_time(served: system.Stele) -> None:
    async def sealed_game() -> str | None:
        async with AsyncStele(served.url) as stele:
            table = await stele.create("babel", seats=2)
            seats = [await stele.join(table.game.id, name, seal=Seal()) for name in ("Ann", "Ben")]
            assert (await table.game.look()).status == "sealing"

            async def one_turn(game: AsyncGame) -> None:
                async for turn in game.my_turns():
                    await (turn.play(turn.actions[0]) if turn.seat == 0 else turn.resign())

            await asyncio.gather(*map(one_turn, seats))
            return (await table.game.look()).fairness

    assert asyncio.run(sealed_game()) == "sealed"


@pytest.mark.parametrize("has_sockets", [True, False])
def test_a_turn_is_played_over_a_socket_and_without_one_by_a_request(
    has_sockets: bool, served: system.Stele, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    request = httpx.Client.request

    def noted(client: httpx.Client, method: str, path: str, **more: Any) -> httpx.Response:
        asked.append(f"{method} {path.rpartition('/')[2]}")
        return request(client, method, path, **more)

    monkeypatch.setattr(httpx.Client, "request", noted)
    if not has_sockets:
        monkeypatch.setattr(line, "connect", refuse_upgrade)
    with Stele(served.url) as stele:
        seat = stele.create("babel", TWO).players[0]
        turns = seat.my_turns()
        turn = next(turns)
        acted = turn.play(turn.actions[0])
        assert acted.actions is not None
        assert seat.look().version == acted.version
        turns.close()
    assert ("POST actions" in asked) is not has_sockets


def refuse_upgrade(*_: Any, **__: Any) -> Any:
    raise InvalidHandshake("no sockets here")


def test_a_ticket_that_is_refused_is_renewed_on_the_way(stele: Stele) -> None:
    table = stele.create("babel", TWO)
    given = ["0.0.0.worthless"]

    def tickets() -> str:
        return given.pop() if given else table.players[0].ticket()

    reader = stele.game(table.game.id, tickets=tickets)
    assert reader.look().you == 0
    given.append("0.0.0.worthless")
    with pytest.raises(SteleError, match="unauthorized"):
        stele.game(table.game.id, tickets=lambda: "0.0.0.worthless").look()
    table.players[1].resign()
    assert next(iter(table.players[0].read_only().frames())).view
    assert next(event.seq for event in reader.follow()) == 1


# -- following and looking back -------------------------------------------------------------------------------------------


def test_a_stream_is_taken_up_where_it_was_left(stele: Stele) -> None:
    table = stele.create("aton", TWO)
    ann = table.players[0]
    ann.act(ann.actions().actions[0])
    some = [event for event, _ in zip(ann.follow(), range(3), strict=False)]
    table.players[1].resign()
    rest = list(ann.follow(after=some[-1].seq))
    assert [event.seq for event in (*some, *rest)] == list(range(1, rest[-1].seq + 1))


def test_one_client_follows_many_games_at_once_and_still_acts(served: system.Stele) -> None:
    async def many() -> None:
        async with AsyncStele(served.url) as stele:
            table = await stele.create("babel", TWO)
            streams = [table.players[number % 2].frames() for number in range(130)]
            first_frames = await asyncio.gather(*map(anext, streams))
            assert {frame.version for frame in first_frames} == {table.state.version}
            await table.players[0].resign()
            for frame in await asyncio.gather(*map(anext, streams)):
                assert frame.event.type == "seat_withdrawn"
            await asyncio.gather(*(stream.aclose() for stream in streams))

    asyncio.run(asyncio.wait_for(many(), 120))


def test_text_that_looks_like_a_line_break_breaks_no_stream(host: Stele) -> None:
    players: list[Player] = [{"name": "Ann", "entropy": "tea\u2028leaves\x85"}, {"name": "Ben"}]
    table = host.create("babel", players)
    table.players[1].resign()
    frames = list(table.players[0].frames(after=0))
    assert frames[-1].event.type == "game_settled"
    assert any(frame.event.data.get("entropy") == "tea\u2028leaves\x85" for frame in frames)


def test_a_settled_game_can_be_replayed_checked_pictured_and_forked(
    stele: Stele, served: system.Stele
) -> None:
    table = stele.create("babel", TWO)

    async def play() -> None:
        async with AsyncStele(served.url) as there:
            await asyncio.gather(*(bot(there.game(one.id, one.token)) for one in table.players.values()))

    async def bot(game: AsyncGame) -> None:
        dice = Random(1)
        async for turn in game.my_turns():
            await turn.play(dice.choice(turn.actions))

    asyncio.run(play())
    events = list(table.game.follow())
    frames = list(table.game.replay())
    assert [frame.version for frame in frames] == [event.seq for event in events]
    assert table.game.frame(9, as_=1).view == next(iter(table.game.replay(9, 9, as_=1))).view
    assert table.game.board(9, as_="spectator", lang="fr", theme="dark").startswith("<svg")
    assert table.game.look(full=True).view
    record = table.game.record()
    assert stele.audit_record(record).verdict == table.game.audit().verdict == "pass"
    assert table.game.head().version == events[-1].seq
    assert [key["algorithm"] for key in stele.signing_keys()] == ["Ed25519"]
    fork = table.game.fork(9, TWO)
    wait_for(lambda: [one.id for one in table.game.forks()] == [fork.game.id])
    wait_for(lambda: table.game.id in map(game_of_record, stele.export(ruleset="babel")))
    shown = stele.oembed(f"{served.url}/g/{table.game.id}", max_width=400)
    assert (shown["type"], shown["width"]) == ("rich", 400)
    for version in (None, 9):
        assert table.game.picture(version, width=300).startswith(b"\x89PNG")
    assert table.game.proof().keys() == {"created", "settled"}


def test_an_export_goes_on_after_the_last_record(stele: Stele) -> None:
    games = [stele.create("aton", TWO) for _ in range(3)]
    for table in games:
        table.players[0].resign()
        list(table.game.follow())
    made = {table.game.id for table in games}
    wait_for(lambda: made <= {game_of_record(record) for record in stele.export(ruleset="aton")})
    order = [game_of_record(record) for record in stele.export(ruleset="aton")]
    rest = [game_of_record(record) for record in stele.export(ruleset="aton", after=order[0])]
    assert rest == order[1:]
    with pytest.raises(SteleError, match="invalid_request"):
        list(stele.export(after="nothing"))
    with pytest.raises(SteleError, match="store_unavailable"):
        game_of_record(b'{"code":"store_unavailable","detail":"Later.","status":503}')


def test_a_settled_game_is_reviewed_and_the_review_can_be_dropped(stele: Stele) -> None:
    table = stele.create("babel", TWO)
    mine = table.players[table.game.look().to_act[0]]
    mine.act(mine.actions().actions[0])
    table.players[1].resign()
    list(table.game.follow())
    with pytest.raises(SteleError) as none:
        table.game.review()
    assert none.value.code == "no_review"
    assert table.players[0].begin_review().status in ("waiting", "running")
    while (review := table.game.review()).status in ("waiting", "running"):
        time.sleep(0.25)  # it is made when nobody else wants the processor
    assert (review.status, review.progress) == ("done", 100)
    assert [len(decision.before) for decision in review.decisions] == [2]
    assert review.curve[-1].chances == [1000, 0]
    assert [seat.seat for seat in review.seats] == [0, 1]
    table.players[1].drop_review()
    with pytest.raises(SteleError):
        table.game.review()


def test_a_player_against_bots_gets_a_hint(stele: Stele) -> None:
    table = stele.create("babel", [{"name": "Ann"}, {"bot": "random"}], options={"begins": 0})
    ann = table.players[0]
    with pytest.raises(SteleError, match="no_hint"):
        ann.hint()
    assert ann.ask_for_hint().status == "waiting"
    while (hint := ann.hint(lang="fr")).status == "waiting":
        time.sleep(0.1)
    assert hint.action
    assert hint.label
    assert ann.check(hint.action).legal


def test_a_player_who_is_away_is_told_of_the_turn_and_of_the_end(stele: Stele) -> None:
    with receiving() as service:
        browser = Browser(service)
        table = stele.create("babel", TWO, options={"begins": 1})
        ann, ben = table.players[0], table.players[1]
        assert from_base64url(stele.push_key())
        ann.notify(browser.subscription, after_seconds=0)
        while 1 in (turn := ben.look(actions=True)).to_act:
            ben.act((turn.actions or [])[0])
        wait_for(lambda: [each["text"] for each in browser.messages] == ["Your turn in Babel against Ben"])
        ben.resign()
        wait_for(lambda: [each["type"] for each in browser.messages] == ["turn", "end"])
        other = stele.create("babel", TWO, options={"begins": 0}).players[0]
        other.notify(browser.subscription, after_seconds=600)
        other.stop_notifying()


# -- running games for others ---------------------------------------------------------------------------------------------


def test_lists_are_filtered_and_paged(host: Stele) -> None:
    made = []
    for _ in range(5):
        players: list[Player] = [{"name": "Ann", "ref": "pages-ann"}, {"name": "Ben", "ref": "pages-ben"}]
        made.append(host.create("babel", players, tags=["pages"]))
    for table in made:
        table.players[1].resign()
        list(table.game.follow())
    games = {table.game.id for table in made}
    wait_for(lambda: {result.game for result in host.results(tag="pages", player="pages-ben")} == games)
    assert {row.id for row in host.games(tag="pages", status="ended")} == games
    assert [row.id for row in host.games(tag="pages", to_act="pages-ann")] == []

    def standings() -> list[tuple[str, int, int]]:
        return [(one.ref, one.won, one.points) for one in host.standings(tag="pages")]

    wait_for(lambda: standings() == [("pages-ann", 5, 10), ("pages-ben", 0, 0)])  # they follow the results
    wait_for(lambda: {"pages-ann": 5, "pages-ben": 5}.items() <= rated(host).items())


def rated(host: Stele) -> dict[str, int]:
    """How many matches each player's rating is made of."""
    return {one.ref: one.played for one in host.ratings("babel", host="club")}


def test_every_item_comes_once_however_small_the_pages_are(
    host: Stele, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stele_client._sync.server.BATCH", 2)
    made = [host.create("babel", seats=2, tags=["small-pages"]).game.id for _ in range(5)]
    wait_for(lambda: len(list(host.games(tag="small-pages"))) == 5)
    assert [row.id for row in host.games(tag="small-pages")] == made[::-1]


def test_the_feed_goes_on_after_a_cursor(served: system.Stele) -> None:
    async def listen() -> None:
        async with AsyncStele(served.url, HOST) as host:
            feed = host.feed(tag="fed", types=["game_created", "game_ended"])
            hearing = asyncio.create_task(first(4, feed))
            while not hearing.done():
                table = await host.create("babel", TWO, tags=["fed"])
                await table.players[0].resign()
                await asyncio.wait([hearing], timeout=0.5)
            heard = hearing.result()
            assert {event.type for event in heard} == {"game_created", "game_ended"}
            missing = {event.id for event in heard[1:]}
            feed = host.feed(tag="fed", types=["game_created", "game_ended"], after=heard[0].cursor)
            async with aclosing(feed):
                while missing:  # order holds within a game alone
                    event = await anext(feed)
                    assert event.id != heard[0].id
                    missing.discard(event.id)

    asyncio.run(asyncio.wait_for(listen(), 60))


async def first(number: int, feed: AsyncGenerator[FeedEvent, None]) -> list[FeedEvent]:
    async with aclosing(feed):
        return [await anext(feed) for _ in range(number)]


def test_a_webhook_is_added_tested_listed_and_removed(host: Stele) -> None:
    with receiving() as receiver:
        hook = host.add_webhook(receiver.url, types=["game_ended"], tag="hooked")
        assert hook.secret
        sent = host.test_webhook(hook.id)
        wait_for(lambda: bool(receiver.taken))
        assert receiver.taken[0][0]["webhook-id"] == sent
        assert [one.state for one in host.webhooks() if one.id == hook.id] == ["active"]
        host.remove_webhook(hook.id)
        host.remove_webhook(hook.id)
        assert hook.id not in [one.id for one in host.webhooks()]


def test_a_host_renews_a_token_and_judges_and_calls_off(host: Stele, served: system.Stele) -> None:
    table = host.create("babel", TWO)
    renewed = table.game.renew_token(0)
    assert renewed.look().you == 0
    with pytest.raises(SteleError, match="unauthorized"):
        table.players[0].look()
    assert table.game.adjudicate([0], "Ben went home.").outcome
    waiting = host.create("babel", seats=2)
    assert waiting.game.abort().status == "aborted"
    with Stele(served.url, OPERATOR) as operator:
        running = host.create("babel", TWO)
        assert operator.game(running.game.id).abort().abort_reason == "by_operator"


def test_the_rulesets_are_listed_and_described(stele: Stele) -> None:
    names = {ruleset["id"] for ruleset in stele.rulesets()}
    assert names == {"aton", "babel", "sa_re", "temple_of_five"}
    assert stele.ruleset("aton")["sentences"]["fr"]
    assert stele.guide("aton", lang="fr")["language"] == "fr"
    assert all(lesson["id"] for lesson in stele.lessons("aton"))
    assert stele.example_board("aton", lang="en", theme="dark").startswith("<svg")


def test_a_server_that_is_not_there_is_told_as_an_error() -> None:
    with Stele("http://127.0.0.1:9", retries=Retries(seconds=0)) as nobody:
        assert not nobody.is_ready()
        with pytest.raises(SteleError) as error:
            nobody.rulesets()
    assert (error.value.code, error.value.status, error.value.is_temporary) == ("unreachable", None, True)

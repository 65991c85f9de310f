"""The Python client at the table: rematches, taking back, hand-overs, time and pauses."""

import asyncio
from collections.abc import Iterator

import pytest

from stele_client import AsyncStele, Clock, Event, NewGame, Player, SigningKey, Stele, SteleError
from stele_client.signing import before_latest_action
from tests.clients.roles import HOST
from tests.servers import wait_until
from tests.system import stele as system

TWO: list[Player] = [{"name": "Ann"}, {"name": "Ben"}]
RESERVE: Clock = {"turn_seconds": 600, "reserve_seconds": 60}


@pytest.fixture
def host(served: system.Stele) -> Iterator[Stele]:
    with Stele(served.url, HOST) as client:
        yield client


def test_a_seat_takes_back_its_latest_action(host: Stele) -> None:
    players = host.create("babel", TWO, takebacks=True, tags=["cup"]).players
    for _ in range(200):
        player = players[players[0].look().to_act[0]]
        acted = player.act(player.actions().actions[0])
        if acted.takeback is not None:
            break
    back = player.take_back(acted.takeback, version=acted.version)
    assert back.event
    assert (back.event.type, back.event.data["to"]) == ("taken_back", acted.takeback)
    with pytest.raises(SteleError, match="nothing_to_take_back"):
        player.take_back()


def test_players_pause_a_host_adds_time_and_hands_over(host: Stele) -> None:
    table = host.create("babel", TWO, clock=RESERVE)
    ann, ben = table.players[0], table.players[1]
    assert ann.pause().pause_agreed == [0]
    assert ann.pause().pause_agreed == [0], "a second time nothing happens"
    paused = ben.pause().paused
    assert paused
    assert paused["by"] == "players"
    assert ann.resume().paused is None
    assert table.game.add_time(1, 30).left == {0: 60_000, 1: 90_000}
    dora = table.game.hand_over(0, "Dora", ref="d-1")
    assert (dora.look().you, dora.look().seats[0].name) == (0, "Dora")
    code = ben.handover_code().code
    assert host.game(ben.id).take_over(1, code).token == ben.token
    emil = host.game(ben.id).take_over(1, ben.handover_code().code, "Emil")
    assert emil.look().seats[1].name == "Emil"
    with pytest.raises(SteleError, match="unauthorized"):
        ben.look()


def test_players_meet_again(host: Stele) -> None:
    table = host.create("babel", TWO)
    table.players[0].resign()
    assert table.players[1].rematch_status().game is None
    first = table.players[0].rematch(entropy="mine")
    status = table.players[1].rematch_status(wait=5)
    assert (status.game, status.asked) == (first.state.id, [0])
    second = table.players[1].rematch()
    assert (second.state.status, second.state.you, list(first.players)) == ("playing", 0, [1])
    assert first.game.look().you == 1
    every = host.game(table.game.id).rematch()
    assert (every.state.id, every.players) == (first.state.id, {})


def test_players_meet_again_in_an_event_loop(served: system.Stele) -> None:
    async def meet() -> tuple[str, str]:
        async with AsyncStele(served.url) as stele:
            table = await stele.create("babel", TWO)
            await table.players[1].resign()
            waiting = asyncio.create_task(table.players[0].rematch_status(wait=30))
            joined = await asyncio.gather(*(player.rematch() for player in table.players.values()))
            return str((await waiting).game), {each.state.id for each in joined}.pop()

    heard, met = asyncio.run(meet())
    assert heard == met


def test_a_host_creates_many_games_at_once(host: Stele) -> None:
    games: list[NewGame] = [{"key": f"many-{n}", "ruleset": "babel", "players": TWO} for n in range(3)]
    made = host.create_many(games)
    assert [each.players[1].look().you for each in made] == [1, 1, 1]
    assert [each.game.id for each in host.create_many(games)] == [each.game.id for each in made]
    with pytest.raises(SteleError, match="invalid_request") as error:
        host.create_many([games[0], {"key": "another", "ruleset": "chess"}])
    assert error.value.errors["json"]["items"]["1"]["code"] == "unknown_ruleset"


def test_a_seat_with_a_key_signs_all_that_it_does(host: Stele, served: system.Stele) -> None:
    table = host.create("babel", TWO, signed=True)
    ann, ben = table.players[0], table.players[1]
    for _ in range(200):
        player = ann if ann.look().to_act == [0] else ben
        acted = player.act_in_order([player.actions().actions[0]], actions=True)
        assert acted.events[0].data["signed"]
        if acted.takeback is not None:
            break
    back = player.take_back()
    assert back.event
    assert back.event.data["signed"]
    assert back.event.data["to"] == acted.version - 1
    other = ben if player is ann else ann
    with pytest.raises(SteleError, match="bad_signature"):
        host.game(player.id, player.token).act(player.actions().actions[0])
    again = host.game(player.id, player.token, signing_key=player.signing_key)
    assert again.act(player.actions().actions[0]).version == back.version + 1
    other.resign()
    wait_until(lambda: table.game.look().settled, "the game to be settled")
    verdicts = {check.check: check.verdict for check in table.game.audit().checks}
    assert verdicts["signatures"] == "pass"


def test_whoever_sits_down_takes_over_or_plays_again_can_bring_a_key(host: Stele) -> None:
    table = host.create("babel", seats=2)
    ann = host.join(table.game.id, "Ann", signing_key=SigningKey())
    ben = host.join(table.game.id, "Ben")
    dora = host.game(ben.id).take_over(1, ben.handover_code().code, "Dora", signing_key=SigningKey())
    for player in (ann, dora):
        assert player.signing_key
        same = host.game(player.id).take_over(
            player.look().you or 0, player.handover_code().code, signing_key=player.signing_key
        )
        assert same.token == player.token
    dora.resign()
    first = ann.rematch(signing_key=SigningKey()).game
    dora.rematch()
    turn = next(first.my_turns()) if first.look().to_act == [1] else None
    assert turn is None or turn.play(turn.actions[0]).event
    first.resign()


def test_the_latest_action_that_stands_is_found_among_take_backs() -> None:
    def event(seq: int, kind: str, to: int = 0) -> Event:
        data = {"to": to}
        return Event(seq=seq, type=kind, at="", actor={}, data=data, game="", prev="", hash="")

    acts = [event(5, "action_taken"), event(6, "time_added"), event(7, "action_taken")]
    assert before_latest_action(4, []) is None
    assert before_latest_action(4, acts) == 6
    assert before_latest_action(4, [*acts, event(8, "taken_back", 6)]) == 4
    assert before_latest_action(4, [*acts, event(8, "taken_back", 5), event(9, "action_taken")]) == 8

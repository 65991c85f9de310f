"""Lists by host, tag, player and who is to act: each wish has lists of its own, so a page reads what it shows."""

from typing import Any

import msgspec
import pytest

from events import commands
from events.keys import partition_key, partitions
from projections.list_query import ANY, ListQuery
from projections.lists import CHUNK, ROUNDS, ListPosition, Lists
from projections.rebuild import Rebuild
from tests.worker.house import House

PLAYERS = (None, None)


def create(
    house: House, host: str | None = "club", tags: Any = (), refs: Any = ("ada", "ben"), **more: Any
) -> str:
    """A game of Babel that is played."""
    game = house.create("babel", PLAYERS, host=host, tags=tuple(tags), refs=refs, **more)
    house.workshop.project([game])
    return game


def finish(house: House, game: str, loser: int = 0) -> str:
    """A player gives up, and the game is settled."""
    house.ledger.change(
        game, lambda batch, _: commands.withdraw(batch, loser, "resigned", {"seat": loser}, house.rulesets)
    )
    house.workshop.settle(game)
    house.workshop.project([game])
    return game


def lobby(house: House, **wanted: Any) -> set[str]:
    return {row.id for row in Lists(house.client).lobby(ListQuery(**wanted), None, 100).items}


def results(house: House, **wanted: Any) -> set[str]:
    return {row.game for row in Lists(house.client).results(ListQuery(**wanted), None, 100).items}


def test_games_are_found_by_host_tag_and_player(house: House) -> None:
    cup = create(house, tags=["cup", "spring"])
    plain = create(house, refs=("cleo", "ada"))
    school = create(house, "school", tags=["cup"])
    assert lobby(house) == {cup, plain, school}
    assert lobby(house, host="club") == {cup, plain}
    assert lobby(house, tag="cup") == {cup, school}
    assert lobby(house, tag="cup", host="club") == {cup}
    assert lobby(house, tag="cup", player="cleo") == set()
    assert lobby(house, status="playing", ruleset="babel", tag="spring") == {cup}
    assert lobby(house, status="open", tag="cup") == lobby(house, ruleset="aton", host="club") == set()


def test_a_ref_belongs_to_the_host_that_gave_it(house: House) -> None:
    club, school = create(house), create(house, "school")
    assert lobby(house, player="ada") == {club, school}
    assert lobby(house, player="ada", giver="club") == {club}
    assert lobby(house, player="ada", giver="school") == {school}
    assert lobby(house, player="ada", giver="nobody") == set()


def test_who_is_to_act_is_listed_as_the_game_goes_on(house: House) -> None:
    game = create(house)
    names = ["ada", "ben"]
    for _ in range(6):
        to_act = house.game(game).to_act
        for seat, name in enumerate(names):
            assert lobby(house, to_act=name, giver="club") == ({game} if seat in to_act else set())
        house.act(game, to_act[0])
        house.workshop.project([game])
    finish(house, game)
    assert lobby(house, to_act="ada") == lobby(house, to_act="ben") == set()


def test_private_games_are_listed_to_their_host_and_to_operators_alone(house: House) -> None:
    public = create(house, tags=["cup"])
    private = create(house, tags=["cup"], private=True)
    others = create(house, "school", tags=["cup"], private=True)
    for wish in ({}, {"tag": "cup"}, {"player": "ada"}, {"status": "playing"}, {"ruleset": "babel"}):
        assert lobby(house, **wish) == {public}
        assert lobby(house, private_of="club", **wish) == {public, private}
        assert lobby(house, private_of=ANY, **wish) == {public, private, others}
    assert lobby(house, private_of="club", host="school") == set()
    assert lobby(house, private_of="club", host="club") == {public, private}
    assert lobby(house, private_of=ANY, host="school") == {others}
    for game in (public, private, others):
        finish(house, game)
    for wish in ({}, {"tag": "cup"}, {"player": "ada"}, {"ruleset": "babel"}):
        assert results(house, **wish) == {public}
        assert results(house, private_of="club", **wish) == {public, private}
        assert results(house, private_of=ANY, **wish) == {public, private, others}


@pytest.mark.parametrize("trick", ["*:private", "babel:private", "*:private:host=school", "%2A"])
def test_no_wish_names_a_list_of_private_games(house: House, trick: str) -> None:
    create(house, "school", private=True)
    for name in ("ruleset", "host", "tag", "player", "to_act"):
        assert lobby(house, **{name: trick}) == lobby(house, private_of="club", **{name: trick}) == set()


def test_results_are_found_by_ruleset_host_tag_and_player(house: House) -> None:
    cup = finish(house, create(house, tags=["cup"]))
    plain = finish(house, create(house, refs=("cleo", None)))
    assert results(house, ruleset="babel") == {cup, plain}
    assert results(house, ruleset="aton") == set()
    assert results(house, tag="cup", host="club", ruleset="babel") == {cup}
    assert (
        results(house, player="cleo") == results(house, player="cleo", giver="club", host="club") == {plain}
    )
    assert results(house, to_act="ada") == set()


def copies(house: House, game: str, count: int) -> None:
    """As many further results of others as there is time for: copied rows of one, with its lists."""
    row = house.client.hget(partition_key(game[:2], "results"), game)
    for number in range(count):
        other = f"{number % 16:02d}-{number:026d}"
        house.client.hset(partition_key(other[:2], "results"), other, row)
        for name in ("results:order", "results:order:ruleset=babel", "results:order:host=club"):
            house.client.zadd(partition_key(other[:2], name), {other: 10**13 + number})


def rows_read(house: House, **wanted: Any) -> tuple[int, int]:
    """How many places and how many rows a page of five takes, as the store has counted them."""

    def counted() -> tuple[int, int]:
        stats: Any = house.client.info("commandstats")
        places, rows = (stats.get(f"cmdstat_{name}", {"calls": 0}) for name in ("zrevrangebyscore", "hget"))
        return places["calls"], rows["calls"]

    lists = Lists(house.client)
    lists.results(ListQuery(**wanted), None, 5)
    places, rows = counted()
    lists.results(ListQuery(**wanted), None, 5)
    places_now, rows_now = counted()
    return places_now - places, rows_now - rows


@pytest.mark.parametrize("wish", [{"player": "ada"}, {"tag": "cup"}, {"ruleset": "babel"}, {"host": "club"}])
def test_a_page_of_results_reads_what_it_shows_however_many_there_are(house: House, wish: Any) -> None:
    game = finish(house, create(house, tags=["cup"]))
    for _ in range(6):
        finish(house, create(house, tags=["cup"]))
    few = rows_read(house, **wish)
    copies(house, game, 1000)
    assert rows_read(house, **wish) == few == (len(partitions()), 6)


def test_wishes_that_no_one_list_answers_look_through_some_rows_and_tell_where_to_go_on(house: House) -> None:
    game = finish(house, create(house, tags=["cup"]))
    copies(house, game, 2 * CHUNK * ROUNDS)
    lists = Lists(house.client)
    for partition in partitions():  # as if the thousands were older games of ada's without the tag
        house.client.zunionstore(
            partition_key(partition, "results:order:player=*/ada"),
            [partition_key(partition, "results:order")],
        )
    wanted, pages = ListQuery(player="ada", tag="spring"), 0
    place: ListPosition | None = None
    while True:
        batch = lists.results(wanted, place, 5)
        pages, place = pages + 1, batch.next
        assert batch.items == []
        if place is None:
            break
    assert 2 <= pages <= 4


def test_games_that_an_earlier_version_has_listed_are_found_before_and_after_a_rebuild(house: House) -> None:
    game = finish(house, create(house, host=None))
    partition = game[:2]
    kept = {"lobby:*:*", "lobby:rows", "results:order", "results"}
    for key in list(house.client.scan_iter(partition_key(partition, "*"))):
        name = key.decode().split("}:")[1]
        if name.startswith(("lobby", "results", "lists")) and name not in kept:
            house.client.delete(key)
    for name in ("lobby:rows", "results"):
        row: Any = house.client.hget(partition_key(partition, name), game)
        house.client.hset(
            partition_key(partition, name), game, without(row, "about", "tags", "givers", "clock")
        )
    for _ in range(2):
        assert lobby(house, player="ada", status="ended") == results(house, player="ada") == {game}
        assert results(house, player="zoe") == results(house, ruleset="aton") == set()
        run = Rebuild(house.ledger.store, house.projections)
        assert all(problem is None for _, problem in run.run(run.survey()))


def without(row: bytes, *names: str) -> bytes:
    members = msgspec.json.decode(row)
    return msgspec.json.encode({name: value for name, value in members.items() if name not in names})

"""Everything that is read can be deleted and comes back from the logs, the same to the last byte."""

from typing import Any

from click.testing import CliRunner
from redis import Redis

from events import commands
from events.batch import IdempotencyKey
from events.entries import body_hash, request_key
from events.keys import game_key, keys_of, partition_key, partition_of
from projections.list_query import ANY, ListQuery
from projections.lists import Lists
from projections.rebuild import Rebuild
from projections.standings import STANDINGS_PREFIX, Standing, group
from services.cli.commands.rebuild import rebuild
from services.core.ledger import Repeat
from tests.servers import ValkeyCluster, ValkeyServer
from tests.worker.house import House

TRUTH = (b":log", b":secrets", b":people")
FLEETING = (
    b"rq:",
    b"stele:claim:",
    b"stele:failures:",
    b"stele:{standings}:pool:",
)  # the last has a revision


def contents(client: Any) -> dict[bytes, Any]:
    """Everything in the store but queues and feeds, which nobody reads twice."""
    values = {}
    for key in client.scan_iter():
        if not key.startswith(FLEETING) and not key.endswith(b":feed"):
            values[key] = read(client, key)
    return values


def read(client: Any, key: bytes) -> Any:
    match client.type(key):
        case b"hash":
            return client.hgetall(key)
        case b"set":
            return client.smembers(key)
        case b"zset":
            return client.zrange(key, 0, -1, withscores=True)
        case b"stream":
            return client.xrange(key)
    return client.get(key)


def furnish(house: House) -> list[str]:
    """Games of every kind: settled with results, aborted, private, open, with a clock, owing a bot's move."""
    games = [
        house.create("babel", (None, None), refs=("ada", "ben"), host="club", tags=("cup",)),
        house.create(bots=("random",) * 3),
        house.create(bots=(None,) * 3, private=True),
        house.create(bots=(None,) * 3, seated=1, refs=("ada", None, None)),
        house.create("aton", (None, None), clock=3600, refs=("ben", "cleo")),
        house.create(bots=(None, None, None)),
    ]
    house.ledger.change(
        games[0],
        lambda batch, _: commands.withdraw(batch, 0, "resigned", {"seat": 0}, house.rulesets),
        idempotency_key=CALL,
    )
    house.ledger.change(games[5], lambda batch, _: commands.abort(batch, {"operator": True}, "by_operator"))
    house.run()
    waiting = house.create(bots=("random", None, None))
    house.workshop.project([waiting])  # and no worker comes
    house.clear_queue()
    return [*games, waiting]


CALL = IdempotencyKey(request_key("0", "a key of the player"), body_hash(None))


def rebuild_all(house: House, *names: str) -> None:
    run = Rebuild(house.ledger.store, house.projections, *([names] if names else []))
    assert all(problem is None for _, problem in run.run(run.survey()))


def delete_all_but_the_truth(client: Any) -> None:
    for key in list(client.scan_iter()):
        if not key.endswith(TRUTH):
            client.delete(key)


def test_all_but_logs_secrets_and_people_can_be_deleted_and_rebuilt(house: House) -> None:
    furnish(house)
    before = contents(house.client)
    assert len(before) > 40
    delete_all_but_the_truth(house.client)
    rebuild_all(house)
    assert contents(house.client) == before


def test_after_a_rebuild_lists_retries_and_owed_work_are_what_they_were(house: House) -> None:
    games = furnish(house)
    lists = Lists(house.client)

    def answers() -> Any:
        return (
            lists.lobby(ListQuery(), None, 100),
            lists.lobby(ListQuery(private_of=ANY), None, 100),
            lists.lobby(ListQuery(status="open"), None, 100),
            lists.lobby(ListQuery(player="ada"), None, 100),
            lists.lobby(ListQuery(to_act="ben"), None, 100),
            lists.results(ListQuery(), None, 100),
            lists.results(ListQuery(tag="cup", host="club", player="ada", giver="club"), None, 100),
            house.projections.standings.page(group(), None, 100),
            house.projections.standings.page(group("babel", "club", "cup"), None, 100),
            sorted(house.projections.todo()),
            [house.projections.load(game).snapshot for game in games],
        )

    before = answers()
    delete_all_but_the_truth(house.client)
    again = house.ledger.change(
        games[0],
        lambda batch, _: commands.withdraw(batch, 0, "resigned", {"seat": 0}, house.rulesets),
        idempotency_key=CALL,
    )
    assert isinstance(again, Repeat), "the index of retries is rebuilt when it is missed"
    rebuild_all(house)
    assert answers() == before
    house.projector.feeds.join()
    house.sweeper.sweep()
    house.run()
    assert 0 not in house.game(games[-1]).to_act, "the bot that was owed a move has made it"


def test_what_no_log_supports_is_deleted(house: House) -> None:
    furnish(house)
    before = contents(house.client)
    ghost = "03-" + "0" * 26
    for name in ("todo", "stuck", "lobby:rows", "lobby:facets", "results", "results:lists", "results:scored"):
        house.client.hset(partition_key("03", name), ghost, "[]")
    for name in ("deadlines", "lobby:*:*", "lobby:player:nobody", "results:order"):
        house.client.zadd(partition_key("03", name), {ghost: 1})
    for name in ("dirty", "failed_audits"):
        house.client.sadd(partition_key("03", name), ghost)
    house.client.hset(f"{STANDINGS_PREFIX}totals:{group()}", "club nobody", "7:7:7:7::0")
    house.client.zadd(f"{STANDINGS_PREFIX}order:{group()}", {"club nobody": -7})
    house.client.zadd(partition_key("03", "results:order:tag=cup"), {ghost: 1})
    house.client.hset(game_key(ghost, "snapshot"), "version", 1)
    house.client.hset(game_key(ghost, "retries"), "#", 1)
    rebuild_all(house)
    assert contents(house.client) == before


def test_what_is_wrong_is_put_right(house: House) -> None:
    games = furnish(house)
    before = contents(house.client)
    partition = partition_of(games[0])
    house.client.hset(game_key(games[0], "snapshot"), "body", "{}")
    house.client.hset(partition_key(partition, "results"), games[0], "{}")
    house.client.hset(f"{STANDINGS_PREFIX}totals:{group('babel')}", "club ada", "9:9:9:9::0")
    house.client.hset(keys_of(games[0]).retries, "ab" * 32, "1:1:forged")
    house.client.hdel(partition_key(partition, "lobby:rows"), games[0])
    rebuild_all(house)
    assert contents(house.client) == before


def test_one_projection_can_be_rebuilt_alone(house: House) -> None:
    games = furnish(house)
    before = contents(house.client)
    house.client.delete(f"{STANDINGS_PREFIX}scored", f"{STANDINGS_PREFIX}order:{group('babel')}")
    house.client.hset(keys_of(games[0]).retries, "ab" * 32, "1:1:forged")
    rebuild_all(house, "results")
    assert house.client.hdel(keys_of(games[0]).retries, "ab" * 32) == 1, "the index of retries was left alone"
    assert contents(house.client) == before


def test_a_game_created_during_a_rebuild_stays_in_the_lists(house: House) -> None:
    furnish(house)
    run = Rebuild(house.ledger.store, house.projections)
    survey = run.survey()
    late = house.create(bots=(None,) * 3)
    house.workshop.project([late])
    before = contents(house.client)
    for _ in run.run(survey):
        pass
    assert contents(house.client) == before


def test_a_result_whose_settlement_was_lost_is_taken_back(house: House) -> None:
    """A failover can lose the last entries of a log: then the game is to be settled again, and counts once."""
    game = furnish(house)[0]

    def standings(ruleset: str) -> list[Standing]:
        return house.projections.standings.page(group(ruleset), None, 100).items

    house.rewrite(game, lambda fields: None if b'"game_settled"' in fields[b"e"] else fields)
    house.ledger._cache.forget(game)
    house.workshop.project([game])
    assert standings("babel") == []
    house.run()
    house.check_done(game)
    assert [one.played for one in standings("babel")] == [1, 1]


def test_a_broken_log_is_told_and_hinders_no_other(house: House, url: str) -> None:
    games = [house.create("babel", (None, None)) for _ in range(3)]
    house.run()
    house.client.xadd(keys_of(games[1]).stream, {"e": "{}", "h": "0"}, id="999-0")
    for game in games:
        house.client.delete(partition_key(partition_of(game), "lobby:rows"))
    said = CliRunner().invoke(rebuild, env={"STELE_STORE_URL": url})
    assert said.exit_code == 1
    assert said.output == f"{games[1]} cannot be rebuilt: MalformedEntry\n2 games rebuilt, 1 broken\n"
    assert house.projections.stuck() == {games[1]: "rebuild: MalformedEntry"}
    listed = Lists(house.client).lobby(ListQuery(), None, 100).items
    assert {row.id for row in listed} == {games[0], games[2]}


def test_one_game_can_be_rebuilt_alone(url: str) -> None:
    with Redis.from_url(url) as client:
        client.flushall()
        house = House(client, client)
        game = house.create("babel", ("greedy", "greedy"))
        other = house.create("babel", (None, None))
        house.run()
        before = contents(client)
        client.delete(game_key(game, "snapshot"), game_key(other, "snapshot"), keys_of(game).retries)
        said = CliRunner().invoke(rebuild, ["--game", game], env={"STELE_STORE_URL": url})
        assert (said.exit_code, said.output) == (0, "1 game rebuilt\n")
        after = contents(client)
        assert after.keys() == before.keys() - {game_key(other, "snapshot").encode()}
        assert all(after[key] == before[key] for key in after)


def test_a_game_that_is_not_there_is_refused(url: str) -> None:
    said = CliRunner().invoke(rebuild, ["--game", "nothing"], env={"STELE_STORE_URL": url})
    assert said.exit_code == 1
    assert "There is no game nothing." in said.output


def test_it_works_on_a_cluster(valkey_cluster: ValkeyCluster, store: ValkeyServer) -> None:
    with valkey_cluster.client() as cluster, store.client() as queue:
        queue.flushall()
        cluster.flushall()
        house = House(cluster, queue)
        furnish(house)
        before = contents(cluster)
        delete_all_but_the_truth(cluster)
        rebuild_all(house)
        assert contents(cluster) == before
        cluster.disconnect_connection_pools()

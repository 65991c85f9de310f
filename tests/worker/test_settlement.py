"""Settlement: once, whoever does it and however often; whatever the audit finds."""

import json
from threading import Thread

import pytest

from events import commands
from events.canonical import canonical
from games.kernel import Registry
from projections.list_query import ListQuery
from projections.lists import Lists
from projections.pending_work import PendingWork
from services.worker.settlement import settle_game
from tests.worker.house import House


def ended(house: House) -> str:
    """A game that has ended and waits for its settlement."""
    game = house.create(bots=(None,) * 3, refs=("a", "b", "c"))
    while house.game(game).to_act:
        house.act(game, house.game(game).to_act[0])
    return game


def test_a_settled_game_tells_its_seed_its_outcome_and_its_audit(house: House) -> None:
    game = ended(house)
    house.run()
    house.check_done(game)
    *_, last, settled = house.log(game)
    assert settled.entry.actor == {"system": "worker"}
    assert settled.data.seed == house.ledger.get(game).server_seed.hex()
    assert settled.data.outcome == last.data.facts[-1]["outcome"]
    assert settled.data.audit["head"] == {"seq": last.seq, "hash": last.hash}
    assert {check["check"] for check in settled.data.audit["checks"]} == {
        "chain", "schema", "commitment", "random", "facts", "states", "components", "outcome", "clocks",
    }  # fmt: skip


def test_it_is_settled_once_however_often_it_is_asked_for(house: House) -> None:
    game = ended(house)
    assert [settle_game(house.ledger, game) for _ in range(3)] == [True, False, False]
    house.workshop.settle(game)
    house.check_done(game)


def test_workers_that_settle_at_the_same_time_settle_once(house: House) -> None:
    game = ended(house)
    workers = [House(house.client, house.queue.connection) for _ in range(8)]
    threads = [Thread(target=worker.workshop.settle, args=(game,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    house.run()
    house.check_done(game)


def test_a_game_that_goes_on_is_not_settled(house: House) -> None:
    game = house.create(bots=(None,) * 3)
    assert not settle_game(house.ledger, game)
    assert "game_settled" not in house.types(game)


def test_a_token_renewed_during_the_audit_is_audited_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ended(house)
    host = House(house.client, house.queue.connection)
    fault = "services.worker.settlement.crash_point"
    renewed: list[object] = []

    def renew(_: str) -> None:
        if not renewed:
            renewed.append(
                host.ledger.change(game, lambda batch, _: commands.renew_token(batch, {"operator": True}, 0))
            )

    monkeypatch.setattr(fault, renew)
    assert settle_game(house.ledger, game)
    house.check_done(game)
    *_, token, settled = house.log(game)
    assert token.entry.type == "seat_token_renewed"
    assert settled.data.audit["head"]["seq"] == token.seq


def test_a_game_called_off_is_settled_without_an_outcome(house: House) -> None:
    game = house.create(bots=(None,) * 3)
    house.act(game, 0)
    house.ledger.change(game, lambda batch, _: commands.abort(batch, {"operator": True}, "by_operator"))
    house.run()
    house.check_done(game)
    assert house.log(game)[-1].data.outcome is None


def forge(house: House, game: str) -> None:
    """Change the first move of a log."""

    def change(fields: dict[bytes, bytes]) -> dict[bytes, bytes]:
        entry = json.loads(fields[b"e"])
        if entry["seq"] == 6:
            entry["data"]["action"]["card"] = 9
        return {**fields, b"e": canonical(entry)}

    house.rewrite(game, change)


def results(house: House) -> list[str]:
    listed = Lists(house.client).results(ListQuery(), None, 100)
    return [result.game for result in listed.items]


def test_a_failed_audit_is_settled_too_told_and_kept_out_of_results(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    game, fair = ended(house), ended(house)
    forge(house, game)
    house.run()
    settled = house.game(game).settled
    assert settled
    assert settled.audit["verdict"] == "fail"
    assert house.types(game).count("game_settled") == 1
    assert house.projections.failed_audits() == [game]
    assert "the audit of a game failed" in caplog.text
    assert results(house) == [fair]


def test_a_worker_without_the_rules_leaves_the_settlement_owed(house: House) -> None:
    game = ended(house)
    house.hear()
    house.workshop.project([game])
    ignorant = House(house.client, house.queue.connection, Registry([]))
    ignorant.work()
    assert "game_settled" not in house.types(game)
    assert dict(house.projections.todo()) == {game: [PendingWork("settle")]}
    assert "Ruleset 'lanterns' version 1 is not here" in house.projections.stuck()[game]
    house.forget_claims()
    house.sweeper.sweep()
    house.run()
    house.check_done(game)
    assert house.projections.stuck() == {}

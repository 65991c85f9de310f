"""Reviews: made a while at a time, once, whoever is killed over them; given up if they cannot be made; cancelled at a word."""

import json
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from events import commands
from projections.rebuild import Rebuild
from projections.reviews import ReviewStatus, review_key
from replays.review.report import review_tag
from services.core.archive import FileArchive
from services.core.archivist import Archivist
from services.worker import review_job
from services.worker.lease import hold_lease
from services.worker.queue import CLAIM_SECONDS
from tests.servers import ValkeyServer, wait_until
from tests.worker.house import House, processes
from tests.worker.slow_thinker import NOTES, SECONDS, few_steps


def settled(house: House, ruleset: str = "lanterns", bots: Any = (None,) * 3, moves: int = 4) -> str:
    """A game of a few moves that was given up, and settled."""
    game = house.create(ruleset, bots)
    for _ in range(moves):
        house.act(game, house.game(game).to_act[0])
    for seat in range(len(bots) - 1):
        withdraw(house, game, seat)
    house.run()
    house.check_done(game)
    return game


def withdraw(house: House, game: str, seat: int) -> None:
    house.ledger.change(
        game, lambda batch, _: commands.withdraw(batch, seat, "resigned", {"seat": seat}, house.rulesets)
    )


def found(house: House, game: str) -> ReviewStatus | None:
    return house.projections.reviews.find(game, review_tag(house.game(game).hash))


def body_of(house: House, game: str) -> bytes:
    review = found(house, game)
    assert review
    assert review.body, review
    return review.body


def sweep(house: House) -> None:
    house.forget_claims()
    house.sweeper.look_at_reviews()


def make(house: House, game: str) -> bytes:
    """Have a review made from its beginning to its end."""
    house.projections.reviews.begin(game, "somebody")
    sweep(house)
    house.work()
    return body_of(house, game)


@pytest.fixture
def house(store: ValkeyServer) -> Any:
    with Redis.from_url(store.url) as client:
        client.flushall()
        yield House(client, client)


def test_a_review_is_waiting_then_running_then_done(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = settled(house)
    assert found(house, game) is None
    house.projections.reviews.begin(game, "somebody")
    assert found(house, game) == ReviewStatus("waiting", 0)
    monkeypatch.setattr(review_job, "REVIEW_TURN_SECONDS", 0.0)
    assert review_job.continue_review(house.ledger, house.queue, game)
    running = found(house, game)
    assert running
    assert (running.status, running.progress > 0) == ("running", True)
    sweep(house)
    house.work()
    assert json.loads(body_of(house, game))["version"] == house.game(game).version
    assert house.projections.reviews.under_way() == {}


def test_pieces_of_a_review_give_the_same_bytes_as_the_whole(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = settled(house)
    whole = make(house, game)
    house.projections.reviews.remove(game)
    monkeypatch.setattr(review_job, "REVIEW_TURN_SECONDS", 0.0)
    assert make(house, game) == whole


def test_a_review_that_was_rebuilt_is_the_same_bytes(house: House) -> None:
    game = settled(house)
    whole = make(house, game)
    rebuild = Rebuild(house.ledger.store, house.projections)
    assert [each.problem for each in rebuild.run(rebuild.survey())] == [None]
    assert found(house, game) is None
    assert make(house, game) == whole


def test_one_job_at_a_time_is_asked_for(house: House) -> None:
    game = settled(house)
    for _ in range(3):
        house.projections.reviews.begin(game, "somebody")
        house.sweeper.look_at_reviews()
    assert house.queue.reviews.count == 1
    house.queue.begin("review", game)
    house.clear_queue()
    house.sweeper.look_at_reviews()
    assert house.queue.reviews.count == 0, "somebody is at it"


def test_a_cancelled_review_is_left_at_its_next_step(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = settled(house)
    reviews = house.projections.reviews
    reviews.begin(game, "somebody")
    kept = reviews.keep_step

    def cancel_after_the_second(*arguments: Any) -> bool:
        if len(reviews.steps(game)) == 2:
            reviews.remove(game)
        return kept(*arguments)

    monkeypatch.setattr(reviews, "keep_step", cancel_after_the_second)
    assert not review_job.continue_review(house.ledger, house.queue, game)
    assert found(house, game) is None
    assert not house.client.exists(review_key(game))


def test_who_works_on_a_cancelled_review_does_not_write_into_the_next(house: House) -> None:
    game = settled(house)
    reviews = house.projections.reviews
    reviews.begin(game, "somebody")
    old = reviews.run(game)
    assert old
    reviews.remove(game)
    reviews.begin(game, "somebody else")
    assert not reviews.keep_step(game, old, 5, b"{}", 50)
    assert not reviews.finish(game, old, "tag", b"{}")
    assert found(house, game) == ReviewStatus("waiting", 0)


def test_a_review_that_cannot_be_made_is_told_as_failed_and_can_be_asked_for_again(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = settled(house)
    house.projections.reviews.begin(game, "somebody")

    def no_steps(*_: Any) -> Any:
        raise RuntimeError("seat 0 holds a 4")

    with monkeypatch.context() as patch:
        patch.setattr(review_job, "steps", no_steps)
        assert not review_job.continue_review(house.ledger, house.queue, game)
    assert found(house, game) == ReviewStatus("failed", 0)
    assert house.projections.reviews.under_way() == {}
    assert "a review cannot be made" in caplog.text
    assert "holds a 4" not in caplog.text
    assert make(house, game)


def test_a_step_that_kills_whoever_tries_it_is_given_up(house: House) -> None:
    game = settled(house)
    house.projections.reviews.begin(game, "somebody")
    for _ in range(review_job.MAX_STEP_TRIES):
        house.projections.reviews.begins(game)
    assert not review_job.continue_review(house.ledger, house.queue, game)
    assert found(house, game) == ReviewStatus("failed", 0)


def test_a_review_gives_way_to_whatever_else_waits(house: House) -> None:
    game = settled(house)
    house.projections.reviews.begin(game, "somebody")
    house.queue.expire(game)
    assert review_job.continue_review(house.ledger, house.queue, game)
    assert len(house.projections.reviews.steps(game)) == 1


def test_two_workers_are_not_at_one_review_together(house: House) -> None:
    game = settled(house)
    house.projections.reviews.begin(game, "somebody")
    with hold_lease(house.queue, "review", game) as ours:
        assert ours
        house.workshop.review(game)
        assert found(house, game) == ReviewStatus("waiting", 0)
    house.workshop.review(game)
    assert body_of(house, game)


def test_a_job_that_comes_late_leaves_a_review_as_it_is(house: House) -> None:
    game = settled(house)
    whole = make(house, game)
    house.workshop.review(game)
    assert body_of(house, game) == whole


def test_a_game_in_the_archive_is_reviewed_like_any_other(house: House, tmp_path: Any) -> None:
    game = settled(house)
    whole = make(house, game)
    house.ledger.store.archive = FileArchive(tmp_path)
    Archivist(house.ledger, house.ledger.store.archive).move(game)
    assert body_of(house, game) == whole, "it stays where it is"
    house.projections.reviews.remove(game)
    assert make(house, game) == whole


def let_the_seconds_pass(house: House, game: str) -> None:
    """What a killed process holds fades by itself; here, soon."""
    for key in (f"stele:claim:review:{game}", f"stele:held:review:{game}"):
        assert 0 < house.queue.connection.pttl(key) <= CLAIM_SECONDS * 1000
        house.queue.connection.delete(key)


def test_whoever_is_killed_in_the_middle_is_gone_on_from(
    house: House, store: ValkeyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a process that asks for it and another that makes it, one at a time; and it is under way no more once it is done."""
    monkeypatch.setattr(review_job, "steps", few_steps)
    game = settled(house, "babel", (None, None), moves=3)
    whole, reviews = make(house, game), house.projections.reviews
    reviews.remove(game)
    reviews.begin(game, "somebody")
    with processes(store.url, **{NOTES: str(tmp_path / "thoughts"), SECONDS: "600"}) as group:
        sweep(house)
        assert (
            group.wait_for_death(group.start("slow thinker", STELE_FAULT="in the middle of a review")) == 86
        )
        assert found(house, game) == ReviewStatus("waiting", 0)
        let_the_seconds_pass(house, game)
        house.sweeper.look_at_reviews()
        doomed = group.start("slow thinker")
        wait_until(lambda: len(reviews.steps(game)) == 1, "a step")
        group.kill(doomed)
        house.workshop.review(game)
        house.sweeper.look_at_reviews()
        assert (len(reviews.steps(game)), house.queue.reviews.count) == (1, 0), "somebody seems to be at it"
        let_the_seconds_pass(house, game)
        group.start("slow thinker", **{SECONDS: "0"})
        group.start("projector")
        wait_until(lambda: not reviews.under_way(), "the review")
    assert body_of(house, game) == whole

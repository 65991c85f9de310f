"""The lessons: every move that they ask for or script is legal, and every claim of theirs is true."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from games import RULESETS
from games.kernel import BOT_LEVELS, Claim, Lesson, Ruleset
from games.words import LANGUAGES
from tests.games.lessons import LessonPlayer, fits
from tests.games.test_guides import GUIDED, figures, guide_of

SEEDS = [sha256(f"lesson {number}".encode()).digest() for number in range(3)]
"""A lesson goes the same way by whatever seed its game is dealt."""
LESSONS = [(ruleset, lesson) for ruleset in GUIDED for lesson in ruleset.lessons("en")]

each_ruleset = pytest.mark.parametrize("ruleset", GUIDED, ids=lambda ruleset: ruleset.name)
each_lesson = pytest.mark.parametrize(
    ("ruleset", "lesson"), LESSONS, ids=[f"{ruleset.name}-{lesson.id}" for ruleset, lesson in LESSONS]
)


def play(ruleset: Ruleset[Any, Any], lesson: Lesson, seed: bytes, choices: dict[int, int]) -> LessonPlayer:
    """A lesson from its start to its end, with the suggested move at each step unless `choices` names another."""
    player = LessonPlayer(ruleset, lesson, seed)
    for at, step in enumerate(lesson.steps):
        assert player.false_claims(step.claims) == [], f"step {at + 1}"
        accepted = player.accepted(at)
        assert bool(accepted) == bool(step.do), f"step {at + 1}"
        player.take(at, accepted[choices.get(at, 0)] if accepted else None)
    assert player.false_claims(lesson.end.claims) == [], "end"
    return player


@each_ruleset
def test_every_game_with_a_guide_has_a_lesson(ruleset: Ruleset[Any, Any]) -> None:
    ids = [lesson.id for lesson in ruleset.lessons("en")]
    assert ids
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("seed", SEEDS, ids=("one seed", "another", "a third"))
@each_lesson
def test_a_lesson_can_be_played_to_its_end_and_says_nothing_false(
    ruleset: Ruleset[Any, Any], lesson: Lesson, seed: bytes
) -> None:
    play(ruleset, lesson, seed, {})


@each_lesson
def test_a_lesson_goes_on_after_whichever_move_a_step_accepts(
    ruleset: Ruleset[Any, Any], lesson: Lesson
) -> None:
    for at, other in other_choices(ruleset, lesson):
        play(ruleset, lesson, SEEDS[0], {at: other})


def other_choices(ruleset: Ruleset[Any, Any], lesson: Lesson) -> Iterator[tuple[int, int]]:
    player = LessonPlayer(ruleset, lesson, SEEDS[0])
    for at in range(len(lesson.steps)):
        accepted = player.accepted(at)
        yield from ((at, other) for other in range(1, len(accepted)))
        player.take(at, accepted[0] if accepted else None)


@each_lesson
def test_each_pattern_of_a_step_accepts_a_move(ruleset: Ruleset[Any, Any], lesson: Lesson) -> None:
    player = LessonPlayer(ruleset, lesson, SEEDS[0])
    for at, step in enumerate(lesson.steps):
        accepted = player.accepted(at)
        assert [pattern for pattern in step.do if not any(fits(pattern, move) for move in accepted)] == []
        player.take(at, accepted[0] if accepted else None)


@each_lesson
def test_a_lesson_is_ten_to_twenty_steps_that_say_something_checked(
    ruleset: Ruleset[Any, Any], lesson: Lesson
) -> None:
    guide = guide_of(ruleset)
    assert 10 <= len(lesson.steps) <= 20
    assert sum(bool(step.do) for step in lesson.steps) >= len(lesson.steps) // 2
    assert not lesson.end.do
    assert not lesson.end.then
    for step in (*lesson.steps, lesson.end):
        assert step.claims
        assert set(step.show) <= guide.things.keys()
        assert all(move.seat != lesson.seat for move in step.then)


@each_lesson
def test_a_lesson_leads_to_a_real_game(ruleset: Ruleset[Any, Any], lesson: Lesson) -> None:
    ruleset.check_seats(lesson.game.seats)
    ruleset.read_options(lesson.game.options)
    assert lesson.game.bot in BOT_LEVELS


@each_ruleset
def test_both_languages_tell_the_same_lessons(ruleset: Ruleset[Any, Any]) -> None:
    english, french = (list(map(shown, ruleset.lessons(language))) for language in LANGUAGES)
    for one, other in zip(english, french, strict=True):
        assert [figures(text) for text in one] == [figures(text) for text in other]
        assert [text for text, same in zip(one, other, strict=True) if text == same] == []


def shown(lesson: Lesson) -> list[str]:
    """What the learner reads."""
    return [lesson.title, lesson.about, *(step.text for step in (*lesson.steps, lesson.end))]


def test_a_false_claim_is_found() -> None:
    ruleset = RULESETS.latest("babel")
    player = LessonPlayer(ruleset, ruleset.lessons("en")[0], SEEDS[0])
    false = [
        Claim(path="turn", is_=99),
        Claim(path="players.0.sites", has="nobody"),
        Claim(path="turn", at_least=99),
        Claim(path="turn", at_most=0),
        Claim(path="turn"),
        Claim(legal={"type": "nothing"}),
        Claim(legal={"type": "travel"}, count=99),
        Claim(refused={"type": "build", "source": "own"}, code="game_over"),
        Claim(fact={"type": "game_ended"}),
        Claim(),
    ]
    assert len(player.false_claims(false)) == len(false)

"""A question is held in one place from being asked to being closed, and its answer after that."""

from dataclasses import replace

import pytest
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.questions import MOST_CLOSED, Answer, Occasion, Question, Questions

SPOT = Spot("route", "a--b")
DOUBT = Doubt(SPOT, "red", (None,), Sentence("glare lies over it"))


@pytest.fixture
def questions() -> Questions:
    return Questions()


def show(questions: Questions, spot: Spot = SPOT) -> Question:
    """Ask about a spot, and show people the question."""
    doubt = replace(DOUBT, spot=spot)
    assert questions.ask(doubt, Occasion.CHANGE)
    questions.show(doubt, b"a picture")
    return questions.open[-1]


def test_people_see_a_question_once_it_is_shown_under_one_id(questions: Questions) -> None:
    questions.ask(DOUBT, Occasion.CHANGE)
    assert not questions.open
    waiting = questions.about(SPOT)
    assert waiting is not None
    questions.show(DOUBT, b"a picture")
    (shown,) = questions.open
    assert (shown.id, shown.crop) == (waiting.id, b"a picture")
    assert questions.find(shown.id) == shown
    assert not questions.is_closed(shown.id)


def test_the_first_answer_is_remembered_and_the_watcher_waits_for_it(questions: Questions) -> None:
    shown = show(questions)
    questions.answer(SPOT, Answer("red"))
    assert questions.open == ()
    assert questions.find(shown.id) is None
    assert questions.asked(Occasion.CHANGE) == {SPOT}, "it does not ask again meanwhile"
    assert not questions.ask(DOUBT, Occasion.READING)
    questions.close([SPOT])
    assert questions.asked(Occasion.CHANGE) == frozenset()
    assert questions.answer_to(shown.id) == Answer("red")


@pytest.mark.parametrize("by_whom", ["the watcher", "a correction", "another question"])
def test_what_is_closed_without_an_answer_says_so(questions: Questions, by_whom: str) -> None:
    shown = show(questions)
    match by_whom:
        case "the watcher":
            questions.close([SPOT])
        case "a correction":
            questions.answer(SPOT)
        case _:
            assert show(questions).id != shown.id
    assert questions.is_closed(shown.id)
    assert questions.answer_to(shown.id) is None


def test_what_nobody_was_shown_leaves_nothing(questions: Questions) -> None:
    questions.ask(DOUBT, Occasion.OPENING)
    waiting = questions.about(SPOT)
    questions.close_all()
    assert waiting is not None
    assert not questions.is_closed(waiting.id)
    questions.answer(SPOT)
    assert questions.about(SPOT) is None


def test_the_oldest_answers_are_forgotten(questions: Questions) -> None:
    ids = [show(questions, Spot("route", str(number))).id for number in range(MOST_CLOSED + 1)]
    questions.close_all()
    assert [questions.is_closed(name) for name in ids] == [False] + [True] * MOST_CLOSED

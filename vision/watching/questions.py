"""Questions to people: a thread-safe store, from asking to closing."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

from railspotter.scoring.spot import Spot

from ..readings import Colour, Doubt

ID_BYTES = 9
# Closed questions that are remembered, for late answers.
MOST_CLOSED = 100
MOST_TOLD = 5  # closed questions that pages are told of


class Occasion(Enum):
    """The cause of a question, which also tells when it is withdrawn."""

    # The first reading was in doubt. Withdrawn on any event of the spot.
    OPENING = "opening"
    # The spot was seen to change. Withdrawn when the spot looks as before.
    CHANGE = "change"
    # Readings contradict the belief without a change. Withdrawn when they agree again, too.
    READING = "reading"


class QuestionStage(Enum):
    """The stage of a question that is not closed."""

    WAITING = "waiting"  # not shown yet
    OPEN = "open"  # shown, to be answered
    ANSWERED = "answered"  # answered, but not processed by the watcher yet


@dataclass(frozen=True)
class Question:
    """A question about a spot that the camera cannot decide."""

    doubt: Doubt  # what may stand there, and why that is not clear
    # A picture of the spot, the content of a JPEG file; empty for none.
    crop: bytes = field(repr=False, default=b"")
    occasion: Occasion = Occasion.CHANGE
    stage: QuestionStage = QuestionStage.WAITING
    # A random id, which nobody can guess.
    id: str = field(default_factory=lambda: secrets.token_urlsafe(ID_BYTES))

    @property
    def spot(self) -> Spot:
        """The spot that it is about."""
        return self.doubt.spot


@dataclass(frozen=True)
class Answer:
    """The answer to a question: the colour that stands there, None for free."""

    now: Colour | None


# Why a question was closed: a person answered it, or corrected its spot; the camera saw it; or the
# whole board is looked at anew.
WhyClosed = Literal["answered", "corrected", "seen", "restarted"]


@dataclass(frozen=True)
class ClosedQuestion:
    """A question that people had seen, and why it is gone."""

    question: Question
    why: WhyClosed
    answer: Answer | None = None
    by: str = ""  # who answered or corrected, by the table's name for them; empty for others


class Questions:
    """The questions about one board, at most one a spot, and the answers to closed ones.

    The watcher asks and withdraws, the table shows, people answer. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Spot, Question] = {}
        self._closed: OrderedDict[str, ClosedQuestion] = OrderedDict()

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that people may answer, oldest first."""
        with self._lock:
            return tuple(one for one in self._held.values() if one.stage is QuestionStage.OPEN)

    @property
    def closed(self) -> tuple[ClosedQuestion, ...]:
        """The questions that were closed last, the newest at the end."""
        with self._lock:
            return tuple(self._closed.values())[-MOST_TOLD:]

    def asked(self, *occasions: Occasion) -> frozenset[Spot]:
        """Return the spots with a question for one of these causes."""
        with self._lock:
            held = self._held.values()
            return frozenset(one.spot for one in held if one.occasion in occasions)

    def about(self, spot: Spot) -> Question | None:
        """Return the question about a spot; None without one."""
        return self._held.get(spot)

    def ask(self, doubt: Doubt, occasion: Occasion, crop: bytes = b"") -> bool:
        """Ask about a spot, replacing its former question; False if that was just answered."""
        with self._lock:
            before = self._held.get(doubt.spot)
            if before is not None and before.stage is QuestionStage.ANSWERED:
                return False
            self._close(doubt.spot)
            self._held[doubt.spot] = Question(doubt, crop, occasion)
            return True

    def show(self, doubt: Doubt, crop: bytes) -> None:
        """Open the waiting question about a doubt's spot.

        Parameters
        ----------
        doubt : Doubt
            The doubt as it is shown.
        """
        with self._lock:
            question = self._held.get(doubt.spot)
            if question is not None and question.stage is QuestionStage.WAITING:
                shown = replace(question, doubt=doubt, crop=crop, stage=QuestionStage.OPEN)
                self._held[doubt.spot] = shown

    def show_next(self, most: int) -> None:
        """Open waiting questions, the oldest first, up to a limit.

        Parameters
        ----------
        most : int
            Limit of questions that are open or answered.
        """
        with self._lock:
            waiting = [one for one in self._held.values() if one.stage is QuestionStage.WAITING]
            room = most - (len(self._held) - len(waiting))
            for question in waiting[: max(room, 0)]:
                del self._held[question.spot]
                self._held[question.spot] = replace(question, stage=QuestionStage.OPEN)

    def close(self, spots: Collection[Spot], *occasions: Occasion) -> None:
        """Close the questions about some spots, without answers.

        Parameters
        ----------
        occasions : Occasion
            Close only questions for these causes; without any, all.
        """
        with self._lock:
            for spot in spots:
                question = self._held.get(spot)
                if question is not None and (not occasions or question.occasion in occasions):
                    self._close(spot)

    def close_all(self) -> None:
        """Close every question, without answers."""
        with self._lock:
            for spot in list(self._held):
                self._close(spot, "restarted")

    def answer(self, spot: Spot, answer: Answer | None = None, by: str = "") -> None:
        """Mark the question about a spot as answered, and close it for others.

        Parameters
        ----------
        answer : Answer, optional
            The answer to the question; None if the spot was corrected otherwise.
        by : str, optional
            Who said so.
        """
        with self._lock:
            question = self._held.get(spot)
            if question is None:
                return
            self._held[spot] = replace(question, stage=QuestionStage.ANSWERED)
            if question.stage is QuestionStage.OPEN:
                why: WhyClosed = "answered" if answer is not None else "corrected"
                self._remember(ClosedQuestion(question, why, answer, by))

    def find(self, name: str) -> Question | None:
        """Return the open question with an id."""
        return next((question for question in self.open if question.id == name), None)

    def is_closed(self, name: str) -> bool:
        """Tell whether a question with this id was closed."""
        return name in self._closed

    def closed_question(self, name: str) -> Question | None:
        """Return a closed question with this id."""
        closed = self._closed.get(name)
        return None if closed is None else closed.question

    def answer_to(self, name: str) -> Answer | None:
        """Return the answer to a closed question; None if it was withdrawn."""
        closed = self._closed.get(name)
        return None if closed is None else closed.answer

    def _close(self, spot: Spot, why: WhyClosed = "seen") -> None:
        question = self._held.pop(spot, None)
        if question is not None and question.stage is QuestionStage.OPEN:
            self._remember(ClosedQuestion(question, why))

    def _remember(self, closed: ClosedQuestion) -> None:
        self._closed[closed.question.id] = closed
        while len(self._closed) > MOST_CLOSED:
            self._closed.popitem(last=False)

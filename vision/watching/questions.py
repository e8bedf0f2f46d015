"""Questions to people: each is held in one place, from being asked to being closed."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import Enum

from railspotter.scoring.spot import Spot

from ..readings import Colour, Doubt

ID_BYTES = 9
# Answers that are remembered, for whoever answers a question that is closed already.
MOST_CLOSED = 100


class Occasion(Enum):
    """What brought a question up: that says, too, when it is over without an answer."""

    # The reading that watching begins with was in doubt. Whatever is seen of the spot ends it.
    OPENING = "opening"
    # The spot was seen to change. It is over when the spot looks again as it did before.
    CHANGE = "change"
    # Readings contradict, though nobody saw the spot change: they have to agree again, too.
    READING = "reading"


class QuestionStage(Enum):
    """How far a question has come; one that is closed is held no more."""

    WAITING = "waiting"  # nobody was shown it yet
    OPEN = "open"  # people are shown it, and may answer
    ANSWERED = "answered"  # somebody said what stands there; the watcher has not taken that in yet


@dataclass(frozen=True)
class Question:
    """Something that people have to say of a spot, since the camera cannot."""

    doubt: Doubt  # what may stand there, and why that is not clear
    # A picture of the spot, the content of a JPEG file; empty where there is none.
    crop: bytes = field(repr=False, default=b"")
    occasion: Occasion = Occasion.CHANGE
    stage: QuestionStage = QuestionStage.WAITING
    # Its name for whoever answers it, which nobody can guess.
    id: str = field(default_factory=lambda: secrets.token_urlsafe(ID_BYTES))

    @property
    def spot(self) -> Spot:
        """What it is about."""
        return self.doubt.spot


@dataclass(frozen=True)
class Answer:
    """The answer to a question: whose pieces stand there, None for free."""

    now: Colour | None


class Questions:
    """Holds every question about one board: one a spot, and the answers to those that are closed.

    Who watches asks and withdraws, the table shows, people answer. Several threads may use it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Spot, Question] = {}
        self._closed: OrderedDict[str, Answer | None] = OrderedDict()

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that people may answer, oldest first."""
        with self._lock:
            return tuple(one for one in self._held.values() if one.stage is QuestionStage.OPEN)

    def asked(self, *occasions: Occasion) -> frozenset[Spot]:
        """Return the spots that were asked about on such occasions, and are not closed."""
        with self._lock:
            held = self._held.values()
            return frozenset(one.spot for one in held if one.occasion in occasions)

    def about(self, spot: Spot) -> Question | None:
        """Return the question about a spot, if there is one that is not closed."""
        return self._held.get(spot)

    def ask(self, doubt: Doubt, occasion: Occasion, crop: bytes = b"") -> bool:
        """Ask about a spot, instead of what was asked before; return whether that is to be asked.

        It is not where somebody has just said what stands there.
        """
        with self._lock:
            before = self._held.get(doubt.spot)
            if before is not None and before.stage is QuestionStage.ANSWERED:
                return False
            self._close(doubt.spot)
            self._held[doubt.spot] = Question(doubt, crop, occasion)
            return True

    def show(self, doubt: Doubt, crop: bytes) -> None:
        """Let people answer what was asked about the spot of a doubt.

        Parameters
        ----------
        doubt : Doubt
            The doubt as they are told it.
        """
        with self._lock:
            question = self._held.get(doubt.spot)
            if question is not None and question.stage is QuestionStage.WAITING:
                shown = replace(question, doubt=doubt, crop=crop, stage=QuestionStage.OPEN)
                self._held[doubt.spot] = shown

    def show_next(self, most: int) -> None:
        """Let people answer what else waits, oldest first, as long as few enough are asked.

        Parameters
        ----------
        most : int
            The most questions that wait for an answer at once.
        """
        with self._lock:
            waiting = [one for one in self._held.values() if one.stage is QuestionStage.WAITING]
            room = most - (len(self._held) - len(waiting))
            for question in waiting[: max(room, 0)]:
                del self._held[question.spot]
                self._held[question.spot] = replace(question, stage=QuestionStage.OPEN)

    def close(self, spots: Collection[Spot], *occasions: Occasion) -> None:
        """Close what was asked about some spots: nobody has to answer it any more.

        Parameters
        ----------
        occasions : Occasion
            Close only what was asked on these; without any, whatever was asked.
        """
        with self._lock:
            for spot in spots:
                question = self._held.get(spot)
                if question is not None and (not occasions or question.occasion in occasions):
                    self._close(spot)

    def close_all(self) -> None:
        """Close every question: the board is looked at anew."""
        with self._lock:
            for spot in list(self._held):
                self._close(spot)

    def answer(self, spot: Spot, answer: Answer | None = None) -> None:
        """Take in that somebody said what stands on a spot: nobody else has to.

        Parameters
        ----------
        answer : Answer, optional
            What was answered; None where it was said of the spot, and to no question.
        """
        with self._lock:
            question = self._held.get(spot)
            if question is None:
                return
            self._held[spot] = replace(question, stage=QuestionStage.ANSWERED)
            if question.stage is QuestionStage.OPEN:
                self._remember(question, answer)

    def find(self, name: str) -> Question | None:
        """Return the question of that id, if people may answer it."""
        return next((question for question in self.open if question.id == name), None)

    def is_closed(self, name: str) -> bool:
        """Tell whether there was such a question, and nobody has to answer it any more."""
        return name in self._closed

    def answer_to(self, name: str) -> Answer | None:
        """Return the answer that a closed question got; None when it was withdrawn."""
        return self._closed.get(name)

    def _close(self, spot: Spot) -> None:
        question = self._held.pop(spot, None)
        if question is not None and question.stage is QuestionStage.OPEN:
            self._remember(question, None)

    def _remember(self, question: Question, answer: Answer | None) -> None:
        self._closed[question.id] = answer
        while len(self._closed) > MOST_CLOSED:
            self._closed.popitem(last=False)

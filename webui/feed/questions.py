"""Open questions under ids of their own, and the answers to those that are closed."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from railspotter.scoring import Colour
from railspotter.table.live_table import Question

ID_BYTES = 9
MOST_CLOSED = 100
"""Answers that are remembered, for whoever answers a question that is closed already."""


@dataclass(frozen=True)
class Answer:
    """The answer to a question: whose pieces stand there, None for free."""

    now: Colour | None


class Questions:
    """Names every question of a table. Several threads may use it at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, Question] = {}
        self._closed: OrderedDict[str, Answer | None] = OrderedDict()

    def take(self, questions: Sequence[Question]) -> tuple[tuple[str, Question], ...]:
        """Take in the questions that are open now, and return them with their ids."""
        with self._lock:
            ids = {id(question): name for name, question in self._open.items()}
            named = {
                ids.get(id(question)) or secrets.token_urlsafe(ID_BYTES): question
                for question in questions
            }
            for name in self._open.keys() - named.keys():
                self._close(name, None)
            self._open = named
            return tuple(named.items())

    def find(self, name: str) -> Question | None:
        """Return the open question of that id."""
        return self._open.get(name)

    def record_answer(self, name: str, now: Colour | None) -> None:
        """Close a question with the answer that somebody gave."""
        with self._lock:
            self._close(name, Answer(now))

    def is_closed(self, name: str) -> bool:
        """Tell whether there was such a question, and it is closed."""
        return name in self._closed

    def answer_to(self, name: str) -> Answer | None:
        """Return the answer that a closed question got; None when it was withdrawn."""
        return self._closed.get(name)

    def _close(self, name: str, answer: Answer | None) -> None:
        self._closed[name] = self._closed.get(name) or answer
        while len(self._closed) > MOST_CLOSED:
            self._closed.popitem(last=False)

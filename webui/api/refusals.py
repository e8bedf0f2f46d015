"""Error responses of the API: the status, code and message of each error class."""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from flask import Response
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.sentence import NOTHING, Sentence, StatedError
from railspotter.table import errors as table
from railspotter.table.card_games.deck_table import DeckTableError
from railspotter.table.game_log import errors as game_log
from railspotter.table.plays.play import PlayError
from werkzeug.exceptions import HTTPException

from .. import errors as web
from ..words.translation import Statement, Translator, json_bytes

TOO_OFTEN = Sentence("Too much at once: wait a moment.")
# The `Retry-After` when the server is busy.
BUSY_S = 5.0


class CallError(Exception):
    """An error response, with an HTTP status, a code for programs and a message for people.

    The message is a `Sentence`, or the template of one without values; `more` are further fields of
    the JSON.
    """

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.message = message if isinstance(message, Sentence) else Sentence(message)
        self.status, self.code, self.more = status, code, more


@dataclass(frozen=True)
class RefusalRule:
    """The error response for a class of errors."""

    status: int  # the HTTP status
    code: str  # for programs
    message: Sentence = NOTHING  # for people; empty for the error's own
    fields: tuple[str, ...] = ()  # attributes of the error to include in the JSON
    retry_after_s: float | None = None  # for the header `Retry-After`


# The rule for each class, and its subclasses without a rule of their own.
REFUSAL_RULES: dict[type[StatedError], RefusalRule] = {
    ScoringError: RefusalRule(400, "wrong"),
    table.TableError: RefusalRule(400, "wrong"),
    table.HomeError: RefusalRule(503, "not written"),
    table.TakingBackError: RefusalRule(409, "refused"),
    table.UnaskedError: RefusalRule(409, "asked"),
    table.NotNowError: RefusalRule(409, "not now"),
    table.NotReadyError: RefusalRule(409, "not ready"),
    PlayError: RefusalRule(409, "not over"),
    # The game's log, and past games.
    game_log.ImpossibleError: RefusalRule(400, "impossible"),
    game_log.LogFileError: RefusalRule(503, "not written"),
    game_log.BudgetError: RefusalRule(409, "full"),
    game_log.NoGameError: RefusalRule(404, "unknown", Sentence("There is no such game here.")),
    game_log.GameInUseError: RefusalRule(
        409, "in use", Sentence("Another program is playing this game right now.")
    ),
    web.DamagedGameError: RefusalRule(503, "damaged"),
    web.SlowGameError: RefusalRule(503, "full", retry_after_s=BUSY_S),
    web.UnfinishedGameError: RefusalRule(409, "not over"),
    # The user's boards, and The Card Game.
    table.NotKeptError: RefusalRule(404, "unknown"),
    table.DeletedGameError: RefusalRule(410, "deleted", fields=("until_s",)),
    table.BoardKeptError: RefusalRule(409, "here"),
    table.ChangedError: RefusalRule(409, "changed"),
    DeckTableError: RefusalRule(400, "fault", fields=("fault", "value", "line")),
    table.SeatError: RefusalRule(409, "refused"),
    table.GuestsFullError: RefusalRule(409, "full"),
    # The page: its phones, photos that are sent to it.
    web.PairingError: RefusalRule(503, "not written"),
    web.UploadError: RefusalRule(400, "wrong"),
    web.BusyError: RefusalRule(503, "full", retry_after_s=BUSY_S),
    web.BoardNotFoundError: RefusalRule(422, "no board"),
}


def reason_of(error: Exception) -> Statement:
    """Return an error's message for phones, with paths reduced to file names.

    >>> reason_of(StatedError("cannot write {path}", path="/some/where/game.json"))
    'Cannot write game.json.'
    """
    if not isinstance(error, StatedError):
        return Statement(str(error))
    sentence = error.sentence
    if "path" in sentence.values:
        path = str(sentence.values["path"])
        sentence = sentence.filled(**{**sentence.values, "path": re.split(r"[/\\]", path)[-1]})
    return Statement(sentence)


def call_error_of(error: StatedError) -> CallError:
    """Convert an error to a `CallError` by `REFUSAL_RULES`; re-raises it if there is no rule."""
    refusal = next(
        (REFUSAL_RULES[kind] for kind in type(error).__mro__ if kind in REFUSAL_RULES), None
    )
    if refusal is None:
        raise error
    more = {name: getattr(error, name) for name in refusal.fields}
    if refusal.retry_after_s is not None:
        more["retry_after_s"] = refusal.retry_after_s
    return CallError(refusal.status, refusal.code, refusal.message or reason_of(error), **more)


@contextmanager
def refused_as(
    kind: type[StatedError], status: int, code: str, message: Sentence | None = None
) -> Iterator[None]:
    """Convert errors of a class to a `CallError` of this status, by default with their message."""
    try:
        yield
    except kind as error:
        raise CallError(status, code, message or reason_of(error)) from error


def refusal_answer(error: CallError, say: Translator) -> Response:
    """Return the JSON response for an error, translated."""
    answer = {"error": {"code": error.code, "message": error.message}, **error.more}
    response = Response(json_bytes(answer, say), error.status, mimetype="application/json")
    if (retry_after_s := error.more.get("retry_after_s")) is not None:
        response.headers["Retry-After"] = str(math.ceil(retry_after_s))
    return response


# The code and message of HTTP errors that Flask raises.
PAGE_REFUSALS = {
    403: ("another site", Sentence("This came from another site's page, so it was refused.")),
    404: ("unknown", Sentence("There is no such call.")),
    405: ("wrong method", Sentence("This call is made in another way.")),
    413: ("too large", Sentence("This is too large.")),
    421: ("wrong", Sentence("This program is not known by that name: open it by its address.")),
}


def page_refusal(error: HTTPException, say: Translator) -> Response:
    """Return the JSON response for an HTTP error raised by Flask below the API's path."""
    status = error.code or 500
    broken = Sentence("Something went wrong here.")
    other = "wrong", broken if status >= 500 else Sentence("That did not work.")
    answer = refusal_answer(CallError(status, *PAGE_REFUSALS.get(status, other)), say)
    if allowed := getattr(error, "valid_methods", None):
        answer.headers["Allow"] = ", ".join(allowed)
    return answer

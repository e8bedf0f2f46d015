"""What a call of the programming interface is: a value that routing and description are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import wraps
from typing import Annotated, Any, TypeVar

import msgspec
from flask import Response
from railspotter.scoring.sentence import Sentence, StatedError
from railspotter.table.game_log.budgets import HOST, Writer
from werkzeug.datastructures import FileStorage, Headers

from ..access import hands
from ..access.roles import Device
from ..rooms.room import Equipment, Room
from ..rooms.services import Entrance, Needs, Services
from ..rooms.set_up_room import SetUpRoom
from ..words.languages import translator_to
from ..words.translation import Statement, Translator

Kind = TypeVar("Kind")
Result = TypeVar("Result")
Pixel = Annotated[float, msgspec.Meta(ge=-1000, le=100_000)]
# A point of a picture in pixels, x and y. It may lie outside: a board may be cut off.
Corner = Annotated[list[Pixel], msgspec.Meta(min_length=2, max_length=2)]

# The query that bears the token of the guest link; any call that only looks may have it.
GUEST = "guest"


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent with a call, as JSON: nothing but these fields, in these types and ranges."""


class Nothing(Body, frozen=True):
    """Nothing, or an empty object."""


class Who(Enum):
    """Who may make a call; the value says so in words."""

    ALL = Sentence("everyone")
    JOINED = Sentence("a phone that opened the join code or the host's link")
    PLAYER = Sentence("a player")
    TABLE = Sentence("a player or the host")
    HOST = Sentence("the host")
    CAMERA = Sentence("the phone that is the camera, or the host")
    LINK = Sentence("whoever has the game's link")
    HERE = Sentence("the host, and this computer")

    @property
    def needs_cookie(self) -> bool:
        """Whether phones are told apart by their cookies; what else there is, the call looks at."""
        return self not in (Who.ALL, Who.LINK, Who.HERE)

    def may(self, device: Device | None) -> bool:
        """Tell whether a phone may; None is one that nobody knows."""
        if not self.needs_cookie:
            return True
        if device is None:
            return False
        return {
            Who.JOINED: device.has_joined or device.is_host,
            Who.PLAYER: device.seat is not None,
            Who.TABLE: device.seat is not None or device.is_host,
            Who.HOST: device.is_host,
            Who.CAMERA: device.is_camera or device.is_host,
        }[self]


class Upload(Enum):
    """Files that a call takes; the value is the media type that they are sent as."""

    PHOTOS = "multipart/form-data"
    FILE = "application/octet-stream"
    FRAME = "image/jpeg"


class CallError(Exception):
    """A call that is refused.

    Parameters
    ----------
    status : int
        The HTTP status.
    code : str
        One word for programs.
    message : str
        One sentence for people: a `Sentence`, or the template of one without values.
    **more
        What stands beside it in the answer.
    """

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.message = message if isinstance(message, Sentence) else Sentence(message)
        self.status, self.code, self.more = status, code, more


@dataclass(frozen=True)
class CallRequest:
    """A call that somebody makes: who, what is sent, and what it is answered from.

    All of it is checked but for what it means in the game.
    """

    entrance: Entrance  # what the call is answered from
    device: Device | None  # the phone that makes it; None for one that is not known
    cookie: str  # the phone's cookie for this page; empty for none
    address: str  # the phone's address in the network
    origin: str  # the address under which the phone has the page, as `http://192.0.2.7:8000/`
    body: Any  # the JSON that is sent, of the call's own type; None for a call that takes none
    named: Mapping[str, str]  # the values of the path's {names}
    query: Mapping[str, str]  # the values behind the question mark
    headers: Headers  # the request's headers
    language: str  # what is answered is said in it
    # The photos that are sent as a form; empty for a call that takes none.
    uploads: Sequence[FileStorage] = ()
    # The file or picture that is sent as it is; empty for a call that takes none.
    content: bytes = b""

    @property
    def say(self) -> Translator:
        """Says sentences in the language of the phone."""
        return translator_to(self.language)

    @property
    def writer(self) -> Writer:
        """Who writes down what it says: a player by the seat, but for a host who plays.

        With cards on phones it brings the word of the players whose hands the phone may see.
        """
        device = self.device
        if device is None or device.is_host or device.seat is None:
            return replace(HOST, words=self._words)
        return Writer("player", device.seat, self._words)

    @property
    def _words(self) -> frozenset[str] | None:
        game = self.room.table.log.state
        if game.table.dealing is None:
            return None
        devices = self.services.door.pairing.devices
        device = devices.current(self.device) if self.device is not None else None
        return hands.words_of(game, devices, device) if device is not None else frozenset()

    @property
    def services(self) -> Services:
        """What there is at a table and beside it."""
        if not isinstance(self.entrance, Services):
            raise CallError(404, "no game", "No game runs here.")
        return self.entrance

    @property
    def room(self) -> Room:
        """The running game, where there is one."""
        if self.services.room is None:
            raise CallError(404, "no game", "No game runs here.")
        return self.services.room

    @property
    def set_up(self) -> SetUpRoom:
        """The game that is being set up, where one is."""
        if self.services.set_up is None:
            raise CallError(404, "no set-up", "No game is set up here.")
        return self.services.set_up

    @property
    def equipment(self) -> Equipment:
        """The table's camera and what stands beside the board, before a game and while it runs."""
        equipment = self.entrance.equipment()
        if equipment is None:
            raise CallError(404, "no camera", "No camera watches a board here.")
        return equipment

    def body_as(self, kind: type[Kind]) -> Kind:
        """Return the body, which is of that kind."""
        if not isinstance(self.body, kind):
            raise TypeError(f"the body is {type(self.body)}")
        return self.body


@dataclass(frozen=True)
class Query:
    """A value behind the question mark: a whole number, or a text of at most so many letters."""

    name: str
    meaning: str
    most_letters: int = 0


@dataclass(frozen=True)
class Call:
    """One call."""

    method: str
    path: str  # below /api/v1, with names in braces
    who: Who
    means: str  # what it does, in a sentence
    # Does it; returns what JSON is made of, or a whole response.
    do: Callable[[CallRequest], Any] = field(repr=False)
    body: type[msgspec.Struct] | None = None  # a struct; None where nothing is sent
    gives: str = "application/json"  # the media type of the answer
    rate: str = ""  # which of the limits it counts for
    status: int = 200
    queries: tuple[Query, ...] = ()
    upload: Upload | None = None  # which files are sent; None for a call that takes none
    needs: Needs = Needs.GAME  # what it is about

    @property
    def is_changing(self) -> bool:
        """Whether it may change something."""
        return self.method != "GET"

    @property
    def limit(self) -> str:
        """Which of the limits it counts for."""
        return self.rate or ("change" if self.is_changing else "look")


@dataclass(frozen=True)
class ErrorRule:
    """How errors that a call meets are answered."""

    errors: tuple[type[Exception], ...]  # the errors, and those that descend from them
    status: int  # the HTTP status
    code: str  # one word for programs
    message: str = ""  # one sentence for people; empty where it is the error's own
    fields: tuple[str, ...] = ()  # attributes of the error that stand beside it in the answer


def reason_of(error: Exception) -> Statement:
    """Return an error as phones may read it: a file by its name, without this computer's folders.

    Examples
    --------
    >>> reason_of(StatedError("cannot write {path}", path="/some/where/game.json"))
    'Cannot write game.json.'
    """
    if not isinstance(error, StatedError):
        return Statement(str(error))
    said = error.sentence
    if "path" in said.values:
        path = str(said.values["path"])
        said = said.filled(**{**said.values, "path": re.split(r"[/\\]", path)[-1]})
    return Statement(said)


def with_refusals(
    do: Callable[[CallRequest], Result], rules: Sequence[ErrorRule]
) -> Callable[[CallRequest], Result]:
    """Return what a call does, with errors answered by the first rule that has them."""
    expected = tuple(error for rule in rules for error in rule.errors)

    @wraps(do)
    def answer(request: CallRequest) -> Result:
        try:
            return do(request)
        except expected as error:
            rule = next(rule for rule in rules if isinstance(error, rule.errors))
            more = {name: getattr(error, name) for name in rule.fields}
            raise CallError(
                rule.status, rule.code, rule.message or reason_of(error), **more
            ) from error

    return answer


def content_response(content: bytes, media_type: str, **headers: str) -> Response:
    """Return an answer that is no JSON."""
    return Response(content, mimetype=media_type, headers=headers)

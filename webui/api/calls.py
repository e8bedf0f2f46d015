"""What a call of the programming interface is: a function with its route above it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import ModuleType, UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log.budgets import HOST, Writer
from railspotter.table.game_log.facts import Event
from railspotter.table.live_table.commands import Command
from werkzeug.datastructures import Headers

from ..access import hands
from ..access.pairing import Pairing
from ..access.roles import Device
from ..sessions.game_session import GameSession
from ..sessions.services import Needs, PageContext, Services
from ..sessions.set_up_session import SetUpSession
from ..words.languages import translator_to
from ..words.translation import Translator

Function = TypeVar("Function", bound=Callable[..., Any])
Json = dict[str, Any]
JSON, JPEG = "application/json", "image/jpeg"
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


@dataclass(frozen=True)
class CallRequest:
    """A call that somebody makes: who, and what it is answered from.

    All of it is checked but for what it means in the game.
    """

    page_context: PageContext  # what the call is answered from
    device: Device | None  # the phone that makes it; None for one that is not known
    address: str  # the phone's address in the network
    origin: str  # the address under which the phone has the page, as `http://192.0.2.7:8000/`
    guest: str | None  # the token of the guest link that it is made by; None for none
    headers: Headers  # the request's headers
    language: str  # what is answered is said in it

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

    def do(self, command: Command) -> tuple[Event, ...]:
        """Do at the table what somebody says, who answers for it; return what was written."""
        return self.session.table.do(command, self.writer)

    @property
    def _words(self) -> frozenset[str] | None:
        game = self.session.table.log.state
        if game.table.dealing is None:
            return None
        phone = self.phone
        return (
            frozenset()
            if phone is None
            else hands.vouching_seats(game, self.pairing.devices, phone)
        )

    @property
    def pairing(self) -> Pairing:
        """Which phone has which part at the table."""
        return self.page_context.phone_access.pairing

    @property
    def phone(self) -> Device | None:
        """The phone that makes it, as it is now; None for one that is not known any more."""
        return None if self.device is None else self.pairing.devices.current(self.device)

    @property
    def services(self) -> Services:
        """What there is at a table and beside it."""
        return cast(Services, self.page_context)

    @property
    def session(self) -> GameSession:
        """The running game, for calls that need one."""
        return cast(GameSession, self.services.session)

    @property
    def set_up(self) -> SetUpSession:
        """The game that is being set up, for calls that need one."""
        return cast(SetUpSession, self.services.set_up)

    @property
    def table(self) -> GameSession | SetUpSession:
        """What calls that need a table's camera are about, before a game and while it runs."""
        return cast("GameSession | SetUpSession", self.page_context.table)


@dataclass(frozen=True)
class Call:
    """One call."""

    method: str
    path: str  # below /api/v1, with names in braces
    who: Who
    means: str  # what it does, in a sentence
    # Does it, given the request and what is sent by name; returns what JSON is made of, or a whole
    # response.
    do: Callable[..., Any] = field(repr=False)
    body: type[msgspec.Struct] | None  # what is sent as JSON; None where nothing is
    queries: Mapping[str, Any]  # the types of the values behind the question mark, by name
    answer: Any  # the type of the answer
    gives: str  # the media type of the answer
    rate: str  # which of the limits it counts for; empty for that of its method
    upload: Upload | None  # which files are sent; None for a call that takes none
    needs: Needs  # what it is about; where that is not, the call is not there

    @property
    def is_changing(self) -> bool:
        """Whether it may change something."""
        return self.method != "GET"

    @property
    def limit(self) -> str:
        """Which of the limits it counts for."""
        return self.rate or ("change" if self.is_changing else "look")


_CALLS: dict[str, list[Call]] = defaultdict(list)


def calls_of(*modules: ModuleType) -> tuple[Call, ...]:
    """Return the calls that are defined in modules."""
    return tuple(one for module in modules for one in _CALLS[module.__name__])


def call(
    method: str,
    path: str,
    who: Who,
    *,
    needs: Needs = Needs.GAME,
    gives: str = JSON,
    rate: str = "",
    upload: Upload | None = None,
    whose: str = "",
) -> Callable[[Function], Function]:
    """Make a function a call of the programming interface.

    The first paragraph of its docstring describes the call. Beside the `CallRequest` it takes by
    name what is sent: `body`, a `Body`; `content` or `photos`, what is uploaded; each name of the
    path, a text; and queries, whose annotations have a `msgspec.Meta` with a description. A call
    that changes something and has neither body nor upload takes an empty object.

    The parameters are those of a `Call`; `whose` stands for `{whose}` in the docstring of a
    function that has several routes.
    """

    def route(function: Function) -> Function:
        hints = get_type_hints(function, include_extras=True)
        body = hints.get("body")
        if body is None and method != "GET" and upload is None:
            body = Nothing
        found = Call(
            method=method,
            path=path,
            who=who,
            means=_summary(function).replace("{whose}", whose),
            do=function,
            body=body,
            queries={name: kind for name, kind in hints.items() if description_of(kind)},
            answer=hints.get("return"),
            gives=gives,
            rate=rate,
            upload=upload,
            needs=needs,
        )
        _CALLS[function.__module__].append(found)
        return function

    return route


def _summary(function: Callable[..., Any]) -> str:
    paragraph = (function.__doc__ or "").strip().split("\n\n")[0]
    return re.sub(r"\s+", " ", paragraph)


def constraints_of(kind: Any) -> list[msgspec.Meta]:
    """Return what the annotation of a parameter says of it beside its type."""
    if get_origin(kind) in (Union, UnionType):
        return [meta for one in get_args(kind) for meta in constraints_of(one)]
    return [meta for meta in getattr(kind, "__metadata__", ()) if isinstance(meta, msgspec.Meta)]


def description_of(kind: Any) -> str:
    """Return what a query means, by the annotation of a parameter; empty for no query."""
    return next((meta.description for meta in constraints_of(kind) if meta.description), "")


def query_text(meaning: str, most_letters: int) -> msgspec.Meta:
    """Return what the annotation of a query has that is a text: longer ones are not refused."""
    return msgspec.Meta(description=meaning, extra_json_schema={"maxLength": most_letters})


def query_number(meaning: str, refusal: Sentence) -> msgspec.Meta:
    """Return what the annotation of a query has that is a whole number, else it is refused so."""
    return msgspec.Meta(ge=0, le=2**53, description=meaning, extra={"refusal": refusal})

"""The decorator `call`, which makes a function an endpoint of the HTTP API."""

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from types import ModuleType, UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log.budgets import HOST, Writer
from railspotter.table.game_log.facts import Event
from railspotter.table.live_table.commands import Command
from werkzeug.datastructures import Headers

from ..access import hands
from ..access.gate import is_from_here
from ..access.phone_access import PhoneAccess
from ..access.roles import Device
from ..sessions.services import GameSession, Needs, PageContext, Services, Session, SetUpSession
from ..words.translation import Translator, translator_to

Function = TypeVar("Function", bound=Callable[..., Any])
Json = dict[str, Any]
JSON, JPEG = "application/json", "image/jpeg"
Pixel = Annotated[float, msgspec.Meta(ge=-1000, le=100_000)]
# A point of a picture in pixels, x and y. It may lie outside: a board may be cut off.
Corner = Annotated[list[Pixel], msgspec.Meta(min_length=2, max_length=2)]
# The printed board's, clockwise from its top left.
Corners = Annotated[list[Corner], msgspec.Meta(max_length=4)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the JSON request bodies, with a strict schema."""


class Nothing(Body, frozen=True):
    """An empty body or answer."""


class Who(Enum):
    """Who may make a call; the value is a description."""

    STRANGER = Sentence("everyone, also without the table's word")
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
        """Whether access is checked by the phone's cookie; else by the call itself, if at all."""
        return self not in (Who.STRANGER, Who.ALL, Who.LINK, Who.HERE)

    def may(self, device: Device | None) -> bool:
        """Tell whether a phone may make the call; None is an unknown phone."""
        one = device or Device("")
        return {
            Who.JOINED: one.has_joined or one.is_host,
            Who.PLAYER: one.seat is not None,
            Who.TABLE: one.seat is not None or one.is_host,
            Who.HOST: one.is_host,
            Who.CAMERA: one.is_camera or one.is_host,
        }.get(self, True)


class Upload(Enum):
    """The kind of file upload of a call; the value is the media type."""

    PHOTOS = "multipart/form-data"
    FILE = "application/octet-stream"
    FRAME = "image/jpeg"


@dataclass(frozen=True)
class CallRequest:
    """The context of a call's request; access has been checked already."""

    page_context: PageContext
    now: Session | None  # what ran at the table when the call came
    device: Device | None  # the requesting phone; None for an unknown one
    address: str  # the client's IP address
    origin: str  # the page's URL as the client sees it, e.g. `http://192.0.2.7:8000/`
    guest: str | None  # the guest link's token; None without
    headers: Headers
    language: str  # of the answer
    is_let_in: Callable[[], bool]  # whether the door is open to it, which may change meanwhile

    @property
    def translate(self) -> Translator:
        """The translator to the phone's language."""
        return translator_to(self.language)

    @property
    def writer(self) -> Writer:
        """The author for the game's log; a host who plays is the host.

        It agrees for the players whose hands the phone may see.
        """
        device = self.device
        if device is None or device.is_host or device.seat is None:
            return replace(HOST, words=self._words)
        return Writer("player", device.seat, self._words)

    def execute(self, command: Command) -> tuple[Event, ...]:
        """Execute a command at the table as this phone; return the events."""
        return self.session.table.execute(command, self.writer)

    @property
    def _words(self) -> frozenset[str]:
        if (phone := self.phone) is None:
            return frozenset()
        return hands.vouching_seats(self.session.table.log.state, self.access.devices, phone)

    @property
    def access(self) -> PhoneAccess:
        """The codes of the page, and the phones that were let in."""
        return self.page_context.phone_access

    @property
    def is_here(self) -> bool:
        """Whether the client is the host, or on this computer itself."""
        return self.is_at_computer or (self.device is not None and self.device.is_host)

    @property
    def is_at_computer(self) -> bool:
        """Whether the client is on this computer itself."""
        return is_from_here(self.address, self.origin, self.headers)

    @property
    def phone(self) -> Device | None:
        """The current state of the requesting phone; None if it was removed."""
        return None if self.device is None else self.access.devices.current(self.device)

    @property
    def services(self) -> Services:
        """The services of the program."""
        return cast(Services, self.page_context)

    @property
    def session(self) -> GameSession:
        """The running game, for calls that need one."""
        return cast(GameSession, self.now)

    @property
    def set_up(self) -> SetUpSession:
        """The game that is being set up, for calls that need one."""
        return cast(SetUpSession, self.now)

    @property
    def table(self) -> Session:
        """The running game or the set-up, for calls about the camera."""
        return cast(Session, self.now)


@dataclass(frozen=True)
class Call:
    """An endpoint."""

    method: str
    path: str  # below /api/v1, with names in braces
    who: Who
    means: str  # its description
    # The function; returns a value to encode as JSON, or a response.
    do: Callable[..., Any] = field(repr=False)
    body: type[msgspec.Struct] | None  # the request body's type; None for none
    is_spread: bool  # whether the function takes the body's fields, not the body
    queries: Mapping[str, Any]  # the types of the query parameters, by name
    answer: Any  # the type of the answer
    gives: str  # the media type of the answer
    rate: str  # the rate limit's name; empty for the method's default
    upload: Upload | None
    needs: Needs  # what must be there, else the answer is 404

    @property
    def is_changing(self) -> bool:
        """Whether it may change state."""
        return self.method != "GET"

    @property
    def limit(self) -> str:
        """The name of its rate limit."""
        return self.rate or ("change" if self.is_changing else "look")


_CALLS: dict[str, list[Call]] = defaultdict(list)


def calls_of(*modules: ModuleType) -> tuple[Call, ...]:
    """Return the calls defined in modules."""
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
    """Register a function as an endpoint of the API.

    The first paragraph of its docstring is the call's description. Beside the `CallRequest` its
    parameters are, by name: `content` or `photos`, the upload; the path's names, strings; and query
    parameters, whose annotations have a `msgspec.Meta` with a description. Those that are
    keyword-only are the fields of the request's body, unless `body` is all of it. A changing call
    with neither body nor upload takes an empty object.

    The parameters are those of a `Call`; `whose` replaces `{whose}` in the docstring of a function
    with several routes.
    """

    def route(function: Function) -> Function:
        hints = get_type_hints(function, include_extras=True)
        body = hints.get("body")
        is_spread = body is None and method != "GET" and upload is None
        if is_spread:
            body = _body_of(function)
        means = re.sub(r"\s+", " ", (function.__doc__ or "").strip().split("\n\n")[0])
        found = Call(
            method=method,
            path=path,
            who=who,
            means=means.replace("{whose}", whose),
            do=function,
            body=body,
            is_spread=is_spread,
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


@cache  # one type for a function with several routes
def _body_of(function: Callable[..., Any]) -> type[msgspec.Struct]:
    """Return the type of a body with a function's keyword-only parameters as its fields."""
    hints = get_type_hints(function, include_extras=True)
    fields = [
        (one.name, hints[one.name], msgspec.NODEFAULT if one.default is one.empty else one.default)
        for one in inspect.signature(function).parameters.values()
        if one.kind is one.KEYWORD_ONLY
    ]
    if not fields:
        return Nothing
    name = function.__name__.title().replace("_", "") + "Body"
    return msgspec.defstruct(
        name, fields, bases=(Body,), module=function.__module__, frozen=True, kw_only=True
    )


def constraints_of(kind: Any) -> list[msgspec.Meta]:
    """Return the `msgspec.Meta` annotations of a parameter's type."""
    if get_origin(kind) in (Union, UnionType):
        return [meta for one in get_args(kind) for meta in constraints_of(one)]
    return [meta for meta in getattr(kind, "__metadata__", ()) if isinstance(meta, msgspec.Meta)]


def description_of(kind: Any) -> str:
    """Return a query parameter's description; empty for other parameters."""
    return next((meta.description for meta in constraints_of(kind) if meta.description), "")


def query_text(meaning: str, most_letters: int) -> msgspec.Meta:
    """Return the annotation of a text query parameter; the length is documented, not enforced."""
    return msgspec.Meta(description=meaning, extra_json_schema={"maxLength": most_letters})


def query_number(meaning: str, refusal: Sentence) -> msgspec.Meta:
    """Return the annotation of an integer query parameter, with its error message."""
    return msgspec.Meta(ge=0, le=2**53, description=meaning, extra={"refusal": refusal})

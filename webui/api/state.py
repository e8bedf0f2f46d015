"""Calls that only read: the state, the board, the log and its pictures."""

import time
from typing import Annotated, cast, get_args

import msgspec
from flask import Response
from railspotter.scoring.board import Board
from railspotter.scoring.dealing.claims import may_claim
from railspotter.scoring.edition import ticket_deck
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Kind, Spot
from railspotter.table.boards.drawable import drawable
from railspotter.table.live_table.pictures import area_around, picture_around

from ..access.roles import Device, Role
from ..feed.feed import Stream
from ..feed.public_state import entry
from ..sessions.services import Needs
from . import responses
from .calls import JPEG, CallRequest, Json, Who, call, query_number
from .refusals import CallError

MOST_DIGITS = 9  # of an event's number
NO_EVENT = Sentence("after is the number of an event: a whole number.")
After = Annotated[int, query_number("Only events with a greater number.", NO_EVENT)]


class AskingPhone(msgspec.Struct, frozen=True):
    """A phone that asks to be a host's."""

    id: str
    name: str  # of who holds it


class You(msgspec.Struct, frozen=True):
    """Who a phone is."""

    role: Role  # the most that it may do
    is_host: bool
    seat: str | None
    has_joined: bool  # whether it may take a seat
    is_camera: bool
    lost_seat: str | None  # the one that the host took from it, until it takes a seat again
    asking: tuple[AskingPhone, ...] = ()  # for a host's phone: those that ask to be one too

    @classmethod
    def asked_by(cls, request: CallRequest) -> "You":
        """Return the roles of a call's phone, with what is asked of it."""
        own = cls.of(request.device)
        waiting = request.access.becoming_host.waiting() if own.is_host else ()
        asking = msgspec.convert(waiting, tuple[AskingPhone, ...], from_attributes=True)
        return msgspec.structs.replace(own, asking=asking)

    @classmethod
    def of(cls, device: Device | None) -> "You":
        """Return a phone's roles; None is an unknown phone."""
        one = device or Device("")
        has_joined = one.has_joined or one.is_host
        return cls(one.role, one.is_host, one.seat, has_joined, one.is_camera, one.lost_seat)


@call("GET", "/state", Who.ALL)
def get_state(request: CallRequest) -> Response:
    """All that everyone may see, and who you are."""
    now, own = request.session.feed.now(), You.asked_by(request)
    tag = "-".join(str(mark or "") for mark in (now.number, *msgspec.structs.astuple(own)))
    return responses.tagged(request, tag, {**now.state, "you": own})


@call("GET", "/you", Who.ALL, needs=Needs.PHONES)
def get_you(request: CallRequest) -> You:
    """Who you are."""
    return You.asked_by(request)


class Clock(msgspec.Struct, frozen=True):
    """The table's clock, by which the points are counted: a phone's own may be wrong."""

    now_s: float  # seconds since 1970-01-01 UTC


@call("GET", "/clock", Who.ALL)
def get_clock(request: CallRequest) -> Clock:
    """What time it is at the table."""
    return Clock(time.time())


@call("GET", "/events", Who.ALL, gives="text/event-stream")
def get_events(request: CallRequest) -> Response:
    """What changes, as it does."""
    return stream_response(request, request.session.feed.stream)


def stream_response(request: CallRequest, stream: Stream) -> Response:
    """Return a response that streams events after the phone's last one, if a slot is free."""
    limits = request.page_context.limits
    slot = limits.take("streams", request.address, stream.wake, is_guest=request.device is None)
    if slot is None:
        raise CallError(503, "full", "Too many pages are open: close some.", retry_after_s=10)
    last = request.headers.get("Last-Event-ID", "")
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 18 else None
    response = Response(
        stream.listen(request.language, after, slot.is_over), mimetype="text/event-stream"
    )
    response.headers["X-Accel-Buffering"] = "no"
    response.headers["Cache-Control"] = "no-cache"
    response.call_on_close(lambda: limits.release("streams", slot))
    if not request.is_let_in():
        slot.end()  # the link was revoked meanwhile, or the door closed
    return response


@call("GET", "/board", Who.ALL)
def get_board(request: CallRequest) -> Response:
    """The board, to draw it."""
    now = request.session.feed.now()
    return responses.tagged(
        request, f"board-{now.game.id}", lambda: board_json(now.game.table.board)
    )


def board_json(board: Board) -> Json:
    """Return a board's data for drawing it."""
    drawn = drawable(board)
    # Dotted lines: bridges, and from each site to its station.
    dotted = [line for route in drawn.routes for line in route.bridges]
    for site in drawn.sites:
        if site.space is not None:
            dotted.append((drawn.place_by_id[site.station].xy_mm, site.space.xy_mm))
    return {**msgspec.to_builtins(drawn), "lanes": board.lanes, "dotted": dotted}


@call("GET", "/deck", Who.ALL)
def get_deck(request: CallRequest) -> Response:
    """The edition's tickets and colours."""
    now = request.session.feed.now()
    edition = now.game.table.edition

    def content() -> Json:
        return {
            "edition": edition.id,
            "title": edition.title,
            "colours": edition.colours,
            "tickets": ticket_deck(edition, now.game.table.board),
        }

    return responses.tagged(request, f"deck-{now.game.id}", content)


class RouteFromPlace(msgspec.Struct, frozen=True):
    """A route from a place, and whether it can still be claimed."""

    route: str
    to: str  # the place at its other end
    holder: str | None  # the colour of who has claimed it
    is_open: bool  # whether the phone's player may claim it; without a seat, whether anyone may


@call("GET", "/places/{place}/routes", Who.ALL)
def get_routes_from_place(request: CallRequest, place: str) -> list[RouteFromPlace]:
    """The routes from a place, and which of them can still be claimed."""
    position = request.session.feed.now().game.table.position
    if place not in position.board.place_by_id:
        raise CallError(404, "unknown", "The board has no place of that name.")
    seat = request.device.seat if request.device is not None else None
    player = request.session.table.log.state.table.player(seat) if seat is not None else None
    colours = () if position.final else position.colours if player is None else (player.colour,)
    return [
        RouteFromPlace(
            route.id,
            route.b if route.a == place else route.a,
            position.claims.get(route.id),
            any(may_claim(position, one, Spot("route", route.id)) for one in colours),
        )
        for route in position.board.routes
        if place in (route.a, route.b)
    ]


@call("GET", "/log", Who.ALL)
def get_log(request: CallRequest, after: After = 0) -> Json:
    """The public events."""
    game = request.session.feed.now().game
    numbers = game.log.number_by_seq
    return {
        "events": [entry(event, game) for event in game.log.events if numbers[event.seq] > after]
    }


def own_seq_of(request: CallRequest, seq: str) -> int | None:
    """Return the log's own number of a public event that a path names; None for an unknown one."""
    is_number = seq.isascii() and seq.isdigit() and len(seq) <= MOST_DIGITS
    return request.session.feed.now().game.log.seq_of(int(seq)) if is_number else None


@call("GET", "/log/{seq}/crop.jpg", Who.ALL, gives=JPEG)
def get_event_picture(request: CallRequest, seq: str) -> Response:
    """The picture that proves an event."""
    own_seq = own_seq_of(request, seq)
    crops = request.session.table.log.crops(own_seq) if own_seq is not None else ()
    if not crops:
        raise CallError(404, "unknown", "There is no picture of such an event.")
    return responses.of(crops[0], JPEG, **{"Cache-Control": "private, max-age=86400, immutable"})


@call("GET", "/spots/{kind}/{id}/picture.jpg", Who.TABLE, gives=JPEG)
def get_spot_picture(request: CallRequest, kind: str, id: str) -> Response:
    """What the camera sees now of a spot and what lies around it."""
    table, spot = request.session.table, Spot(cast(Kind, kind), id)
    board, sighted = table.view.game.table.board, table.sighted
    if kind not in get_args(Kind) or not spot.is_on(board) or sighted is None:
        raise CallError(404, "unknown", "The camera does not see this spot.")
    frame, pose = sighted
    return responses.of(picture_around(frame.picture, pose, area_around(board, spot)), JPEG)


@call("GET", "/questions/{id}/crop.jpg", Who.ALL, gives=JPEG)
def get_question_picture(request: CallRequest, id: str) -> Response:
    """The picture that a question is about."""
    question = request.session.table.questions.find(id)
    if question is None or not question.crop:
        raise CallError(404, "unknown", "This question is not open, or has no picture.")
    return responses.of(question.crop, JPEG)

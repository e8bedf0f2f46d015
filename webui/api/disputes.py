"""Calls about disputes: films of claims, and reports that are kept of what was misread."""

import msgspec
from flask import Response
from railspotter.scoring.board import Identifier
from railspotter.scoring.spot import Kind, Spot
from railspotter.table.live_table.claim_films import Film
from railspotter.table.live_table.pictures import Area, area_around, picture_around
from railspotter.table.recordings.reports import Report, ReportStore, report_of

from ..sessions.services import Needs
from . import responses
from .calls import JPEG, CallRequest, Nothing, Who, call
from .refusals import CallError
from .state import own_seq_of, parsed_number

OCTETS = "application/octet-stream"


class FilmView(msgspec.Struct, frozen=True):
    """Pictures of a spot, oldest first, upright as the board."""

    shown_mm: Area  # the part of the board: left, top, width, height
    after_s: tuple[float, ...]  # the pictures' times, from when the claim was written
    pictures: tuple[str, ...]  # their addresses

    @classmethod
    def at(cls, path: str, film: Film) -> "FilmView":
        """Return the view of a film whose pictures are below a path."""
        pictures = (f"/api/v1{path}/{i}.jpg" for i in range(len(film.pictures)))
        return cls(film.area_mm, film.after_s, tuple(pictures))


class ReportView(msgspec.Struct, frozen=True):
    """A report that is kept."""

    id: str
    at_s: float
    edition: str
    name: str  # of the spot
    said: str | None  # the colour that the camera saw; null is free
    is_misread: bool
    true: str | None  # of a misread, the colour that lies there; null is free
    film: FilmView


class ReportName(msgspec.Struct, frozen=True):
    """The id of a report."""

    id: str


@call("GET", "/log/{seq}/film", Who.TABLE)
def get_film(request: CallRequest, seq: str) -> FilmView:
    """The seconds before and after a claim, until the points are counted."""
    return FilmView.at(f"/log/{seq}/film", _film(request, seq)[1])


@call("GET", "/log/{seq}/film/{n}.jpg", Who.TABLE, gives=JPEG)
def get_film_picture(request: CallRequest, seq: str, n: str) -> Response:
    """One of its pictures."""
    return _picture(_film(request, seq)[1], n)


@call("POST", "/log/{seq}/film/keep", Who.TABLE)
def keep_film(request: CallRequest, seq: str) -> ReportName:
    """Keeps it as a report, also after the game."""
    number, film = _film(request, seq)
    game = request.session.table.log.state
    (spot,) = game.event(number).fact.spots
    return _keep(request, number, report_of(game, spot, film, None, is_misread=False))


@call("POST", "/reports", Who.TABLE)
def report_misread(
    request: CallRequest, *, kind: Kind, about: Identifier, question: str = ""
) -> ReportName:
    """Keeps what the camera said of a spot, or asked, and what people said since."""
    live, spot = request.session.table, Spot(kind, about)
    game = live.log.state
    held = game.table.spots.get(spot)
    if held is None or not held.is_by_hand:
        raise CallError(409, "changed", "Say first what lies there.")
    asked = live.questions.closed_question(question)
    area = area_around(game.table.board, spot)
    seen = (event for event in reversed(game.events[: held.event]) if spot in event.fact.spots)
    film = next((film for event in seen if (film := live.films.film(event.seq))), None)
    if asked is not None and asked.spot == spot and asked.crop:
        film = Film(area, (0.0,), (asked.crop,))
    elif film is None and live.sighted is not None:
        frame, pose = live.sighted
        film = Film(area, (0.0,), (picture_around(frame.picture, pose, area),))
    doubt = asked.doubt if asked is not None and asked.spot == spot else None
    report = report_of(game, spot, film or Film(area, (), ()), doubt, is_misread=True)
    return _keep(request, held.event, report)


@call("GET", "/reports", Who.HOST, needs=Needs.NOTHING)
def get_reports(request: CallRequest) -> list[ReportView]:
    """The reports that are kept, newest first."""
    store = _store(request)
    found = [(name, store.load(name)) for name in store.names()]
    found.sort(key=lambda one: one[1].at_s, reverse=True)
    return [_view(name, report) for name, report in found]


@call("GET", "/reports/{id}", Who.HOST, gives=OCTETS, needs=Needs.NOTHING)
def get_report(request: CallRequest, id: str) -> Response:
    """One of them as a file, with its pictures."""
    return responses.download(_store(request).content(id), OCTETS, f"report-{id}.json")


@call("GET", "/reports/{id}/{n}.jpg", Who.HOST, gives=JPEG, needs=Needs.NOTHING)
def get_report_picture(request: CallRequest, id: str, n: str) -> Response:
    """One of its pictures."""
    return _picture(_store(request).load(id).film, n)


@call("DELETE", "/reports/{id}", Who.HOST, needs=Needs.NOTHING)
def delete_report(request: CallRequest, id: str) -> Nothing:
    """Deletes it for good."""
    _store(request).delete(id)
    return Nothing()


def _store(request: CallRequest) -> ReportStore:
    return ReportStore(request.services.home)


def _keep(request: CallRequest, number: int, report: Report) -> ReportName:
    return ReportName(_store(request).keep(request.session.table.log.id, number, report))


def _film(request: CallRequest, seq: str) -> tuple[int, Film]:
    """Return the log's own number of a public event, and its film."""
    number = own_seq_of(request, seq)
    film = None if number is None else request.session.table.films.film(number)
    if number is None or film is None:
        raise CallError(404, "unknown", "There are no pictures of this, or none any more.")
    return number, film


def _picture(film: Film, n: str) -> Response:
    number = parsed_number(n)
    if number is None or number >= len(film.pictures):
        raise CallError(404, "unknown", "There are no pictures of this, or none any more.")
    return responses.of(film.pictures[number], JPEG)


def _view(name: str, report: Report) -> ReportView:
    film = FilmView.at(f"/reports/{name}", report.film)
    return ReportView(
        name,
        report.at_s,
        report.edition,
        report.name,
        report.said,
        report.is_misread,
        report.true,
        film,
    )

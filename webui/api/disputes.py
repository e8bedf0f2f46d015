"""Calls about disputes: films of claims, and reports that are kept of what was misread."""

import msgspec
from flask import Response
from railspotter.scoring.board import Identifier
from railspotter.scoring.spot import Kind, Spot
from railspotter.table.live_table.claim_films import Film
from railspotter.table.live_table.pictures import area_around, picture_around
from railspotter.table.recordings.reports import ReportHead, ReportStore, report_of

from ..sessions.services import Needs
from . import responses
from .calls import JSON, CallRequest, Nothing, Who, call
from .refusals import CallError
from .state import own_seq_of


@call("GET", "/log/{seq}/film", Who.TABLE)
def get_film(request: CallRequest, seq: str) -> Film:
    """The seconds before and after a claim, until the points are counted."""
    return _film(request, seq)[1]


@call("POST", "/log/{seq}/film/keep", Who.TABLE)
def keep_film(request: CallRequest, seq: str) -> Nothing:
    """Keeps it as a report, also after the game."""
    (number, film), log = _film(request, seq), request.session.table.log
    (spot,) = log.state.event(number).fact.spots
    report = report_of(log, number, spot, film, None, is_misread=False)
    ReportStore(request.services.home).keep(report)
    return Nothing()


@call("POST", "/reports", Who.TABLE)
def report_misread(
    request: CallRequest, *, kind: Kind, about: Identifier, question: str = ""
) -> Nothing:
    """Keeps what the camera said of a spot, or asked, and what people said since."""
    live, spot = request.session.table, Spot(kind, about)
    game = live.log.state
    held = game.table.spots.get(spot)
    if held is None or not held.is_by_hand:
        raise CallError(409, "changed", "Say first what lies there.")
    asked, area = live.questions.closed_question(question), area_around(game.table.board, spot)
    if asked is not None and asked.spot == spot:
        film = Film(area, (0.0,), (asked.crop,)) if asked.crop else None
    else:
        asked = None
        seen = (event for event in reversed(game.events[: held.event]) if spot in event.fact.spots)
        film = next((film for event in seen if (film := live.films.films.get(event.seq))), None)
    if film is None and live.sighted is not None:
        frame, pose = live.sighted
        film = Film(area, (0.0,), (picture_around(frame.picture, pose, area),))
    film, doubt = film or Film(area, (), ()), asked.doubt if asked is not None else None
    report = report_of(live.log, held.event, spot, film, doubt, is_misread=True)
    ReportStore(request.services.home).keep(report)
    return Nothing()


class KeptReports(msgspec.Struct, frozen=True):
    """The reports that are kept, newest first, without their pictures."""

    reports: list[ReportHead]


@call("GET", "/reports", Who.HOST, needs=Needs.NOTHING)
def get_reports(request: CallRequest) -> KeptReports:
    """The reports that are kept."""
    heads = ReportStore(request.services.home).heads()
    return KeptReports(sorted(heads, key=lambda head: head.at_s, reverse=True))


@call("GET", "/reports/{id}", Who.HOST, needs=Needs.NOTHING)
def get_report(request: CallRequest, id: str) -> Response:
    """One of them as a file, with its pictures."""
    content = ReportStore(request.services.home).content(id)
    return responses.download(content, JSON, f"report-{id}.json")


@call("DELETE", "/reports/{id}", Who.HOST, needs=Needs.NOTHING)
def delete_report(request: CallRequest, id: str) -> Nothing:
    """Deletes it for good."""
    ReportStore(request.services.home).delete(id)
    return Nothing()


def _film(request: CallRequest, seq: str) -> tuple[int, Film]:
    """Return the log's own number of a public event, and its film."""
    number = own_seq_of(request, seq)
    film = None if number is None else request.session.table.films.films.get(number)
    if number is None or film is None:
        raise CallError(404, "unknown", "There are no pictures of this, or none any more.")
    return number, film

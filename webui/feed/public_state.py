"""The public state of a running game as JSON.

It uses only the public score and log, revealed tickets, and who has chosen the first ones.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, get_args

from railspotter.scoring.answer import GameScore, to_json
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Ticket
from railspotter.scoring.legality import Problem, likely_wrong, position_problems
from railspotter.scoring.paths.longest_path import longest_holders
from railspotter.scoring.points.standing import Holding, PlayerStanding, ScoreLine
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.course_facts import GamePackedAway, GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.log import is_lost
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.game_log.table_state import TableState
from railspotter.table.game_log.turn_times import RunningTurn, SeatTime, TurnTimes, turn_times
from railspotter.table.live_table import table_view
from railspotter.table.live_table.course import likely_turn, turn_doubt
from railspotter.table.live_table.phase import counting_of, phase_of
from railspotter.table.live_table.pictures import area_around
from railspotter.vision.watching.questions import ClosedQuestion, Question

from ..access.roles import Devices
from .cards_state import cards_state

KINDS: tuple[table_view.DifferenceKind, ...] = get_args(table_view.DifferenceKind)
MOST_EVENTS = 50  # the newest events in the state; pages request older ones when scrolling
Json = dict[str, Any]


def rebuilding_state(
    view: table_view.RebuildingView, log: PublicLog, pictured: Collection[int]
) -> dict[str, Any]:
    """Return the differences of a packed-away board by kind, and the URL of its picture."""
    table = log.game.table
    packed = (event.seq for event in log.events if isinstance(event.fact, GamePackedAway))
    seq = max((one for one in packed if one in pictured), default=None)
    return {
        "is_read": view.is_read,
        "picture": None if seq is None else f"/api/v1/log/{log.number_by_seq[seq]}/crop.jpg",
        **{
            kind: [_difference(one, table) for one in view.differences if one.kind == kind]
            for kind in KINDS
        },
    }


def _difference(one: table_view.Difference, table: TableState) -> dict[str, Any]:
    difference: dict[str, Any] = {
        "spot": one.spot.key,
        "colour": one.colour,
        "seen": one.seen,
        "spaces": table.pieces_on(one.spot),
    }
    return difference if one.lies_on is None else {**difference, "lies_on": one.lies_on.key}


@dataclass(frozen=True)
class PublicGame:
    """A game without secrets: the part of the public state that depends on events only."""

    id: str
    log: PublicLog
    pictured: Collection[int] = ()  # the log numbers of events with a picture
    is_kept: bool = True  # whether it is among the past games later: a demo game is not

    @property
    def table(self) -> TableState:
        """The table, of which only the public position and score may be used."""
        return self.log.game.table

    @cached_property
    def turn_times(self) -> TurnTimes:
        """The turn times, cached since they take a pass over the log."""
        return turn_times(self.log.game)


def public_state(
    view: table_view.TableView,
    game: PublicGame,
    devices: Devices,
    at_s: float = math.inf,
) -> Json:
    """Return the public state at a moment, without `number` and `you`."""
    log, sight, joining = game.log, view.sight, view.sight.joining
    counting, phase = counting_of(game.table), phase_of(game.table, devices.seats, at_s)
    kept = game.table.tickets if phase in ("seats", "tickets") else {}
    return {
        "phase": phase,
        "chosen": sorted(seat for seat in kept if kept[seat]),
        "counting": counting and asdict(counting),
        **public_game(game, devices.seats),
        "table": {
            "state": sight.state.value,
            "has_camera": view.has_camera,
            "camera": view.camera,
            "board": sight.board,
            "trouble": view.trouble,
            "hindrance": view.hindrance and asdict(view.hindrance),
            "reminder": view.reminder,
            "markers": [asdict(one) for one in sight.markers],
            "is_called": view.is_called,
            "is_over": view.is_over,
            "joining": joining
            and {spot.key: colour for spot, colour in sorted(joining.board.items())},
            "joining_problems": joining_problems(joining, log.game.table) if joining else [],
            "joining_missing": joining.missing if joining else 0,
            "joining_changed": joining.changed if joining else 0,
            "is_joining_open": view.is_joining_open,
            "strange": {
                colour: [spot.key for spot in spots] for colour, spots in sight.strange.items()
            },
            "unseen": [spot.key for spot in sight.unseen],
            "films": [log.number_by_seq[seq] for seq in view.films if seq in log.number_by_seq],
            "rebuilding": None
            if sight.rebuilding is None
            else rebuilding_state(sight.rebuilding, log, game.pictured),
        },
        "cards": cards_state(
            log.game, devices, sight.laying, view.marker_moves, view.asked_back, view.astray
        ),
        "questions": [_question(question, log.game.table.board) for question in view.questions],
        "closed_questions": [_closed(one) for one in view.closed],
        "log": [entry(event, game) for event in log.events[-MOST_EVENTS:]],
        "undo": _named(log, log.undoable),
        "redo": _named(log, log.redoable),
    }


def public_game(game: PublicGame, paired: Collection[str] = ()) -> Json:
    """Return the part of the state about the game itself: players, problems and spots."""
    table, log = game.table, game.log
    return {
        "game": _game(game),
        "players": [
            _player(player, standing, game, player.seat in paired)
            for player, standing in zip(table.players, table.score.standing.players, strict=True)
        ],
        "problems": [
            _problem(problem, table.occupied_spots_of(problem)) for problem in table.score.problems
        ],
        "spots": {
            spot.key: {
                "colour": held.colour,
                "by": held.by,
                "at_s": held.at_s,
                "event": log.number_by_seq.get(held.event),
                "sure": held.sure,
            }
            for spot, held in sorted(table.spots.items())
            if held.colour is not None or held.is_by_hand
        },
    }


def joining_problems(joining: table_view.Joining, table: TableState) -> list[Json]:
    """Return what cannot be on the board that is to be confirmed, which the game has not yet."""
    return [
        _problem(problem, likely_wrong(problem, joining.board, joining.sure))
        for problem in position_problems(table.position.with_held(joining.board))
        if problem not in table.score.problems
    ]


def _problem(problem: Problem, spots: Iterable[Spot]) -> Json:
    return {**asdict(problem), "spots": [spot.key for spot in spots]}


def entry(event: Event, game: PublicGame) -> Json:
    """Return a public event as an entry of the log."""
    log = game.log
    fact = log.fact_of(event)
    if isinstance(event.fact, GameStarted):
        fact.pop("board", None)  # large, and served by its own call
    return {
        "seq": log.number_by_seq[event.seq],
        "at_s": event.at_s,
        "kind": event.fact.kind,
        "fact": fact,
        "is_undone": event.seq in log.game.undone,
        "has_crop": event.seq in game.pictured,
    }


def _named(log: PublicLog, seq: int | None) -> Json | None:
    return None if seq is None else {"event": log.number_by_seq[seq]}


def _game(game: PublicGame) -> Json:
    table, times = game.table, game.turn_times
    edition = table.edition
    return {
        "id": game.id,
        "is_kept": game.is_kept,
        "origin": table.started.origin,
        "stocks_confirmed": table.stocks_confirmed,
        "name": table.name,
        "edition": edition.id,
        "title": edition.title,
        "board": table.board.id,
        "train_word": edition.train_word,
        "one_piece_a_route": edition.one_piece_a_route,
        "started_at_s": game.log.game.events[0].at_s,
        "paused": table.paused,
        "packed_away": table.packed_away,
        "ended": table.ended,
        "counted": table.counted,
        "turn": table.turn,
        "likely_turn": likely_turn(game.log.game),
        "turn_doubt": (doubt := turn_doubt(game.log.game))
        and {**asdict(doubt), "spot": doubt.spot.key},
        "turn_times": [_time(one) for one in times.seats],
        "turn_runs": times.running and _time(times.running),
        "last_turns_by": table.last_turns_by,
        "has_stations": bool(edition.stations),
        "longest_path_bonus": edition.longest_path_bonus,
        "decided_by": table.score.standing.decided_by,
        "ties_broken": [asdict(tie) for tie in table.score.standing.ties_broken],
        "modes": list(edition.modes),
        "lost_events": sum(map(is_lost, game.log.game.events)),
    }


def _time(one: SeatTime | RunningTurn) -> Json:
    return {**asdict(one), "seconds": round(one.seconds, 1)}


def _player(player: Player, score: PlayerStanding, game: PublicGame, is_paired: bool) -> Json:
    table, edition = game.table, game.table.edition
    players = table.score.standing.players
    longest = longest_holders({other.colour: other.longest_path for other in players})
    holding = Holding(table.position, player.colour)
    return {
        "seat": player.seat,
        "name": player.name,
        "colour": player.colour,
        "shape": player.shape,
        "place": 1 + sum(other.total > score.total for other in players),
        "points": score.total,
        "route_points": score.route_points,
        "ticket_points": score.ticket_points,
        "trains_left": score.trains_left,
        "trains": edition.trains,
        "stations_left": max(0, edition.stations - [*table.stations.values()].count(player.colour)),
        "longest_path": score.longest_path.at_least,
        "longest_path_at_most": score.longest_path.at_most,
        "path_routes": list(score.longest_path.routes),
        "holds_longest": bool(edition.longest_path_bonus) and player.colour in longest.sure,
        "is_winner": player.colour in table.score.standing.winners,
        "has_left": player.seat in table.left,
        "is_paired": is_paired,
        "computer": player.computer,
        "marker": table.markers.get(player.seat),
        "modes": [mode for mode in edition.modes if any(r.mode == mode for r in holding.routes)],
        "tickets": [
            _ticket(ticket, is_done)
            for ticket, is_done in zip(holding.tickets, holding.completed, strict=True)
        ],
        "lines": lines_json(score.lines),
    }


def lines_json(lines: Iterable[ScoreLine]) -> list[Json]:
    """Return the lines of a player's score."""
    return [
        {"kind": line.kind, "what": line.what, "values": line.what.values, "points": line.points}
        for line in lines
    ]


def answer_json(answer: GameScore) -> Json:
    """Return a score as `to_json`, with lines for the pages."""
    content = to_json(answer)
    for player, score in zip(content["players"], answer.standing.players, strict=True):
        player["lines"] = lines_json(score.lines)
    return content


def _ticket(ticket: Ticket, is_done: bool) -> Json:
    return {"a": ticket.a, "b": ticket.b, "points": ticket.points, "is_done": is_done}


def _question(question: Question, board: Board) -> Json:
    choices = dict.fromkeys((question.doubt.said, *question.doubt.alternatives, None))
    return {
        "id": question.id,
        "kind": question.spot.kind,
        "about": question.spot.id,
        "said": question.doubt.said,
        "why": question.doubt.why,
        "choices": list(choices),
        "crop": f"/api/v1/questions/{question.id}/crop.jpg" if question.crop else None,
        "shown_mm": [round(mm, 1) for mm in area_around(board, question.spot)],
    }


def _closed(closed: ClosedQuestion) -> Json:
    said = {} if closed.answer is None else {"now": closed.answer.now}
    return {"id": closed.question.id, "why": closed.why, "seat": closed.by or None, **said}

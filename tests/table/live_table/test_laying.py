"""A route that is paid for is laid train by train: what stands is said space by space."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import drawn
import pytest
from at_once import AtOnce
from dealt_games import DealtGame, started
from railspotter.calibration.arrays import Picture
from railspotter.cli.terminal.watching import TerminalLog
from railspotter.scoring.dealing.moves import Pay
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.pieces import place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.display_control import DisplayFeed
from railspotter.table.game_log.board_facts import Placed, TakenBack
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.live_table.astray import sort_out
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import Laying, TableView
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from told_lights import ToldLights

CAMERA = VirtualCamera(
    drawn.usa(), view=CameraSetup((960, 640), tilt_deg=10, heading_deg=5), sensor=drawn.SENSOR
)
SHOWN_S = 1.6  # how long the board stays as it is
ASTRAY_S = 4.0  # ... until what was taken away again is seen to be gone


def claimed(pieces: int) -> tuple[DealtGame, Spot]:
    """A game in which a computer has paid for a route of so many pieces, and nobody laid it."""
    game = DealtGame.of(started("usa", 2, computers=True, trains=45))
    while True:
        seat = game.computer_to_move() or ""
        move = game.bot(seat).move(game.view(seat))
        is_it = isinstance(move, Pay) and game.table.pieces_on(move.spot) == pieces
        if isinstance(move, Pay) and not is_it:
            move = game.bot(seat).move(replace(game.view(seat), hand={}))
        game.move(seat, move, lies_there=False)
        if is_it:
            return game, next(iter(game.table.to_lay))


@pytest.fixture
def laid(tmp_path: Path) -> Iterator[tuple[GameLog, Spot]]:
    game, spot = claimed(4)
    with GameStore(tmp_path).create(game.table.started, 1.0) as log:
        log.append([event.fact for event in game.game.events[1:]], 2.0)
        yield log, spot


def pictures(spot: Spot, colours: Sequence[str]) -> list[Picture]:
    """The board with none of these trains, with all but the last, with all."""
    trains = place_trains(CAMERA.printed, {spot.id: colours[0]}, 0, 0.5)
    pieces = [replace(train, colour=c) for train, c in zip(trains, colours, strict=False)]
    counts = (0, len(pieces) - 1, len(pieces))
    return [CAMERA.take(Scene(tuple(pieces[:n]))).picture for n in counts]


def test_what_a_computer_claims_is_ticked_off_space_by_space(
    laid: tuple[GameLog, Spot], capsys: pytest.CaptureFixture[str]
) -> None:
    log, spot = laid
    colour = log.state.table.to_lay[spot]
    wrong = next(p.colour for p in log.state.table.players if p.colour != colour)
    shown = pictures(spot, (colour, colour, wrong))
    source = VirtualBoard(
        lambda t_s: shown[min(int(t_s / SHOWN_S), len(shown) - 1)],
        SHOWN_S * len(shown),
        4.0,
        as_fast_as_read=True,
    )
    seen, lights = list[Laying | None](), ToldLights()
    with Grabber(source) as grabber:
        table = LiveTable(log, grabber, drawn.profile(), work=AtOnce())
        table.subscribe(lambda view, events: seen.append(view.sight.laying.get(spot)))
        table.subscribe(TerminalLog().update)
        table.subscribe(DisplayFeed(lights).update)
        while not table.view.is_over:
            table.process_next_frame()
    assert list(dict.fromkeys(seen)) == [
        None,
        Laying((0, 1)),
        Laying((0, 1), ((2, wrong),)),
    ]
    assert log.state.table.to_lay == {spot: colour}, "nothing of it is a claim"
    said = capsys.readouterr().out
    points = log.state.table.full_score.standing[colour].route_points
    assert points > 0
    assert f"move the marker of {colour.title()} ({colour}) to {points}\n" in said
    assert [(lay.standing, lay.marker) for told in lights.to_lay for lay in told][-1] == (2, points)


def test_a_computers_trains_on_another_route_are_neither_a_claim_nor_a_question(
    laid: tuple[GameLog, Spot],
) -> None:
    log, spot = laid
    colour, other = log.state.table.to_lay[spot], Spot("route", "calgary--seattle")
    trains = place_trains(CAMERA.printed, {other.id: colour}, 0, 0.5)
    shown = [CAMERA.take(Scene(tuple(trains[:n]))).picture for n in (0, 1, len(trains), 0)]
    source = VirtualBoard(
        lambda t_s: shown[min(int(t_s / ASTRAY_S), len(shown) - 1)],
        ASTRAY_S * len(shown),
        4.0,
        as_fast_as_read=True,
    )
    written, seen = log.state, list[Mapping[Spot, str]]()
    with Grabber(source) as grabber:
        table = LiveTable(log, grabber, drawn.profile(), work=AtOnce())
        while not table.view.is_over:
            table.process_next_frame()
            assert table.view.questions == ()
            seen.append(table.view.astray)
    assert log.state == written
    told = [astray for astray, before in zip(seen[1:], seen, strict=False) if astray != before]
    assert (told[0], told[-1]) == ({other: colour}, {})
    assert len(told) <= 4, "while the hand comes back nothing is seen of it"


def test_pieces_laid_astray_are_a_claim_once_they_are_paid_for() -> None:
    game, spot = claimed(4)
    colour, other = game.table.to_lay[spot], Spot("route", "calgary--seattle")
    seen = [Placed.on(one, colour=colour, by="camera") for one in (spot, other)]
    written, held = sort_out([(fact, b"proof") for fact in seen], {}, game.table)
    assert written == ((seen[0], b"proof"),)
    assert list(held) == [other]
    gone = TakenBack.on(other, by="camera")
    assert sort_out([(gone, b"")], held, game.table) == ((), {})
    payments = {**game.table.payments, other: game.table.payments[spot]}
    paid = replace(game.table, payments=payments)
    assert sort_out((), held, paid) == (((seen[1], b"proof"),), {})


@pytest.mark.parametrize("edition", ["usa", "usa-accessible", "usa-10th", "newyork"])
def test_where_the_marker_goes_is_said_where_markers_are_moved(edition: str) -> None:
    game = DealtGame.of(started(edition, 2, computers=True))
    while not game.table.to_lay:
        seat = game.computer_to_move() or ""
        game.move(seat, game.bot(seat).move(game.view(seat)), lies_there=False)
    ((spot, colour),) = game.table.to_lay.items()
    view = TableView(game.game)
    points = game.table.full_score.standing[colour].route_points
    assert view.marker_moves == ({} if edition == "newyork" else {spot: points})  # no track there
    assert replace(view, with_markers=False).marker_moves == {}
    assert TableView(DealtGame.of(started(edition, 2)).game).marker_moves == {}

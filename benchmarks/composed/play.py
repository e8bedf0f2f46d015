"""Games in real pixels: computers play, animated hands place trains cut from photos.

An enacted game says which trains lie on the board at every moment and where the hands are; the
trains are cut from photos. Nobody plays routes that no photo shows with trains.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.edition import load_edition
from railspotter.simulation.enactment.director import enact
from railspotter.simulation.enactment.enactment import Enactment
from railspotter.simulation.enactment.habits import Habits
from railspotter.simulation.played_game import PlayedGame, play_game
from railspotter.simulation.virtual_board.pieces import Piece

from composed.camera import SENSOR, ComposedCamera, ComposedPicture, Moment
from composed.laid_train import LaidTrain, trains_of_routes
from composed.library import SOURCES, STAGES, Library
from composed.source import Source
from composed.stage import make_stage
from composed.table import ComposedTable

RouteSources = dict[RouteId, tuple[Source, ...]]
# A train that lies nearer to its space is shown as it stood in its photo, carelessly enough.
UNMOVED_MM = 5.0
# Nothing but trains lies on the composed board, and turned around it would leave its picture.
HABITS = Habits(turned_around=0.0, things=0.0)
PLAYERS = 4


def sources_by_route(library: Library, names: Sequence[str]) -> RouteSources:
    """Return for each route the photos that it can be cut from, the cleanest first."""
    sources = [library.source(name) for name in names]
    return {
        route.id: tuple(
            sorted(
                (
                    source
                    for source in sources
                    if route.id in library.photo(source.name).truth["claims"]
                    and route.id not in library.photo(source.name).half_filled
                ),
                key=lambda source: (source.contact[route.id], source.name),
            )
        )
        for route in library.board.routes
    }


def trains_for_route(sources: RouteSources, route: RouteId, colour: str) -> tuple[LaidTrain, ...]:
    """Return the trains of a route in a player's colour, recoloured if needed.

    The cleanest cut of that colour; where no photo has it, the cleanest of another is painted
    over, black last: it has lost its shading. The truth marks such routes.
    """
    if not sources[route]:
        raise ValueError(f"no photo shows trains on {route!r}")
    source = min(
        sources[route], key=lambda s: (s.colour_of(route) != colour, s.colour_of(route) == "black")
    )
    return trains_of_routes(source, [route], {route: colour})


@dataclass(frozen=True, eq=False)
class ComposedGame:
    """An enacted game before a camera that sees trains from photos."""

    enactment: Enactment
    camera: ComposedCamera
    route_sources: RouteSources

    def take(self, t_s: float) -> ComposedPicture:
        """Take the picture at a moment."""
        scene = self.enactment.scene_at(t_s)
        moment = Moment(
            things=scene.things,
            brightness=scene.light.strength,
            gain_bgr=scene.light.gain_bgr,
            lamp=scene.light,
            push=scene.shift,
            number=scene.moment,
        )
        return self.camera.take(self.trains_for(scene.pieces), moment)

    def trains_for(self, pieces: Sequence[Piece]) -> tuple[LaidTrain, ...]:
        """Return the trains for the pieces that stand on routes."""
        board = self.enactment.board
        return tuple(
            self._train_for(board, piece)
            for piece in pieces
            if piece.route is not None and piece.space is not None
        )

    def _train_for(self, board: Board, piece: Piece) -> LaidTrain:
        assert piece.route is not None
        assert piece.space is not None
        cut = trains_for_route(self.route_sources, piece.route, piece.colour)[piece.space]
        space = board.route_by_id[piece.route].spaces[piece.space]
        off = np.subtract(piece.xy_mm, space.xy_mm)
        if np.hypot(*off) < UNMOVED_MM:
            return cut
        turn_deg = (piece.angle_deg - space.angle_deg + 90) % 180 - 90
        return LaidTrain(
            cut.route, cut.space, cut.source, cut.colour, (float(off[0]), float(off[1])), turn_deg
        )


def composed_game(
    library: Library,
    board_name: str,
    seed: int,
    size_wh: tuple[int, int] | None = (1280, 720),
    play: Callable[[Board], PlayedGame] | None = None,
) -> ComposedGame:
    """Return the game of a seed, on the first empty photo, with trains of all sources."""
    route_sources = sources_by_route(library, SOURCES[board_name])
    sources = [library.source(name) for name in SOURCES[board_name]]
    table = ComposedTable(
        library.board, make_stage(library, STAGES[board_name][0], size_wh=size_wh), sources
    )
    shown = tuple(route for route in library.board.routes if route_sources[route.id])
    board = msgspec.structs.replace(library.board, routes=shown)
    played = play(board) if play else play_game(load_edition(board_name), board, PLAYERS, seed)
    enactment = enact(played, board, seed, HABITS)
    return ComposedGame(enactment, ComposedCamera(table, SENSOR), route_sources)

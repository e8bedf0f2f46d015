"""A board before a still camera, shown one picture after the other and read as a test says."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.pieces import place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.watching.changes import Change
from railspotter.vision.watching.looks import LookRead
from railspotter.vision.watching.spot_state import SpotReading
from railspotter.vision.watching.watcher import Watcher

BOARD = load_board("usa")
OTHER = Spot("route", "pittsburgh--toronto")
MEANT = Spot("route", "atlanta--raleigh--0")
PIECES = Pieces(plastic("usa"), exclusive=BOARD.lanes)
WITH_STATIONS = replace(PIECES, station_size_mm=(15.0, 15.0, 20.0), stations_each=3)
RED_THERE = SpotReading("red", (9.0,), parts=2, covered=2, shape=9.0)
BLUE_THERE = SpotReading("blue", (9.0,), parts=2, covered=2, shape=9.0)
ALL_RED = {
    Spot("route", route.id): SpotReading("red", (9.0,), route.length, route.length)
    for route in BOARD.routes
}
NO_TRAINS = {
    spot: replace(seen, answer=None, covered=0, odds=(-9.0,)) for spot, seen in ALL_RED.items()
}


class StillTable:
    """A board before a still camera, and what readings of it say."""

    def __init__(self, game: VirtualGame, printed: PrintedBoard, pose: Pose) -> None:
        self.game, self.printed, self.pose = game, printed, pose
        self.watcher, self.free = Watcher(printed, PIECES), dict(NO_TRAINS)
        self.at_s, self.readings, self.said = 0.0, 0, list[Change]()

    def with_stations(self) -> None:
        """Let stations stand on the board, too."""
        self.watcher = Watcher(self.printed, WITH_STATIONS)
        places = (Spot("station", place.id) for place in BOARD.places)
        self.free |= {place: SpotReading(None, (-9.0, -9.0), 1, 0) for place in places}

    def picture(self, laid: Mapping[Spot, str] = MappingProxyType({}), count: int = 99) -> Picture:
        """Return the board with the first pieces of some claims."""
        pieces = [
            piece
            for spot, colour in laid.items()
            for piece in place_trains(BOARD, {spot.id: colour}, 0)
        ]
        return self.game.camera.take(Scene(tuple(pieces[:count]))).picture

    def show(
        self,
        picture: Picture,
        seconds: float,
        seen: Mapping[Spot, SpotReading] = MappingProxyType({}),
        *,
        step_s: float = 0.1,
        also_unasked: bool = False,
    ) -> list[tuple[type[Change], Spot]]:
        """Show a picture for a while, read as it is said here; return what changed.

        All other spots read as plainly free.
        """
        changes = list[Change]()
        for _ in range(round(seconds / step_s)):
            changes += self.watcher.see(picture, self.pose, round(self.at_s, 1)).changes
            if also_unasked or self.watcher.due() is not None:
                self.watcher.process_look(LookRead(round(self.at_s, 1), {**self.free, **seen}))
                self.readings += 1
            self.at_s += step_s
        self.said += changes
        return [(type(change), change.spot) for change in changes]

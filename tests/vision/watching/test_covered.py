"""What seems to lie over the board though nothing does, and what really does."""

from collections.abc import Iterable
from functools import cache

import cv2
import numpy as np
from kept_readings import KeptReadings
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import RouteId
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.pieces import place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.readings import Colour
from railspotter.vision.watching.changes import Appeared, Change, QuestionAsked, Vanished
from railspotter.vision.watching.settling import WatchState
from railspotter.vision.watching.watcher import Watcher
from still_board import BOARD, CAMERA, bare, pose, printed

ROUTE = "los-angeles--phoenix"
FRAME_S = 0.2
KEPT = KeptReadings()


@cache
def laid(route: RouteId = ROUTE, colour: Colour = "black") -> Picture:
    return CAMERA.take(Scene(place_trains(BOARD, {route: colour}, seed=3))).picture


def torn(picture: Picture) -> Picture:
    """Return what a JPEG decodes to that lost some bytes: all below is shifted and tinted."""
    shown = picture.copy()
    shown[200:] = np.roll(shown[200:], 112, axis=1)
    return np.asarray(cv2.add(shown, np.array([10.0, 0.0, 40.0, 0.0])), np.uint8)


def with_hand(picture: Picture, x: int) -> Picture:
    shown = picture.copy()
    shown[:420, x : x + 70] = (120, 150, 200)
    return shown


def with_card(picture: Picture) -> Picture:
    shown = picture.copy()
    shown[360:450, 380:520] = (140, 60, 40)
    return shown


def with_phone(picture: Picture) -> Picture:
    """Return a board with a phone over its edge, and the shadow of a lamp's foot beside it."""
    shown = picture.copy()
    shown[215:300, 690:790] = (0.65 * shown[215:300, 690:790]).astype(np.uint8)
    shown[120:215, 745:900] = 36
    return shown


class Table:
    """A board before a still camera, five pictures a second, read as soon as it is worth it."""

    def __init__(self) -> None:
        self.watcher = Watcher(printed(), Pieces(plastic("usa")))
        self._at_s = 0.0
        self.readings = 0

    def show(self, pictures: Iterable[Picture]) -> list[Change]:
        changes: list[Change] = []
        for picture in pictures:
            changes += self.watcher.see(picture, pose(), self._at_s).changes
            self._at_s = round(self._at_s + FRAME_S, 1)
            if (look := self.watcher.due()) is not None:
                self.readings += 1
                self.watcher.process_look(KEPT.read(look))
        return changes


def test_a_board_that_torn_pictures_were_taken_for_is_seen_again() -> None:
    table = Table()
    table.show([bare().picture] * 10)
    assert table.watcher.state is WatchState.SETTLED
    changes = table.show([torn(bare().picture)] * 32)
    changes += table.show(with_hand(torn(bare().picture), x) for x in range(200, 500, 60))
    changes += table.show(with_hand(bare().picture, x) for x in range(500, 200, -60))
    changes += table.show([bare().picture] * 75)
    # Sources refuse such pictures; what one made somebody claim all the same is taken back, or
    # asked about.
    claimed = {one.spot for one in changes if isinstance(one, Appeared)}
    assert claimed
    assert {one.spot for one in changes if isinstance(one, Vanished | QuestionAsked)} == claimed
    assert table.watcher.state is WatchState.SETTLED
    assert table.watcher.unseen(10.0) == ()
    changes = table.show([laid()] * 10)
    assert [(one.spot, one.colour) for one in changes if isinstance(one, Appeared)] == [
        (Spot("route", ROUTE), "black")
    ]


def test_what_a_card_lies_on_stays_covered_until_it_is_taken_away() -> None:
    table = Table()
    table.show([bare().picture] * 10)
    readings = table.readings
    assert table.show([with_card(bare().picture)] * 100) == []
    under = table.watcher.unseen(15.0)
    assert Spot("route", "denver--oklahoma-city") in under
    assert 0 < len(under) < 20
    assert table.readings - readings <= 10, "what really lies there is read ever more rarely"
    assert table.show([bare().picture] * 15) == []
    assert table.watcher.unseen(1.0) == ()
    assert table.watcher.state is WatchState.SETTLED


def test_a_phone_is_no_ground_though_the_board_shows_in_the_shadow_beside_it() -> None:
    table = Table()
    table.show([bare().picture] * 10)
    assert table.show([with_phone(bare().picture)] * 50) == []
    unseen = table.watcher.unseen(9.0)
    assert Spot("route", "boston--montreal--0") in unseen
    assert Spot("route", "chicago--pittsburgh--0") not in unseen


def test_trains_where_a_thing_lay_from_the_start_are_seen_once_it_is_taken_away() -> None:
    """Though the board was settled with it, and no free spot tells what bare ground is there."""
    table, route = Table(), "el-paso--los-angeles"
    with_thing = bare().picture.copy()
    with_thing[465:550, 250:340] = 36
    table.show([with_thing] * 10)
    shown = laid(route, "yellow")
    changes = table.show(with_hand(shown, x) for x in range(700, 400, -60))
    changes += table.show([shown] * 60)
    assert [one.spot for one in changes if isinstance(one, Appeared)] == [Spot("route", route)]
    assert table.watcher.unseen(1.0) == ()

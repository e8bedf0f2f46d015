"""Light, and what a sensor makes of it."""

from dataclasses import replace

import numpy as np
import pytest
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.arrays import Float64s
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.pieces import Piece
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera

VIEW = CameraSetup((640, 480), tilt_deg=30)
CALM = Sensor(blur_px=0, vignette=0, noise=0)
EVEN = Light(falloff=0)


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


@pytest.fixture(scope="module")
def camera(usa: Board) -> VirtualCamera:
    return VirtualCamera(usa, view=VIEW, sensor=CALM)


def shown(camera: VirtualCamera, light: Light) -> Float64s:
    return camera.take(Scene(light=light)).picture.astype(np.float64)


def test_the_lamp_is_mirrored_where_a_mirror_would_show_it(usa: Board) -> None:
    """By the law of reflection: as far as the lamp is high, seen from the other side."""
    # The camera is 30 degrees off straight above, below the board: the lamp is behind the board.
    light = replace(EVEN, from_deg=-90, height_deg=60, glare=1.0, glare_size=2.0)
    camera = VirtualCamera(usa, view=VIEW, sensor=CALM)
    frame = camera.take(Scene(light=light))
    shine = frame.picture.astype(int).sum(axis=2) - shown(camera, EVEN).sum(axis=2)
    row, column = np.unravel_index(np.argmax(np.where(shine > 0, shine, 0)), shine.shape)
    peak = np.argwhere(frame.picture.min(axis=2) >= 254).mean(axis=0)
    assert peak == pytest.approx([239.5, 319.5], abs=6)
    assert shine[row, column] > 0
    broad = camera.take(Scene(light=replace(light, glare_size=8.0))).picture
    assert (broad.min(axis=2) > 250).sum() > 4 * (frame.picture.min(axis=2) > 250).sum()
    aside = camera.take(Scene(light=replace(light, from_deg=-75))).picture
    assert np.argwhere(aside.min(axis=2) >= 254).mean(axis=0)[1] > peak[1] + 40


def test_trains_and_hands_stand_out_of_the_glare(camera: VirtualCamera) -> None:
    """White-out takes the print away, not what stands on it or passes over it."""
    light = replace(EVEN, from_deg=-90, height_deg=60, glare=1.0)
    x, y = (side / 2 for side in camera.printed.size_mm)
    train, hand = Piece("train", "blue", (x, y)), Thing("hand", (x, y - 60), -90.0)
    bare, with_train, with_hand, bare_again = (
        camera.take(Scene(pieces, things, light)).picture[236:241, 315:324].min(axis=2).mean()
        for pieces, things in (((), ()), ((train,), ()), ((), (hand,)), ((), ()))
    )
    assert bare == bare_again > 250
    assert with_train < 180
    assert with_hand < 180


class TestSensor:
    def taken(self, usa: Board, sensor: Sensor, moment: int = 0) -> Float64s:
        camera = VirtualCamera(usa, view=VIEW, sensor=sensor)
        return camera.take(Scene(light=EVEN, moment=moment)).picture.astype(np.float64)

    def test_noise_is_as_strong_as_asked_and_new_every_moment(self, usa: Board) -> None:
        calm = self.taken(usa, CALM)
        noisy = replace(CALM, noise=6)
        first, second = (self.taken(usa, noisy, moment) for moment in (1, 2))
        inside = (calm > 40) & (calm < 215)
        assert (first - calm)[inside].std() == pytest.approx(6, rel=0.05)
        assert abs((first - calm)[inside].mean()) < 0.1
        assert abs(np.corrcoef((first - calm)[inside], (second - calm)[inside])[0, 1]) < 0.02
        assert not np.array_equal(self.taken(usa, replace(noisy, seed=1), 1), first)

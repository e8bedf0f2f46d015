"""A camera that takes picture after picture: each is what a new camera would take, and true."""

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.arrays import Float64s
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.errors import SceneError
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.pieces import PLASTIC_INKS, Piece, place_trains
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.scene import BoardShift, Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera

CLAIMS = {
    "calgary--helena": "red",
    "duluth--helena": "blue",
    "el-paso--los-angeles": "black",
    "el-paso--houston": "green",
    "miami--new-orleans": "yellow",
}
VIEW = CameraSetup((640, 400), tilt_deg=25, heading_deg=20, k1=-0.1)
COPY = Copy(seed=2, stray_print_mm=5, fold_mm=3)
CALM = Sensor(blur_px=0, vignette=0, noise=0)
EVEN = Light(falloff=0)
HAND = Thing("hand", (400.0, 300.0), -80.0, seed=4, z_mm=20.0)


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


@pytest.fixture(scope="module")
def game(usa: Board) -> tuple[Piece, ...]:
    return place_trains(COPY.printed(usa), CLAIMS, seed=3)


def scenes(game: tuple[Piece, ...]) -> dict[str, Scene]:
    """One after another, as a game and its mishaps go."""
    bumped = (replace(game[4], angle_deg=game[4].angle_deg + 30), *game[5:])
    crowd = tuple(
        replace(piece, xy_mm=(piece.xy_mm[0] + 3, piece.xy_mm[1] + 4), route=None) for piece in game
    )
    cup = Thing("cup", (500.0, 200.0))
    glare = Light(from_deg=-70, height_deg=60, glare=0.8)
    return {
        "the first trains": Scene(game[:3], moment=1),
        "a train more": Scene(game[:4], moment=2),
        "many more": Scene(game, moment=3),
        "one is bumped": Scene(bumped, moment=4),
        "trains on trains": Scene((*game, *crowd[::3]), moment=5),
        "a hand": Scene(game, (HAND,), moment=6),
        "the hand moves": Scene(game, (replace(HAND, xy_mm=(380.0, 290.0)), cup), moment=7),
        "it gets darker": Scene(game, (cup,), Light(strength=0.6), moment=8),
        "the sun comes out": Scene(game, (cup,), Light(softness=0.005, from_deg=10), moment=9),
        "a cloud passes": Scene(game, (cup,), Light(softness=0.3, from_deg=10), moment=9),
        "the lamp goes on": Scene(game, (cup,), Light(ambient=0.8, from_deg=10), moment=9),
        "a lamp is mirrored": Scene(game, (cup,), glare, moment=10),
        "the board is pushed": Scene(game, (), glare, BoardShift(7.0, 3.0), moment=11),
        "and turned": Scene(game, (), glare, BoardShift(7.0, 3.0, 2.0), moment=11),
        "and pushed back": Scene(game[::-1], moment=3),
        "the table is cleared": Scene(moment=12),
    }


def test_a_picture_does_not_depend_on_those_before(usa: Board, game: tuple[Piece, ...]) -> None:
    view = replace(VIEW, size_wh=(320, 200))
    camera = VirtualCamera(usa, COPY, view)
    taken = {name: camera.take(scene).picture for name, scene in scenes(game).items()}
    for name, scene in scenes(game).items():
        fresh = VirtualCamera(usa, COPY, view).take(scene).picture
        assert fresh.tobytes() == taken[name].tobytes(), name
    assert taken["and pushed back"].tobytes() == taken["many more"].tobytes()
    assert len({picture.tobytes() for picture in taken.values()}) == len(taken) - 1


def test_same_seeds_same_bytes(usa: Board) -> None:
    def picture(**change: object) -> bytes:
        asked = {"copy": Copy(seed=2), "trains_seed": 5, "sensor": Sensor(seed=7), **change}
        return drawn.render(usa, CLAIMS, CameraSetup((320, 240)), **asked).picture.tobytes()  # type: ignore[arg-type]

    first = picture()
    assert picture() == first
    for change in ({"copy": Copy(seed=3)}, {"trains_seed": 6}, {"sensor": Sensor(seed=8)}):
        assert picture(**change) != first


def chroma(ink: tuple[int, int, int] | Float64s) -> Float64s:
    """The colour without what a highlight adds to all channels."""
    channels = np.asarray(ink, dtype=np.float64)
    return np.asarray(channels - channels.min(), np.float64)


@pytest.mark.parametrize(
    ("view", "copy"),
    [
        (CameraSetup((640, 480), tilt_deg=0), Copy()),
        (
            CameraSetup((800, 600), tilt_deg=30, k1=-0.25, k2=0.05),
            Copy(seed=3, scale=1.1, fold_mm=5),
        ),
        (CameraSetup((800, 600), tilt_deg=45, heading_deg=-90, roll_deg=35), COPY),
        (CameraSetup((720, 720), tilt_deg=10, heading_deg=180, distance_mm=700), COPY),
    ],
    ids=["from above", "a wide lens", "from the side", "upside down, near"],
)
def test_trains_are_found_in_the_picture_by_their_colour(
    usa: Board, view: CameraSetup, copy: Copy
) -> None:
    frame = drawn.render(usa, CLAIMS, view, copy=copy, light=EVEN, sensor=CALM)
    used = sorted(CLAIMS.values())
    size_mm = copy.printed(usa).size_mm
    for train in frame.pieces:
        roof = drawn.box_of(train)[4:]
        roof[:, 2] += copy.height_mm(train.xy_mm, size_mm)
        column, row = np.rint(frame.projection.project(roof).mean(axis=0)).astype(int)
        seen = np.median(frame.picture[row - 1 : row + 2, column - 1 : column + 2], (0, 1))
        off = {c: np.abs(chroma(PLASTIC_INKS[c]) - chroma(seen)).sum() for c in used}
        assert min(off, key=lambda colour: off[colour]) == train.colour, train


@pytest.mark.parametrize("turn_deg", [0.0, 180.0], ids=["as it lay", "turned round"])
def test_a_thing_casts_its_shadow_away_from_the_lamp(
    usa: Board, game: tuple[Piece, ...], turn_deg: float
) -> None:
    """The lamp stays on the table's left: behind the cup it gets darker, before it nothing."""
    camera = VirtualCamera(usa, COPY, VIEW, CALM)
    light, shift = Light(from_deg=180, height_deg=45, falloff=0), BoardShift(turn_deg=turn_deg)
    with_cup, without = (
        camera.take(Scene(game, things, light, shift))
        for things in ((Thing("cup", (400.0, 230.0)),), ())
    )
    sides = with_cup.projection.project([(480.0, 230.0, 0.0), (320.0, 230.0, 0.0)])
    behind, before = (
        np.s_[row - 2 : row + 3, column - 2 : column + 3]
        for column, row in np.rint(sides if turn_deg == 0 else sides[::-1]).astype(int)
    )
    assert with_cup.picture[behind].mean() < 0.7 * without.picture[behind].mean()
    assert np.array_equal(with_cup.picture[before], without.picture[before])


class TestTruth:
    def test_names_every_space(self, usa: Board) -> None:
        frame = drawn.render(usa, CLAIMS, VIEW)
        assert frame.claims == CLAIMS
        assert set(frame.spaces) == set(usa.route_by_id) == set(frame.hidden)
        assert frame.spaces["duluth--helena"] == ("blue",) * 6
        assert frame.spaces["boston--montreal--0"] == (None, None)

    def test_what_a_thing_hides(self, usa: Board, game: tuple[Piece, ...]) -> None:
        """Where a space is said to be hidden the picture changed all over, and the reverse."""
        camera = VirtualCamera(usa, COPY, VIEW, CALM)
        arm = Thing("flat hand", (400.0, 262.0), angle_deg=30.0)
        light = Light(ambient=1.0, falloff=0)  # without shadows
        with_arm, without = (camera.take(Scene(game, things, light)) for things in ((arm,), ()))
        assert not any(share for shares in without.hidden.values() for share in shares)
        changed = (with_arm.picture != without.picture).any(axis=2)
        seen = with_arm.projection
        counted = {0.0: 0, 1.0: 0}
        for route in camera.printed.routes:
            for space, share in zip(route.spaces, with_arm.hidden[route.id], strict=True):
                rise = float(COPY.height_mm(space.xy_mm, camera.printed.size_mm))
                column, row = np.rint(seen.project([(*space.xy_mm, rise)])[0]).astype(int)
                patch = changed[row - 1 : row + 2, column - 1 : column + 2]
                if share in counted:
                    counted[share] += 1
                    assert patch.mean() > 0.8 if share else not patch.any(), (route.id, share)
        assert counted[1.0] > 15
        assert counted[0.0] > 100

    def test_outside_of_the_picture_is_hidden(self, usa: Board) -> None:
        frame = drawn.render(usa, {}, replace(VIEW, fill=1.6))
        seen = 0
        for route in usa.routes:
            for space, share in zip(route.spaces, frame.hidden[route.id], strict=True):
                x, y = frame.projection.project([(*space.xy_mm, 0)])[0]
                depth = min(x, y, VIEW.size_wh[0] - 1 - x, VIEW.size_wh[1] - 1 - y)
                if abs(depth) > 25:
                    seen += 1
                    assert share == (depth < 0)
        assert seen > 100


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"seattle--paris": "red"}, "'seattle--paris'"),
        ({"duluth--helena": "beige"}, "no train is 'beige'; there are black, blue, green"),
    ],
    ids=["unknown route", "unknown colour"],
)
def test_refused_claims(usa: Board, claims: dict[str, str], message: str) -> None:
    with pytest.raises(SceneError, match=message):
        drawn.render(usa, claims, VIEW)

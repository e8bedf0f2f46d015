"""The program's own drawn board and one game on it, made once for all tests that look at them.

Arrays are shared, so they are read-only: who changes one copies it first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt
from fingerprints import make_fingerprint
from railspotter.calibration.arrays import Picture, Points
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.finding.fingerprint import stand_in_of
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.features import Features
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board, RouteId, load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.pieces import Piece, place_trains
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.simulation.virtual_board.scene import BoardShift, Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame, VirtualCamera
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.vision.look.view import View
from railspotter.vision.reading.covered_spaces import with_things
from railspotter.vision.reading.cue_reader import weigh
from railspotter.vision.reading.odds import WeighedBoard
from railspotter.vision.reading.several_photos import read_together
from railspotter.vision.readings import Reading

# The routes that five players hold.
GAME: dict[str, tuple[str, ...]] = {
    "red": (
        "calgary--seattle",
        "calgary--helena",
        "helena--winnipeg",
        "duluth--helena",
        "chicago--duluth",
        "chicago--pittsburgh--0",
        "new-york--pittsburgh--0",
    ),
    "blue": (
        "portland--seattle--0",
        "portland--san-francisco--0",
        "los-angeles--san-francisco--0",
        "el-paso--los-angeles",
        "el-paso--houston",
        "houston--new-orleans",
        "miami--new-orleans",
    ),
    "green": (
        "denver--phoenix",
        "denver--kansas-city--0",
        "kansas-city--saint-louis--0",
        "pittsburgh--saint-louis",
        "pittsburgh--washington",
        "boston--new-york--0",
        "new-york--washington--0",
    ),
    "yellow": (
        "salt-lake-city--san-francisco--0",
        "denver--salt-lake-city--0",
        "denver--oklahoma-city",
        "little-rock--oklahoma-city",
        "little-rock--nashville",
        "atlanta--nashville",
        "atlanta--charleston",
    ),
    "black": (
        "duluth--sault-st-marie",
        "montreal--sault-st-marie",
        "boston--montreal--0",
        "duluth--omaha--0",
        "kansas-city--omaha--0",
        "dallas--oklahoma-city--0",
    ),
}
CLAIMS = {route: colour for colour, routes in GAME.items() for route in routes}
WIDTH, HEIGHT = 1590, 1050  # how large the drawing of the empty board is, in pixels
ABOVE = CameraSetup((1200, 900), tilt_deg=12, heading_deg=10)
SENSOR = Sensor(seed=3)  # how the game is photographed, where nothing else is said


def render(
    board: Board,
    claims: Mapping[RouteId, str],
    view: CameraSetup | None = None,
    *,
    light: Light | None = None,
    sensor: Sensor | None = None,
    copy: Copy | None = None,
    trains_seed: int = 0,
    things: Sequence[Thing] = (),
    shift: BoardShift | None = None,
) -> RenderedFrame:
    """One picture of a board with trains on its claimed routes."""
    camera = _camera(board, copy, view, sensor)
    pieces = place_trains(camera.printed, claims, trains_seed)
    return camera.take(Scene(pieces, tuple(things), light or Light(), shift or BoardShift()))


@lru_cache(maxsize=4)
def _camera(
    board: Board, copy: Copy | None, view: CameraSetup | None, sensor: Sensor | None
) -> VirtualCamera:
    """A camera, which keeps the table and the bare board that it draws for its first picture."""
    return VirtualCamera(board, copy, view, sensor)


@cache
def usa() -> Board:
    return load_board("usa")


@cache
def drawing() -> Picture:
    """The empty board, 2 pixels to the millimetre."""
    return _fixed(draw_board(usa()))


def own_corners(picture: Picture) -> Points:
    """The corners of a picture that shows a board edge to edge."""
    height, width = picture.shape[:2]
    return np.array([(0, 0), (width, 0), (width, height), (0, height)]) - 0.5


@cache
def profile() -> Profile:
    made = make_profile(drawing(), usa(), own_corners(drawing()), "drawn", "2026-01-01T00:00:00")
    _fixed(made.reference)
    return made


@cache
def scorer() -> PhotoScorer:
    return PhotoScorer(ReadingPlan(usa(), load_edition("usa"), profile()))


@cache
def game(
    view: CameraSetup = ABOVE, light: Light | None = None, sensor: Sensor = SENSOR
) -> RenderedFrame:
    """A photo of the drawn board with `CLAIMS` on it."""
    return _fixed_frame(render(usa(), CLAIMS, view, light=light, sensor=sensor))


@cache
def empty(view: CameraSetup = ABOVE) -> RenderedFrame:
    """The same photo before anyone played."""
    return _fixed_frame(render(usa(), {}, view, sensor=SENSOR))


def photographed(claims: dict[str, str], view: CameraSetup = ABOVE) -> Picture:
    """A photo of other claims."""
    return render(usa(), claims, view, sensor=SENSOR).picture


@cache
def own_stand_in(edition: str = "usa") -> PhotoScorer:
    """The drawn board's scorer that has nothing but its numbers."""
    fingerprint = make_fingerprint(profile(), usa(), profile().features)
    return PhotoScorer(ReadingPlan(usa(), load_edition(edition), stand_in_of(fingerprint, usa())))


def found(
    picture: Picture, like: Picture | None = None, by: PhotoScorer | None = None
) -> FoundBoard:
    """The drawn board in a picture that shows it, or shows it where another picture does."""
    by = by or scorer()
    shown = picture if like is None else like
    result = by._rectified(picture, _pose(shown.tobytes(), shown.shape, by))
    assert isinstance(result, FoundBoard), result
    return result


@lru_cache(maxsize=16)
def _pose(content: bytes, shape: tuple[int, ...], by: PhotoScorer) -> Pose:
    """Where the board lies in a picture, which is looked for once."""
    picture = np.frombuffer(content, np.uint8).reshape(shape)
    pose = find_by_print(picture, by.plan.profile)
    assert isinstance(pose, Pose), pose
    return pose


@cache
def weighed() -> WeighedBoard:
    """The photo of the game, looked at and weighed."""
    return weigh(found(game().picture).view)


def weigh_photo(view: View) -> WeighedBoard:
    """A photo weighed, and what lies over its spaces."""
    return with_things(weigh(view))


def of_unknown_print(view: View) -> View:
    """The same, of a print that nobody knows."""
    nothing = Features(np.zeros((0, 2)), np.zeros((0, 128), np.uint8))
    return replace(view, printed=replace(view.printed, drawn_features=nothing))


@cache
def reading() -> Reading:
    """What is read of it."""
    return read_together([with_things(weighed())]).reading


def read(view: View) -> Reading:
    """What is read of one photo, looked at in the light that it has."""
    return read_together([weigh_photo(view)]).reading


def box_of(train: Piece, size_mm: tuple[float, float, float] = Copy().train_size_mm) -> Points:
    """The corners (x, y, z) of the box around a train without its chimney, feet first, (8, 3)."""
    length, width, height = size_mm
    foot = np.array([(-length, -width), (length, -width), (length, width), (-length, width)]) / 2
    angle = np.deg2rad(train.angle_deg)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    at = foot @ turn + train.xy_mm
    return np.vstack([np.column_stack([at, np.full(4, train.z_mm + z)]) for z in (0, height)])


def corner_error_mm(frame_from_board: Points, corners_px: npt.ArrayLike) -> Points:
    """How far off, on the board, the corners lie that a pose was to have, (4,)."""
    seen = np.asarray(corners_px, np.float64)
    at_mm = cv2.perspectiveTransform(seen[None], np.linalg.inv(frame_from_board))[0]
    width, height = usa().size_mm
    return np.asarray(np.hypot(*(at_mm - [(0, 0), (width, 0), (width, height), (0, height)]).T))


def texture(shape: tuple[int, int] = (600, 800), seed: int = 1) -> Picture:
    """A busy picture that is no board."""
    rng = np.random.default_rng(seed)
    blots = rng.integers(0, 256, (shape[0] // 8, shape[1] // 8, 3), dtype=np.uint8)
    grown = cv2.resize(blots, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(grown, np.uint8)


def _fixed(picture: Picture) -> Picture:
    picture.flags.writeable = False
    return picture


def _fixed_frame(frame: RenderedFrame) -> RenderedFrame:
    return replace(frame, picture=_fixed(frame.picture))

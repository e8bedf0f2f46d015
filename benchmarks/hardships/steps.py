"""The hardships that read_hardships.py puts real photos through, each in steps.

A step takes a shot (pixels, where the board is, what is true of it) and returns another one, or
None where the shot cannot show it: a photo with too few pixels has no larger board. Whatever was
clipped, blurred or hidden in the photo stays so, so a step shows less than a camera there would.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Picture
from railspotter.calibration.geometry import homography_from_corners, outline_mm, project
from railspotter.scoring.board import Space, load_board
from railspotter.table.photo_file import load_photo

from composed.stage import TABLE_BGR
from hardships import renderings as camera
from hardships.covering import THING_SETS as THINGS
from hardships.covering import choose_things, cover_board
from hardships.renderings import Rendering
from hardships.standing_trains import HEIGHT_MM, find_photo_trains, paint_standing_trains
from photos.labelled import LabelledPhoto

LARGEST_PX = 1920
# How far a tilting camera is from the board's middle, in board widths: a phone's main lens, which
# the board fills to nine tenths.
CAMERA_DISTANCE_WIDTHS = 0.8
MARGIN = 0.05  # around a tilted board, of the picture's width
CLIPPED_SHARE = 0.01  # share of the brighter part of the board that the camera lets clip
# Over which point of the table the lamp hangs: beyond the board's upper left corner.
LAMP_MM = (80.0, -80.0)
# How far the board is turned that a corner is cut of, and by how much of the shorter of the sides
# that meet there.
TURNED_DEG, CORNER_CUT = 35.0, 0.6
LEAST_SHOWN_SHARE = 0.5  # of a space in the picture: below it nobody can say what stands there
BESIDE_PX = 4  # what lies so near to a thing is neither surely in sight nor under it
SHADE_LIGHT = 0.2  # light that is left in the lamp's shadow, from walls and ceiling
CORNERS = ("upper left", "upper right", "lower right", "lower left")
DISTORTIONS, VEILS = (0.05, 0.08, 0.15, 0.25, -0.1), (30, 50, 70)
KELVINS = (2000, 2400, 2700, 3200, 4000, 6500, 7500)


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture of a board with its ground truth."""

    photo: LabelledPhoto  # what is true of it
    picture: Picture
    corners_px: Float64s  # (4, 2) float64: the printed board's corners in it: TL, TR, BR, BL
    size_mm: tuple[float, float]  # the board's width and height
    others: tuple[Picture, ...] = ()  # more photos of the same board, to be read along

    @property
    def board_px(self) -> float:
        """The board's width in pixels: the mean of its upper and its lower edge."""
        edges = self.corners_px[[1, 2]] - self.corners_px[[0, 3]]
        return float(np.hypot(*edges.T).mean())

    def board_shares(self) -> tuple[Float32s, Float32s]:
        """Return every pixel's position on the board, in shares of its width and height."""
        frame_from_unit = homography_from_corners(self.corners_px, (1.0, 1.0))
        height, width = self.picture.shape[:2]
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        seen = project(np.linalg.inv(frame_from_unit), np.stack([x, y], axis=-1))
        return seen[..., 0].astype(np.float32), seen[..., 1].astype(np.float32)


Step = Callable[[Shot], Shot | None]


def make_shot(
    photo: LabelledPhoto, size_mm: tuple[float, float], largest_px: float = LARGEST_PX
) -> Shot:
    """Return a photo, scaled down to a size if it is larger."""
    picture = load_photo(photo.path)
    shrink = min(1.0, largest_px / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    scale = np.divide(small.shape[1::-1], photo.truth["size_px"])
    return Shot(photo, np.asarray(small, np.uint8), (photo.corners_px + 0.5) * scale - 0.5, size_mm)


def render(shot: Shot, rendering: Rendering) -> Shot:
    """Change only the colours of a shot."""
    return replace(shot, picture=rendering(shot.picture))


def relight(shot: Shot, light: Float32s) -> Shot:
    """Light a shot unevenly; the brightest part of the board is just below clipping."""
    x, y = shot.board_shares()
    inside = (x > 0) & (x < 1) & (y > 0) & (y < 1)
    seen = camera.to_linear(shot.picture) * light[..., None]
    brightest = seen.max(axis=2)[inside & (light >= light[inside].mean())]
    return replace(shot, picture=camera.to_srgb(seen / np.quantile(brightest, 1 - CLIPPED_SHARE)))


def light_half(shot: Shot, times: float) -> Shot:
    """Brighten one half of the board by a factor, with a hard edge."""
    x, y = shot.board_shares()
    edge = x - 0.5 + 0.25 * (y - 0.5)
    in_sun = np.clip(0.5 + edge * shot.board_px, 0, 1)
    return relight(shot, (1 + (times - 1) * in_sun).astype(np.float32))


def mirror_light(shot: Shot, number: int) -> Shot:
    """Add one of many lights that a board mirrors: flash, window, sleeve, lamp; weak to burnt."""
    rng = np.random.default_rng(number)
    (middle_x, middle_y), turned = rng.uniform(0.05, 0.95, 2), rng.uniform(0, np.pi)
    reach_mm = shot.size_mm[0] * np.exp(rng.uniform(*np.log((0.04, 0.28))))
    slimness, levels = np.exp(rng.uniform([0, np.log(60)], [np.log(3), np.log(450)]))
    x, y = shot.board_shares()
    dx, dy = (x - middle_x) * shot.size_mm[0], (y - middle_y) * shot.size_mm[1]
    along, across = (
        np.cos(turned) * dx + np.sin(turned) * dy,
        np.cos(turned) * dy - np.sin(turned) * dx,
    )
    away2 = (along**2 / slimness + across**2 * slimness) / reach_mm**2
    shape = (
        np.exp(-away2 / 2),  # a flash
        1 / (1 + np.exp((np.sqrt(away2) - 1.3) * rng.uniform(3, 12))),  # a window or a sleeve
        (1 + away2) ** -1.5,  # a lamp near by
    )[rng.integers(3)]
    return replace(shot, picture=camera.to_bytes(shot.picture + levels * shape[..., None]))


def light_by_lamp(shot: Shot, height_mm: float, is_shaded: bool = False) -> Shot:
    """Light the board by one lamp beyond its corner; optionally shade a third of it."""
    x, y = shot.board_shares()
    away2 = (x * shot.size_mm[0] - LAMP_MM[0]) ** 2 + (y * shot.size_mm[1] - LAMP_MM[1]) ** 2
    light = (1 + away2 / height_mm**2) ** -1.5
    if is_shaded:
        edge = (x + y - 1.2) * shot.board_px / np.sqrt(2)
        light *= 1 - (1 - SHADE_LIGHT) * np.clip(0.5 + edge, 0, 1)
    return relight(shot, light.astype(np.float32))


def scale_to_board(shot: Shot, board_px: float) -> Shot | None:
    """Scale the photo to a board of that many pixels; None if it has fewer."""
    whole = make_shot(shot.photo, shot.size_mm, np.inf)
    shrink = board_px / whole.board_px
    if shrink > 1:
        return None
    size_wh = [round(side * shrink) for side in whole.picture.shape[1::-1]]
    small = cv2.resize(whole.picture, size_wh, interpolation=cv2.INTER_AREA)
    corners_px = (whole.corners_px + 0.5) * np.divide(size_wh, whole.picture.shape[1::-1]) - 0.5
    return replace(shot, picture=np.asarray(small, np.uint8), corners_px=corners_px)


def tilt_shot(
    shot: Shot, degrees: float, heading_deg: float = 0.0, are_standing: bool = False
) -> Shot:
    """Tilt the board's upper edge away from a camera at `CAMERA_DISTANCE_WIDTHS` board widths.

    The heading turns the board first: by 90 degrees its left edge lies farthest. The print is where
    it would be, and coarser the farther it is. Trains are painted onto it, unless they are standing
    (`standing_trains.py`): painted ones hide no more of each other and of the lanes behind them
    than they did in the photo, and show none of their sides. A real photo at that tilt is harder.
    """
    width_mm, height_mm = shot.size_mm
    tilt, heading = np.deg2rad([degrees, heading_deg])
    away_mm = CAMERA_DISTANCE_WIDTHS * width_mm
    turn = np.array([[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]])
    in_middle = np.eye(3)
    in_middle[:2] = np.column_stack([turn, turn @ [-width_mm / 2, -height_mm / 2]])
    # The nearest point keeps the photo's scale: no pixel is made up.
    nearest_mm = away_mm - np.sin(tilt) * float(np.abs(turn[1]) @ [width_mm / 2, height_mm / 2])
    focal_px = nearest_mm * shot.board_px / width_mm
    onto_sensor = np.array(
        [[focal_px, 0, 0], [0, focal_px * np.cos(tilt), 0], [0, -np.sin(tilt), away_mm]]
    )
    upwards = -np.array([0, focal_px * np.sin(tilt), np.cos(tilt)])  # a millimetre above the board
    frame_from_board = onto_sensor @ in_middle
    corners_px = project(frame_from_board, outline_mm(shot.size_mm))
    low, high = corners_px.min(axis=0), corners_px.max(axis=0)
    margin = MARGIN * (high - low).max()
    shift = np.eye(3)
    shift[:2, 2] = margin - low
    size_wh = np.ceil(high - low + 2 * margin).astype(int)
    photo_from_board = homography_from_corners(shot.corners_px, shot.size_mm)
    board_from_photo = np.asarray(np.linalg.inv(photo_from_board), np.float64)
    # Twice as large first: pixels far away then gather all that they show.
    twice = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])

    def warp_onto(plane: Float64s) -> Picture:
        seen = cv2.warpPerspective(
            shot.picture,
            plane @ board_from_photo,
            tuple(2 * int(side) for side in size_wh),
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=TABLE_BGR,
        )
        return np.asarray(seen, np.uint8)

    ground = twice @ shift @ frame_from_board
    seen = warp_onto(ground)
    if are_standing:
        raised = (
            twice @ shift @ (onto_sensor + np.outer(HEIGHT_MM * upwards, [0, 0, 1])) @ in_middle
        )
        trains = find_photo_trains(shot.photo, shot.picture, board_from_photo)
        seen = paint_standing_trains(seen, warp_onto(raised), trains, (ground, raised))
    picture = cv2.resize(seen, [int(side) for side in size_wh], interpolation=cv2.INTER_AREA)
    return replace(
        shot, picture=np.asarray(picture, np.uint8), corners_px=corners_px + margin - low
    )


def crop_sides(shot: Shot, shares: Mapping[str, float]) -> Shot:
    """Crop the photo so that a share of the board's width is missing at each side."""
    x, y = shot.corners_px.T
    left, right, top, bottom = (float(side.mean()) for side in (x[[0, 3]], x[[1, 2]], y[:2], y[2:]))
    height, width = shot.picture.shape[:2]
    wide, high = right - left, bottom - top
    first = np.array(
        [
            left + shares["left"] * wide if "left" in shares else 0,
            top + shares["top"] * high if "top" in shares else 0,
        ]
    )
    last = np.array(
        [
            right - shares["right"] * wide if "right" in shares else width,
            bottom - shares["bottom"] * high if "bottom" in shares else height,
        ]
    )
    return crop(shot, np.rint(first).astype(int), np.rint(last).astype(int))


def split_in_two(shot: Shot) -> Shot:
    """Split the photo into two, each with two thirds of the board."""
    first, other = (crop_sides(shot, {side: 1 / 3}).picture for side in ("left", "right"))
    return replace(shot, picture=first, others=(other,))


def cut_corner(shot: Shot, corner: int) -> Shot:
    """Rotate the board, with one of its corners outside of the picture."""
    angle = np.deg2rad(TURNED_DEG)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0]])
    turned = shot.corners_px @ turn[:, :2].T
    low, high = turned.min(axis=0) - 10, turned.max(axis=0) + 10
    turn[:, 2] = -low
    size_wh = np.ceil(high - low).astype(int)
    picture = cv2.warpAffine(
        shot.picture,
        turn,
        (int(size_wh[0]), int(size_wh[1])),
        flags=cv2.INTER_AREA,
        borderValue=TABLE_BGR,
    )
    whole = replace(shot, picture=np.asarray(picture, np.uint8), corners_px=turned - low)
    # Turned so, the corners are outermost at the top, right, bottom and left, one by one.
    beside = whole.corners_px[[(corner + 1) % 4, (corner + 3) % 4]] - whole.corners_px[corner]
    axis = 1 if corner in (0, 2) else 0
    depth = CORNER_CUT * np.abs(beside[:, axis]).min()
    first, last = np.zeros(2, int), size_wh.copy()
    at = whole.corners_px[corner, axis]
    if corner in (0, 3):
        first[axis] = round(at + depth)
    else:
        last[axis] = round(at - depth)
    return crop(whole, first, last)


def crop(shot: Shot, first: Indices, last: Indices) -> Shot:
    """Return the crop of a shot between two points, with its ground truth."""
    picture = np.ascontiguousarray(shot.picture[first[1] : last[1], first[0] : last[0]])
    corners_px = shot.corners_px - first
    board = load_board(shot.photo.board)
    size_wh = picture.shape[1::-1]
    frame_from_board = homography_from_corners(corners_px, board.size_mm)
    shown = {
        route.id: min(_share_in_frame(space, frame_from_board, size_wh) for space in route.spaces)
        for route in board.routes
    }
    truth = shot.photo.truth
    # Nobody can say of a space that is cut whether it shows: such routes are not counted.
    plain = {name for name, share in shown.items() if share == 1}
    spaces = {name: row for name, row in truth["spaces"].items() if name in plain}
    unseen = sorted(name for name, share in shown.items() if share < LEAST_SHOWN_SHARE)
    photo = LabelledPhoto(shot.photo.path, {**truth, "spaces": spaces, "unseen": unseen})
    return replace(shot, photo=photo, picture=picture, corners_px=corners_px)


def cover_with(shot: Shot, step: str) -> Shot:
    """Add hands, cards or other things over the board, with the remaining ground truth."""
    board = load_board(shot.photo.board)
    things = choose_things(board, shot.photo.exposure, step)
    picture, mask = cover_board(shot.picture, shot.corners_px, board.size_mm, things)
    touched = np.asarray(cv2.dilate(mask, np.ones((2 * BESIDE_PX + 1,) * 2, np.uint8)), np.uint8)
    truth = shot.photo.truth
    hidden, near = (
        {
            route.id: max(share_in_mask(space, shot, by) for space in route.spaces)
            for route in board.routes
        }
        for by in (mask, touched)
    )
    spaces = {name: row for name, row in truth["spaces"].items() if near[name] == 0}
    unseen = sorted(name for name, share in hidden.items() if share >= 1 - LEAST_SHOWN_SHARE)
    photo = LabelledPhoto(shot.photo.path, {**truth, "spaces": spaces, "unseen": unseen})
    return replace(shot, photo=photo, picture=picture)


def _share_in_frame(space: Space, frame_from_board: Float64s, size_wh: tuple[int, ...]) -> float:
    """Return the share of a space inside a frame."""
    at_px = _sample_space(space, frame_from_board)
    return float(np.all((at_px >= 0) & (at_px <= np.array(size_wh) - 1), axis=-1).mean())


def share_in_mask(space: Space, shot: Shot, mask: Picture) -> float:
    """Return the share of a space inside a shot's mask."""
    height, width = mask.shape
    frame_from_board = homography_from_corners(shot.corners_px, shot.size_mm)
    at_px = np.rint(_sample_space(space, frame_from_board)).astype(np.intp)
    column, row = np.moveaxis(np.clip(at_px, 0, [width - 1, height - 1]), -1, 0)
    return float((mask[row, column] > 127).mean())


def _sample_space(space: Space, frame_from_board: Float64s) -> Float64s:
    """Return points of a space in a frame's pixels, (5, 9, 2)."""
    angle = np.deg2rad(space.angle_deg)
    along, across = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    u, v = np.meshgrid(np.linspace(-0.5, 0.5, 9), np.linspace(-0.5, 0.5, 5))
    length, width = space.size_mm
    at_mm = space.xy_mm + u[..., None] * length * along + v[..., None] * width * across
    return project(frame_from_board, at_mm)


def _lamp_step(kelvin: float, share: float = 1.0) -> Step:
    light = camera.lamp_cast(kelvin, share)
    return partial(render, rendering=partial(camera.apply_white_balance, bgr=light))


def _rendering_steps(by_name: Mapping[str, Rendering]) -> dict[str, Step]:
    return {name: partial(render, rendering=made) for name, made in by_name.items()}


def defocus_by_board(shot: Shot, share: float) -> Shot:
    """Blur by a disc with a radius of that share of the board's width."""
    of_picture = share * shot.board_px / max(shot.picture.shape[:2])
    return render(shot, partial(camera.defocus, share=of_picture))


def _radial(k: float) -> Callable[[Float64s], Float64s]:
    return partial(camera.distort_radially, k=k)


_low_angle = partial(tilt_shot, are_standing=True)

# By name: the steps of all hardships but `PLAYERS`, which need a library to be composed.
HARDSHIPS: dict[str, dict[str, Step]] = {
    "plain": {"plain": lambda shot: shot},
    "light": {f"{k} K": _lamp_step(k) for k in KELVINS},
    "half-corrected light": {f"{k} K": _lamp_step(k, 0.5) for k in KELVINS},
    "lamp": {
        "1200 mm high": partial(light_by_lamp, height_mm=1200.0),
        "700 mm high": partial(light_by_lamp, height_mm=700.0),
        "1200 mm high, shadow": partial(light_by_lamp, height_mm=1200.0, is_shaded=True),
        "700 mm high, shadow": partial(light_by_lamp, height_mm=700.0, is_shaded=True),
    },
    "mirrored": {f"{n}": partial(mirror_light, number=n) for n in range(20)},
    "half in sun": {f"x{times}": partial(light_half, times=times) for times in (2, 4, 8)},
    "tones": _rendering_steps(
        {
            "vivid": camera.render_vivid,
            "tone-mapped": camera.tone_map,
            "flat": camera.render_flat,
            **{f"gamma {power}": partial(camera.gamma, power=power) for power in (0.6, 1.5, 1.8)},
            **{f"saturation {f}": partial(camera.saturate, factor=f) for f in (0.6, 1.4)},
        }
    ),
    "cameras": _rendering_steps(
        {
            "gamma 0.75": partial(camera.gamma, power=0.75),
            "gamma 1.33": partial(camera.gamma, power=1.33),
            "s-curve": partial(camera.s_curve, strength=0.8),
            **{f"blacks lifted by {b}": partial(camera.lift_blacks, black=b) for b in (25, 50)},
            **{f"veil of {share} %": partial(camera.veil, share=share / 100) for share in VEILS},
            "sharpened": partial(camera.sharpen, amount=1.5),
        }
    ),
    "exposure": _rendering_steps(
        {
            **{f"over by {n} stops": partial(camera.overexpose, stops=n) for n in (0.5, 1, 1.5)},
            **{f"under by {n} stops": partial(camera.underexpose, stops=n) for n in (2, 4)},
        }
    ),
    "lens": _rendering_steps(
        {
            **{f"{k}": partial(camera.distort, pinhole=_radial(k)) for k in DISTORTIONS},
            "0.15, off its axis": partial(camera.distort, pinhole=_radial(0.15), aside=(0.1, 0.05)),
            "fisheye": partial(
                camera.distort, pinhole=partial(camera.distort_as_fisheye, corner_deg=55.0)
            ),
        }
    ),
    "noise": _rendering_steps(
        {f"ISO {iso}": partial(camera.at_iso, iso=iso) for iso in (200, 800, 1600, 3200, 6400)}
    ),
    "defocus": {f"1/{n}": partial(defocus_by_board, share=1 / n) for n in (1600, 800, 400, 250)},
    "width": {
        f"{px} px": partial(scale_to_board, board_px=px) for px in (400, 500, 700, 1000, 1500, 2000)
    },
    "parts": {
        "two photos of two thirds": split_in_two,
        "60 degrees, left 40 % cut": lambda shot: crop_sides(tilt_shot(shot, 60.0), {"left": 0.4}),
        **{
            f"{side} {percent} % cut": partial(crop_sides, shares={side: percent / 100})
            for side in ("left", "right", "top", "bottom")
            for percent in (10, 20, 30, 40)
        },
        **{
            f"{one} and {other} 20 % cut": partial(crop_sides, shares={one: 0.2, other: 0.2})
            for one, other in (("left", "top"), ("right", "bottom"), ("left", "right"))
        },
        **{
            f"{name} corner cut": partial(cut_corner, corner=number)
            for number, name in enumerate(CORNERS)
        },
    },
    "covered": {step: partial(cover_with, step=step) for step in THINGS},
    "tilt": {f"{degrees} degrees": partial(tilt_shot, degrees=degrees) for degrees in (15, 30, 45)},
    "low angle": {
        **{f"{degrees} degrees": partial(_low_angle, degrees=degrees) for degrees in (45, 55, 60)},
        "55 degrees, from a short side": partial(_low_angle, degrees=55, heading_deg=90.0),
        "55 degrees, from a corner": partial(_low_angle, degrees=55, heading_deg=-40.0),
        "55 degrees, 7500 K": lambda shot: _lamp_step(7500)(_low_angle(shot, 55)),
    },
}

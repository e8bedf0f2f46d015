"""Finds a board by the directions of its routes alone, whatever its print.

Every edition of a map has its spaces in the same places, in other inks on other ground. A space,
free or under a train, is a bar with edges along it. So the directions of edges in the picture are
correlated with those of the board file's spaces, over all views of a hand-held camera. The best
views are refined here, and by `outline_fit` on the outline of every space.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from railspotter.scoring.board import Board

from ..arrays import Float32s, Float64s, Picture
from ..geometry import homography_from_corners, outline_mm, project
from ..pose import USUAL_FOCAL_LENGTH

Complexes = NDArray[np.complex64]

# A direction is a complex number with twice its angle, so that opposite directions are equal and
# perpendicular ones cancel. Its absolute value, 0 to 1, is its strength.
PICTURE_PX = 1000  # longer side of the picture whose edges are measured
SOFT_EDGE = 6.0  # Lab gradient per pixel at which an edge has strength 0.5
CELLS = 128  # cells along the longer side of the coarse picture
FAINT = 0.1  # strength of a cell that is normalized to 0.5
AROUND_CELLS = 12.0  # blur that is subtracted, against uniform directions such as a table's grain
MISSED_CELLS = 1.6  # blur for the distance of spaces between two of the views below

# Views of a board: its rotation, the share of the picture that its longer side takes, its tilt and
# the direction of the tilt. Each also stands for the view rotated by half, in which spaces have the
# same directions.
TURNS_DEG = np.linspace(0.0, 180.0, 22, endpoint=False)
SHARES = (0.55, 0.62, 0.7, 0.79, 0.89, 1.0, 1.13)
TILTS_DEG = (
    (0.0, 0.0),
    *((tilt, way) for tilt in (22.0, 40.0) for way in (0.0, 90.0, 180.0, 270.0)),
)
AT_ONCE = 64  # views in a batch

# Least correlation, 0 to 1, of a view: other boards have .11 at most, the board itself .15 and
# more.
LEAST_ALIKE = 0.12
MOST_TRIED = 6  # views that are refined
MOST_LIKELY = 2  # of these, views that are returned
APART_CELLS = 4.0  # least distance between the corners of two views
# Steps of refining: blur of edges in mm, distance from a space's middle at which they are sampled,
# in half widths, spread of the corners in mm, and rounds.
STEPS = ((9.0, 0.0, 28.0, 9), (6.0, 0.5, 12.0, 7), (3.5, 1.0, 5.0, 7))
MOVES, KEPT = 80, 10  # random corners of each round, and the best of them, which are averaged
HALF_MM = 6.0  # from a space's middle to the two points that give its direction in a view


@dataclass(frozen=True, eq=False)
class Bars:
    """A board's spaces as bars, N of them."""

    xy_mm: Float64s  # (N, 2)
    along: Float64s  # (N, 2)
    size_mm: Float64s  # (N, 2)
    board_mm: tuple[float, float]

    @classmethod
    def of(cls, board: Board) -> "Bars":
        """Return the bars of a board's spaces."""
        spaces = [space for route in board.routes for space in route.spaces]
        angle = np.deg2rad([space.angle_deg for space in spaces])
        return cls(
            np.array([space.xy_mm for space in spaces], np.float64),
            np.column_stack([np.cos(angle), np.sin(angle)]),
            np.array([space.size_mm for space in spaces], np.float64),
            board.size_mm,
        )

    @property
    def across(self) -> Float64s:
        """Unit vectors across them, (N, 2)."""
        return np.asarray(self.along[:, ::-1] * (-1, 1), np.float64)


def corners_by_network(frame: Picture, board: Board) -> list[Float64s]:
    """Return candidates for a board's corners in a frame, (4, 2) px each, the likeliest first.

    Empty if no view correlates. Deterministic.
    """
    shrunk = min(1.0, PICTURE_PX / max(frame.shape[:2]))
    small = cv2.resize(frame, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    directions, bars = _edge_directions(np.asarray(small, np.uint8)), Bars.of(board)
    cell_px = max(directions.shape) / CELLS
    apart: list[Float64s] = []
    for cells in _best_views(_coarse(directions, cell_px), bars):
        corners = (cells + 0.5) * cell_px - 0.5
        if all(abs(corners - other).max() > APART_CELLS * cell_px for other in apart):
            apart.append(corners)
        if len(apart) == MOST_TRIED:
            break
    rng = np.random.default_rng(1)
    near = sorted(
        (_refined(directions, corners, bars, rng) for corners in apart), key=lambda n: -n[0]
    )
    return [(corners + 0.5) / shrunk - 0.5 for _, corners in near[:MOST_LIKELY]]


def _edge_directions(picture: Picture) -> Complexes:
    """Return the direction of the edge at every pixel, (H, W) complex."""
    lab = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), (0, 0), 1.0).astype(np.float32)
    x = cv2.Sobel(lab, cv2.CV_32F, 1, 0, scale=1 / 8)
    y = cv2.Sobel(lab, cv2.CV_32F, 0, 1, scale=1 / 8)
    change2 = ((x * x - y * y) + 2j * x * y).sum(axis=-1)
    size2 = np.abs(change2)
    strength = np.sqrt(size2)
    return np.asarray(-change2 / (size2 + 1e-6) * strength / (strength + SOFT_EDGE), np.complex64)


def _coarse(directions: Complexes, cell_px: float) -> Complexes:
    """Return the mean directions of cells, normalized, (CELLS, CELLS) complex."""
    height, width = (int(np.ceil(side / cell_px)) for side in directions.shape)
    shrunk = cv2.resize(_planes(directions), (width, height), interpolation=cv2.INTER_AREA)
    cells = _complex(shrunk - cv2.GaussianBlur(shrunk, (0, 0), AROUND_CELLS))
    padded = np.zeros((CELLS, CELLS), np.complex64)
    padded[:height, :width] = cells / (np.abs(cells) + FAINT)
    return padded


def _best_views(cells: Complexes, bars: Bars) -> Iterator[Float64s]:
    """Yield the board's corners, in cells, for each view by its correlation, the best first."""
    steps = np.fft.fftfreq(CELLS)
    blur = np.exp(-2 * (np.pi * MISSED_CELLS) ** 2 * (steps[:, None] ** 2 + steps**2))
    wanted = np.asarray(_transform(cells) * blur, np.complex64)
    views = _views(bars.board_mm)
    agreement = np.empty((len(views), 2))
    shift = np.empty((len(views), 2, 2))
    for start in range(0, len(views), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        drawn, weight = _draw_views(views[part], bars)
        for way, alike in enumerate(_correlated(wanted, _transform(drawn))):
            flat = alike.reshape(len(alike), -1)
            best = flat.argmax(axis=1)
            agreement[part, way] = flat[np.arange(len(flat)), best] / weight
            row, column = np.divmod(best, CELLS)
            cell = np.column_stack([column, row])
            shift[part, way] = (cell + CELLS // 2) % CELLS - CELLS // 2
    for number in np.argsort(-agreement, axis=None, kind="stable").tolist():
        view, way = divmod(number, 2)
        if agreement[view, way] < LEAST_ALIKE:
            return
        at = project(views[view], outline_mm(bars.board_mm))
        yield (-at if way else at) + shift[view, way] + CELLS / 2


def _correlated(wanted: Complexes, drawn: Complexes) -> tuple[Float32s, Float32s]:
    """Return the correlation of a picture with views, (V, CELLS, CELLS); and rotated by half.

    Both are Fourier transforms. Only the real part is needed, for which half of the frequencies do.
    """
    half = CELLS // 2 + 1
    a, a_back = wanted[..., :half], _opposite(wanted)[..., :half].conj()
    b, b_back = drawn[..., :half], _opposite(drawn)[..., :half]
    shape = (CELLS, CELLS)
    return (
        np.asarray(np.fft.irfft2((a * b.conj() + a_back * b_back) / 2, shape), np.float32),
        np.asarray(np.fft.irfft2((a * b_back.conj() + a_back * b) / 2, shape), np.float32),
    )


def _transform(values: Complexes) -> Complexes:
    return np.asarray(np.fft.fft2(values), np.complex64)


def _opposite(transform: Complexes) -> Complexes:
    """Return a transform with each frequency's value at the opposite frequency."""
    return np.roll(transform[..., ::-1, ::-1], 1, axis=(-2, -1))


@lru_cache(maxsize=4)
def _views(board_mm: tuple[float, float]) -> Float64s:
    """Return the homographies of all views, (V, 3, 3), with the board's middle at (0, 0)."""
    centred = np.array([[1, 0, -board_mm[0] / 2], [0, 1, -board_mm[1] / 2], [0, 0, 1]])
    views = []
    for share in SHARES:
        scaled = np.diag([*(2 * [share * CELLS / max(board_mm)]), 1.0]) @ centred
        for tilt, way in TILTS_DEG:
            lean, about = np.deg2rad(tilt), _turn(way)
            leaning = np.diag([1.0, np.cos(lean), 1.0])
            leaning[2, 1] = np.sin(lean) / (USUAL_FOCAL_LENGTH * CELLS)
            seen = about @ leaning @ about.T
            views += [seen @ _turn(turn) @ scaled for turn in TURNS_DEG]
    return np.array(views)


def _turn(angle_deg: float) -> Float64s:
    c, s = np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _draw_views(views: Float64s, bars: Bars) -> tuple[Complexes, Float64s]:
    """Return the directions of spaces in each view, (V, CELLS, CELLS), and their weights."""
    at, directions, length = _bars_in_views(views, bars.xy_mm, bars.along)
    column, row = np.moveaxis(np.rint(at + CELLS / 2).astype(np.intp) % CELLS, -1, 0)
    flat = (np.arange(len(views))[:, None] * CELLS + row) * CELLS + column
    length = length / np.median(length)
    size = len(views) * CELLS * CELLS
    parts = [
        np.bincount(flat.ravel(), (p * length).ravel(), size)
        for p in (directions.real, directions.imag)
    ]
    drawn = np.asarray(parts[0] + 1j * parts[1], np.complex64)
    return drawn.reshape(len(views), CELLS, CELLS), np.asarray(length.sum(axis=1), np.float64)


def _bars_in_views(
    views: Float64s, xy_mm: Float64s, along: Float64s
) -> tuple[Float64s, NDArray[np.complex128], Float64s]:
    """Return the bars' places, (V, N, 2), directions and lengths in each view."""
    ends = np.stack([xy_mm - HALF_MM * along, xy_mm + HALF_MM * along])
    flat = np.concatenate([ends, np.ones((*ends.shape[:2], 1))], axis=-1)
    seen = np.einsum("vij,enj->evni", views, flat)
    start, end = seen[..., :2] / seen[..., 2:]
    off = end - start
    length = np.hypot(off[..., 0], off[..., 1])
    unit = (off[..., 0] + 1j * off[..., 1]) / np.maximum(length, 1e-9)
    return (start + end) / 2, unit**2, length


def _refined(
    directions: Complexes, corners: Float64s, bars: Bars, rng: Generator
) -> tuple[float, Float64s]:
    """Refine corners so that edges run along spaces; return the agreement and the corners."""
    area = float(cv2.contourArea(corners.astype(np.float32)))
    px_per_mm = np.sqrt(area / np.prod(bars.board_mm))
    best = 0.0
    for blur_mm, aside, off_mm, rounds in STEPS:
        soft = cv2.GaussianBlur(_planes(directions), (0, 0), blur_mm * px_per_mm)
        spread = np.full((4, 2), off_mm * px_per_mm)
        least = 0.03 * off_mm * px_per_mm
        for _ in range(rounds):
            moved = corners + rng.normal(0, 1, (MOVES, 4, 2)) * spread
            moved[0] = corners
            alike = _agreement(np.asarray(soft, np.float32), moved, bars, aside)
            kept = np.argsort(-alike, kind="stable")[:KEPT]
            best = float(alike[kept[0]])
            corners, spread = moved[kept].mean(axis=0), moved[kept].std(axis=0) + least
    return best, corners


def _agreement(soft: Float32s, corners: Float64s, bars: Bars, aside: float) -> Float64s:
    """Return the mean agreement of edges with both sides of spaces, by set of corners, (K,)."""
    views = np.array([homography_from_corners(four, bars.board_mm) for four in corners])
    half = aside * bars.size_mm[:, 1:] / 2
    total = np.zeros(len(corners))
    for side in (-1, 1):
        at, directions, _ = _bars_in_views(
            views, bars.xy_mm + side * half * bars.across, bars.along
        )
        x, y = np.moveaxis(at.astype(np.float32), -1, 0)
        there = _complex(cv2.remap(soft, x, y, cv2.INTER_LINEAR))
        total += (there * np.conj(directions)).real.mean(axis=1) / 2
    return total


def _planes(values: Complexes) -> Float32s:
    """Return complex numbers as two float planes for OpenCV, (H, W, 2)."""
    return np.ascontiguousarray(values).view(np.float32).reshape(*values.shape, 2)


def _complex(planes: NDArray[Any]) -> Complexes:
    return np.ascontiguousarray(planes, np.float32).view(np.complex64)[..., 0]

"""Finding a board by its network alone: by where routes run, whatever is printed between them.

Every edition of a map has its spaces in the same places, in other inks on other ground. A space,
free or under its train, is a bar, and edges run along it. So the picture is asked which way its
edges run, everywhere, and the board file which way its spaces do; where both agree best, over all
ways in which a camera in a hand may see the board, it may lie. `outline_fit` then looks for the
outline of every space.
"""

from __future__ import annotations

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

# A direction is a complex number of twice its angle: both ways along a line are one, and what runs
# across it is its opposite. Its size, from 0 to 1, is how clear it is.
PICTURE_PX = 1000  # longer side of the picture whose edges are asked for
SOFT_EDGE = 6.0  # change of Lab per pixel at which an edge counts half
CELLS = 128  # along the longer side of the coarse picture
FAINT = 0.1  # direction of a cell that counts half
AROUND_CELLS = (
    12.0  # what runs one way over so much of the picture, as a table's grain, says nothing
)
MISSED_CELLS = 1.6  # how far off a space lies between two of the ways below

# Ways in which a camera sees a board: how it is turned, how much of the picture its longer side
# takes, how far it is tilted and towards which side of the picture. Each stands for its opposite
# too, turned round by half: spaces run the same ways there.
TURNS_DEG = np.linspace(0.0, 180.0, 22, endpoint=False)
SHARES = (0.55, 0.62, 0.7, 0.79, 0.89, 1.0, 1.13)
TILTS_DEG = (
    (0.0, 0.0),
    *((tilt, way) for tilt in (22.0, 40.0) for way in (0.0, 90.0, 180.0, 270.0)),
)
AT_ONCE = 64  # ways that are compared with the picture together

# Agreement, from 0 to 1, below which the board is in no picture: of other boards at most .11, of
# boards .15 and more.
LEAST_ALIKE = 0.12
MOST_TRIED = 6  # of the best ways, from which the board is approached
MOST_LIKELY = 2  # of these, laid over the outlines of spaces
APART_CELLS = 4.0  # how far apart corners of two ways lie at least
# Steps of approaching: over how many mm edges are blurred, how far aside of a space's middle they
# are asked for, in half widths, how far corners are moved, and how often that is tried.
STEPS = ((9.0, 0.0, 28.0, 9), (6.0, 0.5, 12.0, 7), (3.5, 1.0, 5.0, 7))
MOVES, KEPT = 80, 10  # corners that are tried each time, and the best, which say where to go on
HALF_MM = 6.0  # from a space's middle to where it is looked along


@dataclass(frozen=True, eq=False)
class Bars:
    """A board's spaces as bars, N of them."""

    xy_mm: Float64s  # (N, 2)
    along: Float64s  # (N, 2)
    size_mm: Float64s  # (N, 2)
    board_mm: tuple[float, float]

    @classmethod
    def of(cls, board: Board) -> Bars:
        """Return a board's bars."""
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
    """Return where a board's corners may be in a frame, (4, 2) each, the likeliest first.

    None where nothing in the frame runs as its routes do. The same frame gives the same answer.
    """
    shrunk = min(1.0, PICTURE_PX / max(frame.shape[:2]))
    small = cv2.resize(frame, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    ways, bars = _ways_of_edges(np.asarray(small, np.uint8)), Bars.of(board)
    cell_px = max(ways.shape) / CELLS
    apart: list[Float64s] = []
    for cells in _likeliest(_coarse(ways, cell_px), bars):
        corners = (cells + 0.5) * cell_px - 0.5
        if all(abs(corners - other).max() > APART_CELLS * cell_px for other in apart):
            apart.append(corners)
        if len(apart) == MOST_TRIED:
            break
    rng = np.random.default_rng(1)
    near = sorted((_approached(ways, corners, bars, rng) for corners in apart), key=lambda n: -n[0])
    return [(corners + 0.5) / shrunk - 0.5 for _, corners in near[:MOST_LIKELY]]


def _ways_of_edges(picture: Picture) -> Complexes:
    """Return which way the edge at every pixel runs, (H, W)."""
    lab = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), (0, 0), 1.0).astype(np.float32)
    x = cv2.Sobel(lab, cv2.CV_32F, 1, 0, scale=1 / 8)
    y = cv2.Sobel(lab, cv2.CV_32F, 0, 1, scale=1 / 8)
    change2 = ((x * x - y * y) + 2j * x * y).sum(axis=-1)
    size2 = np.abs(change2)
    strength = np.sqrt(size2)
    return np.asarray(-change2 / (size2 + 1e-6) * strength / (strength + SOFT_EDGE), np.complex64)


def _coarse(ways: Complexes, cell_px: float) -> Complexes:
    """Return the same in cells, (CELLS, CELLS): which way most of each runs, if any."""
    height, width = (int(np.ceil(side / cell_px)) for side in ways.shape)
    shrunk = cv2.resize(_planes(ways), (width, height), interpolation=cv2.INTER_AREA)
    cells = _complex(shrunk - cv2.GaussianBlur(shrunk, (0, 0), AROUND_CELLS))
    told = np.zeros((CELLS, CELLS), np.complex64)
    told[:height, :width] = cells / (np.abs(cells) + FAINT)
    return told


def _likeliest(cells: Complexes, bars: Bars) -> Iterator[Float64s]:
    """Yield corners, in cells, of the ways of seeing a board that agree with a picture."""
    steps = np.fft.fftfreq(CELLS)
    blur = np.exp(-2 * (np.pi * MISSED_CELLS) ** 2 * (steps[:, None] ** 2 + steps**2))
    wanted = np.asarray(_transform(cells) * blur, np.complex64)
    views = _views(bars.board_mm)
    agreement = np.empty((len(views), 2))
    shift = np.empty((len(views), 2, 2))
    for start in range(0, len(views), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        drawn, weight = _drawn(views[part], bars)
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
    """Return how alike a picture and views are, (V, CELLS, CELLS), so far aside; and turned round.

    Both are given as their Fourier transforms. Only what is real is asked for, which half of the
    frequencies say.
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
    """Return it with each frequency's value at the opposite one."""
    return np.roll(transform[..., ::-1, ::-1], 1, axis=(-2, -1))


@lru_cache(maxsize=4)
def _views(board_mm: tuple[float, float]) -> Float64s:
    """Return homographies, (V, 3, 3), of the ways of seeing a board, its middle at (0, 0)."""
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


def _drawn(views: Float64s, bars: Bars) -> tuple[Complexes, Float64s]:
    """Return which way spaces run in each view, (V, CELLS, CELLS), and how many there are."""
    at, ways, length = _seen(views, bars.xy_mm, bars.along)
    column, row = np.moveaxis(np.rint(at + CELLS / 2).astype(np.intp) % CELLS, -1, 0)
    flat = (np.arange(len(views))[:, None] * CELLS + row) * CELLS + column
    length = length / np.median(length)
    size = len(views) * CELLS * CELLS
    parts = [np.bincount(flat.ravel(), (p * length).ravel(), size) for p in (ways.real, ways.imag)]
    drawn = np.asarray(parts[0] + 1j * parts[1], np.complex64)
    return drawn.reshape(len(views), CELLS, CELLS), np.asarray(length.sum(axis=1), np.float64)


def _seen(
    views: Float64s, xy_mm: Float64s, along: Float64s
) -> tuple[Float64s, NDArray[np.complex128], Float64s]:
    """Return where bars are seen in each view, (V, N, 2), which way they run, and how long."""
    ends = np.stack([xy_mm - HALF_MM * along, xy_mm + HALF_MM * along])
    flat = np.concatenate([ends, np.ones((*ends.shape[:2], 1))], axis=-1)
    seen = np.einsum("vij,enj->evni", views, flat)
    start, end = seen[..., :2] / seen[..., 2:]
    off = end - start
    length = np.hypot(off[..., 0], off[..., 1])
    unit = (off[..., 0] + 1j * off[..., 1]) / np.maximum(length, 1e-9)
    return (start + end) / 2, unit**2, length


def _approached(
    ways: Complexes, corners: Float64s, bars: Bars, rng: Generator
) -> tuple[float, Float64s]:
    """Move corners to where edges run along the sides of spaces; how much they do, and where."""
    area = float(cv2.contourArea(corners.astype(np.float32)))
    px_per_mm = np.sqrt(area / np.prod(bars.board_mm))
    best = 0.0
    for blur_mm, aside, off_mm, rounds in STEPS:
        soft = cv2.GaussianBlur(_planes(ways), (0, 0), blur_mm * px_per_mm)
        spread = np.full((4, 2), off_mm * px_per_mm)
        least = 0.03 * off_mm * px_per_mm
        for _ in range(rounds):
            moved = corners + rng.normal(0, 1, (MOVES, 4, 2)) * spread
            moved[0] = corners
            alike = _alike(np.asarray(soft, np.float32), moved, bars, aside)
            kept = np.argsort(-alike, kind="stable")[:KEPT]
            best = float(alike[kept[0]])
            corners, spread = moved[kept].mean(axis=0), moved[kept].std(axis=0) + least
    return best, corners


def _alike(soft: Float32s, corners: Float64s, bars: Bars, aside: float) -> Float64s:
    """Return how well edges run along both sides of spaces, for each four corners, (K,)."""
    views = np.array([homography_from_corners(four, bars.board_mm) for four in corners])
    half = aside * bars.size_mm[:, 1:] / 2
    total = np.zeros(len(corners))
    for side in (-1, 1):
        at, ways, _ = _seen(views, bars.xy_mm + side * half * bars.across, bars.along)
        x, y = np.moveaxis(at.astype(np.float32), -1, 0)
        there = _complex(cv2.remap(soft, x, y, cv2.INTER_LINEAR))
        total += (there * np.conj(ways)).real.mean(axis=1) / 2
    return total


def _planes(values: Complexes) -> Float32s:
    """Return complex numbers as OpenCV takes them, (H, W, 2)."""
    return np.ascontiguousarray(values).view(np.float32).reshape(*values.shape, 2)


def _complex(planes: NDArray[Any]) -> Complexes:
    return np.ascontiguousarray(planes, np.float32).view(np.complex64)[..., 0]

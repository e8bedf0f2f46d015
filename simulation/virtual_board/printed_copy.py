"""One copy of a game: how its printed board and pieces differ from the board file.

Copies differ in landscape, size, the positions of single routes, inks, plastic and folds. All of
this is derived from a seed, and is the ground truth of what is drawn.
"""

import zlib
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike
from railspotter.scoring.board import Board, Route, RouteId, scaled_board

from ..arrays import Points
from .errors import SceneError

Ink = tuple[int, int, int]

# BGR for each printed colour; chosen. A colour that is not here gets one from its name.
PRINTED_INKS: dict[str, Ink] = {
    "grey": (168, 166, 164),
    "red": (44, 46, 198),
    "orange": (40, 138, 232),
    "yellow": (58, 208, 244),
    "green": (62, 172, 116),
    "blue": (196, 124, 42),
    "pink": (170, 110, 206),
    "white": (238, 242, 242),
    "black": (48, 44, 42),
}
DISPLACED_SHARE = 0.15  # of the pairs of places: their routes are printed off their place; chosen
FOLDS = ((1 / 3, 2 / 3), (1 / 2,))  # positions of the folds, as shares of width and of height
FOLD_REACH_MM = 45.0  # distance from a fold in which its height falls to a third


def printed_ink(colour: str) -> Ink:
    """Return the BGR of a printed colour; that of an unknown one is derived from its name.

    >>> printed_ink("black")
    (48, 44, 42)
    """
    if colour in PRINTED_INKS:
        return PRINTED_INKS[colour]
    blue, green, red, _ = zlib.crc32(colour.encode()).to_bytes(4)
    return 80 + blue // 2, 80 + green // 2, 80 + red // 2


def vary_ink(ink: Ink, spread: float, seed: int, name: str) -> Ink:
    """Return an ink with random noise of standard deviation `spread` on each channel.

    >>> vary_ink((48, 44, 42), 0.0, 3, "black")
    (48, 44, 42)
    >>> vary_ink((48, 44, 42), 9.0, 3, "black") == vary_ink((48, 44, 42), 9.0, 4, "black")
    False
    """
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    blue, green, red = np.clip(np.rint(ink + rng.normal(0.0, spread, 3)), 0, 255).astype(int)
    return int(blue), int(green), int(red)


@dataclass(frozen=True)
class Copy:
    """One copy of a game: its printed board and its plastic.

    >>> Copy(seed=1, stray_print_mm=6).offset_mm("denver--salt-lake-city--0")
    (0.0, 0.0)
    """

    seed: int = 0  # of the landscape, displaced routes, inks and folds
    scale: float = 1.0  # size of the board relative to the board file, 0.5 to 2
    stray_print_mm: float = 0.0  # largest displacement of single routes, 0 to 8
    # standard deviations, in grey levels, of printed inks and of plastic colours, 0 to 60
    ink_spread: float = 0.0
    plastic_spread: float = 0.0
    # length, width and height of a train without its chimney
    train_size_mm: tuple[float, float, float] = (26.0, 9.0, 9.0)
    fold_mm: float = 0.0  # largest height of the board along its folds, 0 to 10

    def offset_mm(self, route: RouteId) -> tuple[float, float]:
        """Return the displacement (dx, dy) of a printed route, in the board file's millimetres.

        It is the same for all lanes of a double route.
        """
        ends = "--".join(route.split("--")[:2])
        rng = np.random.default_rng([self.seed, 4, zlib.crc32(ends.encode())])
        if rng.random() >= DISPLACED_SHARE:
            return 0.0, 0.0
        off_mm = self.stray_print_mm * rng.uniform(0.4, 1.0)
        way = rng.uniform(0, 2 * np.pi)
        return float(off_mm * np.cos(way)), float(off_mm * np.sin(way))

    def printed(self, board: Board) -> Board:
        """Return the board as printed in this copy, in the copy's millimetres.

        Raises `SceneError` for an unmeasured board.

        >>> from railspotter.scoring.board import load_board
        >>> Copy(scale=1.1).printed(load_board("usa")).size_mm
        (874.5, 577.5)
        >>> Copy().printed(load_board("philly"))
        Traceback (most recent call last):
        ...
        railspotter.simulation.virtual_board.errors.SceneError: board 'philly' was not measured
        """
        if not board.measured:
            raise SceneError(f"board {board.id!r} was not measured")
        routes = tuple(self._displaced(route) for route in board.routes)
        return scaled_board(replace(board, routes=routes), self.scale)

    def printed_ink(self, colour: str) -> Ink:
        """Return the BGR of a printed colour in this copy."""
        return vary_ink(printed_ink(colour), self.ink_spread, self.seed, f"printed {colour}")

    def height_mm(self, points_mm: ArrayLike, size_mm: tuple[float, float]) -> Points:
        """Return the board's height above the table at its points, (..., 2).

        >>> bent = Copy(seed=1, fold_mm=3)
        >>> bent.height_mm([(265.0, 100.0), (400.0, 100.0)], (795.0, 525.0)).round(1)
        array([1.7, 0.2])
        """
        points = np.asarray(points_mm, np.float64)
        height = np.zeros(points.shape[:-1])
        if self.fold_mm == 0:
            return height
        rng = np.random.default_rng([self.seed, 5])
        for axis, shares in enumerate(FOLDS):
            for share in shares:
                ridge = self.fold_mm * rng.uniform(0.3, 1.0)
                off = abs(points[..., axis] - share * size_mm[axis]) / FOLD_REACH_MM
                height = np.maximum(height, ridge * np.exp(-off))
        return height

    def _displaced(self, route: Route) -> Route:
        dx, dy = self.offset_mm(route.id)
        spaces = (replace(s, xy_mm=(s.xy_mm[0] + dx, s.xy_mm[1] + dy)) for s in route.spaces)
        return replace(route, spaces=tuple(spaces))

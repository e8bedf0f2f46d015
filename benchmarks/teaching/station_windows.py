"""Windows around patches of a colour, with and without a station: what a small net is taught.

Rendered neighbourhoods of rendered/scene.py with stations on them, as people lay them: nothing of
these is of a photo. And boards composed of real pixels (composed/stations.py), relit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.board import Board, load_board
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.lab import to_lab
from railspotter.vision.look.first_look import in_reference_light
from railspotter.vision.look.station_net import (
    PX_PER_MM,
    PrintedGround,
    SeenGround,
    ground_of,
    planes,
    see_ground,
)
from railspotter.vision.look.stations import SEEN_HEIGHT, patches_of_colour
from railspotter.vision.look.view import Pieces, View
from railspotter.vision.printed.printed_board import PrintedBoard

from composed.library import SOURCES, STAGES, Library
from composed.stations import (
    HEIGHT_MM,
    STATION_PHOTOS,
    TRAIN_HEIGHT_MM,
    cut_stations,
    eye_over,
    lay_stations,
    with_stations,
)
from composed.trains import plastic_colours
from rendered.canvas import MIDDLE_MM, SIZE_MM, box, directions, grain, varied
from rendered.photo import Shot, photograph, photograph_empty
from rendered.plastic import Mould
from rendered.print import INKS, Space, Style, draw_ground, print_spaces
from rendered.scene import Camera, Train, neighbourhood, paint_trains, players, stand_trains
from teaching.relighting import relit

HIT_MM = 4.5  # a patch nearer to a station's middle is it
MISS_MM = 8.0  # one that lies farther off is none; between, nobody can say
SPREAD = 11.0  # what the box's colours scatter by
COLOUR_SPREAD = 4.0  # how far off the photo's own colours are known, in Lab units


@dataclass(frozen=True, eq=False)
class StationWindows:
    """Windows as the net is fed them, and whether a station stands in the middle."""

    fed: npt.NDArray[np.float16]  # (n, planes, rows, columns)
    stands: npt.NDArray[np.uint8]  # (n,)


@dataclass(frozen=True, eq=False)
class Standing:
    """What stands in a picture: stations by what is seen of them."""

    seen_mm: Float64s  # (n, 2): the middles of what is seen of them
    colour: list[int]


def windows_of(
    seen: SeenGround, standing: Standing, eye: Viewpoint, rng: Generator, at_most: int = 60
) -> StationWindows:
    """Return the windows around patches of colour, and around stations, a little off."""
    near = np.zeros(seen.ground.spaces.shape, bool)
    near[12:-12, 12:-12] = True
    patches = patches_of_colour(seen, near)
    at = np.concatenate(
        [patches.at_mm, standing.seen_mm + rng.normal(0, 1.2, standing.seen_mm.shape)]
    )
    colour = np.concatenate([patches.colour, np.array(standing.colour, np.intp)])
    away = np.full(len(at), np.inf)
    for middle, own in zip(standing.seen_mm, standing.colour, strict=True):
        apart = np.hypot(*(at - middle).T)
        away = np.minimum(
            away, np.where(colour == own, apart, np.where(apart < HIT_MM, 99, np.inf))
        )
    known = np.flatnonzero((away < HIT_MM) | (away > MISS_MM))
    stands = away[known] < HIT_MM
    keep = np.concatenate(
        [known[stands], rng.permutation(known[~stands])[: max(at_most - stands.sum(), 20)]]
    )
    foot = at[keep] - eye.lean_mm(at[keep], SEEN_HEIGHT * HEIGHT_MM)
    fed = planes(seen, at[keep], colour[keep], eye.lean_mm(foot, HEIGHT_MM))
    return StationWindows(fed.astype(np.float16), (away[keep] < HIT_MM).astype(np.uint8))


def rendered(rng: Generator, boards: Sequence[Board]) -> StationWindows:
    """Return the windows of one rendered neighbourhood."""
    board = boards[rng.integers(len(boards))]
    spaces, places = neighbourhood(board, rng)
    inks = rng.choice(list(INKS), len(board.routes))
    colours = {space.route: str(inks[space.route]) for space in spaces}
    style, ground = Style.drawn(rng), draw_ground(rng)
    paper = grain(rng, (1.2, 4), (rng.uniform(0, 5), rng.uniform(0, 3)))[..., None]
    marked = print_spaces(ground, style, spaces, colours, places, rng)
    empty = np.asarray(np.clip(marked + paper, 0, 255), np.uint8)
    height = rng.uniform(450, 1100)
    off = np.clip(rng.normal(0, 0.45, 2), -1.1, 1.1) * height
    eye = Viewpoint(float(MIDDLE_MM[0] + off[0]), float(MIDDLE_MM[1] + off[1]), height)
    camera = Camera(eye.x_mm, eye.y_mm, height)
    game = players(rng)
    trains, _ = stand_trains(spaces, colours, style, game, rng)
    laid, standing = _laid(list(game.plastics.values()), spaces, places, trains, eye, rng)
    painted, _ = paint_trains(empty, trains, camera, rng, laid)
    photo, gain = photograph(painted, rng)
    if rng.random() < 0.35:  # nothing known but inks, and the ground from afar
        plain = np.asarray(cv2.GaussianBlur(ground, (0, 0), 30), np.uint8)
        reference = Shot(print_spaces(plain, style, spaces, colours, (), rng), 2.5)
    else:
        reference = photograph_empty(empty, rng)
    size_wh = round(SIZE_MM[0] * PX_PER_MM), round(SIZE_MM[1] * PX_PER_MM)
    shown = np.zeros(size_wh[::-1], np.uint8)
    for space in spaces:
        outline = box(space.xy_mm, space.angle, *space.size_mm)
        cv2.fillConvexPoly(shown, np.rint(outline * PX_PER_MM).astype(np.int32), (255,))
    small = cv2.resize(reference.picture, size_wh, interpolation=cv2.INTER_AREA)
    lit = np.clip(photo.picture / (gain * np.exp(rng.normal(0, 0.03, 3))), 0, 255).astype(np.uint8)
    named = [_colour(str(k), ink, rng) for k, ink in enumerate(game.plastics.values())]
    seen = see_ground(lit, PrintedGround(np.asarray(small, np.uint8), shown), named)
    return windows_of(seen, standing, eye, rng)


def _colour(name: str, bgr: Float64s, rng: Generator) -> TrainColour:
    return _about(name, to_lab(np.clip(bgr, 0, 255).astype(np.uint8)[None])[0], rng)


def _about(name: str, lab: npt.ArrayLike, rng: Generator) -> TrainColour:
    """Return a colour as a photo may have it known."""
    lightness, a, b = (np.asarray(lab) + rng.normal(0, COLOUR_SPREAD, 3)).tolist()
    return TrainColour(name, (lightness, a, b), SPREAD)


def _laid(
    plastics: Sequence[Float64s],
    spaces: Sequence[Space],
    places: Sequence[Float64s],
    trains: Sequence[Train],
    eye: Viewpoint,
    rng: Generator,
) -> tuple[list[Train], Standing]:
    """Lay stations on places, beside them and astride trains."""
    mould, laid, middles, colours = Mould.of_station(rng), [], [], []
    for _ in range(rng.integers(2, 9)):
        kind, lifted = rng.random(), 0.0
        if kind < 0.4 and trains:
            foot = trains[rng.integers(len(trains))].foot_mm + rng.normal(0, 3, 2)
            lifted = TRAIN_HEIGHT_MM
        elif kind < 0.7 and places:
            foot = places[rng.integers(len(places))] + rng.normal(0, 3, 2)
        else:
            anchor = spaces[rng.integers(len(spaces))].xy_mm if spaces else MIDDLE_MM
            foot = anchor + directions(rng.uniform(0, 2 * np.pi))[0] * rng.uniform(4, 25)
        inside = ((foot > 25) & (foot < np.array(SIZE_MM) - 25)).all()
        if not inside or any(np.hypot(*(foot - other)) < 18 for other in middles):
            continue
        middles.append(foot)
        colours.append(int(rng.integers(len(plastics))))
        raised = foot + eye.lean_mm(foot, lifted)
        ink = varied(rng, plastics[colours[-1]], 0.04)
        laid.append(Train(raised, rng.uniform(0, 2 * np.pi), ink, mould))
    seen = [one.foot_mm + eye.lean_mm(one.foot_mm, SEEN_HEIGHT * HEIGHT_MM) for one in laid]
    return laid, Standing(np.array(seen, np.float64).reshape(-1, 2), colours)


class ComposedStations:
    """Draws windows of real boards with real stations laid onto them, relit."""

    def __init__(self, library: Library) -> None:
        self._library, self._board = library, library.board
        profiles = (library.profile, stand_in_profile(library.board))
        self._references = [PrintedBoard.of(library.board, p) for p in profiles if p is not None]
        self._photos = (*SOURCES["europe"], *STATION_PHOTOS, STAGES["europe"][0])
        self._cuts = [cut for name in STATION_PHOTOS for cut in cut_stations(library, name)]
        self._plastic = self._plastic_of(SOURCES["europe"][0])

    def _plastic_of(self, name: str) -> dict[str, Float64s]:
        spaces = self._library.photo(name).truth["spaces"]
        lab = to_lab(self._library.rectified(name))
        return plastic_colours(lab, self._library.px_per_mm, self._board, spaces)

    def draw(self, rng: Generator) -> StationWindows:
        """Return the windows of one board."""
        library, scale = self._library, self._library.px_per_mm
        name = str(rng.choice(self._photos))
        truth, eye = library.photo(name).truth, eye_over(library, name)
        there = library.photo(name).stations or {}
        cuts = [cut for cut in self._cuts if cut.photo != name or rng.random() < 0.5]
        laid = [
            station
            for station in lay_stations(
                self._board, eye, truth["spaces"], cuts, sorted(self._plastic), 4, rng
            )
            if station.place not in there
        ]
        picture, covered = with_stations(library.rectified(name), scale, eye, laid, rng)
        small, share = (self._smaller(p, 1.6 / scale) for p in (picture, covered))
        seen = small if rng.random() < 0.15 else relit(small, share, 1.6, rng)
        printed = self._references[int(rng.random() < 0.3)]
        height, width = printed.reference.shape[:2]
        view = View(
            printed=printed,
            rectified=np.asarray(cv2.resize(seen, (width, height)), np.uint8),
            viewpoint=eye,
            pieces=Pieces(()),
        )
        _, lit = in_reference_light(view)
        feet = [(s.foot_mm, s.colour, s.on_train) for s in laid]
        feet += [(np.array(self._board.place_by_id[p].xy_mm), c, False) for p, c in there.items()]
        names = sorted(self._plastic)
        middles = [
            foot
            + eye.lean_mm(foot, SEEN_HEIGHT * HEIGHT_MM)
            + (eye.lean_mm(foot, TRAIN_HEIGHT_MM) if on_train else 0.0)
            for foot, _, on_train in feet
        ]
        standing = Standing(np.array(middles).reshape(-1, 2), [names.index(c) for _, c, _ in feet])
        colours = self._as_shown(lit, truth, standing, names, rng)
        return windows_of(see_ground(lit, ground_of(printed), colours), standing, eye, rng, 80)

    @staticmethod
    def _smaller(picture: Picture | Float32s, shrink: float) -> Picture:
        return np.asarray(
            cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        )

    def _as_shown(
        self, lit: Picture, truth: dict, standing: Standing, names: list[str], rng: Generator
    ) -> list[TrainColour]:
        """Return what the players' plastic looks like in a picture, about."""
        scale = lit.shape[1] / self._board.size_mm[0]
        lab = to_lab(lit)
        shown = plastic_colours(lab, scale, self._board, truth["spaces"])
        colours = []
        for c, name in enumerate(names):
            if name not in shown:
                mine = standing.seen_mm[[own == c for own in standing.colour]]
                at = np.rint(mine * scale).astype(int)
                known = [lab[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3) for x, y in at]
                shown[name] = (
                    np.median(np.concatenate(known), axis=0)
                    if known
                    else np.array(self._plastic[name])
                )
            colours.append(_about(name, shown[name], rng))
        return colours


def drawn(seed: int, scenes: int, library: Library | None = None) -> Iterator[StationWindows]:
    """Yield the windows of so many scenes: rendered, or composed where photos are given."""
    rng = np.random.default_rng([seed, library is not None])
    if library is not None:
        composed = ComposedStations(library)
        for _ in range(scenes):
            yield composed.draw(rng)
        return
    boards = [load_board(name) for name in ("usa", "europe")]
    for _ in range(scenes):
        yield rendered(rng, boards)

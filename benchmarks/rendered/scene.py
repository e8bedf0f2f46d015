"""Rendered scenes: a made-up game's trains on a part of some board."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s, Mask, Picture, Points
from railspotter.scoring.board import Board
from railspotter.vision.look.train_net import TALLEST_MM

from rendered.canvas import MIDDLE_MM, PX_PER_MM, SIZE_MM, box, directions, fill, vary
from rendered.plastic import PLASTICS, Lamp, Mould
from rendered.print import Space, Style

WHITE = np.array([255.0, 255.0, 255.0])
# Light from all sides: what it falls on is told from what it does not.
AMBIENT_LAMP = Lamp(towards=(0.0, 0.0, 1.0), ambient=1.0, gloss=0.0, gloss_power=1.0, strength=1.0)
# No train is pushed farther, and no route printed farther off: it would be another space's.
MOST_SHIFT_MM = 6.0


@dataclass(frozen=True, eq=False)
class Train:
    """A train: the middle of its foot, its direction, its plastic and its shape."""

    foot_mm: Points
    angle: float
    plastic: Float64s
    mould: Mould


@dataclass(frozen=True, eq=False)
class GameTrains:
    """The colours and shapes of one game's trains."""

    plastics: dict[str, Float64s]
    moulds: dict[str, Mould]


@dataclass(frozen=True)
class Camera:
    """The lens' position over the scene."""

    x_mm: float
    y_mm: float
    height_mm: float

    def lean_per_mm(self, point_mm: Points) -> Points:
        """Return the displacement of a point from its foot for each millimetre of height."""
        away = point_mm - np.array([self.x_mm, self.y_mm])
        return np.asarray(away / (self.height_mm - TALLEST_MM / 2), np.float64)


def neighbourhood(board: Board, rng: Generator) -> tuple[list[Space], list[Points]]:
    """Return the spaces and places around a point of a board, slightly changed."""
    spaces = [space for route in board.routes for space in route.spaces]
    routes = [r for r, route in enumerate(board.routes) for _ in route.spaces]
    centre = np.array(spaces[rng.integers(len(spaces))].xy_mm) + rng.normal(0, 12, 2)
    scale, mirrored = np.exp(rng.normal(0, 0.05)), bool(rng.random() < 0.5)
    stretch = np.exp(rng.normal(0, 0.05, 2)) * scale
    moved = {r: rng.normal(0, 2, 2) * (rng.random() < 0.2) for r in range(len(board.routes))}

    def moved_to(xy_mm: tuple[float, float]) -> Points:
        off = (np.array(xy_mm) - centre) * scale
        off[0] *= -1 if mirrored else 1
        return np.asarray(MIDDLE_MM + off, np.float64)

    near = []
    for space, route in zip(spaces, routes, strict=True):
        xy = moved_to(space.xy_mm) + moved[route]
        if (abs(xy - MIDDLE_MM) < MIDDLE_MM + 16).all():
            angle = np.deg2rad(180 - space.angle_deg if mirrored else space.angle_deg)
            length, width = np.array(space.size_mm) * stretch
            near.append(Space(xy, float(angle), (float(length), float(width)), route))
    places = [moved_to(place.xy_mm) for place in board.places]
    return near, [at for at in places if (abs(at - MIDDLE_MM) < MIDDLE_MM - 6).all()]


def reprint(spaces: Sequence[Space], rng: Generator) -> list[Space]:
    """Return the spaces of another printing: some routes displaced by up to 6 mm, or rotated."""
    strays = {space.route: rng.random() < 0.4 for space in spaces}
    result = list(spaces)
    for route in (route for route, astray in strays.items() if astray):
        own = [k for k, space in enumerate(spaces) if space.route == route]
        middle = np.mean([spaces[k].xy_mm for k in own], axis=0)
        turn, way = np.deg2rad(rng.normal(0, 3)), directions(rng.uniform(0, 2 * np.pi))[0]
        off = way * rng.uniform(1, MOST_SHIFT_MM)
        along, across = directions(turn)
        for k in own:
            x, y = spaces[k].xy_mm - middle
            xy = middle + off + x * along + y * across
            result[k] = replace(spaces[k], xy_mm=xy, angle=spaces[k].angle + turn)
    return result


def random_game(rng: Generator) -> GameTrains:
    """Return five random players' plastics and moulds, mostly one mould for all."""
    names = list(PLASTICS)
    chosen = rng.permutation(names)[:5] if rng.random() < 0.5 else names[:5]
    plastics = {str(name): vary(rng, PLASTICS[str(name)], 0.22) for name in chosen}
    one = Mould.random_train(rng)
    several = rng.random() < 0.2
    return GameTrains(
        plastics, {name: Mould.random_train(rng) if several else one for name in plastics}
    )


def place_trains(
    spaces: Sequence[Space], colours: dict[int, str], style: Style, game: GameTrains, rng: Generator
) -> tuple[list[Train], Mask]:
    """Place trains on routes, inexactly, and return the covered spaces."""
    density, own_share = rng.choice([0.15, 0.5, 0.85]), rng.choice([0.25, 0.75])
    sloppy_mm, common = rng.choice([0.6, 1.2, 2.2]), rng.normal(0, 1.2, 2)
    covered = np.zeros(len(spaces), dtype=bool)
    trains = []
    for route in colours:
        has = rng.random() < density
        partly = rng.random() < 0.12
        name = list(game.plastics)[rng.integers(len(game.plastics))]
        plastic = game.plastics[name]
        if rng.random() < own_share:
            name = colours[route] if colours[route] in game.plastics else name
            plastic = game.plastics[name]
            if rng.random() < 0.4:
                ink = style.inks[colours[route]] * np.exp(rng.normal(0, 0.12))
                plastic = np.clip(ink + rng.normal(0, 9, 3), 4, 250)
        shift = common + rng.normal(0, sloppy_mm, 2)
        for k in (k for k, space in enumerate(spaces) if space.route == route):
            covered[k] = rng.random() < 0.5 if partly else has
            if covered[k]:
                off = shift + rng.normal(0, 0.6 * sloppy_mm, 2)
                off *= min(1.0, MOST_SHIFT_MM / float(np.linalg.norm(off)))
                turn = np.deg2rad(rng.normal(0, 1.5 + 2.2 * sloppy_mm))
                angle = spaces[k].angle + turn + np.pi * rng.integers(2)
                trains.append(Train(spaces[k].xy_mm + off, angle, plastic, game.moulds[name]))
    for _ in range(rng.poisson(0.5)):
        stray = rng.uniform(0, 1, 2) * SIZE_MM
        if all(np.linalg.norm(stray - space.xy_mm) > 17 for space in spaces):
            name = list(game.plastics)[rng.integers(len(game.plastics))]
            angle = rng.uniform(0, 2 * np.pi)
            trains.append(Train(stray, angle, game.plastics[name], game.moulds[name]))
    return trains, covered


def paint_trains(
    printed: Picture,
    trains: Sequence[Train],
    camera: Camera,
    rng: Generator,
    stations: Sequence[Train] = (),
) -> tuple[Picture, Picture]:
    """Return the print with shadows and trains on it, the farthest painted first.

    Stations are painted over them, for they may stand on trains, where these lift them.
    """
    low = np.deg2rad(rng.uniform(22, 85))
    way = directions(rng.uniform(0, 2 * np.pi))[0] * np.cos(low)
    lamp = Lamp(
        towards=(float(way[0]), float(way[1]), float(np.sin(low))),
        ambient=rng.uniform(0.3, 0.85),
        gloss=rng.uniform(0, 110) if rng.random() < 0.85 else 0.0,
        gloss_power=rng.uniform(6, 60),
        strength=rng.uniform(0.8, 1.15),
    )
    cast = np.zeros(printed.shape[:2], np.uint8)
    near = cast.copy()
    for train in (*trains, *stations):
        length, width, height = train.mould.size_mm
        foot = box(train.foot_mm, train.angle, length, width)
        roof = foot - way / max(lamp.towards[2], 0.3) * 0.9 * height
        hull = cv2.convexHull(np.vstack([foot, roof]).astype(np.float32))[:, 0]
        fill(cast, np.asarray(hull, np.float64), (255, 255, 255))
        fill(near, box(train.foot_mm, train.angle, length + 1, width + 1), (255, 255, 255))
    softness = max(0.5, rng.choice([0.02, 0.15, 0.4]) * rng.uniform(2, 8) * PX_PER_MM)
    shade = cv2.GaussianBlur(cast, (0, 0), softness).astype(np.float32) / 255
    corner = cv2.GaussianBlur(near, (0, 0), rng.uniform(0.5, 1.5) * PX_PER_MM) / np.float32(255)
    left = (1 - (1 - lamp.ambient) * shade) * (1 - rng.uniform(0.1, 0.5) * corner)
    picture: Picture = np.clip(printed * left[..., None], 0, 255).astype(np.uint8)
    plastic = np.zeros_like(picture)
    eye = (camera.x_mm, camera.y_mm)

    def distance2(train: Train) -> float:
        return float(np.sum((train.foot_mm - eye) ** 2))

    farthest_first = sorted(trains, key=distance2, reverse=True)
    for train in (*farthest_first, *sorted(stations, key=distance2, reverse=True)):
        lean = camera.lean_per_mm(train.foot_mm)
        train.mould.paint(picture, train.foot_mm, train.angle, train.plastic, lean, lamp)
        train.mould.paint(plastic, train.foot_mm, train.angle, WHITE, lean, AMBIENT_LAMP)
    return picture, np.where(plastic[..., 0] > 0, np.uint8(255), np.uint8(0))

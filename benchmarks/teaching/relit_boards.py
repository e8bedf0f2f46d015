"""Relit boards of photos, with the ground truth of every space.

A labelled photo is taken apart (composed/source.py); some of its trains are taken away, pushed,
laid beside their spaces or given other plastic, the light and the camera are changed
(relighting.py), and the board is handed over as the program would look at it, beside some
reference: the copy's own empty board, another photo of it, another copy's, or a drawing; inked or
printed a little otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Indices, Mask, Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import Viewpoint, viewpoint
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import Pieces, View
from railspotter.vision.printed.printed_board import PrintedBoard

from composed.laid_train import LaidTrain, LitSource, PlacedTrain, recolour
from composed.library import Library
from composed.light import measure_change
from composed.source import UNKNOWN, Source
from photos.labelled import reference_profile
from teaching.relighting import relight

PX_PER_MM = 2.2  # of the pictures from above that everything is made of: about what the photos have
UNKNOWN_SPACE, FREE = -2, -1
OTHER_PLASTIC = -3  # trains of a colour that is in no box
BESIDE_MM = 5.5  # a train pushed farther than this stands on no space any more
OTHER_PLASTIC_PREFIX = "?"  # the name of plastic that is in no box
# Whose trains are hardest to tell from a print, by its ink.
SIMILAR_PLASTICS = {
    "red": ("red",),
    "pink": ("red",),
    "orange": ("red", "yellow"),
    "yellow": ("yellow",),
    "white": ("yellow",),
    "green": ("green",),
    "blue": ("blue",),
    "black": ("black", "green"),
}


@dataclass(frozen=True)
class House:
    """A copy of a board, a room and a phone, held out together."""

    name: str
    board: str
    photos: tuple[str, ...]  # occupied ones, each state and light
    # Empty ones of the same copy: what trains that are taken away leave. None: all stay.
    grounds: tuple[str, ...]
    references: tuple[str, ...]  # empty boards to read by, of this copy or another one


HOUSES = {
    house.name: house
    for house in (
        House(
            "own-copy",
            "usa",
            (
                *("IMG_4066_1008", "IMG_4076_1008"),
                *(f"IMG_{number}_1920" for number in (4133, 4135, 4141, 4142, 4144, 4146)),
                *(f"IMG_{number}_1920" for number in (4148, 4152, 4155)),
                *("IMG_4136_1008", "IMG_4139_1008"),
            ),
            ("IMG_4172_1920", "IMG_4169_1920", "blank_rectified_1500x990"),
            (
                "blank_rectified_1500x990",
                "IMG_4172_1920",
                "IMG_4174_1008",
                "IMG_4181_1920",
                "IMG_4048_blank_1008",
            ),
        ),
        House(
            "other-copy",
            "usa",
            ("other_copy_1_1920", "other_copy_2_1920"),
            (),
            ("blank_rectified_1500x990", "IMG_4172_1920", "IMG_4181_1920"),
        ),
        House(
            "europe",
            "europe",
            (
                "cropped1_12-12",
                "cropped5_12-12",
                "cropped5s_12-12",
                "cropped_trainning",
                "cropped_station_data1",
                "cropped_station_data2",
            ),
            ("cropped_blank",),
            ("cropped_blank",),
        ),
    )
}


# Houses that the net was not taught: to judge it by.
UNSEEN = {
    name: House(name, "europe", (photo,), (), ("cropped_blank",))
    for name, photo in (
        ("house-5", "house5_1500"),
        ("house-6", "house6_800"),
        ("house-7", "house7_12mp"),
    )
}


@dataclass(frozen=True, eq=False)
class RelitBoard:
    """A board as the program looks at it, with its ground truth."""

    house: str
    view: View
    # (N,) int: of each space: the index of its train's colour in the view's, `FREE`,
    # `OTHER_PLASTIC`, or `UNKNOWN_SPACE` where nobody knows.
    colours: Indices
    # (H, W) float32: how much of each pixel of the rectified picture is plastic, trains and
    # stations.
    plastic: Float32s


@dataclass(frozen=True, eq=False)
class _Scene:
    """A photo's rectified board at `PX_PER_MM`, and the ways to change it."""

    source: Source
    grounds: tuple[Picture, ...]
    viewpoint: Viewpoint


class RelitHouse:
    """Draws random boards of one house."""

    def __init__(self, house: House, photos: Sequence[str] | None = None) -> None:
        self.house = house
        self._board = load_board(house.board)
        edition = load_edition(house.board)
        self._pieces = Pieces(
            plastic(edition.plastic), edition.train_size_mm, exclusive=self._board.lanes
        )
        self._library = Library(self._board, PX_PER_MM)
        self._photos = tuple(photos or house.photos)
        self._scenes: dict[str, _Scene] = {}
        self._references = [
            PrintedBoard.of(
                self._board,
                reference_profile(
                    (photo := self._library.photo(name)).path, self._board, photo.corners_px
                ),
            )
            for name in house.references
        ]
        drawing = stand_in_profile(self._board)
        assert drawing is not None
        self._drawing = PrintedBoard.of(self._board, drawing)

    def draw(self, rng: Generator) -> RelitBoard:
        """Return a random board."""
        name = str(rng.choice(self._photos))
        if name not in self._scenes:
            self._scenes[name] = self._make_scene(name)
        scene = self._scenes[name]
        picture, covered, colours = self._lay_trains(scene, name, rng)
        scale = float(np.exp(rng.uniform(np.log(0.55), np.log(PX_PER_MM))))
        shrink = scale / PX_PER_MM
        small_wh = tuple(round(side * shrink) for side in picture.shape[1::-1])
        small = np.asarray(cv2.resize(picture, small_wh, interpolation=cv2.INTER_AREA), np.uint8)
        share = np.asarray(cv2.resize(covered, small_wh, interpolation=cv2.INTER_AREA), np.float32)
        if rng.random() < 0.92:
            small = relight(small, share, scale, rng)
        printed = self._choose_reference(rng)
        rectified, seen = self._misalign(small, share, printed, scale, rng)
        view = View(
            printed=printed, rectified=rectified, viewpoint=scene.viewpoint, pieces=self._pieces
        )
        return RelitBoard(self.house.name, view, colours, seen)

    def _make_scene(self, name: str) -> _Scene:
        library = self._library
        source, registration = library.source(name), library.registration(name)
        grounds = []
        for ground in self.house.grounds:
            empty = library.rectified_board(ground)
            grounds.append(
                measure_change(empty, source.picture, source.bare_mask, PX_PER_MM).apply(empty)
            )
        eye = viewpoint(registration.frame_from_board, registration.frame_wh)
        return _Scene(source, tuple(grounds), eye)

    def _lay_trains(
        self, scene: _Scene, name: str, rng: Generator
    ) -> tuple[Picture, Float32s, Indices]:
        """Return the board with some of the photo's trains, its plastic and the occupied spaces."""
        source = scene.source
        picture, names = self._recolour_trains(source, rng)
        colours = self._space_colours(name, source, names)
        covered: Float32s = source.plastic.astype(np.float32) / np.float32(255)
        if not scene.grounds:
            return picture, covered, colours
        kept = self._choose_kept(source, rng)
        pushed = [i for i in np.flatnonzero(kept) if rng.random() < 0.25]
        pushed = pushed if rng.random() < 0.4 else []
        stays = kept.copy()
        stays[pushed] = False
        if not stays.all():
            # What stations cover belongs to no train, and stays.
            owned = np.append(stays, True)[source.owner].astype(np.float32)
            ground = scene.grounds[rng.integers(len(scene.grounds))].astype(np.float32)
            share: Float32s = np.asarray(
                cv2.GaussianBlur(owned, (0, 0), 0.7 * PX_PER_MM), np.float32
            )
            share *= np.where(source.owner >= 0, source.reach / np.float32(255), np.float32(0))
            laid = np.asarray(ground + share[..., None] * (picture - ground), np.float32)
            covered = np.asarray(covered * share, np.float32)
        else:
            laid = np.asarray(picture, np.float32)
        spaces = {key: k for k, key in enumerate(self._space_keys)}
        for i, train in enumerate(source.trains):
            if not kept[i] and train.colour != UNKNOWN:
                colours[spaces[train.route, train.space]] = FREE
        lit = LitSource(source, picture)
        reach_mm = rng.choice([2.0, 4.0, 12.0])
        for number in pushed:
            train = source.trains[number]
            off = rng.normal(0, 0.5, 2) * reach_mm
            if np.hypot(*off) > BESIDE_MM:
                colours[spaces[train.route, train.space]] = UNKNOWN_SPACE
            turn = float(rng.normal(0, 8))
            shift = float(off[0]), float(off[1])
            placed = PlacedTrain(
                LaidTrain(train.route, train.space, source.name, train.colour, shift, turn),
                lit,
                PX_PER_MM,
            )
            part = placed.bounds
            laid[part] *= placed.shadow(part)[..., None]
            paint, share = placed.plastic(part)
            laid[part] += share[..., None] * (paint - laid[part])
            covered[part] = np.maximum(covered[part], share)
        return np.asarray(np.clip(laid + 0.5, 0, 255), np.uint8), covered, colours

    @property
    def _space_keys(self) -> list[tuple[str, int]]:
        return [(r.id, i) for r in self._board.routes for i in range(r.length)]

    def _space_colours(self, name: str, source: Source, names: list[str]) -> Indices:
        truth = self._library.photo(name).truth
        spaces, strays = truth["spaces"], truth.get("stray_trains") or ()
        unclear = {stray["route"] for stray in strays}
        known = {train.name: c for c, train in enumerate(self._pieces.trains)}
        colours = []
        for route, i in self._space_keys:
            if route not in spaces or route in unclear:
                colours.append(UNKNOWN_SPACE)
                continue
            there = spaces[route][i]
            if there is None:
                colours.append(FREE)
            else:
                colours.append(known.get(names[source.number_by_space[route, i]], OTHER_PLASTIC))
        return np.array(colours, np.intp)

    def _choose_kept(self, source: Source, rng: Generator) -> Mask:
        """Return the trains that stay: all, some routes, or those of some players."""
        kind = rng.random()
        if kind < 0.35:
            return np.ones(len(source.trains), bool)
        density = rng.choice([0.15, 0.4, 0.7])
        players = rng.permutation(sorted(source.plastic_lab))[: rng.integers(2, 6)]
        chosen = {route.id: rng.random() < density for route in self._board.routes}
        if kind < 0.6:
            chosen = dict.fromkeys(chosen, True)
        in_part = {route.id: rng.random() < 0.08 for route in self._board.routes}
        return np.array(
            [
                train.colour == UNKNOWN
                or (
                    chosen[train.route]
                    and train.colour in players
                    and not (in_part[train.route] and rng.random() < 0.5)
                )
                for train in source.trains
            ]
        )

    def _recolour_trains(self, source: Source, rng: Generator) -> tuple[Picture, list[str]]:
        """Return the picture with recoloured plastic, and each train's new colour."""
        names = [train.colour for train in source.trains]
        own = [name for name in source.plastic_lab if name != UNKNOWN]
        kind = rng.random()
        if kind < 0.35 or len(own) < 2:
            return source.picture, names
        wanted = {name: source.plastic_lab[name] + rng.normal(0, 4.0, 3) for name in own}
        if kind < 0.6:  # the players change colours
            changed = dict(zip(own, map(str, rng.permutation(own)), strict=True))
            names = [changed.get(name, name) for name in names]
        elif kind < 0.85:  # trains that are hard to tell from the print below
            names = self._print_like_colours(source, own, rng)
        else:
            changed = {name: f"{OTHER_PLASTIC_PREFIX}{name}" for name in own}
            for name in changed.values():
                wanted[name] = np.array([rng.uniform(12, 85), *rng.normal(0, 30, 2)])
            names = [changed.get(name, name) for name in names]
        picture = source.picture.copy()
        for i, train in enumerate(source.trains):
            part = source.bounds[i]
            if names[i] == train.colour or picture[part].size == 0:
                continue
            share = (source.owner[part] == i) * (source.plastic[part] / np.float32(255))
            labs = {train.colour: source.plastic_lab[train.colour], "": wanted[names[i]]}
            painted = recolour(picture[part], share, labs, train.colour, "")
            here = picture[part].astype(np.float32)
            here += share[..., None] * (painted.astype(np.float32) - here)
            picture[part] = np.clip(here + 0.5, 0, 255).astype(np.uint8)
        return picture, names

    def _print_like_colours(self, source: Source, own: Sequence[str], rng: Generator) -> list[str]:
        """Return colours of a photo's trains that are mostly on prints of a similar colour."""
        chosen = {}
        for route in self._board.routes:
            alike = [name for name in SIMILAR_PLASTICS.get(route.colour, ()) if name in own]
            if alike and rng.random() < 0.7:
                chosen[route.id] = str(rng.choice(alike))
        return [
            train.colour if train.colour == UNKNOWN else chosen.get(train.route, train.colour)
            for train in source.trains
        ]

    def _choose_reference(self, rng: Generator) -> PrintedBoard:
        """Return the reference by which the board is read."""
        printed = self._drawing
        if rng.random() < 0.62:
            printed = self._references[rng.integers(len(self._references))]
        kind = rng.random()
        if kind < 0.3:  # other inks, another camera
            levels: Float32s = printed.reference.astype(np.float32) / np.float32(255)
            mixing = np.eye(3) + rng.normal(0, 0.05, (3, 3))
            mixed = cv2.transform(levels, mixing * np.exp(rng.normal(0, 0.08, (3, 1))))
            levels = np.clip(mixed, 0, 1).astype(np.float32)
            levels **= np.float32(np.exp(rng.normal(0, 0.15)))
            grey = levels.mean(axis=-1, keepdims=True)
            levels = grey + np.float32(np.exp(rng.normal(0, 0.15))) * (levels - grey)
            reference = np.clip(levels * 255 + 0.5, 0, 255).astype(np.uint8)
            printed = replace(printed, reference=reference)
        if rng.random() < 0.2:  # a copy that prints routes elsewhere
            moved = {}
            for group in self._board.lanes:
                if rng.random() < 0.3:
                    off = rng.normal(0, 1.2, 2) * rng.choice([1.0, 2.0])
                    moved.update(dict.fromkeys(group, (float(off[0]), float(off[1]))))
            in_lanes = {route for group in self._board.lanes for route in group}
            for route in self._board.routes:
                if route.id not in in_lanes and rng.random() < 0.3:
                    off = rng.normal(0, 1.2, 2) * rng.choice([1.0, 2.0])
                    moved[route.id] = (float(off[0]), float(off[1]))
            printed = printed.with_moved_prints(moved)
        return printed

    def _misalign(
        self, small: Picture, share: Float32s, printed: PrintedBoard, scale: float, rng: Generator
    ) -> tuple[Picture, Float32s]:
        """Return the picture and its plastic at the reference's scale, slightly misaligned."""
        height, width = printed.reference.shape[:2]
        x, y = np.meshgrid(
            (np.arange(width, dtype=np.float32) + 0.5) / np.float32(printed.px_per_mm),
            (np.arange(height, dtype=np.float32) + 0.5) / np.float32(printed.px_per_mm),
        )
        spread = rng.choice([0.15, 0.3, 0.6])
        bend = rng.normal(0, spread, (4, 6, 2)).astype(np.float32)
        off = cv2.resize(bend, (width, height), interpolation=cv2.INTER_CUBIC)
        maps = (
            (x + off[..., 0]) * np.float32(scale) - 0.5,
            (y + off[..., 1]) * np.float32(scale) - 0.5,
        )
        border = cv2.BORDER_REPLICATE
        rectified = cv2.remap(small, *maps, cv2.INTER_LINEAR, None, border)
        seen = cv2.remap(share, *maps, cv2.INTER_LINEAR, None, border)
        return np.asarray(rectified, np.uint8), np.asarray(np.clip(seen, 0, 1), np.float32)

"""Lay real stations onto real boards and relight them, to teach vision/look/station_net.py.

    python benchmarks/teaching/station_windows.py OUT.npz [--scenes N] [--seed S]

Stations are cut from Europe's photos and laid as composed/stations.py has people lay them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.scoring.board import load_board
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.lab import to_lab
from railspotter.vision.look.first_look import in_reference_light
from railspotter.vision.look.station_net import ground_in, see_ground
from railspotter.vision.look.stations import SEEN_HEIGHT, places_in
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
from teaching.relighting import relit, strongly_drawn
from teaching.taught_stations import Standing, StationWindows, about, windows_of, write_windows

PX_PER_MM = 2.2
RELIT_PX_PER_MM = 1.6


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
        small, share = (self._smaller(p, RELIT_PX_PER_MM / scale) for p in (picture, covered))
        seen = (
            small
            if rng.random() < 0.15
            else relit(small, np.asarray(share, np.float32), RELIT_PX_PER_MM, rng)
        )
        if rng.random() < 0.5:
            seen = strongly_drawn(seen, rng)
        printed = self._references[int(rng.random() < 0.5)]
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
        ground = ground_in(places_in(lit, printed))
        return windows_of(see_ground(lit, ground, colours), standing, eye, rng, 80)

    @staticmethod
    def _smaller(picture: Picture | Float32s, shrink: float) -> Picture:
        return np.asarray(
            cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        )

    def _as_shown(
        self,
        lit: Picture,
        truth: Mapping[str, Any],
        standing: Standing,
        names: list[str],
        rng: Generator,
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
            colours.append(about(name, shown[name], rng))
        return colours


def main() -> None:
    """Lay stations onto as many boards as asked for."""
    write_windows(
        __doc__, lambda: ComposedStations(Library(load_board("europe"), PX_PER_MM)).draw, 60
    )


if __name__ == "__main__":
    main()

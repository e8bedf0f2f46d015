"""Place real stations on photos of boards and relight them, to train vision/look/station_net.py.

    python benchmarks/teaching/station_windows.py OUT.npz [--scenes N] [--seed S]
                                                  [--photos NAME ...] [--cuts NAME ...]

Stations are cut from Europe's photos and laid as composed/stations.py has people lay them, onto
two boards of three; the third stays as it was photographed. Whoever judges a net by some photos
has others than those laid onto (`--photos`) and cut from (`--cuts`).
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.scoring.board import load_board
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
    CutStation,
    cut_stations,
    lay_stations,
    paint_stations,
    photo_viewpoint,
    visible_middles,
)
from composed.trains import plastic_colours
from teaching.relighting import change_contrast, relight
from teaching.taught_stations import (
    SeenStations,
    StationWindows,
    approximate_colours,
    cut_windows,
    windows_parser,
    write_windows,
)

PX_PER_MM = 2.2
RELIT_PX_PER_MM = 1.6
HOUSES = ("house5_1500", "house6_800", "house7_12mp")
PHOTOS = (*SOURCES["europe"], *STATION_PHOTOS, STAGES["europe"][0], *HOUSES)
BARE_SHARE = 1 / 3  # of the boards, onto which nothing is laid
MOST_EACH = 8  # stations of a player: twice as many as a box has, for they are what is seldom
SHADED_SHARE = 0.15  # of the stations, which lie in a shade that the trains do not
KEPT_SHARE = 1 / 3  # of the windows without a station are kept: they are alike


class ComposedStations:
    """Draws windows of relit photos with real stations placed on them."""

    def __init__(self, library: Library, photos: Sequence[str], cuts: Sequence[str]) -> None:
        self._library, self._board = library, library.board
        profiles = (library.profile, stand_in_profile(library.board))
        self._references = [PrintedBoard.of(library.board, p) for p in profiles if p is not None]
        self._photos = photos
        self._middles = {name: visible_middles(library, name) for name in photos}
        self._known = self._photo_plastic(SOURCES["europe"][0])  # what a photo without trains shows
        own = [cut for other in cuts for cut in cut_stations(library, other)]
        self._cuts = dict.fromkeys(photos, own)
        for house in set(photos).intersection(HOUSES):  # whose light is another
            wanted = self._photo_plastic(house)
            self._cuts[house] = [c for other in cuts for c in cut_stations(library, other, wanted)]

    def _photo_plastic(self, name: str) -> dict[str, Float64s]:
        spaces = self._library.photo(name).truth["spaces"]
        lab = to_lab(self._library.rectified_board(name))
        return plastic_colours(lab, self._library.px_per_mm, self._board, spaces)

    def compose_windows(self, rng: Generator) -> StationWindows:
        """Return the windows of one board."""
        library, scale = self._library, self._library.px_per_mm
        name = str(rng.choice(self._photos))
        truth, eye = library.photo(name).truth, photo_viewpoint(library, name)
        there = library.photo(name).stations or {}
        cuts = [cut for cut in self._cuts[name] if cut.photo != name or rng.random() < 0.5]
        names = sorted(self._known)
        laid = []
        if rng.random() > BARE_SHARE:
            some = lay_stations(self._board, eye, truth["spaces"], cuts, names, MOST_EACH, rng)
            laid = [
                replace(station, cut=vary_station(station.cut, rng))
                for station in some
                if station.place not in there
            ]
        picture, covered = paint_stations(library.rectified_board(name), scale, eye, laid, rng)
        small, share = (self._shrink(p, RELIT_PX_PER_MM / scale) for p in (picture, covered))
        if rng.random() > 0.15:
            small = relight(small, np.asarray(share, np.float32), RELIT_PX_PER_MM, rng)
        if rng.random() < 0.5:
            small = change_contrast(small, rng)
        printed = self._references[int(rng.random() < 0.5)]
        height, width = printed.reference.shape[:2]
        view = View(
            printed=printed,
            rectified=np.asarray(cv2.resize(small, (width, height)), np.uint8),
            viewpoint=eye,
            pieces=Pieces(()),
        )
        _, lit = in_reference_light(view)
        at_px = width / self._board.size_mm[0]
        middles = [
            one.foot_mm
            + eye.lean_mm(one.foot_mm, SEEN_HEIGHT * HEIGHT_MM)
            + (eye.lean_mm(one.foot_mm, TRAIN_HEIGHT_MM) if one.on_train else 0.0)
            for one in laid
        ]
        dots = {place: np.array(self._board.place_by_id[place].xy_mm) for place in there}
        middles += [
            self._middles[name].get(p, at + eye.lean_mm(at, SEEN_HEIGHT * HEIGHT_MM))
            for p, at in dots.items()
        ]
        whose = [*(one.colour for one in laid), *there.values()]
        loose = [*(False for _ in laid), *(p not in self._middles[name] for p in there)]
        standing = SeenStations(np.array(middles).reshape(-1, 2), [*map(names.index, whose)], loose)
        shown = plastic_colours(to_lab(lit), at_px, self._board, truth["spaces"])
        pieces = zip(whose, standing.seen_mm * at_px, strict=True)
        of_no_trains = (piece for piece in pieces if piece[0] not in shown)
        colours = approximate_colours(lit, self._known | shown, of_no_trains, rng)
        places = places_in(lit, printed)
        seen = see_ground(lit, ground_in(places), colours)
        return thin_out(cut_windows(seen, standing, eye, rng, places.xy_mm), rng)

    @staticmethod
    def _shrink(picture: Picture | Float32s, shrink: float) -> Picture:
        return np.asarray(
            cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        )


def vary_station(cut: CutStation, rng: Generator) -> CutStation:
    """Return a cut station with random size and shade."""
    size = float(np.exp(rng.normal(0, 0.05)))
    side = cut.share.shape[0]
    grown = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), 0.0, size)
    share = np.asarray(cv2.warpAffine(cut.share, grown, (side, side)), np.float32)
    picture = cv2.warpAffine(cut.picture, grown, (side, side), borderMode=cv2.BORDER_REPLICATE)
    dim = rng.uniform(0.45, 0.9) if rng.random() < SHADED_SHARE else np.exp(rng.normal(0, 0.1))
    shown = np.clip(picture.astype(np.float32) * np.float32(dim) + 0.5, 0, 255)
    return replace(
        cut,
        picture=np.asarray(shown, np.uint8),
        share=share,
        middle_mm=cut.middle_mm * size,
        lean_mm=cut.lean_mm * size,
    )


def thin_out(windows: StationWindows, rng: Generator) -> StationWindows:
    """Return the windows with a station, and some of the others."""
    kept = (windows.stands > 0) | (rng.random(len(windows.stands)) < KEPT_SHARE)
    return windows.subset(np.flatnonzero(kept))


def main() -> None:
    """Compose as many boards as asked for."""
    parser = windows_parser(__doc__, 200)
    parser.add_argument("--photos", nargs="+", choices=PHOTOS, default=PHOTOS)
    parser.add_argument("--cuts", nargs="+", choices=STATION_PHOTOS, default=STATION_PHOTOS)
    options = parser.parse_args()
    library = Library(load_board("europe"), PX_PER_MM)
    write_windows(options, ComposedStations(library, options.photos, options.cuts).compose_windows)


if __name__ == "__main__":
    main()

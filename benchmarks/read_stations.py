"""Read boards on which stations lie as people lay them: beside dots, astride trains, on names.

    python benchmarks/read_stations.py [--boards 200] [--seed 1] [--house NAME ...]
                                       [--net FILE] [--alone] [--reliability] [--json FILE]

Boards are photos of three houses. Europe's own has trains cut from two photos laid onto its empty
board (composed/); the other two are as they were photographed. Onto each, up to three stations of
each player are laid, cut from Europe's four photos with stations and brought to the plastic of
the photo's trains: on the dot, astride the first train of a route of somebody else's, or 13 to
32 mm beside the dot, nearer to it than to any other. All are read by Europe's empty board. `--net`
reads with a net of stations that was taught without these pixels. `--alone` looks for stations
only, before any train is decided: four boards in the time of one. `--reliability` says of each
house how often a station stood where one was as likely as that.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import NotFound
from railspotter.scoring.board import RouteId, load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.vision.look import station_net
from railspotter.vision.look.first_look import estimate_photo_colours, in_reference_light
from railspotter.vision.look.shape_look import look_at_shape
from railspotter.vision.look.stations import StationFinder
from railspotter.vision.look.view import View
from railspotter.vision.reading.station_reading import read_stations
from railspotter.vision.readings import PieceReading
from railspotter.webui.words.translation import json_bytes

from composed.laid_train import trains_of_routes
from composed.library import SOURCES, STAGES, Library
from composed.play import sources_by_route
from composed.stage import make_stage
from composed.stations import (
    STATION_PHOTOS,
    CutStation,
    LaidStation,
    cut_stations,
    lay_stations,
    paint_stations,
    photo_viewpoint,
)
from composed.table import ComposedTable
from composed.trains import plastic_colours, to_lab

PX_PER_MM = 2.2
HOUSES = {"europe": None, "house-6": "house6_800", "house-7": "house7_12mp"}
COUNTS = ("missed", "invented", "wrong colour")
BINS = (0.0, 0.001, 0.005, 0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 1.0)


@dataclass(frozen=True, eq=False)
class HouseBoard:
    """A house's board as stations are laid onto it."""

    house: str
    found: FoundBoard
    picture: Picture  # from above, with the trains that lie in the photo
    cuts: tuple[CutStation, ...]  # in its light
    spaces: Mapping[RouteId, Sequence[str | None]]
    table: ComposedTable | None = None  # lays trains onto it; None where they are the photo's


@dataclass(frozen=True, eq=False)
class StationBoard:
    """A board with stations on it, from above, and what is true of it."""

    house_board: HouseBoard
    picture: Picture
    spaces: Mapping[RouteId, Sequence[str | None]]
    laid: tuple[LaidStation, ...]


@dataclass
class Tally:
    """The counts of what was read on one house's boards."""

    boards: int = 0
    stations: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    habits: Counter[str] = field(default_factory=Counter)
    certain: list[str] = field(default_factory=list)  # what is wrong and asked about by nobody
    # How probable a station was said to be at each place, and whether one stood there.
    predictions: list[tuple[float, bool]] = field(default_factory=list)


class StationHouses:
    """Draws boards with stations, of three houses."""

    def __init__(self, alone: bool = False) -> None:
        self._alone = alone
        self.board, self._edition = load_board("europe"), load_edition("europe")
        self._library = Library(self.board, PX_PER_MM)
        plan = ReadingPlan(self.board, self._edition, self._library.profile)
        self.scorer = PhotoScorer(plan)

    def house_board(self, house: str) -> HouseBoard:
        """Return a house's board."""
        library, name = self._library, HOUSES[house] or STAGES["europe"][0]
        found = self.scorer.find(library.picture(name))
        if isinstance(found, NotFound):
            raise SystemExit(f"{name}: {found.reason}")
        picture = library.rectified_board(name)
        spaces = library.photo(name).truth["spaces"]
        wanted = plastic_colours(to_lab(picture), PX_PER_MM, self.board, spaces) or None
        cuts = [cut for photo in STATION_PHOTOS for cut in cut_stations(library, photo, wanted)]
        table = None
        if HOUSES[house] is None:
            sources = [library.source(source) for source in SOURCES["europe"]]
            table = ComposedTable(self.board, make_stage(library, name), sources)
        return HouseBoard(house, found, picture, tuple(cuts), spaces, table)

    def compose_board(self, base: HouseBoard, rng: Generator) -> StationBoard:
        """Return a random board of a house, with stations."""
        spaces, picture, eye = dict(base.spaces), base.picture, base.found.view.viewpoint
        if base.table is not None:
            cuts = sources_by_route(self._library, SOURCES["europe"])
            candidates = [route for route in cuts if cuts[route]]
            density = rng.choice([0.3, 0.6, 0.9])
            trains = [
                train
                for route in candidates
                if rng.random() < density
                for train in trains_of_routes(cuts[route][rng.integers(len(cuts[route]))], [route])
            ]
            base.table.picture(trains)
            picture, spaces = base.table.from_above, base.table.truth(trains).truth["spaces"]
            eye = photo_viewpoint(self._library, STAGES["europe"][0])
        players = {c for row in spaces.values() for c in row if c} or set(self._edition.colours)
        laid = lay_stations(
            self.board, eye, spaces, base.cuts, sorted(players), self._edition.stations, rng
        )
        picture, _ = paint_stations(picture, PX_PER_MM, eye, laid, rng)
        return StationBoard(base, picture, spaces, tuple(laid))

    def read_and_count(self, board: StationBoard, tally: Tally) -> None:
        """Read a board and count what is right."""
        view = board.house_board.found.view
        height, width = view.rectified.shape[:2]
        above = cv2.resize(board.picture, (width, height), interpolation=cv2.INTER_AREA)
        seen = replace(view, rectified=np.asarray(above, np.uint8))
        pieces: Mapping[Spot, PieceReading]
        if self._alone:
            pieces = read_stations_alone(seen)
        else:
            pieces = self.scorer.read([replace(board.house_board.found, view=seen)]).reading.pieces
        asked = {spot for spot, piece in pieces.items() if piece.doubt is not None}
        tally.boards += 1
        tally.stations += len(board.laid)
        truth = {station.place: station for station in board.laid}
        for spot, piece in pieces.items():
            is_asked = "asked" if spot in asked else "certain"
            tally.counts[f"{spot.kind} asked"] += spot in asked
            if spot.kind == "station":
                station = truth.get(spot.id)
                there = station.colour if station else None
                sure = piece.confidence
                tally.predictions.append((sure if piece.colour else 1 - sure, station is not None))
                name = _outcome_name(piece.colour, there)
                if station is not None:
                    tally.habits[f"{station.habit} {name}"] += 1
            else:
                row = set(board.spaces.get(spot.id, ()))
                if len(row) != 1:
                    continue
                (there,) = row
                name = "right" if piece.colour == there else "wrong"
                tally.counts["routes"] += 1
            if name not in ("right", "free"):
                tally.counts[f"{spot.kind} {name} {is_asked}"] += 1
                if spot not in asked:
                    tally.certain.append(f"{spot.id}: {piece.colour}, is {there}")
            elif there is not None:
                tally.counts[f"{spot.kind} {name}"] += 1


def read_stations_alone(view: View) -> dict[Spot, PieceReading]:
    """Return whose stations stand on a board, by the photo's own colours and no train."""
    _, lit = in_reference_light(view)
    learned = estimate_photo_colours(view, look_at_shape(view, lit))
    trains = view.pieces.trains
    colours = [
        replace(train, lab=(float(lab[0]), float(lab[1]), float(lab[2])))
        for train, lab in zip(trains, learned.lab, strict=True)
    ]
    plays = zip(trains, learned.in_play, strict=True)
    size_mm = view.pieces.station_size_mm
    assert size_mm is not None
    finder = StationFinder(view, size_mm, lit, colours)
    seen = finder.look(np.zeros(lit.shape[:2], np.uint8))
    return read_stations(view, seen, {train.name: True for train, share in plays if share > 0.5})


def _outcome_name(answer: str | None, there: str | None) -> str:
    if answer == there:
        return "right" if there else "free"
    if there is None:
        return "invented"
    return "missed" if answer is None else "wrong colour"


def table_lines(tallies: Mapping[str, Tally]) -> Iterator[str]:
    """Yield what was counted as a table."""
    names = [f"{name} {how}" for name in COUNTS for how in ("asked", "certain")]
    heads = ("house", "boards", "stations", "right %", *names, "asked a board")
    yield f"| {' | '.join(heads)} | routes wrong, asked | certain | asked a board |"
    yield "|---|" + "---|" * (len(heads) + 2)
    for house, tally in tallies.items():
        counts = tally.counts
        cells = [house, tally.boards, tally.stations]
        cells += [f"{100 * counts['station right'] / max(tally.stations, 1):.1f}"]
        cells += [
            counts[f"station {name} {how}"] for name in COUNTS for how in ("asked", "certain")
        ]
        cells += [f"{counts['station asked'] / max(tally.boards, 1):.1f}"]
        cells += [counts[f"route wrong {how}"] for how in ("asked", "certain")]
        cells += [f"{counts['route asked'] / max(tally.boards, 1):.1f}"]
        yield f"| {' | '.join(map(str, cells))} |"
    for house, tally in tallies.items():
        yield f"{house}: " + ", ".join(f"{k} {n}" for k, n in sorted(tally.habits.items()))


def reliability_lines(tallies: Mapping[str, Tally]) -> Iterator[str]:
    """Yield how often stations stood where one was said to be so likely."""
    yield "| house | said to stand | places | mean said | stood |\n|---|---|---|---|---|"
    for house, tally in tallies.items():
        predicted, stood = np.array(tally.predictions, np.float64).reshape(-1, 2).T
        for low, high in pairwise(BINS):
            there = (predicted >= low) & (predicted < high)
            if there.any():
                cells = f"{there.sum()} | {predicted[there].mean():.4f} | {stood[there].mean():.4f}"
                yield f"| {house} | {low} to {high} | {cells} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Draw boards, read them, and print what was right."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--house", nargs="+", choices=tuple(HOUSES), default=list(HOUSES))
    parser.add_argument("--net", type=Path, default=station_net.NET)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--reliability", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(argv)
    station_net.NET = options.net
    houses, tallies = StationHouses(options.alone), dict[str, Tally]()
    for house in options.house:
        base, tally = houses.house_board(house), tallies.setdefault(house, Tally())
        rng = np.random.default_rng([options.seed, *map(ord, house)])
        for _ in range(-(-options.boards // len(options.house))):
            houses.read_and_count(houses.compose_board(base, rng), tally)
        print(*(f"  {house}: {line}" for line in tally.certain), sep="\n", flush=True)
    print(*table_lines(tallies), sep="\n")
    if options.reliability:
        print(*reliability_lines(tallies), sep="\n")
    if options.json:
        document = {
            house: {"counts": t.counts, "certain": t.certain} for house, t in tallies.items()
        }
        options.json.write_bytes(msgspec.json.format(json_bytes(document)) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

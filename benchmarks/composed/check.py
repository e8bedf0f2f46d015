"""Whether a composed board reads as the photo that it was composed of.

    python benchmarks/composed/check.py [--board usa] [--only GLOB] [--json]

Every occupied photo is put together again: all of its routes are laid, one by one, onto a blank
photo of the same board in the same light. The untouched photo and the composed one are read; the
share of routes that are read differently says how far composed pictures can be trusted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from itertools import accumulate
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.words.translation import json_bytes

from composed.laid import LaidTrain, whole_routes
from composed.library import Library
from composed.stage import stage_from
from composed.table import ComposedTable
from photos.judgement import Answers, judge
from photos.labelled import LabelledPhoto

# The blank photo whose print is taken; of Europe there is one only, which the reader knows.
GROUNDS = {"usa": "IMG_4172_1920", "europe": "cropped_blank"}
OTHER_COPIES = ("shoot-5",)  # of these copies there is no blank photo


@dataclass(frozen=True)
class Compared:
    """One photo, untouched and composed."""

    photo: str
    different: tuple[str, ...]  # labelled routes that are read differently in the two
    real_wrong: tuple[str, ...]  # real_wrong, composed_wrong: Routes that are read wrongly
    composed_wrong: tuple[str, ...]
    real_doubts: int
    composed_doubts: int
    routes: int  # how many are labelled


def main(argv: Sequence[str] | None = None) -> int:
    """Compose and read the photos, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="usa", choices=tuple(GROUNDS))
    parser.add_argument("--only", metavar="GLOB", default="*", help="photos of such names")
    parser.add_argument("--json", action="store_true", help="print JSON and no table")
    options = parser.parse_args(argv)
    library = Library(load_board(options.board))
    scorer = PhotoScorer(ReadingPlan(library.board, load_edition(options.board), library.profile))
    names = [name for name in occupied(library) if fnmatch(name, options.only)]
    compared = []
    for name in names:
        compared.append(compare(library, scorer, name, GROUNDS[options.board]))
        if not options.json:
            print(as_line(compared[-1]), flush=True)
        library.forget(name)
    if not compared:
        print(f"no occupied photo is called {options.only!r}", file=sys.stderr)
        return 2
    different, of = sum(len(c.different) for c in compared), sum(c.routes for c in compared)
    if options.json:
        answer = {"different": different, "of": of, "photos": [asdict(c) for c in compared]}
        print(json_bytes(answer).decode())
    else:
        print(f"Read differently: {different} of {of} routes, {different / of:.2%}")
    return 0


def occupied(library: Library) -> list[str]:
    """Return the photos with trains on them, of the copy that there is a blank photo of."""
    photos = [library.photo(name) for name in library.names]
    return [p.path.stem for p in photos if not p.is_blank and p.shoot not in OTHER_COPIES]


def compare(library: Library, scorer: PhotoScorer, name: str, ground: str) -> Compared:
    """Read a photo and the same state composed."""
    photo = library.photo(name)
    composed = compose_again(library, name, ground)
    real_answers, real = read(scorer, library.picture(name), photo)
    composed_answers, again = read(scorer, composed, photo)
    routes = photo.truth["spaces"]
    return Compared(
        name,
        tuple(r for r in routes if real.claims.get(r) != again.claims.get(r)),
        tuple(wrong.route for wrong in real_answers.wrong),
        tuple(wrong.route for wrong in composed_answers.wrong),
        real_answers.doubts,
        composed_answers.doubts,
        len(routes),
    )


def compose_again(library: Library, name: str, ground: str) -> Picture:
    """Lay all of a photo's trains onto a blank board in its light, route by route."""
    source = library.source(name)
    table = ComposedTable(library.board, stage_from(library, name, ground), [source])
    routes = sorted({train.route for train in source.trains})
    laid: list[tuple[LaidTrain, ...]] = [whole_routes(source, [route]) for route in routes]
    for trains in accumulate(laid):
        picture = table.picture(trains)
    return picture


def read(
    scorer: PhotoScorer, picture: Picture, photo: LabelledPhoto
) -> tuple[Answers, ScoredPhoto]:
    """Find and read a board, and judge the reading; a board that is not found claims nothing."""
    reading = scorer.score([(photo.path.name, np.ascontiguousarray(picture))])
    doubted = {doubt.spot.id for doubt in reading.doubts}
    return judge(photo, photo.truth["spaces"], reading.claims, doubted), reading


def as_line(compared: Compared) -> str:
    """Return one photo's line of the table."""
    return (
        f"{compared.photo:22s} {len(compared.different):3d} differ"
        f"   wrong {len(compared.real_wrong)} -> {len(compared.composed_wrong)}"
        f"   doubts {compared.real_doubts} -> {compared.composed_doubts}"
        f"   {', '.join(compared.different)}"
    )


if __name__ == "__main__":
    sys.exit(main())

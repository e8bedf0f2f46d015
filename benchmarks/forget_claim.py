"""Take right answers away, one by one, and say whether the program notices the plastic.

    python benchmarks/forget_claim.py [--net ONNX --weights JSON] [--shoots shoot-1 ...]
                                      [--references another]

Each route that is claimed rightly is taken for free, all others stay as they are: what is seen of
its trains then belongs to no answer. Told apart by how the print looks beside them: of another
colour, of a like one (as yellow trains on orange, or red on pink), of their own.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Sequence

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.pose import NotFound
from railspotter.vision.reading.cue_reader import WeighedBoard, weigh
from railspotter.vision.reading.doubts import loose_plastic, reading_of
from railspotter.vision.reading.odds import DoubtSettings

from hardships.readings import BLANKS, picture_of, sample, scorer_of
from photos import left_out

# Trains and prints of a like hue.
LIKE = {("yellow", "orange"), ("red", "pink"), ("yellow", "green"), ("red", "orange")}
KINDS = ("other", "like", "own")


def kind_of(train: str, printed: str) -> str:
    """Tell how a print looks beside trains.

    Examples
    --------
    >>> kind_of("red", "grey"), kind_of("red", "pink"), kind_of("red", "red")
    ('other', 'like', 'own')
    """
    if train == printed:
        return "own"
    return "like" if (train, printed) in LIKE else "other"


def left(weighed: WeighedBoard, claimed: Collection[str]) -> Float64s:
    """Return how much plastic is left beside each route, as shares of a train, (R,)."""
    beside = loose_plastic(weighed.view, weighed.first, claimed)
    return weighed.view.printed.per_route_max(beside)


def main(argv: Sequence[str] | None = None) -> int:
    """Forget, look, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    shoots = sorted({shoot for _, shoot in BLANKS})
    left_out.add_options(parser)
    parser.add_argument("--shoots", nargs="+", default=shoots, choices=shoots)
    parser.add_argument("--references", nargs="+", default=["another"])
    parser.add_argument("--exposures", type=int, default=1, help="of each light")
    options = parser.parse_args(argv)
    left_out.read_with(options)
    cv2.setNumThreads(1)
    enough = DoubtSettings().loose
    for reference in options.references:
        forgotten: Counter[str] = Counter()
        noticed: Counter[str] = Counter()
        needless = photos = 0
        for photo in sample(options.exposures, options.shoots):
            scorer = scorer_of(photo.board, photo.shoot, reference, "plain")
            found = scorer.find(picture_of(photo))
            if isinstance(found, NotFound):
                continue
            weighed = weigh(found.view)
            reading = reading_of(weighed.view, weighed.first, weighed.odds)
            claims, printed = reading.claims, weighed.view.printed

            photos += 1
            needless += int(np.count_nonzero(left(weighed, {*claims}) > enough))
            for r, route in enumerate(printed.board.routes):
                colour = claims.get(route.id)
                if colour is None or photo.truth["claims"].get(route.id) != colour:
                    continue
                kind = kind_of(colour, route.colour)
                forgotten[kind] += 1
                noticed[kind] += bool(left(weighed, {*claims} - {route.id})[r] > enough)
        shares = ", ".join(
            f"{kind} {noticed[kind]} of {forgotten[kind]}"
            f" ({noticed[kind] / max(forgotten[kind], 1):.3f})"
            for kind in KINDS
        )
        print(
            f"{reference}: {photos} photos; noticed: {shares}; noticed without reason: {needless}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Count train cards in drawn photos: right, wrong and unasked, and how often somebody is asked.

    python benchmarks/card_photos.py [--first 1000] [--photos 60] [--each]

Settings of the reader were chosen on photos 0 to 199; figures are of those from 1000 on.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from railspotter.calibration.arrays import Float64s
from railspotter.simulation.virtual_cards import CardPhoto, deal
from railspotter.vision.train_cards import CardReading, SeenCard, read_cards

LEAST_SHOWN = 0.45
"""A card of which less is seen is nobody's fault."""


@dataclass
class Counted:
    """How one photo's cards were read.

    Attributes
    ----------
    right, asked : int
        Cards that are right without a question; that a person is asked about, the truth among the
        answers offered.
    wrong : int
        Cards that are wrong, and nobody is asked.
    missed, invented : int
        Cards not seen at all, and outlines around no card that nobody is asked about.
    needless : int
        Questions whether something is a card that is none.
    unanswerable : int
        Questions whose right answer is not offered; the counters can still be mended.
    """

    cards: int = 0
    right: int = 0
    asked: int = 0
    wrong: int = 0
    missed: int = 0
    invented: int = 0
    needless: int = 0
    unanswerable: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)

    @property
    def is_right(self) -> bool:
        """Whether a person who answers all questions has the right counts."""
        return not (self.wrong or self.missed or self.invented or self.unanswerable)


def judged(photo: CardPhoto, reading: CardReading) -> Counted:
    """Compare what was read with what lies there."""
    counted = Counted()
    left = list(reading.cards)
    for name, corners, shown in zip(photo.cards, photo.corners_px, photo.shown, strict=True):
        seen = _at(corners, left)
        if shown < LEAST_SHOWN:
            if seen is not None:
                left.remove(seen)
            continue
        counted.cards += 1
        if seen is None:
            counted.missed += 1
            counted.mistakes[f"{name} missed"] += 1
            continue
        left.remove(seen)
        if seen.doubt is None:
            counted.right += seen.card == name
            counted.wrong += seen.card != name
            if seen.card != name:
                counted.mistakes[f"{name} as {seen.card}"] += 1
        elif name in (seen.card, *seen.alternatives):
            counted.asked += 1
        else:
            counted.unanswerable += 1
            counted.mistakes[f"{name} asked as {seen.card}"] += 1
    counted.invented = sum(None not in seen.alternatives for seen in left)
    counted.needless = len(left) - counted.invented
    return counted


def _at(corners: Float64s, cards: list[SeenCard]) -> SeenCard | None:
    """Return the card that was seen where one lies."""
    middle = corners.mean(axis=0)
    reach = 0.35 * np.hypot(*(corners[2] - corners[1]))
    off = [float(np.hypot(*(np.mean(card.outline_px, axis=0) - middle))) for card in cards]
    if not off or min(off) > reach:
        return None
    return cards[int(np.argmin(off))]


def total(all_counted: list[Counted]) -> Mapping[str, float]:
    """Return the sums, and means a photo."""
    cards = sum(one.cards for one in all_counted)
    photos = len(all_counted)
    names = ("right", "asked", "wrong", "missed", "invented", "needless", "unanswerable")
    sums = {name: sum(getattr(one, name) for one in all_counted) for name in names}
    return {
        "photos": photos,
        "cards": cards,
        **sums,
        "photos_right": sum(one.is_right for one in all_counted),
        "questions_a_photo": (sums["asked"] + sums["needless"] + sums["unanswerable"]) / photos,
    }


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--photos", type=int, default=60)
    parser.add_argument("--laying", default=None)
    parser.add_argument("--each", action="store_true", help="one line a photo")
    given = parser.parse_args()
    everything, drawing_s, reading_s = [], 0.0, 0.0
    mistakes: Counter[str] = Counter()
    for seed in range(given.first, given.first + given.photos):
        began = time.perf_counter()
        photo = deal(seed, laying=given.laying)
        drawn = time.perf_counter()
        counted = judged(photo, read_cards(photo.picture))
        drawing_s += drawn - began
        reading_s += time.perf_counter() - drawn
        everything.append(counted)
        mistakes += counted.mistakes
        if given.each:
            print(seed, counted, flush=True)
    for name, value in total(everything).items():
        print(f"{name:20} {value:.4g}")
    print(
        f"{'reading':20} {reading_s / given.photos:.2f} s, {reading_s / drawing_s:.2f} of drawing"
    )
    print("mistakes", dict(mistakes.most_common(12)))


if __name__ == "__main__":
    main()

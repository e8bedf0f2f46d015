"""Read each real photo as a live table first sees it: what is wrong, and what is in doubt.

    python benchmarks/live/photo_doubts.py [--board usa] [--only GLOB] [--shoots shoot-1 ...]
                                           [--drawn]

Two pictures of each stream of `photo_streams.py` are read whole, one second apart. A wrong answer
beside a doubt is asked about when watching begins; one without is not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.pose import NotFound
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.pieces import pieces_of_edition
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.sites import with_site_routes
from railspotter.vision.watching.looks import Look, LookRead, read

from live.photo_scenes import Truth, chosen, profile_of, stream_of
from photos.labelled import LabelledPhoto

TIMES_S = 1.0, 2.0


def readings(photo: LabelledPhoto, kind: str, width: int) -> list[LookRead]:
    """Return what the pictures of a stream say."""
    stream = stream_of(photo, kind, width, seed=1)
    profile = profile_of(photo.board, photo.shoot, kind)
    board, edition = load_board(photo.board), load_edition(photo.board)
    printed = PrintedBoard.of(with_site_routes(board), profile)
    colours = sorted(set(photo.truth["claims"].values()))
    pieces = pieces_of_edition(edition, board, profile, colours, printed)
    said = []
    for at_s in TIMES_S:
        picture = stream.picture_at(at_s)
        pose = find_board(picture, profile)
        if not isinstance(pose, NotFound):
            said.append(read(Look(picture, pose, at_s, printed, pieces)))
    return said


def main(argv: Sequence[str] | None = None) -> int:
    """Read and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", choices=("usa", "europe"))
    parser.add_argument("--only", default="*", metavar="GLOB")
    parser.add_argument("--shoots", nargs="+")
    parser.add_argument("--width", type=int, default=1280, help="of a picture, at most")
    parser.add_argument("--drawn", action="store_true", help="with the fingerprint alone")
    options = parser.parse_args(argv)
    options.kinds = ["drawn" if options.drawn else "joined"]
    doubts: list[int] = []
    wrong = unasked = 0
    for photo, kind in chosen(options):
        truth = Truth(photo)
        for look in readings(photo, kind, options.width):
            doubts.append(sum(one.doubt is not None for one in look.seen.values()))
            print(f"{photo.path.stem:26} {look.at_s:.0f} s  {doubts[-1]} doubts", flush=True)
            for spot, one in look.seen.items():
                is_ = truth.all.get(spot)
                if truth.counts(spot) and one.answer != is_:
                    wrong, unasked = wrong + 1, unasked + (one.doubt is None)
                    why = one.doubt.why if one.doubt else "NO DOUBT"
                    print(f"    {spot.id}: {one.answer}, is {is_}: {why}")
    print(f"{len(doubts)} readings: {np.median(doubts):.0f} doubts, {max(doubts)} at most")
    print(f"{wrong} spots wrong, {unasked} of them without a doubt")
    return 0


if __name__ == "__main__":
    sys.exit(main())

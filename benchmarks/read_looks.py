"""Read labelled photos as looks at a live game in which not everybody plays whose trains lie there.

    python benchmarks/read_looks.py [--photos DIR] [--only GLOB ...] [--players]

Each photo is read by the board's fingerprint, once without each colour that lies there, the others
being the players'. A route of the colour that was left out should be told as trains of no player.
With --players nobody is left out: what other boxes' trains lie there, as on `make_traced.py
--strange-colours`, is no player's.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import NotFound
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import READ_PX, load_photo, shrunk_to
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.table.pieces import pieces_of_edition
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.printed.printed_board import PrintedBoard, with_site_routes
from railspotter.vision.watching.looks import Look, LookRead, read

from photos.labelled import PHOTOS, LabelledPhoto, labelled_photos


def main(argv: Sequence[str] | None = None) -> int:
    """Read the photos and print what their routes are told as."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=Path, default=PHOTOS)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="GLOB")
    parser.add_argument("--players", action="store_true", help="leave nobody out")
    options = parser.parse_args(argv)
    total: Counter[str] = Counter()
    for photo in labelled_photos(options.photos):
        if any(fnmatch(photo.path.name, glob) for glob in options.only) and not photo.is_blank:
            for players, told in looks_at(photo, leave_out=not options.players):
                print(photo.path.name, *players, dict(told), flush=True)
                total += told
    print("all", dict(total))
    return 0 if total else 2


def looks_at(
    photo: LabelledPhoto, *, leave_out: bool
) -> Iterator[tuple[tuple[str, ...], Counter[str]]]:
    """Yield players' colours, and how often their routes and others' were told as what."""
    board, edition = load_board(photo.board), load_edition(photo.board)
    profile = stand_in_profile(board)
    if profile is None:
        raise SystemExit(f"the board {board.id!r} has no fingerprint to be read by")
    picture = load_photo(photo.path)
    found = PhotoScorer(ReadingPlan(board, edition, profile)).find(picture)
    if isinstance(found, NotFound) or found.passed:
        return
    printed = PrintedBoard.of(with_site_routes(board), profile)
    box = [train.name for train in plastic(edition.plastic)]
    there = sorted({*photo.truth["claims"].values()} & {*box})
    for left_out in there if leave_out else [""]:
        players = tuple(colour for colour in there if colour != left_out) or (box[0], box[1])
        pieces = pieces_of_edition(edition, board, profile, players, printed)
        look = Look(shrunk_to(picture, READ_PX), found.pose, 0.0, printed, pieces)
        yield players, told_as(photo, read(look), players)


def told_as(photo: LabelledPhoto, seen: LookRead, players: Collection[str]) -> Counter[str]:
    """Return how often routes of players, of others and of nobody were told as what."""
    told: Counter[str] = Counter()
    claims = photo.truth["claims"]
    for spot, reading in seen.seen.items():
        truth, strange = claims.get(spot.id), seen.strange.get(spot)
        if spot.kind != "route" or spot.id in photo.half_filled | photo.unseen:
            continue
        whose = "free" if truth is None else "a player's" if truth in players else "another's"
        if strange is not None:
            how = "right" if strange == truth else "no player's"
        elif reading.doubt is not None:
            how = "asked about"
        elif reading.answer is None:
            how = "right" if truth is None else "free"
        else:
            how = "right" if reading.answer == truth else "a player's"
        told[f"{whose}: {how}"] += 1
    return told


if __name__ == "__main__":
    sys.exit(main())

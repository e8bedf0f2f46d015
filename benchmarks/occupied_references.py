"""Take labelled photos with trains on the board for the reference, and read other photos by them.

    python benchmarks/occupied_references.py [--references GLOB ...] [--only GLOB]

Each is made into a profile as `railspotter calibrate` does, without its truth; then the others are
read with it, and for comparison with the profile of the empty board. Photos of the same exposure in
another size are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fnmatch import fnmatch

from railspotter.calibration.finding.fingerprint import find_reference
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile import Profile, route_of_key, space_keys
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.live_calibration.own_profile import profile_without_trains
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from photos.labelled import PHOTOS, REFERENCES, LabelledPhoto, load_set, reference_profile


def main(argv: Sequence[str] | None = None) -> int:
    """Print how well photos are read by each of the references."""
    options = _options(argv)
    board = load_board(options.board)
    photos = load_set(PHOTOS, board.id)
    blank = next(p for p in photos if p.path.name == REFERENCES[board.id])
    read = [p for p in photos if fnmatch(p.path.name, options.only) and p is not blank]
    empty = reference_profile(blank.path, board, blank.corners_px)
    for pattern in options.references:
        photo = next(p for p in photos if fnmatch(p.path.name, pattern))
        picture = load_photo(photo.path)
        pose = find_reference(picture, board)
        if isinstance(pose, NotFound):
            print(f"{photo.path.name}: {pose.reason}")
            continue
        plain = make_profile(picture, board, pose.corners_px, "occupied", "", pose.lens)
        profile, _ = profile_without_trains(plain, board, picture, pose.corners_px, pose.lens)
        claimed = set(photo.truth["claims"])
        missed = claimed - {route_of_key(key) for key in profile.unseen}
        print(
            f"{photo.path.name}: {len(claimed)} of {len(board.routes)} routes claimed;"
            f" {len(profile.unseen)} of {len(space_keys(board))} spaces unseen,"
            f" {len(missed)} claimed routes taken for seen",
            flush=True,
        )
        others = [p for p in read if p.exposure != photo.exposure]
        for name, one in (("by it", profile), ("as it was", plain), ("by the empty board", empty)):
            print(f"  {name}: {_read(others, one, board)}", flush=True)
    return 0


def _read(photos: Sequence[LabelledPhoto], profile: Profile, board: Board) -> str:
    scorer = PhotoScorer(ReadingPlan(board, load_edition(board.id), profile))
    routes = wrong = certain = asked = lost = 0
    for photo in photos:
        reading = scorer.score([(photo.path.name, load_photo(photo.path))])
        if not reading.found:
            lost += 1
            continue
        doubted = {doubt.spot.id for doubt in reading.doubts if doubt.spot.kind == "route"}
        for route in board.routes:
            if route.id in photo.half_filled:
                continue
            is_wrong = reading.claims.get(route.id) != photo.truth["claims"].get(route.id)
            routes += 1
            wrong += is_wrong
            certain += is_wrong and route.id not in doubted
            asked += route.id in doubted
    return (
        f"{len(photos) - lost} of {len(photos)} photos found, {wrong} of {routes} routes wrong,"
        f" {certain} without a doubt, {asked} asked"
    )


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="usa", choices=("usa", "europe"))
    parser.add_argument(
        "--references",
        nargs="+",
        metavar="GLOB",
        default=["IMG_4076_1008*", "IMG_4132_1920*", "IMG_4142_1920*", "IMG_4152_1920*"],
        help="photos to take for the reference",
    )
    parser.add_argument("--only", metavar="GLOB", default="*_1008.jpg", help="photos to read")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

"""Make a board's fingerprint from a photo of it, empty and seen straight from above.

    python benchmarks/finding/make_fingerprint.py usa RECTIFIED_PHOTO
        [--scan] [--no-print LEFT TOP RIGHT BOTTOM]

Writes calibration/finding/fingerprints/BOARD.npz: features, places and colours, as numbers. It
holds no picture. New York's is that of scan_534x750.jpg with `--scan --no-print 263 0 300 32`: the
mark at its top right is no print.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))

from fingerprints import fingerprint_bytes, make_fingerprint
from railspotter.calibration.finding.fingerprint import Fingerprint
from railspotter.calibration.profiles.reference import spread_features
from railspotter.scoring.board import Board, load_board

from hardships.renderings import to_linear, to_srgb
from photos.labelled import reference_profile

FINGERPRINTS = Path(__file__).resolve().parents[2] / "calibration" / "finding" / "fingerprints"

FEATURES = 2200  # so that the file stays below 250 kB
# Of the light, what varnish throws back whatever is printed: black ink has .02 (USA) and .035
# (Europe) of white's light in photos, .003 in New York's scan.
SHINE_SHARE = 0.025


def main() -> None:
    """Make the fingerprint and print its size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board")
    parser.add_argument("photo", type=Path)
    parser.add_argument(
        "--scan",
        action="store_true",
        help="it is the scan that the board file was measured on: routes lie where that has them,"
        " and the shine of a board in a room is missing",
    )
    parser.add_argument(
        "--no-print",
        nargs=4,
        type=float,
        metavar="MM",
        help="a part of the photo that shows something else: left, top, right, bottom",
    )
    arguments = parser.parse_args()
    board = load_board(arguments.board)
    fingerprint = fingerprint_of(
        arguments.photo, board, is_scan=arguments.scan, no_print_mm=arguments.no_print
    )
    content = fingerprint_bytes(fingerprint, board)
    (FINGERPRINTS / f"{board.id}.npz").write_bytes(content)
    print(f"{len(fingerprint.features)} features, {len(content) / 1000:.0f} kB")


def fingerprint_of(
    photo: Path, board: Board, *, is_scan: bool = False, no_print_mm: Sequence[float] | None = None
) -> Fingerprint:
    """Return the fingerprint of the print in a rectified photo."""
    profile = reference_profile(photo, board)
    features = spread_features(profile.reference, FEATURES)
    if is_scan:
        nowhere = {route.id: (0.0, 0.0) for route in board.routes}
        shining = to_srgb(SHINE_SHARE + (1 - SHINE_SHARE) * to_linear(profile.reference))
        profile = replace(profile, reference=shining, print_offsets_mm=nowhere)
    if no_print_mm is not None:
        low, high = np.reshape(no_print_mm, (2, 2))
        is_print = np.any((features.points < low) | (features.points > high), axis=1)
        features = features.where(np.asarray(is_print, bool))
        left, top, right, bottom = (round(mm * profile.px_per_mm) for mm in no_print_mm)
        hidden = np.zeros(profile.reference.shape[:2], np.uint8)
        hidden[top:bottom, left:right] = 1
        around = cv2.inpaint(profile.reference, hidden, 3.0, cv2.INPAINT_TELEA)
        profile = replace(profile, reference=np.asarray(around, np.uint8))
    return make_fingerprint(profile, board, features)


if __name__ == "__main__":
    main()

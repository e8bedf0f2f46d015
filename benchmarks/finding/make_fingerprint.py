"""Make a board's fingerprint from a photo of it, empty and seen straight from above.

    python benchmarks/finding/make_fingerprint.py usa RECTIFIED_PHOTO

Writes calibration/finding/fingerprints/BOARD.npz: features, places and colours, as numbers. It
holds no picture.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from railspotter.calibration.finding.fingerprint import (
    Fingerprint,
    fingerprint_bytes,
    make_fingerprint,
)
from railspotter.calibration.profiles.reference import spread_features
from railspotter.scoring.board import Board, load_board

from photos.labelled import reference_profile

FOLDER = Path(__file__).resolve().parents[2] / "calibration" / "finding" / "fingerprints"

FEATURES = 2200  # so that the file stays below 250 kB


def main() -> None:
    """Make the fingerprint and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board")
    parser.add_argument("photo", type=Path)
    arguments = parser.parse_args()
    board = load_board(arguments.board)
    fingerprint = fingerprint_of(arguments.photo, board)
    content = fingerprint_bytes(fingerprint, board)
    (FOLDER / f"{board.id}.npz").write_bytes(content)
    print(f"{len(fingerprint.features)} features, {len(content) / 1000:.0f} kB")


def fingerprint_of(photo: Path, board: Board) -> Fingerprint:
    """Return the fingerprint of the print in a rectified photo."""
    profile = reference_profile(photo, board)
    return make_fingerprint(profile, board, spread_features(profile.reference, FEATURES))


if __name__ == "__main__":
    main()

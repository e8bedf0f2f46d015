"""Make a board's fingerprint from a photo of it, empty and seen straight from above.

    python benchmarks/make_fingerprint.py usa RECTIFIED_PHOTO

Writes calibration/fingerprints/BOARD.npz.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from photo_set import reference_profile
from railspotter.calibration.fingerprint import fingerprint_bytes
from railspotter.scoring.board import load_board

FOLDER = Path(__file__).resolve().parent.parent / "calibration" / "fingerprints"


def main() -> None:
    """Make the fingerprint and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board")
    parser.add_argument("photo", type=Path)
    arguments = parser.parse_args()
    board = load_board(arguments.board)
    features = reference_profile(arguments.photo, board).features
    content = fingerprint_bytes(features)
    (FOLDER / f"{board.id}.npz").write_bytes(content)
    print(f"{len(features)} features, {len(content) / 1000:.0f} kB")


if __name__ == "__main__":
    main()

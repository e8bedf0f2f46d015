"""Making and writing fingerprints, which the program only reads."""

import io

import numpy as np
from railspotter.calibration.finding.fingerprint import Fingerprint
from railspotter.calibration.profiles.darkest_print import darkest_print
from railspotter.calibration.profiles.drawn_reference import measure_colours
from railspotter.calibration.profiles.features import Features
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board


def make_fingerprint(profile: Profile, board: Board, features: Features) -> Fingerprint:
    """Return the fingerprint of the print that a profile's reference shows."""
    offsets = {
        name: (round(x, 2), round(y, 2)) for name, (x, y) in profile.print_offsets_mm.items()
    }
    colours = measure_colours(profile.reference, profile.px_per_mm, board, offsets)
    darkest = darkest_print(profile.reference, profile.px_per_mm)
    return Fingerprint(features, colours, offsets, darkest)


def fingerprint_bytes(fingerprint: Fingerprint, board: Board) -> bytes:
    """Return the content of a fingerprint's file."""
    file = io.BytesIO()
    offsets = [fingerprint.print_offsets_mm[route.id] for route in board.routes]
    np.savez_compressed(
        file,
        allow_pickle=False,
        points_mm=fingerprint.features.points.astype(np.float32),
        descriptors=fingerprint.features.descriptors,
        frames=np.asarray(fingerprint.features.frames, np.float16),
        ground=fingerprint.colours.ground,
        ink_names=np.array(list(fingerprint.colours.inks)),
        inks=np.array(list(fingerprint.colours.inks.values())),
        print_offsets_mm=np.array(offsets, dtype=np.float32),
        darkest=fingerprint.darkest,
    )
    return file.getvalue()

"""Photos with the confirmed truth beside them, kept in the user's data directory.

They have the form of a labelled photo, so that `benchmarks/read_photos.py --photos` can judge how
well a later version reads them. Nothing is sent anywhere.
"""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path

import msgspec
from railspotter.scoring.bounded_file import read_bounded
from railspotter.vision.decoding import MOST_BYTES_UNPACKED

from ..errors import AnswersError, HomeError
from ..whole_file import write_whole
from .scored_photo import ScoredPhoto
from .scored_photo_text import spot_name

FOLDER = "confirmed"
MOST_NAMED = 3  # unanswered doubts that a refusal names


class ConfirmedPhotos:
    """The confirmed photos in a data directory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def keep(
        self,
        file: Path,
        size_wh: tuple[int, int],
        corners_px: tuple[tuple[float, float], ...],
        photo: ScoredPhoto,
    ) -> Path:
        """Keep a copy of a photo, and the truth beside it, in a new folder of their own."""
        check_confirmed(photo)
        truth = _truth(file.name, size_wh, corners_px, photo)
        try:
            content = read_bounded(file, MOST_BYTES_UNPACKED)
            folder = self._new_folder(photo.board.id, file.stem)
            write_whole(folder / file.name, content)
            write_whole(folder / f"{file.stem}.json", msgspec.json.format(truth) + b"\n")
        except OSError as error:
            raise HomeError(
                f"cannot keep {str(file)!r} in {self._folder}: {error.strerror}"
            ) from error
        return folder

    def _new_folder(self, board: str, stem: str) -> Path:
        """Make a folder that was not there before; whoever comes second gets another name."""
        for number in count(1):
            folder = self._folder / board / (stem if number == 1 else f"{stem}-{number}")
            try:
                folder.mkdir(parents=True)
            except FileExistsError:
                continue
            return folder
        raise AssertionError("there is always a next number")


def check_confirmed(photo: ScoredPhoto) -> None:
    """Refuse a reading that is not the whole truth; raises `AnswersError`.

    Doubts that nobody answered are left in it, or it leaves out trains.
    """
    if photo.uncounted:
        raise AnswersError(
            "not kept, because trains of other colours are on the board too: name them all with"
            " --colours"
        )
    if not photo.doubts:
        return
    names = [spot_name(photo.board, doubt.spot) for doubt in photo.doubts]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    raise AnswersError(
        "not kept, because nobody has answered the doubts about {spots}: answer them with"
        " --answers",
        spots=", ".join(names[:MOST_NAMED]) + more,
    )


def _truth(
    name: str,
    size_wh: tuple[int, int],
    corners_px: tuple[tuple[float, float], ...],
    photo: ScoredPhoto,
) -> bytes:
    claims = photo.claims
    return msgspec.json.encode(
        {
            "board": photo.board.id,
            "photo": name,
            "shoot": time.strftime("%Y-%m-%d"),
            "state": "",
            "size_px": size_wh,
            "corners_px": corners_px,
            "claims": claims,
            "spaces": {
                route.id: [claims.get(route.id)] * route.length for route in photo.board.routes
            },
            "half_filled_routes": [],
            "stray_trains": [],
            **({"stations": photo.stations} if photo.edition.stations else {}),
            **({"sites": photo.sites} if photo.edition.site_points else {}),
            "notes": "pieces confirmed by a person, corners as the program found them",
        }
    )

"""Photo files: opened, and kept with the confirmed truth beside them in the user's data directory.

What is kept has the form of a labelled photo, so that `benchmarks/read_photos.py --photos` can
judge how well a later version reads it. Nothing is sent anywhere.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path

import msgspec
from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.scoring.answer import board_of, parse_game
from railspotter.scoring.board import Board
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.game import BoardGame, edition_of, game_text
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import KINDS
from railspotter.scoring.spot_names import spot_name
from railspotter.vision.decoding import MOST_BYTES_UNPACKED

from ..errors import AnswersError, HomeError, PhotoError, TableError
from ..photo_file import load_photo
from ..whole_file import write_whole
from .scored_photo import PhotoPart, ScoredPhoto, stations_by_colour

FOLDER = "confirmed"
MOST_NAMED = 3  # unanswered doubts that a refusal names


class GameFile:
    """A game of an edition with a board, in a file; `TableError` where there is none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            game = parse_game(read_bounded(path))
            if not isinstance(game, BoardGame):
                raise TableError(f"{path}: the Card Game has no board to photograph")
            self._game = game
            self.edition: Edition = edition_of(game)
            self.board: Board = board_of(game, path.parent)
        except OSError as error:
            raise TableError(f"{path}: the file cannot be read: {error.strerror}") from error
        except ScoringError as error:
            raise TableError(f"{path}: {error}") from error

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The players' colours; none where the game does not name its players."""
        return tuple(player.colour for player in self._game.players)

    def save(self, photo: ScoredPhoto) -> None:
        """Put what a photo shows into the file and keep everything else: players, tickets.

        Its claims, its stations where the game has them, what stands on the sites whose spaces
        the board file knows, and which spaces carry the pins of an accessible board; what it does
        not show stays. Where it cannot be written (`TableError`) the old game is still there.
        """
        unseen = {kind: {s.id for s in photo.unseen if s.kind == kind} for kind in KINDS}
        kept = {r: colour for r, colour in self._game.claims.items() if r in unseen["route"]}
        game = replace(self._game, claims=dict(sorted({**kept, **photo.claims}.items())))
        if self.edition.stations:
            built = {
                place: colour
                for colour, places in game.stations.items()
                for place in places
                if place in unseen["station"]
            }
            game = replace(game, stations=stations_by_colour({**built, **photo.stations}))
        read = {site.id for site in self.board.sites if site.space is not None} - unseen["site"]
        unread = {site: colour for site, colour in game.sites.items() if site not in read}
        if self.edition.one_piece_a_route:
            game = replace(game, pins={**game.pins, **photo.pins})
        if self.board.sites:
            game = replace(game, sites=dict(sorted({**unread, **photo.sites}.items())))
        try:
            write_whole(self._path, (game_text(game) + "\n").encode())
        except OSError as error:
            raise TableError(f"{self._path}: cannot be written: {error.strerror}") from error


def open_photos(names: Iterable[str]) -> tuple[dict[str, Picture], dict[str, Sentence]]:
    """Return the pictures in files, and what is wrong with the other files, by their names."""
    pictures, unusable = {}, {}
    for name in names:
        try:
            pictures[name] = load_photo(name)
        except PhotoError as error:
            unusable[name] = error.sentence
    return pictures, unusable


def keep_photos(
    photo: ScoredPhoto, pictures: Mapping[str, Picture], folder: Path
) -> Iterator[Path]:
    """Keep each photo that shows the board, and the truth beside it; yield where.

    Raises `AnswersError` when a doubt was not answered, or trains are left out, `HomeError` when it
    cannot be written.
    """
    check_confirmed(photo)
    for part in photo.parts:
        if part.corners_px is None:
            continue
        file, (height, width) = Path(part.photo), pictures[part.photo].shape[:2]
        try:
            content = read_bounded(file, MOST_BYTES_UNPACKED)
            kept = _new_folder(folder / FOLDER / photo.board.id, file.stem)
            write_whole(kept / file.name, content)
            truth = msgspec.json.format(_truth(photo, part, (width, height)))
            write_whole(kept / f"{file.stem}.json", truth + b"\n")
        except OSError as error:
            raise HomeError(
                f"cannot keep {str(file)!r} in {folder / FOLDER}: {error.strerror}"
            ) from error
        yield kept


def check_confirmed(photo: ScoredPhoto) -> None:
    """Refuse a reading that is not the whole truth; raises `AnswersError`."""
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


def _new_folder(parent: Path, stem: str) -> Path:
    """Make a folder that was not there before; whoever comes second gets another name."""
    for number in count(1):
        folder = parent / (stem if number == 1 else f"{stem}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise AssertionError("there is always a next number")


def _truth(photo: ScoredPhoto, part: PhotoPart, size_wh: tuple[int, int]) -> bytes:
    claims = photo.claims
    return msgspec.json.encode(
        {
            "board": photo.board.id,
            "photo": Path(part.photo).name,
            "shoot": time.strftime("%Y-%m-%d"),
            "state": "",
            "size_px": size_wh,
            "corners_px": part.corners_px,
            "claims": claims,
            "spaces": {
                route.id: [claims.get(route.id)] * route.length
                for route in photo.board.routes
                if route.id not in part.unseen
            },
            "unseen": sorted(part.unseen),
            "half_filled_routes": [],
            "stray_trains": [],
            **({"stations": photo.stations} if photo.edition.stations else {}),
            **({"sites": photo.sites} if photo.edition.site_points else {}),
            "notes": "pieces confirmed by a person, corners as the program found them",
        }
    )

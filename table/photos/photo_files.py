"""Loading photo files, and storing confirmed photos with their labels in the data directory.

They have the format of labelled photos, so that `benchmarks/read_photos.py --photos` can evaluate
later versions with them. Nothing is sent anywhere.
"""

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
from railspotter.scoring.position import stations_by_colour
from railspotter.scoring.sentence import Sentence, raised_as
from railspotter.scoring.spot import KINDS
from railspotter.scoring.spot_names import spot_name
from railspotter.vision.decoding import MOST_BYTES_UNPACKED

from ..errors import AnswersError, HomeError, PhotoError, TableError
from ..photo_file import load_photo
from ..whole_file import write_whole
from .scored_photo import PhotoPart, ScoredPhoto

FOLDER = "confirmed"
MOST_NAMED = 3  # unanswered doubts that an error message names


class GameFile:
    """A board game's text file; raises `TableError` for another or a damaged file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with raised_as(TableError, OSError, "{path}: the file cannot be read: {error}", path=path):
            content = read_bounded(path)
        with raised_as(TableError, ScoringError, "{path}: {error}", path=path):
            game = parse_game(content)
            if not isinstance(game, BoardGame):
                raise TableError(f"{path}: the Card Game has no board to photograph")
            self._game = game
            self.edition: Edition = edition_of(game)
            self.board: Board = board_of(game, path.parent)

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The players' colours; empty if the game names no players."""
        return tuple(player.colour for player in self._game.players)

    def save(self, photo: ScoredPhoto) -> None:
        """Replace the file's claims, stations, sites and pins by those that a photo shows.

        Everything else stays, as do spots that the photo does not show. What it leaves open is
        noted as `unsure`. Raises `TableError` when it cannot be written; the file is then
        unchanged.
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
        game = replace(game, unsure=self._left_open(photo))
        with raised_as(TableError, OSError, "{path}: cannot be written: {error}", path=self._path):
            write_whole(self._path, (game_text(game) + "\n").encode())

    def _left_open(self, photo: ScoredPhoto) -> tuple[str, ...]:
        """Return what the photo doubts, and what neither it nor the game as it was tells."""
        game, doubted = self._game, {doubt.spot.id for doubt in photo.doubts}
        built = {place for places in game.stations.values() for place in places}
        held = {*game.claims, *game.sites, *built}
        # An earlier photo that left something open has told all else.
        unseen = {
            spot.id
            for spot in photo.unseen
            if (spot.id in game.unsure if game.unsure else spot.id not in held)
        }
        return tuple(sorted(doubted | unseen))


def open_photos(
    names: Iterable[str], *, as_stored: bool = True
) -> tuple[dict[str, Picture], dict[str, Sentence]]:
    """Load photo files; return the pictures, and the errors of the other files, by name."""
    pictures, unusable = {}, {}
    for name in names:
        try:
            pictures[name] = load_photo(name, as_stored=as_stored)
        except PhotoError as error:
            unusable[name] = error.sentence
    return pictures, unusable


def keep_photos(
    photo: ScoredPhoto, pictures: Mapping[str, Picture], folder: Path
) -> Iterator[Path]:
    """Store each photo that shows the board with its labels; yield the folders.

    Raises `AnswersError` when a doubt is unanswered or trains are not counted, `HomeError` when it
    cannot be written.
    """
    check_confirmed(photo)
    for part in photo.parts:
        if part.corners_px is None:
            continue
        file, (height, width) = Path(part.photo), pictures[part.photo].shape[:2]
        into = folder / FOLDER
        said = "cannot keep {path!r} in {folder}: {error}"
        with raised_as(HomeError, OSError, said, path=str(file), folder=into):
            content = read_bounded(file, MOST_BYTES_UNPACKED)
            kept = _new_folder(into / photo.board.id, file.stem)
            write_whole(kept / file.name, content)
            truth = msgspec.json.format(_truth(photo, part, (width, height)))
            write_whole(kept / f"{file.stem}.json", truth + b"\n")
        yield kept


def check_confirmed(photo: ScoredPhoto) -> None:
    """Raise `AnswersError` for a reading with open doubts or uncounted trains."""
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
    """Create a new folder, with a number in its name if needed."""
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

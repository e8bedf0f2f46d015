"""Photos of one board, usually one, sometimes several: opened, read and scored as one."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import NotFound
from railspotter.scoring.sentence import NOTHING, Sentence

from ..errors import PhotoError
from ..home import home
from ..photo_file import load_photo
from .answers import Answers
from .confirmed_photos import ConfirmedPhotos, check_confirmed
from .photo_score import FoundBoard, PhotoScorer, with_notes
from .scored_photo import PhotoPart, ScoredPhoto
from .scored_photo_text import spot_name
from .uncounted_trains import read_for

# Routes and stations on which photos of one board may surely disagree: of 40 pairs in different
# light at most 3 routes were; a claim or two made between the photos is no reason to read neither.
MOST_DISAGREED = 5


def score_together(
    scorer: PhotoScorer,
    photos: Iterable[tuple[str, Picture]],
    *,
    answers: Answers | None = None,
) -> ScoredPhoto:
    """Find, read and score one board in one or several photos of it.

    A photo in which the board is not found is left out, and its part of the result says why.

    Parameters
    ----------
    photos : iterable of (str, (H, W, 3) uint8 array, BGR)
        What the user calls each, and the picture; one at least. An iterator that decodes each when
        it is asked for has one of them in memory at a time.
    answers : mapping of route id to (colour or None), optional
        What people say stands there.
    """
    started = time.perf_counter()
    found = [(name, scorer.find(picture)) for name, picture in photos]
    called = found[0][0]
    boards = [(name, board) for name, board in found if isinstance(board, FoundBoard)]
    if not boards:
        parts = tuple(_parts(found, ()))
        lost = scorer.unreadable(called, parts[0].reason or NOTHING)
        return replace(lost, parts=parts, seconds=time.perf_counter() - started)
    shown = [name for name, _ in boards]
    together, uncounted = read_for(scorer, [board for _, board in boards])
    if len(together.disagreed) > MOST_DISAGREED:
        example = together.disagreed[0]
        where = spot_name(scorer.board, example.spot)
        return scorer.unreadable(
            called,
            Sentence(
                "{names} show different pieces, at {n} spots such as {spot}: only photos of one"
                " board at one time are read together",
                names=" and ".join(shown),
                n=len(together.disagreed),
                spot=where,
            ),
            time.perf_counter() - started,
        )
    photo = scorer.count(boards[0][1], together.reading, called, answers)
    photo = with_notes(photo, scorer.passing_notes([board for _, board in boards]))
    return replace(
        photo,
        uncounted=uncounted,
        seconds=time.perf_counter() - started,
        parts=tuple(_parts(found, together.counts)),
    )


def _parts(
    found: Sequence[tuple[str, FoundBoard | NotFound]], counts: Sequence[float]
) -> Iterator[PhotoPart]:
    """Yield each photo's part; `counts` are those of the photos that show the board."""
    left = iter(counts)
    for name, board in found:
        if isinstance(board, NotFound):
            yield PhotoPart(name, board.reason, None, 0.0)
        else:
            yield PhotoPart(name, None, board.corners, next(left))


@dataclass(frozen=True, eq=False)
class Sitting:
    """Photo files of one board, opened."""

    # mapping of str to (H, W, 3) uint8, BGR: by the files' names, in the order they were given.
    pictures: Mapping[str, Picture]
    unusable: Mapping[str, Sentence]  # the other files, and what is wrong with each

    @classmethod
    def of(cls, names: Sequence[str]) -> Sitting:
        """Open photo files; one that cannot be used is left out, with the reason."""
        pictures, unusable = {}, {}
        for name in names:
            try:
                pictures[name] = load_photo(name)
            except PhotoError as error:
                unusable[name] = error.sentence
        return cls(pictures, unusable)

    def score(self, scorer: PhotoScorer, answers: Answers) -> ScoredPhoto:
        """Read and score the board in the photos that can be used."""
        if not self.pictures:
            name, reason = next(iter(self.unusable.items()))
            return scorer.unreadable(name, reason)
        photos = list(self.pictures.items())
        return score_together(scorer, photos, answers=answers)

    def complaints(self, photo: ScoredPhoto) -> Iterator[str]:
        """Yield a sentence for each photo that tells nothing of the board."""
        lost = {part.photo: part.reason for part in photo.parts if part.reason is not None}
        said = {**self.unusable, **lost}
        yield from (f"{name}: {reason}" for name, reason in said.items())
        if photo.reason is not None and photo.reason not in said.values():
            yield photo.reason

    def keep(self, photo: ScoredPhoto) -> Iterator[Path]:
        """Keep each photo that shows the board, with the confirmed truth; yield where.

        Raises
        ------
        AnswersError
            When a doubt was not answered.
        HomeError
            When it cannot be written.
        """
        check_confirmed(photo)
        kept = ConfirmedPhotos(home())
        for part in photo.parts:
            if part.corners_px is not None:
                height, width = self.pictures[part.photo].shape[:2]
                yield kept.keep(Path(part.photo), (width, height), part.corners_px, photo)

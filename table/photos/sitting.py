"""The photo files that are read as one board: usually one, sometimes several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from railspotter.calibration.arrays import Picture
from railspotter.scoring import RouteId

from ..errors import PhotoError
from ..home import home
from ..photo_file import load_photo
from .answers import Answers
from .confirmed_photos import ConfirmedPhotos, check_confirmed
from .photo_score import PhotoScorer
from .same_board import score_together
from .scored_photo import ScoredPhoto


@dataclass(frozen=True, eq=False)
class Sitting:
    """Photo files of one board, opened.

    Attributes
    ----------
    pictures : mapping of str to (H, W, 3) uint8 array, BGR
        By the files' names, in the order they were given.
    unusable : mapping of str to str
        The other files, and what is wrong with each.
    """

    pictures: Mapping[str, Picture]
    unusable: Mapping[str, str]

    @classmethod
    def of(cls, names: Sequence[str]) -> Sitting:
        """Open photo files; one that cannot be used is left out, with the reason."""
        pictures, unusable = {}, {}
        for name in names:
            try:
                pictures[name] = load_photo(name)
            except PhotoError as error:
                unusable[name] = str(error)
        return cls(pictures, unusable)

    def score(
        self, scorer: PhotoScorer, answers: Answers, explained: Sequence[RouteId]
    ) -> ScoredPhoto:
        """Read and score the board in the photos that can be used."""
        if not self.pictures:
            name, reason = next(iter(self.unusable.items()))
            return scorer.unreadable(name, reason)
        photos = list(self.pictures.items())
        return score_together(scorer, photos, answers=answers, explained=explained)

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

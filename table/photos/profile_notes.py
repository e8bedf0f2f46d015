"""Notes and errors about photos that were not read with the user's own profile."""

from __future__ import annotations

from collections.abc import Sequence

from railspotter.calibration.pose import Grounds, NotFound
from railspotter.scoring.sentence import Sentence, together

OTHER_COPY_NOTE = Sentence(
    "the photo of the empty board in the profile {name!r} does not fit this board, perhaps"
    " another copy of it: read by the print that comes with the program, with more questions;"
    " 'railspotter calibrate --profile FRIEND' with a photo of this board, empty, makes a profile"
    " of it"
)
PASSED_NOTE = Sentence(
    "the board was not found with the profile {name!r}, but by the print that comes with the"
    " program, with more questions; by the profile: {error}"
)
OTHER_PRINT_NOTE = Sentence(
    "the board's print is none that is known: it was found by where its routes run, and is read by"
    " what its free routes show; 'railspotter calibrate' with a photo of it, empty, makes it surer"
)
CORNERS_HELP = Sentence(
    "another print of the map is read where its routes are seen to run, or where you say its"
    " corners are ('--corners', or on the page)"
)


def why_not_found(lost: NotFound) -> Sentence:
    """Return why a board was not found, with advice if it may have other artwork."""
    return together((lost.reason, CORNERS_HELP)) if lost.grounds <= Grounds.PRINT else lost.reason


def notes_on_unused(profile: str | None, passed: Sequence[NotFound | None]) -> tuple[Sentence, ...]:
    """Return the notes on photos for which the profile was not used.

    `passed` is, for each photo, why the profile did not find the board; None if it did.
    """
    is_this_copy = None in passed
    return tuple(
        dict.fromkeys(
            OTHER_COPY_NOTE.filled(name=profile)
            if lost.grounds <= Grounds.PRINT and not is_this_copy
            else PASSED_NOTE.filled(name=profile, error=lost.reason)
            for lost in passed
            if lost is not None
        )
    )

"""What a watcher says, as facts for the log, each with a picture that proves it."""

from __future__ import annotations

from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.changes import Appeared, Vanished

from ..game_log.board_facts import Placed, TakenBack
from ..game_log.facts import Fact
from ..photo_file import to_jpeg

NOT_SEEN = "it was seen free"


def change_fact(change: Appeared | Vanished) -> Fact:
    """Return the fact that a change is.

    Examples
    --------
    >>> change = Appeared(Spot("route", "a--b"), 9.0, 1.0, (0, 0, 1, 1), "red", 0.99)
    >>> fact = change_fact(change)
    >>> fact.kind, fact.colour, fact.by
    ('route_claimed', 'red', 'camera')
    """
    if isinstance(change, Vanished):
        return TakenBack.on(
            change.spot, by="camera", why=NOT_SEEN, seen_to_change=change.seen_to_change
        )
    return Placed.on(
        change.spot,
        colour=change.colour,
        by="camera",
        sure=change.sure,
        seen_to_change=change.seen_to_change,
    )


def read_fact(
    spot: Spot, colour: Colour | None, sure: float, *, seen_to_change: bool = False
) -> Fact:
    """Return the fact that the camera reads a spot so; that it changed, it did not see itself."""
    if colour is None:
        return TakenBack.on(spot, by="camera", why=NOT_SEEN, seen_to_change=seen_to_change)
    return Placed.on(spot, colour=colour, by="camera", sure=sure, seen_to_change=seen_to_change)


MARGIN = 0.25  # the share of a spot's size that is shown on each side of it
LEAST_PX = 96
QUALITY = 80


def proof_of(frame: Frame, box_px: tuple[int, int, int, int]) -> bytes:
    """Return a picture of a spot and what is around it, the content of a JPEG file."""
    height, width = frame.picture.shape[:2]
    left, top, right, bottom = box_px
    across = max(MARGIN * (right - left), (LEAST_PX - (right - left)) / 2)
    down = max(MARGIN * (bottom - top), (LEAST_PX - (bottom - top)) / 2)
    rows = slice(max(int(top - down), 0), min(int(bottom + down), height))
    columns = slice(max(int(left - across), 0), min(int(right + across), width))
    part = frame.picture[rows, columns]
    return to_jpeg(part, QUALITY) if part.size else b""

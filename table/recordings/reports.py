"""Reports: pictures of a spot that somebody keeps, with what was said of it and what is true.

They are in the data directory until somebody deletes them or their game, and are sent nowhere.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import msgspec
from railspotter.scoring.sentence import StatedError, raised_as
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import spot_name
from railspotter.vision.readings import Doubt

from ..errors import HomeError, NotKeptError
from ..game_log.board_facts import Placed, TakenBack
from ..game_log.game_store import REPORTS
from ..game_log.log import GameLog
from ..live_table.claim_films import Film
from ..whole_file import KeptFolder

ID = re.compile(r"[0-9a-f]{32}-[0-9]{1,9}")  # a game's, and the number of one of its events
MOST_REPORTS, MOST_BYTES = 200, 32 * 2**20


class ReportHead(msgspec.Struct, frozen=True, kw_only=True):
    """A report without its pictures."""

    id: str
    at_s: float
    edition: str
    program: str  # its version
    spot: str
    name: str  # of the spot
    said: str | None  # the colour that the camera saw; None for free
    sure: float  # 0 where people were asked
    why: str  # why they were asked
    is_misread: bool
    true: str | None  # of a misread, the colour that lies there; None for free


class Report(ReportHead, frozen=True, kw_only=True):
    """What is kept of a spot at one moment."""

    film: Film


def report_of(
    log: GameLog, number: int, spot: Spot, film: Film, doubt: Doubt | None, *, is_misread: bool
) -> Report:
    """Return a report about an event; `doubt` is what people were asked, if they were."""
    table = log.state.table
    facts = (one.fact for one in reversed(log.state.events) if spot in one.fact.spots)
    told = (one for one in facts if isinstance(one, Placed | TakenBack) and one.by == "camera")
    last = next(told, None)
    seen = last if isinstance(last, Placed) else None
    return Report(
        id=f"{log.id}-{number}",
        at_s=log.state.event(number).at_s,
        edition=table.edition.id,
        program=metadata.version("railspotter"),
        spot=spot.key,
        name=spot_name(table.board, spot),
        said=doubt.said if doubt else seen.colour if seen else None,
        sure=seen.sure if seen and not doubt else 0.0,
        why=doubt.why[:] if doubt else "",  # as plain text
        is_misread=is_misread,
        true=table.held.get(spot) if is_misread else None,
        film=film,
    )


def _decode(content: bytes) -> ReportHead:
    with raised_as(HomeError, (msgspec.DecodeError, UnicodeDecodeError, RecursionError)):
        return msgspec.json.decode(content, type=ReportHead)


class ReportStore(KeptFolder[ReportHead]):
    """The reports in a data directory; loaded without their pictures."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / REPORTS,
            ID.fullmatch,
            _decode,
            msgspec.json.encode,
            lambda name: NotKeptError("there is no report {name!r}", name=name),
            is_private=True,
        )

    def heads(self) -> Iterator[ReportHead]:
        """Yield all reports that can be read."""
        for name in self.names():
            with suppress(StatedError):
                yield self.load(name)

    def keep(self, report: Report) -> None:
        """Save a report; raises `HomeError` if there are too many."""
        names = self.names()
        size = sum(self.path(one).stat().st_size for one in names)
        if report.id not in names and (len(names) >= MOST_REPORTS or size >= MOST_BYTES):
            raise HomeError("there is no room for more reports: the host can delete old ones")
        self.write(report.id, report)

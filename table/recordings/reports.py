"""Reports: pictures of a spot that somebody keeps, with what was said of it and what is true.

They are in the data directory until somebody deletes them or their game, and are sent nowhere.
"""

import re
from importlib import metadata
from pathlib import Path

import msgspec
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import spot_name
from railspotter.vision.readings import Doubt

from ..errors import HomeError, NotKeptError
from ..game_log.board_facts import Placed, TakenBack
from ..game_log.game_state import GameState
from ..game_log.game_store import REPORTS
from ..live_table.claim_films import Film
from ..whole_file import KeptFolder

ID = re.compile(r"[0-9a-f]{32}-[0-9]{1,9}")  # a game's, and the number of one of its events
MOST_REPORTS, MOST_BYTES = 200, 32 * 2**20


class Report(msgspec.Struct, frozen=True):
    """What is kept of a spot at one moment."""

    at_s: float
    edition: str
    program: str  # its version
    spot: str
    name: str  # of the spot
    film: Film
    said: str | None = None  # the colour that the camera saw; None for free
    sure: float = 0.0
    why: str = ""  # why it was in doubt
    is_misread: bool = False
    true: str | None = None  # of a misread, the colour that lies there; None for free


def report_of(
    game: GameState, spot: Spot, film: Film, doubt: Doubt | None, *, is_misread: bool
) -> Report:
    """Return a report of a spot as it is now; `doubt` is what people were asked, if they were."""
    table, held = game.table, game.table.spots.get(spot)
    seen = next(
        (
            event.fact
            for event in reversed(game.events)
            if isinstance(event.fact, Placed | TakenBack)
            and (event.fact.by, event.fact.spot) == ("camera", spot)
        ),
        None,
    )
    said, sure = (seen.colour, seen.sure) if isinstance(seen, Placed) else (None, 0.0)
    return Report(
        held.at_s if held else game.events[-1].at_s,
        table.edition.id,
        metadata.version("railspotter"),
        spot.key,
        spot_name(table.board, spot),
        film,
        said=doubt.said if doubt else said,
        sure=0.0 if doubt else sure,
        why=str(doubt.why) if doubt else "",
        is_misread=is_misread,
        true=held.colour if held and is_misread else None,
    )


def _missing(name: str) -> NotKeptError:
    return NotKeptError(Sentence("there is no report {name!r}", name=name))


def _decode(content: bytes) -> Report:
    try:
        return msgspec.json.decode(content, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HomeError("it is not as the program wrote it") from error


class ReportStore(KeptFolder[Report]):
    """The reports in a data directory."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / REPORTS, ID.fullmatch, _decode, msgspec.json.encode, _missing, is_private=True
        )

    def keep(self, game: str, number: int, report: Report) -> str:
        """Save a report about an event, and return its id; raises `HomeError` if there are many."""
        name, names = f"{game}-{number}", self.names()
        size = sum(self.path(one).stat().st_size for one in names)
        if name not in names and (len(names) >= MOST_REPORTS or size >= MOST_BYTES):
            raise HomeError("there is no room for more reports: the host can delete old ones")
        self.write(name, report)
        return name

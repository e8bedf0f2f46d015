"""Summaries of past games for their list, computed from the log and cached in a file beside it.

A malicious game file may crash or hang the program. So the cache counts readings that were begun
and did not end.
"""

import os
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Literal

import msgspec
from railspotter.scoring.edition import load_edition
from railspotter.scoring.points.final_score import score_of

from ..game_log.database import SIDE_FILE_SUFFIXES
from ..game_log.game_state import GameState
from ..game_log.game_store import ID, SUFFIX, SUMMARY
from ..game_log.log import is_lost
from ..game_log.public_log import public_events

# Why there is no summary: the file is unreadable, its content cannot be scored, or the program
# crashed each time that it was read.
Problem = Literal["file", "content", "ended"]

# Sizes and modification times of a game's files: the cache key.
Stamp = tuple[int, ...]


class Result(msgspec.Struct, frozen=True):
    """A player's result."""

    seat: str
    name: str
    key: str  # identifies the person in other games; empty without a name
    colour: str
    points: int  # without unrevealed tickets
    longest_path: int  # spaces; a lower bound if `longest_path_at_most` is more
    claims: int  # the number of routes
    is_winner: bool = False
    longest_path_at_most: int = 0

    @property
    def is_path_exact(self) -> bool:
        """Whether the longest path's length is exact."""
        return self.longest_path >= self.longest_path_at_most


class Summary(msgspec.Struct, frozen=True):
    """One game in the list; contains nothing secret."""

    id: str
    name: str = ""
    edition: str = ""
    title: str = ""
    began_at_s: float = 0.0  # in seconds since 1970-01-01 UTC
    ended: bool = False
    players: tuple[Result, ...] = ()  # winners first, then by points
    is_damaged: bool = False  # there is no summary, and no other field is set
    problem: Problem | None = None  # why not
    lost_events: int = 0  # how many `EventLost` there are
    # The time of the last public event. The last write is secret: it may be a taken ticket.
    played_at_s: float = 0.0
    packed_away: bool = False  # whether its board is packed away, and not rebuilt yet


class KeptSummary(msgspec.Struct, frozen=True):
    """The cached summary of a game's file."""

    stamp: Stamp
    summary: Summary | None  # while the file is read, the previous one
    tries: int = 0  # readings that were begun and did not end
    made_by: str = ""  # the program's version: another one may score differently

    def is_of(self, stamp: Stamp) -> bool:
        """Tell whether the summary is complete and up to date."""
        return self.stamp == stamp and not self.tries


def person_key(name: str) -> str:
    """Normalise a name's case and spaces, to identify a person.

    Examples
    --------
    >>> person_key(" Ann  Lee") == person_key("ann lee")
    True
    """
    return " ".join(name.casefold().split())


def make_summary(id: str, game: GameState) -> Summary:
    """Compute a game's summary."""
    table = game.table
    edition = load_edition(table.started.edition)
    score = score_of(table.position)
    results = [
        Result(
            player.seat,
            player.name,
            person_key(player.name) if person_key(player.name) != player.colour else "",
            player.colour,
            one.total,
            one.longest_path.at_least,
            sum(colour == player.colour for colour in table.claims.values()),
            table.ended and player.colour in score.winners,
            one.longest_path.at_most,
        )
        for player, one in zip(table.players, score.players, strict=True)
    ]
    results.sort(key=lambda one: (not one.is_winner, -one.points))
    return Summary(
        id,
        table.name,
        edition.id,
        edition.title,
        game.events[0].at_s,
        table.ended,
        tuple(results),
        lost_events=sum(map(is_lost, game.events)),
        played_at_s=max(event.at_s for event in public_events(game)),
        packed_away=table.packed_away and not table.ended,
    )


def load_summary(path: Path) -> KeptSummary | None:
    """Load a game's cached summary; None if there is none of this program's version."""
    try:
        content = path.with_suffix(SUMMARY).read_bytes()
        kept = msgspec.json.decode(content, type=KeptSummary)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return kept if kept.made_by == _version() else None


def save_summary(path: Path, kept: KeptSummary) -> None:
    """Cache a game's summary; errors are ignored, and it is not synced to the disk."""
    file = path.with_suffix(SUMMARY)
    content = msgspec.json.encode(msgspec.structs.replace(kept, made_by=_version()))
    with suppress(OSError):
        with open(file, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as writing:
            writing.write(content)
        if not path.exists():  # the game was deleted meanwhile
            file.unlink()


def stamps(folder: Path) -> dict[str, Stamp]:
    """Return the stamps of all games in a folder, by id."""
    files: dict[str, os.DirEntry[str]] = {}
    with suppress(OSError), os.scandir(folder) as entries:
        files = {entry.name: entry for entry in entries}
    found = {}
    for name, file in files.items():
        game = name.removesuffix(SUFFIX)
        if name != game and ID.fullmatch(game) and (stamp := _stamp(file)):
            beside = files.get(name + SIDE_FILE_SUFFIXES[0])
            found[game] = stamp if beside is None else stamp + _stamp(beside)
    return found


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of one game, as in `stamps`; empty for a missing file."""
    return _stamp(path) + _stamp(path.with_name(path.name + SIDE_FILE_SUFFIXES[0]))


def changed_at_s(stamp: Stamp) -> float:
    """Return the modification time in a stamp."""
    return max(stamp[1::2]) / 1e9


def _stamp(file: Path | os.DirEntry[str]) -> Stamp:
    # The newest events may still be in the write-ahead log, which may be missing.
    with suppress(OSError):
        status = file.stat()
        return (status.st_size, status.st_mtime_ns)
    return ()


@cache
def _version() -> str:
    return metadata.version("railspotter")

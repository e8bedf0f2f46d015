"""What the list of past games shows of each: made of its log once, and kept in a file beside it.

Reading a file may end the program, or never be done: it may be made up. So the file of the summary
says how often a reading was begun that did not end.
"""

from __future__ import annotations

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

# Why a game cannot be summed up: its file cannot be read, what it holds cannot be scored, or the
# program ended each time that it was read.
Problem = Literal["file", "content", "ended"]

# Sizes and times of change of a game's files. Another stamp, another content.
Stamp = tuple[int, ...]


class Result(msgspec.Struct, frozen=True):
    """How one player stands."""

    seat: str
    name: str
    key: str  # by what the same person is known in another game; empty for who has no name
    colour: str
    points: int  # without tickets that are not shown
    longest_path: int  # its spaces; where `longest_path_at_most` is more, both are bounds
    claims: int  # how many routes
    is_winner: bool = False
    longest_path_at_most: int = 0

    @property
    def is_path_exact(self) -> bool:
        """Whether the longest path's length is known."""
        return self.longest_path >= self.longest_path_at_most


class Summary(msgspec.Struct, frozen=True):
    """One game in the list; nothing secret is in it."""

    id: str
    name: str = ""
    edition: str = ""
    title: str = ""
    began_at_s: float = 0.0  # in seconds since 1970-01-01 UTC
    ended: bool = False
    players: tuple[Result, ...] = ()  # winners first, then by points
    is_damaged: bool = False  # it cannot be summed up; nothing else is known of it then
    problem: Problem | None = None  # why it cannot
    lost_events: int = 0  # in how many places damage has taken events from it
    # When the last thing happened that everyone may see. When the game was last written to is
    # nobody's business: somebody may have taken a ticket then.
    played_at_s: float = 0.0
    packed_away: bool = False  # whether its board was put away, and is not laid out again yet


class KeptSummary(msgspec.Struct, frozen=True):
    """What is known of a game's file, as of its stamp."""

    stamp: Stamp
    summary: Summary | None  # while the file is read, the one before
    tries: int = 0  # how often reading it was begun and not ended
    made_by: str = ""  # the program's version: another one may score otherwise

    def is_of(self, stamp: Stamp) -> bool:
        """Tell whether the summary is that of the file with this stamp."""
        return self.stamp == stamp and not self.tries


def key_of(name: str) -> str:
    """Return by what a name is compared: people write their own now so, now so.

    Examples
    --------
    >>> key_of(" Ann  Lee") == key_of("ann lee")
    True
    """
    return " ".join(name.casefold().split())


def make_summary(id: str, game: GameState) -> Summary:
    """Score a game for the list."""
    table = game.table
    edition = load_edition(table.started.edition)
    score = score_of(table.position)
    results = [
        Result(
            player.seat,
            player.name,
            key_of(player.name) if key_of(player.name) != player.colour else "",
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


def kept_summary(path: Path) -> KeptSummary | None:
    """Return what is kept of a game's file; None where there is nothing, or another program's."""
    try:
        content = path.with_suffix(SUMMARY).read_bytes()
        kept = msgspec.json.decode(content, type=KeptSummary)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return kept if kept.made_by == _version() else None


def keep_summary(path: Path, kept: KeptSummary) -> None:
    """Keep what is known of a game's file; where that fails it is read again.

    It is not forced to the disk: what a power cut damages is made anew.
    """
    file = path.with_suffix(SUMMARY)
    content = msgspec.json.encode(msgspec.structs.replace(kept, made_by=_version()))
    with suppress(OSError):
        with open(file, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as writing:
            writing.write(content)
        if not path.exists():  # deleted meanwhile, with all that is beside it
            file.unlink()


def stamps(folder: Path) -> dict[str, Stamp]:
    """Return the stamps of all games' files in a folder, by the games' ids."""
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
    """Return the stamp of one game's file, as `stamps` has it; empty where there is none."""
    return _stamp(path) + _stamp(path.with_name(path.name + SIDE_FILE_SUFFIXES[0]))


def changed_at_s(stamp: Stamp) -> float:
    """Return when a file last changed, by its stamp."""
    return max(stamp[1::2]) / 1e9


def _stamp(file: Path | os.DirEntry[str]) -> Stamp:
    # Of a game the newest events may still lie in the file beside, which comes and goes.
    with suppress(OSError):
        status = file.stat()
        return (status.st_size, status.st_mtime_ns)
    return ()


@cache
def _version() -> str:
    return metadata.version("railspotter")

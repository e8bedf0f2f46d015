"""What the list of past games shows of each: made of its log once, and kept in one file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Literal

import msgspec
from railspotter.scoring.edition import load_edition
from railspotter.scoring.points.final_score import score_of

from ..game_log.game_state import GameState
from ..game_log.log import is_lost
from ..game_log.public_log import public_events
from ..whole_file import write_whole

FORMAT = 3
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


class IndexedSummary(msgspec.Struct, frozen=True):
    """A summary, and the stamp of the file that it was made of."""

    stamp: Stamp
    summary: Summary


class _Index(msgspec.Struct, frozen=True):
    format: int
    made_by: str
    games: dict[str, IndexedSummary]


def key_of(name: str) -> str:
    """Return by what a name is compared: people write their own now so, now so.

    Examples
    --------
    >>> key_of(" Ann  Lee") == key_of("ann lee")
    True
    """
    return " ".join(name.casefold().split())


def summary_of(id: str, game: GameState) -> Summary:
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


def read_index(path: Path) -> dict[str, IndexedSummary]:
    """Return the kept summaries; none where the file is missing, damaged or another program's."""
    try:
        index = msgspec.json.decode(path.read_bytes(), type=_Index)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    return index.games if (index.format, index.made_by) == (FORMAT, _made_by()) else {}


def write_index(path: Path, games: Mapping[str, IndexedSummary]) -> None:
    """Keep summaries for the next start; where that fails they are made anew then."""
    index = _Index(FORMAT, _made_by(), dict(games))
    with contextlib.suppress(OSError):
        write_whole(path, msgspec.json.encode(index), is_private=True)


def stamps(folder: Path, suffix: str, beside: str) -> dict[str, Stamp]:
    """Return the stamp of every file of a folder that ends so, by the rest of its name.

    Parameters
    ----------
    beside : str
        What is added to the name of a second file, where the newest events may still lie.
    """
    found: dict[str, Stamp] = {}
    second: dict[str, Stamp] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                with contextlib.suppress(OSError):  # deleted just now
                    if name.endswith(suffix):
                        found[name.removesuffix(suffix)] = _stamp(entry)
                    elif name.endswith(suffix + beside):
                        second[name.removesuffix(suffix + beside)] = _stamp(entry)
    except OSError:
        return {}
    return {name: stamp + second.get(name, ()) for name, stamp in found.items()}


def stamp_of(path: Path, beside: str) -> Stamp:
    """Return the stamp of one game's file, as `stamps` has it; empty where there is none."""
    stamp: Stamp = ()
    for one in (path, path.with_name(path.name + beside)):
        with contextlib.suppress(OSError):
            status = one.stat()
            stamp += (status.st_size, status.st_mtime_ns)
    return stamp


def changed_at_s(stamp: Stamp) -> float:
    """Return when a file last changed, by its stamp."""
    return max(stamp[1::2]) / 1e9


def _stamp(entry: os.DirEntry[str]) -> Stamp:
    status = entry.stat()
    return (status.st_size, status.st_mtime_ns)


def _made_by() -> str:
    """Another version of the program may score otherwise."""
    return metadata.version("railspotter")

"""What does a damaged log say? `python benchmarks/damage_the_log.py [--times 400]`.

A game of computers is written down with crops. Then its file is damaged over and over,
each time a fresh copy: a byte inside a fact, a byte of any row, a byte anywhere, a sector or a page
of zeros. Each copy is read, told by `railspotter replay`, and gone on with. A score that is another
than the game's, without a word that anything is missing, is what must never be.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import msgspec
from railspotter.cli.command import main as railspotter
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import Ticket, load_edition
from railspotter.scoring.game import TicketText
from railspotter.scoring.position import Seat
from railspotter.simulation.played_game import play_game
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameRenamed, GameStarted
from railspotter.table.game_log.errors import GameLogError
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player, TicketRevealed, TicketTaken
from railspotter.table.game_log.table_state import TableState

NAMES = ("Ann", "Bob", "Cleo")
JPEG = b"\xff\xd8\xff"
FIRST_S, TURN_S = 1_790_000_000.0, 40.0
SECTOR, PAGE = 512, 4096
HOME = "RAILSPOTTER_HOME"

SAME, TOLD, TOLD_SAME, REFUSED, SILENT, TRACEBACK = (
    "the same",
    "less, and said so",
    "the same score, and something said to be missing",
    "refused in a sentence",
    "ANOTHER SCORE, SILENTLY",
    "TRACEBACK",
)
OUTCOMES = (SAME, TOLD_SAME, TOLD, REFUSED, SILENT, TRACEBACK)


@dataclass(frozen=True)
class WrittenGame:
    """A game that was written down, and how it ended."""

    id: str
    content: bytes  # the file
    facts: tuple[slice, ...]  # where in the file the text of each fact is
    rows: tuple[int, ...]  # the pages with rows of events in them
    table: TableState


Damage = Callable[[WrittenGame, random.Random], bytes]


def written_game(folder: Path, seed: int = 1, most_turns: int | None = None) -> WrittenGame:
    """Let computers play a game, and write it down turn by turn, with a crop of each claim."""
    edition = load_edition("usa")
    seats = [Seat(c, n) for c, n in zip(edition.colours, NAMES, strict=False)]
    game = play_game(edition, load_board(edition.board), seats, seed)
    players = tuple(Player(seat.colour, seat.colour, seat.name) for seat in game.seats)
    rng = random.Random(seed)
    with GameStore(folder).create(GameStarted("usa", players, name="Friday"), FIRST_S) as log:
        before = game.positions[0]
        for colour, tickets in before.tickets.items():
            log.append(taken(colour, tickets), FIRST_S)
        for number, turn in enumerate(game.turns[:most_turns], 1):
            facts: list[Fact] = []
            crops: dict[int, tuple[bytes, ...]] = {}
            if turn.laid is not None:
                facts = [Placed.on(turn.laid, colour=turn.colour, by="camera", sure=0.97)]
                crops = {0: (JPEG + rng.randbytes(3000),)}
            held = before.tickets[turn.colour]
            facts += taken(turn.colour, turn.position.tickets[turn.colour][len(held) :])
            before = turn.position
            if facts:
                log.append(facts, FIRST_S + TURN_S * number, crops)
        shown: list[Fact] = [
            TicketRevealed(seat, held.ticket)
            for seat, hand in log.state.table.tickets.items()
            for held in hand
        ]
        log.append([*shown, GameEnded()], FIRST_S + TURN_S * len(game.turns))
        state, path = log.state, log.path
    content = path.read_bytes()
    texts = [msgspec.json.encode(event.fact) for event in state.events]
    facts_at = [slice(content.find(text), content.find(text) + len(text)) for text in texts]
    pages = tuple(sorted({one.start // PAGE for one in facts_at}))
    return WrittenGame(log.id, content, tuple(facts_at), pages, state.table)


def taken(colour: str, tickets: Sequence[Ticket]) -> list[Fact]:
    """Return the facts that somebody took tickets."""
    return [
        TicketTaken(colour, TicketText(ticket.a, ticket.b, ticket.points)) for ticket in tickets
    ]


def flipped(content: bytes, at: int, rng: random.Random) -> bytes:
    """Return a file with another byte at one place."""
    return content[:at] + bytes([content[at] ^ rng.randrange(1, 256)]) + content[at + 1 :]


def in_fact(game: WrittenGame, rng: random.Random) -> bytes:
    """Damage a byte of a fact's text; not of the first one, the game's start."""
    fact = rng.choice(game.facts[1:])
    return flipped(game.content, rng.randrange(fact.start, fact.stop), rng)


def in_rows(game: WrittenGame, rng: random.Random) -> bytes:
    """Damage a byte of a page with events in it."""
    at = rng.choice(game.rows) * PAGE + rng.randrange(PAGE)
    return flipped(game.content, at, rng)


def anywhere(game: WrittenGame, rng: random.Random) -> bytes:
    """Damage a byte of the file."""
    return flipped(game.content, rng.randrange(len(game.content)), rng)


def in_head(game: WrittenGame, rng: random.Random) -> bytes:
    """Damage a byte of the file's head, and of what says where its tables are."""
    return flipped(game.content, rng.choice((rng.randrange(100), rng.randrange(PAGE))), rng)


def without(size: int) -> Damage:
    """Return what makes zeros of so many bytes somewhere."""

    def damage(game: WrittenGame, rng: random.Random) -> bytes:
        at = rng.randrange(len(game.content) // size) * size
        return game.content[:at] + bytes(size) + game.content[at + size :]

    return damage


def cut_short(game: WrittenGame, rng: random.Random) -> bytes:
    """Cut the file off somewhere."""
    return game.content[: rng.randrange(PAGE, len(game.content))]


DAMAGES: Mapping[str, Damage] = {
    "a byte of a fact": in_fact,
    "a byte of a page of events": in_rows,
    "a byte of the first page": in_head,
    "a byte anywhere": anywhere,
    "a sector of zeros": without(SECTOR),
    "a page of zeros": without(PAGE),
    "cut short": cut_short,
}


def outcomes(
    game: WrittenGame, damage: Damage, times: int, folder: Path, seed: int = 0, every: int = 1
) -> Counter[str]:
    """Damage a game so many times, and count what came of it."""
    rng = random.Random(seed)
    counted: Counter[str] = Counter()
    for number in range(times):
        home = folder / f"{seed}-{number}"
        store = GameStore(home)
        store.folder.mkdir(parents=True)
        path = store.path(game.id)
        path.write_bytes(damage(game, rng))
        counted[outcome(store, game, is_read_only=number % every > 0)] += 1
        shutil.rmtree(home)
    return counted


def outcome(store: GameStore, game: WrittenGame, *, is_read_only: bool = False) -> str:
    """Read a damaged game, tell it, and go on with it; return the worst that came of it."""
    try:
        state = store.read(game.id)
        found = judged(state, game)
    except GameLogError:
        found, state = REFUSED, None
    except Exception:
        traceback.print_exc(limit=-4)
        return TRACEBACK
    if is_read_only:
        return found
    if not told_by_replay(store, game, is_refused=state is None):
        return TRACEBACK
    try:
        content = store.path(game.id).read_bytes()
        with store.open(game.id) as log:
            log.append([GameRenamed("Saturday")], 0.0)
        again = store.read(game.id)
    except GameLogError:
        return REFUSED if found != SILENT else SILENT
    except Exception:
        traceback.print_exc(limit=-4)
        return TRACEBACK
    if missing(state) or found == TOLD:
        copies = list(store.folder.glob(f"{game.id}.sqlite3.*[0-9]"))
        assert any(copy.read_bytes() == content for copy in copies), "no copy was kept"
    after = judged(again, game)
    return found if after == found else max(found, after, key=OUTCOMES.index)


def judged(state: GameState, game: WrittenGame) -> str:
    """Compare a game with what it was."""
    is_same = state.table.full_score.standing == game.table.full_score.standing and (
        state.table.held == game.table.held and state.table.tickets == game.table.tickets
    )
    if missing(state):
        return TOLD_SAME if is_same else TOLD
    return SAME if is_same else SILENT


def missing(state: GameState | None) -> int:
    """Return how many events are said to be missing."""
    return 0 if state is None else sum(e.fact.kind == "event_lost" for e in state.events)


def told_by_replay(store: GameStore, game: WrittenGame, *, is_refused: bool) -> bool:
    """Tell whether `railspotter replay` tells the game, or says in a sentence why not."""
    home = {HOME: str(store.folder.parent)}
    told, said = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(told), redirect_stderr(said), patch.dict(os.environ, home):
            code = railspotter(["replay", game.id])
    except Exception:
        traceback.print_exc(limit=-4)
        return False
    return code == 0 or (is_refused and said.getvalue().startswith("railspotter: "))


def main() -> int:
    """Print a row for each kind of damage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=400, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    args = parser.parse_args()
    worst = 0
    with tempfile.TemporaryDirectory() as name:
        game = written_game(Path(name) / "whole")
        print(f"{len(game.facts)} events, {len(game.content) / 1e3:.0f} kB")
        for what, damage in DAMAGES.items():
            began_s = time.perf_counter()
            counted = outcomes(game, damage, args.times, Path(name), args.seed)
            took_ms = 1e3 * (time.perf_counter() - began_s) / args.times
            told = ", ".join(f"{counted[one]} {one}" for one in OUTCOMES if counted[one])
            print(f"{what:28} {told} ({took_ms:.0f} ms each)", flush=True)
            worst += counted[SILENT] + counted[TRACEBACK]
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())

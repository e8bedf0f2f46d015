"""Damage logs and kill their writers, and say whether a score changed or an event was lost.

    python benchmarks/break_the_log.py [--damage 400] [--kill 200]

A game of computers is written down with crops. Then its file is damaged over and over,
each time a fresh copy: a byte inside a fact, a byte of any row, a byte anywhere, a sector or a page
of zeros. Each copy is read, told by `railspotter replay`, and gone on with. A score that is another
than the game's, without a word that anything is missing, is what must never be.

And a writer appends events, each with a crop, and says the number of each that `append` returned.
It is killed with SIGKILL at a random moment, while it opens the log too, or ends itself right after
what it said, before it comes to the next event; and is started again on the same game. Whatever it
said must then be in the log, as it was said.
"""

import argparse
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from unittest.mock import patch

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

import msgspec
from logged_games import JPEG, STARTED, end_of, played, start_of, steps_of
from railspotter.cli.command import main as railspotter
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameRenamed
from railspotter.table.game_log.database import Crops, connect, crops_in
from railspotter.table.game_log.errors import GameLogError
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog, read_log
from railspotter.table.game_log.people_facts import MarkerCompared
from railspotter.table.game_log.table_state import TableState

FIRST_S, TURN_S = 1_790_000_000.0, 40.0
SECTOR, PAGE = 512, 4096
HOME_VARIABLE = "RAILSPOTTER_HOME"

# Of the writers so many are killed by the clock, most of them before their first event; the others
# some time after it. Nearly all that time they wait for the disk, and an event that was said too
# early gets there with the next one: so one in two ends itself after a few events.
OPENING_SHARE = 0.25
FEW_EVENTS, MANY_EVENTS = 8, 1_000_000
LONGEST_OPENING_S = 0.4
# So many of one game, one after the other: a game has room for as many events as they write.
WRITERS_PER_GAME = 5
LONGEST_WRITING_S = 0.1

SAME, REPORTED, REPORTED_SAME, REFUSED, SILENT, TRACEBACK = (
    "the same",
    "less, and said so",
    "the same score, and something said to be missing",
    "refused in a sentence",
    "ANOTHER SCORE, SILENTLY",
    "TRACEBACK",
)
OUTCOMES = (SAME, REPORTED_SAME, REPORTED, REFUSED, SILENT, TRACEBACK)


@dataclass(frozen=True)
class LoggedGame:
    """A logged game and its end."""

    id: str
    content: bytes  # the file
    # Where in the file the text of each fact is, but of the first, the game's start.
    fact_slices: tuple[slice, ...]
    event_pages: tuple[int, ...]  # the pages with rows of events in them
    table: TableState


Damage = Callable[[LoggedGame, random.Random], bytes]


def make_logged_game(folder: Path, most_turns: int | None = None) -> LoggedGame:
    """Let computers play a game, and log it turn by turn, with a crop of each claim."""
    rng, game = random.Random(1), played("usa", 3, 1)
    with GameStore(folder).create(start_of(game), FIRST_S) as log:
        for number, (facts, _) in enumerate(islice(steps_of(game), most_turns)):
            claimed = [i for i, fact in enumerate(facts) if isinstance(fact, Placed)]
            crops = {i: (JPEG + rng.randbytes(3000),) for i in claimed}
            log.append(facts, FIRST_S + TURN_S * number, crops)
        log.append(end_of(log.state), FIRST_S + TURN_S * len(game.turns))
        state, path = log.state, log.path
    content = path.read_bytes()
    texts = {msgspec.json.encode(event.fact) for event in state.events[1:]}
    facts_at = [
        slice(at, at + len(text)) for text in sorted(texts) if (at := content.find(text)) > 0
    ]
    pages = tuple(sorted({one.start // PAGE for one in facts_at}))
    return LoggedGame(log.id, content, tuple(facts_at), pages, state.table)


def flip_byte(content: bytes, at: int, rng: random.Random) -> bytes:
    """Return a file with one byte changed."""
    return content[:at] + bytes([content[at] ^ rng.randrange(1, 256)]) + content[at + 1 :]


def damage_fact(game: LoggedGame, rng: random.Random) -> bytes:
    """Damage a byte of a fact's text."""
    fact = rng.choice(game.fact_slices)
    return flip_byte(game.content, rng.randrange(fact.start, fact.stop), rng)


def damage_event_page(game: LoggedGame, rng: random.Random) -> bytes:
    """Damage a byte of a page that has events."""
    at = rng.choice(game.event_pages) * PAGE + rng.randrange(PAGE)
    return flip_byte(game.content, at, rng)


def damage_anywhere(game: LoggedGame, rng: random.Random) -> bytes:
    """Damage a byte of the file."""
    return flip_byte(game.content, rng.randrange(len(game.content)), rng)


def damage_head(game: LoggedGame, rng: random.Random) -> bytes:
    """Damage a byte of the file's head or of its first page."""
    return flip_byte(game.content, rng.choice((rng.randrange(100), rng.randrange(PAGE))), rng)


def block_zeroing(size: int) -> Damage:
    """Return a damage that overwrites a block of that size with zeros."""

    def damage(game: LoggedGame, rng: random.Random) -> bytes:
        at = rng.randrange(len(game.content) // size) * size
        return game.content[:at] + bytes(size) + game.content[at + size :]

    return damage


def truncate(game: LoggedGame, rng: random.Random) -> bytes:
    """Truncate the file at a random place."""
    return game.content[: rng.randrange(PAGE, len(game.content))]


DAMAGES: Mapping[str, Damage] = {
    "a byte of a fact": damage_fact,
    "a byte of a page of events": damage_event_page,
    "a byte of the first page": damage_head,
    "a byte anywhere": damage_anywhere,
    "a sector of zeros": block_zeroing(SECTOR),
    "a page of zeros": block_zeroing(PAGE),
    "cut short": truncate,
}


def count_outcomes(
    game: LoggedGame, damage: Damage, times: int, folder: Path, seed: int = 0, every: int = 1
) -> Counter[str]:
    """Damage a game many times, and count the outcomes."""
    rng = random.Random(seed)
    counted: Counter[str] = Counter()
    for number in range(times):
        home = folder / f"{seed}-{number}"
        store = GameStore(home)
        store.folder.mkdir(parents=True)
        path = store.path(game.id)
        path.write_bytes(damage(game, rng))
        counted[worst_outcome(store, game, is_read_only=number % every > 0)] += 1
        shutil.rmtree(home)
    return counted


def worst_outcome(store: GameStore, game: LoggedGame, *, is_read_only: bool = False) -> str:
    """Read, replay and continue a damaged game; return the worst outcome."""
    try:
        state = store.read(game.id)
        found = compare_states(state, game)
    except GameLogError:
        found, state = REFUSED, None
    except Exception:
        traceback.print_exc(limit=-4)
        return TRACEBACK
    if is_read_only:
        return found
    if not replay_succeeds(store, game, is_refused=state is None):
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
    if count_missing_events(state) or found == REPORTED:
        copies = list(store.folder.glob(f"{game.id}.sqlite3.*[0-9]"))
        assert any(copy.read_bytes() == content for copy in copies), "no copy was kept"
    after = compare_states(again, game)
    return found if after == found else max(found, after, key=OUTCOMES.index)


def compare_states(state: GameState, game: LoggedGame) -> str:
    """Compare a game with the undamaged one."""
    is_same = state.table.full_score.standing == game.table.full_score.standing and (
        state.table.held == game.table.held and state.table.tickets == game.table.tickets
    )
    if count_missing_events(state):
        return REPORTED_SAME if is_same else REPORTED
    return SAME if is_same else SILENT


def count_missing_events(state: GameState | None) -> int:
    """Return the number of events reported as missing."""
    return 0 if state is None else sum(e.fact.kind == "event_lost" for e in state.events)


def replay_succeeds(store: GameStore, game: LoggedGame, *, is_refused: bool) -> bool:
    """Tell whether `railspotter replay` prints the game, or an error sentence."""
    home = {HOME_VARIABLE: str(store.folder.parent)}
    out, err = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, home):
            code = railspotter(["replay", game.id])
    except Exception:
        traceback.print_exc(limit=-4)
        return False
    return code == 0 or (is_refused and err.getvalue().startswith("railspotter: "))


def event_fact(seq: int) -> MarkerCompared:
    """Return the fact of the event with a number."""
    return MarkerCompared("ann", seq % 1000)


def event_crops(seq: int) -> Crops:
    """Return crops for the event with a number: some kilobytes, as those of a route."""
    return (JPEG + random.Random(seq).randbytes(1000 * (seq % 20)),)


def append_events(path: Path, count: int) -> None:
    """Append events, print the number of each that is on the disk, and end without a last word."""
    with GameLog(path) as log:
        for _ in range(count):
            seq = len(log.state.events) + 1
            (event,) = log.append([event_fact(seq)], float(seq), {0: event_crops(seq)})
            print(event.seq, flush=True)
        os._exit(0)


@dataclass(frozen=True)
class KilledWriters:
    """The state of logs whose writers were killed."""

    acknowledged: int  # events that a writer said
    # Those of them that were not in the log afterwards, or not as they were said.
    lost: tuple[int, ...]


def kill_writers(store: GameStore, times: int, seed: int = 0) -> KilledWriters:
    """Kill so many writers, some for each game, and check for their acknowledged events."""
    rng = random.Random(seed)
    acknowledged = 0
    lost: list[int] = []
    for begun in range(0, times, WRITERS_PER_GAME):
        with store.create(STARTED, 0.0) as log:
            path = log.path
        seqs: list[int] = []
        for _ in range(min(WRITERS_PER_GAME, times - begun)):
            seqs += run_writer_until_killed(path, rng)
            lost += lost_events(path, seqs)
        acknowledged += len(seqs)
    return KilledWriters(acknowledged, tuple(lost))


def run_writer_until_killed(path: Path, rng: random.Random) -> list[int]:
    """Start a writer of a game and kill it; return the events that it acknowledged."""
    count = rng.choice((rng.randint(1, FEW_EVENTS), MANY_EVENTS))
    words = [sys.executable, __file__, "--write", str(path), "--events", str(count)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        first = ""
        if rng.random() < OPENING_SHARE:
            time.sleep(rng.uniform(0.0, LONGEST_OPENING_S))
        else:
            first = writer.stdout.readline()
            time.sleep(rng.uniform(0.0, LONGEST_WRITING_S))
        writer.kill()
        lines = (first + writer.stdout.read()).split("\n")
    # What stands behind the last newline was not said to its end.
    return [int(line) for line in lines[:-1]]


def lost_events(path: Path, seqs: list[int]) -> tuple[int, ...]:
    """Return the acknowledged events that a log lacks."""
    kept = read_log(path).events
    with closing(connect(path, is_writer=False)) as database:
        return tuple(
            seq
            for seq in seqs
            if len(kept) < seq
            or kept[seq - 1] != Event(seq, float(seq), event_fact(seq))
            or crops_in(database, seq) != event_crops(seq)
        )


def main() -> int:
    """Print a row for each kind of damage, and what became of killed writers' events."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--damage", type=int, default=400, help="files of each kind (%(default)s)")
    parser.add_argument("--kill", type=int, default=200, help="writers (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--events", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write is not None:
        append_events(args.write, args.events)
    worst = 0
    with tempfile.TemporaryDirectory() as name:
        game = make_logged_game(Path(name) / "whole")
        print(f"{len(game.fact_slices)} events, {len(game.content) / 1e3:.0f} kB")
        for what, damage in DAMAGES.items() if args.damage else ():
            counted = count_outcomes(game, damage, args.damage, Path(name), args.seed)
            counts = ", ".join(f"{counted[one]} {one}" for one in OUTCOMES if counted[one])
            print(f"{what:28} {counts}", flush=True)
            worst += counted[SILENT] + counted[TRACEBACK]
        killed = kill_writers(GameStore(Path(name) / "killed"), args.kill, args.seed)
        acknowledged, lost = killed.acknowledged, len(killed.lost)
        print(f"{args.kill} writers killed, {acknowledged} events acknowledged, {lost} lost")
    return 1 if worst or lost else 0


if __name__ == "__main__":
    sys.exit(main())

"""Does the program still give the same answers? `python benchmarks/goldens.py FOLDER`.

Asks the program for what others rely on, by its commands, calls and files alone, so that a change
that is to change nothing can be proved by a folder written before it and one written after:

    python benchmarks/goldens.py build/goldens/before            # on the old commit
    python benchmarks/goldens.py build/goldens/after --against build/goldens/before

Each golden is a file of lines, without times, ids and tokens. What is compared, by name:

photos      every shared photo, read with a profile of the board empty and without one
positions   random positions of every edition, most of them against the rules, and their scores
drawn       what is true of drawn games of every board
evening     the description of the calls, and the answers of games played on phones, call by call
files       an old log and old profiles, opened; the evening's games in every form of export
display     the bytes that displays are sent for made-up games

Exit code: 0, or 1 where a golden differs.
"""

import argparse
import io
import json
import os
import random
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import unquote

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from phones import Phone
from railspotter.cli.command import main as railspotter
from railspotter.firmware_bridge.lights import DisplayMoment, Strip, lights
from railspotter.firmware_bridge.made_up_game import made_up_scoreboards
from railspotter.firmware_bridge.scoreboard import digits
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import edition_names, load_edition, ticket_deck
from served_play import free_port, serving_play

from photos.labelled import PHOTOS, REFERENCES, labelled_photos

ROOT = Path(__file__).resolve().parents[1]
POSITIONS = 10_000
STANDINGS = 200
OLD_GAME = "0" * 32
TOO_MANY_REQUESTS, RETRY_S = 429, 0.5
BOARDS = ("usa", "europe", "newyork", "philly")
# The editions of the evening, and their boards.
BOARD_BY_EDITION = {"usa": "usa", "usa-10th": "usa", "newyork": "newyork", "europe": "europe"}
REQUESTED_PATHS = ("state", "board", "deck", "log", "hand", "you", "export/game", "export/csv")
VARYING_PATTERNS = (
    (re.compile(r'("(?:\w*_s|seconds|at|now|number|seq_s)": ?)-?[\d.]+(e[+-]?\d+)?'), r"\1TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:\d\d)?)?"), "TIME"),
    (re.compile(r"127\.0\.0\.1:\d+"), "HOST"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "GAME"),
    (re.compile(r'"(\w{4}-){7}\w{4}"|"[0-9a-f]{24,}"'), '"SEAL"'),
    # whether the thread of the game has looked for a camera yet when it is asked
    (re.compile(r'"has_camera":false,"camera":"[^"]*"'), '"has_camera":false,"camera":"SAID"'),
    (re.compile(r"\.dev\d+\+g[0-9a-f.d]+"), ".dev"),
    (re.compile(r'"[^" ]*/tmp\w{8}/'), '"HOME/'),
)
DIFFERENCES_SHOWN = 5


def main(argv: Sequence[str] | None = None) -> int:
    """Write the goldens; return 1 if one differs from the older folder's."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--against", type=Path, help="a folder written before")
    parser.add_argument("--only", nargs="+", choices=GOLDENS, default=list(GOLDENS))
    args = parser.parse_args(argv)
    args.folder.mkdir(parents=True, exist_ok=True)
    different = 0
    for name in args.only:
        written = args.folder / f"{name}.txt"
        with written.open("w", encoding="utf-8") as file, empty_home():
            file.writelines(f"{normalise(line)}\n" for line in GOLDENS[name]())
        found = list(diff_lines(args.against / written.name, written)) if args.against else []
        different += bool(found)
        print(f"{name}: {len(found)} lines differ" if args.against else name, flush=True)
        print(*islice(found, DIFFERENCES_SHOWN), sep="\n", end="\n" if found else "")
    return 1 if different else 0


def diff_lines(old: Path, new: Path) -> Iterator[str]:
    """Yield the lines that only one of two files has, with their numbers."""
    lines = (path.read_text("utf-8").splitlines() for path in (old, new))
    for number, (before, after) in enumerate(zip_longest(*lines, fillvalue=""), 1):
        if before != after:
            at = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
            shown = slice(max(0, at - 60), at + 60)
            yield f"  {number}: {before[:60]}...\n    - {before[shown]}\n    + {after[shown]}"


def normalise(line: str) -> str:
    """Return a line without what varies from run to run."""
    for pattern, instead in VARYING_PATTERNS:
        line = pattern.sub(instead, line)
    return line


@contextmanager
def empty_home() -> Iterator[Path]:
    """Give the program an empty data directory of its own."""
    before = os.environ.get("RAILSPOTTER_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RAILSPOTTER_HOME"] = folder
        yield Path(folder)
    os.environ.pop("RAILSPOTTER_HOME")
    if before is not None:
        os.environ["RAILSPOTTER_HOME"] = before


def run(*words: str, stdin: bytes = b"") -> str:
    """Return a command's output, on both streams, and its exit code."""
    out, given = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with redirect_stdout(out), redirect_stderr(out):
            code = railspotter(list(words))
    finally:
        sys.stdin = given
    out.seek(0)
    return join_lines(f"{code} {out.read()}")


def join_lines(text: str) -> str:
    """Return lines as one line."""
    return text.rstrip().replace("\r", "").replace("\n", "\\n")


def photo_readings() -> Iterator[str]:
    """Read every labelled photo without a profile, and then with one."""
    labelled = sorted(labelled_photos(PHOTOS), key=lambda one: one.path)
    for has_profile in (False, True):
        for board, blank in REFERENCES.items() if has_profile else ():
            yield run("calibrate", str(PHOTOS / board / blank), "--board", board, "--json")
        for photo in labelled:
            if photo.board in BOARDS:
                answer = run("read", str(photo.path), "--board", photo.board, "--json")
                yield f"{photo.path.name} {answer}"


def position_scores() -> Iterator[str]:
    """Score random positions."""
    rng = random.Random(1)
    for name in rng.choices(edition_names(), k=POSITIONS):
        game = json.dumps(random_game(name, rng))
        yield f"{game} {run('score', '-', '--json', stdin=game.encode())}"


def random_game(name: str, rng: random.Random) -> dict[str, Any]:
    """Return a random game file of an edition, legal or not."""
    edition = load_edition(name)
    if not edition.board:
        return {"edition": name}
    board = load_board(edition.board)
    colours = rng.sample(edition.colours, rng.randint(2, len(edition.colours)))
    routes = rng.sample(board.routes, rng.randint(0, len(board.routes) // rng.choice((1, 2, 4))))
    tickets = list(ticket_deck(edition, board))
    game = {
        "edition": name,
        "players": [{"colour": colour} for colour in colours],
        "claims": {route.id: rng.choice(colours) for route in routes},
        "tickets": {
            colour: [
                {"a": ticket.a, "b": ticket.b, "points": ticket.points}
                for ticket in rng.sample(tickets, min(len(tickets), rng.randint(0, 6)))
            ]
            for colour in colours
        },
        "final": rng.random() < 0.5,
    }
    if board.sites:
        sites = rng.sample(board.sites, rng.randint(0, len(board.sites)))
        game["sites"] = {site.id: rng.choice(colours) for site in sites}
    if edition.stations:
        places = [place.id for place in board.places]
        game["stations"] = {
            colour: rng.sample(places, rng.randint(0, edition.stations)) for colour in colours
        }
    return game


def rendered_games() -> Iterator[str]:
    """Render games in small pictures, with the ground truth of each."""
    for board in BOARDS:
        for scene in ("plain", "lively"):
            yield from rendered_truths(board, scene, count=6)


def rendered_truths(board: str, scene: str, *, count: int) -> list[str]:
    """Return the ground truth that `railspotter render` writes for a game."""
    with tempfile.TemporaryDirectory() as folder:
        where = ("--out", folder, "--size", "320x240", "--count", str(count))
        run("render", "--board", board, "--scene", scene, "--seed", "5", *where)
        files = sorted(Path(folder).glob("*.json"))
        return [json.dumps(json.loads(file.read_bytes())) for file in files]


def evening_answers() -> Iterator[str]:
    """Play drawn games on phones."""
    for number, edition in enumerate(BOARD_BY_EDITION):
        yield from play_by_taps(edition, is_first=not number)


def play_by_taps(edition: str, *, is_first: bool = False) -> Iterator[str]:
    """Play one game without a camera, by tapping routes; return all answers."""
    board = BOARD_BY_EDITION[edition]
    last = json.loads(rendered_truths(board, "plain", count=2)[-1])
    colours = list(dict.fromkeys(last["claims"].values()))
    players = [f"{colour.title()}:{colour}" for colour in colours]
    words = ("--board", board, "--edition", edition, "--players", *players)
    with serving_play(free_port(), *words, "--source", "none") as game:
        join = game.link("join")
        host, guest = game.host(), Phone(game.port)
        phones = {"host": host, "guest": guest}
        for seat in [one["seat"] for one in host.state()["players"][:2]]:
            phones[seat] = Phone(game.port).join(join)
            yield ask(seat, phones[seat], "POST", "/seat", {"seat": seat})
        if is_first:
            yield json.dumps(guest.get("/openapi.json").json, sort_keys=True)
        deck = guest.get("/deck").json["tickets"]
        who = phones[next(seat for seat in phones if seat not in ("host", "guest"))]
        for ticket in deck[:3]:
            yield ask("a ticket", who, "POST", "/hand", {"a": ticket["a"], "b": ticket["b"]})
        for count, (route, colour) in enumerate(last["claims"].items()):
            body = {"kind": "route", "about": route, "was": None, "now": colour}
            yield ask(route, who, "POST", "/corrections", body)
            if count % 7 == 3:
                yield ask("undo", who, "POST", "/undo")
                yield ask("redo", who, "POST", "/redo")
            if count % 10 == 5:
                yield from visible_answers(phones)
        yield ask("end", host, "POST", "/end")
        yield ask("reveal", who, "POST", "/hand/reveal")
        yield from visible_answers(phones)
        yield f"exit {game.ended()}"


def visible_answers(phones: dict[str, Phone]) -> Iterator[str]:
    """Request everything that each phone may see."""
    for role, phone in phones.items():
        for path in REQUESTED_PATHS:
            yield ask(f"{role}: {path}", phone, "GET", f"/{path}")


def ask(what: str, phone: Phone, method: str, path: str, body: Any = None) -> str:
    """Make a request, slowly enough for the rate limit; return the answer as one line."""
    while (answer := phone.ask(method, path, body)).status == TOO_MANY_REQUESTS:
        time.sleep(RETRY_S)
    return join_lines(f"{what}: {answer.status} {answer.content.decode(errors='replace')}")


def file_exports() -> Iterator[str]:
    """Open files of older versions, and export a new game."""
    home, tests = Path(os.environ["RAILSPOTTER_HOME"]), ROOT / "tests"
    for _ in play_by_taps("usa"):
        pass
    newest = next((home / "games").glob("*.sqlite3"))
    with closing(sqlite3.connect(newest.with_name(f"{OLD_GAME}{newest.suffix}"))) as database:
        old = tests / "table" / "game_log" / "format-1.sql"
        database.executescript(old.read_text("utf-8"))
    for game in sorted(file.stem for file in (home / "games").glob(f"*{newest.suffix}")):
        yield run("games", "show", game, "--json", "--with-secrets")
        for form in ("bundle", "jsonl", "csv", "game", "bgg", "bgstats"):
            yield unquote(run("games", "export", game, "--format", form))
    profiles = home / "profiles"
    profiles.mkdir(exist_ok=True)
    for profile in sorted((tests / "calibration" / "profiles").glob("*.npz")):
        (profiles / profile.name).write_bytes(profile.read_bytes())
        yield run("calibrate", "--board", "usa", "--profile", profile.stem, "--nudges", "--json")


def display_bytes() -> Iterator[str]:
    """Render made-up games on a strip and on digits."""
    games = (made_up_scoreboards(players, seed=1) for players in (2, 3, 4, 5))
    for number, scoreboard in enumerate(islice(chain.from_iterable(games), STANDINGS)):
        moment = DisplayMoment(number * 0.7)
        shown = lights(scoreboard, Strip(60), moment)
        yield f"{shown.tobytes().hex()} {b''.join(digits(scoreboard, 4, moment.t_s)).hex()}"


GOLDENS: dict[str, Callable[[], Iterator[str]]] = {
    "photos": photo_readings,
    "positions": position_scores,
    "drawn": rendered_games,
    "evening": evening_answers,
    "files": file_exports,
    "display": display_bytes,
}

if __name__ == "__main__":
    sys.exit(main())

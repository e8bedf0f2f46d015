"""How fast are the past games? `python benchmarks/history.py [--games 1000]`.

Bots play some games on every edition; each is written down with its claims, its tickets and its end
under many dates, until there are as many games as asked for. Then the page's own calls are made
without a network, first with nothing kept, then by a program that has just started and finds the
kept summaries, then once more. Beside them stands how long reading and folding one log takes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.game import TicketText
from railspotter.scoring.position import Seat
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_players import played_game
from railspotter.simulation.virtual_players.play import play_game
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player, TicketRevealed, TicketTaken
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.access.limits import Limits, Rate, Settings
from railspotter.webui.access.phone_access import PhoneAccess
from railspotter.webui.app import create_app
from railspotter.webui.feed.history import History

API = "/api/v1/games"
EDITIONS = ("usa", "newyork", "europe")
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
SEEDS = 8  # different games of each edition; playing one takes longer than writing it down again
FIRST_S = 1_600_000_000.0
DAY_S = 86_400.0
TURN_S = 60.0


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store = GameStore(home)
        began_s = time.perf_counter()
        for i, events in zip(range(args.games), all_events(), strict=False):
            store.add(f"{i:032x}", [(event, ()) for event in events])
        print(f"{args.games} games written in {time.perf_counter() - began_s:.1f} s")
        time.sleep(1.1)  # what has just changed is read again
        measure(store, home, args.games)


def measure(store: GameStore, home: Path, games: int) -> None:
    """Print how long everything takes, in ms, and as how many readings of one log."""
    ids = [f"{i:032x}" for i in range(0, games, max(1, games // 20))]
    one_ms = statistics.median(timed(partial(store.read, name)) for name in ids)
    print(f"reading one log: {one_ms:.1f} ms")

    client = client_of(store, home)
    answers = [ask(client, "")]
    while answers[-1][1]["unread"]:
        answers.append(ask(client, ""))
    times = [ms for ms, _ in answers]
    tell("nothing kept: the first answer", times[:1], one_ms)
    tell("nothing kept: the slowest answer", [max(times)], one_ms)
    tell(f"nothing kept: all {len(times)} answers together", [sum(times)], one_ms)
    for name in store.folder.glob("*.sqlite3"):  # as if they were played long ago
        set_back(name)
    for _ in range(2):  # the stamps are others now: read once more, and kept
        client = client_of(store, home)
        while ask(client, "")[1]["unread"]:
            pass

    client = client_of(store, home)
    tell("just started: the first answer", [ask(client, "")[0]], one_ms)
    tell("list", [ask(client, "")[0] for _ in range(20)], one_ms)
    tell("list, the last page", [ask(client, f"?page={games // 50}")[0] for _ in range(20)], one_ms)
    both = "?edition=usa&player=ann"
    tell("list of one edition and player", [ask(client, both)[0] for _ in range(20)], one_ms)
    for part in ("", "/board", "/moments"):
        took = [ask(client, f"/{name}{part}")[0] for name in ids]
        tell(f"a game{part}", took, one_ms)
    again = [ask(client, f"/{name}/moments")[0] for name in ids[-5:]]
    tell("a game/moments, again", again, one_ms)


def tell(what: str, took_ms: Sequence[float], one_ms: float) -> None:
    """Print a row: the median and the slowest."""
    middle, most = statistics.median(took_ms), max(took_ms)
    print(f"{what:44} {middle:8.1f} ms  slowest {most:8.1f} ms  {middle / one_ms:7.1f} logs")


def client_of(store: GameStore, home: Path) -> FlaskClient:
    """Return a browser of a program that has just started."""
    rates = dict.fromkeys(Settings().rates, Rate(1e9, 10**9))
    app = create_app(
        _no_photo,
        phone_access=PhoneAccess(home / "page.pairing", "page", lambda opens: None),
        history=History(store),
        limits=Limits(Settings(rates=rates)),
    )
    return app.test_client()


def ask(client: FlaskClient, path: str) -> tuple[float, dict[str, Any]]:
    """Make a call; return how long it took in ms, and what it said."""
    began_s = time.perf_counter()
    answer = client.get(API + path)
    took_ms = 1e3 * (time.perf_counter() - began_s)
    if answer.status_code != 200:
        raise SystemExit(f"{path}: {answer.status}")
    return took_ms, answer.get_json()


def timed(act: Callable[[], object]) -> float:
    """Return how long something takes, in ms."""
    began_s = time.perf_counter()
    act()
    return 1e3 * (time.perf_counter() - began_s)


def set_back(path: Path) -> None:
    """Make a file look an hour old."""
    then_s = time.time() - 3600
    os.utime(path, (then_s, then_s))


def all_events() -> Iterator[list[Event]]:
    """Yield games without an end, other people and another day each."""
    played = [
        play_game(load_edition(name), load_board(load_edition(name).board), 2 + seed % 3, seed)
        for name in EDITIONS
        for seed in range(SEEDS)
    ]
    number = 0
    while True:
        for game in played:
            yield list(events_of(game, number))
            number += 1


def events_of(game: played_game.PlayedGame, number: int) -> Iterator[Event]:
    """Yield a played game as its log would have it."""
    seats = [
        replace(seat, name=NAMES[(number + i) % len(NAMES)]) for i, seat in enumerate(game.seats)
    ]
    players = tuple(Player(seat.colour, seat.colour, seat.name) for seat in seats)
    facts: list[Fact] = [
        GameStarted(game.edition.id, players, name=f"Game {number}"),
        *facts_of(game, seats),
    ]
    for seq, fact in enumerate(facts, 1):
        yield Event(seq, FIRST_S + number * DAY_S + seq * TURN_S, fact)


def facts_of(game: played_game.PlayedGame, seats: Sequence[Seat]) -> Iterator[Fact]:
    """Yield what happened; every second player shows the tickets."""
    for turn in game.turns:
        match turn.action:
            case played_game.PlayedRoute(route=route):
                yield Placed.on(Spot("route", route), colour=turn.colour, by="camera", sure=0.97)
            case played_game.PlayedStation(place=place):
                yield Placed.on(Spot("station", place), colour=turn.colour, by="camera")
            case played_game.PlayedSite(site=site):
                yield Placed.on(Spot("site", site), colour=turn.colour, by="camera")
    held = game.position_after(len(game.turns)).tickets
    kept = {c: [TicketText(t.a, t.b, t.points) for t in tickets] for c, tickets in held.items()}
    for seat in seats:
        yield from (TicketTaken(seat.colour, ticket) for ticket in kept.get(seat.colour, ()))
    yield GameEnded()
    for seat in seats[::2]:
        yield from (TicketRevealed(seat.colour, ticket) for ticket in kept.get(seat.colour, ()))


def _no_photo(photos: Files) -> ScoredPhoto:
    raise AssertionError("no photo is sent")


if __name__ == "__main__":
    main()

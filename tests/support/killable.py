"""Programs with a page, each in a process of its own, which are killed and begun anew.

Run as a script it serves a table without a camera, whose computers do not wait between moves and
whose chance is the same in every run, until it is killed.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import logged_games
import msgspec
from phones import Phone, table
from railspotter.scoring.board import Board, BoardTicket
from railspotter.simulation.computer_players.strengths import computer_player
from railspotter.table.game_log.card_facts import RecordingChance
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table import card_play, computers
from served_play import RUN
from waiting import until


class KillableServe:
    """`railspotter serve`."""

    def __init__(self, home: Path, port: int) -> None:
        self.home, self.port = home, port
        self.begin()

    def begin(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, "serve", "--port", str(self.port)],
            env={**os.environ, "RAILSPOTTER_HOME": str(self.home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._is_there)

    def _is_there(self) -> bool:
        try:
            return Phone(self.port).get("/card-deck").status == 200
        except OSError:
            return False

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class KillableTable:
    """A table whose cards are on phones, and on which computers play."""

    def __init__(self, folder: Path, edition: str, port: int) -> None:
        self.folder, self.edition, self.port, self.game = folder, edition, port, ""
        self.begin()

    def begin(self) -> None:
        words = [str(self.folder), self.edition, str(self.port), self.game]
        self.process = subprocess.Popen(
            [sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        said: dict[str, Any] = json.loads(self.process.stdout.readline())
        self.game, self.join, self.host = said["game"], said["join"], said["host"]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


def started(edition: str) -> GameStarted:
    """A game of two people and a computer; Philly's is on a board with sites and modes."""
    board = philly_on_usa() if edition == "philly" else None
    colours = logged_games.shipped(edition)[0].colours[:3]
    players = (
        Player("ann", colours[0], "Ann"),
        Player("bob", colours[1], "Bob"),
        Player("robot", colours[2], computer="medium"),
    )
    rules = {} if edition == "newyork" else {"trains": 15}
    return GameStarted(edition, players, board=board, house_rules=rules, cards="phones")


def philly_on_usa() -> Board:
    """USA's board with sites and modes, and with USA's tickets as its own."""
    edition, board = logged_games.own_philly()
    tickets = tuple(BoardTicket(one.a, one.b, one.points) for one in edition.tickets)
    return msgspec.structs.replace(board, tickets=tickets)


def serve(folder: Path, edition: str, port: int, game: str) -> None:
    """Serve a new game, or the one that is to go on, until the process is killed."""
    rng = random.Random(f"{edition} {bool(game)}")
    begun = None if game else started(edition)
    with (
        patch.object(card_play, "chance", lambda: RecordingChance(rng.choice)),
        table(folder, game or None, port=port, started=begun, has_camera=False) as running,
        patch.object(computers, "computer_player", lambda one, _: computer_player(one, 7)),
        computers.Computers(running.live, pace_s=0.0),
    ):
        codes = running.page.services.phone_access.codes
        said = {"game": running.log.id, "join": codes.join, "host": codes.host}
        print(json.dumps(said), flush=True)
        while True:
            time.sleep(60)


if __name__ == "__main__":
    serve(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])

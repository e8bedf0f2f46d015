"""Play whole games with cards on phones before the live table, and compare the final scores.

    python benchmarks/play_cards.py [--games 20] [--edition usa] [--kind lively] [--seed 2000]
                                    [--trains 20] [--minutes 60] [--tell]

Three people and two computers play. Cards are dealt and moved as on phones; hands lay the trains in
drawn or composed pictures, and the live table that `railspotter play` runs watches them. A script
is the phones: a person pays for what the camera says they laid, as soon as it is their turn; what a
computer claims is paid first, and laid then. What the camera has not seen for `PATIENCE_S` is
tapped on the map, and counted. Questions are answered after eight seconds, as the truth is.

The decks are shuffled by the game's seed, so that the log's game is the one that was played: its
final score has to be the referee's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.dealing.moves import Move, Pay
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Edition, Ticket, load_edition
from railspotter.scoring.position import Seat
from railspotter.scoring.spot import Spot, spots_of
from railspotter.simulation.virtual_game import lively_game
from railspotter.simulation.virtual_players.bots import Bot
from railspotter.simulation.virtual_players.play import play_by
from railspotter.simulation.virtual_players.played_game import (
    PlayedGame,
    TunnelLeft,
    house_rules_of,
)
from railspotter.simulation.virtual_players.referee import Referee, Shuffles
from railspotter.table.game_log.card_facts import Chance
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.card_play import dealing_facts, move_facts
from railspotter.table.live_table.commands import Correct
from railspotter.table.live_table.live_table import LiveTable
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.settling import WatchState

from live.clocked import ClockedWork, Pictures
from live.game_table import ANSWERED_S, FRAME_S, Table

START_S = 1790000000.0
PEOPLE, COMPUTERS = 3, 2
PATIENCE_S = 25.0  # so long after a hand has left, somebody taps what the camera has not seen
# Still stretches are skipped so long after a movement, until so long before the next one.
STILL_S, AHEAD_S, AFTER_S = 0.8, 0.4, 30.0
HANDS_FRAME_S = 0.5
GAMES = (("usa", "lively"), ("europe", "lively"), ("newyork", "lively"), ("usa", "composed"))


class Recorded:
    """A player whose moves are kept."""

    def __init__(self, player: Bot, moves: list[tuple[str, Move]]) -> None:
        self._player, self._moves = player, moves

    def move(self, view: SeatView) -> Move:
        """Choose a move."""
        move = self._player.move(view)
        self._moves.append((view.colour, move))
        return move


class SeededChance(Chance):
    """The luck of a seed, which remembers what was turned over."""

    def __init__(self, shuffles: Shuffles) -> None:
        super().__init__(lambda several: several[0])
        self._shuffles = shuffles

    def card(self, deck: Cards) -> str:
        """Turn over a card."""
        self.turned.append(self._shuffles.card(deck))
        return self.turned[-1]

    def ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Draw a ticket."""
        self.drawn.append(self._shuffles.ticket(deck))
        return self.drawn[-1]


def play_recorded(
    edition: Edition, board: Board, seed: int
) -> tuple[PlayedGame, list[tuple[str, Move]]]:
    """Let bots play a game of five; return it, and every move with its player's colour."""
    rng = np.random.default_rng(seed)
    count = min(PEOPLE + COMPUTERS, edition.players[1])
    order = np.random.default_rng([seed, 5]).permutation(len(edition.colours))
    seats = tuple(Seat(edition.colours[i]) for i in order[:count])
    referee, moves = Referee(edition, board, seats, rng), list[tuple[str, Move]]()
    bots = {
        seat.colour: Recorded(Bot(seat.colour, own), moves)
        for seat, own in zip(seats, rng.spawn(len(seats)), strict=True)
    }
    deals, turns = play_by(referee, bots)
    return PlayedGame(edition, board, seats, deals, turns, referee.last_turns_by), moves


@dataclass
class Result:
    """What one game came to."""

    name: str
    claims: int = 0
    # What phones were offered to pay for that its player had not laid.
    offered: list[str] = field(default_factory=list)
    # What was tapped because the camera had not seen it.
    tapped: list[str] = field(default_factory=list)
    wrong_paid: list[str] = field(default_factory=list)
    questions: int = 0
    # By colour, the final score of the log and of the referee.
    scores: dict[str, tuple[int, int]] = field(default_factory=dict)
    events: int = 0
    took_s: float = 0.0

    @property
    def is_right(self) -> bool:
        """Whether the final score is the referee's."""
        return bool(self.scores) and all(ours == theirs for ours, theirs in self.scores.values())

    def row(self) -> str:
        """Return a line of figures."""
        return (
            f"{self.name:24} {self.claims:6} {len(self.wrong_paid):10} {len(self.offered):13}"
            f" {len(self.tapped):6} {self.questions:5} {self.events:6}"
            f" {'equal' if self.is_right else 'OTHER':>6} {self.took_s:6.0f}"
        )


HEAD = f"{'game':24} claims wrong-paid wrong-offered tapped asked events  score   took"


class Phones:
    """The script that plays everybody's moves, in their order, when the board allows it."""

    def __init__(
        self,
        table: Table,
        live: LiveTable,
        moves: Sequence[tuple[str, Move]],
        seed: int,
        result: Result,
    ) -> None:
        played = table.enactment.played
        self._table, self._live, self._result = table, live, result
        self._edition = played.edition
        self._computers = {p.colour for p in live.log.state.table.players if p.computer}
        self._seats = {p.colour: p.seat for p in live.log.state.table.players}
        self._moves = deque(moves)
        self._starts = {e.turn: e.t_s for e in table.enactment.events if e.kind == "turn"}
        self._left = {e.turn: e.t_s for e in table.enactment.events if e.kind == "hand left"}
        self._turn, self._turns = 0, played.turns
        self._shuffles = Shuffles(np.random.default_rng(seed), played.edition.tickets)

    @property
    def luck(self) -> SeededChance:
        """The luck of the next move."""
        return SeededChance(self._shuffles)

    def play(self, t_s: float) -> None:
        """Make every move that can be made now."""
        while self._moves:
            state = self._live.log.state
            dealing = state.table.dealing
            if dealing is None:
                return
            colour, move = self._moves[0]
            if dealing.is_choosing_first:
                self._make(colour, move)
                continue
            if t_s < self._starts.get(self._turn, np.inf) or not self._may(colour, move, t_s):
                return
            whose = state.table.turn
            self._make(colour, move)
            if self._live.log.state.table.turn != whose or self._live.log.state.table.ended:
                self._turn += 1

    def _may(self, colour: str, move: Move, t_s: float) -> bool:
        """Tell whether a payment is due: its pieces are seen, or it needs none to be seen."""
        if not isinstance(move, Pay):
            return True
        is_left = isinstance(self._turns[self._turn].action, TunnelLeft)
        if colour in self._computers or is_left:
            return True
        table = self._live.log.state.table
        if table.unpaid.get(move.spot) == colour:
            return True
        left_s = self._left.get(self._turn, self._starts[self._turn])
        if t_s < left_s + PATIENCE_S:
            return False
        self._result.tapped.append(f"{t_s:7.1f} {move.spot.key} {colour}")
        return True

    def _make(self, colour: str, move: Move) -> None:
        self._moves.popleft()
        seat = self._seats[colour]
        luck = self.luck
        self._live.write(move_facts(self._live.log.state, seat, move, luck=luck))


def play(
    table: Table, moves: Sequence[tuple[str, Move]], seed: int, name: str, *, tell: bool
) -> Result:
    """Play a game before a live table."""
    result, began = Result(name), time.process_time()
    work, pictures = ClockedWork(lambda fn: 0.4), Pictures()
    played = table.enactment.played
    players = tuple(
        Player(f"seat-{seat.colour}", seat.colour, computer="hard" if i >= PEOPLE else "")
        for i, seat in enumerate(played.seats)
    )
    rules = house_rules_of(played.edition)
    started = GameStarted(played.edition.id, players, house_rules=rules, cards="phones")
    asked: dict[Spot, float] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        GameStore(Path(folder)).create(started, START_S) as log,
    ):
        live = LiveTable(
            log,
            cast(Grabber, pictures),
            table.profile,
            clock=lambda: START_S + work.now_s,
            work=work,
        )
        phones = Phones(table, live, moves, seed, result)
        live.write(dealing_facts(log.state.table, phones.luck))
        until_s, seen = table.enactment.duration_s + AFTER_S, set[Spot]()
        for number, t_s in enumerate(_moments(table, live, work, until_s), start=1):
            work.tick(t_s)
            pictures.frame = Frame(table.picture_at(t_s), t_s, number)
            phones.play(t_s)
            live.turn()
            truth, state = table.truth(t_s), live.log.state.table
            for spot, colour in state.unpaid.items():
                if spot not in seen and truth.get(spot) != colour:
                    result.offered.append(f"{t_s:7.1f} {spot.key} {colour}")
                seen.add(spot)
            open_ = {question.spot for question in live.view.questions}
            result.questions += sum(spot not in asked for spot in open_)
            asked = {spot: asked.get(spot, t_s) for spot in open_}
            for spot in [s for s, since_s in asked.items() if t_s >= since_s + ANSWERED_S]:
                live.do(Correct(spot, truth.get(spot)))
            if tell and number % 200 == 0:
                print(f"{t_s:7.1f} {len(state.claims)} claims", flush=True)
        phones.play(np.inf)
        end = log.state
        result.events = len(end.events)
        standing = end.table.full_score.standing
        result.scores = {
            one.colour: (standing[one.colour].total, one.total) for one in played.standing.players
        }
        final = played.position_after(len(played.turns))
        result.claims = len(end.table.payments)
        claimed = {**spots_of("route", final.claims), **spots_of("site", final.sites)}
        result.wrong_paid = [
            f"{spot.key} {colour}"
            for spot, colour in end.table.owned.items()
            if spot.kind != "station" and claimed.get(spot) != colour
        ]
    result.took_s = time.process_time() - began
    return result


def _moments(table: Table, live: LiveTable, work: ClockedWork, until_s: float) -> Iterator[float]:
    """Yield the times of frames: every tenth of a second while something is under way."""
    starts, t_s, moved_s = table.moments(), 0.0, 0.0
    while t_s < until_s and not (live.log.state.table.ended and t_s > table.enactment.duration_s):
        yield t_s
        t_s = round(t_s + (FRAME_S if table.is_still_at(t_s) else HANDS_FRAME_S), 1)
        ahead = starts[np.searchsorted(starts, t_s) :]
        next_s = float(ahead[0]) if len(ahead) else until_s
        if not table.is_still_at(t_s) or next_s - t_s < AHEAD_S:
            moved_s = t_s
        is_quiet = work.is_idle and not live.view.questions
        is_quiet = is_quiet and live.view.sight.state is WatchState.SETTLED
        if is_quiet and t_s < table.enactment.duration_s and t_s - moved_s > STILL_S:
            t_s = round(max(t_s, min(next_s, until_s) - AHEAD_S), 1)


def _play_one(edition_name: str, kind: str, seed: int, options: argparse.Namespace) -> Result:
    edition, size_wh = load_edition(edition_name), tuple(options.size)
    if options.trains:
        edition = edition.with_house_rules({"trains": min(options.trains, edition.trains)})
    board = load_board(edition.board)
    name = f"{edition_name} {kind} {seed}"
    if kind == "composed":
        recorded: list[tuple[str, Move]] = []

        def play_on(shown: Board) -> PlayedGame:
            played, moves = play_recorded(edition, shown, seed)
            recorded.extend(moves)
            return played

        table = Table.composed(edition, seed, size_wh, play_on)
        return play(table, recorded, seed, name, tell=options.tell)
    played, moves = play_recorded(edition, board, seed)
    game = lively_game(edition, board, seed, size_wh, played)
    return play(Table.of_game(game, edition), moves, seed, name, tell=options.tell)


def main(argv: Sequence[str] | None = None) -> int:
    """Play games and print a line for each, then all together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--edition", help="this one only")
    parser.add_argument("--kind", choices=("lively", "composed"))
    parser.add_argument("--seed", type=int, default=2000, help="of the first game")
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 720))
    parser.add_argument("--trains", type=int, help="of each player, for shorter games")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no game after that")
    parser.add_argument("--tell", action="store_true", help="print how far it is")
    options = parser.parse_args(argv)
    kinds = [
        (edition, kind)
        for edition, kind in GAMES
        if options.edition in (None, edition) and options.kind in (None, kind)
    ] or [(options.edition or "usa", options.kind or "lively")]
    began = time.monotonic()
    print(HEAD, flush=True)
    right = games = 0
    for i in range(options.games):
        if time.monotonic() - began > 60 * options.minutes:
            break
        edition, kind = kinds[i % len(kinds)]
        result = _play_one(edition, kind, options.seed + i, options)
        games, right = games + 1, right + result.is_right
        print(result.row())
        for title in ("wrong_paid", "offered", "tapped"):
            for words in getattr(result, title):
                print(f"    {title}: {words}")
        if not result.is_right:
            print(f"    scores: {result.scores}")
        sys.stdout.flush()
    print(f"{right} of {games} games end with the referee's score")
    return 0


if __name__ == "__main__":
    sys.exit(main())

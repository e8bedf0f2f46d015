"""Cards on phones during a game before a camera: all players' moves in order.

Three people and two computers play. A person pays for what the camera says they laid, as soon as it
is their turn; what a computer claims is paid first, and laid then. What the camera has not seen for
`TAP_AFTER_S` is tapped on the map, and counted. The decks are shuffled by the game's seed, so that
the log's game is the one that was played: its final score has to be the played game's.
"""

from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.dealing.moves import LeaveTunnel, Move, Pay
from railspotter.scoring.edition import Edition, load_edition
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.position import Seat
from railspotter.scoring.spot import Spot, spots_of
from railspotter.simulation.played_game import PlayedGame, play_game, seeded_luck
from railspotter.simulation.virtual_game import lively_game
from railspotter.table.game_log.card_facts import RecordingChance
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.card_play import dealing_facts, move_facts
from railspotter.table.live_table.commands import AddFacts
from railspotter.table.live_table.live_table import LiveTable

from live.games import GameScene

PEOPLE, COMPUTERS = 3, 2
TAP_AFTER_S = 25.0  # so long after a hand has left, somebody taps what the camera has not seen


def play_game_of_five(edition: Edition, board: Board, seed: int) -> PlayedGame:
    """Let computers play a game of five."""
    count = min(PEOPLE + COMPUTERS, edition.players[1])
    order = np.random.default_rng([seed, 5]).permutation(len(edition.colours))
    return play_game(edition, board, [Seat(edition.colours[i]) for i in order[:count]], seed)


def make_card_scene(edition: Edition, kind: str, seed: int, size_wh: tuple[int, int]) -> GameScene:
    """Return a game of five with cards before a camera."""
    if kind == "composed":
        play_on = partial(play_game_of_five, edition, seed=seed)
        scene = GameScene.compose(edition, seed, size_wh, play_on)
    else:
        board = load_board(edition.board)
        game = lively_game(edition, board, seed, size_wh, play_game_of_five(edition, board, seed))
        scene = GameScene.from_game(game, edition)
    return replace(scene, watch_after_s=30.0, ends_game=False)


def card_game_start(scene: GameScene) -> GameStarted:
    """Return the start of a game with cards on phones."""
    played = scene.enactment.played
    players = tuple(
        Player(f"seat-{seat.colour}", seat.colour, computer="hard" if i >= PEOPLE else "")
        for i, seat in enumerate(played.start.seats)
    )
    shipped = load_edition(played.start.edition.id)
    rules = {"trains": played.start.edition.trains} if played.start.edition != shipped else {}
    return GameStarted(played.start.edition.id, players, house_rules=rules, cards="phones")


@dataclass
class CardResult:
    """The result of a game's cards."""

    # What phones were offered to pay for that its player had not laid.
    offered: list[str] = field(default_factory=list)
    # What was tapped because the camera had not seen it.
    tapped: list[str] = field(default_factory=list)
    wrong_paid: list[str] = field(default_factory=list)
    # By colour, the final score of the log and of the played game.
    scores: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def is_right(self) -> bool:
        """Whether the final score is the played game's."""
        return all(ours == theirs for ours, theirs in self.scores.values())


class CardPhones:
    """Makes all players' moves in their order, as soon as the board allows each."""

    def __init__(self, scene: GameScene, log: GameLog, seed: int, result: CardResult) -> None:
        played = scene.enactment.played
        self._scene, self._log, self._result = scene, log, result
        self._computers = {p.colour for p in log.state.table.players if p.computer}
        self._seats = {p.colour: p.seat for p in log.state.table.players}
        self._moves = deque((made.colour, made.move) for made in played.moves)
        self._starts = dict(enumerate(scene.enactment.turn_starts_s))
        self._left = {e.turn: e.t_s for e in scene.events() if e.kind == "hand left"}
        self._turn, self._turns = 0, played.turns
        self._seen = set[Spot]()
        self._choice = seeded_luck(seed).choice
        # As in the played game, and before a live table deals.
        dealt = dealing_facts(log.state.table, RecordingChance(self._choice))
        log.append(dealt, log.state.events[0].at_s)

    def make_possible_moves(self, live: LiveTable, t_s: float) -> None:
        """Make every move that is possible now."""
        while self._moves:
            state = self._log.state
            dealing = state.table.dealing
            if dealing is None:
                return
            colour, move = self._moves[0]
            if dealing.is_choosing_first:
                self._make_move(live, colour, move)
                continue
            if t_s < self._starts.get(self._turn, np.inf) or not self._is_due(colour, move, t_s):
                return
            whose = state.table.turn
            self._make_move(live, colour, move)
            if self._log.state.table.turn != whose or self._log.state.table.ended:
                self._turn += 1

    def _is_due(self, colour: str, move: Move, t_s: float) -> bool:
        """Tell whether a payment is due: its pieces are visible, or need not be."""
        if not isinstance(move, Pay):
            return True
        is_left = isinstance(self._turns[self._turn].move, LeaveTunnel)
        if colour in self._computers or is_left:
            return True
        table = self._log.state.table
        if table.unpaid.get(move.spot) == colour:
            return True
        left_s = self._left.get(self._turn, self._starts[self._turn])
        if t_s < left_s + TAP_AFTER_S:
            return False
        self._result.tapped.append(f"{t_s:7.1f} {move.spot.key} {colour}")
        return True

    def _make_move(self, live: LiveTable, colour: str, move: Move) -> None:
        self._moves.popleft()
        luck = RecordingChance(self._choice)
        live.execute(AddFacts(move_facts(self._log.state, self._seats[colour], move, luck=luck)))

    def record_offers(self, t_s: float) -> None:
        """Record payments that phones are offered for routes without their player's trains."""
        truth = self._scene.truth(t_s)
        for spot, colour in self._log.state.table.unpaid.items():
            if spot not in self._seen and truth.get(spot) != colour:
                self._result.offered.append(f"{t_s:7.1f} {spot.key} {colour}")
            self._seen.add(spot)

    def compare_scores(self, live: LiveTable) -> None:
        """Make the last moves, and compare the final scores."""
        self.make_possible_moves(live, np.inf)
        played, end = self._scene.enactment.played, self._log.state.table
        standing = end.full_score.standing
        self._result.scores = {
            one.colour: (standing[one.colour].total, one.total)
            for one in final_score(played.end).players
        }
        final = played.end
        claimed = {**spots_of("route", final.claims), **spots_of("site", final.sites)}
        self._result.wrong_paid = [
            f"{spot.key} {colour}"
            for spot, colour in end.owned.items()
            if spot.kind != "station" and claimed.get(spot) != colour
        ]

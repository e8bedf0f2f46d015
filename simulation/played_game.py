"""Whole games between computer players, move by move, with all cards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, takewhile
from random import Random
from typing import Any, Protocol

from railspotter.scoring.board import Board
from railspotter.scoring.dealing.claims import may_claim
from railspotter.scoring.dealing.dealing import Dealing, SeatView, first_dealing, view_of
from railspotter.scoring.dealing.moves import KeepTickets, Move, MoveError, PassTurn, Pay, PayMore
from railspotter.scoring.dealing.rules import ends_turn, every_spot, play
from railspotter.scoring.dealing.stacks import Chance, Luck
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.legality import position_problems
from railspotter.scoring.position import LastTurns, Position, Seat, low_stocks, seats_of
from railspotter.scoring.sentence import together
from railspotter.scoring.spot import Spot

from .computer_players.last_turn import with_spot
from .computer_players.strengths import computer_player

STRENGTH = "medium"  # of computer players by default


class Player(Protocol):
    """The interface of a player: a computer, or a script."""

    def move(self, view: SeatView) -> Move:
        """Choose the next move from the seat's view."""


def seeded_luck(seed: int) -> Chance[Any]:
    """Return a `Luck` that is reproducible for the same seed and decks.

    >>> sorted({seeded_luck(seed).draw_card({"red": 1, "blue": 1}) for seed in range(9)})
    ['blue', 'red']
    """
    return Chance(Random(seed).choice)  # noqa: S311


@dataclass(frozen=True)
class PlayedMove:
    """A move, with the position and all cards after it."""

    colour: Colour  # the player's
    move: Move
    position: Position = field(repr=False)  # with everybody's tickets
    dealing: Dealing = field(repr=False)  # all cards, by the players' colours
    laid: Spot | None = None  # the spot that it claimed
    is_first: bool = False  # whether it chooses the first tickets, before the first turn
    ends_turn: bool = False


def play_move(
    position: Position, dealing: Dealing, colour: Colour, move: Move, luck: Luck
) -> PlayedMove:
    """Apply a player's move; raises `MoveError` for an illegal one."""
    after = play(position, dealing, colour, colour, move, luck)
    laid: Spot | None = None
    match move:
        case KeepTickets(tickets=kept):
            offered = {ticket.ends: ticket for ticket in dealing.offered[colour]}
            new = (offered[frozenset((ticket.a, ticket.b))] for ticket in kept)
            held = position.tickets.get(colour, ())
            position = replace(position, tickets={**position.tickets, colour: (*held, *new)})
        case Pay() if after.tunnel is None:
            laid = move.spot
        case PayMore() if dealing.tunnel:
            laid = Spot("route", dealing.tunnel.route)
    if laid is not None:
        position = with_spot(position, colour, laid)
    is_over = ends_turn(dealing, move, after)
    return PlayedMove(colour, move, position, after, laid, dealing.is_choosing_first, is_over)


@dataclass(frozen=True)
class PlayedGame:
    """A whole game on a board."""

    start: Position  # before anybody has tickets
    moves: tuple[PlayedMove, ...] = field(repr=False)  # the choice of the first tickets included

    @cached_property
    def turns(self) -> tuple[PlayedMove, ...]:
        """The last move of every turn, with the position after the turn."""
        return tuple(made for made in self.moves if made.ends_turn)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before the first turn, with the first tickets, and after each turn."""
        first = self.start
        for made in takewhile(lambda made: made.is_first, self.moves):
            first = made.position
        return first, *(turn.position for turn in self.turns)

    @property
    def end(self) -> Position:
        """The final position."""
        return self.positions[-1]


def play_game(
    edition: Edition,
    board: Board,
    players: int | Sequence[Seat],
    seed: int = 0,
    chosen: Mapping[Colour, Player] | None = None,
) -> PlayedGame:
    """Play a game from the first deal to the last turn.

    `players` are seats, or a number of players with random colours. `chosen` has the player of
    each colour; by default they are computers. Raises `MoveError` for a number of players that
    the edition does not allow, or an illegal move.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> game = play_game(load_edition("newyork"), load_board("newyork"), 2, seed=5)
    >>> game.end.trains_left(game.end.last_turns.by) <= 2
    True
    >>> [turn.position.last_turns is None for turn in game.turns[-3:]]
    [True, False, False]
    """
    if isinstance(players, int):
        players = seats_of(Random(seed).sample(edition.colours, players))  # noqa: S311
    start = Position(edition, board, tuple(players))
    if problems := position_problems(start):
        raise MoveError(together([problem.what for problem in problems]))
    if chosen is None:
        chosen = {c: computer_player(STRENGTH, seed * 10 + i) for i, c in enumerate(start.colours)}
    luck = seeded_luck(seed)
    dealing = first_dealing(edition, board, start.colours, luck)
    return PlayedGame(start, tuple(play_moves(start, dealing, chosen, luck)))


def play_moves(
    position: Position, dealing: Dealing, players: Mapping[Colour, Player], luck: Luck
) -> Iterator[PlayedMove]:
    """Play a game after the first deal, and yield each move.

    A game ends after everyone's last turn. Before the last turns it also ends when nobody can claim
    a route any more, or when everyone has passed in turn; the rulebooks do not cover this.
    """
    order, passed = position.colours, 0

    def made_by(colour: Colour) -> PlayedMove:
        view = view_of(position, dealing, {colour: colour for colour in order}, colour)
        return play_move(position, dealing, colour, players[colour].move(view), luck)

    for colour in order:
        if colour in dealing.offered:
            yield (made := made_by(colour))
            position, dealing = made.position, made.dealing
    for number in count():
        if (waiting := position.waiting) is None:
            # Everyone has a last turn, even when nothing can be claimed.
            if passed == len(order) or not _can_anyone_claim(position):
                return
            waiting = order[number % len(order) :]
        if not waiting:
            return
        is_over = False
        while not is_over:
            yield (made := made_by(waiting[0]))
            position, dealing, is_over = made.position, made.dealing, made.ends_turn
        passed = passed + 1 if isinstance(made.move, PassTurn) else 0
        if (last := position.last_turns) is not None:
            position = replace(position, last_turns=LastTurns(last.by, last.turns_since + 1))
        elif waiting[0] in low_stocks(position):
            position = replace(position, last_turns=LastTurns(waiting[0]))


def _can_anyone_claim(position: Position) -> bool:
    """Tell whether anybody can still claim a route or a site."""
    return any(
        may_claim(position, colour, spot)
        for spot in every_spot(position)
        if spot.kind != "station"
        for colour in position.colours
    )

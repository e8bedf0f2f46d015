"""Games whose cards are dealt to phones, in memory: every fact is checked as a log checks it."""

import random
from collections import Counter
from dataclasses import dataclass

from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.dealing.moves import Move, Pay
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import load_edition, ticket_deck
from railspotter.simulation.computer_players.computer_player import ComputerPlayer
from railspotter.simulation.computer_players.strengths import computer_player
from railspotter.table.game_log.card_facts import RecordingChance
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.card_play import dealing_facts, move_facts, seat_view
from railspotter.table.live_table.course import follow_up_facts

SHORT = {"trains": 12}  # a game of a few rounds


def started(edition: str, seats: int, *, computers: bool = False, **rules: int) -> GameStarted:
    """The start of a game with cards on phones; seats are called by their colours."""
    colours = load_edition(edition).colours[:seats]
    computer = "easy" if computers else ""
    players = tuple(Player(c, c, c.title(), computer=computer) for c in colours)
    return GameStarted(edition, players, house_rules=rules or SHORT, cards="phones")


def cards_are_whole(table: TableState, *, is_between: bool = False) -> bool:
    """Whether every train card and every ticket of the game is somewhere, and only once."""
    dealing = table.dealing
    if dealing is None:
        return table.put_away
    tickets = Counter(
        ticket.ends
        for there in (dealing.tickets, dealing.beneath, dealing.long, *dealing.offered.values())
        for ticket in there
    )
    tickets += Counter(held.ends for hand in table.tickets.values() for held in hand)
    deck = Counter(ticket.ends for ticket in ticket_deck(table.edition, table.board))
    some_leave = table.edition.returned_first_tickets == "out of the game"
    is_whole = tickets <= deck if some_leave or is_between else tickets == deck
    return is_whole and dealing.all_cards == cards_of(table.edition)


@dataclass
class DealtGame:
    """A game that computers play, move by move, as people's phones would."""

    game: GameState
    seed: int = 1

    @staticmethod
    def of(start: GameStarted, seed: int = 1) -> "DealtGame":
        """A game that was dealt just now."""
        dealt = DealtGame(begin(Event(1, 0.0, start)), seed)
        dealt.say(*dealing_facts(dealt.table, RecordingChance(random.Random(seed).choice)))
        return dealt

    @property
    def table(self) -> TableState:
        return self.game.table

    def say(self, *facts: Fact) -> None:
        """Write facts down, and what follows from them."""
        for fact in facts:
            fact.check(self.table)
            self.game = self.game.after(Event(len(self.game.events) + 1, 0.0, fact))
            assert cards_are_whole(self.table, is_between=True), fact
        assert cards_are_whole(self.table), facts
        if follow_up := follow_up_facts(self.game):
            self.say(*follow_up)

    def luck(self) -> RecordingChance:
        """Chance that is the same whenever a seed's game has come so far."""
        return RecordingChance(random.Random(self.seed * 10_007 + len(self.game.events)).choice)

    def view(self, seat: str) -> SeatView:
        return seat_view(self.table, seat)

    def move(self, seat: str, move: Move, *, lies_there: bool = True) -> None:
        """Let somebody make a move."""
        self.say(*move_facts(self.game, seat, move, lies_there=lies_there, luck=self.luck()))

    def bot(self, seat: str) -> ComputerPlayer:
        number = [one.seat for one in self.table.players].index(seat)
        return computer_player("medium", self.seed * 7 + number)

    def computer_to_move(self) -> str | None:
        """Who has to move now."""
        dealing = self.table.dealing
        if dealing is None or self.table.ended:
            return None
        return next(iter(dealing.offered), self.table.turn)

    def step(self) -> tuple[str, Move]:
        """Let whoever is waited for make a move."""
        seat = self.computer_to_move()
        assert seat is not None
        move = self.bot(seat).move(self.view(seat))
        self.move(seat, move)
        return seat, move

    def play(self, moves: int = 10_000) -> "DealtGame":
        """Play on, to the end or for so many moves."""
        for _ in range(moves):
            if self.computer_to_move() is None:
                break
            self.step()
        return self


def after_a_claim(edition: str = "usa", seats: int = 2, seed: int = 1) -> tuple[DealtGame, Pay]:
    """A game in which somebody has just claimed a route."""
    game = DealtGame.of(started(edition, seats, trains=45), seed)
    while True:
        _, move = game.step()
        assert game.table.dealing is not None
        if isinstance(move, Pay) and move.kind == "route" and game.table.dealing.tunnel is None:
            return game, move

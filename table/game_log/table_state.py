"""What is known of a game at one moment: who plays, what lies on the board, who holds what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from railspotter.scoring.answer import GameScore, game_score
from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId, load_board
from railspotter.scoring.dealing.dealing import Dealing
from railspotter.scoring.edition import Colour, Edition, Ticket, load_edition
from railspotter.scoring.game import BoardGame, TicketText, parse_ticket
from railspotter.scoring.game import Player as GamePlayer
from railspotter.scoring.legality import Problem
from railspotter.scoring.position import LastTurns, Position, Seat
from railspotter.scoring.spot import Kind, Spot, of_kind

if TYPE_CHECKING:
    from .course_facts import GameStarted
    from .facts import By, SeatId
    from .people_facts import Player

# What the problems of these kinds are about, that name no routes.
HELD: dict[str, Kind] = {"stations": "station", "site_before_station": "site"}


@dataclass(frozen=True, slots=True)
class SpotState:
    """What stands on a spot of the board, and who says so."""

    colour: Colour | None  # whose pieces; None for a spot that is known to be free
    # `person` when it is held by hand: what a camera says of the spot then does not count, until it
    # has seen the spot change.
    by: By
    event: int  # the event that said so
    at_s: float  # when that was
    sure: float = 1.0  # how sure it was, 0 to 1

    @property
    def is_by_hand(self) -> bool:
        """Whether a person said so."""
        return self.by == "person"


@dataclass(frozen=True, slots=True)
class HeldTicket:
    """A ticket in a player's hand, or `revealed` to everyone."""

    ticket: TicketText
    revealed: bool = False

    @property
    def ends(self) -> frozenset[PlaceId]:
        """Both places, in no order."""
        return frozenset((self.ticket.a, self.ticket.b))


@dataclass(frozen=True, slots=True)
class Payment:
    """What a seat paid for a spot: cards by colour."""

    seat: SeatId
    cards: Mapping[str, int]


@dataclass(frozen=True)
class TableState:
    """A game at one moment."""

    started: GameStarted  # how it began; its house rules are those that hold now
    name: str
    players: tuple[Player, ...]  # in turn order
    left: frozenset[SeatId] = frozenset()  # the seats whose players take no more turns
    # What is known of the routes, stations and sites; one that nobody said anything of is missing.
    spots: Mapping[Spot, SpotState] = field(default_factory=dict)
    # Whose trains of colours are that no player has: the player's colour, None for nobody's.
    assigned: Mapping[Colour, Colour | None] = field(default_factory=dict)
    # Accessible edition: route id to the space that carries its pin.
    pins: Mapping[RouteId, int] = field(default_factory=dict)
    # By seat. Unrevealed ones are that player's secret.
    tickets: Mapping[SeatId, tuple[HeldTicket, ...]] = field(default_factory=dict)
    # By seat, the number where the score marker was last compared.
    markers: Mapping[SeatId, int] = field(default_factory=dict)
    turn: SeatId | None = None  # the seat whose turn it is, where that is known
    last_turns_by: SeatId | None = None  # the seat whose turn brought the last turns
    paused: bool = False
    # Whether the board was put away; then it is paused, too, until the board is rebuilt.
    packed_away: bool = False
    ended: bool = False
    counted: bool = False  # whether the points of a game that has ended were counted
    # The cards, where they are dealt to phones. Everybody's secret.
    dealing: Dealing | None = field(default=None, repr=False)
    # What was paid for with them.
    payments: Mapping[Spot, Payment] = field(default_factory=dict, repr=False)
    # Whether the cards were dealt to phones, and the game goes on with cards on the table.
    put_away: bool = False

    @classmethod
    def at_start(cls, started: GameStarted) -> TableState:
        """Return the state of a game that began just now."""
        return cls(started, started.name, started.players)

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.started.board or load_board(load_edition(self.started.edition).board)

    @cached_property
    def edition(self) -> Edition:
        """The rules that are played by, house rules and all."""
        return load_edition(self.started.edition).with_house_rules(self.started.house_rules)

    @property
    def held(self) -> dict[Spot, Colour]:
        """Whose pieces stand on a spot; free ones are not listed."""
        return {spot: at.colour for spot, at in self.spots.items() if at.colour is not None}

    @property
    def owned(self) -> dict[Spot, Colour]:
        """What is whose by the rules: what lies there, or with cards on phones what is paid for."""
        if self.dealing is None:
            return self.held
        colours = {player.seat: player.colour for player in self.players}
        return {
            spot: colours[paid.seat] for spot, paid in self.payments.items() if paid.seat in colours
        }

    @property
    def unpaid(self) -> dict[Spot, Colour]:
        """What lies on the board and is not that player's by the rules."""
        owned = self.owned
        return {spot: whose for spot, whose in self.held.items() if owned.get(spot) != whose}

    @property
    def to_lay(self) -> dict[Spot, Colour]:
        """What is paid for and does not lie on the board."""
        held = self.held
        return {spot: whose for spot, whose in self.owned.items() if held.get(spot) != whose}

    def pieces_on(self, spot: Spot) -> int:
        """Return how many pieces lie on a spot that somebody holds."""
        if spot.kind != "route" or self.edition.one_piece_a_route:
            return 1
        return self.board.route_by_id[spot.id].length

    def pieces_back(self, spot: Spot) -> int:
        """Return how many pieces go back in the box with a claim: the accessible edition's."""
        length = self.board.route_by_id[spot.id].length if spot.kind == "route" else 1
        return length - self.pieces_on(spot)

    @property
    def claims(self) -> dict[RouteId, Colour]:
        """Whose routes they are, in the order of the ids."""
        return dict(sorted(of_kind("route", self.owned).items()))

    @property
    def stations(self) -> dict[PlaceId, Colour]:
        """Whose station is at which place, in the order of the ids."""
        return dict(sorted(of_kind("station", self.owned).items()))

    @property
    def sites(self) -> dict[SiteId, Colour]:
        """Whose sites they are, in the order of the ids."""
        return dict(sorted(of_kind("site", self.owned).items()))

    @property
    def by_hand(self) -> frozenset[Spot]:
        """The spots that a person answers for: a camera's word for them does not count."""
        return frozenset(spot for spot, held in self.spots.items() if held.is_by_hand)

    @property
    def other_trains(self) -> dict[Colour, Colour | None]:
        """Who plays trains of colours that no player has, as far as people say so."""
        colours = {None, *(player.colour for player in self.players)}
        return {
            trains: colour
            for trains, colour in self.assigned.items()
            if trains not in colours and colour in colours
        }

    def player(self, seat: SeatId) -> Player | None:
        """Return who has that seat."""
        return next((player for player in self.players if player.seat == seat), None)

    def name_of(self, seat: SeatId) -> str:
        """Return what the player of a seat is called: by the name, or else by the colour."""
        player = self.player(seat)
        return (player.name or player.colour) if player else seat

    def seat_of(self, colour: Colour) -> SeatId | None:
        """Return the seat of who plays a colour."""
        return next((player.seat for player in self.players if player.colour == colour), None)

    @property
    def playing(self) -> tuple[SeatId, ...]:
        """The seats of those who take turns, in turn order."""
        return tuple(player.seat for player in self.players if player.seat not in self.left)

    def seat_after(self, seat: SeatId) -> SeatId:
        """Return whose turn comes after somebody's; there has to be somebody who takes turns."""
        seats = [player.seat for player in self.players]
        at = seats.index(seat) + 1
        return next(one for one in (*seats[at:], *seats[:at]) if one not in self.left)

    @property
    def unrevealed(self) -> int:
        """How many tickets are still secret."""
        return sum(not held.revealed for hand in self.tickets.values() for held in hand)

    def as_game(self, *, with_secrets: bool = True) -> BoardGame:
        """Return a game's text as it is now; `railspotter score` reads it.

        With secrets, tickets that are not revealed are in it.
        """
        colours = {player.seat: player.colour for player in self.players}
        tickets = {
            colours[seat]: tuple(held.ticket for held in hand if held.revealed or with_secrets)
            for seat, hand in self.tickets.items()
            if seat in colours
        }
        return msgspec.structs.replace(
            self.started.as_game(),
            players=tuple(
                GamePlayer(p.colour, p.name, p.shape, p.seat in self.left) for p in self.players
            ),
            claims=self.claims,
            tickets={colour: held for colour, held in tickets.items() if held},
            stations=self._stations_built,
            sites=self.sites,
            pins=dict(sorted(self.pins.items())),
            last_turns=self.last_turns,
            final=self.ended,
        )

    @property
    def last_turns(self) -> LastTurns | None:
        """Whose turn brought the last turns, once they have begun."""
        seats = [player.seat for player in self.players]
        colours = [player.colour for player in self.players]
        if self.last_turns_by not in seats:
            return None
        by = seats.index(self.last_turns_by)
        since = 0
        if self.ended:
            since = len(seats)
        elif self.turn in seats:
            since = (seats.index(self.turn) - by - 1) % len(seats)
        return LastTurns(colours[by], min(since, 10))

    @cached_property
    def position(self) -> Position:
        """The game that everyone may know: without tickets that are not revealed."""
        return Position(
            self.edition,
            self.board,
            tuple(Seat(player.colour, player.name) for player in self.players),
            self.claims,
            self._tickets_kept(with_secrets=False),
            self._stations_built,
            self.sites,
            frozenset(player.colour for player in self.players if player.seat in self.left),
            self.last_turns,
            self.ended,
        )

    @cached_property
    def full_position(self) -> Position:
        """The game with every ticket, as nobody at the table knows it before the end."""
        return self.position.with_tickets(self._tickets_kept(with_secrets=True))

    def _tickets_kept(self, *, with_secrets: bool) -> dict[Colour, tuple[Ticket, ...]]:
        kept = {
            player.colour: tuple(
                parse_ticket(held.ticket, self.edition, self.board, "tickets")
                for held in self.tickets.get(player.seat, ())
                if held.revealed or with_secrets
            )
            for player in self.players
        }
        return {colour: tickets for colour, tickets in kept.items() if tickets}

    @property
    def _stations_built(self) -> dict[Colour, tuple[PlaceId, ...]]:
        """By colour; somebody may have come in, built, and been undone: such a one is nobody's."""
        colours, built = {player.colour for player in self.players}, dict[Colour, list[PlaceId]]()
        for place, colour in self.stations.items():
            if colour in colours:
                built.setdefault(colour, []).append(place)
        return {colour: tuple(places) for colour, places in built.items()}

    @cached_property
    def score(self) -> GameScore:
        """The standing so far, or the final score of a game that has ended, as everyone may know.

        It is computed once for each state, and counts no ticket that is not revealed.
        """
        said = game_score(self.position)
        if not self.unrevealed:
            return said
        # Who has shown few tickets may hold more.
        problems = tuple(p for p in said.problems if p.kind != "first_tickets")
        return replace(said, problems=problems)

    @cached_property
    def full_score(self) -> GameScore:
        """The score with tickets that are not revealed, which count when the game has ended."""
        return game_score(self.full_position) if self.unrevealed else self.score

    def occupied_spots_of(self, problem: Problem) -> tuple[Spot, ...]:
        """Return what lies on the board that a problem is about, the newest first.

        Whoever puts one of them right may have mended it.
        """
        kind, owned = HELD.get(problem.kind), self.owned
        spots = [Spot("route", route) for route in problem.routes]
        spots += [
            spot for spot, whose in owned.items() if spot.kind == kind and whose in problem.colours
        ]
        held = [spot for spot in spots if spot in owned and spot in self.spots]
        return tuple(sorted(held, key=lambda spot: -self.spots[spot].event))

    def without_turn(self, seat: SeatId | None) -> TableState:
        """Return the table when a turn is left where it was: for another one's, or a seat's."""
        dealing = self.dealing
        if dealing is None:
            return self
        if seat is not None and seat in dealing.offered:
            dealing = dealing.without_offer(seat)
        if seat is None or seat == self.turn:
            for name in () if dealing.is_first else tuple(dealing.offered):
                dealing = dealing.without_offer(name)
            dealing = replace(dealing, on_turn=None, drawn=(), refilled=None, tunnel=None)
        return replace(self, dealing=dealing)

    def with_cards_put_away(self) -> TableState:
        """Return the table when the game goes on with cards on the table."""
        return replace(self, dealing=None, put_away=True)

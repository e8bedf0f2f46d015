"""The state of a game at one moment: players, the board's spots, cards and tickets."""

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
from railspotter.scoring.legality import Problem, likely_wrong, refusal
from railspotter.scoring.position import LastTurns, Position, Seat
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot, of_kind

if TYPE_CHECKING:
    from .course_facts import GameStarted
    from .facts import By, SeatId
    from .people_facts import Player


@dataclass(frozen=True, slots=True)
class SpotState:
    """What stands on a spot of the board, and the source of that."""

    colour: Colour | None  # of the pieces; None for a free spot
    by: By  # a `person` outranks the camera until it has seen the spot change
    event: int  # the number of the event that set it
    at_s: float  # that event's time
    sure: float = 1.0  # the confidence, 0 to 1

    @property
    def is_by_hand(self) -> bool:
        """Whether a person set it."""
        return self.by == "person"


@dataclass(frozen=True, slots=True)
class HeldTicket:
    """A ticket in a player's hand, secret unless `revealed`."""

    ticket: TicketText
    revealed: bool = False

    @property
    def ends(self) -> frozenset[PlaceId]:
        """Both places."""
        return frozenset((self.ticket.a, self.ticket.b))


@dataclass(frozen=True, slots=True)
class Payment:
    """What a seat paid for a spot: cards by colour."""

    seat: SeatId
    cards: Mapping[str, int]


@dataclass(frozen=True)
class TableState:
    """The state of a game at one moment."""

    started: GameStarted  # the start; its house rules are the current ones
    name: str
    players: tuple[Player, ...]  # in turn order
    left: frozenset[SeatId] = frozenset()  # players who have left and take no more turns
    # The routes, stations and sites that there were facts about.
    spots: Mapping[Spot, SpotState] = field(default_factory=dict)
    # By a train colour that no player has: the colour of the player who uses it, None for nobody.
    assigned: Mapping[Colour, Colour | None] = field(default_factory=dict)
    # Accessible edition: route id to the space that carries its pin.
    pins: Mapping[RouteId, int] = field(default_factory=dict)
    # Unrevealed ones are secret.
    tickets: Mapping[SeatId, tuple[HeldTicket, ...]] = field(default_factory=dict)
    # The numbers where the score markers were last compared.
    markers: Mapping[SeatId, int] = field(default_factory=dict)
    turn: SeatId | None = None  # the player to move; None if unknown
    last_turns_by: SeatId | None = None  # the player whose turn started the last turns
    paused: bool = False
    # Whether the board was packed away; implies `paused`, until the board is rebuilt.
    packed_away: bool = False
    ended: bool = False
    counted: bool = False  # whether the final points were counted
    counted_at_s: float | None = None  # when that began; counts only if they were
    stocks_confirmed: bool = False  # whether people counted what is left, after a photo
    counts: bool = True  # whether the game counts for records and people's statistics
    # The cards, if dealt to phones. Secret.
    dealing: Dealing | None = field(default=None, repr=False)
    # The payments with them.
    payments: Mapping[Spot, Payment] = field(default_factory=dict, repr=False)
    # Whether the cards were on phones, and the game goes on with cards on the table.
    put_away: bool = False

    @property
    def standstill(self) -> Sentence:
        """Why nobody may make a move: the game is over or paused; empty if they may."""
        if self.ended:
            return Sentence("the game is over")
        if self.packed_away:
            return Sentence(
                "the game is packed away: go on with it when you lay the board out again"
            )
        if self.paused:
            return Sentence("the game is paused: no claim counts meanwhile")
        return NOTHING

    @property
    def board(self) -> Board:
        """The game's board."""
        return self.started.board or load_board(load_edition(self.started.edition).board)

    @cached_property
    def edition(self) -> Edition:
        """The game's rules, including house rules."""
        return load_edition(self.started.edition).with_house_rules(self.started.house_rules)

    @property
    def held(self) -> dict[Spot, Colour]:
        """The colour of the pieces on each occupied spot."""
        return {spot: at.colour for spot, at in self.spots.items() if at.colour is not None}

    @property
    def owned(self) -> dict[Spot, Colour]:
        """The owner's colour of each claimed spot; with cards on phones, claimed means paid."""
        if self.dealing is None:
            return self.held
        colours = {player.seat: player.colour for player in self.players}
        return {
            spot: colours[paid.seat] for spot, paid in self.payments.items() if paid.seat in colours
        }

    @property
    def unpaid(self) -> dict[Spot, Colour]:
        """The occupied spots that are not paid for."""
        owned = self.owned
        return {spot: whose for spot, whose in self.held.items() if owned.get(spot) != whose}

    @property
    def to_lay(self) -> dict[Spot, Colour]:
        """The spots that are paid for and not occupied."""
        held = self.held
        return {spot: whose for spot, whose in self.owned.items() if held.get(spot) != whose}

    def pieces_on(self, spot: Spot) -> int:
        """Return how many pieces a claim of a spot puts on the board."""
        if spot.kind != "route" or self.edition.one_piece_a_route:
            return 1
        return self.board.route_by_id[spot.id].length

    def pieces_back(self, spot: Spot) -> int:
        """Return how many pieces a claim puts back in the box, in the accessible edition."""
        length = self.board.route_by_id[spot.id].length if spot.kind == "route" else 1
        return length - self.pieces_on(spot)

    @property
    def claims(self) -> dict[RouteId, Colour]:
        """The claimed routes' colours, sorted by id."""
        return dict(sorted(of_kind("route", self.owned).items()))

    @property
    def stations(self) -> dict[PlaceId, Colour]:
        """The stations' colours by place, sorted by id."""
        return dict(sorted(of_kind("station", self.owned).items()))

    @property
    def sites(self) -> dict[SiteId, Colour]:
        """The claimed sites' colours, sorted by id."""
        return dict(sorted(of_kind("site", self.owned).items()))

    @property
    def by_hand(self) -> frozenset[Spot]:
        """The spots set by a person, which outrank the camera."""
        return frozenset(spot for spot, held in self.spots.items() if held.is_by_hand)

    @property
    def other_trains(self) -> dict[Colour, Colour | None]:
        """`assigned` without colours that have become a player's, or whose player has left."""
        colours = {None, *(player.colour for player in self.players)}
        return {
            trains: colour
            for trains, colour in self.assigned.items()
            if trains not in colours and colour in colours
        }

    def player(self, seat: SeatId) -> Player | None:
        """Return the player in a seat; None for an unknown seat."""
        return next((player for player in self.players if player.seat == seat), None)

    def name_of(self, seat: SeatId) -> str:
        """Return a player's name, else the colour."""
        player = self.player(seat)
        return (player.name or player.colour) if player else seat

    def seat_of(self, colour: Colour) -> SeatId | None:
        """Return the seat of a colour's player."""
        return next((player.seat for player in self.players if player.colour == colour), None)

    @property
    def playing(self) -> tuple[SeatId, ...]:
        """The seats of players who take turns, in turn order."""
        return tuple(player.seat for player in self.players if player.seat not in self.left)

    def seat_after(self, seat: SeatId) -> SeatId:
        """Return the next seat in turn order; somebody must still be playing."""
        seats = [player.seat for player in self.players]
        at = seats.index(seat) + 1
        return next(one for one in (*seats[at:], *seats[:at]) if one not in self.left)

    @property
    def unrevealed(self) -> int:
        """The number of secret tickets."""
        return sum(not held.revealed for hand in self.tickets.values() for held in hand)

    def as_game(self, *, with_secrets: bool = True) -> BoardGame:
        """Convert the state to a game's text; `with_secrets` includes unrevealed tickets."""
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
        """Whose turn started the last turns, and how many were taken; None before they begin."""
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
        return LastTurns(colours[by], since)

    @cached_property
    def position(self) -> Position:
        """The public position: without unrevealed tickets."""
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
        """The position with all tickets."""
        return replace(self.position, tickets=self._tickets_kept(with_secrets=True))

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
        """Stations by colour, without those of a player whose joining was undone."""
        colours, built = {player.colour for player in self.players}, dict[Colour, list[PlaceId]]()
        for place, colour in self.stations.items():
            if colour in colours:
                built.setdefault(colour, []).append(place)
        return {colour: tuple(places) for colour, places in built.items()}

    @cached_property
    def score(self) -> GameScore:
        """The public standing or final score, without unrevealed tickets."""
        score = game_score(self.position)
        if not self.unrevealed:
            return score
        # A player with few revealed tickets may hold more.
        problems = tuple(p for p in score.problems if p.kind != "first_tickets")
        return replace(score, problems=problems)

    @cached_property
    def full_score(self) -> GameScore:
        """The score with all tickets."""
        return game_score(self.full_position) if self.unrevealed else self.score

    @cached_property
    def sure(self) -> dict[Spot, float]:
        """How sure each spot is, as ranks: equally sure ones count the less the newer they are."""
        order = sorted(self.spots, key=lambda s: (self.spots[s].sure, -self.spots[s].event))
        return {spot: float(rank) for rank, spot in enumerate(order)}

    def occupied_spots_of(self, problem: Problem) -> tuple[Spot, ...]:
        """Return the occupied spots that a problem is about, the least sure and newest first.

        Correcting one of them may fix the problem.
        """
        lying = {spot: whose for spot, whose in self.owned.items() if spot in self.spots}
        return likely_wrong(problem, lying, self.sure)

    def refusal(
        self,
        way: Sentence,
        changes: Mapping[Spot, Colour | None] | None = None,
        sure: Mapping[Spot, float] | None = None,
    ) -> Sentence:
        """Return why the board, or changes of it, must not be believed, as `legality.refusal`.

        Of changes only players who gain a spot are judged: a wrong board is put right in steps.
        """
        held = self.held
        now = {spot: colour for spot, colour in {**held, **(changes or {})}.items() if colour}
        gained = {c for spot, c in now.items() if changes is None or held.get(spot) != c}
        return refusal(self.position, now, gained, sure or self.sure, way)

    def without_turn(self, seat: SeatId | None) -> TableState:
        """Drop the unfinished turn with cards of a seat, or of whoever's turn it is."""
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
        """Return the table for going on with cards on the table instead of on phones."""
        return replace(self, dealing=None, put_away=True)

"""Fast rollouts: plays a short game to its end with a simple policy, in under a millisecond.

Only routes, tickets and attractions score, and players draw no tickets; `can_search` tells for
which games that is enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from railspotter.scoring.board import PlaceId, Route, RouteId
from railspotter.scoring.card_game.tickets import LOCOMOTIVE, Cards
from railspotter.scoring.card_game.turns import must_flush
from railspotter.scoring.dealing.claims import GREY
from railspotter.scoring.dealing.moves import DrawCard, Pay
from railspotter.scoring.edition import Ticket
from railspotter.scoring.position import Position

from .estimates import USEFUL_CARDS
from .open_board import are_connected, cheapest_way, links_of

# With more trains a game is too long for dozens of rollouts a move. Chosen.
MOST_TRAINS = 20
CLAIM = 1.5  # Cost of a claim on a ticket's path besides its trains, in trains. Chosen.
# Cost in points of each train and each claim that a ticket still needs. Chosen.
TICKET_TRAIN, TICKET_CLAIM = 0.9, 0.6
LEAST_TICKET = -3.0  # Least value of an optional ticket that is kept. Chosen.
# Number of routes that are planned without tickets.
EXTRA_ROUTES = 3
HELD = 0.3  # Cost of a card in the hand, in cards to be drawn: another route could use it.
# Value of an open card for a grey route, if its colour is in the hand; the increase for each card
# in the hand; and the value from which an open card is better than the deck's. Chosen.
GREY_CARD, GREY_CARD_EACH, LEAST_OPEN = 0.3, 0.2, 0.35


def can_search(position: Position) -> bool:
    """Tell whether a game is short enough for rollouts and scores only what they know.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Seat
    >>> seats = Seat("blue"), Seat("white")
    >>> [can_search(Position(load_edition(name), load_board(name), seats))
    ...  for name in ("newyork", "usa", "europe")]
    [True, False, False]
    """
    edition = position.edition
    has_more = (
        edition.stations
        or edition.longest_path_bonus
        or edition.globetrotter_bonus
        or edition.site_points
        or edition.modes
    )
    is_plain = not any(route.tunnel or route.ferry_locomotives for route in position.board.routes)
    return edition.trains <= MOST_TRAINS and not has_more and is_plain


@dataclass(slots=True)
class QuickPlayer:
    """One player of a quick game."""

    hand: dict[str, int]
    trains: int  # the stock
    # the claimed routes, and those that the player cannot claim any more
    own: set[RouteId]
    closed: set[RouteId]
    # for each place of the network the representative of its connected component
    part: dict[PlaceId, PlaceId]
    tickets: tuple[Ticket, ...] = ()
    points: float = 0.0  # of routes and attractions
    # the routes to claim, the highest priority first; None if it must be computed again
    plan: list[RouteId] | None = None
    is_for_tickets: bool = False  # whether the plan serves tickets

    def copy(self) -> "QuickPlayer":
        """Return a copy of the player."""
        return replace(
            self,
            hand=dict(self.hand),
            own=set(self.own),
            closed=set(self.closed),
            part=dict(self.part),
        )

    def is_done(self, ticket: Ticket) -> bool:
        """Tell whether the player's network completes a ticket."""
        return are_connected(self.part, ticket.a, ticket.b)


class QuickGame:
    """The state of a short game, with all cards and tickets known."""

    def __init__(self, position: Position, seat: int, turns_left: int | None = None) -> None:
        edition, board = position.edition, position.board
        self.edition, self.board = edition, board
        self._are_lanes_open = position.are_lanes_open
        self._points = {r.id: float(edition.route_points.get(r.length, 0)) for r in board.routes}
        self._sights = {p.id: edition.attraction_points * int(p.attraction) for p in board.places}
        self._links = links_of((route, route.length + CLAIM) for route in board.routes)
        self.players: Sequence[QuickPlayer] = [
            QuickPlayer({}, edition.trains, set(), set(), {}) for _ in position.seats
        ]
        self.seat = seat
        self.deck: list[str] = []  # of train cards; the last one is the top
        self.discards: list[str] = []
        self.face_up: list[str] = []
        self.turns_left = turns_left  # once the last turns have begun
        seats = {colour: i for i, colour in enumerate(position.colours)}
        for name, colour in position.claims.items():
            self._claim(seats[colour], name)

    def copy(self) -> "QuickGame":
        """Return a copy of the game."""
        other = object.__new__(QuickGame)
        other.__dict__.update(self.__dict__)
        other.players = [player.copy() for player in self.players]
        other.deck, other.discards = list(self.deck), list(self.discards)
        other.face_up = list(self.face_up)
        return other

    # Policy

    def default_move(self) -> Pay | DrawCard | None:
        """Return the default first move of the player on turn; None without a legal one."""
        player = self.players[self.seat]
        if self.turns_left is not None:
            return self._last_claim(player)
        for name in self._plan_of(player):
            if (cards := self._payment(player, name)) is not None:
                return Pay("route", name, cards)
        return self.default_draw()

    def default_draw(self) -> DrawCard | None:
        """Return the default card to draw for the player on turn; None if there is none.

        An open Locomotive takes the whole turn, so it is only drawn if nothing else is left.
        """
        player = self.players[self.seat]
        plan = self._plan_of(player)
        needs: dict[str, int] = {}
        wants_grey = False
        for name in plan if player.is_for_tickets else plan[:1]:
            route = self.board.route_by_id[name]
            if route.colour in GREY:
                wants_grey = True
            else:
                needs[route.colour] = needs.get(route.colour, 0) + route.length
        best: int | None = None
        most = LEAST_OPEN
        for place, card in enumerate(self.face_up):
            held = player.hand.get(card, 0)
            if card == LOCOMOTIVE:
                continue
            if held < needs.get(card, 0):
                worth = 1.0
            else:
                worth = GREY_CARD + GREY_CARD_EACH * held if wants_grey and held else 0.0
            if worth > most:
                best, most = place, worth
        if best is None and not (self.deck or self.discards):
            plain = [i for i, card in enumerate(self.face_up) if card != LOCOMOTIVE]
            best = next(iter((*plain, *range(len(self.face_up)))), None)
            return None if best is None else DrawCard(best)
        return DrawCard(best)

    def choose_tickets(self, seat: int, offered: Sequence[Ticket], at_least: int) -> list[Ticket]:
        """Choose which of the offered tickets to keep, at least one."""
        player = self.players[seat]
        plan = self._plan_of(player)
        paid = player.own | set(plan if player.is_for_tickets else ())
        left = player.trains - self._trains_for(paid - player.own)
        kept: list[Ticket] = []
        rest = list(offered)
        while rest:
            worths = []
            for ticket in rest:
                way = cheapest_way(self._links, ticket.a, ticket.b, paid, player.closed)
                new = [name for name in way or () if name not in paid]
                trains = self._trains_for(new)
                worth = ticket.points - TICKET_TRAIN * trains - TICKET_CLAIM * len(new)
                if way is None or trains > left:
                    worth = -100.0 - ticket.points
                worths.append((worth, ticket, new))
            worth, ticket, new = max(worths, key=lambda one: one[0])
            if worth < LEAST_TICKET and len(kept) >= max(1, at_least):
                break
            kept.append(ticket)
            rest.remove(ticket)
            paid.update(new)
            left -= self._trains_for(new)
        return kept

    def _trains_for(self, routes: set[RouteId] | Sequence[RouteId]) -> int:
        return sum(self.board.route_by_id[name].length for name in routes)

    def _plan_of(self, player: QuickPlayer) -> list[RouteId]:
        if not player.plan:
            player.plan = self._ways(player)
            player.is_for_tickets = bool(player.plan)
            if not player.plan:
                player.plan = self._extra_routes(player)
        return player.plan

    def _ways(self, player: QuickPlayer) -> list[RouteId]:
        """Return the free routes on the paths of open tickets, the longest first.

        Tickets with more points get their trains first; those without enough trains are left out.
        """
        paid, left = set(player.own), player.trains
        names: list[RouteId] = []
        for ticket in sorted(player.tickets, key=lambda ticket: -ticket.points):
            if player.is_done(ticket):
                continue
            way = cheapest_way(self._links, ticket.a, ticket.b, paid, player.closed)
            new = [name for name in way or () if name not in paid]
            if (trains := self._trains_for(new)) <= left:
                left -= trains
                paid.update(new)
                names += new
        return sorted(names, key=lambda name: -self.board.route_by_id[name].length)

    def _extra_routes(self, player: QuickPlayer) -> list[RouteId]:
        """Return the routes with the most points per turn."""
        most_alike = max((n for c, n in player.hand.items() if c != LOCOMOTIVE), default=0)
        worths = []
        for route in self._free(player):
            held = most_alike if route.colour in GREY else player.hand.get(route.colour, 0)
            held = min(held, route.length)
            turns = 1 + (route.length - held + HELD * held) / USEFUL_CARDS
            worths.append((self._worth(player, route) / turns, route.id))
        return [name for _, name in sorted(worths, reverse=True)[:EXTRA_ROUTES]]

    def _last_claim(self, player: QuickPlayer) -> Pay | None:
        """Return the claim with the highest immediate score."""
        part = player.part
        missing = [ticket for ticket in player.tickets if not player.is_done(ticket)]
        joined = [({part.get(t.a, t.a), part.get(t.b, t.b)}, 2 * t.points) for t in missing]
        best: Pay | None = None
        most = 0.0
        for route in self._free(player):
            ends = {part.get(route.a, route.a), part.get(route.b, route.b)}
            worth = self._worth(player, route) + sum(n for both, n in joined if both == ends)
            if worth > most and (cards := self._payment(player, route.id)) is not None:
                best, most = Pay("route", route.id, cards), worth
        return best

    def _free(self, player: QuickPlayer) -> list[Route]:
        return [
            route
            for route in self.board.routes
            if route.length <= player.trains
            and route.id not in player.closed
            and route.id not in player.own
        ]

    def _worth(self, player: QuickPlayer, route: Route) -> float:
        """Return a route's immediate score, including its attractions."""
        sights = sum(self._sights[end] for end in (route.a, route.b) if end not in player.part)
        return self._points[route.id] + sights

    def _payment(self, player: QuickPlayer, name: RouteId) -> dict[str, int] | None:
        """Choose the cards to pay for a route, with few Locomotives; None if it cannot be paid."""
        route, hand = self.board.route_by_id[name], player.hand
        colour = route.colour
        if colour in GREY:
            plain = [card for card in hand if card != LOCOMOTIVE]
            colour = max(plain, key=hand.__getitem__, default="")
        held = min(hand.get(colour, 0), route.length)
        engines = route.length - held
        if engines > hand.get(LOCOMOTIVE, 0):
            return None
        return {card: n for card, n in ((colour, held), (LOCOMOTIVE, engines)) if n}

    # Moves

    def turn(self, first: Pay | DrawCard | None) -> bool:
        """Play a turn that starts with `first`; return whether a move was possible."""
        player = self.players[self.seat]
        if isinstance(first, Pay):
            self._claim(self.seat, first.id, first.cards)
        elif (
            first is not None and self._draw(player, first.place) and (more := self.default_draw())
        ):
            self._draw(player, more.place)
        if self.turns_left is not None:
            self.turns_left -= 1
        elif player.trains <= self.edition.last_round_at:
            self.turns_left = len(self.players)
        self.seat = (self.seat + 1) % len(self.players)
        return first is not None

    def finish(self) -> None:
        """Play to the end, or until no player can move."""
        passed = 0
        while self.turns_left != 0 and passed < len(self.players):
            passed = (
                0 if self.turn(self.default_move()) or self.turns_left is not None else passed + 1
            )

    def lead(self, seat: int) -> float:
        """Return a player's lead over the best other one, tickets included."""
        totals = [
            player.points
            + sum(t.points if player.is_done(t) else -t.points for t in player.tickets)
            for player in self.players
        ]
        return totals.pop(seat) - max(totals, default=0.0)

    def _claim(self, seat: int, name: RouteId, cards: Cards | None = None) -> None:
        route, player = self.board.route_by_id[name], self.players[seat]
        for card, n in (cards or {}).items():
            player.hand[card] -= n
            self.discards += [card] * n
        player.points += self._worth(player, route)
        player.trains -= route.length
        player.own.add(name)
        part = player.part
        a, b = part.setdefault(route.a, route.a), part.setdefault(route.b, route.b)
        if a != b:
            player.part = {place: a if of == b else of for place, of in part.items()}
        lanes = {name, *self.board.other_lanes.get(name, ())}
        for i, other in enumerate(self.players):
            closed = {name} if self._are_lanes_open and i != seat else lanes
            other.closed |= closed - other.own
            if i == seat and player.is_for_tickets and player.plan and name in player.plan:
                player.plan = [wanted for wanted in player.plan if wanted != name]
            elif i == seat or not closed.isdisjoint(other.plan or ()):
                other.plan = None

    def _draw(self, player: QuickPlayer, place: int | None) -> bool:
        """Draw a card; return whether a second one is allowed."""
        card = self._top() if place is None else self.face_up[place]
        if card is None:
            return False
        player.hand[card] = player.hand.get(card, 0) + 1
        if place is not None:
            new = self._top()
            self.face_up[place : place + 1] = [new] if new else []
            if must_flush(self.edition, self.face_up):
                self.discards += self.face_up
                self.face_up = [top for _ in self.face_up if (top := self._top())]
        return place is None or card != LOCOMOTIVE

    def _top(self) -> str | None:
        if not self.deck:
            self.deck, self.discards = self.discards, []
            # Seeded by its size alone, so that all compared moves have the same luck.
            Random(len(self.deck)).shuffle(self.deck)  # noqa: S311
        return self.deck.pop() if self.deck else None

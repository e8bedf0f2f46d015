"""The hard player's plan: paths for its tickets, other worthwhile claims, and their values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from railspotter.scoring.board import Route, RouteId
from railspotter.scoring.card_game.tickets import LOCOMOTIVE
from railspotter.scoring.dealing.claims import GREY
from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.edition import Ticket
from railspotter.scoring.paths.network import parts_of
from railspotter.scoring.points.final_score import site_value
from railspotter.scoring.points.standing import Holding
from railspotter.scoring.spot import Spot

from .cards import FERRY_LOCOMOTIVE, Target, shortfall, target_of
from .computer_player import open_tickets
from .estimates import USEFUL_CARDS, average_points, claim_risks, turns_left
from .last_turn import expected_draw, unseen_tickets, with_spot
from .open_board import OpenBoard, Way, cheapest_way, cheapest_ways, joint_ways

# Weights, chosen by playing against the medium player; in points unless stated otherwise.
TURN_SHARE = 1.0  # share of `average_points` that a turn, and a train, is worth
TRAIN_SHARE = 0.3
LEAST_COST = 0.4  # least cost of a route on a ticket's path
RISK_COST = 2.0  # additional cost of a route that rivals are sure to take
# share of a card in the hand that costs nothing any more, for coloured and grey routes
HELD = 0.6
HELD_GREY = 0.4
TUNNEL_CARDS = 1.0  # average number of a tunnel's additional cards
PATH_POINTS = 0.5  # of a route that extends the player's network, where the longest path scores
SLACK_TURNS = 3.0  # turns beyond the estimated ones that the paths of tickets may take
# probability that a ticket with enough trains and turns is completed, and its decrease for each
# further ticket
TICKET_CHANCE = 0.97
CHANCE_LOSS_PER_TICKET = 0.02
TIGHT_FROM = 0.8  # share of the trains or turns left from which tickets fail more often
EXTRA_ROUTES = 4  # most routes to collect cards for besides the tickets'
# weight of their cards, and the additional weight of threatened routes' cards
EXTRA_WEIGHT = 0.5
URGENT_WEIGHT = 0.1
# value of claiming a route on a ticket's path, and the share of its points that is added
PLANNED_POINTS = 3.0
PLANNED_SHARE = 0.3
CARD_SHARE = 0.5  # share of the value of a drawing turn that cards for an extra route cost
NO_TICKETS_FROM = 8.0  # value of a claim from which no tickets are drawn instead
DRAW_TURNS = 5.0  # least number of turns left for drawing tickets
# share of the turns left that the plan may take for tickets to be drawn, without and with a new one
DRAW_BUSY = 0.3
DRAW_TIME = 0.7
DRAW_TRAINS = 0.9  # share of the spare trains that a new ticket may take
DRAW_CHANCE = 0.9  # probability that a new ticket that fits is completed

OTHER_COLOUR = 4.0  # cost of a card in a colour that the deck lacks: Locomotives pay for it
# When a ticket must be given up, so many with the fewest points are tried. Chosen.
MOST_GIVEN_UP = 6
GLOBETROTTER_TICKETS = 5  # The bonus for the most tickets is divided by this. Chosen.


class PlayerPlan:
    """A seat's plan, computed anew for every move."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        position = view.position
        self._edition, self._printed = position.edition, position.board
        self._tickets, lent = open_tickets(view)
        self.board = OpenBoard(position, view.colour, lent)
        self.turns = turns_left(view)  # the estimated number, including this one
        per_turn, per_train = average_points(self._edition, self._printed)
        self.turn_worth = TURN_SHARE * per_turn
        self.train_worth = TRAIN_SHARE * per_train
        free = self.board.free
        self._risks = claim_risks(view, free.values())
        # For each free route, its value beyond its turns and trains, and its cost on a path:
        # never below a minimum, and higher where rivals may take it.
        self.values = {name: self._value(route) for name, route in free.items()}
        self.costs = {
            name: max(LEAST_COST, -value + RISK_COST * self._risks[name])
            for name, value in self.values.items()
        }
        self._links = self.board.links(self.costs)
        # The paths of the open tickets that are not given up, and the free routes on them.
        self.ways = self._paths_that_fit(self._tickets)
        self._add_station_paths()
        self.planned = tuple(sorted(self._free_of(self.ways)))

    # Values of routes

    def points(self, route: Route) -> float:
        """Return a route's score for its length, its new attractions and its mode."""
        points = float(self._edition.route_points.get(route.length, 0))
        if self._edition.attraction_points:
            new = {route.a, route.b} - self.board.touched
            sights = sum(self._printed.place_by_id[place].attraction for place in new)
            points += self._edition.attraction_points * sights
        if route.mode in self._edition.modes and route.mode not in self._modes:
            points += self._edition.mode_bonus / len(self._edition.modes)
        return points

    @cached_property
    def _modes(self) -> frozenset[str | None]:
        return frozenset(r.mode for r in self.view.position.routes_of[self.view.colour])

    def _value(self, route: Route) -> float:
        turns = 1 + self._cards_for(route) / USEFUL_CARDS
        value = self.points(route) - self.turn_worth * turns - self.train_worth * route.length
        goes_on = route.a in self.board.touched or route.b in self.board.touched
        return value + PATH_POINTS * bool(self._edition.longest_path_bonus and goes_on)

    def _cards_for(self, route: Route) -> float:
        """Estimate the cards that are missing for a route alone."""
        rest = route.length - route.ferry_locomotives
        hand = self.view.hand
        if route.colour in GREY:
            held = max((n for card, n in hand.items() if card != LOCOMOTIVE), default=0)
            cards = rest - HELD_GREY * min(held, rest)
        elif route.colour in self._edition.card_colours:
            cards = rest - HELD * min(hand.get(route.colour, 0), rest)
        else:
            cards = OTHER_COLOUR * rest
        engines = FERRY_LOCOMOTIVE * route.ferry_locomotives
        return cards + engines + TUNNEL_CARDS * route.tunnel

    # Paths of tickets

    def _free_of(self, ways: Mapping[Ticket, Way]) -> set[RouteId]:
        return {name for way in ways.values() for name in way if name in self.board.free}

    def turns_for(self, routes: Iterable[RouteId]) -> float:
        """Estimate the turns needed to claim free routes with the current hand."""
        position, colour = self.view.position, self.view.colour
        targets = [target_of(position, colour, Spot("route", name)) for name in sorted(routes)]
        return len(targets) + shortfall(self.view.hand, targets) / USEFUL_CARDS

    def _fits(self, ways: Mapping[Ticket, Way]) -> bool:
        routes = self._free_of(ways)
        enough = self.board.trains_for(routes) <= self.board.trains
        return enough and self.turns_for(routes) <= self.turns + SLACK_TURNS

    def _paths_that_fit(self, tickets: Sequence[Ticket]) -> dict[Ticket, Way]:
        """Find paths for the tickets that can be completed together; drop the least valuable."""
        ways = joint_ways(self._links, tickets, self.costs)
        while ways and not self._fits(ways):
            least = sorted(ways, key=lambda ticket: ticket.points)[:MOST_GIVEN_UP]
            left = [
                joint_ways(self._links, [t for t in ways if t != given_up], self.costs)
                for given_up in ways
                if given_up in least
            ]
            ways = max(left, key=lambda rest: (self._fits(rest), sum(t.points for t in rest)))
        return ways

    def _add_station_paths(self) -> None:
        """Add paths for otherwise impossible tickets, each with one route borrowed by a station."""
        position, colour = self.view.position, self.view.colour
        left = self._edition.stations - len(position.stations.get(colour, ()))
        lost = [ticket for ticket in self._tickets if ticket not in self.ways]
        self.borrowed: dict[Ticket, RouteId] = {}
        if left <= 0 or not lost:
            return
        cost = self._edition.unused_station_points + self.turn_worth
        others = {n: cost for n, holder in position.claims.items() if holder != colour}
        links = self.board.links({**self.costs, **others})
        for ticket in sorted(lost, key=lambda ticket: -ticket.points)[:left]:
            way = cheapest_way(links, ticket.a, ticket.b, self._free_of(self.ways))
            lent = [name for name in way or () if name in others]
            if way is None or len(lent) != 1:
                continue
            ways = {**self.ways, ticket: way}
            price = cost + sum(self.costs.get(n, 0.0) for n in sorted(self._free_of({ticket: way})))
            if price < 2 * ticket.points and self._fits(ways):
                self.ways[ticket] = way
                self.borrowed[ticket] = lent[0]

    def value_of_tickets(self, kept: Sequence[Ticket]) -> float:
        """Return the expected points of keeping offered tickets together with those in hand."""
        held = list(self.ways)
        ways = joint_ways(self._links, (*held, *kept), self.costs)
        routes = self._free_of(ways)
        trains = self.board.trains_for(routes) / max(1, self.board.trains)
        tight = max(trains, self.turns_for(routes) / max(1.0, self.turns))
        chance = TICKET_CHANCE - CHANCE_LOSS_PER_TICKET * len(ways)
        chance -= max(0.0, tight - TIGHT_FROM)
        worth = -sum(self.costs[name] for name in sorted(routes))
        bonus = self._edition.globetrotter_bonus / GLOBETROTTER_TICKETS
        for ticket in (*held, *kept):
            p = min(1.0, max(0.0, chance)) if ticket in ways else 0.0
            if ticket in ways and not self._free_of({ticket: ways[ticket]}):
                p = 1.0
            worth += p * (ticket.points + bonus) - (1 - p) * ticket.points
        return worth

    # Other claims

    @cached_property
    def extra_routes(self) -> tuple[RouteId, ...]:
        """The most valuable routes besides the tickets', for the trains that are left."""
        left = self.board.trains - self.board.trains_for(self.planned)
        lanes = self._printed.other_lanes
        closed = {lane for name in self.planned for lane in (name, *lanes.get(name, ()))}
        found: list[RouteId] = []
        for name in sorted(self.values, key=lambda name: (-self.values[name], name)):
            if len(found) >= EXTRA_ROUTES:
                break
            if self.values[name] <= 0 and (self.planned or found):
                break
            if name not in closed and self.board.free[name].length <= left:
                found.append(name)
                closed |= {name, *lanes.get(name, ())}
                left -= self.board.free[name].length
        return tuple(found)

    def _sites(self) -> Iterator[tuple[Spot, float]]:
        """Yield the sites that the player may claim, with their points."""
        position, colour, table = self.view.position, self.view.colour, self._edition.site_points
        if not table or self.board.trains < 1:
            return
        parts = parts_of((route.a, route.b) for route in position.routes_of[colour])
        tickets = position.tickets.get(colour, ())
        scored = {parts[end] for t in tickets for end in (t.a, t.b) if end in parts}
        worth = site_value(table, len(position.sites_of[colour]))
        for site in position.board.sites:
            if site.id not in position.sites and parts.get(site.station) in scored:
                yield Spot("site", site.id), float(worth)

    # Cards to collect

    @cached_property
    def urgency(self) -> dict[RouteId, float]:
        """For each planned route the expected loss of points because rivals may take it."""
        return {name: self._risks[name] * self._cost_of_losing(name) for name in self.planned}

    def _cost_of_losing(self, name: RouteId) -> float:
        """Return the points lost with a planned route, by a detour or failed tickets."""
        lanes = {name, *self._printed.other_lanes.get(name, ())}
        open_lanes = sum(lane in self.board.free for lane in lanes)
        if self.view.position.are_lanes_open and open_lanes > 1:
            return 0.0
        others = set(self.planned) - lanes
        total = 0.0
        for ticket, way in self.ways.items():
            if name not in way:
                continue
            around = cheapest_way(self._links, ticket.a, ticket.b, others, lanes)
            if around is None or self.board.trains_for({*others, *around}) > self.board.trains:
                total += 2 * ticket.points
            else:
                more = sum(self.costs.get(n, 0.0) for n in sorted(set(around) - others))
                total += min(2.0 * ticket.points, more)
        return total

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """The spots to collect cards for, the most threatened planned routes first."""
        position, colour = self.view.position, self.view.colour
        targets = [
            target_of(position, colour, spot, 1 + URGENT_WEIGHT * self.urgency[spot.id])
            for spot in (
                Spot("route", name)
                for name in sorted(self.planned, key=lambda name: -self.urgency[name])
            )
        ]
        targets += [target_of(position, colour, spot) for spot, _ in self._sites()]
        targets += [target_of(position, colour, spot) for spot, _ in self._stations()]
        best = max((self.values[name] for name in self.extra_routes), default=0.0)
        for name in self.extra_routes:
            weight = EXTRA_WEIGHT if targets else 1.0
            weight *= max(0.3, self.values[name] / best) if best > 0 else 1.0
            targets.append(target_of(position, colour, Spot("route", name), weight))
        return tuple(targets)

    # Moves

    def claims(self) -> Iterator[tuple[Spot, float]]:
        """Yield worthwhile claims with their values, without the value of their cards."""
        planned = set(self.planned)
        spare = self.board.trains - self.board.trains_for(planned)
        lanes = self._printed.other_lanes
        a_card = CARD_SHARE * self.turn_worth / USEFUL_CARDS
        for name, route in self.board.free.items():
            # The other lane of a planned route is as good.
            twin = next((n for n in (name, *lanes.get(name, ())) if n in planned), None)
            points = self.points(route)
            if twin is not None:
                worth = PLANNED_POINTS + PLANNED_SHARE * points + self.urgency[twin]
            elif route.length <= spare:
                worth = points - self.turn_worth - (self.train_worth + a_card) * route.length
            else:
                continue
            yield Spot("route", name), worth
        for spot, points in self._sites():
            yield spot, points - self.turn_worth - 2 * a_card
        yield from self._stations()

    def _stations(self) -> Iterator[tuple[Spot, float]]:
        """Yield stations that complete a ticket now, once its own routes are built."""
        position, colour = self.view.position, self.view.colour
        for ticket, name in self.borrowed.items():
            if self._free_of({ticket: self.ways[ticket]}):
                continue
            route = self._printed.route_by_id[name]
            for place in (route.a, route.b):
                spot = Spot("station", place)
                if ticket in Holding(with_spot(position, colour, spot), colour).completed_tickets:
                    worth = 2 * ticket.points - self._edition.unused_station_points
                    yield spot, worth - self.turn_worth

    def value_of_drawing_tickets(self) -> float:
        """Return the expected points of drawing tickets, less those of a usual turn."""
        busy = self.turns_for(self.planned)
        if self.turns < DRAW_TURNS or busy > DRAW_BUSY * self.turns:
            return -1.0
        unseen = unseen_tickets(self.view)
        goals: dict[str, list[str]] = {}
        for ticket in unseen:
            goals.setdefault(ticket.a, []).append(ticket.b)
        ways = {a: cheapest_ways(self._links, a, bs, self.planned) for a, bs in goals.items()}
        spare = self.board.trains - self.board.trains_for(self.planned)
        worths = []
        for ticket in unseen:
            way = ways[ticket.a].get(ticket.b)
            new = [n for n in way or () if n in self.board.free and n not in self.planned]
            turns = 1 + busy + self.turns_for(new)
            fits = self.board.trains_for(new) <= DRAW_TRAINS * spare
            if way is None or (new and not (fits and turns <= DRAW_TIME * self.turns)):
                worths.append(-float(ticket.points))
                continue
            sure = DRAW_CHANCE if new else 1.0
            worths.append((2 * sure - 1) * ticket.points - sum(self.costs[n] for n in new))
        drawn = min(self.view.tickets_left, self._edition.later_tickets[0])
        return expected_draw(worths, drawn) - self.turn_worth

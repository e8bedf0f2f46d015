"""What holds for every position, of whatever edition."""

import random
from dataclasses import replace
from itertools import product

import msgspec
import networkx
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from path_certificate import check_path
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.edition import Ticket, load_edition
from railspotter.scoring.paths.network import connects, route_network
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.points.outlook import tickets_outlook
from railspotter.scoring.points.standing import Holding, position_standing
from railspotter.scoring.position import Position, Seat
from strategies import positions

EDITIONS = ("usa", "usa-mega", "newyork", "europe")
ANY_POSITION = st.sampled_from(EDITIONS).flatmap(positions)


@given(ANY_POSITION)
@examples(80)
def test_lines_add_up_and_paths_are_paths(position: Position) -> None:
    end = final_score(position)
    for player in end.players:
        assert player.total == sum(line.points for line in player.lines)
        check_path(player.longest_path, route_network(position.board.routes))
        assert all(position.claims[name] == player.colour for name in player.longest_path.routes)
    most = max(player.total for player in end.players)
    assert end.winners
    assert all(end[colour].total == most for colour in end.winners)


@given(ANY_POSITION, st.data())
@examples(60)
def test_a_claim_never_lowers_route_points_nor_the_path(
    position: Position, data: st.DataObject
) -> None:
    free = [route.id for route in position.board.routes if route.id not in position.claims]
    name = data.draw(st.sampled_from(free))
    colour = data.draw(st.sampled_from(position.colours))
    after = position_standing(replace(position, claims={**position.claims, name: colour}))
    before = position_standing(position)
    for player in before.players:
        now = after[player.colour]
        assert now.route_points >= player.route_points
        assert now.longest_path.at_least >= player.longest_path.at_most
        assert (now.trains_left < player.trains_left) == (player.colour == colour)


@given(ANY_POSITION, st.integers(0, 1000))
@examples(40)
def test_the_order_of_events_does_not_count(position: Position, seed: int) -> None:
    claims = list(position.claims.items())
    random.Random(seed).shuffle(claims)
    assert final_score(replace(position, claims=dict(claims))) == final_score(position)


@given(ANY_POSITION)
@examples(40)
def test_renaming_places_changes_nothing(position: Position) -> None:
    def renamed(place: str) -> str:
        return f"z{place[::-1]}"

    board = Board(
        position.board.id,
        "",
        tuple(
            msgspec.structs.replace(place, id=renamed(place.id)) for place in position.board.places
        ),
        tuple(
            msgspec.structs.replace(route, a=renamed(route.a), b=renamed(route.b))
            for route in position.board.routes
        ),
    )
    tickets = {
        colour: tuple(Ticket(renamed(t.a), renamed(t.b), t.points) for t in held)
        for colour, held in position.tickets.items()
    }
    stations = {colour: tuple(map(renamed, held)) for colour, held in position.stations.items()}
    other = replace(position, board=board, tickets=tickets, stations=stations)
    totals = [player.total for player in final_score(other).players]
    assert totals == [player.total for player in final_score(position).players]


@given(positions("europe"))
@examples(60)
def test_stations_borrow_the_best_routes(position: Position) -> None:
    by_id = position.board.route_by_id
    for colour in position.colours:
        holding, stations = Holding(position, colour), position.stations.get(colour, ())
        points = sum(ticket.points for ticket in holding.completed_tickets)
        for city, name in holding.borrowed.routes.items():
            assert city in stations
            assert city in (by_id[name].a, by_id[name].b)
            assert position.claims[name] != colour
        choices = [
            [
                None,
                *(
                    route
                    for route in position.board.routes
                    if city in (route.a, route.b)
                    and position.claims.get(route.id, colour) != colour
                ),
            ]
            for city in stations
        ]
        for chosen in product(*choices):
            network = route_network([*holding.routes, *(route for route in chosen if route)])
            done = [t.points for t in holding.tickets if connects(network, t.a, t.b)]
            assert sum(done) <= points


@given(ANY_POSITION)
@examples(40)
def test_the_outlook_is_the_shortest_way(position: Position) -> None:
    both_lanes = len(position.seats) >= position.edition.double_routes_open_from
    for colour in position.colours:
        ways: networkx.Graph[str] = networkx.Graph()
        ways.add_nodes_from(position.board.place_by_id)
        for route in position.board.routes:
            beside = {position.claims.get(n) for n in position.board.other_lanes.get(route.id, ())}
            closed = colour in beside if both_lanes else bool(beside - {None})
            if position.claims.get(route.id) == colour:
                ways.add_edge(route.a, route.b, length=0)
            elif route.id not in position.claims and not closed:
                # An own lane beside is shorter than any other.
                known = ways.get_edge_data(route.a, route.b, {"length": 99})["length"]
                ways.add_edge(route.a, route.b, length=min(known, route.length))
        for ticket in tickets_outlook(position, colour).tickets:
            if ticket.completed:
                continue
            shortest = networkx.single_source_dijkstra_path_length(
                ways, ticket.ticket.a, weight="length"
            ).get(ticket.ticket.b)
            if shortest is not None and shortest > position.trains_left(colour):
                shortest = None
            assert ticket.trains_needed == shortest


@given(ANY_POSITION)
@examples(40)
def test_what_the_outlook_asks_for_completes_the_ticket(position: Position) -> None:
    for colour in position.colours:
        seen = tickets_outlook(position, colour)
        assert seen.worst <= seen.best
        for i, ticket in enumerate(seen.tickets):
            if ticket.trains_needed is None:
                continue
            lengths = [position.board.route_by_id[name].length for name in ticket.routes]
            assert sum(lengths) == ticket.trains_needed <= max(0, position.trains_left(colour))
            assert not set(ticket.routes) & set(position.claims)
            claims = {**position.claims, **dict.fromkeys(ticket.routes, colour)}
            assert Holding(replace(position, claims=claims), colour).completed[i]


def test_a_position_without_players_has_no_winner() -> None:
    assert final_score(Position(load_edition("usa"), load_board("usa"), ())).winners == ()


def test_a_ticket_may_take_the_last_train() -> None:
    usa = load_edition("usa").with_house_rules({"trains": 6})
    position = Position(
        usa,
        load_board("usa"),
        (Seat("red"), Seat("blue")),
        tickets={"red": (Ticket("helena", "seattle", 5),)},
    )
    seen = tickets_outlook(position, "red")
    assert (seen.tickets[0].trains_needed, seen.worst, seen.best) == (6, -5, 5)
    short = replace(position, edition=usa.with_house_rules({"trains": 5}))
    seen = tickets_outlook(short, "red")
    assert (seen.tickets[0].trains_needed, seen.worst, seen.best) == (None, -5, -5)
    done = tickets_outlook(replace(position, claims={"helena--seattle": "red"}), "red")
    assert (done.tickets[0].trains_needed, done.worst, done.best) == (0, 5, 5)


def test_a_station_keeps_a_ticket_possible() -> None:
    europe, board = load_edition("europe"), load_board("europe")
    around = [r.id for r in board.routes if "cadiz" in (r.a, r.b)]
    position = Position(
        europe,
        board,
        (Seat("red"), Seat("blue")),
        claims=dict.fromkeys(around, "blue"),
        tickets={"red": (Ticket("cadiz", "stockholm", 21),)},
    )
    seen = tickets_outlook(position, "red")
    way = seen.tickets[0].with_stations
    assert seen.tickets[0].trains_needed is None
    assert way is not None
    assert (len(way.stations), seen.best) == (1, 21)
    after = replace(
        position,
        claims={**position.claims, **dict.fromkeys(way.routes, "red")},
        stations={"red": way.stations},
    )
    assert Holding(after, "red").completed == (True,)
    none_left = replace(position, stations={"red": ("moskva", "kyiv", "riga")})
    assert tickets_outlook(none_left, "red").best == -21
    occupied = replace(position, stations={"blue": ("cadiz", "lisboa", "madrid")})
    assert tickets_outlook(occupied, "red").best == -21


@given(positions("europe"))
@examples(25)
def test_what_stations_are_said_to_do_they_do(position: Position) -> None:
    for colour in position.colours:
        built = position.stations.get(colour, ())
        for ticket in tickets_outlook(position, colour).tickets:
            if (way := ticket.with_stations) is None:
                continue
            assert way.trains_needed <= position.trains_left(colour)
            cities = tuple(dict.fromkeys((*built, *way.stations)))
            assert len(cities) <= max(len(built), position.edition.stations)
            alone = replace(
                position,
                claims={**position.claims, **dict.fromkeys(way.routes, colour)},
                stations={**position.stations, colour: cities},
                tickets={colour: (ticket.ticket,)},
            )
            assert Holding(alone, colour).completed == (True,)

"""Whole games of every edition on a board, judged turn by turn and counted once more by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise, product

import msgspec
import networkx as nx
import numpy as np
import pytest
from railspotter.scoring.board import Board, BoardTicket, load_board
from railspotter.scoring.card_game.turns import draw_problems
from railspotter.scoring.dealing.claims import (
    payment_problems,
    site_payment_problems,
    tunnel_cards,
)
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import Edition, Ticket, edition_names, load_edition
from railspotter.scoring.game import game_text, parse_board_game, position_of
from railspotter.scoring.legality import change_problems, position_problems
from railspotter.scoring.position import Position, Seat, low_stocks
from railspotter.simulation.errors import IllegalTurnError
from railspotter.simulation.virtual_players.play import play_game
from railspotter.simulation.virtual_players.played_game import (
    CardsDrawn,
    PassedTurn,
    PlayedGame,
    PlayedRoute,
    PlayedSite,
    PlayedStation,
    TicketsDrawn,
    TunnelLeft,
)
from railspotter.simulation.virtual_players.referee import Shuffles

import card_rules

BOARD_EDITIONS = [name for name in edition_names() if name != "card-game"]
GAMES = [
    (name, players)
    for name in BOARD_EDITIONS
    for players in range(load_edition(name).players[0], load_edition(name).players[1] + 1)
] + [("philly-made-up", 3), ("philly-made-up", 5)]
every_game = pytest.mark.parametrize(("name", "players"), GAMES)


def table(name: str) -> tuple[Edition, Board]:
    """An edition and its board; the shipped part of Philly has no sites, so one is made up."""
    if name == "philly-made-up":
        return card_rules.table("philly")
    edition = load_edition(name)
    return edition, load_board(edition.board)


@cache
def played(name: str, players: int, seed: int = 1) -> PlayedGame:
    return play_game(*table(name), players, seed)


@every_game
def test_no_turn_breaks_a_rule(name: str, players: int) -> None:
    game = played(name, players)
    positions = list(game.positions())
    assert len(positions) == len(game.turns) + 1
    for before, now in pairwise(positions):
        assert change_problems(before, now) == ()
        assert position_problems(now) == ()
        assert min(now.trains_left(colour) for colour in now.colours) >= 0


@every_game
def test_players_take_turns_and_do_one_thing(name: str, players: int) -> None:
    game = played(name, players)
    colours = [seat.colour for seat in game.seats]
    for i, turn in enumerate(game.turns):
        assert turn.colour == colours[i % players]
        if isinstance(turn.action, CardsDrawn):
            assert turn.action.draws
            assert draw_problems(game.edition, turn.action.draws) == ()
        if isinstance(turn.action, TicketsDrawn):
            fewest = min(game.edition.later_tickets[1], len(turn.action.offered))
            assert set(turn.action.kept) <= set(turn.action.offered)
            assert len(turn.action.kept) >= fewest


@every_game
def test_cards_are_paid_from_the_hand_and_none_is_made(name: str, players: int) -> None:
    game = played(name, players)
    hands = {colour: Counter(deal.hand) for colour, deal in game.deals.items()}
    printed, stations = cards_of(game.edition), Counter[str]()
    for turn in game.turns:
        hand, paid = hands[turn.colour], Counter[str]()
        match turn.action:
            case CardsDrawn(draws=draws):
                hand.update(draw.card for draw in draws)
            case PlayedRoute(route=route_id, cards=cards, revealed=revealed):
                route = game.board.route_by_id[route_id]
                assert payment_problems(game.edition, route, cards, revealed) == ()
                assert bool(revealed) == route.tunnel
                paid = Counter(cards)
            case PlayedSite(site=site, cards=cards):
                printed_site = game.board.site_by_id[site]
                assert site_payment_problems(game.edition, printed_site, cards) == ()
                paid = Counter(cards)
            case PlayedStation(cards=cards):
                stations[turn.colour] += 1
                assert sum(cards.values()) == stations[turn.colour]
                assert len(set(cards) - {"locomotive"}) <= 1
                paid = Counter(cards)
        assert paid <= hand
        hands[turn.colour] = hand - paid
        assert sum(hands.values(), Counter()) <= printed


@every_game
def test_it_ends_when_the_edition_says(name: str, players: int) -> None:
    game = played(name, players)
    positions = list(game.positions())[1:]
    low = [turn.colour in low_stocks(now) for turn, now in zip(game.turns, positions, strict=True)]
    if game.last_turns_by is None:
        assert not any(low)
        assert name == "philly"  # a part of a board, where no route is left long before
        assert set(positions[-1].claims) == {"bridesburg--north-philly"}
        return
    first = low.index(True)
    assert game.turns[first].colour == game.last_turns_by
    assert len(game.turns) == first + 1 + players
    assert [turn.is_last for turn in game.turns] == [False] * (first + 1) + [True] * players
    assert game.final.last_turns is not None
    assert game.final.last_turns.turns_since == players


@every_game
def test_the_final_score_is_the_sum_of_what_lies_there(name: str, players: int) -> None:
    game = played(name, players)
    text = game_text(game.final)
    end = position_of(parse_board_game(text), game.board)
    lies_there = replace(end, edition=game.edition, final=False, last_turns=None)
    assert lies_there == game.position_after(len(game.turns))
    for player in game.standing.players:
        routes = [r for r in game.board.routes if end.claims.get(r.id) == player.colour]
        points = sum(game.edition.route_points[route.length] for route in routes)
        assert player.route_points == points
        assert player.ticket_points == tickets_by_hand(end, player.colour)
        others = [line.points for line in player.lines if "bonus" not in line.what]
        assert player.total == sum(line.points for line in player.lines)
        assert len(others) >= len(routes) + len(end.tickets.get(player.colour, ()))
    best = max(player.total for player in game.standing.players)
    assert all(game.standing[colour].total == best for colour in game.standing.winners)


def tickets_by_hand(end: Position, colour: str) -> int:
    """The ticket points, every way to borrow routes tried."""
    own: nx.MultiGraph[str] = nx.MultiGraph()
    own.add_nodes_from(place.id for place in end.board.places)
    own.add_edges_from((r.a, r.b) for r in end.board.routes if end.claims.get(r.id) == colour)
    lent = [
        [
            (route.a, route.b)
            for route in end.board.routes
            if end.claims.get(route.id, colour) != colour and city in (route.a, route.b)
        ]
        for city in end.stations.get(colour, ())
    ]

    def points(borrowed: tuple[tuple[str, str], ...]) -> int:
        network = own.copy()
        network.add_edges_from(borrowed)
        return sum(
            ticket.points if nx.has_path(network, ticket.a, ticket.b) else -ticket.points
            for ticket in end.tickets.get(colour, ())
        )

    return max(map(points, product(*filter(None, lent))))


def test_the_same_seed_plays_the_same_game_and_another_one_does_not() -> None:
    first, again, other = (play_game(*table("usa"), 3, seed) for seed in (5, 5, 6))
    assert first == again
    assert game_text(first.final) == game_text(again.final)
    assert first.turns != other.turns


def test_everything_that_players_can_do_is_done_somewhere() -> None:
    done = {type(turn.action) for name, count in GAMES for turn in played(name, count).turns}
    done |= {type(t.action) for seed in (2, 3, 4) for t in played("europe", 4, seed).turns}
    every = {CardsDrawn, TicketsDrawn, PlayedRoute, TunnelLeft, PlayedStation, PlayedSite}
    assert every <= done


def test_a_tunnel_is_left_only_for_want_of_cards() -> None:
    hands_left = 0
    for seed in (1, 2, 3):
        game = played("europe", 5, seed)
        for turn in game.turns:
            if isinstance(turn.action, TunnelLeft):
                hands_left += 1
                assert len(turn.action.revealed) == 3
                assert game.board.route_by_id[turn.action.route].tunnel
            if isinstance(turn.action, PlayedRoute) and turn.action.revealed:
                length = game.board.route_by_id[turn.action.route].length
                more = tunnel_cards(turn.action.cards, turn.action.revealed)
                assert sum(turn.action.cards.values()) == length + more
    assert hands_left


def test_seats_keep_their_colours_names_and_order() -> None:
    seats = Seat("yellow", "Ann"), Seat("black", "Bob")
    game = play_game(*table("usa"), seats, seed=2)
    assert game.seats == seats
    assert [(p.colour, p.name) for p in game.final.players] == [("yellow", "Ann"), ("black", "Bob")]


@pytest.mark.parametrize("players", [1, 6])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    edition, board = table("usa")
    seats = [Seat(colour) for colour in ("black", "blue", "green", "red", "yellow", "white")]
    with pytest.raises(IllegalTurnError, match=f"2 to 5 people play USA \\(2004\\), not {players}"):
        play_game(edition, board, seats[:players])


def test_house_rules_are_played_and_written_down() -> None:
    edition, board = table("usa")
    short = edition.with_house_rules({"trains": 20, "double_routes_open_from": 2})
    game = play_game(short, board, 2, seed=3)
    assert game.final.house_rules == {"trains": 20, "double_routes_open_from": 2}
    assert len(game.turns) < len(play_game(edition, board, 2, seed=3).turns)
    assert position_of(game.final, board).trains_left(game.seats[0].colour) <= 20


def test_everyone_has_a_last_turn_though_no_route_is_left() -> None:
    """Trains enough for all but two spaces of a board: its last free route ends no game."""
    edition, board = table("newyork")
    routes = board.routes[:6]
    trains = 2 + min(route.length for route in routes)
    few = msgspec.structs.replace(board, routes=routes)
    for seed in range(8):
        game = play_game(msgspec.structs.replace(edition, trains=trains), few, 3, seed=seed)
        if game.last_turns_by is not None:
            assert [turn.is_last for turn in game.turns[-4:]] == [False, True, True, True]


def test_a_board_on_which_nothing_can_be_claimed_ends_at_once() -> None:
    edition, board = table("usa")
    bare = msgspec.structs.replace(board, routes=())
    no_tickets = msgspec.structs.replace(edition, tickets=())
    game = play_game(no_tickets, bare, 2)
    assert (game.turns, game.last_turns_by) == ((), None)


def test_kept_tickets_of_the_beginning_are_enough() -> None:
    for name, players in GAMES:
        game = played(name, players)
        count, at_least = game.edition.first_tickets
        for deal in game.deals.values():
            assert len(deal.kept) >= min(at_least, len(deal.offered))
            assert len(deal.offered) <= count
            assert all(isinstance(ticket, Ticket) for ticket in deal.kept)


def test_nobody_passes_in_an_ordinary_game() -> None:
    for seed in range(3):
        assert not any(isinstance(t.action, PassedTurn) for t in played("usa", 5, seed).turns)


def test_a_board_with_tickets_of_its_own_is_played_with_those() -> None:
    edition, board = table("usa")
    tickets = tuple(BoardTicket("atlanta", place.id, 5) for place in board.places[1:20])
    game = play_game(edition, msgspec.structs.replace(board, tickets=tickets), 3)
    offered = {ticket.ends for deal in game.deals.values() for ticket in deal.offered}
    assert offered <= {frozenset((ticket.a, ticket.b)) for ticket in tickets}


def test_tickets_that_are_shuffled_in_do_not_come_next() -> None:
    tickets = load_edition("usa").tickets
    firsts = set()
    for seed in range(8):
        luck = Shuffles(np.random.default_rng(seed), tickets)
        top = luck.ticket(tickets)
        assert luck.ticket([ticket for ticket in tickets if ticket != top]) != top
        firsts.add(luck.ticket(tickets) == top)
    assert False in firsts

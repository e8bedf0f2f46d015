"""Whole games of every edition on a board, judged move by move and counted once more by hand."""

from functools import cache
from itertools import product
from typing import Any

import msgspec
import networkx as nx
import pytest
from logged_games import end_text
from railspotter.scoring.board import Board, BoardTicket, load_board
from railspotter.scoring.dealing.dealing import first_dealing
from railspotter.scoring.dealing.moves import (
    DrawCard,
    KeepTickets,
    LeaveTunnel,
    Move,
    MoveError,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.stacks import Chance
from railspotter.scoring.edition import Edition, edition_names, load_edition
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import BoardGame, game_text, position_of
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.position import Position, Seat, low_stocks, seats_of
from railspotter.simulation.computer_players.strengths import STRENGTHS, computer_player
from railspotter.simulation.played_game import PlayedGame, play_game, play_move, seeded_luck

import card_rules

GAMES = [
    (name, players)
    for name in edition_names()
    if name != "card-game"
    for players in range(load_edition(name).players[0], load_edition(name).players[1] + 1)
] + [("philly-made-up", 3), ("philly-made-up", 5)]
every_game = pytest.mark.parametrize(("name", "players"), GAMES)


def table(name: str) -> tuple[Edition, Board]:
    """An edition and its board; the shipped part of Philly has no sites, so one is made up."""
    if name == "philly-made-up":
        return card_rules.edition_and_board("philly")
    edition = load_edition(name)
    return edition, load_board(edition.board)


@cache
def played(name: str, players: int, seed: int = 1) -> PlayedGame:
    """A game of computers in all strengths, who sit otherwise with every number of players."""
    edition, board = table(name)
    seats = seats_of(edition.colours[:players])
    chosen = {
        seat.colour: computer_player(STRENGTHS[(i + players) % len(STRENGTHS)], 100 * seed + i)
        for i, seat in enumerate(seats)
    }
    return play_game(edition, board, seats, seed, chosen)


@every_game
def test_no_move_breaks_a_rule(name: str, players: int) -> None:
    """What the benchmark of the card rules judges: claims, payments, draws, cards and tickets."""
    game = played(name, players)
    edition, board = table(name)
    luck = seeded_luck(1)
    judge = card_rules.Checker(game.start, first_dealing(edition, board, game.start.colours, luck))
    for made in game.moves:
        judge.check_move(made)
        assert min(made.position.trains_left(colour) for colour in made.position.colours) >= 0
    judge.check_end(has_last_turns=game.end.last_turns is not None)
    assert judge.counts["turns"] == len(game.turns) == len(game.positions) - 1
    if name != "philly":  # of whose board only a part is listed
        assert judge.counts["passes"] == 0


@every_game
def test_players_take_turns_until_the_edition_says(name: str, players: int) -> None:
    game = played(name, players)
    assert [turn.colour for turn in game.turns] == [
        game.start.seats[i % players].colour for i in range(len(game.turns))
    ]
    low = [turn.colour in low_stocks(turn.position) for turn in game.turns]
    if game.end.last_turns is None:
        assert not any(low)
        assert name == "philly"  # no route is left long before
        assert set(game.end.claims) == {"bridesburg--north-philly"}
        return
    first = low.index(True)
    assert game.turns[first].colour == game.end.last_turns.by
    are_last = [turn.position.last_turns is not None for turn in game.turns]
    assert are_last == [False] * (first + 1) + [True] * players


@every_game
def test_the_final_score_is_the_sum_of_what_lies_there(name: str, players: int) -> None:
    game = played(name, players)
    end = position_of(parse_json(game_text(end_text(game)), BoardGame, GameError), game.start.board)
    assert end.claims == game.end.claims
    standing = final_score(game.end)
    assert len(standing.players) == players
    for player in standing.players:
        routes = [r for r in game.start.board.routes if end.claims.get(r.id) == player.colour]
        assert player.route_points == sum(game.start.edition.route_points[r.length] for r in routes)
        assert player.ticket_points == tickets_by_hand(game.end, player.colour)
        assert player.total == sum(line.points for line in player.lines)
    best = max(player.total for player in standing.players)
    assert all(standing[colour].total == best for colour in standing.winners)


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
    assert first.moves != other.moves


def test_everything_that_players_can_do_is_done_somewhere() -> None:
    games = [*(played(name, n) for name, n in GAMES), *(played("europe", 4, i) for i in range(6))]
    kinds = {type(made.move) for game in games for made in game.moves}
    assert {DrawCard, KeepTickets, LeaveTunnel, PayMore, Pay} <= kinds
    laid = {made.laid.kind for game in games for made in game.moves if made.laid}
    assert laid == {"route", "site", "station"}


def test_seats_keep_their_colours_names_and_order() -> None:
    seats = Seat("yellow", "Ann"), Seat("black", "Bob")
    assert play_game(*table("usa"), seats, seed=2).start.seats == seats


@pytest.mark.parametrize("players", [1, 6])
@pytest.mark.parametrize("edition", ["usa", "usa-accessible", "usa-10th"])
def test_a_wrong_number_of_players_is_refused(edition: str, players: int) -> None:
    seats = [Seat(colour) for colour in ("black", "blue", "green", "red", "yellow", "white")]
    with pytest.raises(MoveError, match=f"2 to 5 people play USA.*, not {players}"):
        play_game(*table(edition), seats[:players])


def test_house_rules_are_played() -> None:
    edition, board = table("usa")
    short = edition.with_house_rules({"trains": 20})
    assert len(play_game(short, board, 2, seed=3).turns) < len(played("usa", 2).turns)


def test_everyone_has_a_last_turn_though_no_route_is_left() -> None:
    """Trains enough for all but two spaces of a board: its last free route ends no game."""
    edition, board = table("newyork")
    routes = board.routes[:6]
    trains = 2 + min(route.length for route in routes)
    few = msgspec.structs.replace(board, routes=routes)
    for seed in range(8):
        game = play_game(msgspec.structs.replace(edition, trains=trains), few, 3, seed=seed)
        are_last = [turn.position.last_turns is not None for turn in game.turns[-4:]]
        assert are_last == [False, True, True, True]


def test_a_board_on_which_nothing_can_be_claimed_ends_at_once() -> None:
    edition, board = table("usa")
    bare = msgspec.structs.replace(board, routes=())
    game = play_game(msgspec.structs.replace(edition, tickets=()), bare, 2)
    assert (game.turns, game.end.last_turns) == ((), None)


def test_a_board_with_tickets_of_its_own_is_played_with_those() -> None:
    edition, board = table("usa")
    tickets = tuple(BoardTicket("atlanta", place.id, 5) for place in board.places[1:20])
    game = play_game(edition, msgspec.structs.replace(board, tickets=tickets), 3)
    held = {ticket.ends for kept in game.end.tickets.values() for ticket in kept}
    assert held <= {frozenset((ticket.a, ticket.b)) for ticket in tickets}


def moved(position: Position, hand: dict[str, int], *moves: Move, deck: str = "red") -> Position:
    """The position after moves of red, with a hand, and one colour on top of every deck."""

    class Tops(Chance[Any]):
        def draw_card(self, cards: object) -> str:
            return deck

    luck: Chance[Any] = seeded_luck(1)
    dealing = first_dealing(position.edition, position.board, (), luck).with_hand("red", hand)
    for move in moves:
        luck = Tops(luck.choice)
        made = play_move(position, dealing, "red", move, luck)
        position, dealing = made.position, made.dealing
    return position


def test_what_a_tunnel_asks_for_is_paid_or_it_is_left() -> None:
    edition, board = table("europe")
    position = Position(edition, board, (Seat("red"), Seat("blue")))
    tunnel = next(r for r in board.routes if r.tunnel and r.colour == "grey" and r.length == 2)
    hand, pay = {"blue": 5}, Pay("route", tunnel.id, {"blue": 2})
    assert moved(position, hand, pay, deck="blue").claims == {}
    assert moved(position, hand, pay, LeaveTunnel(), deck="blue").claims == {}
    more = PayMore({"blue": 3})
    assert moved(position, hand, pay, more, deck="blue").claims == {tunnel.id: "red"}
    assert moved(position, hand, pay, deck="green").claims == {tunnel.id: "red"}
    with pytest.raises(MoveError, match="cards needed"):
        moved(position, hand, pay, PayMore({"blue": 2}), deck="blue")


def test_a_station_is_built_and_tickets_are_kept_beside_those_held() -> None:
    edition, board = table("europe")
    position = Position(edition, board, (Seat("red"), Seat("blue")))
    built = moved(position, {"green": 1}, Pay("station", "paris", {"green": 1}))
    assert built.stations == {"red": ("paris",)}
    luck = seeded_luck(3)
    dealing = first_dealing(edition, board, ("red", "blue"), luck)
    offered = dealing.offered["red"]
    with pytest.raises(MoveError, match="keep at least 2"):
        play_move(position, dealing, "red", KeepTickets(ticket_texts(offered[:1])), luck)
    made = play_move(position, dealing, "red", KeepTickets(ticket_texts(offered[:2])), luck)
    assert made.position.tickets == {"red": offered[:2]}
    assert made.is_first
    assert not made.ends_turn

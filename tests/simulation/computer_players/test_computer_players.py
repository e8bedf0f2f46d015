"""Computer players: games on any board are legal and end, and they see what a seat sees.

Those of every edition and number of players are in test_played_game.py.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest
from examples import every_run
from house.project import ROOT
from railspotter.scoring.board import Board, BoardTicket, Place, Route, Site, load_board
from railspotter.scoring.card_game.turns import Draw
from railspotter.scoring.dealing.dealing import Dealing, SeatView, first_dealing, view_of
from railspotter.scoring.dealing.moves import DrawCard, KeepTickets, LeaveTunnel, Move, PassTurn
from railspotter.scoring.dealing.stacks import TrainCardStacks, cards_of
from railspotter.scoring.edition import Edition, Ticket, load_edition
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.position import Position, seats_of
from railspotter.simulation.computer_players.computer_player import ComputerPlayer
from railspotter.simulation.computer_players.strengths import STRENGTHS, computer_player
from railspotter.simulation.played_game import PlayedGame, Player, play_game, seeded_luck


def played(edition: Edition, board: Board, players: Sequence[Player], seed: int = 0) -> PlayedGame:
    seats = seats_of(edition.colours[: len(players)])
    by_colour = dict(zip(edition.colours, players, strict=False))
    game = play_game(edition, board, seats, seed, by_colour)
    assert all(made.dealing.all_cards == cards_of(edition) for made in game.moves)
    return game


def mixed(players: int, seed: int) -> list[ComputerPlayer]:
    return [computer_player(STRENGTHS[(i + seed) % 3], 100 * seed + i) for i in range(players)]


def own_board(**changes: object) -> Board:
    """A board of one's own: a ring with spokes, of colours that nobody looked at, some sites."""
    places = tuple(Place(f"p{i}", f"P{i}") for i in range(9))
    colours = ("unknown", "grey", "red", "violet")
    ring = [(f"p{i}", f"p{(i + 1) % 8}") for i in range(8)] + [(f"p{i}", "p8") for i in range(8)]
    routes = tuple(
        Route(f"{a}--{b}", a, b, 1 + i % 7, colours[i % 4], (), tunnel=i % 5 == 0)
        for i, (a, b) in enumerate(ring)
    )
    sites = tuple(Site(f"s{i}", f"S{i}", f"p{i}", ("red", "blue")) for i in range(4))
    tickets = tuple(BoardTicket(f"p{i}", f"p{i + 3}", 4 + i) for i in range(5))
    board = Board(
        "own", "", places, routes, sites=sites, measured=False, complete=False, tickets=tickets
    )
    return msgspec.structs.replace(board, **changes)


@pytest.mark.parametrize(
    "changes",
    [{}, {"tickets": ()}, {"tickets": (BoardTicket("p0", "p4", 9),)}, {"sites": ()}],
    ids=["tickets and sites", "no tickets", "one ticket", "no sites"],
)
@pytest.mark.parametrize("name", ["usa", "europe", "newyork", "philly"])
def test_games_on_boards_of_ones_own_are_legal_and_end(
    name: str, changes: dict[str, object]
) -> None:
    for players in (2, 4):
        played(load_edition(name), own_board(**changes), mixed(players, 1), seed=players)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_two_places_joined_by_a_route_nobody_can_afford(strength: str) -> None:
    places = Place("a", "A"), Place("b", "B")
    for route in (
        Route("a--b", "a", "b", 20, "violet", ()),
        Route("a--b", "a", "b", 3, "grey", (), ferry_locomotives=3),
    ):
        board = Board("two", "", places, (route,), measured=False, complete=False)
        players = [computer_player(strength, i) for i in range(2)]
        played(load_edition("usa"), board, players)


class Watched:
    """A player whose moves are compared with those of others who see the same."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.moves: list[tuple[SeatView, Move]] = []

    def move(self, view: SeatView) -> Move:
        self.moves.append((view, move := self.player.move(view)))
        return move


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("name", every_run("europe", ("usa", "newyork", "europe")))
def test_a_new_player_goes_on_where_another_one_was_killed(name: str, strength: str) -> None:
    """In the middle of a turn too: the second card, a choice of tickets, a tunnel."""
    edition = load_edition(name)
    players = [Watched(computer_player(strength, i)) for i in range(2)]
    played(edition, load_board(edition.board), players, seed=3)
    kinds = set()
    for i, player in enumerate(players):
        for view, move in player.moves:
            assert computer_player(strength, i).move(view) == move
            kinds.add((type(move), bool(view.drawn), view.tunnel is not None))
    assert (DrawCard, True, False) in kinds
    assert (KeepTickets, False, False) in kinds
    assert any(in_tunnel for _, _, in_tunnel in kinds) == (name == "europe")


GAME = """
import computer_players as c
seats = [c.seeded_player(kind, i, 1) for i, kind in enumerate(("hard", "medium"))]
print([turn.laid for turn in c.play_deal("usa", seats, 1).turns])
"""


def test_a_seed_is_one_game_in_whatever_order_sets_are() -> None:
    games = {
        subprocess.check_output(
            [sys.executable, "-c", GAME],
            cwd=ROOT / "benchmarks",
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in "02"
    }
    assert len(games) == 1


def seen_by(position: Position, dealing: Dealing, colour: str) -> SeatView:
    return view_of(position, dealing, {one: one for one in position.colours}, colour)


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("name", every_run("usa", ("usa", "newyork")))
def test_what_is_hidden_changes_no_decision(name: str, strength: str) -> None:
    """Others' cards and tickets, and what lies in the decks, are dealt anew: the same move."""
    edition = load_edition(name)
    game = played(edition, load_board(name), mixed(3, 0), seed=8)
    me, other, third = game.start.colours
    chosen, looks = computer_player(strength, 5), 0
    for before, turn in pairwise(game.moves):
        if turn.colour != me or before.dealing.is_choosing_first or looks == 8:
            continue
        looks += 1
        position, dealing = before.position, before.dealing
        hidden = _swapped(position, dealing, other, third)
        move = chosen.move(seen_by(position, dealing, me))
        assert chosen.move(seen_by(*hidden, me)) == move


def _swapped(
    position: Position, dealing: Dealing, other: str, third: str
) -> tuple[Position, Dealing]:
    """Give one player cards and tickets of the other's and of the decks, as many as before."""
    hidden = dealing.hand(other) + dealing.hand(third) + Counter(dealing.stacks.deck)
    cards = sorted(hidden.elements(), reverse=True)
    sizes = [dealing.hand(other).total(), dealing.hand(third).total()]
    hands = {
        **dealing.hands,
        other: Counter(cards[: sizes[0]]),
        third: Counter(cards[sizes[0] : sum(sizes)]),
    }
    stacks = replace(dealing.stacks, deck=Counter(cards[sum(sizes) :]))
    tickets = {**position.tickets, other: dealing.tickets[: len(position.tickets[other])]}
    return replace(position, tickets=tickets), replace(dealing, stacks=stacks, hands=hands)


def test_the_strengths_play_with_stations_tunnels_and_sites() -> None:
    """Those who plan use what an edition offers."""
    europe = load_edition("europe")
    seen: Counter[object] = Counter()
    for seed in range(4):
        players = [computer_player(strength, seed) for strength in ("medium", "hard", "hard")]
        game = played(europe, load_board("europe"), players, seed=seed)
        seen.update(turn.laid.kind if turn.laid else type(turn.move) for turn in game.turns)
    assert seen["station"]
    assert seen[LeaveTunnel]
    philly = played(load_edition("philly"), own_board(), mixed(3, 1), seed=1)
    assert any(turn.laid and turn.laid.kind == "site" for turn in philly.turns)


def test_each_strength_beats_the_one_below() -> None:
    """A few games, as a smoke test: what is promised is measured in benchmarks/."""
    usa = load_edition("usa")
    for weak, strong in (("easy", "medium"), ("easy", "hard")):
        more = 0
        for seed in range(6):
            players = [computer_player(weak, seed), computer_player(strong, seed)]
            end = played(usa, load_board("usa"), players, seed=seed).end
            one, other = final_score(end).players
            more += other.total - one.total
        assert more > 0


def test_an_easy_player_builds_the_ticket_that_is_nearest() -> None:
    edition, board = load_edition("usa"), load_board("usa")
    near = Ticket("denver", "el-paso", 4)
    tickets = {"red": (Ticket("los-angeles", "new-york", 21), near)}
    position = Position(edition, board, seats_of(("red", "blue")), {}, tickets)
    view = seen_by(position, first_dealing(edition, board, (), seeded_luck(1)), "red")
    easy = computer_player("easy")
    way = {target.spot.id for target in easy.targets(view)}
    assert way == {"denver--santa-fe", "el-paso--santa-fe"}
    built = replace(view, position=replace(position, claims=dict.fromkeys(way, "red")))
    assert sum(board.route_by_id[target.spot.id].length for target in easy.targets(built)) > 12


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_turn_is_over_when_the_second_card_is_gone(strength: str) -> None:
    edition, board = load_edition("usa"), load_board("usa")
    position = Position(edition, board, seats_of(("red", "blue")))
    dealing = first_dealing(edition, board, (), seeded_luck(1))
    for face_up, move in ((), PassTurn()), (("red",), DrawCard(0)):
        stacks = TrainCardStacks(edition, {}, face_up)
        begun = replace(dealing, stacks=stacks, on_turn="red", drawn=(Draw("red"),))
        assert computer_player(strength).move(seen_by(position, begun, "red")) == move


def test_a_strength_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"there is no strength 'godlike'; there are easy, medium"):
        computer_player("godlike")

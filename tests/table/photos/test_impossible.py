"""What no game has is never scored without a word: thirty made positions, and a camera's."""

from collections.abc import Iterator
from itertools import accumulate

import pytest
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import NOTHING
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.opening import MANY, Opened, opening
from railspotter.table.live_table.table_view import Joining
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.looks import LookRead
from railspotter.vision.watching.spot_state import SpotReading

Held = dict[Spot, str]
COUNTS = {"usa": (2, 3), "europe": (2, 3), "newyork": (2,)}


def too_many(edition: str, colour: str, trains: int) -> Held:
    """Routes of one colour that take more trains than a player has, no two lanes of one."""
    routes = sorted(load_board(edition).routes, key=lambda one: (one.lane, -one.length))
    used = accumulate(one.length for one in routes)
    return {
        Spot("route", one.id): colour
        for one, sum_ in zip(routes, used, strict=True)
        if sum_ - one.length <= trains
    }


def positions() -> Iterator[tuple[str, str, tuple[str, ...] | None, Held]]:
    """Yield what is wrong, on which board, who is said to play, and what lies there."""
    for edition in ("usa", "europe", "newyork"):
        rules, board = load_edition(edition), load_board(edition)
        for colour in rules.colours:
            yield "not sure of", edition, None, too_many(edition, colour, rules.trains)
        one, other = next(lanes for lanes in board.lanes if len(lanes) > 1)
        lanes = {Spot("route", one): rules.colours[0], Spot("route", other): rules.colours[1]}
        for players in COUNTS[edition]:
            yield "both lanes of", edition, rules.colours[:players], lanes
            others = [r.id for r in board.routes if r.id not in (one, other)]
            more = {
                Spot("route", route): rules.colours[i % players]
                for i, route in enumerate(others[:: len(others) // 12])
            }
            yield "both lanes of", edition, None, {**more, **lanes}
        alone = dict.fromkeys(lanes, rules.colours[0])
        yield "holds both lanes", edition, None, alone
    cities = [Spot("station", city.id) for city in load_board("europe").places[:4]]
    for colour in load_edition("europe").colours:
        yield "built 4 stations", "europe", None, dict.fromkeys(cities, colour)


MADE = list(positions())


@pytest.mark.parametrize(("wrong", "edition", "players", "held"), MADE)
def test_what_cannot_be_is_said(
    wrong: str, edition: str, players: tuple[str, ...] | None, held: Held
) -> None:
    rules = load_edition(edition)
    photo = ScoredPhoto("a.jpg", load_board(edition), rules, players or rules.colours, held=held)
    assert any(wrong in remark for remark in photo.remarks)


def test_there_are_thirty_of_them() -> None:
    assert len(MADE) >= 30


@pytest.mark.parametrize(("trains", "is_told"), [(45, False), (98, True)])
def test_a_camera_offers_no_more_trains_than_a_box_has_as_what_lies_there(
    trains: int, *, is_told: bool
) -> None:
    players = tuple(Player(c, c) for c in ("red", "blue"))
    game = begin(Event(1, 0.0, GameStarted("usa", players)))
    lying = too_many("usa", "red", trains - 6)
    seen = {spot: SpotReading(colour, (1.0,), 1, 1) for spot, colour in lying.items()}
    found = opening(LookRead(9.0, seen), game.table)
    assert found.joining == Joining(lying)
    assert (found.impossible != NOTHING) == is_told


def looked(game: GameState, laid: Held, *, doubted: Held | None = None) -> Opened:
    """Return what a first look at a board makes of it, with what the game has."""
    doubted = doubted or {}
    seen = {
        spot: SpotReading(
            colour,
            (9.0, 1.0),
            1,
            1,
            doubt=Doubt(spot, colour, (None,), NOTHING) if spot in doubted else None,
        )
        for spot, colour in {**game.table.held, **laid, **doubted}.items()
    }
    return opening(LookRead(9.0, seen), game.table)


def of_red(trains: int, known: int) -> tuple[GameState, Held]:
    """Return a game that has so much of a board, by its camera, and the rest that lies there."""
    lying = list(too_many("usa", "red", trains - 6).items())
    game = begin(Event(1, 0.0, GameStarted("usa", (Player("a", "red"), Player("b", "blue")))))
    for number, (spot, colour) in enumerate(lying[:known], 2):
        game = game.after(Event(number, 1.0, Placed.on(spot, colour=colour, by="camera")))
    return game, dict(lying[known:])


def test_a_few_claims_that_nobody_saw_are_no_more_than_the_stock() -> None:
    game, laid = of_red(60, known=7)
    assert 0 < len(laid) < MANY
    found = looked(game, laid)
    assert found.impossible.startswith("red has used 59 trains, of 45, which no single")
    assert looked(game, {}, doubted=laid).impossible == NOTHING, "it is asked about"
    first, *rest = laid
    assert looked(game, {first: "red"}).impossible == NOTHING, "one route too much may be there"
    assert looked(game, {first: "red", **dict.fromkeys(rest, "blue")}).impossible == NOTHING


def test_a_game_that_had_too_much_already_is_watched() -> None:
    game, _ = of_red(60, known=10)
    assert [problem.is_gross for problem in game.table.score.problems] == [True]
    assert looked(game, {Spot("route", "helena--omaha"): "blue"}).impossible == NOTHING

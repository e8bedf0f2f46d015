"""An enacted game is the played one: hands lay what was claimed, and the truth says when."""

from collections import Counter
from dataclasses import replace
from functools import cache

import msgspec
import numpy as np
import pytest
from enacted_events import claims_at, events_of, held_in
from railspotter.scoring.board import Board, Site, load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.spot import of_kind
from railspotter.simulation.enactment.director import enact
from railspotter.simulation.enactment.enactment import Enactment
from railspotter.simulation.enactment.habits import CALM, Habits
from railspotter.simulation.played_game import PlayedGame, play_game
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.errors import SceneError
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.pieces import Piece
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.simulation.virtual_game import plain_game

TRAINS = ("train", "taxi", "shape")
CLUMSY = Habits(
    thinking_s=(0.5, 1.0),
    dropped=0.4,
    wrong_route=0.4,
    bumped=0.6,
    undone=0.3,
    pointing=0.3,
    nudged=0.3,
    turned_around=1.0,
    things=0.5,
    lamp=0.3,
)
HABITS = {"calm": CALM, "ordinary": Habits(), "clumsy": CLUMSY}
ON_A_TABLE = [("usa", 2), ("usa", 5), ("usa-accessible", 3), ("europe", 4), ("newyork", 3)]
every_table = pytest.mark.parametrize(
    ("name", "players", "habits"),
    [(name, players, habits) for name, players in ON_A_TABLE for habits in HABITS],
)


@cache
def played(name: str, players: int) -> PlayedGame:
    edition = load_edition(name)
    return play_game(edition, load_board(edition.board), players, seed=2)


@cache
def enacted(name: str, players: int, habits: str) -> Enactment:
    return enact(played(name, players), seed=3, habits=HABITS[habits])


def trains(pieces: dict[str, Piece]) -> dict[str, Piece]:
    return {name: piece for name, piece in pieces.items() if piece.kind in TRAINS}


@every_table
def test_the_end_is_that_of_the_played_game(name: str, players: int, habits: str) -> None:
    table = enacted(name, players, habits)
    final, truth = table.played.end, table.stage_at(table.duration_s)
    assert claims_at(table, table.duration_s) == final.claims
    stations = {city: colour for colour, cities in final.stations.items() for city in cities}
    assert truth.stations == stations
    assert table.hands_at(table.duration_s) == ()
    lying = Counter((p.route, p.colour) for p in truth.pieces if p.route is not None)
    one = name == "usa-accessible"  # a shape is all of its route
    lengths = {route.id: 1 if one else route.length for route in table.board.routes}
    assert lying == {(name, colour): lengths[name] for name, colour in final.claims.items()}


@every_table
def test_a_route_is_claimed_when_its_last_train_lies(name: str, players: int, habits: str) -> None:
    table = enacted(name, players, habits)
    for event in events_of(table):
        if event.kind not in ("claimed", "withdrawn"):
            continue
        laid_s, not_laid_s = event.t_s, event.t_s - 1e-6
        if event.kind == "withdrawn":
            laid_s, not_laid_s = not_laid_s, laid_s
        assert claims_at(table, laid_s)[event.name] == event.colour
        assert event.name not in claims_at(table, not_laid_s)
        if name != "usa-accessible":
            length = table.board.route_by_id[event.name].length
            laid, not_laid = table.stage_at(laid_s).pieces, table.stage_at(not_laid_s).pieces
            there = [[p for p in pieces if p.route == event.name] for pieces in (laid, not_laid)]
            assert len(there[0]) == length > len(there[1])


@every_table
def test_claims_come_in_the_turns_that_made_them(name: str, players: int, habits: str) -> None:
    table = enacted(name, players, habits)
    meant = [
        (i, turn.colour, turn.laid.id)
        for i, turn in enumerate(table.played.turns)
        if turn.laid and turn.laid.kind == "route"
    ]
    events = events_of(table)
    claimed = [(e.turn, e.colour, e.name) for e in events if e.kind == "claimed"]
    withdrawn = Counter((e.turn, e.colour, e.name) for e in events if e.kind == "withdrawn")
    assert Counter(claimed) - withdrawn == Counter(meant)
    assert [event.t_s for event in events] == sorted(event.t_s for event in events)
    if habits == "calm":
        assert claimed == meant


@every_table
def test_a_hand_has_left_when_it_is_said(name: str, players: int, habits: str) -> None:
    table = enacted(name, players, habits)
    width, height = table.board.size_mm
    events = events_of(table)
    did = [e for e in events if e.kind in ("claimed", "withdrawn", "station built")]
    for event in did:
        (reach,) = (
            reach
            for reach in table.hand_movements
            if reach.colour == event.colour
            and any(abs(key.t_s - event.t_s) < 1e-9 for key in reach.keys)
        )
        left = next(
            e
            for e in events
            if e.kind == "hand left" and e.name == event.name and e.t_s > event.t_s
        )
        assert event.t_s < left.t_s <= reach.end_s
        for t_s in np.linspace(left.t_s, reach.end_s, 20):
            move = np.linalg.inv(table.shift_at(float(t_s)).table_from_board_3d((width, height)))
            x, y, *_ = move @ [*reach.at(float(t_s)).xy_mm, 0.0, 1.0]
            assert not (0 < x < width and 0 < y < height)
        x, y = reach.at(left.t_s - 0.1).xy_mm
        assert -100 < x < width + 100
        assert -100 < y < height + 100


def test_what_goes_wrong_is_put_right() -> None:
    table = enacted("usa", 5, "clumsy")
    kinds = Counter(event.kind for event in events_of(table))
    assert kinds["withdrawn"] >= 10
    assert kinds["board moved"] >= 10
    fallen = [
        stage
        for stage in table.stages
        if any(
            piece.route is None and 0 < piece.xy_mm[1] < table.board.size_mm[1]
            for piece in trains(dict(stage.standing)).values()
        )
    ]
    assert len(fallen) >= 10
    assert fallen[-1] is not table.stages[-1]
    assert len({lamp.light for lamp in table.lamps}) > 3
    assert table.border_things
    assert abs(table.shift_at(table.duration_s).turn_deg - 180) < 10


def test_nothing_happens_in_a_calm_game_but_claims() -> None:
    table = enacted("usa", 2, "calm")
    assert {e.kind for e in events_of(table)} == {"turn", "claimed", "hand left"}
    assert (table.border_things, table.pushes) == ([], [])
    assert {table.scene_at(t).light for t in (0.0, 100.0, table.duration_s)} == {Light()}
    assert len(table.hand_movements) == len(table.played.end.claims)


def test_the_same_seed_is_the_same_table_and_another_one_is_not() -> None:
    game = played("europe", 4)
    one, again, other = (enact(game, seed=seed, habits=CLUMSY) for seed in (5, 5, 6))
    assert events_of(one) == events_of(again)
    assert events_of(one) != events_of(other)
    for t_s in np.linspace(-1.0, one.duration_s + 1.0, 40):
        assert one.scene_at(float(t_s)) == again.scene_at(float(t_s))


def test_markers_count_the_points_of_routes() -> None:
    table = enacted("usa", 2, "ordinary")
    steps = [p.xy_mm for p in table.stage_at(0.0).pieces if p.kind == "marker"]
    assert len(steps) == 2
    exact = enact(played("usa", 2), habits=replace(CALM, looseness=0.0))
    for player in final_score(table.played.end).players:
        (marker,) = (
            p
            for p in exact.stage_at(exact.duration_s).pieces
            if p.kind == "marker" and p.colour == player.colour
        )
        track = table.board.score_track
        assert marker.xy_mm == track[player.route_points % len(track)]
    taxis = enacted("newyork", 3, "ordinary")
    assert not any(p.kind == "marker" for p in taxis.stage_at(taxis.duration_s).pieces)


def test_stations_are_built_in_their_turns() -> None:
    edition = load_edition("europe")
    game = next(
        g
        for g in (play_game(edition, load_board("europe"), 4, seed) for seed in range(20))
        if g.end.stations
    )
    table = enact(game, habits=CALM)
    built = [(e.turn, e.name) for e in events_of(table) if e.kind == "station built"]
    assert built == [
        (i, turn.laid.id)
        for i, turn in enumerate(game.turns)
        if turn.laid and turn.laid.kind == "station"
    ]
    truth = table.stage_at(table.duration_s)
    assert set(truth.stations) == {place for _, place in built}


def philly() -> PlayedGame:
    """A game with sites, on a made-up board."""
    usa = load_board("usa")
    sites = tuple(
        Site(f"site-{i}", "", place.id, ("red", "blue"), usa.routes[i].spaces[0])
        for i, place in enumerate(usa.places[:9])
    )
    board: Board = msgspec.structs.replace(usa, sites=sites)
    return play_game(load_edition("philly"), board, 3, seed=1)


def test_sites_are_claimed_with_one_train() -> None:
    game = philly()
    table = enact(game, habits=CALM)
    sites = of_kind("site", held_in(table.stage_at(table.duration_s), table.board))
    assert sites == game.end.sites
    assert sites
    assert {e.name for e in events_of(table) if e.kind == "site claimed"} == set(sites)


def test_a_board_that_nobody_measured_is_refused() -> None:
    game = play_game(load_edition("philly"), load_board("philly"), 2)
    with pytest.raises(SceneError, match="'philly' is not measured"):
        enact(game)


def test_a_camera_sees_what_is_true() -> None:
    game, copy = played("usa", 5), Copy(seed=4, scale=1.02, stray_print_mm=3.0)
    table = enact(game, copy.printed(game.start.board), seed=3, habits=CLUMSY)
    camera = VirtualCamera(game.start.board, copy, CameraSetup((320, 240)))
    for share in (0.2, 0.6, 1.0):
        t_s = share * table.duration_s
        frame = camera.take(table.scene_at(t_s))
        assert frame.pieces == table.stage_at(t_s).pieces
        assert set(claims_at(table, t_s)) <= set(frame.claims)


def test_a_games_pieces_are_as_large_as_its_editions() -> None:
    edition = load_edition("newyork")
    game = plain_game(edition, load_board("newyork"), 1, (320, 240))
    corners = game.camera.solid_of(Piece("taxi", "blue", (100.0, 100.0))).corners
    assert np.ptp(corners, axis=0) == pytest.approx(edition.train_size_mm, abs=0.1)

"""A board photographed with trains on it is read as one that was empty, with more doubts."""

from functools import cache
from pathlib import Path

import drawn
import numpy as np
from at_once import AtOnce
from railspotter.calibration.profiles.profile import Profile, route_of_key, space_keys
from railspotter.calibration.profiles.profile_file import from_bytes, to_bytes
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.edition import load_edition
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_calibration.own_profile import occupied_text, profile_without_trains
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.watching.emptiness import OccupiedReference


@cache
def made() -> tuple[Profile, OccupiedReference]:
    """The profile of a photo of the drawn board with a game on it."""
    frame = drawn.game()
    profile = make_profile(frame.picture, drawn.usa(), frame.corners_px, "played", "")
    completed, found = profile_without_trains(profile, drawn.usa(), frame.picture, frame.corners_px)
    assert found is not None
    return completed, found


def test_every_route_with_trains_counts_as_unseen() -> None:
    profile, found = made()
    unseen = {route_of_key(key) for key in profile.unseen}
    assert set(drawn.CLAIMS) <= unseen
    assert len(profile.unseen) < 0.8 * len(space_keys(drawn.usa()))
    assert profile.unseen == found.unseen
    assert "spaces were not seen free" in occupied_text(found, drawn.usa())


def test_the_completed_reference_looks_like_the_empty_board() -> None:
    profile, found = made()
    frame = drawn.game()
    before = make_profile(frame.picture, drawn.usa(), frame.corners_px, "played", "")
    empty = drawn.empty()
    bare = make_profile(empty.picture, drawn.usa(), empty.corners_px, "bare", "")
    off_before, off_after = (
        float(np.abs(one.reference.astype(int) - bare.reference)[found.is_hidden].mean())
        for one in (before, profile)
    )
    assert off_after < 0.6 * off_before


def test_an_empty_board_stays_as_it_is() -> None:
    frame = drawn.empty()
    profile = make_profile(frame.picture, drawn.usa(), frame.corners_px, "empty", "")
    completed, found = profile_without_trains(profile, drawn.usa(), frame.picture, frame.corners_px)
    assert found is None
    assert completed is profile


def test_other_boards_are_read_with_it() -> None:
    profile, _ = made()
    scorer = PhotoScorer(ReadingPlan(drawn.usa(), load_edition("usa"), profile))
    claims = {route: colour for route, colour in drawn.CLAIMS.items() if colour != "green"}
    found = scorer.find(drawn.photographed(claims))
    assert isinstance(found, FoundBoard)
    reading = drawn.read(found.view)
    doubted = {doubt.spot.id for doubt in reading.doubts}
    for route in drawn.usa().routes:
        right = reading.claims.get(route.id) == claims.get(route.id)
        assert right or route.id in doubted, route.id
    assert any("taken with trains on the board" in note for note in reading.notes)


def test_what_is_unseen_is_kept_in_the_file() -> None:
    profile, _ = made()
    again = from_bytes(to_bytes(profile))
    assert again.unseen == profile.unseen
    assert PrintedBoard.of(drawn.usa(), again).drawn_routes == {
        route_of_key(key) for key in profile.unseen
    }


def test_a_half_played_game_is_joined_with_it(tmp_path: Path) -> None:
    profile, _ = made()
    players = tuple(Player(colour, colour) for colour in drawn.GAME)
    source = VirtualBoard(lambda t_s: drawn.game().picture, 4.0, 5.0, as_fast_as_read=True)
    with (
        GameStore(tmp_path).create(GameStarted("usa", players), 1.0) as log,
        Grabber(source) as grabber,
    ):
        table = LiveTable(log, grabber, profile, work=AtOnce())
        while not table.view.is_over and table.view.sight.joining is None:
            table.process_next_frame()
    joining = table.view.sight.joining
    assert joining is not None
    found = {spot.id: colour for spot, colour in joining.board.items() if spot.kind == "route"}
    wrong = {r.id for r in drawn.usa().routes if found.get(r.id) != drawn.CLAIMS.get(r.id)}
    assert len(wrong) <= 1

"""Pictures made by the path tracer: the truth of a seed, and one small picture."""

import cv2
import numpy as np
import pytest
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.printed_copy import Copy

from traced.game import GamePosition, claim_routes, lay_game
from traced.moulds import MOULDS, Moulds
from traced.phone import PHONES, Phone, aim_phone
from traced.picture import Spec, make_picture
from traced.tracer import start_mitsuba


def game(seed: int) -> GamePosition:
    """Lay a game of Europe."""
    board, edition = load_board("europe"), load_edition("europe")
    rng = np.random.default_rng(seed)
    players = ("red", "blue", "purple")
    claims = claim_routes(board, edition, players, rng)
    moulds = Moulds.of(seed % MOULDS, edition)
    return lay_game(board, edition, moulds, Copy(), players, claims, rng)


def test_a_seed_is_one_game_and_its_truth_counts_its_trains() -> None:
    one, again = game(3), game(3)
    assert one.spaces == again.spaces
    assert one.stations == again.stations
    for laid, same in zip(one.pieces, again.pieces, strict=True):
        np.testing.assert_array_equal(laid.corners, same.corners)
    for player in one.players:
        trains = sum(colours.count(player) for colours in one.spaces.values())
        assert trains <= load_edition("europe").trains
    assert one.claims


@pytest.mark.parametrize("seed", range(6))
def test_all_of_the_board_is_in_the_picture_at_the_tilt_that_was_asked_for(seed: int) -> None:
    size_mm = load_board("usa").size_mm
    rng = np.random.default_rng(seed)
    shot = aim_phone(Phone.of(seed % PHONES), size_mm, (800, 600), (50.0, 62.0), rng)
    width, height = size_mm
    corners = [(x, y, 0.0) for x in (0.0, width) for y in (0.0, height)]
    seen = shot.projection.project(corners)
    assert (seen > 0).all()
    assert (seen < shot.projection.size_wh).all()
    assert 50 <= shot.tilt_deg <= 62


def test_a_small_picture_is_traced_where_mitsuba_is() -> None:
    pytest.importorskip("mitsuba", reason="there is no Mitsuba here, which traces the pictures")
    start_mitsuba("scalar_rgb")
    jpeg, truth, is_plastic = make_picture(Spec("usa", (96, 72), (0.0, 30.0), 2, ("drawn-1",)), 5)
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert sorted(picture.shape[:2]) == [72, 96]
    assert picture.std() > 10
    assert is_plastic.shape == picture.shape[:2]
    assert 0 < is_plastic.mean() < 0.3
    assert truth["shoot"].startswith("drawn-1/room-")

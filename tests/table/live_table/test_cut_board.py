"""A camera that does not see all of its board: the rest is watched, what it misses is tapped."""

from collections.abc import Mapping

import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected
from railspotter.table.game_log.log import GameLog
from railspotter.table.live_table.board_tracker import UNSEEN
from railspotter.table.live_table.live_table import LiveTable
from small_game import SIZE_WH, game, true_claims, turn_until, watching

CUT_PX = 250  # of 960, at the left: Seattle and Los Angeles are gone
OUT = Spot("route", "portland--seattle--0")


def frame_at(t_s: float) -> Picture:
    return np.ascontiguousarray(game().frame_at(t_s).picture[:, CUT_PX:])


def in_sight(claims: Mapping[str, str], table: LiveTable) -> dict[str, str]:
    unseen = {spot.id for spot in table.view.sight.unseen}
    return {route: colour for route, colour in claims.items() if route not in unseen}


def test_a_cut_board_is_watched_and_what_is_out_of_the_picture_is_told(log: GameLog) -> None:
    with watching(log, frame_at, 60.0) as table:
        turn_until(table, lambda: table.view.sight.unseen)
        sight = table.view.sight
        assert OUT in sight.unseen
        assert 10 < len(sight.unseen) < len(load_board("usa").routes) / 2
        assert sight.board == UNSEEN.filled(n=len(sight.unseen), side="left")
        turn_until(table, lambda: log.state.table.claims)
        truth = true_claims(60.0)
        assert log.state.table.claims.items() <= in_sight(truth, table).items()


def test_what_people_say_of_a_route_that_is_out_of_the_picture_stays(log: GameLog) -> None:
    at_s = game().still_after(40.0)
    log.append([Corrected.on(OUT, was=None, now="red")], 2.0)
    with watching(log, lambda t_s: frame_at(at_s), 8.0) as table:
        turn_until(table, lambda: table.view.sight.unseen)
        for _ in range(20):
            table.process_next_frame()
        assert log.state.table.claims[OUT.id] == "red"
        assert OUT not in {question.doubt.spot for question in table.view.questions}


def test_a_whole_board_has_nothing_unseen(log: GameLog) -> None:
    with watching(log, lambda t_s: game().frame_at(0.0).picture, 4.0) as table:
        turn_until(table, lambda: table.sighted is not None)
        assert table.view.sight.unseen == ()
        assert SIZE_WH[0] > CUT_PX

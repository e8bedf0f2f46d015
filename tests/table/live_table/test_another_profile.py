"""A game that goes on with another profile: the board is looked at anew, the score stays."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from at_once import AtOnce
from railspotter.calibration.errors import ProfileError
from railspotter.calibration.profiles.profile import nudged, with_learned_of
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.table.home import ProfileStore
from railspotter.table.live_table.commands import UseProfile
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import Joining
from railspotter.table.own_trains import learning_saver, parse_trains, with_trains
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.watching.looks import Look
from small_game import game, profile, small_log, true_claims, turn_until, watching

USA = load_board("usa")


class SeenLooks(AtOnce):
    """Keeps the looks that were to be read."""

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[Look] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.looks += [one for one in args if isinstance(one, Look)]
        return super().submit(fn, *args, **kwargs)


def still(from_s: float, for_s: float) -> VirtualBoard:
    at_s = game().still_after(from_s)
    return VirtualBoard(
        lambda t_s: game().frame_at(at_s + t_s).picture, for_s, 5.0, as_fast_as_read=True
    )


def test_the_board_is_read_with_it_from_the_next_frame_on(tmp_path: Path) -> None:
    truth = true_claims(game().still_after(60.0))
    off = profile()
    for route in truth:
        off = nudged(off, USA, route, (0.0, 29.0))
    with small_log(tmp_path) as log, Grabber(still(60.0, 30.0)) as grabber:
        table = LiveTable(log, grabber, off, work=AtOnce())
        turn_until(table, lambda: table.sighted is not None)
        for _ in range(4):
            table.process_next_frame()
        right = {Spot("route", name): colour for name, colour in truth.items()}
        assert table.view.sight.joining != Joining(right)
        table.execute(UseProfile(profile()))
        turn_until(table, lambda: table.view.sight.joining == Joining(right))
        assert table.profile is profile()


@pytest.mark.long
def test_the_score_stays_and_nothing_is_written_down_twice(tmp_path: Path) -> None:
    with (
        small_log(tmp_path) as log,
        watching(log, lambda t_s: game().frame_at(t_s).picture, 40.0) as table,
    ):
        turn_until(table, lambda: bool(log.state.table.claims))
        claims, count = log.state.table.claims, len(log.state.events)
        changed = nudged(profile(), USA, "helena--seattle", (0.5, 0.0))
        table.execute(UseProfile(changed))
        assert log.state.table.claims == claims
        turn_until(table, lambda: len(log.state.events) > count)
        later = true_claims(60.0)
        assert claims.items() < log.state.table.claims.items() <= later.items()


def test_what_was_learned_goes_over_to_it_and_is_saved_with_it(tmp_path: Path) -> None:
    store = ProfileStore(tmp_path)
    store.save(profile())
    with small_log(tmp_path / "games") as log, Grabber(still(0.0, 2.0)) as grabber:
        learned, work = with_trains(profile(), [parse_trains("red=#b03020")]), SeenLooks()
        table = LiveTable(log, grabber, learned, work=work)
        changed = store.change("drawn", lambda kept: nudged(kept, USA, "helena--seattle", (1, 0)))
        table.execute(UseProfile(changed))
        turn_until(table, lambda: work.looks)
    look = work.looks[0]
    assert look.pieces.learned == learned.colours
    assert look.printed.print_offsets_mm == PrintedBoard.of(USA, changed).print_offsets_mm
    save = learning_saver(store, changed)
    assert save is not None
    save(with_learned_of(changed, learned))
    assert store.load("drawn").nudges_mm == {"helena--seattle": (1.0, 0.0)}
    assert set(store.load("drawn").colours) == {"red"}


def test_another_boards_profile_is_refused(tmp_path: Path) -> None:
    with small_log(tmp_path) as log, Grabber(still(0.0, 1.0)) as grabber:
        table = LiveTable(log, grabber, profile(), work=AtOnce())
        with pytest.raises(ProfileError, match="of the board 'europe', not 'usa'"):
            table.execute(UseProfile(replace(profile(), board="europe")))
        assert table.profile is profile()

"""Score markers at a live table: told of when the score has rested and two looks agree."""

from typing import Any

import pytest
from at_once import AtOnce
from logged_games import SEATTLE, STARTED, after
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.live_table import marker_watch
from railspotter.table.live_table.marker_watch import MarkerRemark, MarkerWatch
from railspotter.vision.readings import MarkerReading

CLAIMED = after(
    begin(Event(1, 0.0, STARTED)), Placed.on(Spot("route", SEATTLE), colour="red", by="camera")
)
POINTS = 15  # what Helena - Seattle is worth


class Track:
    """A score track that shows what it is told to, and counts who looks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: dict[str, int | None] = {"red": 0, "blue": 0}
        self.looks = 0
        self.watch = MarkerWatch(AtOnce())
        monkeypatch.setattr(marker_watch, "read_track", self._read)

    def _read(self, look: Any, colours: Any) -> dict[str, MarkerReading]:
        self.looks += 1
        return {colour: MarkerReading(at) for colour, at in self.shown.items()}

    def until(self, game: GameState, from_s: int, to_s: int) -> tuple[MarkerRemark, ...]:
        """What is said after frames of some still seconds."""
        for at_s in range(from_s, to_s):
            self.watch.update_expected(game.table, at_s)
            self.watch.collect_reading()
            if self.watch.is_due(at_s):
                self.watch.look(_Look(at_s), ())  # type: ignore[arg-type]
        return self.watch.remarks


class _Look:
    def __init__(self, at_s: float) -> None:
        self.at_s = at_s


@pytest.fixture
def track(monkeypatch: pytest.MonkeyPatch) -> Track:
    return Track(monkeypatch)


def test_a_marker_that_was_not_moved_is_told_of_late(track: Track) -> None:
    assert track.until(CLAIMED, 0, 40) == (), "people move their markers late"
    assert track.until(CLAIMED, 40, 60) == (MarkerRemark("ann", 0, POINTS),)
    track.shown["red"] = POINTS
    assert track.until(CLAIMED, 60, 90) == (), "it was moved"


def test_what_is_unclear_is_not_told_of(track: Track) -> None:
    track.shown["red"] = None
    assert track.until(CLAIMED, 0, 300) == ()


def test_a_marker_that_moves_is_not_told_of(track: Track) -> None:
    for at_s in range(0, 200, 10):
        track.shown["red"] = at_s // 10
        assert track.until(CLAIMED, at_s, at_s + 10) == ()


def test_a_new_claim_begins_a_new_rest(track: Track) -> None:
    track.until(CLAIMED, 0, 60)
    more = after(CLAIMED, Placed.on(Spot("route", "duluth--helena"), colour="blue", by="camera"))
    assert track.until(more, 60, 90) == ()
    looks = track.looks
    assert [remark.seat for remark in track.until(more, 90, 120)] == ["ann", "bob"]
    assert track.looks - looks <= 2


def test_when_all_are_right_the_track_is_looked_at_seldom(track: Track) -> None:
    track.shown["red"] = POINTS
    track.until(CLAIMED, 0, 3600)
    assert track.looks <= 3600 / marker_watch.RECHECK_S + 3


def test_a_marker_goes_round(track: Track) -> None:
    sixes = [r.id for r in CLAIMED.table.board.routes if r.length == 6 and r.id != SEATTLE][:6]
    placed = [Placed.on(Spot("route", route), colour="red", by="camera") for route in sixes]
    many = after(CLAIMED, *placed)
    points = 7 * POINTS
    track.shown["red"] = points % 100
    assert track.until(many, 0, 100) == ()


def test_a_hundred_points_are_where_the_track_begins_and_called_a_hundred(track: Track) -> None:
    routes = CLAIMED.table.board.routes
    sixes = [r.id for r in routes if r.length == 6 and r.id != SEATTLE][:5]
    five = next(r.id for r in routes if r.length == 5)
    placed = [Placed.on(Spot("route", r), colour="red", by="camera") for r in (*sixes, five)]
    hundred = after(CLAIMED, *placed)
    track.shown["red"] = 0
    assert track.until(hundred, 0, 100) == ()
    track.shown["red"] = 41
    assert track.until(hundred, 100, 300) == (MarkerRemark("ann", 41, 100),)


def test_nothing_is_told_of_where_there_is_no_track_and_after_the_end(track: Track) -> None:
    ended = after(CLAIMED, GameEnded())
    assert track.until(ended, 0, 100) == ()
    new_york = begin(Event(1, 0.0, GameStarted("newyork", STARTED.players)))
    assert track.until(new_york, 100, 200) == ()
    assert track.looks == 0

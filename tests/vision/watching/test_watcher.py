"""One short stretch of a drawn game, watched and read from the first frame to the last.

A route of two spaces is laid, its player thinks better of it, lifts the trains again and lays
another one.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from enacted_events import events_of
from railspotter.calibration.pose import Pose
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.vision.errors import ReaderError
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.changes import (
    Appeared,
    Change,
    FrameOutcome,
    QuestionAsked,
    QuestionWithdrawn,
    Vanished,
)
from railspotter.vision.watching.judging import AGREEING_UNLIKELY, ASK_PARTLY_S
from railspotter.vision.watching.looks import Look, LookRead, read
from railspotter.vision.watching.spot_state import SpotReading
from railspotter.vision.watching.watcher import Watcher

from .still_table import ALL_RED, BLUE_THERE, BOARD, MEANT, OTHER, PIECES, RED_THERE, StillTable

FIRST_S, LAST_S, FRAME_S, READING_S = 5.1, 18.5, 0.1, 0.4
LAID_AFTER = Spot("route", "las-vegas--los-angeles")  # what the drawn game lays after a correction


@dataclass(frozen=True, eq=False)
class Watched:
    game: VirtualGame
    seen: list[FrameOutcome]
    looks: list[Look]

    @property
    def changes(self) -> list[Change]:
        return [change for one in self.seen for change in one.changes]

    def hand_left_s(self, spot: Spot) -> list[float]:
        events = events_of(self.game.enactment)
        return [e.t_s for e in events if e.kind == "hand left" and e.name == spot.id]


@pytest.fixture(scope="module")
def watched(game: VirtualGame, printed: PrintedBoard, pose: Pose) -> Watched:
    watcher, seen, looks = Watcher(printed, PIECES), [], []
    ready: list[tuple[float, LookRead]] = []
    for t_s in np.arange(FIRST_S, LAST_S, FRAME_S).round(1).tolist():
        while ready and ready[0][0] <= t_s:
            watcher.process_look(ready.pop(0)[1])
        seen.append(watcher.see(game.frame_at(t_s).picture, pose, t_s))
        look = None if ready else watcher.due()
        if look is not None:
            looks.append(look)
            ready.append((t_s + READING_S, read(look)))
    return Watched(game, seen, looks)


def test_what_was_laid_and_lifted_and_laid_elsewhere_is_said_once_each(watched: Watched) -> None:
    said = [(type(change), change.spot) for change in watched.changes]
    assert said == [(Appeared, OTHER), (Vanished, OTHER), (Appeared, LAID_AFTER)]
    colours = {getattr(change, "colour", None) for change in watched.changes}
    assert colours == {watched.game.enactment.played.turns[0].colour}


def test_it_is_said_soon_after_the_hand_is_gone(watched: Watched) -> None:
    appeared, vanished, again = watched.changes
    laid_s, lifted_s = watched.hand_left_s(OTHER)[:2]
    laid_again_s = watched.hand_left_s(LAID_AFTER)[0]
    assert appeared.at_s - laid_s < 1.6
    assert 1.0 < vanished.at_s - lifted_s < 3.5
    assert again.at_s - laid_again_s < 1.6
    assert all(change.still_s >= 0.7 - 1e-6 for change in watched.changes)


def test_the_states_are_those_that_people_see(watched: Watched) -> None:
    states = [str(one.state) for one in watched.seen]
    changes = [new for old, new in zip(["", *states], states, strict=False) if old != new]
    assert set(states) == {"hand", "settling", "settled"}
    assert changes[:3] == ["settling", "settled", "hand"]
    assert states[-1] == "settled"


def test_a_still_board_is_not_read(watched: Watched) -> None:
    assert 0 < len(watched.looks) < 20
    first_hand_s = next(one.at_s for one in watched.seen if one.state == "hand")
    assert all(look.at_s > first_hand_s for look in watched.looks)


def test_the_picture_that_proves_it_shows_the_route(watched: Watched, pose: Pose) -> None:
    left, top, right, bottom = watched.changes[0].box_px
    spaces = BOARD.route_by_id[OTHER.id].spaces
    x, y = pose.seen_at(np.array([space.xy_mm for space in spaces])).T
    assert left < x.min() - 10
    assert x.max() + 10 < right
    assert top < y.min() - 10
    assert y.max() + 10 < bottom


def doubt_about_meant(said: str | None, why: str) -> Doubt:
    return Doubt(MEANT, said, (None if said else "red",), Sentence(why))


def test_no_reading_changes_what_did_not_change(table: StillTable) -> None:
    assert not table.show(table.picture(), 6.0, ALL_RED, also_unasked=True)
    assert table.watcher.settled == {}


def test_what_a_resting_hand_covers_never_changes(table: StillTable) -> None:
    table.watcher.correct(MEANT, "blue")
    hand = Thing("hand", BOARD.route_by_id[MEANT.id].spaces[0].xy_mm, 180.0, 3, 12.0)
    covered = table.game.camera.take(Scene(things=(hand,))).picture
    table.show(table.picture(), 2.0)
    assert str(table.watcher.state) == "settled"
    assert not table.show(covered, 10.0, ALL_RED, also_unasked=True)
    assert str(table.watcher.state) == "hand"
    assert table.watcher.settled[MEANT] == "blue"


def test_a_board_that_is_not_found_is_searched(table: StillTable) -> None:
    watcher, picture, pose = table.watcher, table.picture(), table.pose
    states = [
        str(watcher.see(picture, where, at_s).state)
        for where, at_s in [(None, 0.0), (pose, 0.1), (pose, 1.0), (None, 1.1), (pose, 1.2)]
    ]
    assert states == ["searching", "settling", "settled", "searching", "settled"]
    assert watcher.due() is None


def test_what_a_person_says_holds(table: StillTable) -> None:
    table.watcher = Watcher(table.printed, PIECES, {OTHER: "red"})
    table.show(table.picture(), 2.0)
    laid = table.picture({MEANT: "blue"})
    table.show(laid, 0.1)
    table.watcher.correct(OTHER, None)
    table.watcher.correct(MEANT, "green")
    said = {spot for _, spot in table.show(laid, 4.0, ALL_RED, also_unasked=True)}
    assert not said & {MEANT, OTHER}
    assert table.watcher.settled[MEANT] == "green"
    assert OTHER not in table.watcher.settled


def test_what_was_said_by_a_person_is_outranked_by_a_later_change(table: StillTable) -> None:
    table.watcher.correct(MEANT, "green")
    table.show(table.picture(), 2.0)
    changes = table.show(table.picture({MEANT: "red"}), 4.0, ALL_RED, also_unasked=True)
    assert [kind for kind, spot in changes if spot == MEANT] == [Vanished, Appeared]
    assert table.watcher.settled[MEANT] == "red"


def test_what_changes_without_a_movement_takes_more_readings(table: StillTable) -> None:
    bare, laid = table.picture(), table.picture({MEANT: "red"})
    for tenth in range(300):
        shown = min(max(tenth - 20, 0) / 200, 1.0)
        picture = cv2.addWeighted(bare, 1 - shown, laid, shown, 0).astype(np.uint8)
        if table.show(picture, 0.1, ALL_RED):
            break
    assert table.watcher.settled[MEANT] == "red"
    assert table.readings >= AGREEING_UNLIKELY


def test_a_question_is_asked_once_and_withdrawn_when_the_train_is_lifted(table: StillTable) -> None:
    bare, one_of_two = table.picture(), table.picture({MEANT: "red"}, count=1)
    doubt = doubt_about_meant(None, "1 of 2 spaces look covered")
    partly = {MEANT: SpotReading(None, (-1.0,), parts=2, covered=1, doubt=doubt)}
    assert not table.show(bare, 5, step_s=1)
    assert not table.show(one_of_two, 1 + ASK_PARTLY_S, partly, step_s=1)
    assert table.show(one_of_two, 1, partly, step_s=1) == [(QuestionAsked, MEANT)]
    assert not table.show(one_of_two, 23, partly, step_s=1)
    assert table.watcher.asked == {MEANT}
    assert table.show(bare, 4, step_s=1) == [(QuestionWithdrawn, MEANT)]
    assert not table.show(bare, 6, step_s=1)


def test_a_question_outlasts_the_next_claim(table: StillTable) -> None:
    doubt = doubt_about_meant(None, "it is not clear whether trains stand there")
    unclear = SpotReading(None, (-0.5,), parts=2, covered=0, doubt=doubt, shape=3.0)
    table.show(table.picture(), 5, step_s=1)
    one, both = table.picture({MEANT: "red"}), table.picture({MEANT: "red", OTHER: "blue"})
    assert table.show(one, 25, {MEANT: unclear}, step_s=1) == [(QuestionAsked, MEANT)]
    seen = {MEANT: unclear, OTHER: BLUE_THERE}
    assert table.show(both, 30, seen, step_s=1) == [(Appeared, OTHER)]
    assert table.watcher.asked == {MEANT}


def test_a_claim_explains_only_what_changed_with_it(table: StillTable) -> None:
    doubt = doubt_about_meant("red", "it is not clear whether trains stand there")
    unclear = SpotReading("red", (0.4,), parts=2, covered=2, doubt=doubt, shape=1.0)
    table.show(table.picture(), 2.0)
    assert not table.show(table.picture({MEANT: "red"}), 2.0, {MEANT: unclear})
    both = table.picture({MEANT: "red", OTHER: "blue"})
    changes = table.show(both, 8.0, {MEANT: unclear, OTHER: BLUE_THERE})
    assert changes == [(Appeared, OTHER), (QuestionAsked, MEANT)]


def test_spots_that_the_board_does_not_have_are_refused(printed: PrintedBoard) -> None:
    with pytest.raises(ReaderError, match="the board 'usa' has no route 'a--b'"):
        Watcher(printed, PIECES).correct(Spot("route", "a--b"), "red")
    with pytest.raises(ReaderError, match="no station 'paris'"):
        Watcher(printed, PIECES, {Spot("station", "paris"): "red"})


def test_a_board_is_looked_over_when_its_game_ends(table: StillTable) -> None:
    bare, seen = table.picture(), {MEANT: RED_THERE}
    assert not table.show(bare, 5.1, seen)
    table.watcher.check_whole_board()
    assert table.show(bare, 4.9, seen) == [(QuestionAsked, MEANT)]
    table.watcher.correct(MEANT, None)
    assert not table.show(bare, 4.0, seen)


def test_what_readings_say_since_a_lamp_was_switched_is_claimed_without_a_change(
    table: StillTable,
) -> None:
    bare, laid = table.picture(), table.picture({MEANT: "red"})
    table.show(bare, 0.9)
    table.show(bare, 0.1, also_unasked=True)
    table.show(bare, 3.0)
    in_new_light = np.clip(laid * 0.7, 0, 255).astype(np.uint8)
    assert table.show(in_new_light, 8.0, {MEANT: RED_THERE}) == [(Appeared, MEANT)]
    (claimed,) = table.said
    assert isinstance(claimed, Appeared)
    assert not claimed.seen_to_change

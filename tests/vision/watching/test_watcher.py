"""One short stretch of a drawn game, watched and read from the first frame to the last.

A route of two spaces is laid, its player thinks better of it, lifts the trains again and lays
another one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.placing import stand_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.errors import ReaderError
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.belief import BeliefSettings, SpotReading
from railspotter.vision.watching.changes import (
    Appeared,
    Change,
    Observation,
    QuestionAsked,
    QuestionWithdrawn,
    Vanished,
)
from railspotter.vision.watching.looks import Look, LookRead, read
from railspotter.vision.watching.watcher import Watcher

BOARD = load_board("usa")
FIRST_S, LAST_S, FRAME_S, READING_S = 5.1, 18.5, 0.1, 0.4
OTHER = Spot("route", "pittsburgh--toronto")
MEANT = Spot("route", "las-vegas--los-angeles")
PIECES = Pieces(plastic("usa"), exclusive=BOARD.lanes)


@dataclass(frozen=True, eq=False)
class Watched:
    game: VirtualGame
    seen: list[Observation]
    looks: list[Look]

    @property
    def changes(self) -> list[Change]:
        return [change for one in self.seen for change in one.changes]

    def hand_left_s(self, spot: Spot) -> list[float]:
        events = self.game.enactment.events
        return [e.t_s for e in events if e.kind == "hand left" and e.name == spot.id]


@pytest.fixture(scope="module")
def watched(game: VirtualGame, printed: PrintedBoard, pose: Pose) -> Watched:
    watcher, seen, looks = Watcher(printed, PIECES), [], []
    ready: list[tuple[float, LookRead]] = []
    for t_s in np.arange(FIRST_S, LAST_S, FRAME_S).round(1).tolist():
        while ready and ready[0][0] <= t_s:
            watcher.take_in(ready.pop(0)[1])
        seen.append(watcher.see(game.frame_at(t_s).picture, pose, t_s))
        look = watcher.due()
        if look is not None:
            looks.append(look)
            ready.append((t_s + READING_S, read(look)))
    return Watched(game, seen, looks)


def test_what_was_laid_and_lifted_and_laid_elsewhere_is_said_once_each(watched: Watched) -> None:
    said = [(type(change), change.spot) for change in watched.changes]
    assert said == [(Appeared, OTHER), (Vanished, OTHER), (Appeared, MEANT)]
    colours = {getattr(change, "colour", None) for change in watched.changes}
    assert colours == {watched.game.enactment.played.turns[0].colour}


def test_it_is_said_soon_after_the_hand_is_gone(watched: Watched) -> None:
    appeared, vanished, again = watched.changes
    laid_s, lifted_s = watched.hand_left_s(OTHER)[:2]
    laid_again_s = watched.hand_left_s(MEANT)[0]
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


def all_red(at_s: float) -> LookRead:
    """Return a reading that sees red trains everywhere, without any doubt."""
    seen: dict[Spot, SpotReading] = {
        Spot("route", route.id): SpotReading("red", (9.0,), route.length, route.length)
        for route in BOARD.routes
    }
    return LookRead(at_s, seen)


def test_no_reading_changes_what_did_not_change(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher = Watcher(printed, PIECES)
    picture = game.camera.take(Scene()).picture
    for tenth in range(60):
        assert not watcher.see(picture, pose, tenth / 10).changes
        watcher.take_in(all_red(tenth / 10))
    assert watcher.settled == {}


def test_what_a_resting_hand_covers_never_changes(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher = Watcher(printed, PIECES, {MEANT: "blue"})
    bare = game.camera.take(Scene()).picture
    hand = Thing("hand", BOARD.route_by_id[MEANT.id].spaces[0].xy_mm, 180.0, 3, 12.0)
    covered = game.camera.take(Scene(things=(hand,))).picture
    for tenth in range(20):
        watcher.see(bare, pose, tenth / 10)
    assert str(watcher.state) == "settled"
    for tenth in range(20, 120):
        assert not watcher.see(covered, pose, tenth / 10).changes
        assert str(watcher.state) == "hand"
        watcher.take_in(all_red(tenth / 10))
    assert watcher.settled[MEANT] == "blue"


def test_a_board_that_is_not_found_is_searched(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher = Watcher(printed, PIECES)
    picture = game.camera.take(Scene()).picture
    states = [
        str(watcher.see(picture, where, at_s).state)
        for where, at_s in [(None, 0.0), (pose, 0.1), (pose, 1.0), (None, 1.1), (pose, 1.2)]
    ]
    assert states == ["searching", "settling", "settled", "searching", "settled"]
    assert watcher.due() is None


def test_what_a_person_says_holds(game: VirtualGame, printed: PrintedBoard, pose: Pose) -> None:
    watcher = Watcher(printed, PIECES, {OTHER: "red"})
    bare = game.camera.take(Scene()).picture
    laid = game.camera.take(Scene(stand_trains(BOARD, {MEANT.id: "blue"}, 0))).picture
    for tenth in range(20):
        watcher.see(bare, pose, tenth / 10)
    watcher.see(laid, pose, 2.0)
    watcher.correct(OTHER, None)
    watcher.correct(MEANT, "green")
    for tenth in range(21, 60):
        said = {change.spot for change in watcher.see(laid, pose, tenth / 10).changes}
        assert not said & {MEANT, OTHER}
        watcher.take_in(all_red(tenth / 10))
    assert watcher.settled[MEANT] == "green"
    assert OTHER not in watcher.settled


def test_what_changes_without_a_movement_takes_more_readings(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher, readings = Watcher(printed, PIECES), 0
    bare = game.camera.take(Scene()).picture
    laid = game.camera.take(Scene(stand_trains(BOARD, {MEANT.id: "red"}, 0))).picture
    for tenth in range(300):
        shown = min(max(tenth - 20, 0) / 200, 1.0)
        picture = cv2.addWeighted(bare, 1 - shown, laid, shown, 0).astype(np.uint8)
        if watcher.see(picture, pose, tenth / 10).changes:
            break
        if watcher.due() is not None:
            watcher.take_in(all_red(tenth / 10))
            readings += 1
    assert watcher.settled[MEANT] == "red"
    assert readings >= BeliefSettings().agreeing_unlikely


def test_a_question_is_asked_once_and_withdrawn_when_the_train_is_lifted(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher, changes = Watcher(printed, PIECES), list[Change]()
    bare = game.camera.take(Scene()).picture
    one_of_two = game.camera.take(Scene(stand_trains(BOARD, {MEANT.id: "red"}, 0)[:1])).picture
    doubt = Doubt(MEANT, None, ("red",), Sentence("1 of 2 spaces look covered"))
    partly = SpotReading(None, (-1.0,), parts=2, covered=1, doubt=doubt)
    free = {
        spot: replace(seen, answer=None, covered=0, odds=(-9.0,))
        for spot, seen in all_red(0.0).seen.items()
    }
    asked_s = []
    for second in range(60):
        lies_there = 5 <= second < 50
        picture = one_of_two if lies_there else bare
        changes += watcher.see(picture, pose, float(second)).changes
        if watcher.due() is not None:
            watcher.take_in(
                LookRead(float(second), {**free, MEANT: partly} if lies_there else free)
            )
        if watcher.asked:
            asked_s.append(second)
    assert asked_s[0] == 6 + BeliefSettings().ask_partly_s
    assert asked_s[-1] in (51, 52)
    assert [(type(one), one.spot) for one in changes] == [
        (QuestionAsked, MEANT),
        (QuestionWithdrawn, MEANT),
    ]


def test_a_question_outlasts_the_next_claim(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher, changes = Watcher(printed, PIECES), list[Change]()
    pieces = stand_trains(BOARD, {MEANT.id: "red"}, 0)
    bare, one, both = (
        game.camera.take(Scene(tuple(laid))).picture
        for laid in ((), pieces, (*pieces, *stand_trains(BOARD, {OTHER.id: "blue"}, 0)))
    )
    doubt = Doubt(MEANT, None, ("red",), Sentence("it is not clear whether trains stand there"))
    unclear = SpotReading(None, (-0.5,), parts=2, covered=0, doubt=doubt, shape=3.0)
    free = {
        spot: replace(seen, answer=None, covered=0, odds=(-9.0,))
        for spot, seen in all_red(0.0).seen.items()
    }
    plain = {OTHER: SpotReading("blue", (9.0,), parts=2, covered=2, shape=9.0)}
    for second in range(60):
        picture = bare if second < 5 else one if second < 30 else both
        changes += watcher.see(picture, pose, float(second)).changes
        if watcher.due() is not None:
            seen = {**free, MEANT: unclear, **(plain if second >= 30 else {})}
            watcher.take_in(LookRead(float(second), seen))
    assert [(type(change), change.spot) for change in changes] == [
        (QuestionAsked, MEANT),
        (Appeared, OTHER),
    ]
    assert watcher.asked == {MEANT}


def test_spots_that_the_board_does_not_have_are_refused(printed: PrintedBoard) -> None:
    with pytest.raises(ReaderError, match="the board 'usa' has no route 'a--b'"):
        Watcher(printed, PIECES).correct(Spot("route", "a--b"), "red")
    with pytest.raises(ReaderError, match="no station 'paris'"):
        Watcher(printed, PIECES, {Spot("station", "paris"): "red"})


def test_what_was_said_by_a_person_is_outranked_by_a_later_change(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher = Watcher(printed, PIECES)
    bare = game.camera.take(Scene()).picture
    laid = game.camera.take(Scene(stand_trains(BOARD, {MEANT.id: "red"}, 0))).picture
    watcher.correct(MEANT, "green")
    for tenth in range(20):
        watcher.see(bare, pose, tenth / 10)
    changes: list[Change] = []
    for tenth in range(20, 60):
        changes += watcher.see(laid, pose, tenth / 10).changes
        watcher.take_in(all_red(tenth / 10))
    of_it = [change for change in changes if change.spot == MEANT]
    assert [type(change) for change in of_it] == [Vanished, Appeared]
    assert watcher.settled[MEANT] == "red"


def no_trains() -> dict[Spot, SpotReading]:
    """Return a reading that sees no trains anywhere, without any doubt."""
    return {
        spot: replace(seen, answer=None, covered=0, odds=(-9.0,))
        for spot, seen in all_red(0.0).seen.items()
    }


def test_a_claim_explains_only_what_changed_with_it(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher, changes = Watcher(printed, PIECES), list[Change]()
    first = stand_trains(BOARD, {MEANT.id: "red"}, 0)
    bare, one, both = (
        game.camera.take(Scene(tuple(laid))).picture
        for laid in ((), first, (*first, *stand_trains(BOARD, {OTHER.id: "blue"}, 0)))
    )
    doubt = Doubt(MEANT, "red", (None,), Sentence("it is not clear whether trains stand there"))
    unclear = SpotReading("red", (0.4,), parts=2, covered=2, doubt=doubt, shape=1.0)
    plain = SpotReading("blue", (9.0,), parts=2, covered=2, shape=9.0)
    for tenth in range(120):
        picture = bare if tenth < 20 else one if tenth < 40 else both
        changes += watcher.see(picture, pose, tenth / 10).changes
        if watcher.due() is not None:
            seen = {**no_trains(), MEANT: unclear, **({OTHER: plain} if tenth >= 40 else {})}
            watcher.take_in(LookRead(tenth / 10, seen))
    assert [(type(change), change.spot) for change in changes] == [
        (Appeared, OTHER),
        (QuestionAsked, MEANT),
    ]


def test_a_board_is_looked_over_when_its_game_ends(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher, changes = Watcher(printed, PIECES), list[Change]()
    bare = game.camera.take(Scene()).picture
    seen = {**no_trains(), MEANT: SpotReading("red", (9.0,), parts=2, covered=2, shape=9.0)}
    for tenth in range(100):
        changes += watcher.see(bare, pose, tenth / 10).changes
        if watcher.due() is not None:
            watcher.take_in(LookRead(tenth / 10, seen))
        if tenth == 50:
            assert not changes
            watcher.look_over()
    assert [(type(change), change.spot) for change in changes] == [(QuestionAsked, MEANT)]
    watcher.correct(MEANT, None)
    for tenth in range(100, 140):
        changes += watcher.see(bare, pose, tenth / 10).changes
        if watcher.due() is not None:
            watcher.take_in(LookRead(tenth / 10, seen))
    assert len(changes) == 1


def test_what_readings_say_since_a_lamp_was_switched_is_claimed_without_a_change(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher, changes = Watcher(printed, PIECES), list[Change]()
    bare = game.camera.take(Scene()).picture
    laid = game.camera.take(Scene(stand_trains(BOARD, {MEANT.id: "red"}, 0))).picture
    in_new_light = np.clip(laid * 0.7, 0, 255).astype(np.uint8)
    plain = SpotReading("red", (9.0,), parts=2, covered=2, shape=9.0)
    for tenth in range(10):
        watcher.see(bare, pose, tenth / 10)
    watcher.take_in(LookRead(0.9, no_trains()))
    for tenth in range(10, 120):
        is_laid = tenth >= 40
        changes += watcher.see(in_new_light if is_laid else bare, pose, tenth / 10).changes
        if watcher.due() is not None:
            seen = {**no_trains(), **({MEANT: plain} if is_laid else {})}
            watcher.take_in(LookRead(tenth / 10, seen))
    assert [(type(change), change.spot) for change in changes] == [(Appeared, MEANT)]
    assert isinstance(changes[0], Appeared)
    assert not changes[0].seen_to_change

"""What stayed in doubt when watching began is asked, a few at a time, until more is known."""

import pytest
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import BoardJoined, Corrected, Placed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.board_watch import MOST_OPEN_QUESTIONS
from railspotter.table.live_table.opening import opening, opening_doubts
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.looks import LookRead
from railspotter.vision.watching.questions import Occasion, Questions
from railspotter.vision.watching.spot_state import SpotReading

ROUTES = "helena--seattle", "duluth--helena", "calgary--helena", "helena--omaha", "denver--helena"
SPOTS = [Spot("route", name) for name in ROUTES]
SPOT = SPOTS[0]


def doubt(said: Colour | None, spot: Spot = SPOT) -> Doubt:
    return Doubt(spot, said, (None,), Sentence("glare lies over it"))


def read(answer: Colour | None, *, in_doubt: bool) -> LookRead:
    seen = SpotReading(answer, (1.0,), 6, 6, doubt=doubt(answer) if in_doubt else None)
    return LookRead(9.0, {SPOT: seen})


def table(*facts: BoardJoined | Placed | Corrected) -> TableState:
    game = begin(Event(1, 0.0, GameStarted("usa", (Player("ann", "red"), Player("bo", "blue")))))
    for number, fact in enumerate(facts, start=2):
        game = game.after(Event(number, 1.0, fact))
    return game.table


CLAIMED = Placed.on(Spot("route", ROUTES[0]), colour="red", by="camera")
JOINED = BoardJoined(routes={ROUTES[0]: "red"})
BY_HAND = Corrected.on(Spot("route", ROUTES[0]), was=None, now="red")


@pytest.mark.parametrize(
    ("known", "seen", "then", "is_asked"),
    [
        (table(), read("red", in_doubt=True), None, True),
        (table(CLAIMED), read("red", in_doubt=True), None, False),
        (table(CLAIMED), read("blue", in_doubt=True), None, True),
        (table(CLAIMED), read("blue", in_doubt=False), None, False),
        (table(BY_HAND), read("blue", in_doubt=True), None, False),
        (table(JOINED), read("red", in_doubt=True), doubt("red"), True),
        (table(JOINED), read("red", in_doubt=False), doubt("red"), False),
        (table(JOINED), read(None, in_doubt=False), doubt("red"), True),
        (table(), read(None, in_doubt=True), doubt(None), True),
        (table(BY_HAND), read("blue", in_doubt=True), doubt("blue"), False),
    ],
    ids=[
        "a claim that may have come",
        "as the log has it",
        "whose it is now is not clear",
        "what is plain is written down, not asked",
        "a person said it",
        "confirmed in one step, in doubt still",
        "confirmed, and sure by now",
        "confirmed, and seen free by now",
        "shown as free, in doubt",
        "what was shown was said otherwise",
    ],
)
def test_what_is_asked_when_watching_begins(
    known: TableState, seen: LookRead, then: Doubt | None, is_asked: bool
) -> None:
    joined = {} if then is None else {SPOT: then}
    assert (SPOT in opening_doubts(seen, known, joined)) == is_asked


def board_read(**shown: Colour) -> LookRead:
    seen = {
        Spot("route", name): SpotReading(shown.get(name.replace("-", "_")), (1.0,), 6, 6)
        for name in ROUTES
    }
    return LookRead(9.0, seen)


@pytest.mark.parametrize(
    ("written", "shown", "missing"),
    [
        (ROUTES, {}, 5),
        (ROUTES, {"helena__seattle": "blue"}, 5),
        (ROUTES, {"helena__seattle": "red"}, 0),
        (ROUTES[:4], {}, 0),
    ],
    ids=["emptied", "another game's", "one of five is there", "so few are taken back"],
)
def test_a_board_without_what_the_game_has_is_asked_about(
    written: tuple[str, ...], shown: dict[str, Colour], missing: int
) -> None:
    claims = [Placed.on(Spot("route", name), colour="red", by="camera") for name in written]
    opened = opening(board_read(**shown), table(*claims))
    assert (opened.joining.missing if opened.joining else 0) == missing
    assert len(opened.changes) == len(written) - bool(shown and not missing)


ELSEWHERE = Spot("route", "las-vegas--los-angeles")


def opened() -> Questions:
    """Return what is asked after a first reading that doubts five routes."""
    questions = Questions()
    for spot in SPOTS:
        questions.ask(doubt("red", spot), Occasion.OPENING)
    return questions


def shown(questions: Questions) -> list[Spot]:
    """Return what people are asked, when what else waits may be shown."""
    questions.show_next(MOST_OPEN_QUESTIONS)
    return [one.spot for one in questions.open]


def test_no_more_than_three_wait_at_once_and_each_is_asked_once() -> None:
    questions = opened()
    assert shown(questions) == SPOTS[:3]
    assert shown(questions) == SPOTS[:3]
    questions.close([SPOTS[1]], Occasion.OPENING)
    assert shown(questions) == [SPOTS[0], SPOTS[2], SPOTS[3]]


def test_what_watching_asks_leaves_less_room() -> None:
    questions = opened()
    for spot in (SPOTS[0], ELSEWHERE):
        questions.ask(doubt("red", spot), Occasion.CHANGE)
        questions.show(doubt("red", spot), b"")
    assert shown(questions) == [SPOTS[0], ELSEWHERE, SPOTS[1]]


def test_what_is_known_before_it_was_asked_is_never_asked() -> None:
    questions = opened()
    questions.close(SPOTS[:4], Occasion.OPENING)
    assert shown(questions) == [SPOTS[4]]


def test_whatever_is_seen_of_a_spot_ends_only_what_the_first_reading_asked() -> None:
    questions = opened()
    questions.ask(doubt("red", ELSEWHERE), Occasion.READING)
    questions.close([SPOTS[0], ELSEWHERE], Occasion.OPENING)
    assert questions.about(SPOTS[0]) is None
    assert questions.about(ELSEWHERE) is not None

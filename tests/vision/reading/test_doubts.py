"""From odds to answers, with odds made by hand."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import drawn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from railspotter.calibration.arrays import Float32s
from railspotter.calibration.profiles.picture_quality import GLARE
from railspotter.scoring.spot import of_kind
from railspotter.vision.look.first_look import FirstLook, look
from railspotter.vision.look.view import View
from railspotter.vision.reading.doubts import ASIDE_MM, PARTLY, answers_of, reading_of
from railspotter.vision.reading.loose_plastic import HALF_WAY_MM
from railspotter.vision.reading.odds import RISK, Odds, WeighedBoard
from railspotter.vision.readings import Doubt, Reading

RED_ON_RED = "denver--oklahoma-city"
ELSEWHERE = "calgary--seattle"
LANES = ("denver--salt-lake-city--0", "denver--salt-lake-city--1")
SURE, NONE = 12.0, -12.0  # log-odds that leave no doubt
# The log-odds by which an answer is just sure enough, if there is but one other.
EVEN = float(np.log(1 / RISK - 1))


@cache
def looked() -> tuple[View, FirstLook]:
    """The empty board, on which no plastic is seen."""
    view = drawn.found(drawn.empty().picture).view
    first = look(view)
    nothing = np.zeros_like(first.shape.plastic)
    return view, replace(first, shape=replace(first.shape, plastic=nothing))


def index(route: str) -> int:
    return [each.id for each in looked()[0].printed.board.routes].index(route)


def odds_of(
    odds: Mapping[tuple[str, str], float],
    by_shape: Mapping[str, float] | None = None,
    nobodys: Mapping[str, float] | None = None,
    hidden: str = "",
) -> Odds:
    """Odds of an empty board of which nothing but these is known."""
    view, _ = looked()
    routes = view.printed.board.routes
    of_routes = np.full((len(routes), len(view.pieces.colours)), NONE, dtype=np.float32)
    for (route, colour), value in odds.items():
        of_routes[index(route), view.pieces.colours.index(colour)] = value
    covered = of_routes.max(axis=1)
    for route, value in (by_shape or {}).items():
        covered[index(route)] = value
    in_sight = np.array([route.id != hidden for route in routes], np.float32)
    of_spaces = of_routes[view.printed.route_of]
    others = np.array([(nobodys or {}).get(route.id, NONE) for route in routes], np.float32)
    return Odds(of_routes, of_spaces, covered, in_sight, others)


def read(
    odds: Mapping[tuple[str, str], float],
    by_shape: Mapping[str, float] | None = None,
    nobodys: Mapping[str, float] | None = None,
    hidden: str = "",
    first: FirstLook | None = None,
    risk: float | None = None,
) -> Reading:
    view, empty = looked()
    told = odds_of(odds, by_shape, nobodys, hidden)
    return reading_of(WeighedBoard(view, first or empty, told), risk)


@given(
    arrays.arrays(np.float32, (7, 5), elements=st.floats(-40, 40, width=32)),
    arrays.arrays(np.float32, 7, elements=st.floats(-40, 40, width=32)),
)
def test_shares_are_those_of_the_odds(routes: Float32s, nobodys: Float32s) -> None:
    ones = np.ones(7, np.float32)
    shares = Odds(routes, routes, ones, ones, nobodys).shares
    assert shares.shape == (7, 7)
    assert shares.sum(axis=1) == pytest.approx(1)
    with np.errstate(divide="ignore"):
        log = np.log(shares)
    free = shares[:, -1] > 1e-12
    assert np.allclose((log[:, :-2] - log[:, -1:])[free], routes[free], atol=1e-3)
    assert np.allclose((log[:, -2] - log[:, -1])[free], nobodys[free], atol=1e-3)


def test_without_word_of_it_nothing_is_nobodys() -> None:
    """Single pieces are read so."""
    routes = np.array([[2.0, -1.0], [-3.0, -3.0]], np.float32)
    ones = np.ones(2, np.float32)
    shares = Odds(routes, routes, ones, ones, np.full(2, -np.inf, np.float32)).shares
    assert shares.sum(axis=1) == pytest.approx(1)
    assert np.all(shares[:, 2] == 0)


def test_what_stands_there_comes_before_whose_it_is() -> None:
    """Each of the two is less likely than nothing, but not both."""
    odds = odds_of({(ELSEWHERE, "red"): -0.2, (ELSEWHERE, "blue"): -0.3})
    answers = answers_of(WeighedBoard(*looked(), odds))
    assert answers.claimed == {ELSEWHERE: "red"}
    shares = odds.shares[index(ELSEWHERE)]
    assert shares[-1] == max(shares)
    assert answers.risk[index(ELSEWHERE)] == pytest.approx(
        1 - shares[looked()[0].pieces.colours.index("red")]
    )


def test_lanes_of_a_double_route_tell_of_each_other() -> None:
    """What is red on one with odds of 1 to 2 is no sure red on the other; blue is another thing."""
    lane, beside = LANES
    odds = {(lane, "red"): EVEN + 0.3, (beside, "red"): np.log(0.5)}
    assert [doubt.spot.id for doubt in read({(lane, "red"): EVEN + 0.3}).doubts] == []
    assert {doubt.spot.id for doubt in read(odds).doubts} == {lane}
    assert of_kind("route", read(odds).pieces)[beside].confidence > 1 - RISK
    apart = {(lane, "red"): EVEN + 0.3, (beside, "blue"): np.log(0.5)}
    assert {doubt.spot.id for doubt in read(apart).doubts} == {beside}


def test_confidence_is_how_probable_the_answer_is() -> None:
    routes = of_kind("route", read({(ELSEWHERE, "red"): 1.0, (RED_ON_RED, "red"): -1.0}).pieces)
    assert routes[ELSEWHERE].confidence == pytest.approx(np.e / (1 + np.e), abs=1e-3)
    assert routes[RED_ON_RED].confidence == pytest.approx(np.e / (1 + np.e), abs=1e-3)
    assert routes["calgary--helena"].confidence == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("way", [1, -1], ids=["trains", "none"])
@pytest.mark.parametrize(("more", "is_asked"), [(0.3, False), (-0.3, True)])
def test_what_may_be_wrong_too_probably_is_asked_about(
    way: int, more: float, is_asked: bool
) -> None:
    reading = read({(ELSEWHERE, "red"): way * (EVEN + more)})
    assert reading.claims == ({ELSEWHERE: "red"} if way > 0 else {})
    assert [doubt.spot.id for doubt in reading.doubts] == ([ELSEWHERE] if is_asked else [])


def test_who_takes_no_risk_asks_more() -> None:
    odds = {(ELSEWHERE, "red"): 4.0, (RED_ON_RED, "red"): 7.0}
    asked = [
        {doubt.spot.id for doubt in read(odds, risk=risk).doubts} for risk in (0.1, 0.01, 0.0005)
    ]
    assert asked == [set(), {ELSEWHERE}, {ELSEWHERE, RED_ON_RED}]


NOT_CLEAR = "it is not clear whether trains stand there"
HIDDEN = "something lies over it, or the light is too bright there"
ALIKE = "red trains and the red print look alike"
NOBODYS = "what lies there has no player's colour"
TWO = "red and blue trains look alike there"
A_LITTLE, TOO_MUCH = SURE - EVEN - 0.3, SURE - EVEN + 0.3


def in_words(doubt: Doubt) -> str:
    """What is said, what else it may be and why somebody is asked."""
    others = (colour or "free" for colour in doubt.alternatives)
    return f"{doubt.spot.id}: {doubt.said or 'free'}? or {' or '.join(others)}: {doubt.why}"


@pytest.mark.parametrize(
    ("odds", "known", "asked"),
    [
        ({RED_ON_RED: [SURE], ELSEWHERE: [NONE, SURE]}, {}, []),
        ({RED_ON_RED: [1], ELSEWHERE: [SURE]}, {}, [f"{RED_ON_RED}: red? or free: {ALIKE}"]),
        ({RED_ON_RED: [-1]}, {}, [f"{RED_ON_RED}: free? or red: {ALIKE}"]),
        ({ELSEWHERE: [1]}, {}, [f"{ELSEWHERE}: red? or free: {NOT_CLEAR}"]),
        ({ELSEWHERE: [-1]}, {}, [f"{ELSEWHERE}: free? or red: {NOT_CLEAR}"]),
        ({}, {"hidden": ELSEWHERE}, [f"{ELSEWHERE}: free? or black: {HIDDEN}"]),
        (
            {ELSEWHERE: [1]},
            {"hidden": ELSEWHERE},
            [f"{ELSEWHERE}: red? or free: {NOT_CLEAR}; {HIDDEN}"],
        ),
        (  # it is said to be whose it is most like
            {ELSEWHERE: [1]},
            {"nobodys": {ELSEWHERE: SURE}},
            [f"{ELSEWHERE}: red? or free: {NOBODYS}"],
        ),
        ({ELSEWHERE: [SURE]}, {"nobodys": {ELSEWHERE: A_LITTLE}}, []),
        (
            {ELSEWHERE: [SURE]},
            {"nobodys": {ELSEWHERE: TOO_MUCH}},
            [f"{ELSEWHERE}: red? or free: {NOBODYS}"],
        ),
        # A near rival is named, a far one is not.
        ({ELSEWHERE: [1.2, 1]}, {}, [f"{ELSEWHERE}: red? or free or blue: {TWO}"]),
        ({ELSEWHERE: [1.2, -4]}, {}, [f"{ELSEWHERE}: red? or free: {NOT_CLEAR}"]),
        ({ELSEWHERE: [9, 7]}, {}, [f"{ELSEWHERE}: red? or blue or free: {TWO}"]),
        ({ELSEWHERE: [SURE, A_LITTLE]}, {}, []),
        (  # the least sure comes first
            {ELSEWHERE: [0.9], "duluth--helena": [0.2]},
            {},
            [f"{route}: red? or free: {NOT_CLEAR}" for route in ("duluth--helena", ELSEWHERE)],
        ),
    ],
)
def test_what_is_asked_and_why(
    odds: dict[str, list[float]], known: dict[str, Any], asked: list[str]
) -> None:
    """Odds are of red and blue trains."""
    of_colours = {
        (route, colour): value
        for route, values in odds.items()
        for colour, value in zip(("red", "blue"), values, strict=False)
    }
    assert [in_words(doubt) for doubt in read(of_colours, **known).doubts] == asked


def test_glare_is_given_as_the_reason() -> None:
    view, first = looked()
    lab = first.seen.lab.copy()
    printed = view.printed
    own = (printed.route_of == index(ELSEWHERE), *printed.middle(20.0, 6.0))
    assert np.median(printed.reference_lab[printed.windows_of_seen[own]][..., 0]) < GLARE - 15
    lab[printed.windows_of_seen[own]] = (98.0, 0.0, 0.0)
    shining = replace(first, seen=replace(first.seen, lab=lab))
    unsure = {(ELSEWHERE, "red"): -1.0}
    assert [doubt.why for doubt in read(unsure, first=shining).doubts] == ["glare lies over it"]
    assert read({}, first=shining).doubts == ()


@pytest.mark.parametrize(
    ("route", "others", "why"),
    [
        pytest.param(SURE, -PARTLY - 0.5, "only 3 of 4 spaces look covered", id="a gap"),
        pytest.param(NONE, PARTLY + 0.5, "1 of 4 spaces look covered", id="a single train"),
        pytest.param(SURE, -PARTLY + 0.5, None, id="hardly a gap"),
        pytest.param(NONE, PARTLY - 0.5, None, id="hardly a train"),
    ],
)
def test_single_spaces_may_contradict_the_whole(
    route: float, others: float, why: str | None
) -> None:
    view, first = looked()
    odds = odds_of({(ELSEWHERE, "red"): route})
    spaces = odds.spaces.copy()
    own = np.flatnonzero(view.printed.route_of == index(ELSEWHERE))
    assert len(own) == 4
    spaces[own[1]] = others
    reading = reading_of(WeighedBoard(view, first, replace(odds, spaces=spaces)))
    assert [doubt.why for doubt in reading.doubts] == ([why] if why else [])


def test_one_player_on_both_lanes_is_asked_about() -> None:
    both = {(lane, "red"): SURE for lane in LANES}
    reading = read(both)
    assert reading.claims == dict.fromkeys(LANES, "red")
    assert {doubt.spot.id for doubt in reading.doubts} == set(LANES)
    assert {doubt.why for doubt in reading.doubts} == {
        "red would hold both lanes of a double route"
    }
    assert read({(LANES[0], "red"): SURE, (LANES[1], "blue"): SURE}).doubts == ()


@pytest.mark.parametrize(
    ("off_mm", "is_asked"),
    [
        pytest.param(HALF_WAY_MM + 0.5, True, id="half way"),
        pytest.param(HALF_WAY_MM - 0.5, False, id="careless"),
        pytest.param(-HALF_WAY_MM - 0.5, False, id="away from the other lane"),
    ],
)
def test_trains_between_two_lanes_are_asked_about(off_mm: float, is_asked: bool) -> None:
    reading = read({(LANES[0], "red"): SURE}, first=astray(off_mm))
    assert reading.claims == {LANES[0]: "red"}
    whys = {doubt.spot.id: doubt.why for doubt in reading.doubts}
    assert whys == (dict.fromkeys(LANES, "trains lie between the two lanes") if is_asked else {})


@pytest.mark.parametrize(("covered", "is_asked"), [(1, False), (2, True)])
def test_trains_that_cover_most_of_the_next_lane_too_are_asked_about(
    covered: int, is_asked: bool
) -> None:
    view, first = looked()
    odds = odds_of({(LANES[0], "red"): SURE})
    spaces = odds.spaces.copy()
    own = np.flatnonzero(view.printed.route_of == index(LANES[1]))
    assert len(own) == 3
    spaces[own[:covered]] = PARTLY - 0.5  # no contradiction by itself
    reading = reading_of(WeighedBoard(view, first, replace(odds, spaces=spaces)))
    assert {doubt.spot.id for doubt in reading.doubts} == (set(LANES) if is_asked else set())
    assert {doubt.why for doubt in reading.doubts} <= {"trains lie between the two lanes"}


@pytest.mark.parametrize(("other", "is_asked"), [(SURE, False), (1.0, True)])
def test_rows_of_trains_on_both_lanes_are_each_its_own_lanes(other: float, is_asked: bool) -> None:
    odds = {(LANES[0], "red"): SURE, (LANES[1], "blue"): other}
    reading = read(odds, first=astray(ASIDE_MM + 0.5))
    assert reading.claims == {LANES[0]: "red", LANES[1]: "blue"}
    whys = {doubt.spot.id for doubt in reading.doubts if "between" in doubt.why}
    assert whys == (set(LANES) if is_asked else set())


def astray(off_mm: float) -> FirstLook:
    """The empty board, on which one lane's trains lie so far off towards the other lane."""
    view, first = looked()
    printed = view.printed
    own, other = (np.flatnonzero(printed.route_of == index(lane)) for lane in LANES)
    ways = printed.xy_mm[other] - printed.xy_mm[own]
    offset = np.zeros_like(first.trains.placements.offset_mm)
    offset[own] = (off_mm * ways / np.linalg.norm(ways, axis=1, keepdims=True))[:, None]
    placements = replace(first.trains.placements, offset_mm=offset)
    return replace(first, trains=replace(first.trains, placements=placements))


def with_plastic_on(route: str) -> FirstLook:
    """The empty board on whose one route the net sees trains."""
    view, first = looked()
    plastic = first.shape.plastic.copy()
    plastic[view.printed.route_of == index(route), 3:7, 3:13] = 1.0
    return replace(first, shape=replace(first.shape, plastic=plastic))


def test_plastic_on_a_free_route_is_asked_about() -> None:
    seen = with_plastic_on(ELSEWHERE)
    doubts = {doubt.spot.id: doubt for doubt in read({}, first=seen).doubts}
    doubt = doubts[ELSEWHERE]
    assert doubt.said is None
    assert doubt.why == "plastic lies there that belongs to no route"
    assert len(doubts) <= 2
    assert read({(ELSEWHERE, "red"): SURE}, first=seen).doubts == ()


@pytest.mark.parametrize("odds", [{}, {(LANES[0], "red"): SURE}], ids=["free", "one is claimed"])
def test_plastic_beside_one_lane_asks_about_both(odds: dict[tuple[str, str], float]) -> None:
    seen = with_plastic_on(LANES[1])
    doubts = {doubt.spot.id: doubt.why for doubt in read(odds, first=seen).doubts}
    assert doubts.keys() >= set(LANES)
    assert {doubts[lane] for lane in LANES} == {"plastic lies there that belongs to no route"}


@pytest.mark.parametrize("free", [1, 2])
def test_an_ink_that_one_route_alone_shows_is_asked_about(free: int) -> None:
    view, first = looked()
    unknown = drawn.of_unknown_print(view)
    red = [route.id for route in view.printed.board.routes if route.colour == "red"]
    odds = odds_of({(route, "red"): NONE + 1 if route in red[:free] else SURE for route in red})
    asked = {doubt.spot.id for doubt in reading_of(WeighedBoard(unknown, first, odds)).doubts}
    assert set(red[:free]) & asked == (set(red[:1]) if free == 1 else set())
    assert not set(red) & {
        doubt.spot.id for doubt in reading_of(WeighedBoard(view, first, odds)).doubts
    }

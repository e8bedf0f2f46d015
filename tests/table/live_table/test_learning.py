"""A live table learns from what is sure, from several frames, and forgets what was wrong."""

from dataclasses import replace
from functools import cache

import drawn
import pytest
from at_once import AtOnce
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile, space_key
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot
from railspotter.table.live_table.learning import Learning
from railspotter.table.pieces import pieces_of_edition
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.watching.changes import Appeared, Vanished
from railspotter.vision.watching.looks import Look
from railspotter.vision.watching.settling import WatchState

CLAIM = Spot("route", "calgary--seattle")
OF_BLUE = Spot("route", "el-paso--houston")
BARE = "nashville--saint-louis"


def look(at_s: float, pose: Pose | None = None, profile: Profile | None = None) -> Look:
    """The drawn game at some moment."""
    profile = profile or drawn.profile()
    picture = drawn.game().picture
    return Look(
        picture,
        pose or pose_of_game(),
        at_s,
        PrintedBoard.of(drawn.usa(), profile),
        pieces_of_edition(load_edition("usa"), drawn.usa(), profile),
    )


@cache
def pose_of_game() -> Pose:
    return drawn.found(drawn.game().picture).pose


@cache
def half_seen() -> Profile:
    """The drawn board's profile, on which one free route is painted over and unseen."""
    profile = drawn.profile()
    printed = PrintedBoard.of(drawn.usa(), profile, profile.px_per_mm)
    number = next(r for r, route in enumerate(drawn.usa().routes) if route.id == BARE)
    shape = printed.footprint(printed.spaces_of([number]), profile.px_per_mm, 3.0) > 0
    reference = profile.reference.copy()
    reference[shape] = reference[shape].mean(axis=0).astype("uint8")
    lengths = {route.id: len(route.spaces) for route in drawn.usa().routes}
    keys = frozenset(space_key(BARE, n) for n in range(lengths[BARE]))
    return replace(profile, reference=reference, unseen=keys)


def appeared(sure: float = 0.99, colour: str = "red", spot: Spot = CLAIM) -> Appeared:
    return Appeared(spot, 1.0, 1.0, (0, 0, 9, 9), colour, sure)


def learn(learning: Learning, standing: dict[Spot, str], until_s: float = 4.0) -> None:
    for at_s in range(int(until_s)):
        learning.look(look(float(at_s), None, learning.profile), WatchState.SETTLED, standing)


def test_a_sure_claim_teaches_and_is_forgotten_when_it_is_taken_back() -> None:
    learning = Learning(drawn.profile(), AtOnce())
    learning.on_changes((appeared(),))
    learn(learning, {CLAIM: "red"})
    (red,) = learning.profile.colours["red"]
    assert red.count == 1
    learning.on_changes((Vanished(CLAIM, 9.0, 2.0, (0, 0, 9, 9), "red", 0.99),))
    assert learning.profile.colours == {}


def test_what_another_claim_taught_stays_when_own_plastic_is_taken_back() -> None:
    others = (Spot("route", route) for route, colour in drawn.CLAIMS.items() if colour == "blue")
    other = next(spot for spot in others if spot != OF_BLUE)
    learning = Learning(drawn.profile(), AtOnce())
    for spot in (OF_BLUE, other):
        learning.on_correction(spot, "blue")
        learn(learning, {OF_BLUE: "blue", other: "blue"})
    assert sum(one.count for one in learning.profile.colours["blue"]) == 2
    learning.on_correction(OF_BLUE, None)
    assert sum(one.count for one in learning.profile.colours["blue"]) == 1


def test_what_was_learned_last_is_saved_once() -> None:
    saved: list[Profile] = []
    learning = Learning(drawn.profile(), AtOnce(), saved.append)
    learning.on_changes((appeared(),))
    learn(learning, {CLAIM: "red"})
    assert saved == [], "it is due a minute after the first look"
    for _ in range(2):
        learning.save()
    assert saved == [learning.profile]


def test_a_person_who_says_another_colour_unteaches() -> None:
    learning = Learning(drawn.profile(), AtOnce())
    learning.on_changes((appeared(),))
    learn(learning, {CLAIM: "red"})
    learning.on_correction(CLAIM, "red")  # confirmed: nothing new
    assert learning.profile.colours["red"]
    learning.on_correction(CLAIM, "yellow")
    learn(learning, {CLAIM: "yellow"})
    assert learning.profile.colours == {}  # the train there is red: it teaches yellow nothing


@pytest.mark.parametrize(
    ("change", "unclear", "standing"),
    [
        (appeared(sure=0.8), set(), {CLAIM: "red"}),
        (appeared(), {CLAIM}, {CLAIM: "red"}),
        (appeared(), set(), {}),
        (appeared(colour="blue"), set(), {CLAIM: "blue"}),
    ],
    ids=["unsure", "a hand is over it", "gone meanwhile", "not its colour"],
)
def test_what_is_not_plain_teaches_nothing(
    change: Appeared, unclear: set[Spot], standing: dict[Spot, str]
) -> None:
    learning = Learning(drawn.profile(), AtOnce())
    learning.on_changes((change,))
    for at_s in (0.0, 1.0, 2.0):
        learning.look(look(at_s), WatchState.HAND, standing, unclear)
    assert learning.profile is drawn.profile()


def test_a_claim_teaches_while_a_card_lies_elsewhere() -> None:
    learning = Learning(drawn.profile(), AtOnce())
    learning.on_changes((appeared(),))
    for at_s in (0.0, 1.0, 2.0):
        learning.look(look(at_s), WatchState.HAND, {CLAIM: "red"}, {Spot("route", BARE)})
    assert learning.profile.colours["red"]


def test_plastic_unlike_the_boxs_is_learned_from_what_a_person_says() -> None:
    learning = Learning(drawn.profile(), AtOnce())
    learning.on_changes((appeared(colour="blue", spot=OF_BLUE),))
    learn(learning, {OF_BLUE: "blue"})
    assert learning.profile.colours == {}  # the drawing's blue is not the box's: it may be another
    learning.on_correction(OF_BLUE, "black")
    learn(learning, {OF_BLUE: "black"})
    assert learning.profile.colours == {}  # nor is it black, whatever finger slipped
    learning.on_correction(OF_BLUE, "blue")
    learn(learning, {OF_BLUE: "blue"})
    (blue,) = learning.profile.colours["blue"]
    assert blue.swatch is not None
    learning.on_correction(OF_BLUE, None)
    assert learning.profile.colours == {}


def test_a_free_route_completes_the_reference_after_several_looks() -> None:
    kept: list[Profile] = []
    learning = Learning(half_seen(), AtOnce(), kept.append)
    standing: dict[Spot, str] = {
        Spot("route", route): colour for route, colour in drawn.CLAIMS.items()
    }
    news = []
    for at_s in (0.0, 6.0, 11.0, 16.0, 21.0, 26.0, 90.0):
        news.append(learning.look(look(at_s, None, half_seen()), WatchState.SETTLED, standing))
        if at_s <= 11.0:
            assert learning.profile.unseen  # two looks are too few
    assert any(news)
    assert not learning.profile.unseen
    assert kept[-1] is learning.profile
    whole, seen = drawn.profile().reference.astype(int), learning.profile.reference.astype(int)
    painted = half_seen().reference.astype(int)
    where = (painted != whole).any(axis=-1)
    # The picture has half of the drawing's pixels.
    assert abs(seen - whole)[where].mean() < 0.6 * abs(painted - whole)[where].mean()


@pytest.mark.parametrize("why", ["believed claimed", "nudged", "a hand"])
def test_what_is_not_plainly_free_completes_nothing(why: str) -> None:
    learning = Learning(half_seen(), AtOnce())
    standing: dict[Spot, str] = {
        Spot("route", route): colour for route, colour in drawn.CLAIMS.items()
    }
    if why == "believed claimed":
        standing[Spot("route", BARE)] = "red"
    unclear: set[Spot] = {Spot("route", BARE)} if why == "a hand" else set()
    for at_s in (0.0, 6.0, 11.0, 16.0, 21.0, 26.0):
        pose = replace(pose_of_game()) if why == "nudged" else pose_of_game()
        learning.look(look(at_s, pose, half_seen()), WatchState.HAND, standing, unclear)
    assert learning.profile is half_seen()

"""What lies otherwise than a game has it: by spot, with what a hand has to do there."""

import pytest
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.live_table.opening import differences
from railspotter.table.live_table.table_view import Difference
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.spot_state import SpotReading

USA = load_board("usa")
SEATTLE = Spot("route", "helena--seattle")
UPPER, LOWER = (Spot("route", f"portland--seattle--{lane}") for lane in (0, 1))
ROMA = Spot("station", "roma")


def reading(colour: Colour | None, spot: Spot | None = None) -> SpotReading:
    doubt = spot and Doubt(spot, colour, (None,), Sentence("glare lies over it"))
    return SpotReading(colour, (1.0,), 1, 1, doubt=doubt)


@pytest.mark.parametrize(
    ("shown", "held", "found"),
    [
        pytest.param({SEATTLE: "red"}, {SEATTLE: "red"}, [], id="as it was"),
        pytest.param(
            {SEATTLE: None}, {SEATTLE: "red"}, [("missing", SEATTLE, "red", None)], id="missing"
        ),
        pytest.param({SEATTLE: "red"}, {}, [("extra", SEATTLE, None, "red")], id="extra"),
        pytest.param(
            {SEATTLE: "red"},
            {SEATTLE: "blue"},
            [("colour", SEATTLE, "blue", "red")],
            id="another colour",
        ),
        pytest.param(
            {UPPER: None, LOWER: "red"},
            {UPPER: "red"},
            [("lane", UPPER, "red", None, LOWER)],
            id="the wrong lane",
        ),
        pytest.param(
            {UPPER: "blue", LOWER: "red"},
            {UPPER: "red", LOWER: "blue"},
            [("lane", UPPER, "red", "blue", LOWER), ("lane", LOWER, "blue", "red", UPPER)],
            id="both lanes mixed up",
        ),
        pytest.param(
            {UPPER: None, LOWER: "red"},
            {UPPER: "red", LOWER: "red"},
            [("missing", UPPER, "red", None)],
            id="the other lane is that player's too",
        ),
        pytest.param({}, {SEATTLE: "red"}, [], id="a spot that is not read"),
    ],
)
def test_a_difference_says_what_to_do(
    shown: dict[Spot, Colour | None],
    held: dict[Spot, Colour],
    found: list[tuple[object, ...]],
) -> None:
    said = {spot: reading(colour) for spot, colour in shown.items()}
    assert list(differences(said, held, USA)) == [Difference(*one) for one in found]  # type: ignore[arg-type]


def test_stations_are_compared_too() -> None:
    europe: Board = load_board("europe")
    (found,) = differences({ROMA: reading(None)}, {ROMA: "red"}, europe)
    assert (found.kind, found.spot) == ("missing", ROMA)


@pytest.mark.parametrize(
    ("shown", "by_hand", "kinds"),
    [
        (reading("blue", SEATTLE), (), ["check"]),
        (reading("red", SEATTLE), (), []),
        (reading("blue"), (SEATTLE,), ["check"]),
        (reading(None), (SEATTLE,), ["missing"]),
    ],
    ids=["in doubt", "in doubt but the same", "said by hand otherwise", "gone, said by hand"],
)
def test_what_is_not_plain_is_only_to_be_checked(
    shown: SpotReading, by_hand: tuple[Spot, ...], kinds: list[str]
) -> None:
    found = differences({SEATTLE: shown}, {SEATTLE: "red"}, USA, by_hand)
    assert [one.kind for one in found] == kinds
    assert all(one.is_plain == (one.kind != "check") for one in found)

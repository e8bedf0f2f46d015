"""A reading as a value."""

from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt, PieceReading, Reading


def doubted(route: str, confidence: float) -> dict[Spot, PieceReading]:
    spot = Spot("route", route)
    return {spot: PieceReading("red", confidence, Doubt(spot, "red", (None,), Sentence("glare")))}


AB, BC, EF = Spot("route", "a--b"), Spot("route", "b--c"), Spot("route", "e--f")
READING = Reading(
    {
        AB: PieceReading("blue", 0.55),
        **doubted("b--c", 0.8),
        **doubted("d--e", 0.6),
        **doubted("c--d", 0.6),
        EF: PieceReading(None, 0.99, Doubt(EF, None, ("blue",), Sentence("2 of 5 covered"))),
        Spot("route", "f--g"): PieceReading(None, 0.7),
    }
)


def test_doubted_answers_are_claims_too_and_free_routes_are_none() -> None:
    assert READING.claims == {"a--b": "blue", "b--c": "red", "c--d": "red", "d--e": "red"}


def test_the_least_sure_doubt_comes_first() -> None:
    assert [doubt.spot.id for doubt in READING.doubts] == ["c--d", "d--e", "b--c", "e--f"]


def test_an_answer_takes_the_place_of_what_was_seen() -> None:
    answered = READING.with_answers({BC: None, AB: "green"})
    assert answered.claims == {"a--b": "green", "c--d": "red", "d--e": "red"}
    assert [doubt.spot.id for doubt in answered.doubts] == ["c--d", "d--e", "e--f"]
    assert READING.with_answers({}) == READING

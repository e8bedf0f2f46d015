"""What people say outranks the camera: in the file, in the score, and in what is said of it."""

import json
from pathlib import Path

import drawn
import pytest
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.errors import AnswersError
from railspotter.table.photos.answers import load_answers, parse_answers
from railspotter.table.photos.scored_photo import ScoredPhoto, SpotAnswer
from railspotter.table.photos.scored_photo_text import to_text
from railspotter.vision.readings import Doubt

USA, RULES = drawn.usa(), load_edition("usa")
COLOURS = ("red", "blue", "green")
CLAIMS = {"helena--seattle": "blue", "chicago--toronto": "red"}
SEATTLE, DULUTH = Spot("route", "helena--seattle"), Spot("route", "duluth--helena")
CHICAGO, EL_PASO = Spot("route", "chicago--toronto"), Spot("route", "el-paso--houston")
READ = ScoredPhoto(
    "table.jpg",
    USA,
    RULES,
    COLOURS,
    corners_px=((0, 0), (9, 0), (9, 9), (0, 9)),
    held=spots_of("route", CLAIMS),
    doubts=(
        Doubt(DULUTH, None, ("red",), Sentence("glare lies over it")),
        Doubt(CHICAGO, "red", (None,), Sentence("it is not clear")),
    ),
)


def points(photo: ScoredPhoto) -> dict[str, int]:
    return {player.colour: player.route_points for player in photo.standing.players}


def test_answers_change_claims_and_score_and_answered_doubts_vanish() -> None:
    answered = READ.with_answers({DULUTH: "red", CHICAGO: None})
    assert answered.claims == {"helena--seattle": "blue", "duluth--helena": "red"}
    assert answered.doubts == ()
    assert points(READ) == {"red": 7, "blue": 15, "green": 0}
    assert points(answered) == {"red": 15, "blue": 15, "green": 0}


def test_a_doubt_that_nobody_answered_stays() -> None:
    answered = READ.with_answers({CHICAGO: "red"})
    assert [doubt.spot.id for doubt in answered.doubts] == ["duluth--helena"]
    assert answered.claims == CLAIMS


def test_a_route_without_a_doubt_is_corrected_and_that_is_said() -> None:
    answers = {SEATTLE: "green", DULUTH: None, CHICAGO: "red"}
    answered = READ.with_answers({**answers, EL_PASO: None})
    assert answered.answers == (
        SpotAnswer(SEATTLE, "blue", "green", was_doubted=False),
        SpotAnswer(DULUTH, None, None, was_doubted=True),
        SpotAnswer(CHICAGO, "red", "red", was_doubted=True),
        SpotAnswer(EL_PASO, None, None, was_doubted=False),
    )
    assert to_text(answered).splitlines()[-4:] == [
        "  corrected: Helena - Seattle: green (read as blue)",
        "  answered: Duluth - Helena: free",
        "  answered: Chicago - Toronto: red",
        "  confirmed: El Paso - Houston: free",
    ]
    line = json.loads(json.dumps(answered.as_json()))
    assert line["answers"][0] == {
        "route": "helena--seattle",
        "read": "blue",
        "said": "green",
        "was_doubted": False,
    }


def test_no_answers_change_nothing() -> None:
    assert READ.with_answers({}) is READ
    assert "answers" not in READ.as_json()
    lost = ScoredPhoto("x.jpg", USA, RULES, reason=Sentence("too dark"))
    assert lost.with_answers({DULUTH: "red"}) is lost


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "one JSON object", id="nothing"),
        pytest.param(b"[]", "one JSON object", id="a list"),
        pytest.param(b'{"duluth--helena": 3}', "one JSON object", id="a number"),
        pytest.param(b"\xff\xd8", "one JSON object", id="a picture"),
        pytest.param(b'{"duluth--berlin": "red"}', "no route 'duluth--berlin'", id="route"),
        pytest.param(b'{"Duluth - Helen": null}', "near it are duluth--helena", id="misspelled"),
        pytest.param(
            b'{"duluth--helena": "red", "duluth--helena": null}', "twice", id="contradiction"
        ),
        pytest.param(
            b'{"duluth--helena": "red", "Duluth - Helena": null}', "twice", id="id and name"
        ),
        pytest.param(b'{"duluth--helena": "pink"}', "'pink' is not in play", id="colour"),
        pytest.param(b'{"duluth--helena": "yellow"}', "say red, blue, green", id="not playing"),
        pytest.param(b'{"duluth--helena": ""}', "'' is not in play", id="no colour"),
    ],
)
def test_answers_that_cannot_be_are_refused(content: bytes, said: str) -> None:
    with pytest.raises(AnswersError, match=said):
        parse_answers(content, USA, RULES, COLOURS)


def test_answers_name_routes_as_the_terminal_does() -> None:
    content = b'{"Duluth - Helena": "red", "portland - seattle (second lane)": null}'
    lane = Spot("route", "portland--seattle--1")
    assert parse_answers(content, USA, RULES, COLOURS) == {DULUTH: "red", lane: None}


def test_a_file_of_answers_is_named_when_it_is_bad(tmp_path: Path) -> None:
    with pytest.raises(AnswersError, match=r"answers\.json: cannot be read"):
        load_answers(tmp_path / "answers.json", USA, RULES, COLOURS)
    (tmp_path / "answers.json").write_text("{}")
    assert load_answers(tmp_path / "answers.json", USA, RULES, COLOURS) == {}

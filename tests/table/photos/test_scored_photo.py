"""A scored photo as JSON and as text."""

import json

import drawn
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.table.photos.scored_photo_text import to_text
from railspotter.vision.readings import Doubt

USA, RULES = drawn.usa(), load_edition("usa")
CLAIMS = {"helena--seattle": "blue", "denver--helena": "blue", "chicago--toronto": "red"}
FOUND = ScoredPhoto(
    "table.jpg",
    USA,
    RULES,
    ("red", "blue", "green"),
    corners_px=((1.5, 2.0), (9.0, 2.0), (9.0, 8.0), (1.0, 8.0)),
    held=spots_of("route", CLAIMS),
    doubts=(
        Doubt(
            Spot("route", "portland--seattle--1"),
            None,
            ("red", "blue"),
            Sentence("glare lies over it"),
        ),
        Doubt(
            Spot("route", "chicago--toronto"),
            "red",
            (None,),
            Sentence("it is not clear whether trains stand there"),
        ),
    ),
    notes=(Sentence("the light is strongly coloured"),),
    profile="attic",
    seconds=0.12345,
)


def test_json_of_a_found_board() -> None:
    line = json.loads(json.dumps(FOUND.as_json()))
    assert line == {
        "photo": "table.jpg",
        "board": "usa",
        "edition": "usa",
        "found": True,
        "reason": None,
        "profile": "attic",
        "corners_px": [[1.5, 2.0], [9.0, 2.0], [9.0, 8.0], [1.0, 8.0]],
        "claims": CLAIMS,
        "doubts": [
            {
                "route": "portland--seattle--1",
                "said": None,
                "alternatives": ["red", "blue"],
                "why": "glare lies over it",
            },
            {
                "route": "chicago--toronto",
                "said": "red",
                "alternatives": [None],
                "why": "it is not clear whether trains stand there",
            },
        ],
        "notes": ["the light is strongly coloured"],
        "unseen": [],
        "standing": {
            "red": {
                "route_points": 7,
                "trains_left": 41,
                "longest_path": {"length": 4, "at_most": 4, "routes": ["chicago--toronto"]},
            },
            "blue": {
                "route_points": 22,
                "trains_left": 35,
                "longest_path": {
                    "length": 10,
                    "at_most": 10,
                    "routes": line["standing"]["blue"]["longest_path"]["routes"],
                },
            },
            "green": {
                "route_points": 0,
                "trains_left": 45,
                "longest_path": {"length": 0, "at_most": 0, "routes": []},
            },
        },
        "seconds": 0.123,
    }
    blue = line["standing"]["blue"]["longest_path"]["routes"]
    assert sorted(blue) == ["denver--helena", "helena--seattle"]


def test_json_of_a_board_that_was_not_found() -> None:
    photo = ScoredPhoto("table.jpg", USA, RULES, reason=Sentence("too dark"), seconds=2.0)
    assert photo.as_json() == {
        **dict.fromkeys(FOUND.as_json()),
        "photo": "table.jpg",
        "board": "usa",
        "edition": "usa",
        "found": False,
        "reason": "too dark",
        "claims": {},
        "doubts": [],
        "notes": [],
        "unseen": [],
        "standing": {},
        "seconds": 2.0,
    }


def test_text_is_a_table_by_points_then_the_doubts() -> None:
    assert to_text(FOUND).splitlines() == [
        "table.jpg: USA (2004), 3 routes claimed",
        "              route points   trains left  longest path",
        "  blue                  22            35            10",
        "  red                    7            41             4",
        "  note: the light is strongly coloured",
        "  not sure of:",
        "    1. Portland - Seattle (second lane): free (or red or blue): glare lies over it",
        "    2. Chicago - Toronto: red (or free): it is not clear whether trains stand there",
        "  a second photo from another side, or in another light, settles more than questions:"
        " railspotter read table.jpg SECOND --same-board",
    ]


def test_text_lists_a_player_who_was_asked_for() -> None:
    lines = to_text(FOUND, ["green"]).splitlines()
    assert lines[4].split() == ["green", "0", "45", "0"]

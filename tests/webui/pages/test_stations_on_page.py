"""A doubt about a station is a question on the page, and takes an answer."""

from __future__ import annotations

import io

from msgspec.structs import replace
from railspotter.scoring.board import Site, load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.readings import Doubt
from railspotter.webui.app import create_app
from railspotter.webui.pages.result_view import result_view

EUROPE, RULES = load_board("europe"), load_edition("europe")
CLAIMS = {"berlin--essen": "blue"}
SCORED = ScoredPhoto(
    "table.jpg",
    EUROPE,
    RULES,
    RULES.colours,
    corners_px=((0, 0), (9, 0), (9, 9), (0, 9)),
    held=spots_of("route", CLAIMS)
    | spots_of("station", {"essen": "red", "roma": "red", "wien": "blue"}),
    doubts=(
        Doubt(Spot("station", "essen"), "red", ("black", None), Sentence("it is not clear whose")),
    ),
)


def test_it_is_asked_which_station_stands_there() -> None:
    (card,) = result_view(SCORED, {}).doubts
    assert card.question == "Which station stands at Essen: red, black, or no station?"
    assert [choice.label for choice in card.choices] == ["red", "black", "no station"]
    assert card.counts_as == "Counted as red for now."


def test_who_only_built_stations_is_on_the_board_too() -> None:
    rows = {row.colour: row for row in result_view(SCORED).players}
    assert {colour: row.stations_left for colour, row in rows.items()} == {"red": 1, "blue": 2}
    after = {
        row.colour: row for row in result_view(SCORED, {Spot("station", "essen"): None}).players
    }
    assert after["red"].stations_left == 2


def test_the_page_takes_the_answer_and_takes_it_back() -> None:
    client = create_app(lambda photos: SCORED).test_client()
    sent = client.post("/", data={"photo": (io.BytesIO(b"1"), "a.jpg")})
    page = client.get(sent.location).text
    assert "Stations left" in page
    assert "Which station stands at Essen" in page
    answer = {"about": "essen", "said": "free"}
    answers = f"{sent.location}/answers"
    assert "You said: no station." in client.post(answers, data=answer, follow_redirects=True).text
    undone = client.post(answers, data={"about": "essen", "undo": "1"}, follow_redirects=True)
    assert "Counted as red for now." in undone.text
    assert client.post(answers, data={"about": "roma", "said": "free"}).status_code == 400


def test_a_site_is_asked_about_by_its_name() -> None:
    board = replace(EUROPE, sites=(Site("zoo", "Zoo", "essen"),))
    doubt = Doubt(Spot("site", "zoo"), None, ("red",), Sentence("glare lies over it"))
    (card,) = result_view(replace(SCORED, board=board, doubts=(doubt,))).doubts
    assert card.question == "Is the site Zoo empty, or red?"

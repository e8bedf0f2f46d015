"""Doubts are answered on a result's own page, one tap each, and the score follows."""

import io
import re

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from no_limits import no_limits
from railspotter.scoring.board import Site, load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import PhotoPart, ScoredPhoto
from railspotter.vision.readings import Doubt
from railspotter.webui.pages import texts as words
from railspotter.webui.pages.result_view import result_view
from railspotter.webui.sessions.photo_queue import MOST_KEPT, PhotoReading
from resting_pages import photo_app
from werkzeug.test import TestResponse

ROUTE = "portland--seattle--0"


@pytest.fixture
def page(scored: ScoredPhoto) -> tuple[FlaskClient, str]:
    """The page of a result with one doubt: red, or free, or black."""
    client = photo_app(PhotoReading(lambda photos: scored)).test_client()
    return client, send(client).location


def send(client: FlaskClient) -> TestResponse:
    return client.post("/", data={"photo": (io.BytesIO(b"x"), "board.jpg")})


def points(html: str) -> dict[str, int]:
    rows = re.findall(r'data-colour="(\w+)".*?class="points">(\d+)<', html, re.DOTALL)
    return {colour: int(score) for colour, score in rows}


def buttons(html: str) -> list[str]:
    """What the questions' buttons say; after these comes what was not asked."""
    questions, _, _ = html.partition("Is something else wrong?")
    return re.findall(r'name="said" value="(\w+)"', questions)


def test_every_answer_has_a_button_the_likely_ones_first(page: tuple[FlaskClient, str]) -> None:
    client, result = page
    html = client.get(result).text
    assert buttons(html) == ["red", "free", "black", "blue", "green", "yellow"]
    likely, _ = html.split("Another colour")
    assert len(buttons(likely)) == 3
    assert words.may_change(1) in html
    assert "A second photo from another side" in html
    forms = re.findall(r'<form class="answer" method="post" action="([^"]+)"', html)
    assert forms == [f"{result}/answers"] * 2, "a question's, and that of what was not asked"


@pytest.mark.parametrize(
    ("said", "score", "shown"),
    [
        ("red", {"blue": 22, "red": 8}, "You said: red."),
        ("free", {"blue": 22, "red": 7}, "You said: empty."),
        ("blue", {"blue": 23, "red": 7}, "You said: blue."),
    ],
)
def test_an_answer_changes_the_score_and_can_be_undone(
    page: tuple[FlaskClient, str], said: str, score: dict[str, int], shown: str
) -> None:
    client, result = page
    before = client.get(result).text
    answered = client.post(f"{result}/answers", data={"about": ROUTE, "said": said})
    assert (answered.status_code, answered.location) == (303, f"{result}#doubts")
    html = client.get(result).text
    assert points(html) == score
    assert shown in html
    assert buttons(html) == []
    assert words.may_change(1) not in html
    assert "A second photo from another side" not in html

    undone = client.post(f"{result}/answers", data={"about": ROUTE, "undo": "1"})
    assert undone.status_code == 303
    assert client.get(result).text == before


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"about": ROUTE},
        {"about": ROUTE, "said": "pink"},
        {"about": ROUTE, "said": ""},
        {"about": "denver--helena"},
        {"about": "denver--helena", "said": "pink"},
        {"about": "denver", "said": "red"},
        {"about": "no--route", "said": "red"},
        {"about": "no--route", "undo": "1"},
    ],
)
def test_what_is_no_answer_is_refused(page: tuple[FlaskClient, str], data: dict[str, str]) -> None:
    client, result = page
    before = client.get(result).text
    refused = client.post(f"{result}/answers", data=data)
    assert refused.status_code == 400
    assert words.error(400) in refused.text
    assert client.get(result).text == before


def test_one_results_answers_are_not_anothers(scored: ScoredPhoto) -> None:
    client = photo_app(PhotoReading(lambda photos: scored)).test_client()
    first, second = (send(client).location for _ in range(2))
    client.post(f"{first}/answers", data={"about": ROUTE, "said": "free"})
    assert points(client.get(second).text)["red"] == 8


def test_a_result_that_is_gone_takes_no_answer(scored: ScoredPhoto) -> None:
    client = photo_app(PhotoReading(lambda photos: scored), limits=no_limits()).test_client()
    result = send(client).location
    for _ in range(MOST_KEPT):
        send(client)
    answer = client.post(f"{result}/answers", data={"about": ROUTE, "said": "free"})
    assert answer.status_code == 404
    assert words.GONE in answer.text


def test_doubts_keep_their_numbers_when_one_is_answered(scored: ScoredPhoto) -> None:
    second = Doubt(Spot("route", "denver--helena"), "blue", (None,), Sentence("it is not clear"))
    photo = replace(scored, doubts=(*scored.doubts, second))
    view = result_view(photo, {Spot("route", ROUTE): None})
    assert [(card.about, card.is_answered) for card in view.doubts] == [
        (ROUTE, True),
        ("denver--helena", False),
    ]
    assert view.open_doubts == 1


def test_several_photos_are_handed_over_together(scored: ScoredPhoto) -> None:
    given: list[tuple[bytes, str]] = []

    def together(files: Files) -> ScoredPhoto:
        given.extend(files)
        left_out = PhotoPart("b.jpg", Sentence("the board was not found"), None, 0.0)
        return replace(scored, parts=(PhotoPart("a.jpg", None, None, 1.0), left_out))

    client = photo_app(PhotoReading(together)).test_client()
    both = {"photo": [(io.BytesIO(b"1"), "a.jpg"), (io.BytesIO(b"2"), "b.jpg")]}
    html = client.post("/", data=both, follow_redirects=True).text
    assert given == [(b"1", "a.jpg"), (b"2", "b.jpg")]
    assert "a.jpg, b.jpg" in html
    assert "b.jpg was left out: the board was not found." in html


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
    assert [*card.choices.values()] == ["red", "black", "no station"]
    assert card.counts_as == "Counted as red for now."


def test_who_only_built_stations_is_on_the_board_too() -> None:
    view = result_view(SCORED, {})
    left = {row.colour: view.stations_left(row.colour) for row in view.players}
    assert left == {"red": 1, "blue": 2}
    assert result_view(SCORED, {Spot("station", "essen"): None}).stations_left("red") == 2


def test_the_page_takes_the_answer_and_takes_it_back() -> None:
    client = photo_app(PhotoReading(lambda photos: SCORED)).test_client()
    sent = client.post("/", data={"photo": (io.BytesIO(b"1"), "a.jpg")})
    page = client.get(sent.location).text
    assert "Stations left" in page
    assert "Which station stands at Essen" in page
    answer = {"about": "essen", "said": "free"}
    answers = f"{sent.location}/answers"
    assert "You said: no station." in client.post(answers, data=answer, follow_redirects=True).text
    undone = client.post(answers, data={"about": "essen", "undo": "1"}, follow_redirects=True)
    assert "Counted as red for now." in undone.text
    assert client.post(answers, data={"about": "atlantis", "said": "free"}).status_code == 400


def test_a_site_is_asked_about_by_its_name() -> None:
    board = replace(EUROPE, sites=(Site("zoo", "Zoo", "essen"),))
    doubt = Doubt(Spot("site", "zoo"), None, ("red",), Sentence("glare lies over it"))
    (card,) = result_view(replace(SCORED, board=board, doubts=(doubt,)), {}).doubts
    assert card.question == "Is the site Zoo empty, or red?"


STRANGE = {"boston--montreal--0": "white", "boston--new-york--0": "white"}


def test_it_is_asked_once_who_plays_trains_of_a_colour_that_nobody_has(scored: ScoredPhoto) -> None:
    client = photo_app(
        PhotoReading(lambda photos: replace(scored, uncounted=STRANGE))
    ).test_client()
    result = send(client).location
    html = client.get(result).text
    assert "Who plays these trains (white 2: Boston - Montreal" in html
    assert "name that player" not in html
    assert buttons(html)[6:] == ["white", "free", "black", "blue", "green", "red", "yellow"]
    assert words.may_change(2) in html

    for said, score in [
        ("white", {"blue": 22, "red": 8, "white": 4}),
        ("red", {"blue": 22, "red": 12}),
        ("free", {"blue": 22, "red": 8}),
    ]:
        client.post(f"{result}/answers", data={"about": "white", "said": said})
        html = client.get(result).text
        assert points(html) == score
        assert words.NOT_COUNTED not in html
        assert words.may_change(1) in html
    client.post(f"{result}/answers", data={"about": "white", "undo": "1"})
    assert words.NOT_COUNTED in client.get(result).text
    refused = client.post(f"{result}/answers", data={"about": "white", "said": "pink"})
    assert refused.status_code == 400

"""What was read surely, but wrongly, is corrected on a result's page and the score follows."""

import io
import re

import numpy as np
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from no_limits import no_limits
from playwright.sync_api import Browser, FilePayload, expect
from railspotter.scoring.board import Site, Space, load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.photo_file import parse_photo
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoReading
from resting_pages import photo_app
from table_pages import everyone_can_use, faultless

ASKED = "portland--seattle--0"
WRONG = "denver--helena"
Groups = dict[str, dict[str, str]]


def opened(photo: ScoredPhoto) -> tuple[FlaskClient, str]:
    client = photo_app(PhotoReading(lambda photos: photo), limits=no_limits()).test_client()
    sent = client.post("/", data={"photo": (io.BytesIO(b"x"), "board.jpg")})
    return client, sent.location


def points(html: str) -> dict[str, int]:
    rows = re.findall(r'data-colour="(\w+)".*?class="points">≥?(\d+)<', html, re.DOTALL)
    return {colour: int(score) for colour, score in rows}


def groups(html: str) -> Groups:
    """What can be corrected: by what it counts as, the names by the ids."""
    html = html.replace("\N{EN DASH}", "-")
    found = re.findall(r'<optgroup label="([^"]+)">(.*?)</optgroup>', html, re.DOTALL)
    return {
        counts_as: dict(re.findall(r'<option value="([^"]+)">([^<]+)<', spots))
        for counts_as, spots in found
    }


def test_every_route_that_is_not_asked_about_is_listed_by_player(scored: ScoredPhoto) -> None:
    client, result = opened(scored)
    listed = groups(client.get(result).text)
    assert list(listed) == ["blue", "red", "empty"]
    assert listed["blue"] == {
        "denver--helena": "Denver - Helena: blue",
        "helena--seattle": "Helena - Seattle: blue",
    }
    assert listed["empty"]["portland--seattle--1"] == "Portland - Seattle, right lane: empty"
    ids = {name for spots in listed.values() for name in spots}
    assert ids == {*scored.board.route_by_id} - {ASKED}


def test_the_picture_shows_what_was_said(scored: ScoredPhoto) -> None:
    pictured = replace(scored, annotated=np.full((1050, 1590, 3), 128, np.uint8))
    client, result = opened(pictured)
    read = client.get(f"{result}/board.jpg").data
    assert "what you said" not in client.get(result).text
    client.post(f"{result}/answers", data={"about": WRONG, "said": "red"})
    said = client.get(f"{result}/board.jpg").data
    changed = np.argwhere(np.abs(parse_photo(said).astype(int) - parse_photo(read)).max(-1) > 40)
    middle = np.mean([space.xy_mm for space in scored.board.route_by_id[WRONG].spaces], axis=0)
    assert np.abs(changed.mean(axis=0)[::-1] - 2 * middle).max() < 3
    assert "A disc with a letter" in client.get(result).text
    client.post(f"{result}/answers", data={"about": WRONG, "undo": "1"})
    assert client.get(f"{result}/board.jpg").data == read


@pytest.mark.parametrize(
    ("said", "score", "shown", "group"),
    [
        ("free", {"blue": 15, "red": 8}, "Read as: blue. You said: empty.", "empty"),
        ("red", {"blue": 15, "red": 15}, "Read as: blue. You said: red.", "red"),
        ("green", {"blue": 15, "red": 8, "green": 7}, "Read as: blue. You said: green.", "green"),
    ],
)
def test_a_correction_counts_and_can_be_taken_back(
    scored: ScoredPhoto, said: str, score: dict[str, int], shown: str, group: str
) -> None:
    client, result = opened(scored)
    before = client.get(result).text
    answer = client.post(f"{result}/answers", data={"about": WRONG, "said": said})
    assert (answer.status_code, answer.location) == (303, f"{result}#corrections")
    html = client.get(result).text
    assert client.get(result).text == html
    assert points(html) == score
    assert shown in html
    assert WRONG in groups(html)[group]
    again = client.post(f"{result}/answers", data={"about": WRONG, "said": "black"})
    assert again.status_code == 303
    assert points(client.get(result).text) == {"blue": 15, "red": 8, "black": 7}
    client.post(f"{result}/answers", data={"about": WRONG, "undo": "1"})
    assert client.get(result).text == before


def test_what_no_photo_shows_can_be_said(scored: ScoredPhoto) -> None:
    unseen = Spot("route", "miami--new-orleans")
    client, result = opened(replace(scored, unseen=(unseen,)))
    html = client.get(result).text
    assert groups(html)["not seen"] == {unseen.id: "Miami - New Orleans: not seen"}
    assert "≥" in html
    client.post(f"{result}/answers", data={"about": unseen.id, "said": "red"})
    html = client.get(result).text
    assert "Read as: not seen. You said: red." in html
    assert points(html) == {"blue": 22, "red": 23}
    assert "≥" not in html


def test_stations_and_sites_are_corrected_by_their_names() -> None:
    europe, rules = load_board("europe"), load_edition("europe")
    site = Site("zoo", "Zoo", "essen", space=Space((100.0, 100.0), 0.0, (20.0, 8.0)))
    board = replace(europe, sites=(site,))
    held = spots_of("route", {"berlin--essen": "blue"}) | {Spot("station", "roma"): "red"}
    client, result = opened(ScoredPhoto("a.jpg", board, rules, rules.colours, held=held))
    listed = groups(client.get(result, headers={"Accept-Language": "de"}).text)
    assert listed["Rot"] == {"roma": "Bahnhof in Roma: Rot"}
    assert listed["leer"]["zoo"] == "Zoo: leer"
    assert listed["kein Bahnhof"]["essen"] == "Bahnhof in Essen: kein Bahnhof"
    client.post(f"{result}/answers", data={"about": "roma", "said": "free"})
    assert "Read as: red. You said: no station." in client.get(result).text


def test_one_of_the_routes_that_nobody_plays_can_be_corrected_alone(scored: ScoredPhoto) -> None:
    montreal, york = "boston--montreal--0", "boston--new-york--0"
    client, result = opened(replace(scored, uncounted={montreal: "white", york: "white"}))
    answers = f"{result}/answers"
    assert set(groups(client.get(result).text)["white"]) == {montreal, york}
    client.post(answers, data={"about": montreal, "said": "red"})
    html = client.get(result).text
    assert "Read as: white. You said: red." in html
    assert "Not counted for now." in html
    assert points(html) == {"blue": 22, "red": 10}
    client.post(answers, data={"about": "white", "said": "white"})
    html = client.get(result).text
    assert points(html) == {"blue": 22, "red": 10, "white": 2}
    assert "You said: red, white." in html
    assert "Read as: white" not in html, "it is said once"


def test_a_phone_corrects_a_route(browser: Browser, scored: ScoredPhoto) -> None:
    app = photo_app(PhotoReading(lambda photos: scored), limits=no_limits())
    with Server(app, "127.0.0.1", 0) as server, faultless(browser) as page:
        page.goto(f"{server.url}photo")
        photo: FilePayload = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"x"}
        page.locator("input[type=file]").last.set_input_files(photo)
        page.locator("form.send button").click()
        page.get_by_text("Is something else wrong?").click()
        wrong = page.get_by_label("What is wrong?")
        everyone_can_use(page)
        form = page.locator("form", has=wrong)
        form.get_by_role("button", name="red").click()
        assert page.evaluate("document.querySelector('select:invalid') !== null")
        wrong.select_option(WRONG)
        form.get_by_role("button", name="red").focus()
        page.keyboard.press("Enter")
        said = page.locator(".corrections li")
        expect(said).to_contain_text("Denver \N{EN DASH} Helena")
        expect(said).to_contain_text("Read as: blue. You said: red.")
        expect(said).to_be_in_viewport()
        expect(page.locator("[data-colour=red] .points")).to_have_text("15")
        everyone_can_use(page)
        page.reload()
        said.get_by_role("button", name="Undo").click()
        expect(said).to_have_count(0)
        expect(page.locator("[data-colour=red] .points")).to_have_text("8")

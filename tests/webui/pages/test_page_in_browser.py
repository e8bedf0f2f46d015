"""The page in a real browser: a phone sends a photo of a real board and sees its score."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import spots_of
from railspotter.table.photo_file import Files, load_photo, parse_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.pages import texts as words
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoReading
from resting_pages import photo_app
from standings import standing
from table_pages import LAPTOP, PHONE, Scheme

# Of blank_rectified_1500x990.jpg, whose edges are the board's.
OUTLINE_PX = [[0, 0], [1499, 0], [1499, 989], [0, 989]]
# Route points, trains left and longest path of each colour.
Scores = dict[str, tuple[int, int, int]]


@pytest.fixture(scope="module")
def url(photos: Path) -> Iterator[str]:
    """The page with the real reader, as another machine on the network sees it."""
    board, edition = load_board("usa"), load_edition("usa")
    empty = load_photo(photos / "usa" / "blank_rectified_1500x990.jpg")
    profile = make_profile(empty, board, OUTLINE_PX, "test", "2026-01-01T00:00:00Z")
    scorer = PhotoScorer(ReadingPlan(board, edition, profile))

    def score(photos: Files) -> ScoredPhoto:
        return scorer.score((name, parse_photo(content)) for content, name in photos)

    with Server(photo_app(PhotoReading(score)), "127.0.0.1", 0) as server:
        yield f"http://table.local:{server.port}/photo"


@pytest.fixture(params=["with scripts", "without scripts"])
def phone(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    has_scripts = request.param == "with scripts"
    context = browser.new_context(viewport=PHONE, java_script_enabled=has_scripts)
    yield context.new_page()
    context.close()


def send(page: Page, photo: Path) -> None:
    page.set_input_files("#camera", photo)
    page.get_by_role("button", name="Read the board").click()


def scores_on(page: Page) -> Scores:
    """Read the table of scores as a player does."""
    rows = page.get_by_role("table").get_by_role("row").all()[1:]
    found = {}
    for row in rows:
        colour = row.get_by_role("rowheader").inner_text().split()[-1].lower()
        points, left, longest = (
            int(cell.inner_text().split()[0]) for cell in row.get_by_role("cell").all()
        )
        found[colour] = (points, left, longest)
    return found


def true_scores(photo: Path) -> Scores:
    claims = json.loads(photo.with_suffix(".json").read_text("utf-8"))["claims"]
    return {
        player.colour: (player.route_points, player.trains_left, player.longest_path.at_least)
        for player in standing(load_edition("usa"), load_board("usa"), claims).players
    }


def test_a_photo_of_a_real_board_is_scored(
    phone: Page, url: str, photos: Path, tmp_path: Path
) -> None:
    photo = photos / "usa" / "IMG_4066_1008.jpg"
    # As large a file as a phone's 200 megapixels, by a film behind it.
    large = tmp_path / "board.jpg"
    large.write_bytes(photo.read_bytes() + 12_000_000 * b"film")
    complaints: list[str] = []
    hosts: set[str | None] = set()
    phone.on("console", lambda message: complaints.append(message.text))
    phone.on("pageerror", lambda error: complaints.append(str(error)))
    phone.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))

    phone.goto(url)
    send(phone, large)
    expect(phone.get_by_role("heading", name="Scores")).to_be_visible()

    assert scores_on(phone) == true_scores(photo)
    picture = phone.get_by_role("img", name=words.PICTURE)
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 1000
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert complaints == []
    assert hosts - {None} == {"table.local"}, "something came from elsewhere"


def test_the_form_is_sent_once_and_shows_progress(browser: Browser, url: str, photos: Path) -> None:
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.goto(url)
        page.set_input_files("#camera", photos / "usa" / "IMG_4048_blank_1008.jpg")
        expect(page.get_by_role("img", name="The photo you chose")).to_be_visible()
        # Hold the form back where it would leave, to look at the page meanwhile.
        page.evaluate("document.addEventListener('submit', (event) => event.preventDefault())")
        button = page.get_by_role("button", name="Read the board")
        button.click()
        expect(button).to_be_disabled()
        expect(page.get_by_role("status")).to_contain_text("Reading the board.")
        expect(page.get_by_role("progressbar")).to_be_visible()


# The browser waits for an answer that it leaves the page for, and tells nothing meanwhile.
SEND_WITHOUT_LEAVING = """document.addEventListener("submit", (event) => {
    event.preventDefault();
    fetch(event.target.action, { method: "POST", body: new FormData(event.target) });
})"""


def test_a_photo_that_takes_long_says_what_is_done_and_for_how_long(
    browser: Browser, scored: ScoredPhoto, tmp_path: Path
) -> None:
    (tmp_path / "board.jpg").write_bytes(b"read by nobody")
    go_on, held = threading.Event(), list[Route]()

    def score(photos: Files) -> ScoredPhoto:
        go_on.wait(60)
        return scored

    with (
        Server(photo_app(PhotoReading(score)), "127.0.0.1", 0) as server,
        browser.new_context(viewport=PHONE) as context,
    ):
        page = context.new_page()
        page.clock.install()
        try:
            page.goto(f"{server.url}photo")
            page.route("**/photo", lambda route: held.append(route))
            page.set_input_files("#camera", tmp_path / "board.jpg")
            page.evaluate(SEND_WITHOUT_LEAVING)
            page.get_by_role("button", name="Read the board").click()
            status = page.get_by_role("status")
            expect(status).to_contain_text("Sending the photo")
            held[0].continue_()
            expect(status).to_contain_text("Reading the board.")
            page.clock.fast_forward(40_000)
            expect(status).to_contain_text("Still reading the board, for 40 s so far")
        finally:
            go_on.set()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nothing_overflows_and_targets_are_large(
    browser: Browser, scored: ScoredPhoto, tmp_path: Path, size: ViewportSize, scheme: Scheme
) -> None:
    colours = scored.edition.colours
    claims = {route.id: colours[i % 5] for i, route in enumerate(scored.board.routes)}
    full = replace(scored, held=spots_of("route", claims))
    (tmp_path / "board.jpg").write_bytes(b"read by nobody")
    app = photo_app(PhotoReading(lambda photos: full))
    with (
        Server(app, "127.0.0.1", 0) as server,
        browser.new_context(viewport=size, color_scheme=scheme) as context,
    ):
        page = context.new_page()
        page.goto(f"{server.url}photo")
        send(page, tmp_path / "board.jpg")
        for summary in page.locator("summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        for table in page.locator("table").all():
            inner, outer = table.bounding_box(), table.locator("..").bounding_box()
            assert inner
            assert outer
            assert inner["x"] + inner["width"] < outer["x"] + outer["width"] - 10
        for target in page.locator("button, summary, .brand, input[type=file]").all():
            box = target.bounding_box()
            assert box
            assert box["height"] >= 44, target

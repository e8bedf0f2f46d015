"""The game on a television and over a stream, in a real browser: nothing to tap, all in sight."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from dealt_tables import keep_first
from house.project import ROOT
from past_games import some_games
from phones import Phone, Table, table
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.course_facts import GameEnded, GamePaused, GameResumed
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.commands import AddFacts
from railspotter.table.set_up.planned_game import Choices, ChosenPlayer, choices_file
from railspotter.webui.pages.page_table import OVERLAY_PARTS
from served_play import free_port, serving_play
from table_pages import claim, faultless, opened, ready, rest, say, tab

SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
ON_SCREEN = (".rs-board", ".rs-players", ".rs-last", ".rs-path", ".rs-turn", ".rs-chart")
# What somebody writes into OBS, which puts it into the page: a style element, or a data: link.
OBS_CSS = ".rs-player { background: rgb(1, 2, 3) } .rs-name { color: rgb(4, 5, 6) }"
DASH = "\N{EN DASH}"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """One for all tests: none of them ends it but the last."""
    with table(tmp_path_factory.mktemp("home")) as running:
        claim(running, helena__seattle="blue", duluth__helena="blue", calgary__seattle="red")
        yield running


@pytest.fixture(scope="module")
def host(running: Table) -> Phone:
    return running.host()


@pytest.fixture
def links(host: Phone) -> dict[str, str]:
    told = host.get("/guest-link").json
    told = told if told["is_out"] else host.post("/guest-link").json
    return {page: told[page]["url"] for page in ("screen", "overlay")}


def asking(url: str, options: str) -> str:
    return url.replace("#", f"?{options}#")


@contextmanager
def shown(browser: Browser, url: str, size: tuple[int, int], **more: Any) -> Iterator[Page]:
    with faultless(browser, ViewportSize(width=size[0], height=size[1]), **more) as page:
        page.goto(url)
        yield page


def height(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.journey
def test_a_television_of_any_size_shows_all_of_it(
    browser: Browser, running: Table, links: dict[str, str]
) -> None:
    with shown(browser, links["screen"], SIZES[0], locale="de-DE") as page:
        ready(page)
        expect(page.locator(".rs-name").first).to_have_text("Bob")
        expect(page.locator(".rs-turn")).to_contain_text("Wahrscheinlich ist")
        expect(page.locator(".rs-last")).to_contain_text(f"Calgary {DASH} Seattle")
        assert page.locator("button, a, input, [tabindex]").count() == 0, "nothing to tap"
        for width, tall in SIZES:
            page.set_viewport_size({"width": width, "height": tall})
            rest(page)
            assert page.evaluate("[document.body.scrollWidth, document.body.scrollHeight]") == [
                width,
                tall,
            ]
            for part in ON_SCREEN:
                box = page.locator(part).bounding_box()
                assert box is not None, part
                assert box["x"] >= 0, (part, width)
                assert box["y"] >= 0, (part, width)
                assert box["x"] + box["width"] <= width, (part, width)
                assert box["y"] + box["height"] <= tall, (part, width)
            assert height(page.locator(".rs-points").first) > 0.08 * tall, "read across the room"
            assert page.locator(".rs-map").evaluate("svg => svg.getBoundingClientRect().width") > (
                0.5 * width
            )
        # What comes is lit up and stands first, without anybody's hand.
        claim(running, denver__helena="blue")
        expect(page.locator(".rs-claim.rs-new")).to_contain_text(f"Denver {DASH} Helena")
        expect(page.locator(".rs-map.has-light .train.lit")).to_have_count(1)
        expect(page.locator(".rs-points").first).to_have_text("37")
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []


def corner(page: Page) -> tuple[int, ...]:
    picture = Image.open(BytesIO(page.screenshot(omit_background=True)))
    pixel = picture.convert("RGBA").getpixel((picture.width - 3, picture.height - 3))
    assert isinstance(pixel, tuple)
    return pixel


def test_it_is_dark_where_the_device_or_the_address_says_so(
    browser: Browser, running: Table, links: dict[str, str]
) -> None:
    dark, light = (0x1D, 0x1A, 0x18, 255), (0xF6, 0xEF, 0xE1, 255)
    with shown(browser, links["screen"], SIZES[0], color_scheme="dark") as page:
        ready(page)
        assert corner(page) == dark
        page.goto(asking(links["screen"], "theme=light"))
        ready(page)
        assert corner(page) == light
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []
        page.emulate_media(color_scheme="light")
        page.goto(asking(links["screen"], "theme=dark"))
        ready(page)
        assert corner(page) == dark
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []


def test_an_overlay_lets_the_stream_through_and_takes_its_style(
    browser: Browser, running: Table, links: dict[str, str]
) -> None:
    url = asking(links["overlay"], "parts=last,scores,board&scale=1.5&theme=dark")
    with shown(browser, url, SIZES[1], color_scheme="dark") as page:
        ready(page)
        assert corner(page) == (0, 0, 0, 0)
        kinds = page.locator("#parts > section").evaluate_all(
            "parts => parts.map((part) => part.className.split(' ')[1])"
        )
        assert kinds == ["rs-last", "rs-scores", "rs-board"]
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "30px"
        page.evaluate(
            """(css) => {
              const style = document.createElement("style");
              style.textContent = css.split("} ")[0] + "}";
              const link = document.createElement("link");
              link.rel = "stylesheet";
              link.href = `data:text/css;base64,${btoa(css.split("} ")[1])}`;
              document.head.append(style, link);
              return new Promise((go) => link.addEventListener("load", go));
            }""",
            OBS_CSS,
        )
        colours = page.evaluate(
            """[getComputedStyle(document.querySelector(".rs-player")).backgroundColor,
                getComputedStyle(document.querySelector(".rs-name")).color]"""
        )
        assert colours == ["rgb(1, 2, 3)", "rgb(4, 5, 6)"]


def test_nobody_is_to_play_while_all_choose_their_first_tickets(
    browser: Browser, dealt: Table
) -> None:
    url = dealt.host().post("/guest-link").json["screen"]["url"]
    with shown(browser, url, SIZES[0]) as page:
        ready(page)
        expect(page.locator(".rs-player")).to_have_count(3)
        expect(page.locator(".rs-turn")).to_be_hidden()
        keep_first(dealt)
        expect(page.locator(".rs-turn")).to_contain_text("Ann")


def test_what_hinders_and_the_end_are_said_by_themselves(browser: Browser, tmp_path: Path) -> None:
    with table(tmp_path) as running:
        claim(running, helena__seattle="blue")
        host = running.host()
        ann = running.player("ann")
        assert ann.post("/hand", {"a": "calgary", "b": "phoenix", "points": 13}).status == 200
        url = host.post("/guest-link").json["screen"]["url"]
        with shown(browser, url, SIZES[0]) as page:
            ready(page)
            expect(page.locator(".rs-status")).to_be_hidden()
            running.live.ask(Spot("route", "calgary--seattle"), "red", None)
            expect(page.locator(".rs-notice:visible")).to_have_text(say("screen.question.one"))
            running.live.execute(AddFacts([GamePaused()]))
            expect(page.locator(".rs-notice:visible").first).to_contain_text("paused")
            running.live.execute(AddFacts([GameResumed()]))
            expect(page.locator(".rs-notice:visible")).to_have_count(1)
            assert f"Calgary {DASH} Phoenix" not in page.locator("#parts").inner_text()
            running.live.execute(AddFacts([GameEnded()]))
            expect(page.locator(".rs-result")).to_contain_text(say("ending.none_shown"))
            expect(page.locator(".rs-scores")).to_be_hidden()
            assert host.post("/count").status == 200
            expect(page.locator(".rs-winner")).to_have_text(say("winner.single", name="Bob"))
            # The host takes the link back: the picture goes.
            assert host.ask("DELETE", "/guest-link").status == 200
            expect(page.locator(".rs-message")).to_have_text(say("screen.taken_back"))
            expect(page.locator(".rs-scores")).to_have_count(0)


def test_elsewhere_than_at_the_computer_the_page_needs_a_link_that_works(
    browser: Browser, running: Table, links: dict[str, str]
) -> None:
    bare = links["screen"].partition("#")[0]
    with shown(browser, bare, SIZES[0]) as page:
        ready(page)
        page.goto("about:blank")
        page.goto(f"{bare}#guest=abcdefghjk")
        expect(page.locator(".rs-message")).to_have_text(say("screen.taken_back"))
    with shown(browser, links["overlay"].partition("#")[0], SIZES[0]) as page:
        expect(page.locator(".rs-message")).to_have_text(say("screen.no_link"))
    with shown(
        browser, bare, SIZES[0], extra_http_headers={"X-Forwarded-For": "192.0.2.9"}
    ) as page:
        expect(page.locator("#word")).to_be_visible()


@pytest.mark.journey
def test_a_screen_follows_the_table_from_rest_to_its_game_and_back(
    browser: Browser, home: Path
) -> None:
    people = (ChosenPlayer("Ann", "red"), ChosenPlayer("Bo", "blue"))
    choices_file(home).save(Choices("usa", "usa", people, source="none"))
    some_games(GameStore(home))
    with serving_play(free_port()) as play:
        host = play.host()
        with shown(browser, f"{host.origin}/screen", SIZES[1]) as page:
            ready(page)
            expect(page.locator(".rs-rest-title")).to_contain_text(say("screen.setting_up"))
            assert host.post("/table/home").status == 200
            expect(page.locator(".rs-rest-title")).to_contain_text(say("screen.scan"))
            expect(page.locator(".rs-won").first).to_contain_text("Ann")
            expect(page.locator(".rs-foot")).to_have_text(say("screen.unwatched"))
            assert page.locator("button, a, input, [tabindex]").count() == 0, "nothing to tap"
            assert [one["id"] for one in Axe().run(page).response["violations"]] == []
            assert host.post("/table/set-up", {"at_once": True}).status == 200
            expect(page.locator(".rs-player")).to_have_count(2)
            assert host.post("/table/home").status == 200
            expect(page.locator(".rs-won")).to_have_count(3)
        assert play.ended() == 0


def test_the_code_stands_in_a_games_corner_where_the_host_lets_it(
    browser: Browser, tmp_path: Path
) -> None:
    with table(tmp_path) as running:
        host = running.host()
        running.page.services.phone_access.url = "http://192.0.2.1:8000/"
        here = f"{host.origin}/screen"
        with shown(browser, here, SIZES[0]) as page:
            ready(page)
            expect(page.locator(".rs-corner .qr")).to_be_visible()
            expect(page.locator(".rs-chart")).to_be_hidden()
            assert page.evaluate("document.body.scrollHeight") == SIZES[0][1]
            # At the end it is for who comes late with tickets, until the points are counted.
            running.live.execute(AddFacts([GameEnded()]))
            expect(page.locator(".rs-corner")).to_contain_text(say("screen.late"))
            expect(page.locator(".rs-corner .qr")).to_be_visible()
            expect(page.locator(".rs-shown li")).to_have_count(3)
            assert page.evaluate("document.body.scrollHeight") == SIZES[0][1]
            assert host.post("/count").status == 200
            expect(page.locator(".rs-corner")).to_be_hidden()
            assert host.ask("PATCH", "/door", {"is_on_screens": False}).status == 200
            page.reload()
            ready(page)
            expect(page.locator(".rs-corner")).to_have_count(0)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("overlay?parts=scores,hands", "There is no part 'hands': parts are scores,"),
        ("overlay?parts=", "There is no part '': parts are"),
        ("overlay?scale=9", "The scale is a number from 0.25 to 8, not '9'."),
        ("overlay?scale=nan", "not 'nan'."),
        ("overlay?scale=large", "not 'large'."),
        ("screen?theme=pink", "The theme is dark / light, not 'pink'."),
    ],
)
def test_what_there_is_not_is_said_in_a_sentence(running: Table, asked: str, answer: str) -> None:
    got = running.phone().page(f"/{asked}")
    assert got.status == 400
    assert answer in got.content.decode()


def test_only_an_overlay_may_be_dressed(running: Table) -> None:
    policies = {
        page: running.phone().page(f"/{page}").headers["Content-Security-Policy"]
        for page in ("screen", "overlay", "")
    }
    assert "style-src 'self' 'unsafe-inline' data:;" in policies["overlay"]
    assert "style-src 'self';" in policies["screen"]
    assert policies["screen"] == policies[""]
    assert "script-src 'self';" in policies["overlay"]


def test_every_part_and_class_is_in_the_docs() -> None:
    docs = (ROOT / "docs" / "guide-screen.md").read_text("utf-8")
    assert [part for part in OVERLAY_PARTS if f"`{part}`" not in docs] == []
    classes = (ROOT / "webui" / "static" / "screen").rglob("*.js")
    names = {
        name for path in classes for name in re.findall(r"(?<![-\w])rs-[a-z-]+", path.read_text())
    }
    names -= {"rs-"}
    assert [name for name in sorted(names) if f"`.{name}`" not in docs] == []


def test_the_host_gives_the_link_out_and_charts_follow_the_game(
    browser: Browser, running: Table
) -> None:
    assert running.host().ask("DELETE", "/guest-link").status == 200
    with opened(browser, running, host=True) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        tab(page, "table")
        page.locator("[data-key=screens]").click()
        page.locator("[data-key=guest-make]").click()
        expect(page.locator("dialog .link a")).to_have_count(2)
        first = page.locator("dialog .link a").first.inner_text()
        page.locator("[data-key=guest-renew]").click()
        expect(page.locator("dialog .link a").first).not_to_have_text(first)
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []
        page.locator("[data-key=guest-take-back]").click()
        expect(page.locator("[data-key=guest-make]")).to_be_visible()
        page.locator("dialog .sheet-close").click()

        assert not [url for url in asked if "chart" in url], "fetched when they are opened"
        page.locator("[data-key=charts]").click()
        charts = page.locator("dialog svg.chart[role=img]")
        expect(charts).to_have_count(4)
        about = page.locator("dialog .chart-points desc")
        before = about.text_content()
        claim(running, chicago__toronto="red")
        expect(about).not_to_have_text(str(before))
        named = charts.evaluate_all(
            """all => all.map((svg) => svg.getAttribute("aria-labelledby").split(" ")
              .map((id) => document.getElementById(id).textContent.length > 5))"""
        )
        assert named == [[True, True]] * 4
        page.locator("dialog .chart-numbers summary").first.click()
        expect(page.locator("dialog .chart-table tbody tr").first).to_be_visible()
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(page.locator("#paper svg.chart")).to_have_count(4)
        page.emulate_media(media="print")
        ink = page.locator("#paper .chart-line path:last-child").evaluate_all(
            "lines => lines.map((line) => getComputedStyle(line).stroke)"
        )
        assert set(ink) == {"rgb(0, 0, 0)"}
        # Told apart without colours: no two dash patterns and no two marks are alike.
        for part, name in (
            (".chart-line path:last-child", "stroke-dasharray"),
            (".chart-marks path:first-child", "d"),
        ):
            drawn = page.locator(f"dialog .chart-points {part}")
            looks = [one.get_attribute(name) for one in drawn.all()]
            assert len(set(looks)) == len(looks) == 3

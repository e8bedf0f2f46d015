"""What the camera asks, on phones at a table: its picture, its answers, nothing in the way."""

import pytest
from phones import Table
from playwright.sync_api import Browser, ViewportSize, expect
from railspotter.scoring.spot import Spot
from table_pages import PATIENCE_MS, SIZES, at_rest, everyone_can_use, opened, points, say

SEATTLE = Spot("route", "helena--seattle")
SEATTLE_NAME = say("route.name", a="Helena", b="Seattle")


@pytest.mark.journey
def test_a_question_is_answered_with_one_tap_and_can_be_undone(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as page:
        running.live.ask(SEATTLE, "blue", None)
        card = page.locator("#questions .question")
        expect(card).to_contain_text(SEATTLE_NAME)
        expect(card.get_by_role("img")).to_have_count(1)
        expect(page.locator("#badge")).to_have_text("1")
        card.get_by_role("button", name="Bob").click()
        expect(points(page, "bob")).to_have_text("15")
        expect(card).to_have_count(0)
        page.locator(".toast-undo").click()
        expect(points(page, "bob")).to_have_text("0")


def test_both_lanes_of_a_double_route_are_asked_in_one_card(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as page:
        for lane in (0, 1):
            running.live.ask(Spot("route", f"portland--seattle--{lane}"), "blue", None)
        card = page.locator("#questions .question")
        expect(card.locator(".lane")).to_have_count(2)
        name = say("route.name", a="Portland", b="Seattle")
        expect(card.get_by_role("heading", level=2)).to_have_text(say("question.title", spot=name))
        for lane, word in enumerate(("lane.left", "lane.right")):
            expect(card.locator(".lane h3").nth(lane)).to_have_text(say(word))
        expect(card.locator(".spot-figure rect")).to_have_count(2, timeout=PATIENCE_MS)
        card.locator(".lane").nth(1).get_by_role("button", name="Bob").click()
        expect(points(page, "bob")).to_have_text("1")
        right = say("route.lane_right", a="Portland", b="Seattle")
        expect(page.locator("#toast")).to_contain_text(right)
        left = say("route.lane_left", a="Portland", b="Seattle")
        expect(card.get_by_role("heading", level=2)).to_have_text(say("question.title", spot=left))


def test_the_names_of_places_are_whole_in_a_questions_picture(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as page:
        running.live.ask(Spot("route", "duluth--omaha--0"), "blue", None)
        names = page.locator("#questions .spot-figure text")
        expect(names.filter(has_text="Duluth")).to_have_count(1, timeout=PATIENCE_MS)
        for name in names.all():
            is_whole = """(text) => {
              const { y: top, height } = text.ownerSVGElement.viewBox.baseVal;
              const box = text.getBBox();
              return box.y >= top && box.y + box.height <= top + height;
            }"""
            assert name.evaluate(is_whole), name.text_content()


def test_who_plays_other_trains_is_answered_with_one_tap(browser: Browser, running: Table) -> None:
    with opened(browser, running, seat="ann") as page, opened(browser, running) as guest:
        running.live.see(strange={"white": (SEATTLE, Spot("route", "duluth--helena"))})
        card = page.locator("#strange .question")
        title = say("strange.title.other", n=2, colour=say("colour.white"))
        expect(card.get_by_role("heading", level=2)).to_have_text(title)
        expect(card).to_contain_text(SEATTLE_NAME)
        expect(page.locator("#badge")).to_have_text("1")
        expect(card.locator(".answers span:last-child")).to_have_text(
            ["Ann", "Bob", "Green", say("strange.nobody")]
        )
        expect(guest.locator("#strange")).to_contain_text(say("question.guest"))
        everyone_can_use(page)
        card.get_by_role("button", name="Bob").click()
        expect(card).to_have_count(0)
        said = say("log.trains_assigned", name="Bob", colour=say("colour.white"))
        expect(page.locator("#toast")).to_contain_text(said)
        expect(page.locator("#latest")).to_contain_text(said)
    assert running.log.state.table.other_trains == {"white": "blue"}


@SIZES
def test_no_message_covers_an_answer(browser: Browser, running: Table, size: ViewportSize) -> None:
    with opened(browser, running, seat="ann", size=size) as page:
        running.live.ask(SEATTLE, "blue", None)
        running.live.ask(Spot("route", "duluth--helena"), "red", None)
        page.locator("#questions").get_by_role("button", name="Bob").click()
        toast, card = page.locator("#toast"), page.locator("#questions .question")
        expect(toast).to_be_visible()
        expect(card).to_contain_text("Duluth")
        for button in card.locator(".answers button").all():
            button.scroll_into_view_if_needed()
            one, other = at_rest(toast), at_rest(button)
            is_beside = (
                one["x"] >= other["x"] + other["width"]
                or other["x"] >= one["x"] + one["width"]
                or one["y"] >= other["y"] + other["height"]
                or other["y"] >= one["y"] + one["height"]
            )
            assert is_beside, (one, other)


def test_half_a_second_after_a_touch_nothing_moves(browser: Browser, running: Table) -> None:
    with opened(browser, running, seat="ann", reduced_motion="reduce") as page:
        row = page.locator("[data-seat=ann] button")
        before = at_rest(row)["y"]
        page.evaluate(
            """() => {
              window.moved = [];
              window.touched = 0;
              addEventListener("pointerup", () => (window.touched = performance.now()), true);
              const card = document.getElementById("questions");
              new MutationObserver(() => card.hidden || window.moved.push(performance.now()))
                .observe(card, { attributeFilter: ["hidden"] });
            }"""
        )
        page.locator("#tab-score").click()
        running.live.ask(SEATTLE, "blue", None)
        expect(page.locator("#questions .question")).to_be_visible()
        touched, moved = page.evaluate("[window.touched, window.moved[0]]")
        assert moved - touched >= 490, "it came under the finger"
        assert at_rest(row)["y"] > before, "and it does move what is below it"

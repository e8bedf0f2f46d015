"""The page at the table in a real browser, against a real table and its server."""

import pytest
from phones import Table
from playwright.sync_api import Browser, Page, ViewportSize, expect
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import spot_name
from railspotter.table.game_log.course_facts import TurnMarked
from railspotter.table.live_table.commands import Action, AddFacts
from railspotter.table.live_table.timeouts import DELAY_S
from railspotter.webui.serving.system_network import phone_addresses
from table_pages import (
    PATIENCE_MS,
    SIZES,
    at_rest,
    claim,
    opened,
    order,
    points,
    ready,
    rest,
    say,
    tab,
)

SEATTLE = Spot("route", "helena--seattle")
SEATTLE_NAME = say("route.name", a="Helena", b="Seattle")


@SIZES
def test_claims_appear_as_they_happen(browser: Browser, running: Table, size: ViewportSize) -> None:
    with opened(browser, running, size=size) as page:
        assert order(page) == ["ann", "bob", "cleo"]
        claim(running, helena__seattle="blue")
        expect(points(page, "bob")).to_have_text("15")
        assert order(page) == ["bob", "ann", "cleo"]
        row = page.locator("[data-seat=bob]")
        expect(row).to_contain_text(say("left.train.other", n=39))
        expect(row).to_contain_text(say("tag.longest"))
        told = say("log.route_claimed", who="Bob", what=SEATTLE_NAME)
        expect(page.locator("#latest .event").first).to_contain_text(told)
        expect(page.locator("#said")).to_contain_text(told)
        running.live.execute(AddFacts([TurnMarked("cleo")]))
        expect(page.locator("[data-seat=cleo]")).to_contain_text(say("tag.turn"))
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.journey
@SIZES
def test_a_wrong_claim_is_put_right_in_two_taps_and_undone(
    browser: Browser, running: Table, size: ViewportSize
) -> None:
    claim(running, helena__seattle="blue")
    with opened(browser, running, seat="ann", size=size) as page:
        page.locator("#latest .event-open").first.click()
        page.locator("dialog [data-key='choice-red']").click()
        expect(points(page, "ann")).to_have_text("15")
        expect(points(page, "bob")).to_have_text("0")
        page.locator(".toast-undo").click()
        expect(points(page, "bob")).to_have_text("15")
        expect(page.locator(".toast-undo")).to_have_text(say("redo.button"))
        # The log has an Undo for each, too.
        page.locator(".toast-close").click()
        page.locator("#latest button.quiet").click()
        page.locator("dialog .event-undo").last.click()
        expect(points(page, "bob")).to_have_text("0")
        assert running.log.state.table.claims == {}


def test_a_tap_on_the_board_opens_the_route_below_it(browser: Browser, running: Table) -> None:
    claim(running, helena__seattle="blue")
    with opened(browser, running, seat="ann") as page:
        tab(page, "board")
        train = page.locator(".trains .train")
        expect(train).to_have_count(1)
        box = at_rest(train)  # the board has found its size
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator("dialog h2")).to_have_text(SEATTLE_NAME)
        page.locator("dialog [data-key='choice-null']").click()
        expect(train).to_have_count(0)


def test_the_board_is_moved_and_looked_at_closer(browser: Browser, running: Table) -> None:
    with opened(browser, running) as page:
        tab(page, "board")
        view = page.locator("svg.board")

        def shown() -> list[float]:
            rest(page)
            return [float(v) for v in (view.get_attribute("viewBox") or "").split()]

        whole = shown()
        some = page.locator(".names text").count()
        page.get_by_role("button", name=say("board.nearer")).click()
        page.get_by_role("button", name=say("board.nearer")).click()
        near = shown()
        assert near[2] == pytest.approx(whole[2] / 2.25, rel=0.01)
        page.get_by_role("button", name=say("board.nearer")).click()
        shown()
        assert page.locator(".names text").count() >= some
        before = shown()
        box = view.bounding_box()
        assert box
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] - 60, middle[1] - 20, steps=4)
        page.mouse.up()
        moved = shown()
        assert moved[0] > before[0]
        assert moved[2] == before[2]
        expect(page.locator("dialog")).to_have_count(0)
        # Two fingers, as the browser reports them.
        cdp = page.context.new_cdp_session(page)
        for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80)):
            fingers = [
                {"x": middle[0] - apart, "y": middle[1]},
                {"x": middle[0] + apart, "y": middle[1]},
            ]
            cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
        cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert shown()[2] < moved[2]
        view.focus()
        page.keyboard.press("0")
        assert shown() == whole


def test_names_on_the_board_never_lie_over_each_other(browser: Browser, running: Table) -> None:
    overlaps = """() => {
      const names = [...document.querySelectorAll(".names text")];
      const boxes = names.map((name) => name.getBoundingClientRect());
      const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b))).length;
    }"""
    with opened(browser, running, size={"width": 1280, "height": 800}) as page:
        rest(page)
        places = running.log.state.table.board.places
        expect(page.locator(".names text")).to_have_count(len(places))
        assert page.evaluate(overlaps) == 0
    with opened(browser, running) as page:
        tab(page, "board")
        for _ in range(4):
            rest(page)
            assert page.locator(".names text").count() > 5
            assert page.evaluate(overlaps) == 0
            page.get_by_role("button", name=say("board.nearer")).click()


def test_a_longest_path_is_lit_on_the_board(browser: Browser, running: Table) -> None:
    claim(running, helena__seattle="blue", duluth__helena="blue", miami__new_orleans="red")
    with opened(browser, running) as page:
        tab(page, "board")
        page.locator("[data-key=path-bob]").click()
        expect(page.locator(".train.lit")).to_have_count(2)
        page.locator("[data-key=path-bob]").click()
        expect(page.locator(".train.lit")).to_have_count(0)


def test_a_table_that_does_not_see_says_so_on_every_part_of_the_page(
    browser: Browser, running: Table
) -> None:
    with (
        opened(browser, running, seat="ann") as page,
        opened(browser, running) as guest,
    ):
        running.live.let_pass(DELAY_S + 1)  # the grey camera shows no board
        for one in (page, guest):
            expect(one.locator("#status")).to_have_text(say("status.no_board"))
            expect(one.locator("#status")).to_have_attribute("data-mood", "bad")
            for name in ("board", "tickets", "table", "score"):
                tab(one, name)
                expect(one.locator("#trouble")).to_be_visible()
        expect(page.locator("#trouble [data-key=again]")).to_be_visible()
        expect(guest.locator("#trouble button")).to_have_count(0)
        running.live.execute(Action.PAUSE)
        expect(guest.locator("#trouble")).to_contain_text("paused")
        page.locator("#trouble [data-key=pause]").click()
        expect(guest.locator("#trouble")).not_to_contain_text("paused")


@pytest.mark.journey
def test_a_phone_scans_the_code_and_takes_a_free_seat(browser: Browser, running: Table) -> None:
    running.player("bob")
    with opened(browser, running, seat="ann") as page:
        assert "#" not in page.url
        expect(page.locator("[data-seat=ann]")).to_contain_text(say("tag.you"))
        page.reload()
        ready(page)
        expect(page.locator("[data-seat=ann]")).to_contain_text(say("tag.you"))
        with opened(browser, running, host=True) as host:
            tab(host, "table")
            expect(host.locator(".qr")).to_have_count(0)
            if phone_addresses():
                host.locator("[data-key=let-in]").click()
                assert host.locator(".qr").evaluate(
                    "image => image.decode().then(() => image.naturalWidth)"
                )
                expect(host.locator(".link")).to_contain_text(f"http://{phone_addresses()[0]}:")
            expect(host.locator("[data-key=person-ann]")).to_contain_text(say("people.phone"))
            expect(host.locator("[data-key=person-cleo]")).to_contain_text(say("people.no_phone"))
            # Who holds the code has nothing to scan.
            expect(host.locator("#table")).to_contain_text(say("seat.how_host"))
            host.locator("[data-key=choose-seat]").click()
            expect(host.locator("[data-key=seat-bob]")).to_be_disabled()
        tab(page, "table")
        page.locator("[data-key=leave-seat]").click()
        page.locator("dialog .primary").click()
        expect(page.locator("#table")).to_contain_text(say("seat.none"))


def test_of_a_board_with_too_many_trains_the_least_sure_come_first(
    browser: Browser, running: Table
) -> None:
    board = load_board("usa")
    longest = sorted(board.routes, key=lambda route: -route.length)
    lying = {Spot("route", route.id): "red" for route in longest if route.lane == 0}
    lying = dict(list(lying.items())[:8])
    least = [*lying][5]
    with opened(browser, running, host=True) as page:
        running.live.find(lying, sure={least: 0.0})
        card = page.locator(".joining")
        name = spot_name(board, least).split(" - ")
        expect(card).to_contain_text("Red has used 48 trains, of 45. Not sure of ")
        first = say("joining.unsure", spots=say("route.name", a=name[0], b=name[1])).rstrip(".")
        expect(card).to_contain_text(f"{first},")
        page.locator("[data-key=joining-mend]").click()
        rows = page.locator("dialog [data-key^='mend-']")
        expect(rows.first).to_have_attribute("data-key", f"mend-{least.key}")
        expect(page.locator("dialog .tag", has_text=say("tag.not_sure"))).to_have_count(3)


def test_a_half_played_board_is_confirmed_or_put_right(browser: Browser, running: Table) -> None:
    lying: dict[Spot, str] = {SEATTLE: "red", Spot("route", "duluth--helena"): "blue"}
    with opened(browser, running, host=True) as page:
        running.live.find(lying)
        expect(page.locator(".joining")).to_contain_text(say("joining.title"))
        page.locator("[data-key=joining-mend]").click()
        page.locator("[data-key='mend-route:duluth--helena']").click()
        page.locator("dialog [data-key=choice-green]").click()
        page.locator("dialog").get_by_role("button", name=say("joining.save")).click()
        expect(page.locator(".joining")).to_have_count(0)
        expect(points(page, "ann")).to_have_text("15")
        expect(points(page, "cleo")).to_have_text("15")
        expect(points(page, "bob")).to_have_text("0")


MORE_THAN_CONNECTIONS = 8


def answers(page: Page) -> int:
    """Return the status with which a call of a tab is answered."""
    call = "(ms) => fetch('/api/v1/you', { signal: AbortSignal.timeout(ms) }).then((r) => r.status)"
    return int(page.evaluate(call, PATIENCE_MS))


def test_more_tabs_than_a_browser_has_connections_follow_the_table_and_answer(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as first:
        tabs = [first]
        while len(tabs) < MORE_THAN_CONNECTIONS:
            page = first.context.new_page()
            page.goto(running.page.server.url)
            ready(page)
            tabs.append(page)
        claim(running, helena__seattle="blue")
        for page in tabs:
            expect(points(page, "bob")).to_have_text("15")
            assert answers(page) == 200

        # Where the tab is closed that hears for all, another one does.
        tabs.pop().close()
        claim(running, duluth__helena="blue")
        for page in tabs:
            expect(points(page, "bob")).to_have_text("30")

"""The page at the table in a real browser: phones and laptops that come in and sit down."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from phones import Table
from playwright.sync_api import (
    Browser,
    FloatRect,
    Locator,
    Page,
    Request,
    Route,
    ViewportSize,
    expect,
)
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.live_table.commands import AddFacts
from railspotter.webui.words.translation import PageWords

PHONE: ViewportSize = {"width": 360, "height": 640}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
# Whoever plays looks at a phone: a laptop's width is tried by `make test-all`.
SIZES = pytest.mark.parametrize(
    "size",
    [pytest.param(PHONE, id="phone"), pytest.param(LAPTOP, id="laptop", marks=pytest.mark.long)],
)
MINUS = "\N{MINUS SIGN}"
# For a busy machine; what is expected of a page comes within a second or two on one that rests.
PATIENCE_MS = 20_000
LEAST_TARGET_PX = 44  # what a finger hits
REST_MS = 250  # longer than the timers by which pages put off what is drawn
Scheme = Literal["light", "dark"]


def say(key: str, **values: Any) -> str:
    """What the page says, from its own catalogue."""
    return PageWords("en")[key].format(**values)


@contextmanager
def faultless(browser: Browser, size: ViewportSize = PHONE, **more: Any) -> Iterator[Page]:
    """Open a page in a browser of its own; nothing may go wrong in it."""
    complaints: list[str] = []
    with browser.new_context(**{"viewport": size, "has_touch": size is PHONE, **more}) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: note(message, complaints))
        yield page
        assert not complaints, complaints


def everyone_can_use(page: Page) -> None:
    """Nothing sticks out, is too small for a finger or closed to anyone in what is there now."""
    rest(page)
    # What glides has to arrive first.
    page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
    found = Axe().run(page).response["violations"]
    assert [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]] == []
    small = page.evaluate(
        """(least) => [...document.querySelectorAll("button, a, input, select, summary")]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          .filter((one) => !one.closest("[inert]"))
          .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
          .filter(([, box]) => box.height < least - 0.5 || box.width < least - 0.5)
          .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)""",
        LEAST_TARGET_PX,
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# What is wider than its place, or than the phone.
WIDER = """() => {
  const parts = "dialog, .card, button, select, h1, h2, h3, p, li, td, th, a.button";
  const told = (one) => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 60)}`;
  const style = (one) => getComputedStyle(one);
  const canScroll = (one) => one && (["auto", "scroll"].includes(style(one).overflowX)
    && one.tagName !== "DIALOG" || canScroll(one.parentElement));
  const isSeen = (one) => one.getClientRects().length && !one.closest(".unseen");
  const isCut = (one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1
    && style(one).overflowX !== "auto" && style(one).display !== "inline";
  const isOff = ({ left, right }) => right > innerWidth + 1 || left < -1;
  const found = [...document.querySelectorAll(parts)].filter(isSeen);
  return [
    ...found.filter(isCut).map((one) => `cut: ${told(one)}`),
    ...found.filter((one) => isOff(one.getBoundingClientRect()) && !canScroll(one.parentElement))
      .map((one) => `off: ${told(one)}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : []),
  ];
}"""
# What is tapped and less than 44 px high; switches are tapped by their labels.
SMALL = """() => [...document.querySelectorAll("a[href], button, summary, select, input")]
  .filter((one) => one.getClientRects().length && !one.closest("svg, .unseen"))
  .filter((one) => !["checkbox", "radio", "range"].includes(one.type))
  .filter((one) => one.getBoundingClientRect().height < 43.5)
  .map((one) => `${one.outerHTML.slice(0, 90)}: ${one.getBoundingClientRect().height}`)"""
# Choices that are not as wide as their longest option.
CUT = """() => [...document.querySelectorAll("select")]
  .filter((one) => one.getClientRects().length)
  .filter((one) => {
    const free = one.cloneNode(true);
    Object.assign(free.style, { position: "absolute", width: "max-content", flex: "none" });
    one.parentElement.append(free);
    const isCut = free.offsetWidth > one.offsetWidth + 1;
    free.remove();
    return isCut;
  })
  .map((one) => `${one.id}: ${one.offsetWidth} px`)"""


def fits(page: Page, what: str = "") -> None:
    """Nothing is wider than its place or the phone, too low for a thumb, or cut as a choice."""
    language = page.locator("html").get_attribute("lang")
    for look in (WIDER, SMALL, CUT):
        found = page.evaluate(look)
        assert found == [], f"{what}, {language}: {found}"


@contextmanager
def opened(
    browser: Browser,
    running: Table,
    *,
    seat: str | None = None,
    host: bool = False,
    size: ViewportSize = PHONE,
    **more: Any,
) -> Iterator[Page]:
    """Open the page as a guest, in a seat or as the host; nothing may go wrong in it."""
    with faultless(browser, size, **more) as page:
        url, codes = running.page.server.url, running.page.services.phone_access.codes
        if host:
            page.goto(f"{url}#host={codes.host}")
            ready(page)
            close_sheet(page)
        if seat is not None:
            page.goto(f"{url}#join={codes.join}")
            ready(page)
            sit(page, seat)
        if not host and seat is None:
            page.goto(url)
            ready(page)
        yield page


def note(message: Any, complaints: list[str]) -> None:
    """Note what the browser complains of; that a call is refused or unanswered is no fault."""
    if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
        complaints.append(message.text)


def ready(page: Page) -> None:
    page.wait_for_selector("body[data-ready]")


def rest(page: Page, ms: int = REST_MS) -> None:
    """Let a page draw what was done; by its own clock, which a busy machine holds up."""
    page.evaluate(
        """(ms) => new Promise((go) => setTimeout(
          () => requestAnimationFrame(() => requestAnimationFrame(go)), ms))""",
        ms,
    )


def at_rest(part: Locator) -> FloatRect:
    """Return where a part of a page lies, once it lies still."""
    before = None
    while (box := part.bounding_box()) is None or box != before:
        before = box
        rest(part.page)
    return box


class Held:
    """Calls of a page that get no answer from when they are asked until they are let go."""

    def __init__(self, page: Page, method: str, path: str) -> None:
        self.waiting: list[Route] = []
        self._page = page
        self._is_held: Callable[[Request], bool] = lambda request: (
            request.method == method and request.url.endswith(path)
        )
        page.route("**/api/**", self._asked)

    def _asked(self, route: Route, request: Request) -> None:
        if self._is_held(request):
            self.waiting.append(route)
        else:
            route.fallback()

    def asked(self) -> None:
        """Wait until the page has asked."""
        for _ in range(PATIENCE_MS // 50):
            if self.waiting:
                return
            self._page.wait_for_timeout(50)
        raise AssertionError("the page asks for nothing")

    def release(self) -> None:
        """Let the server answer, and the page draw what it says."""
        self._is_held = lambda request: False
        for route in self.waiting:
            with self._page.expect_response(route.request.url):
                route.continue_()
        rest(self._page)


def sit(page: Page, seat: str) -> None:
    page.locator(f"dialog [data-key='seat-{seat}']").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#toast")).to_contain_text(say("seat.have", name="").split(",")[0])
    page.locator(".toast-close").click()  # or it lies over what is tapped next


def close_sheet(page: Page) -> None:
    page.locator("dialog .sheet-close").click()
    expect(page.locator("dialog")).to_have_count(0)


def tap_board(page: Page, xy_mm: tuple[float, float]) -> None:
    """Tap a place of a board that is being made."""
    to = page.locator("svg.making").evaluate(
        "(svg, [x, y]) => { const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());"
        " return [at.x, at.y]; }",
        list(xy_mm),
    )
    page.mouse.click(*to)


def tab(page: Page, name: str) -> None:
    page.locator(f"#tab-{name}").click()


def count(page: Page) -> None:
    """Count the points, also those of who has shown no tickets."""
    page.locator("[data-key=count]").click()
    anyway = page.get_by_role("button", name=say("ending.count_anyway"))
    expect(anyway.or_(page.locator(".ceremony, .final"))).to_be_visible()
    if anyway.is_visible():
        anyway.click()


def claim(running: Table, **routes: str) -> None:
    """The camera sees routes claimed: `helena__seattle="red"`."""
    names = {name.replace("__", "--").replace("_", "-"): name for name in routes}
    running.live.execute(
        AddFacts(
            [
                Placed.on(Spot("route", id), colour=routes[name], by="camera")
                for id, name in names.items()
            ]
        )
    )


def number(n: int) -> str:
    """How the page writes a number."""
    return str(n).replace("-", MINUS)


def read_number(text: str) -> int:
    return int(text.replace(MINUS, "-"))


def points(page: Page, seat: str) -> Locator:
    return page.locator(f".players [data-seat='{seat}'] .row-points")


def order(page: Page) -> list[str]:
    seats = page.locator(".players > li")
    return [seat.get_attribute("data-seat") or "" for seat in seats.all()]

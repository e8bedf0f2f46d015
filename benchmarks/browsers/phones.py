"""The phones of an evening: the host's, other players', a guest's, and the cameras'."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from playwright.sync_api import Browser, Locator, Page
from railspotter.scoring.board import Board

from .filmed_board import CAMERA_SCRIPT, FilmedBoard
from .step_recorder import VIEWPORT, StepRecorder

TIMEOUT_MS = 120_000
# How long each picture stands before the camera: longer than its phone waits between two.
FRAME_MS = 600
SEAT_OF = """async (colour) => {
  const { players } = await (await fetch("/api/v1/state")).json();
  return players.find((player) => player.colour === colour).seat;
}"""


class Phones:
    """The phones in a browser, the filmed board, and the diary.

    `players` are the phones of those who play, by their colours; the host's is among them.
    `camera` is the phone that films.
    """

    def __init__(self, browser: Browser, board: Board, diary: StepRecorder, locale: str) -> None:
        self._browser, self._locale = browser, locale
        self.diary = diary
        self.board = FilmedBoard(board)
        self.host, self.bo, self.cleo, self.dora, self.guest = (self._phone() for _ in range(5))
        self.camera, self.other_camera = (self._phone(CAMERA_SCRIPT) for _ in range(2))
        self.players: dict[str, Page] = {}
        self.named: list[Page] = []
        self.sit({"red": self.host, "blue": self.bo, "green": self.cleo})

    def sit(self, players: Mapping[str, Page]) -> None:
        """Have these phones play from now on, by their colours."""
        self.players = dict(players)
        self.diary.phones = {
            "host" if page is self.host else colour: page for colour, page in players.items()
        }

    def _phone(self, script: str = "") -> Page:
        context = self._browser.new_context(viewport=VIEWPORT, has_touch=True, locale=self._locale)
        context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        return page

    def element(self, key: str, page: Page | None = None) -> Locator:
        """Return an element of a page, by default the host's."""
        return (page or self.host).locator(f"[data-key='{key}']").last

    def tap(self, key: str, page: Page | None = None) -> None:
        """Tap an element of a page."""
        self.diary.tap(self.element(key, page))

    def open_tab(self, name: str, page: Page | None = None) -> None:
        """Tap a page's tab, unless the page is there."""
        tab = (page or self.host).locator(f"#tab-{name}")
        if tab.get_attribute("aria-selected") != "true":
            self.diary.tap(tab)

    def screenshot(self, name: str, page: Page | None = None, held: Locator | None = None) -> None:
        """Take a picture of a page."""
        self.diary.screenshot(page or self.host, name, held)

    def close_sheet(self, page: Page | None = None) -> None:
        """Close the topmost sheet."""
        self.diary.tap((page or self.host).locator("dialog .sheet-close").last)

    def start_camera(self) -> None:
        """Start filming on the phone with the camera's page."""
        self.camera.evaluate("(jpeg) => film(jpeg)", self.board.jpeg)
        self.diary.tap(self.camera.locator("#start"))

    def film(self, pictures: Iterator[str]) -> None:
        """Show frames to the camera one after the other."""
        for jpeg in pictures:
            self.camera.evaluate("(jpeg) => film(jpeg)", jpeg)
            self.camera.wait_for_timeout(FRAME_MS)

    def each(self, condition: Callable[[Page], bool]) -> dict[str, Callable[[], bool]]:
        """Return for every player's phone whether a condition holds on its page."""
        return {name: partial(condition, page) for name, page in self.players.items()}

    def wait_for_game(self) -> None:
        """Wait until every player's phone shows a game."""
        for page in self.players.values():
            page.locator(".players > li").first.wait_for(state="attached")

    def just_watch(self) -> None:
        """Take no seat, on every player's phone that asks."""
        for page in self.players.values():
            if page.locator("dialog .seats").count():
                self.diary.tap(page.locator("dialog .quiet").last)

    def seat(self, colour: str) -> str:
        """Return the seat of who plays a colour: it is called as its player was at the start."""
        return str(self.host.evaluate(SEAT_OF, colour))

    def place_route_and_wait(self, route: str, colour: str) -> None:
        """Place a route's trains; record the time until every phone shows more points."""
        points = f".players [data-seat='{self.seat(colour)}'] .row-points"
        before = self.host.locator(points).inner_text()
        self.film(self.board.place_route(route, [colour] * self.board.route_length(route)))
        self.diary.wait_for(self.each(lambda page: page.locator(points).inner_text() != before))

"""From the first start to the first live score: the host, a phone that films, and real trains."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import pytest
from browser_driver import filming_browser, with_noise
from playwright.sync_api import Browser, Locator, Page, Playwright, expect
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import load_board
from served_play import free_port, serving_play
from table_pages import faultless, say

from composed.laid_train import trains_of_routes
from composed.library import Library
from composed.stage import make_stage
from composed.table import ComposedTable

# An empty board, and one full of trains, of which those of two colours are laid on it.
BLANK, STAGED = "IMG_4172_1920", "IMG_4152_1920"
COLOURS = ("red", "blue")
SIZE_WH = (1920, 1080)
FPS = 5
MOST_TAPS = 9
PATIENCE_MS = 240_000  # for a busy machine; alone, the whole of it takes less than a minute


@dataclass
class Fingers:
    """Taps buttons and counts."""

    taps: int = 0
    began_s: float = field(default_factory=time.monotonic)

    def tap(self, button: Locator) -> None:
        button.click(timeout=PATIENCE_MS)
        self.taps += 1


def filmed() -> tuple[Picture, dict[str, str]]:
    """A picture of the real board with real trains of two colours, and which routes they claim."""
    library = Library(load_board("usa"), px_per_mm=2.0)
    trains = library.source(STAGED)
    routes = dict.fromkeys(one.route for one in trains.trains if one.colour in COLOURS)
    laid = trains_of_routes(trains, list(routes))
    table = ComposedTable(library.board, make_stage(library, BLANK, size_wh=SIZE_WH), [trains])
    return table.picture(laid), table.truth(laid).truth["claims"]


def write_film(path: Path, picture: Picture) -> None:
    """Write a film of one scene, as a browser takes it in the place of its camera."""
    width, height = SIZE_WH
    film = f"YUV4MPEG2 W{width} H{height} F{FPS}:1\n".encode()
    for moment in with_noise(picture):
        film += b"FRAME\n" + cv2.cvtColor(moment, cv2.COLOR_BGR2YUV_I420).tobytes()
    path.write_bytes(film)


@contextmanager
def phone(browser: Browser) -> Iterator[Page]:
    """A phone; nothing may go wrong in its page."""
    with faultless(browser, locale="en-GB") as page:
        page.set_default_timeout(PATIENCE_MS)
        yield page


@pytest.mark.long
def test_nine_taps_from_the_first_start_to_the_first_score(
    playwright: Playwright,
    home: Path,
    photos: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    picture, truth = filmed()
    film = tmp_path / "film.y4m"
    write_film(film, picture)
    with (
        filming_browser(playwright, film) as browser,
        phone(browser) as host,
        phone(browser) as other,
        serving_play(free_port()) as play,  # as somebody starts it who has read nothing
    ):
        hand = Fingers()

        def at(key: str) -> Locator:
            return host.locator(f"[data-key={key}]")

        host.goto(f"http://127.0.0.1:{play.port}/#host={play.link('host')}")
        hand.tap(at("edition-usa-usa"))
        for colour in COLOURS:
            hand.tap(at(f"colour-{colour}"))
        hand.tap(at("next"))
        hand.tap(at("source-phone"))
        # The other phone scans the code; what it says is the link below it.
        other.goto(host.locator(".link").inner_text())
        hand.tap(other.locator("#start"))
        host.wait_for_selector("body[data-at=board]")
        expect(at("begin")).to_be_enabled(timeout=PATIENCE_MS)
        hand.tap(at("begin"))
        hand.tap(host.get_by_role("button", name=say("seat.watch_only")))
        hand.tap(at("joining-yes"))
        for colour in COLOURS:
            row = host.locator(f".players [data-seat*='{colour}'] .row-points")
            expect(row).to_have_text(re.compile(r"^[1-9]\d+$"), timeout=PATIENCE_MS)
        took_s = time.monotonic() - hand.began_s
        assert hand.taps <= MOST_TAPS
        spots: dict[str, Any] = host.evaluate(
            "async () => (await (await fetch('/api/v1/state')).json()).spots"
        )
        routes = {name.removeprefix("route:"): spot["colour"] for name, spot in spots.items()}
        right = sum(routes.get(route) == by for route, by in truth.items())
        assert right >= 0.8 * len(truth), routes
        assert play.ended() == 0
    with capsys.disabled():
        print(f"\n{hand.taps} taps, {took_s:.0f} s to the first live score;", end=" ")
        print(f"{right} of {len(truth)} claimed routes right")

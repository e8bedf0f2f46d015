"""Chromium, as tests drive it."""

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes.util import find_library
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright
from railspotter.calibration.arrays import Picture

CHROMIUM = Path("/usr/bin/chromium")
USUAL = ["--no-sandbox", "--disable-dev-shm-usage"]


@contextmanager
def started_driver() -> Iterator[Playwright]:
    """Start what drives browsers: a process can have one at a time."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not here: sudo apt install chromium")
    if find_library("atomic") is None:
        pytest.skip("Playwright's driver does not start: sudo apt install libatomic1")
    with sync_playwright() as playwright:
        yield playwright


def chromium(playwright: Playwright, *more: str) -> Browser:
    """Start a browser, with more arguments than every test needs."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*USUAL, *more])


def with_noise(picture: Picture, moments: int = 16) -> Iterator[Picture]:
    """Yield a picture as a sensor takes it again and again."""
    rng = np.random.default_rng(1)
    for _ in range(moments):
        noisy = picture + rng.normal(0.0, 1.5, picture.shape)
        yield np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def filming_browser(playwright: Playwright, film: Path) -> Browser:
    """Start a browser whose camera shows a film."""
    fake = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    return chromium(playwright, *fake, f"--use-file-for-fake-video-capture={film}")

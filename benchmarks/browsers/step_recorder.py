"""The effort of an evening: taps, seconds and typing for each step, with screenshots."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, ViewportSize

SCREEN_SIZES: tuple[ViewportSize, ...] = (
    {"width": 360, "height": 640},
    {"width": 390, "height": 844},
    {"width": 1440, "height": 900},
)
VIEWPORT = SCREEN_SIZES[1]  # how large phones are between two screenshots
POLL_S = 0.05
TIMEOUT_S = 60.0  # how long is waited until a phone shows something
SETTLE_MS = 400  # until a page that was made wider lies still


@dataclass
class Step:
    """One step of the evening."""

    title: str
    before: str = ""  # what was measured or written down earlier; empty where nothing was
    taps: int = 0
    seconds: float = 0.0  # what the program took: the fingers here are faster than people's
    is_typed: bool = False
    note: str = ""
    # Where not the whole step is measured: by phone, the seconds until it showed something; None
    # where it never did.
    seconds_by_phone: dict[str, float | None] | None = None

    @property
    def time(self) -> str:
        """The seconds as the table has them."""
        if self.seconds_by_phone is None:
            text = f"{self.seconds:.1f}"
        else:
            text = ", ".join(
                f"{name} {'never' if after is None else f'{after:.1f}'}"
                for name, after in self.seconds_by_phone.items()
            )
        return f"{text} ({self.note})" if self.note else text


class StepRecorder:
    """Records each step, with its screenshots."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.steps: list[Step] = []
        self._pictures = 0
        self._taking_s = 0.0
        for size in SCREEN_SIZES:
            (folder / _folder_name(size)).mkdir(parents=True, exist_ok=True)

    @contextmanager
    def step(self, title: str, before: str = "") -> Iterator[Step]:
        """Measure a step, without the time for screenshots."""
        step = Step(title, before)
        self.steps.append(step)
        print(f"... {title}", flush=True)
        began, taking = time.monotonic(), self._taking_s
        yield step
        step.seconds = time.monotonic() - began - (self._taking_s - taking)

    def tap(self, button: Locator) -> None:
        """Tap, and count it."""
        button.click()
        self.steps[-1].taps += 1

    def write(self, field: Locator, text: str) -> None:
        """Type a text, after a tap into the field unless it has the focus."""
        if not field.evaluate("(field) => field === document.activeElement"):
            self.tap(field)
        field.fill(text)
        self.steps[-1].is_typed = True

    def wait_for(self, conditions: Mapping[str, Callable[[], bool]]) -> None:
        """Record after how many seconds each condition was first true, as the step's time."""
        self.steps[-1].seconds_by_phone = measure_until(conditions, TIMEOUT_S)

    def screenshot(self, page: Page, name: str, held: Locator | None = None) -> None:
        """Take a screenshot at every size, with a finger on the held element."""
        began = time.monotonic()
        self._pictures += 1
        for size in SCREEN_SIZES:
            page.set_viewport_size(size)
            page.wait_for_timeout(SETTLE_MS)
            if held is not None:
                held.hover()
                page.mouse.down()
            file = self._folder / _folder_name(size) / f"{self._pictures:02}-{name}.png"
            page.screenshot(path=file, full_page=held is None)
            if held is not None:
                page.mouse.up()
        page.set_viewport_size(VIEWPORT)
        page.wait_for_timeout(SETTLE_MS)
        self._taking_s += time.monotonic() - began

    def table(self) -> str:
        """Return all steps as a Markdown table."""
        lines = ["| step | taps | seconds | typing | before |", "|---|---|---|---|---|"]
        for step in self.steps:
            typing = "yes" if step.is_typed else "no"
            lines.append(f"| {step.title} | {step.taps} | {step.time} | {typing} | {step.before} |")
        return "\n".join(lines)


def measure_until(
    conditions: Mapping[str, Callable[[], bool]], most_s: float
) -> dict[str, float | None]:
    """Return the time at which each condition was first true; None where it never was."""
    began = time.monotonic()
    found: dict[str, float | None] = dict.fromkeys(conditions)
    while None in found.values() and (passed := time.monotonic() - began) < most_s:
        for name, condition in conditions.items():
            if found[name] is None and condition():
                found[name] = passed
        time.sleep(POLL_S)
    return found


def _folder_name(size: ViewportSize) -> str:
    return f"{size['width']}x{size['height']}"

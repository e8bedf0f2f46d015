"""The effort of an evening: taps on each phone, seconds, phases of each step, with screenshots."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Locator, Page, ViewportSize

from .phases import phase_of

POLL_S = 0.05
TIMEOUT_S = 60.0  # how long is waited until a phone shows something
SETTLE_MS = 300  # until a page that was made wider lies still


class Look(NamedTuple):
    """A screen and its light, of which a screenshot is taken."""

    width: int
    height: int
    light: Literal["light", "dark"] = "light"

    @property
    def size(self) -> ViewportSize:
        """The screen's size as the browser has it."""
        return {"width": self.width, "height": self.height}

    @property
    def folder(self) -> str:
        """The folder of its screenshots."""
        return f"{self.width}x{self.height}" + ("-dark" if self.light == "dark" else "")


LIGHTS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LOOKS = {
    "none": (),
    "few": (Look(360, 640), Look(390, 844), Look(1440, 900)),
    "all": tuple(
        Look(*size, light)
        for size, light in product(((360, 640), (390, 844), (1440, 900), (1920, 1080)), LIGHTS)
    ),
}
VIEWPORT = Look(390, 844).size  # how large phones are between two screenshots


@dataclass
class Step:
    """One step of the evening."""

    title: str
    before: str = ""  # what was measured or written down earlier; empty where nothing was
    taps: Counter[str] = field(default_factory=Counter)  # on each phone
    seconds: float = 0.0  # what the program took: the fingers here are faster than people's
    is_typed: bool = False
    note: str = ""
    # Where not the whole step is measured: by phone, the seconds until it showed something; None
    # where it never did.
    seconds_by_phone: dict[str, float | None] | None = None
    phases: dict[str, str] = field(default_factory=dict)  # what each phone shows after it

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

    def row(self) -> str:
        """Return the step's row of the table."""
        typing = "yes" if self.is_typed else "no"
        cells = (self.title, told(self.taps), self.time, typing, phases(self.phases), self.before)
        return f"| {' | '.join(cells)} |"


@dataclass
class Stretch:
    """Steps in a row of which the taps are added up."""

    title: str
    today: str  # what it took before
    goal: str
    steps: list[Step] = field(default_factory=list)

    def row(self) -> str:
        """Return the stretch's row of the table."""
        taps = sum((step.taps for step in self.steps), Counter[str]())
        seconds = sum(step.seconds for step in self.steps)
        return f"| {self.title} | {told(taps)} | {seconds:.1f} | {self.today} | {self.goal} |"


class StepRecorder:
    """Records each step, with its screenshots.

    Attributes
    ----------
    phones : dict of str to Page
        The phones whose taps and phases are told apart, by their names.
    """

    def __init__(self, folder: Path, looks: tuple[Look, ...] = LOOKS["few"]) -> None:
        self._folder, self._looks = folder, looks
        self.steps: list[Step] = []
        self.stretches: list[Stretch] = []
        self.phones: dict[str, Page] = {}
        self._pictures = 0
        self._taking_s = 0.0
        for look in looks:
            (folder / look.folder).mkdir(parents=True, exist_ok=True)

    @contextmanager
    def step(self, title: str, before: str = "") -> Iterator[Step]:
        """Measure a step, without the time for screenshots."""
        step = Step(title, before)
        self.steps.append(step)
        print(f"... {title}", flush=True)
        began, taking = time.monotonic(), self._taking_s
        yield step
        step.seconds = time.monotonic() - began - (self._taking_s - taking)
        step.phases = {name: phase_of(page) for name, page in self.phones.items()}

    @contextmanager
    def stretch(self, title: str, today: str = "", goal: str = "") -> Iterator[Stretch]:
        """Add up the steps that are recorded within."""
        stretch, first = Stretch(title, today, goal), len(self.steps)
        self.stretches.append(stretch)
        yield stretch
        stretch.steps = self.steps[first:]

    def tap(self, button: Locator) -> None:
        """Tap, and count it."""
        button.click()
        names = [name for name, page in self.phones.items() if page is button.page]
        self.steps[-1].taps[names[0] if names else "another phone"] += 1

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
        """Take a screenshot in every look, with a finger on the held element."""
        if not self._looks:
            return
        began = time.monotonic()
        self._pictures += 1
        for look in self._looks:
            page.set_viewport_size(look.size)
            page.emulate_media(color_scheme=look.light)
            page.wait_for_timeout(SETTLE_MS)
            if held is not None:
                held.hover()
                page.mouse.down()
            file = self._folder / look.folder / f"{self._pictures:03}-{name}.png"
            page.screenshot(path=file, full_page=held is None)
            if held is not None:
                page.mouse.up()
        page.set_viewport_size(VIEWPORT)
        page.emulate_media(color_scheme="light")
        page.wait_for_timeout(SETTLE_MS)
        self._taking_s += time.monotonic() - began

    def table(self) -> str:
        """Return all steps as a Markdown table, and all stretches as another."""
        lines = [
            "| step | taps | seconds | typing | phases after it | before |",
            "|---|---|---|---|---|---|",
            *(step.row() for step in self.steps),
            "",
            "| from, to | taps | seconds of the program | before | goal |",
            "|---|---|---|---|---|",
            *(stretch.row() for stretch in self.stretches),
        ]
        return "\n".join(lines)


def told(taps: Counter[str]) -> str:
    """Return the taps on each phone as text."""
    return ", ".join(f"{name} {count}" for name, count in taps.items()) or "0"


def phases(shown: Mapping[str, str]) -> str:
    """Return the phases of phones as text: those of all, else of each."""
    if len(set(shown.values())) == 1:
        return next(iter(shown.values()))
    return ", ".join(f"{name}: {phase}" for name, phase in shown.items())


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

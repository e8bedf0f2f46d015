"""How soon the voice calls a claim: `python benchmarks/voice.py [--claims 30]`.

A real page in Chromium calls the claims of a table; what the browser's own speech tells of itself
is written down: when the page asked for a sentence, when it began to sound. Every third claim is
taken back at once, before or while it is called. Chromium speaks through speech-dispatcher (`sudo
apt install speech-dispatcher-espeak-ng`); where that does not run, no speech ever begins, and only
what the page asked for is measured.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import Undone

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from phones import Table, table
from table_pages import CHROMIUM, tab

HEARS = """
  window.asked = [];
  window.began = {};
  const speak = speechSynthesis.speak.bind(speechSynthesis);
  speechSynthesis.speak = (said) => {
    asked.push([Date.now(), said.text]);
    said.addEventListener("start", () => (began[said.text] = Date.now()));
    speak(said);
  };
"""
LATEST_S = 15.0


def main(argv: Sequence[str] | None = None) -> int:
    """Print how many milliseconds after its event a claim was called; 1 where one never was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=30, help="(%(default)s)")
    args = parser.parse_args(argv)
    with (
        tempfile.TemporaryDirectory() as folder,
        table(Path(folder)) as running,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--enable-speech-dispatcher"],
        )
        page = browser.new_page()
        page.add_init_script(HEARS)
        page.goto(running.page.server.url)
        page.wait_for_selector("body[data-ready]")
        tab(page, "table")
        page.locator("[data-key=voice]").click()
        page.locator("#voice-on").check()
        page.wait_for_timeout(3000)  # the engine starts
        missing = call_claims(running, page, args.claims)
        browser.close()
    return missing > 0


def call_claims(running: Table, page: Page, claims: int) -> int:
    """Have routes claimed, some taken back; print what was called, and return what was not."""
    routes = list({frozenset((one.a, one.b)): one for one in load_board("usa").routes}.values())
    random.Random(1).shuffle(routes)
    at_s: dict[str, float] = {}
    undone: dict[str, float] = {}
    board = running.log.state.table.board
    for i, route in enumerate(routes[:claims]):
        spot = Spot("route", route.id)
        colour = ("red", "blue", "green")[i % 3]
        a, b = (board.place_by_id[end].name for end in (route.a, route.b))
        at_s[f"{a} to {b}"] = time.time()
        running.live.write([Placed.on(spot, colour=colour, by="camera")])
        if i % 3 == 2:
            time.sleep(random.Random(i).uniform(0.0, 1.5))
            undone[f"{a} to {b}"] = time.time()
            running.live.write([Undone(running.log.state.table.spots[spot].event)])
        page.wait_for_timeout(2500)
    page.wait_for_timeout(LATEST_S * 1000)
    asked = page.evaluate("asked")
    began = page.evaluate("began")
    taken = [(at / 1000, text) for at, text in asked if " takes " in text]
    spoken = {what: [at for at, text in taken if what in text] for what in at_s}
    kept = [what for what in at_s if what not in undone]
    missing = [what for what in kept if len(spoken[what]) != 1]
    late = [what for what in undone if any(at > undone[what] + 0.3 for at in spoken[what])]
    asked_ms = np.array([1000 * (spoken[what][0] - at_s[what]) for what in kept if spoken[what]])
    print(f"claims {claims}, taken back {len(undone)}")
    print(f"called once each: {len(kept) - len(missing)} of {len(kept)}; {missing}")
    print(f"called after they were taken back: {len(late)}")
    if len(asked_ms):
        print(
            f"event to asked for, ms: median {np.median(asked_ms):.0f}, most {asked_ms.max():.0f}"
        )
    heard = [
        began[text] - 1000 * at_s[what]
        for _, text in asked
        for what in kept
        if what in text and text in began
    ]
    if heard:
        print(f"event to sound, ms: median {np.median(heard):.0f}, most {max(heard):.0f}")
    else:
        print("no speech began: no engine here")
    return len(missing) + len(late)


if __name__ == "__main__":
    sys.exit(main())

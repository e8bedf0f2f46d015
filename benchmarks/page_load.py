"""The page's transferred bytes, its loading time, and its longest tasks.

A real table and its page on this machine, opened in Debian's Chromium as a phone of 360 x 640 whose
processor is slowed down four times; then a drawn game's claims are written down, one each 150 ms.
A task's length is the processor's time in it (slowed down, too), so that other programs on the
machine do not count; how soon the page is there is told by the clock, and they do.

    python benchmarks/page_load.py
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from browser_driver import chromium, started_driver
from phones import Table, table
from playwright.sync_api import Browser, Page, ViewportSize
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.position import Seat
from railspotter.simulation.played_game import play_game
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.commands import AddFacts

PHONE_SIZE: ViewportSize = {"width": 360, "height": 640}
LONG_MS = 50.0  # a task of the browser that takes longer is felt by a finger
CLAIM_INTERVAL_S = 0.15
PLAYERS = tuple(
    Player(colour, colour, name)
    for colour, name in (("red", "Ann"), ("blue", "Bob"), ("green", "Cleo"), ("yellow", "Dan"))
)
OBSERVER_SCRIPT = """
  window.seen = {};
  new MutationObserver((_, observer) => {
    if (document.querySelector(".players .row-points")) seen.score ??= performance.now();
    if (!document.body?.dataset.ready) return;
    seen.ready = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true, attributes: true });
"""
TASK_EVENT = "RunTask"


def open_page(browser: Browser, slower: float) -> tuple[Page, list[float]]:
    """Return a new phone without a cache, and a list of what will be sent to it."""
    page = browser.new_context(viewport=PHONE_SIZE, has_touch=True).new_page()
    cdp = page.context.new_cdp_session(page)
    sent: list[float] = []
    cdp.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    cdp.send("Network.enable")
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.add_init_script(OBSERVER_SCRIPT)
    return page, sent


@contextmanager
def trace_tasks(browser: Browser, page: Page) -> Iterator[list[float]]:
    """Append the lengths of the page's tasks to a list, in ms of processor time."""
    tasks: list[float] = []
    browser.start_tracing(
        page=page, categories=["toplevel", "disabled-by-default-devtools.timeline"]
    )
    yield tasks
    events = json.loads(browser.stop_tracing())["traceEvents"]
    mains = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    tasks += [
        one["tdur"] / 1000
        for one in events
        if one["name"].endswith(TASK_EVENT) and (one["pid"], one["tid"]) in mains and "tdur" in one
    ]


def watch_game(page: Page, running: Table) -> int:
    """Log a game's claims while the page shows them; return their number."""
    seats = [Seat(player.colour, player.name) for player in PLAYERS]
    turns = play_game(load_edition("usa"), load_board("usa"), seats, seed=4).turns
    claims = [(turn.colour, turn.laid) for turn in turns if turn.laid is not None]
    for number, (colour, spot) in enumerate(claims):
        running.live.execute(AddFacts([Placed.on(spot, colour=colour, by="camera", sure=0.97)]))
        if number == len(claims) // 2:
            page.locator("#tab-board").tap()
        page.wait_for_timeout(1000 * CLAIM_INTERVAL_S)
    return len(claims)


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--slower", type=float, default=4.0, help="times the processor is slowed")
    args = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        table(Path(folder), started=GameStarted("usa", PLAYERS)) as running,
        started_driver() as driver,
        chromium(driver) as browser,
    ):
        seen: list[dict[str, Any]] = []
        plain_ms: list[float] = []
        plain_task: list[float] = []
        for run in range(args.runs):
            page, _ = open_page(browser, args.slower)
            with trace_tasks(browser, page) as plain_tasks:
                page.goto(f"{running.page.server.url}help")
            plain_ms.append(page.evaluate("performance.getEntriesByType('navigation')[0].duration"))
            plain_task.append(max(plain_tasks))
            page.context.close()
            page, sent = open_page(browser, args.slower)
            with trace_tasks(browser, page) as opening:
                page.goto(running.page.server.url)
                page.wait_for_selector("body[data-ready]")
                page.wait_for_timeout(500)
            seen.append({**page.evaluate("seen"), "task": max(opening), "kb": sum(sent) / 1000})
            if run < args.runs - 1:
                page.context.close()
        with trace_tasks(browser, page) as tasks:
            claims = watch_game(page, running)
        requests = len(sent)
    middle = {name: statistics.median(one[name] for one in seen) for name in seen[0]}
    plain = statistics.median(plain_ms)
    print(f"first opening: {middle['kb']:.1f} kB over the line in {requests} requests")
    for name, what in (("score", "the score is shown"), ("ready", "all of it is there")):
        times = middle[name] / plain
        print(
            f"{what} after {middle[name]:.0f} ms, {times:.1f} times a plain page's {plain:.0f} ms"
        )
    blank = statistics.median(plain_task)
    print(f"longest task while it opens: {middle['task']:.0f} ms; of a plain page {blank:.0f} ms")
    long = sum(task > LONG_MS for task in tasks)
    print(f"{claims} claims: {long} tasks over {LONG_MS:.0f} ms, the longest {max(tasks):.0f} ms")


if __name__ == "__main__":
    main()

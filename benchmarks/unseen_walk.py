"""A walk without looking: from the code on the wall to the second game's winner.

    python benchmarks/unseen_walk.py

A phone that is not this computer's scans the code on the wall, becomes the host's, sets a game up
without a camera, takes a seat, keeps a ticket, says two claims, ends the game, shows its ticket and
hears who wins; then it plays once more. Nothing is found but by role and name, as a screen reader
has them, and nothing is done but by the keyboard: Tab to what is meant, arrows along tabs, Enter.
Printed is a Markdown table with each step's presses of Tab, what was announced (status, alerts),
and where the focus is afterwards; where it is on nothing, or nothing was announced and the focus
did not move, that is said. Needs Chromium, and an address besides the loopback's.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from browser_driver import chromium, started_driver
from phones import Phone
from playwright.sync_api import Error, Locator, Page
from served_play import RUN, free_port
from table_pages import say

from browsers.step_recorder import VIEWPORT

MOST_TABS, MOST_PAGES, MOST_WAITS = 120, 5, 100
SETTLE_MS = 1600  # until what is announced was put there
TIMEOUT_MS = 60_000
Role = Literal["button", "tab", "textbox", "searchbox", "heading", "link"]
# Collects what screen readers say by themselves, and tells what has the focus.
LISTENING = """
window.heard = [];
const hear = (changes) => {
  for (const { target } of changes) {
    const place = (target.nodeType === 1 ? target : target.parentElement)?.closest(
      "[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]");
    const text = place?.innerText?.trim();
    if (text && heard.at(-1) !== text) heard.push(text);
  }
};
new MutationObserver(hear).observe(document, {
  subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"],
});
"""
FOCUSED = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return "";
  const name = at.ariaLabel || at.labels?.[0]?.innerText || at.innerText || "";
  const label = document.getElementById(at.getAttribute("aria-labelledby"))?.innerText;
  const role = at.getAttribute("role") || at.localName;
  return `${role} ${(label || name).trim().replace(/\\s+/g, " ").slice(0, 50)}`;
}"""


@dataclass
class Walk:
    """A phone that is used by ear, and the table of its steps."""

    page: Page
    rows: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def find(self, role: Role, name: str) -> Locator:
        """Return the first that has a role and a name that begins so, in the topmost dialog."""
        words = re.compile("^" + re.escape(name), re.IGNORECASE)
        dialogs = self.page.get_by_role("dialog")
        there = dialogs.last if dialogs.count() else self.page
        return there.get_by_role(role, name=words).first

    def wait_for(self, role: Role, name: str) -> None:
        """Wait until there is something, in whatever dialog is open by then."""
        for _ in range(MOST_WAITS):
            if self.find(role, name).is_visible():
                return
            self.page.wait_for_timeout(SETTLE_MS)
        raise TimeoutError(f"there is no {name} ({role})")

    def press(self, role: Role, name: str, what: str = "") -> None:
        """Go to something by Tab, and press Enter."""
        self.wait_for(role, name)
        before, tabs = self._focused(), self._reach(role, name)
        self.page.keyboard.press("Enter")
        self._note(f"{what or name} ({role})", tabs, before)

    def write(self, role: Role, name: str, text: str) -> None:
        """Go to a field by Tab, type a text and press Enter."""
        self.wait_for(role, name)
        before, tabs = self._focused(), self._reach(role, name)
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        self._note(f"{name}: “{text}” ({role})", tabs, before)

    def hear(self, role: Role, name: str) -> None:
        """Wait until there is something by itself."""
        before = self._focused()
        self.wait_for(role, name)
        self._note(f"by itself: {name} ({role})", 0, before)

    def _reach(self, role: Role, name: str) -> int:
        wanted = self.find(role, name)
        self.page.wait_for_function("(one) => !one.disabled", arg=wanted.element_handle())
        has_focus = "(one) => one === document.activeElement"
        for tabs in range(MOST_TABS):
            if wanted.evaluate(has_focus):
                return tabs
            if role == "tab" and self._focused().startswith("tab "):
                self.page.keyboard.press("ArrowRight")
            else:
                self.page.keyboard.press("Tab")
        self.faults.append(f"{name} ({role}) is not reached by {MOST_TABS} Tabs")
        wanted.focus()
        return MOST_TABS

    def _focused(self) -> str:
        return str(self._ask(FOCUSED))

    def _ask(self, script: str) -> Any:
        """Ask the page something, again if it is just being left for another one."""
        for _ in range(MOST_PAGES):
            try:
                return self.page.evaluate(script)
            except Error:
                self.page.wait_for_timeout(SETTLE_MS)
        return self.page.evaluate(script)

    def _note(self, what: str, tabs: int, before: str) -> None:
        self.page.wait_for_timeout(SETTLE_MS)
        heard = self._ask("() => heard.splice(0)")
        focus = self._focused()
        if not focus:
            self.faults.append(f"after {what} the focus is on nothing; heard: {heard or 'nothing'}")
        elif not heard and focus == before:
            self.faults.append(f"after {what} nothing was heard, and the focus stayed")
        said = "; ".join(text.replace("\n", " ")[:90] for text in heard[-3:])
        self.rows.append(f"| {what} | {tabs} | {said} | {focus or 'nothing'} |")
        print(self.rows[-1], flush=True)


def come_in(walk: Walk, link: str, number: str) -> None:
    """Open the code on the wall, and become the host's phone."""
    walk.page.goto(link)
    walk.write("textbox", say("hosts.type"), number)
    walk.press("button", say("home.first"))


def set_up(walk: Walk) -> None:
    """Set a game of two up without a camera."""
    walk.press("button", "USA (2004)")
    for colour in ("red", "blue"):
        walk.press("button", say(f"colour.{colour}"))
    walk.press("button", say("set_up.next"))
    walk.press("button", say("set_up.camera_none"))
    walk.press("button", say("set_up.begin"))


def sit_down(walk: Walk) -> None:
    """Take the first seat, and keep a ticket."""
    walk.press("button", say("colour.red"))
    keep_ticket(walk)


def keep_ticket(walk: Walk) -> None:
    """Keep a ticket that is found by its letters."""
    walk.press("tab", say("tab.tickets"))
    walk.press("button", say("tickets.choose"))
    walk.write("searchbox", say("tickets.search"), "los")
    walk.press("button", "Los Angeles", "the first ticket that is found")
    walk.press("button", say("sheet.close"))


def claim(walk: Walk, letters: str, route: str, colour: str) -> None:
    """Say whose a route is."""
    walk.press("tab", say("tab.board"))
    walk.press("button", say("routes.title"))
    walk.write("searchbox", say("routes.search"), letters)
    walk.press("button", route)
    walk.press("button", say(f"colour.{colour}"))
    walk.press("button", say("sheet.close"))


def end(walk: Walk) -> None:
    """End the game, show the ticket, and count although the other seat has none."""
    walk.press("tab", say("tab.table"))
    walk.press("button", say("end.button"))
    walk.press("button", say("end.yes"))
    walk.press("button", "Show ")
    walk.press("button", say("ending.count"))
    walk.press("button", say("ending.count_anyway"))
    walk.hear("button", say("again.button"))


def main() -> int:
    """Walk, and print the table; return 1 if there were faults."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    port = free_port()
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory())
        program = subprocess.Popen(
            [sys.executable, "-c", RUN, "serve", "--host", "0.0.0.0", "--port", str(port)],
            env=os.environ | {"RAILSPOTTER_HOME": home},
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(program.kill)
        assert program.stdout is not None
        link = next(word for line in program.stdout for word in line.split() if "#join=" in word)
        print(link)
        number = Phone(port).get("/host").json["number"]
        driver = stack.enter_context(started_driver())
        page = (
            stack.enter_context(chromium(driver))
            .new_context(viewport=VIEWPORT, locale="en-GB")
            .new_page()
        )
        page.set_default_timeout(TIMEOUT_MS)
        page.add_init_script(LISTENING)
        walk = Walk(page)
        stack.callback(lambda: print("\n".join(walk.faults) or "no faults"))
        print("| pressed | Tabs | heard | focus afterwards |\n|---|---|---|---|")
        come_in(walk, link, number)
        set_up(walk)
        sit_down(walk)
        claim(walk, "hous new", "Houston", "red")
        claim(walk, "denver phoenix", "Denver", "blue")
        end(walk)
        walk.press("button", say("again.button"))
        keep_ticket(walk)
        claim(walk, "hous new", "Houston", "red")
        end(walk)
        heading = page.get_by_role("heading", name=re.compile("wins|Red", re.I)).first.inner_text()
        print(f"the second winner: {heading}")
    return 1 if walk.faults else 0


if __name__ == "__main__":
    sys.exit(main())

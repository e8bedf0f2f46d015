"""Somebody who sees no page, but reads its accessibility tree, presses keys and hears it speak.

The tree is Chromium's own, by its devtools, as screen readers get it. No selector, no pixel and no
text of the document is looked at.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from playwright.sync_api import Page
from table_pages import PATIENCE_MS

T = TypeVar("T")
POLL_MS = 100
MOST_STEPS = 120  # of the tab key, more than there are on any page
# What people operate: each has a role and a name that a screen reader says.
OPERATED = {"button", "tab", "link", "searchbox", "textbox", "switch", "combobox", "checkbox"}


@dataclass(frozen=True)
class Node:
    """One thing that a screen reader tells."""

    role: str
    name: str
    states: dict[str, Any]

    def is_it(self, role: str, name: str) -> bool:
        """Whether it has that role, and a name that has these words in it."""
        return self.role == role and name.casefold() in self.name.casefold()


@dataclass
class Listener:
    """A person with a keyboard and ears."""

    page: Page
    heard: set[int] = field(default_factory=set)  # what was awaited of all that was spoken

    def __post_init__(self) -> None:
        self._devtools = self.page.context.new_cdp_session(self.page)
        self._devtools.send("Accessibility.enable")

    def nodes(self) -> list[Node]:
        """Return what the page tells now, in its order, without what a screen reader skips."""
        told = self._devtools.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in told}
        roots = [node for node in told if node.get("parentId") not in by_id]
        return [node for root in roots for node in self._below(root, by_id)]

    def _below(self, node: dict[str, Any], by_id: dict[str, Any]) -> Iterator[Node]:
        if not node.get("ignored"):
            states = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
            yield Node(
                str(node.get("role", {}).get("value", "")),
                str(node.get("name", {}).get("value", "")),
                states,
            )
        for child in node.get("childIds", ()):
            if child in by_id:
                yield from self._below(by_id[child], by_id)

    def at(self) -> Node | None:
        """Return where the keyboard is."""
        focused = self._devtools.send("Runtime.evaluate", {"expression": "document.activeElement"})
        told = self._devtools.send(
            "Accessibility.getPartialAXTree",
            {"objectId": focused["result"]["objectId"], "fetchRelatives": False},
        )["nodes"]
        return next(iter(self._below(told[0], {})), None)

    def until(self, found: Callable[[], T | None], what: str) -> T:
        """Wait for something to be so."""
        for _ in range(PATIENCE_MS // POLL_MS):
            if (got := found()) is not None:
                return got
            self.page.wait_for_timeout(POLL_MS)
        told = [f"{node.role}: {node.name}" for node in self.nodes() if node.role in OPERATED]
        raise AssertionError(f"{what} never came; heard was {self.spoken()[-6:]}, there is {told}")

    def find(self, role: str, name: str) -> Node:
        """Wait until the page tells of something, and return it."""
        return self.until(
            lambda: next((node for node in self.nodes() if node.is_it(role, name)), None),
            f"{role} {name!r}",
        )

    def leave(self, role: str, name: str = "") -> None:
        """Wait until nothing of that role and name is told any more."""
        self.until(
            lambda: None if any(node.is_it(role, name) for node in self.nodes()) else True,
            f"the end of {role} {name!r}",
        )

    def go_to(self, role: str, name: str, key: str = "Tab") -> Node:
        """Step on until the keyboard is there; everything passed on the way tells its name."""
        self.find(role, name)
        passed: list[str] = []
        for _ in range(MOST_STEPS):
            here = self.at()
            if here is not None:
                passed.append(f"{here.role}: {here.name}")
                assert here.name or here.role not in OPERATED, f"a {here.role} without a name"
                if here.is_it(role, name):
                    return here
            self.page.keyboard.press(key)
        passed = list(dict.fromkeys(passed))
        raise AssertionError(f"the keyboard does not come to {role} {name!r}, but to {passed}")

    def press(self, role: str, name: str, key: str = "Enter") -> None:
        """Go to something and press a key on it."""
        self.go_to(role, name)
        self.page.keyboard.press(key)

    def open_tab(self, name: str) -> None:
        """Show a part of the page, as tabs are moved along: by the arrow keys."""
        self.go_to("tab", "")
        self.go_to("tab", name, key="ArrowRight")
        self.until(lambda: True if self._is_selected(name) else None, f"the tab {name!r}")

    def _is_selected(self, name: str) -> bool:
        return any(n.is_it("tab", name) and n.states.get("selected") for n in self.nodes())

    def close_dialogs(self) -> None:
        """Leave what lies over the page: Escape first empties a field that is searched by."""
        while any(node.role == "dialog" for node in self.nodes()):
            self.page.keyboard.press("Escape")
            self.page.wait_for_timeout(POLL_MS)

    def spoken(self) -> list[str]:
        """Return all that the page has spoken so far."""
        texts: list[str] = self.page.evaluate("window.aloud.map((one) => one.text)")
        return texts

    def hear(self, *parts: str, since: int = 0) -> str:
        """Wait until something new with these words is spoken; return it."""

        def fresh() -> str | None:
            for i, text in enumerate(self.spoken()):
                if i >= since and i not in self.heard and all(part in text for part in parts):
                    self.heard.add(i)
                    return text
            return None

        return self.until(fresh, f"to hear {parts}")

    def open_ask(self) -> None:
        """Press Alt and Q, with the letter that the driver's own keys leave out."""
        key = {"key": "q", "code": "KeyQ", "windowsVirtualKeyCode": 81, "modifiers": 1}
        letter = {"text": "q", "unmodifiedText": "q"}
        self._devtools.send("Input.dispatchKeyEvent", {"type": "keyDown", **key, **letter})
        self._devtools.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})
        self.find("dialog", "Ask the table")

    def ask(self, question: str, *parts: str) -> str:
        """Ask by a digit or a city's name; return the answer, which has these words."""
        self.open_ask()
        before = len(self.spoken())
        if question.isdigit():
            self.page.keyboard.press(question)
        else:
            self.go_to("searchbox", "city")
            self.page.keyboard.type(question)
            self.page.keyboard.press("Enter")
        answer = self.hear(*parts, since=before)
        self.close_dialogs()
        return answer

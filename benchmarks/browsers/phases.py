"""Which phase of an evening a phone's page shows, by what is on it."""

from playwright.sync_api import Error, Page

# Each phase with the elements that only it shows; the first that is there tells.
PHASES = (
    ("counting", ".ceremony"),
    ("winner", ".ending.final"),
    ("show tickets", ".ending"),
    ("seats", "dialog [data-key^='seat-']"),
    ("tickets", "[data-key='later']"),
    ("last turns", "#last-turns:not([hidden])"),
    ("home", "#hero .hero"),
    ("set-up", "body[data-at]"),
    ("play", ".players > li"),
)
SHOWN = """(phases) => {
  const isShown = (one) => one.checkVisibility() && !one.closest("[inert]");
  const found = phases.find(([, css]) => [...document.querySelectorAll(css)].some(isShown));
  return found ? found[0] : document.querySelector(".players") ? "another tab" : "another page";
}"""


def phase_of(page: Page) -> str:
    """Return the name of the phase that a page shows, or `another page`."""
    try:
        return str(page.evaluate(SHOWN, [list(phase) for phase in PHASES]))
    except Error:  # it is being loaded anew
        return "loading"

"""The voice in a real browser: what it says when, and what it never says."""

from collections.abc import Iterator
from contextlib import contextmanager

from phones import Table
from playwright.sync_api import Browser, Page, TimeoutError, expect
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.course_facts import GameEnded, GamePaused, PointsCounted, Undone
from railspotter.table.live_table.commands import AddFacts
from railspotter.webui.words.translation import PageWords
from table_pages import claim, close_sheet, opened, rest, tab

WORDS = PageWords("en")
# Speaks as a browser does, at a pace of the test's: few machines of tests have a real engine.
ENGINE = """
  window.aloud = [];
  window.brokenOff = 0;
  window.heldMs = 0;
  let timer = null;
  let current = null;
  const voices = window.voices ?? [{ lang: "en-GB", localService: true, default: true }];
  const synth = {
    getVoices: () => voices,
    addEventListener() {},
    speak(said) {
      current = said;
      window.aloud.push({ text: said.text, lang: said.lang, at: Date.now() });
      said.dispatchEvent(new Event("start"));
      timer = setTimeout(() => (current = null, said.dispatchEvent(new Event("end"))), heldMs);
    },
    cancel() {
      clearTimeout(timer);
      const said = current;
      current = null;
      if (!said) return;
      window.brokenOff += 1;
      said.dispatchEvent(new Event("error"));
    },
  };
  Object.defineProperty(window, "speechSynthesis", { value: synth });
  window.SpeechSynthesisUtterance = class extends EventTarget {
    constructor(text) { super(); this.text = text; }
  };
"""
# A page that nobody has touched; the driver of tests touches each by asking it anything.
UNTOUCHED = """
  const touch = { hasBeenActive: false };
  Object.defineProperty(navigator, "userActivation", { value: touch });
  addEventListener("keydown", () => (touch.hasBeenActive = true), true);
"""


@contextmanager
def voiced(
    browser: Browser, running: Table, *, seat: str | None = None, fuller: bool = False
) -> Iterator[Page]:
    """Open the page and turn its voice on, as a person does."""
    with opened(browser, running, seat=seat) as page:
        page.add_init_script(ENGINE)
        page.reload()
        page.wait_for_selector("body[data-ready]")
        tab(page, "table")
        page.locator("[data-key=voice]").click()
        page.locator("#voice-on").check()
        spoken(page, WORDS["voice.on"])
        if fuller:
            page.locator("#voice-fuller").check()
            spoken(page, WORDS["voice.fuller_on"])
        yield page


def texts(page: Page) -> list[str]:
    found: list[str] = page.evaluate("aloud.map((one) => one.text)")
    return found


def spoken(page: Page, text: str) -> None:
    """Wait until that is what was said last."""
    try:
        page.wait_for_function("(text) => aloud.at(-1)?.text === text", arg=text)
    except TimeoutError:
        assert texts(page)[-1] == text


def undo(running: Table, spot: Spot) -> None:
    held = running.log.state.table.spots[spot]
    running.live.execute(AddFacts([Undone(held.event)]))


def test_claims_are_called_once_with_points_and_who_leads(browser: Browser, running: Table) -> None:
    claim(running, helena__seattle="red")  # before the page is opened: no news
    with voiced(browser, running) as page:
        claim(running, denver__helena="blue")
        spoken(page, "Bob takes Denver to Helena, 7 points.")
        claim(running, chicago__toronto="red")
        spoken(page, "Ann takes Chicago to Toronto, 7 points; Ann leads.")
        assert len(texts(page)) == 3
        assert page.evaluate("aloud.at(-1).lang") == "en"
        claim(running, seattle__vancouver__0="blue", dallas__houston__0="green")
        page.wait_for_function("() => aloud.length === 5")
        assert texts(page)[3:] == [
            "Green takes Dallas to Houston, 1 point.",
            "Bob takes Seattle to Vancouver, 1 point.",
        ]


def test_what_is_undone_before_its_turn_is_never_called(browser: Browser, running: Table) -> None:
    with voiced(browser, running) as page:
        page.evaluate("heldMs = 700")
        claim(running, denver__helena="blue")
        spoken(page, "Bob takes Denver to Helena, 7 points; Bob leads.")
        claim(running, helena__seattle="red")
        undo(running, Spot("route", "helena--seattle"))
        rest(page, 1000)
        assert len(texts(page)) == 2, "the voice was on, and one claim"


def test_a_call_that_is_corrected_is_broken_off_and_corrected_once(
    browser: Browser, running: Table
) -> None:
    with voiced(browser, running) as page:
        page.evaluate("heldMs = 30000")
        claim(running, denver__helena="blue")
        spoken(page, "Bob takes Denver to Helena, 7 points; Bob leads.")
        page.evaluate("heldMs = 0")
        undo(running, Spot("route", "denver--helena"))
        spoken(page, "Correction: Denver to Helena is free.")
        assert page.evaluate("brokenOff") == 1
        running.live.execute(
            AddFacts([Placed.on(Spot("route", "denver--helena"), colour="green", by="person")])
        )
        spoken(page, "Green takes Denver to Helena, 7 points; Green leads.")
        running.live.execute(
            AddFacts([Placed.on(Spot("route", "denver--helena"), colour="red", by="person")])
        )
        spoken(page, "Correction: Denver to Helena is Ann's. Ann leads.")
        rest(page)
        assert len(texts(page)) == 5


def test_a_correction_says_what_changed_and_nothing_once_more(
    browser: Browser, running: Table
) -> None:
    claim(running, portland__seattle__0="red", chicago__toronto="blue")
    with voiced(browser, running) as page:
        undo(running, Spot("route", "portland--seattle--0"))
        spoken(page, "Correction: Portland to Seattle is free.")
        lanes = [Spot("route", f"portland--seattle--{lane}") for lane in (0, 1)]
        running.live.execute(AddFacts([Placed.on(lanes[0], colour="red", by="person")]))
        spoken(page, "Correction: Portland to Seattle is Ann's again.")
        moved = [Corrected.on(lanes[0], was="red"), Corrected.on(lanes[1], now="red")]
        running.live.execute(AddFacts(moved))
        spoken(page, "Correction: Ann has the other lane of Portland to Seattle.")
        running.live.execute(
            AddFacts([Corrected.on(Spot("route", "chicago--toronto"), was="blue", now="red")])
        )
        spoken(page, "Correction: Chicago to Toronto is Ann's. Ann leads.")
        rest(page)
        assert len(texts(page)) == 5


def test_many_claims_at_once_are_counted_and_the_winner_waits_for_the_ceremony(
    browser: Browser, running: Table
) -> None:
    with voiced(browser, running) as page:
        routes = ("denver--helena", "helena--seattle", "chicago--toronto", "calgary--seattle")
        running.live.execute(
            AddFacts([Placed.on(Spot("route", id), colour="red", by="camera") for id in routes])
        )
        spoken(page, "4 claims were made. Ann leads.")
        running.live.execute(AddFacts([GamePaused()]))
        spoken(page, "The game is paused.")
        running.live.execute(AddFacts([GameEnded()]))
        running.live.execute(AddFacts([PointsCounted()]))
        winner = "Ann wins! With 46 points."
        page.wait_for_selector("dialog.ceremony")
        assert winner not in texts(page)
        page.get_by_role("button", name=WORDS["ceremony.skip"]).click()
        spoken(page, winner)


def test_the_fuller_voice_says_turns_and_questions_and_reads_tickets_when_asked(
    browser: Browser, running: Table
) -> None:
    with voiced(browser, running, seat="ann", fuller=True) as page:
        running.player("bob").post("/hand", {"a": "boston", "b": "miami"})
        page.locator("[data-key=read-tickets]").click()
        spoken(page, "You have no tickets here.")
        assert page.evaluate(
            """() => fetch("/api/v1/hand", { method: "POST", headers: { "Content-Type":
              "application/json" }, body: '{"a": "calgary", "b": "phoenix"}' }).then((r) => r.ok)"""
        )
        page.locator("[data-key=read-tickets]").click()
        spoken(page, "Calgary to Phoenix, 13 points: 13 trains to go.")
        running.live.ask(Spot("route", "denver--helena"), "red", "blue")
        spoken(page, "A question: Denver to Helena, Ann, Bob, or Free?")
        assert not [text for text in texts(page) if "Boston" in text]
        page.locator("#voice-on").uncheck()
        claim(running, chicago__toronto="red")
        rest(page)
        assert "Chicago" not in texts(page)[-1]


def test_a_big_screen_calls_the_game_once_it_was_touched(browser: Browser, running: Table) -> None:
    url = running.host().post("/guest-link").json["screen"]["url"]
    with browser.new_context(viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        page.add_init_script(ENGINE + UNTOUCHED)
        page.goto(url.replace("#", "?voice=on#"))
        page.wait_for_selector("body[data-ready]")
        line = page.locator(".rs-touch")
        expect(line).to_have_text(WORDS["voice.touch"])
        page.keyboard.press("Enter")
        expect(line).to_have_count(0)
        claim(running, denver__helena="blue")
        spoken(page, "Bob takes Denver to Helena, 7 points; Bob leads.")


def test_a_browser_without_a_voice_of_its_own_says_so(browser: Browser, running: Table) -> None:
    with opened(browser, running) as page:
        remote = '[{ lang: "en-US", localService: false, default: true }]'
        page.add_init_script(f"window.voices = {remote};{ENGINE}")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        tab(page, "table")
        page.locator("[data-key=voice]").click()
        expect(page.locator("dialog")).to_contain_text(WORDS["voice.no_language"])
        close_sheet(page)

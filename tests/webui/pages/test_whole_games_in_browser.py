"""Of each rulebook a whole game, one player at the page, with a kill in the middle.

The points that the page shows in the end are those of a count that shares no code with the program.
"""

from pathlib import Path
from typing import Any

import pytest
from board_phones import turn
from card_phones import begun, choice
from killable import KillableServe, KillableTable
from phones import Phone
from playwright.sync_api import Browser, Locator, Page, expect
from score_oracle import board_score, card_game_score
from served_play import free_port
from table_pages import faultless, number, points, ready, say, sit, tab
from waiting import until

MOVES_BEFORE = 8  # that are made at the page before the program is killed


def key(page: Page, name: str) -> Locator:
    return page.locator(f"[data-key='{name}']")


def panel(page: Page, name: str) -> Locator:
    return page.locator(f"#panel-tickets [data-key='{name}']")


@pytest.mark.parametrize("edition", ["usa-accessible", "usa-10th", "newyork", "philly"])
def test_a_game_at_the_page_ends_with_the_score_that_an_oracle_counts(
    browser: Browser, tmp_path: Path, edition: str
) -> None:
    program = KillableTable(tmp_path, edition, free_port())
    try:
        bob = Phone(program.port).join(program.join)
        assert bob.post("/seat", {"seat": "bob"}).status == 200
        board = bob.get("/board").json
        with faultless(browser, reduced_motion="reduce") as page:
            page.goto(f"http://127.0.0.1:{program.port}/#join={program.join}")
            ready(page)
            sit(page, "ann")
            tab(page, "tickets")
            made = 0
            while (mover := whose_move(bob)) is not None:
                if mover == "bob":
                    expect(page.locator(".turn-head.is-turn")).to_have_count(0)
                    turn(bob, bob.get("/cards").json)
                    continue
                moved(page, bob)
                made += 1
                if made == MOVES_BEFORE:
                    program.kill()
                    program.begin()
            assert made > MOVES_BEFORE
            tab(page, "score")
            key(page, "reveal").click()
            expect(key(page, "reveal")).to_have_count(0)
            assert bob.post("/hand/reveal", {}).status == 200
            game = bob.get("/export/game").json
            score = board_score(game, board)
            for one in game["players"]:
                seat = one.get("name", "robot").lower()
                expect(points(page, seat)).to_have_text(number(score.totals[one["colour"]]))
    finally:
        program.kill()
    assert game["final"]
    assert game["edition"] == edition
    assert bool(game.get("sites")) == (edition == "philly")


def cards_of(state: dict[str, Any]) -> dict[str, Any]:
    """What everybody sees of the cards; what a computer claimed is laid, and is no move."""
    cards: dict[str, Any] = state["cards"]
    return {name: cards[name] for name in ("turn", "phase", "hands", "choosing", "doing", "last")}


def whose_move(bob: Phone) -> str | None:
    """Whose move it is of the two people, once no computer moves; None when the game is over."""
    found: list[str | None] = []

    def is_known() -> bool:
        state = bob.get("/state").json
        for spot in state["cards"]["to_lay"]:  # a computer claimed it, and people lay it
            kind, _, name = spot["spot"].partition(":")
            bob.post("/cards/laid", {"kind": kind, "about": name})
        computer_to_move = state["cards"]["choosing"] or [state["cards"]["turn"]]
        if state["game"]["ended"]:
            found.append(None)
        found.extend(seat for seat in computer_to_move if seat in ("ann", "bob"))
        return bool(found)

    until(is_known)
    return found[0]


STEPS = {"drawing": "dealt.step_second", "choosing": "dealt.step_choose"}


def step(cards: dict[str, Any]) -> str:
    """What the page says of the move that is to be made."""
    if cards["phase"] == "first_tickets":
        return "dealt.step_first"
    return STEPS[cards["doing"]["what"]] if cards["doing"] else "dealt.step_begin_camera_none"


def moved(page: Page, bob: Phone) -> None:
    """Make a move at the page: claim what can be paid, else draw what there is."""
    before = cards_of(bob.get("/state").json)
    expect(page.locator(".turn-head.is-turn")).to_contain_text(say(step(before)))
    ways = ["open-offered", "list-routes", "take-deck", "draw-tickets", "pass-turn"]
    able = page.locator(
        ", ".join(f"#panel-tickets [data-key={one}]:not([disabled])" for one in ways)
    )
    expect(able.first).to_be_visible()
    if panel(page, "open-offered").is_visible():
        panel(page, "open-offered").click()
        keep = key(page, "keep-tickets")
        for ticket in page.locator("[data-key^='offered-']").all():
            ticket.click()
            if keep.is_enabled():
                break
        keep.click()
    elif panel(page, "list-routes").is_visible():
        panel(page, "list-routes").click()
        page.locator("dialog .results button").last.click()
        key(page, "payment-0").click()
        page.locator("dialog").wait_for(state="detached")
    else:
        able.first.click()
    until(lambda: cards_of(bob.get("/state").json) != before)


# Whether the game has gone on, and no computer's move is awaited.
AFTER = """async ([path, moves]) => {
  const { view } = await (await fetch(`/api/v1${path}/view`)).json();
  const { own } = view;
  const isOwn = own.is_on_turn || own.offered.length || own.to_complete;
  return view.final || (view.moves > moves && isOwn);
}"""


def test_a_card_game_at_the_page_ends_with_the_score_that_an_oracle_counts(
    browser: Browser, tmp_path: Path
) -> None:
    program = KillableServe(tmp_path, free_port())
    try:
        path = begun(program.port, players=1, computers={"blue": "medium", "green": "easy"})
        api = f"http://127.0.0.1:{program.port}/api/v1{path}"
        with faultless(browser, locale="en-GB") as page:
            page.goto(f"http://127.0.0.1:{program.port}/card-game#play={path.rpartition('/')[2]}")
            ready(page)
            key(page, "sit-red").click()
            key(page, "own").click()
            made = 0
            while not (view := page.request.get(f"{api}/view").json()["view"])["final"]:
                played(page, choice(view))
                page.wait_for_function(AFTER, arg=[path, view["moves"]])
                made += 1
                if made == MOVES_BEFORE:
                    program.kill()
                    program.begin()
            assert made > MOVES_BEFORE
            score = card_game_score(page.request.get(f"{api}/export").json())
            for colour, total in score.totals.items():
                expect(page.locator(f"[data-lines={colour}]")).to_contain_text(number(total))
    finally:
        program.kill()


def played(page: Page, move: dict[str, Any]) -> None:
    """Make a move of The Card Game at the page."""
    match move:
        case {"move": "keep_offered", "places": places}:
            for place in places:
                key(page, f"offered-{place}").click()
            key(page, "keep").click()
        case {"move": "complete_tickets"}:
            key(page, "complete").click()
        case {"move": "place_cards", "cards": cards}:
            for card, n in cards.items():
                for _ in range(n):
                    key(page, f"tile-{card}").click()
            key(page, "place").click()
        case {"move": "draw_card", "place": place}:
            key(page, f"take-{place}").click()
        case {"move": "draw_card"}:
            key(page, "take-deck").click()
        case {"move": "draw_tickets"}:
            key(page, "draw-tickets").click()
        case _:
            key(page, "pass").click()

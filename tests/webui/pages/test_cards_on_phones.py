"""Cards on phones in a real browser: whole turns with one thumb, on a small phone."""

from pathlib import Path

import pytest
from dealt_tables import dealt_table, keep_first
from msgspec.structs import replace
from phones import PLAYERS, Table
from playwright.sync_api import Browser, Locator, Page, expect
from railspotter.scoring.dealing.moves import DrawCard, Pay
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed, TakenBack
from railspotter.table.live_table.card_play import deal_anew_facts
from railspotter.table.live_table.commands import Action, AddFacts, PlayMove, Resume
from railspotter.table.live_table.table_view import Laying
from table_pages import at_rest, claim, fits, opened, ready, rest, say, tab

SEATTLE = "portland--seattle--0"  # one space, grey
DENVER = "denver--kansas-city--0"  # four spaces, black


def key(page: Page, name: str) -> Locator:
    return page.locator(f"[data-key='{name}']")


def claim_away(running: Table, route: str) -> None:
    """The camera sees the trains taken off a route again."""
    gone = TakenBack.on(Spot("route", route), by="camera", seen_to_change=True)
    running.live.execute(AddFacts([gone]))


def headline(page: Page) -> Locator:
    return page.locator("#panel-tickets .turn-head h2")


def held(page: Page, within: str = "#panel-tickets") -> str:
    """Hold the button, read the cards, let go."""
    button = page.locator(f"{within} [data-key=hold-cards]")
    expect(button).to_be_visible()
    # What is put above it pushes it away from under the pointer.
    box = at_rest(button)
    page.mouse.move(box["x"] + 40, box["y"] + 20)
    page.mouse.down()
    shown = page.locator(f"{within} .hand-card:not(.is-none) .unseen")
    expect(shown.first).to_be_attached()
    text = ", ".join(shown.all_text_contents())
    page.mouse.up()
    expect(page.locator(f"{within} .hand-card")).to_have_count(0)
    return text


def begun(page: Page, running: Table) -> None:
    """Everybody keeps the first tickets; the page shows whose turn it is."""
    keep_first(running)
    tab(page, "tickets")
    expect(headline(page)).to_have_text(say("dealt.your_turn"))


def test_whose_hand_is_dealt_anew_later_is_not_told_of_first_tickets(
    browser: Browser, dealt: Table
) -> None:
    with opened(browser, dealt, seat="ann") as page:
        tab(page, "tickets")
        title = page.locator(".choose h3")
        expect(title).to_have_text(say("dealt.choose_first"))
        expect(page.locator(".turn-head")).to_contain_text(say("dealt.step_first"))
        begun(page, dealt)
        dealt.live.execute(AddFacts(lambda view, _: deal_anew_facts(view.game.table, "ann")))
        expect(title).to_have_text(say("dealt.choose"))
        expect(page.locator(".turn-head")).to_contain_text(say("dealt.step_choose"))


@pytest.mark.journey
def test_first_tickets_are_chosen_and_a_turn_is_drawn_with_one_thumb(
    browser: Browser, dealt: Table
) -> None:
    with opened(browser, dealt, seat="ann") as page:
        expect(page.locator(".my-turn")).to_be_visible()
        key(page, "my-turn").click()
        expect(headline(page)).to_have_text(say("dealt.your_turn"))
        key(page, "open-offered").click()
        keep = key(page, "keep-tickets")
        expect(keep).to_be_disabled()
        key(page, "offered-0").click()
        key(page, "offered-2").click()
        expect(page.locator(".map-ticket.is-kept")).to_have_count(2)
        keep.click()
        expect(page.locator("#tickets .ticket")).to_have_count(2)
        expect(key(page, "ticket-add")).to_have_count(0)
        keep_first(dealt, "bob", "cleo")
        expect(page.locator(".turn-head.is-turn")).to_contain_text(say("dealt.step_begin"))
        assert held(page) == "red: 4"
        key(page, "take-3").click()
        expect(page.locator(".turn-head")).to_contain_text(say("dealt.step_second"))
        expect(key(page, "take-1")).to_be_disabled()  # a locomotive is no second card
        expect(page.locator(".fresh")).to_contain_text("black")
        rest(page, 600)
        key(page, "take-deck").click()
        expect(page.locator(".fresh li")).to_have_count(2)
        expect(headline(page)).to_have_text(say("dealt.turn_of", name="Bob"))
        assert sum(int(one.split(": ")[1]) for one in held(page).split(", ")) == 6
        tab(page, "score")
        expect(page.locator(".open-table")).to_contain_text(say("dealt.last_drew_card", name="Ann"))
        ann = page.locator(".players [data-seat=ann]")
        expect(ann).to_contain_text(say("dealt.cards.other", n=6))
        expect(ann).to_contain_text(say("dealt.tickets.other", n=2))


def test_the_keyboard_goes_on_at_the_turn_that_it_opens(browser: Browser, dealt: Table) -> None:
    with opened(browser, dealt, seat="ann") as page:
        expect(key(page, "my-turn")).to_be_visible()
        key(page, "my-turn").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".turn-head")).to_be_focused()
        page.keyboard.press("Tab")
        expect(key(page, "open-offered")).to_be_focused()


def test_a_turn_is_shown_again_once_the_table_is_back(browser: Browser, dealt: Table) -> None:
    """While a game is set up where it was played, a phone is told of no cards."""
    with opened(browser, dealt, seat="ann") as page:
        begun(page, dealt)
        page.route("**/api/v1/cards", lambda route: route.fulfill(status=404))
        claim(dealt, portland__seattle__0="red")
        expect(headline(page)).to_have_count(0)
        page.unroute("**/api/v1/cards")
        taken_back = dealt.host().post("/undo", {"event": dealt.host().state()["undo"]["event"]})
        assert taken_back.status == 200
        expect(headline(page)).to_have_text(say("dealt.your_turn"))


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_leaves_the_hand_and_is_asked_again(
    browser: Browser, dealt: Table, status: int
) -> None:
    with opened(browser, dealt, seat="ann") as page:
        begun(page, dealt)
        with page.expect_response("**/api/v1/cards"):
            page.route("**/api/v1/cards", lambda route: route.fulfill(status=status))
            claim(dealt, portland__seattle__0="red")
        rest(page)
        expect(headline(page)).to_have_text(say("dealt.your_turn"))
        assert held(page) == "red: 4"
        page.unroute("**/api/v1/cards")
        expect(key(page, "pay-route:portland--seattle--0")).to_be_visible()


def test_trains_that_lie_there_are_paid_with_one_tap(browser: Browser, dealt: Table) -> None:
    with opened(browser, dealt, seat="ann") as page, opened(browser, dealt) as guest:
        begun(page, dealt)
        claim(dealt, kansas_city__saint_louis__0="red")
        expect(page.locator(".laid.is-wrong")).to_be_visible()  # blue cards are missing
        claim(dealt, portland__seattle__0="red")
        expect(page.locator(".laid")).to_have_count(2)
        expect(guest.locator(".unpaid").nth(1)).to_contain_text("Portland")
        claim(dealt, chicago__toronto="blue")
        early = say("turn.early", name="Bob", others="Ann")
        expect(guest.locator("#turn .turn-note")).to_have_text(early)
        claim_away(dealt, "chicago--toronto")
        expect(guest.locator("#turn")).to_be_hidden()
        key(page, "pay-route:portland--seattle--0").click()
        key(page, "payment-0").click()
        expect(page.locator("#toast")).to_contain_text(say("dealt.paid", cards="1 red"))
        expect(headline(page)).to_have_text(say("dealt.turn_of", name="Bob"))
        assert held(page) == "red: 3"
        expect(guest.locator(".unpaid")).to_have_count(1)
        expect(guest.locator(".open-table")).to_contain_text("Ann paid 1 red for")


def test_without_a_camera_a_route_is_tapped_and_nobody_is_alarmed(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        dealt_table(tmp_path, has_camera=False) as running,
        opened(browser, running, seat="ann", host=True) as page,
    ):
        begun(page, running)
        expect(page.locator("#trouble")).to_be_hidden()
        status = page.locator(".status-text")
        expect(status).to_have_text(say("status.camera_none"))
        expect(page.locator("#panel-tickets .turn-head p")).to_have_text(
            "Take a card, draw tickets, or tap a route and pay for it."
        )
        expect(key(page, "tap-routes")).to_have_text("Tap a route")
        key(page, "tap-routes").click()
        page.locator("#board .all-routes").click()
        key(page, "route:portland--seattle--0").click()
        key(page, "payment-0").click()
        page.locator("dialog .sheet-close").click()
        expect(headline(page)).to_have_text(say("dealt.turn_of", name="Bob"))
        assert running.log.state.table.claims == {"portland--seattle--0": "red"}
        assert not running.log.state.table.to_lay
        tab(page, "table")
        expect(key(page, "pause")).to_be_visible()
        expect(key(page, "again")).to_have_count(0)
        expect(key(page, "calibration")).to_have_count(0)
        key(page, "pack-away").click()
        expect(page.locator("dialog[open]")).to_contain_text(say("pack.text_camera_none"))


def test_what_is_being_laid_is_ticked_off_space_by_space(browser: Browser, tmp_path: Path) -> None:
    hands = ("black black black black", "blue blue green green", "pink pink white white")
    spot = Spot("route", DENVER)
    with dealt_table(tmp_path, hands=hands) as running:
        keep_first(running)
        # Nobody has looked at the board yet, so nobody sees that it is not there.
        running.live.execute(PlayMove("ann", Pay("route", DENVER, {"black": 4})))
        with opened(browser, running) as page:
            card = page.locator(".to-lay")
            expect(card.locator(".lay-sign")).to_have_count(4)
            expect(card).not_to_contain_text("stand")
            running.live.see(laying={spot: Laying((0, 1), ((2, "blue"),))})
            expect(card).to_contain_text(say("dealt.standing", n=2, all=4))
            wrong = say("dealt.wrong_there", n=3, place="Denver", colour="blue")
            expect(card).to_contain_text(wrong)
            expect(card.locator(".lay-sign.is-there")).to_have_count(2)
            expect(card.locator(".lay-sign.is-wrong")).to_have_count(1)
            (told,) = running.host().state()["cards"]["to_lay"]
            assert told["standing"] == [0, 1]
            assert told["wrong"] == [{"space": 2, "colour": "blue"}]
            assert told["marker"] == 7
            expect(card).to_contain_text(say("dealt.move_marker", name="Ann", n=7))


def test_a_computers_trains_that_lie_elsewhere_are_said_to_belong_where_it_paid(
    browser: Browser, tmp_path: Path
) -> None:
    hands = ("black black black black", "blue blue green green", "pink pink white white")
    ann, *others = PLAYERS
    with dealt_table(
        tmp_path, hands=hands, players=(replace(ann, computer="easy"), *others)
    ) as running:
        keep_first(running)
        running.live.execute(PlayMove("ann", Pay("route", DENVER, {"black": 4})))
        with opened(browser, running, seat="bob") as page:
            lane = Spot("route", DENVER.replace("--0", "--1"))
            running.live.see(astray={lane: "red"})
            card = page.locator(f".question[data-spot='{lane.key}']")
            ends = {"a": "Denver", "b": "Kansas City"}
            wrong, right = (say(f"route.lane_{side}", **ends) for side in ("lower", "upper"))
            told = say("dealt.astray", name="Ann", wrong=wrong, right=right)
            expect(card.get_by_role("heading")).to_have_text(told)
            expect(card.locator("rect")).to_have_count(4)
            fits(page)
            running.live.see(astray={})
            expect(card).to_have_count(0)


def test_a_tunnel_shows_its_cards_and_is_played_or_left(browser: Browser, tmp_path: Path) -> None:
    hands = ("red red red red", "blue blue green green", "pink pink white white")
    with (
        dealt_table(tmp_path, hands=hands, then="red black white", edition="europe") as running,
        opened(browser, running, seat="ann") as page,
        opened(browser, running) as guest,
    ):
        begun(page, running)
        table = running.log.state.table
        tunnel = next(
            route.id
            for route in table.board.routes
            if route.tunnel and route.length == 3 and route.colour in ("red", "grey")
        )
        running.live.execute(
            AddFacts([Placed.on(Spot("route", tunnel), colour="red", by="camera")])
        )
        page.locator("[data-key^='pay-route']").click()
        page.locator(".payment", has_text="3 red").click()
        asks = page.locator(".tunnel-asks")
        expect(asks.locator(".card-row li")).to_have_count(3)
        expect(asks).to_contain_text(say("dealt.tunnel_more.one", n=1))
        expect(guest.locator(".open-table")).to_contain_text("the tunnel asks for 1 more card")
        page.reload()
        ready(page)
        tab(page, "tickets")
        asks.locator("[data-key=payment-0]").click()
        expect(headline(page)).to_have_text(say("dealt.turn_of", name="Bob"))
        assert running.log.state.table.dealing is not None
        assert running.log.state.table.dealing.hand("ann").total() == 0


def test_a_pause_takes_the_moves_off_the_page_and_says_so(browser: Browser, dealt: Table) -> None:
    with opened(browser, dealt, seat="ann") as page:
        begun(page, dealt)
        expect(key(page, "take-deck")).to_be_enabled()
        dealt.live.execute(Action.PAUSE)
        step = page.locator("#panel-tickets .turn-head p")
        expect(step).to_have_text(say("voice.paused"))
        for name in ("take-deck", "draw-tickets", "tap-routes", "list-routes"):
            expect(key(page, name)).to_have_count(0)
        dealt.live.execute(Resume())
        expect(step).to_have_text(say("dealt.step_begin"))
        expect(key(page, "take-deck")).to_be_enabled()


def test_undo_stands_beside_a_paid_claim_where_it_is_accepted(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        dealt_table(tmp_path, has_camera=False) as running,
        opened(browser, running, seat="ann") as ann,
        opened(browser, running, seat="bob") as bob,
    ):
        keep_first(running)
        running.live.execute(PlayMove("ann", Pay("route", SEATTLE, {"red": 1})))
        told = next(e for e in running.host().state()["log"] if e["kind"] == "route_claimed")
        undo = f"undo-{told['seq']}"
        latest = "#latest .event:not(.is-undone)"
        expect(ann.locator(latest).first).to_contain_text("Seattle")
        expect(key(ann, undo)).to_be_visible()
        expect(bob.locator(latest).first).to_contain_text("Seattle")
        expect(key(bob, undo)).to_have_count(0)
        for _ in range(2):
            running.live.execute(PlayMove("bob", DrawCard()))
        expect(key(ann, undo)).to_have_count(0)  # Bob has moved since
        refused = running.host().post("/undo", {"event": told["seq"]})
        assert refused.code == "asked"
        key(ann, undo).click()
        expect(ann.locator("#latest .event.is-undone")).to_contain_text("Seattle")
        assert not running.log.state.table.payments


def test_the_host_asking_for_a_claim_calls_its_owner_on_every_part_of_the_page(
    browser: Browser, tmp_path: Path
) -> None:
    with dealt_table(tmp_path) as running, opened(browser, running, seat="ann") as page:
        keep_first(running)
        running.live.execute(PlayMove("ann", Pay("route", SEATTLE, {"red": 1})))
        expect(key(page, "my-turn")).to_be_hidden()
        for _ in range(2):
            running.live.execute(PlayMove("bob", DrawCard()))
        told = {"kind": "route", "about": SEATTLE}
        assert running.host().post("/cards/have-back", told).code == "asked"
        expect(key(page, "my-turn")).to_have_text(say("dealt.asked_you"))
        key(page, "my-turn").click()
        key(page, "asked-back").click()
        page.get_by_role("button", name=say("dealt.have_back_yes")).click()
        tab(page, "score")
        expect(key(page, "my-turn")).to_be_hidden()
        for _ in range(2):
            running.live.execute(PlayMove("cleo", DrawCard()))
        expect(key(page, "my-turn")).to_have_text(say("dealt.your_turn"))


def test_a_computer_that_waits_for_its_trains_says_so_beside_ones_cards(
    browser: Browser, tmp_path: Path
) -> None:
    ann, bob, _ = PLAYERS
    players = (ann, replace(bob, computer="easy"))
    with (
        dealt_table(tmp_path, players=players, has_camera=False) as running,
        opened(browser, running, seat="ann") as page,
    ):
        keep_first(running)
        tab(page, "tickets")
        for _ in range(2):
            running.live.execute(PlayMove("ann", DrawCard()))
        running.live.execute(PlayMove("bob", Pay("route", SEATTLE, {"blue": 1})))
        for _ in range(2):
            running.live.execute(PlayMove("ann", DrawCard()))
        name = say("dealt.computer", name="Bob")
        step = page.locator("#panel-tickets .turn-head p")
        expect(headline(page)).to_have_text(say("dealt.turn_of", name=name))
        expect(step).to_have_text(say("dealt.doing_waiting", name=name))
        running.host().post("/cards/laid", {"kind": "route", "about": SEATTLE})
        expect(step).to_have_text(say("dealt.last_drew_card", name="Ann"))


def test_nothing_can_be_drawn_while_somebody_who_came_in_chooses(
    browser: Browser, dealt: Table
) -> None:
    with opened(browser, dealt, seat="ann") as page:
        begun(page, dealt)
        expect(key(page, "take-deck")).to_be_visible()
        new = {"name": "Dora", "colour": "black", "place": 3}
        assert dealt.host().post("/players", new).status == 200
        expect(headline(page)).to_have_text(say("dealt.all_choose", names="Dora"))
        expect(key(page, "take-deck")).to_have_count(0)
        keep_first(dealt, dealt.log.state.table.players[-1].seat)
        expect(key(page, "take-deck")).to_be_visible()

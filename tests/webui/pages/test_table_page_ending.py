"""A whole game on the page at the table, from its first claim to the winner's ceremony."""

from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

import pytest
from phones import PLAYERS, Table, table
from PIL import Image
from playwright.sync_api import Browser, ViewportSize, expect
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.game import TicketText
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.position import Seat
from railspotter.scoring.spot import Spot
from railspotter.simulation.played_game import PlayedGame, play_game
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted, PointsCounted
from railspotter.table.game_log.people_facts import PlayerRenamed, TicketRevealed, TicketTaken
from railspotter.table.live_table.commands import AddFacts
from table_pages import (
    LAPTOP,
    SIZES,
    at_rest,
    claim,
    close_sheet,
    count,
    faultless,
    number,
    opened,
    points,
    read_number,
    ready,
    say,
    tab,
)


@pytest.fixture(scope="module")
def played() -> PlayedGame:
    seats = [Seat(player.colour, player.name) for player in PLAYERS]
    return play_game(load_edition("usa"), load_board("usa"), seats, seed=4)


SEATTLE = Spot("route", "helena--seattle")


def ticket(a: str, b: str, points: int) -> TicketText:
    return TicketText(a, b, points)


@pytest.mark.journey
@SIZES
def test_a_whole_game_ends_with_its_winner(
    browser: Browser, running: Table, played: PlayedGame, size: ViewportSize
) -> None:
    standing = final_score(played.end)
    seats = {player.colour: player.seat for player in PLAYERS}
    position = played.end
    with (
        opened(browser, running, seat="ann", host=True, size=size, reduced_motion="reduce") as ann,
        opened(browser, running, seat="bob") as bob,
    ):
        for turn in played.turns:
            if turn.laid is not None:
                running.live.execute(
                    AddFacts([Placed.on(turn.laid, colour=turn.colour, by="camera")])
                )
        for colour, hand in position.tickets.items():
            facts = [TicketTaken(seats[colour], ticket(t.a, t.b, t.points)) for t in hand]
            running.live.execute(AddFacts(facts))
        for player in standing.players:
            expect(points(ann, seats[player.colour])).to_have_text(str(player.route_points))
        tab(ann, "table")
        ann.locator("[data-key=end]").click()
        ann.locator("dialog .primary").click()
        tab(ann, "score")
        for page in (ann, bob):
            page.locator("[data-key=reveal]").click()
            expect(page.locator("[data-key=reveal]")).to_have_count(0)
        running.live.execute(
            AddFacts(
                [
                    TicketRevealed("cleo", ticket(t.a, t.b, t.points))
                    for t in position.tickets["green"]
                ]
            )
        )
        for player in standing.players:
            expect(points(ann, seats[player.colour])).to_have_text(number(player.total))
        (winner,) = standing.winners
        name = next(p.name or p.colour.capitalize() for p in PLAYERS if p.colour == winner)
        totals = sorted((p.total for p in standing.players), reverse=True)
        expect(ann.locator("#ending")).to_contain_text(say("winner.single", name=name))
        cells = ann.locator(".score-table tbody tr").first.get_by_role("cell").all_inner_texts()
        assert int(cells[-1]) == totals[0]
        ann.locator("[data-key=lines]").click()
        ann.locator("dialog summary").first.click()
        lines = ann.locator("dialog details[open] .sum").all_inner_texts()
        assert sum(read_number(text) for text in lines[1:]) == int(lines[0])
        close_sheet(ann)
        assert ann.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_phones_and_a_television_follow_the_table_from_its_last_turns_to_the_winner(
    browser: Browser, tmp_path: Path
) -> None:
    """Taps: the game is over and the own tickets, on each phone; then the winner comes."""
    few_trains = GameStarted("usa", PLAYERS[:2], house_rules={"trains": 8})
    with table(tmp_path, started=few_trains) as running, ExitStack() as stack:
        screen = running.host().post("/guest-link").json["screen"]["url"]
        television = stack.enter_context(faultless(browser, LAPTOP))
        television.goto(screen)
        ready(television)
        ann = stack.enter_context(opened(browser, running, seat="ann"))
        bob = stack.enter_context(opened(browser, running, seat="bob"))
        for page in (ann, bob):
            expect(page.locator("#panel-tickets")).to_be_visible()
            expect(page.locator("#panel-tickets .line .sum")).to_have_text(say("tickets.chooses"))
        running.live.execute(AddFacts([TicketTaken("bob", ticket("calgary", "phoenix", 13))]))
        expect(ann.locator("#panel-tickets .line .sum")).to_have_text(say("tickets.has_chosen"))
        ann.locator("[data-key=later]").click()
        expect(ann.locator("#players")).to_be_in_viewport()
        bob.locator("[data-key=ticket-add]").click()
        bob.locator("#ticket-search").fill("calg")

        claim(running, helena__seattle="red")
        over = ann.locator("[data-key=all-played]")
        expect(over).to_be_in_viewport()
        expect(over).not_to_have_class("primary wide")
        # Who types is not taken away from it.
        bob.locator("dialog .result").first.click()
        expect(bob.locator(".ticket")).to_have_count(1)
        bob.locator("dialog [data-key=phase]").click()
        expect(bob.locator("[data-key=all-played]")).to_be_in_viewport()
        claim(running, portland__seattle__0="red")
        expect(over).to_have_class("primary wide")

        over.click()
        for page in (ann, bob):
            expect(page.locator(".ending .foot .primary")).to_be_in_viewport(ratio=1)
        expect(television.locator(".rs-shown")).to_contain_text(say("ending.looking"))
        ann.locator(".toast-undo").click()
        expect(bob.locator("[data-key=all-played]")).to_be_visible()
        expect(bob.locator("#ending")).to_be_hidden()
        expect(television.locator(".rs-scores")).to_be_visible()
        bob.locator("[data-key=all-played]").click()

        tab(bob, "board")
        bob.locator("[data-key=phase]").click()
        bob.locator("[data-key=reveal]").click()
        ann.locator("[data-key=enter-own]").click()
        ann.locator("dialog .result").first.click()
        close_sheet(ann)
        ann.locator("[data-key=reveal]").click()
        for page in (ann, bob):
            expect(page.locator(".ceremony-words")).to_have_text(say("ceremony.routes"))
        expect(television.locator(".rs-counted .rs-new")).to_be_visible()
        ann.locator("[data-key=skip]").click()
        for page in (ann, bob):  # and who does not skip comes there too
            expect(page.locator(".final h2")).to_contain_text("Ann")
            expect(page.locator("dialog")).to_have_count(0)
        expect(television.locator(".rs-winner")).to_contain_text("Ann")


def test_the_result_goes_home_as_a_picture_a_file_and_on_paper(
    browser: Browser, running: Table
) -> None:
    claim(running, helena__seattle="red", duluth__helena="red", calgary__seattle="blue")
    running.live.ask(Spot("route", "denver--helena"), "blue", None)
    shown = TicketRevealed("ann", ticket("duluth", "el-paso", 10))
    running.live.execute(AddFacts([shown, GameEnded(), PointsCounted()]))
    doubts = say("winner.untold", names="Bob and Green"), say("ending.open.one")
    # What the picture says is painted: it is heard as it is written.
    heard = """() => {
      const write = CanvasRenderingContext2D.prototype.fillText;
      window.painted = [];
      CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
        painted.push(text);
        write.call(this, text, ...more);
      };
    }"""
    with opened(browser, running, size=LAPTOP, reduced_motion="reduce") as page:
        page.evaluate(heard)
        with page.expect_download() as download:
            page.locator("[data-key=share]").click()
        assert " ".join(doubts) in page.evaluate("painted")
        picture = Image.open(BytesIO(Path(download.value.path()).read_bytes())).convert("RGB")
        assert picture.width == 1200
        colours = {colour for _, colour in picture.getcolors(2**24) or []}
        assert (0xC5, 0x28, 0x1C) in colours, "no red trains are in the picture"
        with page.expect_download() as download:
            page.locator(".ending a[href$=csv]").click()
        assert "route_claimed" in Path(download.value.path()).read_text("utf-8")
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(page.locator("#paper")).to_be_visible()
        expect(page.locator("#paper")).to_contain_text(say("route.name", a="Helena", b="Seattle"))
        for doubt in doubts:
            expect(page.locator("#paper")).to_contain_text(doubt)
        expect(page.locator("main")).to_be_hidden()


def test_whoever_counts_everyone_comes_to_the_result_and_stays(
    browser: Browser, running: Table
) -> None:
    claim(running, helena__seattle="red")
    with (
        opened(browser, running, seat="ann", reduced_motion="reduce") as ann,
        opened(browser, running, reduced_motion="reduce") as guest,
    ):
        running.live.ask(SEATTLE, "blue", "red")
        tab(guest, "board")
        running.live.execute(
            AddFacts([GameEnded(), TicketRevealed("bob", ticket("calgary", "phoenix", 13))])
        )
        expect(guest.locator("[data-key=count]")).to_have_count(0)
        ann.locator("[data-key=count]").click()
        # Ann and Cleo have shown none: that is said before anybody is crowned.
        missing = say("ending.missing.other", names="Ann and Green")
        expect(ann.locator("dialog")).to_contain_text(missing)
        assert not running.log.state.table.counted
        ann.get_by_role("button", name=say("ending.count_anyway")).click()
        for page in (ann, guest):
            expect(page.locator("#ending")).to_contain_text(say("winner.single", name="Ann"))
            expect(page.locator("#ending")).to_contain_text(say("ending.open.one"))
            result, question = page.locator("#ending"), page.locator("#questions")
            assert at_rest(result)["y"] < at_rest(question)["y"], "nothing stands before the result"
            page.reload()
            ready(page)
            expect(page.locator("#ending")).to_contain_text(say("winner.single", name="Ann"))
        ann.locator("[data-key=share]").wait_for()


def test_everyone_reads_whose_tickets_are_missing_and_no_question_lies_over_the_result(
    browser: Browser, running: Table
) -> None:
    claim(running, helena__seattle="red")
    shown = ticket("boston", "miami", 12)
    running.live.execute(AddFacts([TicketTaken("bob", shown), TicketRevealed("bob", shown)]))
    running.live.execute(AddFacts([GameEnded()]))
    with opened(browser, running, seat="ann") as ann, opened(browser, running, seat="bob") as bob:
        ann.locator("[data-key=count]").click()
        anyway = ann.get_by_role("button", name=say("ending.count_anyway"))
        expect(anyway).to_be_visible()
        count(bob)
        for page in (ann, bob):
            page.locator(".ceremony .sheet-close").click()
            expect(page.locator("#ending")).to_contain_text("the tickets of Ann and Green")
            expect(page.locator("dialog")).to_have_count(0)


def test_an_ordinary_name_is_whole_in_the_result_on_a_small_phone(
    browser: Browser, running: Table
) -> None:
    facts = [PlayerRenamed("ann", "Maximilian"), GameEnded(), PointsCounted()]
    running.live.execute(AddFacts(facts))
    with opened(browser, running, locale="de", reduced_motion="reduce") as page:
        name = page.locator(".score-table th span", has_text="Maximilian")
        expect(name).to_be_visible()
        assert (
            name.evaluate(
                """(name) => {
              const range = document.createRange();
              range.selectNodeContents(name);
              return range.getClientRects().length;
            }"""
            )
            == 1
        )


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("sea la", ["Los Angeles - Seattle"]),
        ("ny sea", ["New York - Seattle"]),
        ("seatle y", ["New York - Seattle"]),
        ("duluht elpaso", ["Duluth - El Paso"]),
        ("MONTR\u00c9AL, van", ["Montreal - Vancouver"]),
        ("montreal new", ["Montreal - New Orleans"]),
        ("sax", []),
    ],
)
def test_a_ticket_is_found_by_what_a_thumb_types(
    browser: Browser, running: Table, typed: str, found: list[str]
) -> None:
    with opened(browser, running, seat="ann") as page:
        tab(page, "tickets")
        page.locator("[data-key=ticket-add]").click()
        results = page.locator("dialog .result span:first-child")
        expect(results).to_have_count(30)
        page.locator("#ticket-search").fill(typed)
        expect(results).to_have_text([name.replace(" - ", " \N{EN DASH} ") for name in found])


def test_the_host_keeps_the_tickets_of_who_has_no_phone(browser: Browser, running: Table) -> None:
    with opened(browser, running, host=True) as page:
        tab(page, "table")
        page.locator("[data-key=person-cleo]").click()
        page.locator("[data-key=hand-of]").click()
        page.locator("[data-key=hand-add]").click()
        page.locator("#ticket-search").fill("calg")
        page.locator("dialog .result").first.click()
        expect(page.locator("#toast")).to_contain_text(say("hand.kept", name="Green"))
        page.locator("dialog .sheet-close").last.click()
        hand = page.locator(".hand-list")
        expect(hand).to_have_text(say("hand.hidden", n=1))
        page.locator("[data-key=hold]").hover()
        page.mouse.down()
        expect(hand).to_contain_text("Calgary")
        page.mouse.up()
        expect(hand).to_have_text(say("hand.hidden", n=1))
        page.locator("[data-key=hold]").focus()
        page.keyboard.down("Enter")
        expect(hand).to_contain_text("Calgary")
        page.keyboard.up("Enter")
        expect(hand).not_to_contain_text("Calgary")
        close_sheet(page)
        running.live.execute(AddFacts([GameEnded()]))
        tab(page, "score")
        enter = page.locator("[data-key=enter-cleo]")
        expect(enter).to_have_text(say("hand.title", name="Green"))
        enter.click()
        page.locator("[data-key=hand-reveal]").click()
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator("#toast")).to_contain_text(say("tickets.revealed"))
        expect(page.locator("#ending")).to_contain_text(say("ending.shown.one", n=1))
        page.locator("[data-key=enter-ann]").wait_for()

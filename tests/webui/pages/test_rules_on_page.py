"""What differs from edition to edition is said where it matters: tickets, ties, the help."""

import re
from pathlib import Path

import philly
import pytest
from dealt_tables import dealt_table, keep_first, move
from phones import PLAYERS, table
from playwright.sync_api import Browser, expect
from railspotter.scoring.card_game.tickets import LOCOMOTIVE
from railspotter.scoring.dealing.moves import DrawTickets
from railspotter.scoring.edition import load_edition
from railspotter.scoring.game import TicketText
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted, PointsCounted
from railspotter.table.game_log.people_facts import TicketRevealed, TicketTaken
from railspotter.table.live_table.commands import AddFacts
from railspotter.webui.pages.page_table import STATIC
from table_pages import close_sheet, opened, say, tab

# Two with equal points and tickets, and a third one with the longest path.
TIED = {
    "red": ["helena--seattle", "chicago--duluth"],
    "blue": ["calgary--seattle", "chicago--omaha", "montreal--toronto", "atlanta--nashville"],
    "green": ["boston--new-york--0", "new-york--washington--0", "raleigh--washington--0"],
}
BONUS = ["charleston--raleigh"]  # with it green's path is the longest
BREST = TicketText("brest", "madrid", 8)
CARD = {
    "red": ["helena--seattle"],
    "blue": ["calgary--seattle", "chicago--omaha", "dallas--el-paso", "montreal--toronto"],
}


@pytest.mark.parametrize(
    ("edition", "lying", "says"),
    [
        ("usa", TIED, "share the victory"),
        ("usa-10th", TIED, "The longest path wins: Ann"),
        ("usa", CARD, "Whoever holds the longest path card wins: Ann"),
    ],
    ids=["USA, nobody has the card", "10th Anniversary", "USA, by the card"],
)
def test_a_tie_is_told_by_the_rule_that_decided(
    browser: Browser, tmp_path: Path, edition: str, lying: dict[str, list[str]], says: str
) -> None:
    placed = [
        Placed.on(Spot("route", route), colour=colour, by="camera")
        for colour, routes in lying.items()
        for route in (*routes, *(BONUS if colour == "green" else ()))
    ]
    with table(tmp_path, edition=edition) as running:
        running.live.execute(AddFacts(placed))
        running.live.execute(AddFacts([GameEnded(), PointsCounted()]))
        with opened(browser, running) as page:
            expect(page.locator("#ending")).to_contain_text(says)


def test_who_was_out_on_an_earlier_tie_break_is_told(browser: Browser, tmp_path: Path) -> None:
    """Green holds the card for the longest path as well, and has fewer tickets."""
    lying = {"duluth--helena": "red", "denver--phoenix": "blue"}
    lying |= dict.fromkeys(("helena--seattle", "dallas--little-rock"), "green")
    facts = [Placed.on(Spot("route", r), colour=c, by="person") for r, c in lying.items()]
    hands = {
        "ann": TicketText("duluth", "helena", 2),
        "bob": TicketText("denver", "phoenix", 17),
    }
    shown = [f(seat, one) for seat, one in hands.items() for f in (TicketTaken, TicketRevealed)]
    with table(tmp_path) as running:
        running.live.execute(AddFacts([*facts, *shown, GameEnded(), PointsCounted()]))
        with opened(browser, running) as page:
            said = (
                "Ann, Bob, and Green have 27 points each. Most tickets done: only Ann and Bob stay "
                "level. Whoever holds the longest path card wins: Ann."
            )
            expect(page.locator("#ending")).to_contain_text(said)


def test_the_route_that_a_station_borrows_is_among_the_lines_of_the_points(
    browser: Browser, tmp_path: Path
) -> None:
    lying = (
        Placed.on(Spot("route", "madrid--pamplona--0"), colour="red", by="person"),
        Placed.on(Spot("route", "brest--pamplona"), colour="blue", by="person"),
        Placed.on(Spot("station", "pamplona"), colour="red", by="person"),
    )
    shown = TicketTaken("ann", BREST), TicketRevealed("ann", BREST)
    with table(tmp_path, edition="europe") as running:
        running.live.execute(AddFacts([*lying, *shown, GameEnded(), PointsCounted()]))
        with opened(browser, running) as page:
            page.get_by_role("button", name=say("ending.lines")).click()
            hers = page.locator("dialog details").first
            hers.click()
            expect(hers).to_contain_text(
                say("line.borrowed", place="Pamplona", a="Brest", b="Pamplona")
            )


@pytest.mark.parametrize("edition", ["usa", "usa-10th"])
def test_tickets_that_are_not_kept_are_said_to_go_where_they_go(
    browser: Browser, tmp_path: Path, edition: str
) -> None:
    first = "dealt.leaves_game" if edition == "usa-10th" else "dealt.goes_back"
    with (
        dealt_table(tmp_path, edition=edition) as running,
        opened(browser, running, seat="ann") as page,
    ):
        tab(page, "tickets")
        opener = page.locator("[data-key=open-offered]")
        opener.click()
        goes = page.locator(".offered-kept")
        expect(goes).to_have_text([say(first)] * 3)
        close_sheet(page)
        keep_first(running)
        expect(opener).to_have_count(0)
        move(running, "ann", DrawTickets())
        opener.click()
        expect(goes).to_have_text([say("dealt.goes_back")] * 3)


def test_the_help_has_the_games_rules_in_the_readers_language(tmp_path: Path) -> None:
    with table(tmp_path, edition="usa-10th") as running:
        page = running.phone().page("/help").content.decode()
        assert "First tickets that are not kept leave the game." in page
        german = running.phone().page("/help", Accept_Language="de").content.decode()
        assert "Erste Aufträge, die niemand behält, kommen aus dem Spiel." in german


def test_a_player_sees_which_means_of_transport_are_still_missing(
    browser: Browser, tmp_path: Path
) -> None:
    started = GameStarted("philly", PLAYERS, board=philly.philly())
    with table(tmp_path, started=started) as running, opened(browser, running) as page:
        running.live.execute(
            AddFacts(
                [
                    Placed.on(Spot("route", route), colour="red", by="camera")
                    for route in ("30th-st--69th-st", "69th-st--norristown")
                ]
            )
        )
        page.locator("[data-key=player-ann]").click()
        said = page.locator("[data-key=modes]")
        held = "Norristown metro line (N) and subway (S)"
        missing = "bus (B), regional rail (R), and trolley (T)"
        expect(said).to_have_text(say("player.modes", held=held, missing=missing))


def test_every_train_card_has_a_letter_of_its_own() -> None:
    script = (STATIC / "shared" / "train_cards.js").read_text("utf-8")
    written = re.search(r"const LETTERS = \{ (.*?) \};", script)
    assert written is not None
    letters = dict(re.findall(r'(\w+): "(\w)"', written[1]))
    assert set(letters) == {*load_edition("card-game").card_colours, LOCOMOTIVE}
    assert len({*letters.values()}) == len(letters)

"""The start of an evening: a game is set up, players join and keep their tickets."""

from .phones import Phones
from .program import Program

NAMES = {"red": "Ann", "blue": "Bo", "green": "Cleo", "black": "Dora"}
COLOURS = ("red", "blue", "green", "yellow")
# What is typed to find each player's ticket; the first that is found is kept.
SEARCH_TEXTS = {"red": "los", "blue": "calg", "green": "mont", "yellow": "bost", "black": "dall"}


def set_up_game(phones: Phones, program: Program) -> None:
    """Set a game up, from the host's link until it runs."""
    diary, host, camera = phones.diary, phones.host, phones.camera
    with diary.step("the game is chosen"):
        host.goto(program.host_link())
        phones.element("edition-usa-usa").wait_for()
        phones.screenshot("game")
        phones.tap("edition-usa-usa")
    with diary.step("four players, by their colours"):
        phones.element("colour-red").wait_for()
        phones.screenshot("players")
        for colour in COLOURS:
            phones.tap(f"colour-{colour}")
        phones.screenshot("players-chosen")
        phones.tap("next")
    with diary.step("a second phone films, until the board is found"):
        phones.element("source-phone").wait_for()
        phones.screenshot("camera")
        phones.tap("source-phone")
        link = host.locator(".link").inner_text()
        phones.screenshot("camera-code")
        camera.goto(link)
        camera.wait_for_selector("body[data-ready=yes]")
        phones.screenshot("camera-phone", camera)
        phones.start_camera()
        host.wait_for_selector("body[data-at=board]")
        host.wait_for_selector("[data-key=begin]:enabled")
        phones.screenshot("board-found")
        phones.screenshot("camera-filming", camera)
    known = "two players: 7 taps; with trains on the board 8, 30 to 56 s"
    with diary.step("the game begins", known) as step:
        phones.tap("begin")
        host.locator(".players > li").first.wait_for(state="attached")
        host.wait_for_selector("body[data-ready]")
        step.note = f"{sum(one.taps.total() for one in diary.steps)} taps from the link to here"
        phones.screenshot("begun")


def take_seats(phones: Phones) -> None:
    """Let the host and the other players' phones take their seats."""
    diary, host = phones.diary, phones.host
    with diary.step("the host takes a seat", "3 taps"):
        phones.element(f"seat-{phones.seat('red')}").wait_for()
        phones.screenshot("seats")
        take_seat(phones, "red")
    link = code(phones)
    with diary.step("two players' phones come in"):
        for seat, page in phones.players.items():
            if page is host:
                continue
            page.goto(link)
            page.wait_for_selector("body[data-ready]")
            take_seat(phones, seat)
        phones.screenshot("came-in", phones.bo)


def sit_again(phones: Phones) -> None:
    """Take the seats of last time, on phones that are known and ask for it."""
    with phones.diary.step("phones that are known take their seats", "2 taps each"):
        for seat in phones.players:
            take_seat(phones, seat)
        phones.screenshot("seated-again", phones.bo)


def take_seat(phones: Phones, seat: str) -> None:
    """Take a seat on its player's phone, which asks for the name once."""
    page = phones.players[seat]
    phones.tap(f"seat-{phones.seat(seat)}", page)
    if page not in phones.named:
        phones.named.append(page)
        name = page.locator("#seat-name")
        name.wait_for()
        phones.screenshot(f"name-{seat}", page)
        phones.diary.write(name, NAMES[seat])
        phones.diary.tap(page.locator("dialog form button[type=submit]"))
    page.locator("dialog").wait_for(state="detached")


def code(phones: Phones) -> str:
    """Return the link of the code on the wall, as the host's Table tab shows it."""
    phones.host.locator("#tab-table").click()
    phones.screenshot("table")
    link = phones.host.locator(".join .link").inner_text()
    phones.host.locator("#tab-score").click()
    return link


def name_player(phones: Phones) -> None:
    """Name the player without a phone."""
    diary, host = phones.diary, phones.host
    with diary.step("a name for who has no phone"):
        phones.open_tab("table")
        phones.tap("person-yellow")
        phones.screenshot("player-sheet")
        diary.write(host.locator("#player-name"), "Dan")
        diary.tap(host.locator("dialog form button[type=submit]"))
        phones.element("person-yellow").get_by_text("Dan").wait_for()


def take_tickets(phones: Phones) -> None:
    """Let everyone with a phone keep a ticket."""
    diary, host = phones.diary, phones.host
    with diary.step("a ticket on each of three phones"):
        for seat, page in phones.players.items():
            phones.open_tab("tickets", page)
            if page is host:
                phones.screenshot("tickets-none")
            phones.tap("ticket-add", page)
            diary.write(page.locator("#ticket-search"), SEARCH_TEXTS[seat])
            page.locator("dialog .result").first.wait_for()
            if page is host:
                phones.screenshot("ticket-search")
            diary.tap(page.locator("dialog .result").first)
            page.locator(".tickets > li").first.wait_for(state="attached")
            phones.close_sheet(page)
            if page is host:
                phones.screenshot("tickets")


def take_ticket_without_phone(phones: Phones) -> None:
    """Keep a ticket of who has no phone, on the host's."""
    diary, host = phones.diary, phones.host
    with diary.step("a ticket of who has no phone, on the host's", "not possible"):
        phones.open_tab("table")
        phones.tap("person-yellow")
        phones.tap("hand-of")
        phones.screenshot("other-hand-empty")
        phones.tap("hand-add")
        diary.write(host.locator("#ticket-search"), SEARCH_TEXTS["yellow"])
        diary.tap(host.locator("dialog .result").first)
        host.locator(".hand-list > li").wait_for(state="attached")
        phones.close_sheet()
        phones.screenshot("other-hand-hidden")
        phones.screenshot("other-hand-held", held=phones.element("hold"))
        phones.close_sheet()

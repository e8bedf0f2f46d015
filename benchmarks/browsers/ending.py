"""The end of a game: tickets are shown, points are counted together, the winner is said."""

from .phones import Phones
from .playing import QUESTION


def say_that_it_is_over(phones: Phones) -> None:
    """End the game on the host's phone."""
    diary, host = phones.diary, phones.host
    with diary.step("the game is ended"):
        phones.open_tab("table")
        phones.screenshot("table-before-end")
        phones.tap("end")
        phones.screenshot("end-sure")
        diary.tap(host.locator("dialog .primary"))
        for page in phones.players.values():
            page.locator(".ending").wait_for()  # they are led there
        phones.screenshot("ended")
        phones.screenshot("ended-player", phones.bo)


def show_tickets(phones: Phones, *colours: str) -> None:
    """Let players with a phone show their tickets, by default all."""
    with phones.diary.step("phones show their tickets, a tap each"):
        for colour in colours or phones.players:
            page = phones.players[colour]
            phones.element("reveal", page).wait_for()
            phones.screenshot("show-tickets", page)
            phones.tap("reveal", page)
            phones.element("reveal", page).wait_for(state="detached")


def show_tickets_without_phone(phones: Phones, name: str, colour: str) -> None:
    """Have the count say whose tickets are missing, and show them on the host's phone."""
    diary, host = phones.diary, phones.host
    with diary.step("the count says whose tickets are missing", "not said"):
        phones.tap("count")
        host.locator("dialog").get_by_text(name).first.wait_for()
        phones.screenshot("count-missing")
        diary.tap(host.locator("dialog .choices .primary"))  # not to count yet
    with diary.step("the host shows the tickets of who has no phone"):
        phones.tap(f"enter-{colour}")
        phones.screenshot("other-hand-at-the-end")
        phones.tap("hand-reveal")  # the last ones: the count begins by itself
        await_count(phones)


def await_count(phones: Phones) -> None:
    """Wait until the points are counted; before, answer what the last look at the board asks."""
    host, card = phones.host, phones.host.locator(QUESTION)
    while True:
        host.locator(f".ceremony, {QUESTION}").first.wait_for()
        if not card.is_visible():
            return
        if host.locator("dialog").count():
            phones.close_sheet()
        phones.screenshot("question-at-the-end")
        phones.diary.tap(card.locator(".answers button").first)
        card.wait_for(state="detached")


def count_without_tickets(phones: Phones) -> None:
    """Count the points although nobody has shown tickets; otherwise that begins by itself."""
    with phones.diary.step("the points are counted without anybody's tickets"):
        phones.tap("count")
        phones.screenshot("count-without-tickets")
        phones.diary.tap(phones.host.locator("dialog .choices button:not(.primary)"))
        phones.host.locator(".ceremony").wait_for()


def see_winner(phones: Phones) -> None:
    """Watch the points being counted on every phone, until it has the winner."""
    with phones.diary.step("the winner, on every phone, by itself", "a tap each"):
        for page in phones.players.values():
            page.locator(":is(.ceremony, .ending.final)").first.wait_for()
        phones.screenshot("counting", phones.bo)
        for page in phones.players.values():
            page.locator(".ending.final").wait_for()
    phones.screenshot("result")
    phones.screenshot("result-player", phones.bo)


def reload_result(phones: Phones) -> None:
    """Reload every page: the result is still there."""
    with phones.diary.step("the result after a reload of every page", "gone"):
        for page in phones.players.values():
            page.reload()
            page.locator(".ending.final").wait_for()
    phones.screenshot("result-reloaded", phones.bo)


def play_again(phones: Phones) -> None:
    """Begin the next game with the same people, on every phone."""
    with phones.diary.step("play again, on every phone"):
        phones.tap("play-again")
        for page in phones.players.values():
            page.locator(".ending.final").wait_for(state="detached")
        phones.wait_for_game()
    phones.screenshot("again")
    phones.screenshot("again-player", phones.bo)

"""At the table's first page: games are left and gone on with, a demo is shown, the next begins."""

from .phones import Phones

POINTS = ".players .row-points"


def go_home(phones: Phones, *, is_over: bool = False) -> None:
    """Leave a game for the table's first page."""
    diary, host = phones.diary, phones.host
    with diary.step("to the first page, on every phone", "the program ends"):
        if is_over:
            phones.tap("home")
        else:
            phones.open_tab("table")
            phones.tap("leave")
            phones.screenshot("leave-sure")
            diary.tap(host.locator("dialog .primary"))
        for page in phones.players.values():
            page.locator(".hero").wait_for()
    host.wait_for_selector("body[data-ready=yes]")
    phones.screenshot("home")
    phones.screenshot("home-player", phones.bo)


def go_on(phones: Phones) -> None:
    """Go on with the game that was left."""
    with phones.diary.step("a game that was left goes on, on every phone", "2 taps"):
        phones.tap("go-on")
        phones.wait_for_game()


def show_demo(phones: Phones) -> None:
    """Begin the demo from the first page, watch until something is claimed, and leave it."""
    diary, host = phones.diary, phones.host
    with diary.step("a demo begins, on every phone", "another program"):
        phones.tap("other")
        phones.tap("change-source")
        phones.element("source-demo").wait_for()
        phones.tap("source-demo")
        host.wait_for_selector("[data-key=begin]:enabled")
        phones.screenshot("demo-ready")
        phones.tap("begin")
        phones.wait_for_game()
        phones.screenshot("demo-begun", phones.bo)
        phones.just_watch()
    with diary.step("the demo's first claim, from there"):
        claimed = phones.each(lambda page: set(page.locator(POINTS).all_inner_texts()) != {"0"})
        diary.wait_for(claimed)
    phones.screenshot("demo")
    phones.screenshot("demo-player", phones.bo)


def begin_with_others(phones: Phones, *leave: str) -> None:
    """Begin a game in which some others play than last time; who is new has no name yet."""
    diary, host = phones.diary, phones.host
    with diary.step("other players than last time, until the game begins", "not measured"):
        phones.tap("other")
        phones.element("add-person").wait_for()
        phones.screenshot("next-game")
        phones.tap("add-person")
        for name in leave:
            phones.tap(f"plays-{name}")
        phones.screenshot("next-game-with-others")
        host.wait_for_selector("[data-key=begin]:enabled")
        phones.tap("begin")
        host.wait_for_selector("body[data-ready=yes]")
        host.locator(".players > li").first.wait_for(state="attached")

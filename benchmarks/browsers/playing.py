"""A game is played: routes are claimed, a question is answered, a route is put right."""

from .phones import Phones

# A route with trains of two colours, about which everyone is asked: whose they are, or who plays
# the colour that they look like together.
QUESTION = ":is(#questions, #strange) .question"
DOUBTFUL_ROUTE = ("duluth--omaha--0", ("red", "blue"))
MISTAKEN_ROUTE = "houston--new-orleans"  # nobody laid it, somebody corrects it by mistake


def claim(phones: Phones, route: str, colour: str) -> None:
    """Let a player claim a route."""
    with phones.diary.step(f"{colour} claims a route, from the hand's leaving", "2 to 4 s"):
        phones.place_route_and_wait(route, colour)


def look_at_board(phones: Phones) -> None:
    """Look at the drawn board on the host's phone."""
    phones.host.locator("#tab-board").click()
    phones.screenshot("board")
    phones.host.locator("#tab-score").click()


def correct_turn(phones: Phones) -> None:
    """Put right whose turn it is."""
    diary = phones.diary
    with diary.step("whose turn it is, put right", "not possible"):
        phones.tap("turn")
        phones.screenshot("turn")
        phones.tap("turn-green")
        phones.host.locator("[data-seat=green] .tag").first.wait_for()
        phones.screenshot("turn-corrected")


def answer_question(phones: Phones) -> None:
    """Let a player answer a question."""
    diary, route, colours = phones.diary, *DOUBTFUL_ROUTE
    with diary.step("a question comes, from the hand's leaving"):
        phones.film(phones.board.place_route(route, colours))
        diary.wait_for(phones.each(lambda page: page.locator(QUESTION).is_visible()))
    phones.screenshot("question")
    phones.screenshot("question-player", phones.bo)
    with diary.step("it is answered"):
        card = phones.bo.locator(QUESTION)
        diary.tap(card.locator(".answers button").first)
        card.wait_for(state="detached")
        phones.screenshot("question-answered", phones.bo)


def correct_route(phones: Phones) -> None:
    """Let a player correct a right route, and undo that."""
    diary, page = phones.diary, phones.bo
    with diary.step("a route is put right, found by its name"):
        phones.open_tab("board", page)
        diary.tap(page.locator("#board .all-routes"))
        phones.screenshot("all-routes", page)
        diary.write(page.locator("#route-search"), "hous")
        phones.tap(f"route:{MISTAKEN_ROUTE}", page)
        phones.screenshot("route", page)
        diary.tap(page.locator("dialog").last.locator("[data-key=choice-green]"))
    with diary.step("that is undone"):
        diary.tap(page.locator(".toast-undo"))  # at once: it does not stay for screenshots
        phones.element(f"route:{MISTAKEN_ROUTE}", page).locator(".no-car").wait_for()
        phones.screenshot("undone", page)
    page.locator("dialog .sheet-close").last.click()
    page.locator("#tab-score").click()


def claim_by_hand(phones: Phones, words: str, route: str, colour: str) -> None:
    """Let a player say whose a route is, where no camera sees it."""
    diary, page = phones.diary, phones.bo
    with diary.step("a route is claimed by hand, found by its name"):
        phones.open_tab("board", page)
        diary.tap(page.locator("#board .all-routes"))
        diary.write(page.locator("#route-search"), words)
        phones.tap(f"route:{route}", page)
        diary.tap(page.locator("dialog").last.locator(f"[data-key=choice-{colour}]"))
        phones.element(f"route:{route}", page).locator(".no-car").wait_for(state="detached")
        phones.screenshot("by-hand", page)
    page.locator("dialog .sheet-close").last.click()
    phones.open_tab("score", page)

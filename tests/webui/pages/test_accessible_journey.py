"""The accessible edition without looking: from the QR code to the winner, by ear and keys."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from board_phones import turn
from dealt_tables import dealt_table
from listening import Listener
from phones import Phone
from playwright.sync_api import Browser, ViewportSize
from railspotter.table.game_log.people_facts import Player
from table_pages import MINUS, faultless
from waiting import until

from .test_voice import ENGINE

PLAYERS = (Player("ann", "red", "Ann", shape="circle"), Player("bob", "blue", "Bob", shape="star"))
# Of a keyboard beside a narrow window: each part of the page has a tab, as on a phone.
WINDOW: ViewportSize = {"width": 480, "height": 800}
# A game of three rounds: after six shapes two are left, and the last turns begin.
SHAPES = 8
HANDS = ("red red red red", "blue blue green green")
# What lies open, and what comes up: Ann takes two white ones, and claims two grey spaces with them.
FACE_UP = "white white black yellow green"


def scanned(host: Phone, browser: Browser) -> str:
    """Return what a phone reads in the code that the host shows."""
    svg = host.get("/codes").json["join"]["svg"]
    with browser.new_context(viewport={"width": 400, "height": 400}) as context:
        page = context.new_page()
        page.set_content(f'<body style="background: #fff">{svg}')
        shot = np.frombuffer(page.screenshot(), np.uint8)
    shown = cv2.imdecode(shot, cv2.IMREAD_COLOR)
    assert shown is not None
    # OpenCV's other detector does not read one in sixty of these codes, of a new secret each.
    text, _, _ = cv2.QRCodeDetectorAruco().detectAndDecode(shown)
    assert text
    return str(text)


def comes_in(ann: Listener) -> None:
    """She takes her seat, and has the page speak."""
    ann.find("dialog", "Who are you?")
    ann.press("button", "Ann")
    ann.leave("dialog")
    ann.open_tab("Table")
    ann.press("button", "Voice")
    ann.press("switch", "Call the game aloud", key="Space")
    ann.hear("The voice is on.")
    ann.press("switch", "Say more", key="Space")
    ann.hear("The voice says more now.")
    ann.close_dialogs()
    ann.open_ask()
    ann.press("switch", "Say the answers aloud", key="Space")
    ann.close_dialogs()


def chooses_tickets(ann: Listener) -> None:
    ann.ask("1", "Your turn. Everybody chooses at the same time.")
    ann.ask("6", "4 cards: 4 red. Choose your tickets. There are 3.")
    ann.open_tab("My cards")
    ann.press("button", "Look at them")
    ann.find("dialog", "Choose your tickets")
    offered = [n.name for n in ann.nodes() if n.role == "button" and "goes back" in n.name]
    assert len(offered) == 3
    for name in offered[:2]:
        ticket = name.removesuffix(" goes back")
        ann.press("button", ticket)
        ann.find("button", f"{ticket} kept")
    ann.press("button", "Keep 2 tickets")
    ann.hear("Ann's turn.")
    # Her eight shapes do not reach for one of them.
    gone, open_ = "Atlanta to Montreal, 9 points: No longer possible.", "6 points: 6 spaces to go."
    ann.ask("3", gone, f"Atlanta to New York, {open_} Still to claim: ", "Between")


def claims_a_route(ann: Listener) -> None:
    """What can be paid is a list; the cards are paid at once."""
    ann.ask("1", "Your turn. Take a card")
    can_pay = "Oklahoma City: 4 spaces, printed red; you have the cards for it."
    ann.ask("denver", "9 routes are free from Denver.", can_pay)
    ann.open_tab("My cards")
    ann.press("button", "What you can claim now")
    ann.press("button", "Denver \N{EN DASH} Oklahoma City")
    ann.press("button", "Pay 4 red")
    name = "Denver \N{EN DASH} Oklahoma City"
    lay = f"Ann claims {name}: put 1 shape on its pin (red, circle)."
    ann.hear(lay, "Put 3 shapes back in the box.")
    ann.close_dialogs()
    ann.ask("5", lay)
    ann.open_tab("Score")
    ann.press("button", "It lies there")
    ann.hear("Ann takes Denver to Oklahoma City, 7 points; Ann leads.")
    ann.ask("4", "Ann, red, circle: 7 points, 4 shapes left")
    ann.ask("denver", "Oklahoma City: taken by Ann.")


def turn_of(bob: Phone) -> None:
    """Bob draws two cards from the deck."""
    for _ in range(2):
        assert bob.post("/cards/moves", {"move": {"move": "draw_card"}}).status == 200


def draws_two_cards(ann: Listener, bob: Phone, button: str, card: str = "") -> None:
    """What she takes is told to her screen reader alone, in a live region."""
    ann.hear("Ann's turn.")
    whose = bob.state()["cards"]["turn"]
    ann.open_tab("My cards")
    ann.press("button", button)
    ann.find("StaticText", "Take a second card.")
    ann.find("StaticText", f"You have taken {card}")
    ann.press("button", button)
    until(lambda: (cards := bob.state()["cards"])["turn"] != whose or cards["phase"] == "over")


def begins_the_last_turns(ann: Listener) -> None:
    """Among all routes, found by letters, a grey one of two spaces leaves her two shapes."""
    ann.hear("Ann's turn.")
    ann.ask("6", "2 white")
    ann.ask("oklahoma", "Dallas, left lane: 2 spaces, printed grey; you have")
    ann.open_tab("Board")
    ann.press("button", "All routes")
    ann.go_to("searchbox", "")
    ann.page.keyboard.type("dallas oklahoma left")
    ann.press("button", "Dallas \N{EN DASH} Oklahoma City, left lane")
    ann.press("button", "Pay 2 white")
    ann.hear("Ann claims Dallas", "Put 1 shape back in the box.")
    ann.close_dialogs()
    ann.hear("Last turns!")
    ann.open_tab("Score")
    ann.press("button", "It lies there")
    ann.hear("Ann takes Dallas to Oklahoma City, 2 points; Ann leads.")
    ann.ask("4", "Ann, red, circle: 9 points, 2 shapes left")


def hears_who_wins(ann: Listener, bob: Phone) -> None:
    """Tickets are shown, points are counted together, and the winner is called."""
    ann.ask("1", "The game is over")
    assert bob.post("/hand/reveal").status == 200
    ann.press("button", "Show my ")
    ann.press("button", "Skip to the result")
    winner = ann.hear(" wins! With ")
    title = winner.partition("!")[0] + "!"
    ann.find("heading", title)
    points = {p["name"]: p["points"] for p in bob.state()["players"]}
    first = max(points, key=lambda name: points[name])
    assert winner.startswith(f"{first} wins! With {str(points[first]).replace('-', MINUS)} point")
    ann.ask("1", winner)


@pytest.mark.journey
def test_a_game_is_played_without_looking(browser: Browser, tmp_path: Path) -> None:
    with (
        dealt_table(
            tmp_path,
            players=PLAYERS,
            hands=HANDS,
            face_up=FACE_UP,
            edition="usa-accessible",
            trains=SHAPES,
        ) as running,
        faultless(browser, WINDOW) as page,
    ):
        bob = running.player("bob")
        turn(bob, bob.get("/cards").json)
        page.add_init_script(ENGINE)
        page.goto(scanned(running.host(), browser))
        ann = Listener(page)
        comes_in(ann)
        chooses_tickets(ann)
        claims_a_route(ann)
        turn_of(bob)
        ann.ask("7", "Face up: white, white, black, yellow, and green.")
        draws_two_cards(ann, bob, "Take white", "white.")
        turn_of(bob)
        begins_the_last_turns(ann)
        turn_of(bob)
        draws_two_cards(ann, bob, "Draw from the deck")
        hears_who_wins(ann, bob)

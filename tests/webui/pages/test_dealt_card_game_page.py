"""The Card Game on two phones' pages: dealt, played a few turns, and its end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from card_phones import deck_table
from msgspec.structs import replace
from phones import Phone
from playwright.sync_api import Browser, Page, expect
from railspotter.scoring.dealing.dealt_card_game import DealtCardGame
from railspotter.table.card_games.dealt_games import DealtGameStore, SeatedGame
from railspotter.webui.serving.server import Server
from resting_pages import resting_app
from table_pages import faultless, ready, say


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(resting_app(tmp_path, is_open=True)[0], "127.0.0.1", 0) as server:
        here = Phone(int(server.url.rstrip("/").rpartition(":")[2]))
        deck = here.post("/card-deck/parse", {"text": deck_table()}).json
        assert here.ask("PUT", "/card-deck", {**deck, "seen": ""}).status == 200
        yield server


@contextmanager
def opened(browser: Browser, url: str, **context: Any) -> Iterator[Page]:
    with faultless(browser, locale="en-GB", **context) as page:
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto(url)
        ready(page)
        yield page


def is_narrow(page: Page) -> bool:
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width <= 320


def changed(store: DealtGameStore, **parts: object) -> None:
    """Have the game be another one, as long play would make it."""
    (name,) = store.names()

    def change(before: SeatedGame) -> SeatedGame:
        game = replace(before.game, moves=before.game.moves + 1, **parts)
        return replace(before, game=msgspec.convert(game, DealtCardGame, from_attributes=True))

    store.change(name, change)


@pytest.mark.journey
def test_two_phones_play_and_neither_shows_the_others_cards(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    store = DealtGameStore(tmp_path)
    with opened(browser, f"{server.url}card-game") as ann:
        ann.locator("#deal-player-0").fill("Ann")
        ann.locator("#deal-player-1").fill("Bob")
        assert is_narrow(ann)
        ann.locator("[data-key=deal-done]").click()
        ann.locator("[data-key=sit-red]").click()
        ann.locator("[data-key=offered-2]").click()
        assert is_narrow(ann)
        expect(ann.locator(".turn-head")).to_contain_text(say("cards.your_tickets"))
        with opened(browser, ann.url) as bob:
            expect(bob.locator("[data-key=sit-red]")).to_have_count(0)
            bob.locator("[data-key=sit-blue]").click()
            for page in (ann, bob):
                names = page.locator(".offered .ticket-name")
                expect(names).to_have_count(6)
            hers, his = (page.locator(".offered-list").inner_text() for page in (ann, bob))
            assert not {line for line in hers.splitlines() if "Ticket" in line} & set(
                his.splitlines()
            )
            ann.locator("[data-key=keep]").click()
            bob.locator("[data-key=offered-0]").click()
            bob.locator("[data-key=keep]").click()
            expect(bob.locator(".turn-head")).to_contain_text(say("cards.turn_of", name="Ann"))
            # Ann places three of a colour, as a tap each says.
            changed(store, hands={"red": {"green": 3, "locomotive": 1}, "blue": {"pink": 8}})
            expect(ann.locator(".turn-head")).to_contain_text(say("cards.your_turn"))
            ann.locator("[data-key=own]").click()
            expect(ann.locator("[data-key=tile-green] .tile-count")).to_have_text("3")
            for _ in range(3):
                ann.locator("[data-key=tile-green]").click()
            ann.locator("[data-key=place]").click()
            expect(ann.locator("[data-yard=red] .yard-rows")).to_contain_text("green: 3")
            assert is_narrow(ann)
            # Bob tries what the rules refuse: it is said in a sentence.
            expect(bob.locator(".turn-head")).to_contain_text(say("cards.your_turn"))
            bob.locator("[data-key=own]").click()
            bob.locator("[data-key=tile-pink]").click()
            bob.locator("[data-key=place]").click()
            expect(bob.locator("#toast")).to_contain_text("A suit has two cards or more.")
            # The deck runs out: one more turn each, and the end.
            changed(store, deck={}, turns_left=1, face_up=("red",), tracks={"red": {"blue": 9}})
            expect(bob.locator("[data-key^=take-]")).to_have_count(2)
            bob.locator("[data-key=take-0]").click()
            for page in (ann, bob):
                expect(page.locator("[data-lines=red]")).to_be_visible()
                assert is_narrow(page)
            bob.reload()
            ready(bob)
            expect(bob.locator("[data-lines=blue]")).to_be_visible()


PLAYERS = {"players": [{"colour": "red", "name": "Ann"}, {"colour": "blue", "name": "Bob"}]}


def begun(server: Server, path: str, body: Any = PLAYERS) -> tuple[Phone, str]:
    """This computer's own browser, and the id of a game that it began."""
    here = Phone(int(server.url.rstrip("/").rpartition(":")[2]))
    return here, str(here.post(path, body).json["id"])


@pytest.mark.parametrize(("path", "kind"), [("/dealt-card-games", "play"), ("/card-games", "game")])
def test_a_phone_says_when_nobody_answers_and_brings_a_deleted_game_back(
    browser: Browser, server: Server, path: str, kind: str
) -> None:
    here, game = begun(server, path)
    with opened(browser, f"{server.url}card-game#{kind}={game}") as page:
        trouble = page.locator("#trouble")
        expect(trouble).to_be_hidden()
        page.context.set_offline(True)
        expect(trouble).to_have_text(say("lost.text"))
        assert is_narrow(page)
        page.context.set_offline(False)
        expect(trouble).to_be_hidden()
        assert here.ask("DELETE", f"{path}/{game}").status == 200
        expect(page.locator("main")).to_contain_text(say("cards.deleted_title"))
        assert is_narrow(page)
        page.locator("[data-key=bring-back]").click()
        expect(page.locator("main")).to_contain_text("Ann")
        expect(page.locator("[data-key=bring-back]")).to_have_count(0)
        assert here.get(f"{path}/{game}{'/view' if kind == 'play' else ''}").status == 200


def test_the_keyboard_stays_at_the_turn_where_what_it_pressed_is_gone(
    browser: Browser, server: Server
) -> None:
    _, game = begun(server, "/dealt-card-games")
    with opened(browser, f"{server.url}card-game#play={game}") as page:
        for key in ("sit-red", "offered-0", "keep"):
            page.locator(f"[data-key={key}]").press("Enter")
        expect(page.locator(".turn-head")).to_be_focused()
        turn = say("cards.choosing", names="Bob")
        expect(page.locator(".turn-head h2")).to_have_text(turn)
        expect(page.locator("#said")).to_contain_text(turn)


def test_a_hand_that_was_shown_is_closed_once_the_seat_was_left(
    browser: Browser, server: Server
) -> None:
    _, game = begun(server, "/dealt-card-games")
    with opened(browser, f"{server.url}card-game#play={game}") as page:
        page.locator("[data-key=sit-red]").click()
        own = page.locator("[data-key=own]")
        own.click()
        expect(own).to_have_attribute("aria-expanded", "true")
        page.locator("[data-key=leave]").click()
        page.get_by_role("button", name=say("cards.leave_yes")).click()
        page.locator("[data-key=sit-red]").click()
        expect(page.locator("main")).to_contain_text(say("cards.hidden_alone", name="Ann"))
        expect(own).to_have_count(0)
        page.locator("[data-key=deal-anew-red]").click()
        page.get_by_role("button", name=say("dealt.deal_anew_yes")).click()
        expect(own).to_have_attribute("aria-expanded", "false")


def test_a_computer_has_one_name_and_paper_says_who_won(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    seats = [{"colour": "red", "name": "Ann"}, {"colour": "blue", "computer": "easy"}]
    _, game = begun(server, "/dealt-card-games", {"players": seats})
    with opened(browser, f"{server.url}card-game#play={game}") as page:
        expect(page.locator("[data-key=print]")).to_have_count(0)  # it would print nothing
        done = {"ticket": {"cities": ["A"], "circles": {"red": 1}, "points": 9}}
        done["paid"] = {"red": 1}
        ended = {"offered": {}, "tickets": {}, "city_bonuses": {}, "final": True}
        changed(DealtGameStore(tmp_path), completed={"blue": [done]}, **ended)
        name = say("dealt.computer", name="blue")
        expect(page.locator("[data-lines=blue] summary")).to_contain_text(name)
        expect(page.locator("[data-key=print]")).to_be_visible()
        page.emulate_media(media="print")
        expect(page.locator(".turn-head h2")).to_have_text(say("cards.winner", name=name))
        expect(page.locator(".turn-head")).to_be_visible()
        expect(page.locator("[data-key=print]")).to_be_hidden()


FAR = {"extra_http_headers": {"X-Forwarded-For": "192.0.2.7"}}  # no browser of this computer


def test_a_phone_is_lost_as_the_first_deck_is_counted(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    store, port = DealtGameStore(tmp_path), int(server.url.rstrip("/").rpartition(":")[2])
    here = Phone(port)
    names = {"red": "Ann", "blue": "Bob", "green": "Cleo", "black": "Dee"}
    players = [{"colour": colour, "name": name} for colour, name in names.items()]
    game = here.post("/dealt-card-games", {"players": players}).json["id"]
    path, cleo = f"/dealt-card-games/{game}", Phone(port)
    cleo.post(f"{path}/seat", {"colour": "green"}, X_Forwarded_For="192.0.2.8")
    ticket = {"cities": ["Aville"], "circles": {"red": 2}, "points": 5}
    cheap = {"cities": ["Beetown"], "circles": {"red": 1}, "points": 3}
    with opened(browser, f"{server.url}card-game#play={game}") as ann:
        ann.locator("[data-key=sit-red]").click()
        expect(ann.locator("[data-key=sit-red]")).to_have_count(0)
        with opened(browser, ann.url, **FAR) as bob:
            bob.locator("[data-key=sit-blue]").click()
            # Both sit, and it is written: what is changed below is not taken back by a seat.
            expect(bob.locator("[data-key=sit-blue]")).to_have_count(0)
            expect(bob.locator("[data-key^=free-]")).to_have_count(0)
            changed(
                store,
                offered={},
                is_first=False,
                deck={},
                turns_left=0,
                hands={"red": {}, "blue": {"pink": 8}, "green": {}, "black": {}},
                tickets={"red": [cheap, ticket]},
                tracks={"red": {"red": 2}},
                choosing=["red"],
                to_complete={"red": [1], "blue": [], "green": [], "black": []},
            )
            expect(bob.locator(".turn-head")).to_contain_text("Ann")
        # The best is proposed. Ann completes the other one; both are more than the cards pay for.
        dear = ann.locator("[data-key=complete-1]")
        expect(dear).to_have_attribute("aria-pressed", "true")
        ann.locator("[data-key=complete-0]").click()
        expect(ann.locator("[data-key=complete]")).to_be_disabled()
        dear.click()
        assert is_narrow(ann)
        ann.locator("[data-key=complete]").click()
        expect(ann.locator("[data-yard=red] .lines")).to_contain_text("Beetown")
        # Bob's phone is gone: Ann's browser is this computer's, so it frees the seat.
        ann.locator("[data-key=free-blue]").click()
        ann.get_by_role("button", name=say("cards.free_seat")).last.click()
        with opened(browser, ann.url, **FAR) as bob:
            bob.locator("[data-key=sit-blue]").click()
            expect(bob.locator("main")).to_contain_text(say("cards.hidden", name="Bob"))
            expect(bob.locator("[data-key=own]")).to_have_count(0)
            expect(ann.locator("[data-key=deal-anew-blue]")).to_be_visible()
            expect(ann.locator("[data-key=vouch-blue]")).to_have_count(0)
            vouched = cleo.post(f"{path}/vouch", {"colour": "blue"}, X_Forwarded_For="192.0.2.8")
            assert vouched.status == 200
            bob.locator("[data-key=own]").click()
            expect(bob.locator("[data-key=tile-pink]")).to_be_visible()
            assert is_narrow(bob)


@pytest.mark.parametrize(("points", "is_told"), [(6, True), (7, False)], ids=["a tie", "no tie"])
def test_what_decided_a_tie_is_told(
    browser: Browser, server: Server, tmp_path: Path, points: int, is_told: bool
) -> None:
    here = Phone(int(server.url.rstrip("/").rpartition(":")[2]))
    players = [{"colour": "red", "name": "Ann"}, {"colour": "blue", "name": "Bob"}]
    game = here.post("/dealt-card-games", {"players": players}).json["id"]
    short, long = (
        {"ticket": {"cities": ["Aville"], "circles": {"red": 1}, "points": n}, "paid": {"red": 1}}
        for n in (3, points)
    )
    changed(
        DealtGameStore(tmp_path),
        offered={},
        is_first=False,
        city_bonuses={},
        completed={"red": [short, short], "blue": [long]},
        final=True,
    )
    winner, told = ("Ann", say("cards.tie_break")) if is_told else ("Bob", "")
    with opened(browser, f"{server.url}card-game#play={game}") as page:
        expect(page.locator(".turn-head h2")).to_have_text(say("cards.winner", name=winner))
        expect(page.locator(".turn-head p")).to_have_text([told] if told else [])


@pytest.mark.journey
def test_a_left_seat_waits_for_a_word_and_all_seats_delete_their_game(
    browser: Browser, server: Server
) -> None:
    _, game = begun(server, "/dealt-card-games")
    with (
        opened(browser, f"{server.url}card-game#play={game}", **FAR) as ann,
        opened(browser, ann.url, **FAR) as bob,
    ):
        ann.locator("[data-key=sit-red]").click()
        bob.locator("[data-key=sit-blue]").click()
        expect(bob.locator("[data-key=offered-0]")).to_be_visible()
        ann.locator("[data-key=leave]").click()
        ann.get_by_role("button", name=say("cards.leave_yes")).click()
        expect(bob.locator("main")).to_contain_text(say("cards.did.left", name="Ann"))
        ann.locator("[data-key=sit-red]").click()
        expect(ann.locator("main")).to_contain_text(say("cards.hidden", name="Ann"))
        expect(ann.locator("main")).to_contain_text(say("cards.who_may_vouch", names="Bob"))
        expect(ann.locator("[data-key=offered-0]")).to_have_count(0)
        expect(ann.locator("[data-key=delete]")).to_have_count(0)
        bob.locator("[data-key=vouch-red]").click()
        expect(ann.locator("[data-key=offered-0]")).to_be_visible()
        # One seat alone deletes nobody's game.
        ann.locator("[data-key=delete]").click()
        expect(ann.locator("dialog")).to_contain_text(say("cards.delete_play_text"))
        ann.get_by_role("button", name=say("cards.delete_yes")).last.click()
        for page in (ann, bob):
            expect(page.locator("main")).to_contain_text(say("cards.deleting", names="Ann"))
            assert is_narrow(page)
        bob.locator("[data-key=agree-delete]").click()
        for page in (ann, bob):
            expect(page.locator("main")).to_contain_text(say("cards.deleted_title"))
        ann.locator("[data-key=bring-back]").click()
        expect(ann.locator("[data-key=offered-0]")).to_be_visible()


def test_a_last_choice_that_goes_round_in_a_circle_is_asked_for(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    _, game = begun(server, "/dealt-card-games")
    path = f"/dealt-card-games/{game}"
    bob = Phone(int(server.url.rstrip("/").rpartition(":")[2]))
    bob.post(f"{path}/seat", {"colour": "blue"})
    with opened(browser, f"{server.url}card-game#play={game}") as ann:
        ann.locator("[data-key=sit-red]").click()
        expect(ann.locator("[data-key=offered-0]")).to_be_visible()
        changed(DealtGameStore(tmp_path), is_first=False, offered={}, **CIRCLE, turns_left=1)
        expect(ann.locator(".turn-head")).to_contain_text(say("cards.your_turn"))
        ann.locator("[data-key=take-0]").click()
        ann.locator("[data-key=pass]").click()
        expect(ann.locator("main")).to_contain_text(say("cards.complete_last"))
        assert is_narrow(ann)
        chosen = {"seen": 0, "move": {"move": "complete_tickets", "places": [1]}}
        assert bob.post(f"{path}/moves", chosen).status == 200
        ann.locator("[data-key=complete]").click()
        expect(ann.locator(".turn-head h2")).to_have_text(say("cards.winner", name="Ann"))


def test_a_counted_circle_is_undecided_until_somebody_chooses(
    browser: Browser, server: Server
) -> None:
    here, _ = begun(server, "/card-games")
    text = {
        "edition": "card-game",
        "players": PLAYERS["players"],
        "tickets": CIRCLE["tickets"],
        "stack": CIRCLE["tracks"],
        "completed": {"red": [one["ticket"] for one in CIRCLE["completed"]["red"]]},
        "city_bonuses": CIRCLE["city_bonuses"],
        "final": True,
    }
    answer = here.post("/card-games/import", {"game": text}).json
    path = f"/card-games/{answer['id']}"
    assert (answer["answer"]["winners"], answer["answer"]["decided_by"]) == ([], None)
    note = "nobody has won yet: that is not decided"
    assert note in here.get(f"{path}/export/bgg").content.decode()
    with opened(browser, f"{server.url}card-game#game={answer['id']}") as page:
        undecided = say("cards.undecided", names="Ann and Bob")
        expect(page.locator("[data-part=winner]")).to_have_text(undecided)
        assert is_narrow(page)
        page.locator("[data-key=choose]").click()
        expect(page.locator("[data-part=winner]")).to_have_text(say("cards.winner", name="Bob"))


CIRCLE: dict[str, Any] = {
    "deck": {},
    "face_up": ("white", "yellow"),
    "tracks": {"red": {"locomotive": 1}, "blue": {"locomotive": 2, "green": 1}},
    "tickets": {
        "red": [
            {"cities": ["Dallas", "Miami"], "circles": {"orange": 1}, "points": 8},
            {"cities": ["Chicago", "Helena"], "circles": {"blue": 1}, "points": 11},
        ],
        "blue": [
            {"cities": ["Seattle", "Miami"], "circles": {"black": 1, "pink": 1}, "points": 10},
            {"cities": ["Seattle", "Dallas"], "circles": {"green": 1}, "points": 8},
            {"cities": ["Dallas", "Helena"], "circles": {"black": 1}, "points": 10},
        ],
    },
    "completed": {
        "red": [
            {
                "ticket": {"cities": ["Miami", "Atlanta"], "circles": {"pink": 1}, "points": 7},
                "paid": {"pink": 1},
            }
        ]
    },
    "city_bonuses": {"Dallas": 9, "Miami": 10},
}

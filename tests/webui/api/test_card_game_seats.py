"""Seats of The Card Game that is dealt: a lost phone's is freed, and its hand stays a secret."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from card_phones import choice, deck_table, seated
from phones import Answer, Phone
from railspotter.webui.serving.server import Server
from resting_pages import resting_app

DEALT = "/dealt-card-games"
WAITS = (409, "hidden")


class FarPhone(Phone):
    """A phone that is not at this computer, whose own browsers are the host's."""

    def ask(self, method: str, path: str, body: Any = None, **headers: str | None) -> Answer:
        return super().ask(method, path, body, **headers, X_Forwarded_For="192.0.2.7")


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with Server(resting_app(tmp_path, is_open=True)[0], "127.0.0.1", 0) as server:
        yield int(server.url.rstrip("/").rpartition(":")[2])


def begun(port: int, players: int, computers: int = 0) -> tuple[Phone, str]:
    """The host's browser, and the path of a game in which nobody sits yet."""
    host = Phone(port)
    deck = host.post("/card-deck/parse", {"text": deck_table()}).json
    assert host.ask("PUT", "/card-deck", {**deck, "seen": ""}).status == 200
    colours = ("red", "blue", "green", "black")
    seats = [{"colour": colour} for colour in colours[:players]]
    seats += [{"colour": c, "computer": "easy"} for c in colours[players : players + computers]]
    answer = host.post(DEALT, {"players": seats})
    assert answer.status == 200, answer.content
    return host, f"{DEALT}/{answer.json['id']}"


def dealt(port: int, players: int, computers: int = 0) -> tuple[Phone, list[Phone], str]:
    """The host's browser, phones in their seats, and the path of their game."""
    host, path = begun(port, players, computers)
    phones: list[Phone] = [FarPhone(port) for _ in range(players)]
    seated(phones, path)
    for phone in phones:
        view = phone.get(f"{path}/view").json["view"]
        made = phone.post(f"{path}/moves", {"seen": view["moves"], "move": choice(view)})
        assert made.status == 200
    return host, phones, path


def taken_over(host: Phone, port: int, path: str, colour: str) -> Phone:
    """The phone that sits down where the host freed a seat."""
    assert host.ask("DELETE", f"{path}/seats/{colour}").status == 200
    phone = FarPhone(port)
    assert phone.post(f"{path}/seat", {"colour": colour}).status == 200
    return phone


def seen(phone: Phone, path: str) -> Any:
    return phone.get(f"{path}/view").json


def test_the_host_frees_a_lost_phones_seat_and_a_player_says_whose_the_new_one_is(
    port: int,
) -> None:
    host, (red, blue, green), path = dealt(port, 3)
    before = seen(blue, path)["view"]["own"]
    assert red.ask("DELETE", f"{path}/seats/blue").refusal == (403, "not here")
    new = taken_over(host, port, path, "blue")
    assert seen(blue, path)["seat"] is None, "the lost phone is nobody's"
    for phone in (new, red, host):
        told = seen(phone, path)
        assert (told["hidden"], told["seated"]) == (["blue"], ["red", "green", "blue"])
    assert (seen(new, path)["seat"], seen(new, path)["view"]["own"]) == ("blue", None)
    assert (seen(red, path)["may_vouch"], seen(new, path)["may_vouch"]) == (True, False)
    move = {"seen": seen(new, path)["view"]["moves"], "move": {"move": "draw_card"}}
    assert new.post(f"{path}/moves", move).refusal == WAITS
    assert new.ask("DELETE", path).refusal == WAITS
    # Nobody says it of oneself, nor for who does not wait, nor without a seat.
    assert new.post(f"{path}/vouch", {"colour": "blue"}).refusal == WAITS
    assert red.post(f"{path}/vouch", {"colour": "green"}).refusal == (409, "refused")
    assert FarPhone(port).post(f"{path}/vouch", {"colour": "blue"}).refusal == (403, "not yours")
    opened = green.post(f"{path}/vouch", {"colour": "blue"})
    assert opened.json["hidden"] == []
    assert [event["what"] for event in opened.json["view"]["events"][-2:]] == ["freed", "vouched"]
    assert seen(new, path)["view"]["own"]["hand"] == before["hand"]
    assert seen(new, path)["view"]["own"]["tickets"] == before["tickets"]
    assert host.ask("DELETE", f"{path}/seats/black").refusal == (409, "refused")


def test_a_seat_stays_hidden_whoever_sits_down_until_somebody_has_vouched(port: int) -> None:
    host, (red, _), path = dealt(port, 2)
    new = taken_over(host, port, path, "blue")
    assert new.ask("DELETE", f"{path}/seat").status == 200
    another = FarPhone(port)
    another.post(f"{path}/seat", {"colour": "blue"})
    assert seen(another, path)["view"]["own"] is None
    assert host.ask("DELETE", f"{path}/seats/red").status == 200
    third = FarPhone(port)
    third.post(f"{path}/seat", {"colour": "red"})
    assert third.post(f"{path}/vouch", {"colour": "blue"}).refusal == WAITS, "who waits vouches not"
    assert red.post(f"{path}/vouch", {"colour": "blue"}).refusal == (403, "not yours")


def test_a_host_who_plays_has_the_hand_dealt_anew_and_sees_nothing_of_the_old_one(
    port: int,
) -> None:
    host, phones, path = dealt(port, 2)
    assert phones[0].ask("DELETE", f"{path}/seat").status == 200
    host.post(f"{path}/seat", {"colour": "red"})
    assert host.post(f"{path}/vouch", {"colour": "blue"}).refusal == WAITS
    assert phones[1].post(f"{path}/vouch", {"colour": "red"}).status == 200
    old = seen(phones[1], path)["view"]["own"]
    assert host.post(f"{path}/deal-anew", {"colour": "blue"}).refusal == (409, "refused")
    new = taken_over(host, port, path, "blue")
    assert host.post(f"{path}/vouch", {"colour": "blue"}).refusal == (403, "not yours")
    assert new.post(f"{path}/deal-anew", {"colour": "blue"}).refusal == (403, "not here")
    assert host.post(f"{path}/deal-anew", {"colour": "blue"}).status == 200
    now = seen(new, path)["view"]["own"]
    assert sum(now["hand"].values()) == sum(old["hand"].values())
    assert len(now["tickets"]) == len(old["tickets"])
    assert not [ticket for ticket in now["tickets"] if ticket in old["tickets"]]


def test_who_plays_against_computers_alone_goes_on_at_once(port: int) -> None:
    host, (red,), path = dealt(port, 1, computers=2)
    before = seen(red, path)["view"]["own"]
    new = taken_over(host, port, path, "red")
    assert seen(new, path)["view"]["own"] == before


def test_who_sits_in_each_seat_in_turn_before_the_start_is_noticed(port: int) -> None:
    _, path = begun(port, 3)
    stranger, red, blue, green = (FarPhone(port) for _ in range(4))
    for colour in ("red", "blue", "green"):
        taken = stranger.post(f"{path}/seat", {"colour": colour})
        assert taken.json["view"]["own"]["colour"] == colour, "the first phone opens it"
    assert stranger.ask("DELETE", f"{path}/seat").status == 200
    seated([red, blue, green], path)
    for phone in (red, blue, green):
        told = seen(phone, path)
        assert (told["view"]["own"], told["hidden"]) == (None, ["red", "blue", "green"])
        left = [one["colour"] for one in told["view"]["events"] if one["what"] == "left"]
        assert left == ["red", "blue", "green"]
        assert told["vouchers"] == {"red": [], "blue": [], "green": []}
    keep = {"seen": 0, "move": {"move": "keep_offered", "places": [0]}}
    assert red.post(f"{path}/moves", keep).refusal == WAITS


def test_a_seat_that_is_left_in_mid_game_is_opened_by_another_players_word(port: int) -> None:
    host, (red, blue, green), path = dealt(port, 3)
    old = seen(red, path)["view"]["own"]["hand"]
    assert red.ask("DELETE", f"{path}/seat").json["seated"] == ["blue", "green"]
    # Blue's phone goes to the other seat, and does not say of itself whose it is afterwards.
    moved = blue.post(f"{path}/seat", {"colour": "red"})
    assert (moved.json["seat"], moved.json["view"]["own"]) == ("red", None)
    told = seen(green, path)
    assert (told["hidden"], told["vouchers"]) == (["red"], {"red": ["green"]})
    assert told["may_vouch"]
    assert blue.post(f"{path}/seat", {"colour": "blue"}).json["view"]["own"] is None
    back = red.post(f"{path}/seat", {"colour": "red"})
    assert back.json["view"]["own"] is None, "it is not known who holds it now"
    # Blue's phone sat in red's seat, and so says nothing of that one, even when it sees its own.
    assert green.post(f"{path}/vouch", {"colour": "blue"}).status == 200
    assert seen(blue, path)["vouchers"] == {"red": ["green"]}
    assert blue.post(f"{path}/vouch", {"colour": "red"}).refusal == (403, "not yours")
    assert green.post(f"{path}/vouch", {"colour": "red"}).status == 200
    assert seen(red, path)["view"]["own"]["hand"] == old
    assert not seen(host, path)["may_vouch"]


def test_a_game_is_deleted_by_all_seats_or_the_host_and_comes_back(
    port: int, tmp_path: Path
) -> None:
    host, (red, blue), path = dealt(port, 2)
    before = seen(red, path)
    assert red.ask("DELETE", path).json == {"is_deleted": False, "deleting": ["red"]}
    assert seen(blue, path)["deleting"] == ["red"], "all are told"
    move = {"seen": before["view"]["moves"], "move": {"move": "draw_card"}}
    assert red.post(f"{path}/moves", move).json["deleting"] == [], "who plays on refuses"
    before = seen(red, path)
    assert blue.ask("DELETE", path).json["is_deleted"] is False
    assert red.ask("DELETE", path).json["is_deleted"] is True
    gone = blue.get(f"{path}/view")
    assert gone.refusal == (410, "deleted")
    (file,) = (tmp_path / "card-game" / "dealt" / "deleted").iterdir()
    assert gone.json["until_s"] == int(file.name.partition("-")[0]) + 7 * 24 * 3600
    assert FarPhone(port).post(f"{path}/bring-back").status == 200
    assert seen(red, path) == before
    # What was deleted a week ago is gone.
    assert host.ask("DELETE", path).json["is_deleted"] is True
    (file,) = file.parent.iterdir()
    file.rename(file.with_name(f"{time.time() - 7 * 24 * 3600 - 60:.0f}-{file.name.split('-')[1]}"))
    assert red.get(f"{path}/view").refusal == (404, "unknown")
    assert red.post(f"{path}/bring-back").refusal == (404, "unknown")
    assert not list(file.parent.iterdir())


def test_a_seat_that_nobody_has_is_not_outvoted(port: int) -> None:
    _, (red, blue), path = dealt(port, 2)
    blue.ask("DELETE", f"{path}/seat")
    assert red.ask("DELETE", path).json["is_deleted"] is False
    blue.post(f"{path}/seat", {"colour": "blue"})
    assert blue.ask("DELETE", path).refusal == WAITS
    assert red.post(f"{path}/vouch", {"colour": "blue"}).status == 200
    assert blue.ask("DELETE", path).json["is_deleted"] is True


def test_a_hand_is_dealt_anew_as_the_first_deck_is_counted(port: int, tmp_path: Path) -> None:
    host, _, path = dealt(port, 4)
    ticket = {"cities": ["Aville"], "circles": {"red": 2}, "points": 5}
    cheap = {"cities": ["Beetown"], "circles": {"red": 1}, "points": 3}
    (file,) = (tmp_path / "card-game" / "dealt").glob("*.json")
    kept = json.loads(file.read_text())
    nobody: dict[str, Any] = {colour: [] for colour in kept["game"]["hands"]}
    kept["game"] |= {
        "deck": {},
        "discards": {"pink": 10},
        "turns_left": 0,
        "ticket_deck": kept["game"]["ticket_deck"][:1],
        "tickets": {**nobody, "red": [cheap, ticket], "blue": [ticket] * 3},
        "tracks": {"red": {"red": 2}, "blue": {"red": 9}},
        "choosing": ["red"],
        "to_complete": {**nobody, "red": [1], "blue": [0, 1, 2]},
    }
    file.write_text(json.dumps(kept))
    new = taken_over(host, port, path, "blue")
    assert host.post(f"{path}/deal-anew", {"colour": "blue"}).status == 200
    view = seen(new, path)["view"]
    assert (view["events"][-1]["what"], view["events"][-1]["missing"]) == ("dealt anew", 2)
    red = taken_over(host, port, path, "red")
    assert new.post(f"{path}/vouch", {"colour": "red"}).status == 200
    move = {"move": "complete_tickets", "places": [0]}
    assert red.post(f"{path}/moves", {"seen": 0, "move": move}).status == 200
    assert seen(red, path)["view"]["round"] == 2
    paid = [one["paid"] for one in seen(red, path)["view"]["players"][1]["completed"]]
    assert all(set(cards) == {"red"} for cards in paid), "nobody had Locomotives"

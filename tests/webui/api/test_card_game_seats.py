"""Seats of The Card Game that is dealt: a lost phone's is freed, and its hand stays a secret."""

from __future__ import annotations

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
    with Server(resting_app(tmp_path)[0], "127.0.0.1", 0) as server:
        yield int(server.url.rstrip("/").rpartition(":")[2])


def dealt(port: int, players: int, computers: int = 0) -> tuple[Phone, list[Phone], str]:
    """The host's browser, phones in their seats, and the path of their game."""
    host = Phone(port)
    deck = host.post("/card-deck/parse", {"text": deck_table()}).json
    assert host.ask("PUT", "/card-deck", {**deck, "seen": ""}).status == 200
    colours = ("red", "blue", "green", "black")
    seats = [{"colour": colour} for colour in colours[:players]]
    seats += [{"colour": c, "computer": "easy"} for c in colours[players : players + computers]]
    begun = host.post(DEALT, {"players": seats})
    assert begun.status == 200, begun.content
    phones: list[Phone] = [FarPhone(port) for _ in range(players)]
    path = f"{DEALT}/{begun.json['id']}"
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

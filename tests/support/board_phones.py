"""Phones that play a board game by what they see, and nothing else."""

from collections.abc import Iterable
from typing import Any

from phones import Phone


def move(phone: Phone, move: dict[str, Any]) -> None:
    answer = phone.post("/cards/moves", {"move": move})
    assert answer.status == 200, answer.json


MANY_CARDS = 12  # with so many in the hand anything is claimed


def turn(phone: Phone, cards: dict[str, Any], wanted: Iterable[str] = ()) -> None:
    """Make one move as somebody would: claim what can be paid, else draw what there is.

    `wanted` are the spots that are saved for; without any, all are.
    """
    saved_for = set(wanted)
    may_take = not saved_for or sum(cards["hand"].values()) >= MANY_CARDS
    payable = [spot for spot in cards["payable"] if may_take or spot in saved_for]
    if cards["offered"]:
        kept = cards["offered"][: cards["at_least"]]
        move(phone, {"move": "keep_tickets", "tickets": kept})
    elif cards["tunnel"]:
        more = cards["tunnel"]["additions"]
        move(phone, {"move": "pay_more", "cards": more[0]} if more else {"move": "leave_tunnel"})
    elif payable:
        best = next((spot for spot in payable if spot in saved_for), payable[0])
        kind, _, name = best.partition(":")
        asked = phone.get(f"/cards/payments?kind={kind}&about={name}").json
        move(phone, {"move": "pay", "kind": kind, "id": name, "cards": asked["payments"][0]})
    elif cards["can_draw"]["deck"]:
        move(phone, {"move": "draw_card"})
    elif True in cards["can_draw"]["places"]:
        move(phone, {"move": "draw_card", "place": cards["can_draw"]["places"].index(True)})
    elif cards["can_draw_tickets"]:
        move(phone, {"move": "draw_tickets"})
    else:
        move(phone, {"move": "pass_turn"})


def way(board: dict[str, Any], a: str, b: str) -> list[str]:
    """The routes of a way between two places that has the fewest of them."""
    ways = {a: list[str]()}
    while b not in ways:
        for one in board["routes"]:
            for here, there in ((one["a"], one["b"]), (one["b"], one["a"])):
                if here in ways and there not in ways:
                    ways[there] = [*ways[here], f"route:{one['id']}"]
    return ways[b]

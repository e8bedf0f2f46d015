"""Phones that play a board game whose cards are dealt to them, by what they see alone."""

from __future__ import annotations

from typing import Any

from phones import Phone


def move(phone: Phone, move: dict[str, Any]) -> None:
    """Make one move; nobody refuses it."""
    answer = phone.post("/cards/moves", {"move": move})
    assert answer.status == 200, answer.json


def turn(phone: Phone, cards: dict[str, Any]) -> None:
    """Make one move as somebody would: claim what can be paid, else draw what there is."""
    if cards["offered"]:
        kept = cards["offered"][: cards["at_least"]]
        move(phone, {"move": "keep_tickets", "tickets": kept})
    elif cards["tunnel"]:
        more = cards["tunnel"]["additions"]
        move(phone, {"move": "pay_more", "cards": more[0]} if more else {"move": "leave_tunnel"})
    elif cards["payable"]:
        kind, _, name = cards["payable"][0].partition(":")
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

"""Phones that play The Card Game by what they see, and nothing else."""

import time
from collections import Counter
from typing import Any

from phones import Phone

COLOURS = ("black", "blue", "green", "orange", "pink", "red", "white", "yellow")
PLAYERS = ("red", "blue", "green", "black")
CITY = "Ayton"
DEALT = "/dealt-card-games"


def deck_table(tickets: int = 46) -> str:
    """A made-up deck, in which every ticket has a place that no other one has."""
    rows = [f"bonus,{CITY},9"]
    for n in range(tickets):
        one, other = COLOURS[n % 8], COLOURS[(n // 8 + n + 1) % 8]
        rows.append(
            f"Ticket{n:02},{CITY if n % 4 == 0 else 'Elsewhere'},{4 + n % 9},2 {one} 1 {other}"
        )
    return "\n".join(rows)


def choice(view: Any) -> dict[str, Any]:
    """The next move of who sees this: two tickets, then the longest suit or else cards."""
    own = view["own"]
    if own["offered"]:
        return {"move": "keep_offered", "places": [0, 1]}
    if own["to_complete"] is not None:
        return {"move": "complete_tickets", "places": own["to_complete"]}
    if own["can_place"] and (cards := longest_suit(view)):
        return {"move": "place_cards", "cards": cards}
    if own["can_draw_deck"]:
        return {"move": "draw_card"}
    if any(own["can_draw_places"]):
        return {"move": "draw_card", "place": own["can_draw_places"].index(True)}
    return {"move": "draw_tickets"} if own["can_draw_tickets"] else {"move": "pass_turn"}


def longest_suit(view: Any) -> dict[str, int]:
    """Three cards or more of a colour that may be placed; none where there are none."""
    own = view["own"]
    rows: Counter[str] = Counter()
    for player in view["players"]:
        for card, row in player["railyard"].items():
            size = row["cards"] + row["locomotives"]
            rows[card] = max(rows[card], 99 if player["colour"] == own["colour"] else size)
    suits = [(n, card) for card, n in own["hand"].items() if card != "locomotive"]
    return next(({c: n} for n, c in sorted(suits, reverse=True) if n > max(2, rows[c])), {})


def seated(phones: list[Phone], path: str) -> None:
    """Have each phone take a seat."""
    for phone, colour in zip(phones, PLAYERS, strict=False):
        answer = phone.post(f"{path}/seat", {"colour": colour})
        assert answer.status == 200, answer.content


def on_turn(phones: list[Phone], path: str) -> tuple[Phone, Any] | None:
    """The phone that has something to do, and what it sees; None when the game is over."""
    for phone in phones:
        view = phone.get(f"{path}/view").json["view"]
        if view["final"]:
            return None
        own = view["own"]
        if own["offered"] or own["is_on_turn"] or own["to_complete"] is not None:
            return phone, view
    raise AssertionError("nobody has anything to do")


def begun(port: int, players: int = 2, computers: dict[str, str] | None = None, **more: Any) -> str:
    """The path of a new game with a made-up deck; computers come after the people."""
    here = Phone(port)
    deck = here.post("/card-deck/parse", {"text": deck_table()}).json
    kept = here.get("/card-deck").json["seen"]
    assert here.ask("PUT", "/card-deck", {**deck, "seen": kept}).status == 200
    seats: list[dict[str, str]] = [{"colour": colour} for colour in PLAYERS[:players]]
    seats += [{"colour": c, "computer": strength} for c, strength in (computers or {}).items()]
    answer = here.post(DEALT, {"players": seats, **more})
    assert answer.status == 200, answer.content
    return f"{DEALT}/{answer.json['id']}"


def dealt(
    port: int, players: int = 2, computers: dict[str, str] | None = None, **more: Any
) -> tuple[list[Phone], str]:
    """Phones in their seats, and the path of their new game."""
    path = begun(port, players, computers, **more)
    phones = [Phone(port) for _ in range(players)]
    seated(phones, path)
    return phones, path


def moved(phone: Phone, path: str, view: Any, move: dict[str, Any] | None = None) -> Any:
    body = {"seen": view["moves"], "move": move or choice(view)}
    while (answered := phone.post(f"{path}/moves", body)).status == 429:  # faster than people are
        time.sleep(answered.json["retry_after_s"])
    assert answered.status == 200, (answered.content, body)
    return answered.json

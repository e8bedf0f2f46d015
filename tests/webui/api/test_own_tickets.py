"""A map with tickets of its own: the page offers them, knows their points, and counts them."""

from pathlib import Path
from typing import Any

import drawn
import msgspec
from phones import table
from railspotter.scoring.board import Board, BoardTicket
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded
from railspotter.table.live_table.commands import AddFacts


def map_with_tickets() -> Board:
    """The drawn map under another name, with two tickets that no edition has."""
    whole = drawn.usa()
    own = (BoardTicket("atlanta", "charleston", 6), BoardTicket("seattle", "miami", 30))
    return msgspec.structs.replace(whole, id="my-map", title="My map", tickets=own)


def test_the_map_s_tickets_are_offered_kept_and_counted(tmp_path: Path) -> None:
    with table(tmp_path, board=map_with_tickets()) as running:
        bob = running.player("bob")
        deck = bob.get("/deck").json["tickets"]
        assert [(t["a"], t["b"], t["points"]) for t in deck] == [
            ("atlanta", "charleston", 6),
            ("seattle", "miami", 30),
        ]
        assert bob.post("/hand", {"a": "charleston", "b": "atlanta"}).status == 200
        # One of the edition's is none of this map's: its points must be said.
        refused = bob.post("/hand", {"a": "boston", "b": "miami"})
        assert refused.status == 400
        assert "My map has no ticket" in refused.json["error"]["message"]
        route = Spot("route", "atlanta--charleston")
        running.live.execute(AddFacts([Placed.on(route, colour="blue", by="camera")]))
        (held,) = bob.get("/hand").json["tickets"]
        assert held["points"] == 6
        assert held["is_done"]
        assert bob.post("/hand/reveal", {}).status == 200
        running.live.execute(AddFacts([GameEnded()]))
        assert ticket_points(running.phone().get("/state").json, "bob") == 6


def ticket_points(state: Any, seat: str) -> int:
    (player,) = [one for one in state["players"] if one["seat"] == seat]
    return int(player["ticket_points"])


def test_another_edition_s_tickets_are_not_offered_on_a_map_without_its_places(
    tmp_path: Path,
) -> None:
    whole = drawn.usa()
    kept = [place for place in whole.places if place.id != "seattle"]
    routes = tuple(r for r in whole.routes if "seattle" not in (r.a, r.b))
    part = msgspec.structs.replace(whole, id="part", places=tuple(kept), routes=routes)
    with table(tmp_path, board=part) as running:
        deck = running.phone().get("/deck").json["tickets"]
        assert deck
        assert all("seattle" not in (ticket["a"], ticket["b"]) for ticket in deck)

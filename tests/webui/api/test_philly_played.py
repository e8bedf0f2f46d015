"""A Philly board of one's own over the real program's port: made on the page, set up and played by
Philly's rules."""

import itertools
import json
import time
from pathlib import Path
from typing import Any

import philly
import pytest
from msgspec.structs import replace
from phones import Phone
from railspotter.cli.command import main
from railspotter.table.boards.own_boards import OwnBoards
from served_play import asked, free_port, put, serving_play
from set_ups import set_up
from waiting import until

PAUSE_S = 5.0  # until the program takes as much at once as it did before
PLAYERS = [{"name": "Ann", "colour": "red"}, {"name": "Bo", "colour": "blue"}]
ROUTE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21}
# What Ann holds: Norristown - Old City is completed, Sharon Hill hangs on it, Fishtown does not.
ANNS = [
    "69th-st--norristown",
    "30th-st--69th-st",
    "30th-st--city-hall",
    "city-hall--old-city",
    "69th-st--sharon-hill",
    "30th-st--brewerytown",
    "brewerytown--north-philly",
    "fishtown--somerset",
]
SITES = ["zoo", "museum-of-art", "liberty-bell"]


def edit(host: Phone, draft: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """Edit the draft, not faster than the program takes it from people."""
    path, body = f"/board-drafts/{draft['id']}/edits", {"seen": draft["number"], **said}
    told = until(lambda: (answer := host.post(path, body)).status != 429 and answer)
    assert told.status == 200, told.content
    edited: dict[str, Any] = told.json
    return edited


def made(host: Phone) -> dict[str, Any]:
    """Make the board as a person does on the page; return the draft as it is saved."""
    size = {"width_mm": philly.SIZE_MM[0], "height_mm": philly.SIZE_MM[1]}
    draft = host.post("/board-drafts", {"title": "Our Philly", **size}).json
    path = f"/board-drafts/{draft['id']}"
    for said in philly.edits():
        draft = edit(host, draft, said)
    time.sleep(PAUSE_S)
    assert host.post(f"{path}/save", {"seen": draft["number"]}).status == 200
    told: dict[str, Any] = draft
    return told


def tap(host: Phone, kind: str, *spots: str, colour: str = "red") -> None:
    for spot in spots:
        said = {"kind": kind, "about": spot, "was": None, "now": colour}
        assert host.post("/corrections", said).status == 200, spot


def keep(host: Phone, seat: str, a: str, b: str) -> None:
    assert host.post(f"/players/{seat}/hand", {"a": a, "b": b}).status == 200


@pytest.mark.parametrize(
    ("rules", "sites"),
    [
        pytest.param({}, 6 + 7 + 8, id="as printed", marks=pytest.mark.long),
        pytest.param(
            {"site_points": [3, 3], "replaced_locomotive": True}, 3 + 3 + 4, id="house rules"
        ),
    ],
)
def test_it_is_played_by_phillys_rules_from_the_page(
    home: Path, rules: dict[str, Any], sites: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving_play(free_port()) as play:
        host = play.host()
        draft = made(host)
        assert (draft["edition"], draft["notes"]) == ("philly", [])
        view = host.get("/set-up").json
        (own,) = (one for one in view["editions"] if one["is_own"])
        assert (own["title"], own["rules"]) == ("Our Philly", "Philly (a fan map)")
        view = put(host, "edition", {"edition": own["id"], "board": own["board"]})
        offered = {rule["name"]: rule["usual"] for rule in view["rules"]}
        assert offered["site_points"] == [*range(6, 18)]
        assert offered["replaced_locomotive"] is False
        assert view["gaps"] == []
        put(host, "house-rules", {"house_rules": rules})
        put(host, "players", {"players": PLAYERS})
        assert put(host, "source", {"source": "none"})["may_begin"]
        assert host.post("/set-up/begin").status == 200
        state = until(lambda: asked(host, "/state"))
        assert (state["game"]["edition"], state["game"]["longest_path_bonus"]) == ("philly", 0)
        # The bridge, and a line from each of four sites to its station.
        assert len(host.get("/board").json["dotted"]) == 5

        tap(host, "route", *ANNS)
        tap(host, "route", philly.BRIDGE, colour="blue")
        tap(host, "site", *SITES)
        keep(host, "ann", "norristown", "old-city")
        keep(host, "ann", "fishtown", "frankford")
        keep(host, "bo", "sharon-hill", "fern-rock")
        assert host.post("/end").status == 200
        for seat in ("ann", "bo"):
            assert host.post(f"/players/{seat}/hand/reveal", {}).status == 200
        points = {one["name"]: one["points"] for one in host.state()["players"]}

        # By hand: lengths, tickets; all three sites are in the part of the ticket's cities, and so
        # are routes of the modes N, S, T, B and R.
        lengths = {f"{min(a, b)}--{max(a, b)}": n for a, b, _, n, _ in philly.ROUTES}
        routes = sum(ROUTE_POINTS[lengths[route]] for route in ANNS)
        assert points == {"Ann": routes + 13 - 4 + sites + 10, "Bo": 10 - 12}
        export = host.get("/export/game").json
        assert (export["edition"], export["board"]) == ("philly", f"{own['board']}.json")
        (file := home / "boards" / "played.txt").write_text(json.dumps(export))
        assert main(["score", "--json", str(file)]) == 0
        scored = json.loads(capsys.readouterr().out)["players"]
        assert {one["name"]: one["total"] for one in scored} == points
        assert play.ended() == 0


def test_the_host_chooses_other_rules_and_is_told_what_the_board_lacks(home: Path) -> None:
    with set_up(home) as running:
        host = running.host()
        size = {"width_mm": 700, "height_mm": 500}
        draft = host.post("/board-drafts", {"title": "Bare", **size}).json
        few = list(itertools.islice(philly.edits(), 2))  # its places and a route
        for said in (*few, {"kind": "board", "edition": "philly"}):
            draft = edit(host, draft, said)
        lacks = {note for note in draft["notes"] if "no route ends" not in note}
        assert lacks == {
            "no tickets are known: players type theirs in with their points, and no phone is dealt"
            " any",
            "no route is of the modes B, N, R, S, T: nobody can have the bonus for all modes",
            "nobody has said which mode these routes are of: 69th St - Norristown",
            "no sites are known, so none can be claimed",
        }
        host.post(f"/board-drafts/{draft['id']}/save", {"seen": draft["number"]})
        view = put(host, "edition", {"edition": "philly", "board": "bare"})
        assert set(view["gaps"]) == lacks
        view = put(host, "edition", {"edition": "usa-1910", "board": "bare"})
        assert (view["edition"]["board"], view["edition"]["rules"]) == ("bare", "USA 1910")
        assert view["own_board_rules"]["philly"] == "Philly (a fan map)"
        assert len(view["gaps"]) == 1


def test_a_board_that_nobody_measured_is_not_shown_to_a_camera(home: Path) -> None:
    board = philly.philly()
    bare = tuple(replace(route, spaces=()) for route in board.routes)
    OwnBoards(home).save(replace(board, measured=False, routes=bare))
    with set_up(home) as running:
        host = running.host()
        put(host, "edition", {"edition": "philly", "board": board.id})
        put(host, "players", {"players": PLAYERS})
        view = put(host, "source", {"source": "phone"})
        (fault,) = view["faults"]
        assert (view["step"], fault["step"], view["may_begin"]) == ("source", "source", False)
        assert "'Our Philly' was not measured yet" in fault["said"]
        assert host.post("/set-up/begin").status == 409
        assert put(host, "source", {"source": "none"})["may_begin"]

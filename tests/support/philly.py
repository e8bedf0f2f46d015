"""A made-up board in Philly's manner: the printed board's table is not public."""

from collections.abc import Iterator
from math import cos, radians, sin
from typing import Any

import msgspec
from railspotter.calibration.board_making.draft import Draft, finished_board
from railspotter.scoring.board import Board
from railspotter.table.boards.edits import DraftChange, apply_edit

SIZE_MM = (700.0, 500.0)
PLACES = """name,x_mm,y_mm
Norristown,60,80
69th St,160,300
30th St,300,320
City Hall,380,340
Old City,480,380
Brewerytown,300,220
Fishtown,490,300
North Philly,400,170
Fern Rock,400,60
Somerset,500,240
Frankford,600,110
Bridesburg,620,230
Sharon Hill,150,430
"""
# Ends, colour, length, and the letter of the means of transport.
ROUTES = [
    ("norristown", "69th-st", "grey", 6, "N"),
    ("69th-st", "30th-st", "blue", 4, "S"),
    ("30th-st", "city-hall", "red", 2, "S"),
    ("city-hall", "old-city", "green", 3, "S"),
    ("69th-st", "sharon-hill", "grey", 3, "T"),
    ("brewerytown", "fishtown", "yellow", 5, "T"),
    ("30th-st", "brewerytown", "pink", 3, "B"),
    ("brewerytown", "north-philly", "white", 3, "R"),
    ("north-philly", "fern-rock", "orange", 3, "R"),
    ("somerset", "frankford", "black", 4, "B"),
    ("fishtown", "somerset", "grey", 1, "B"),
    ("norristown", "fern-rock", "grey", 8, "R"),
    ("north-philly", "bridesburg", "blue", 5, "B"),
]
# The last one crosses under another: its angle, and where its spaces are, from North Philly.
BRIDGE, BRIDGE_DEG, ALONG_MM = "bridesburg--north-philly", 15.26, (40, 67, 94, 166, 193)
SITES = """name,station,colours,x_mm,y_mm,angle_deg
Zoo,brewerytown,red yellow,250,190,20
Museum of Art,30th-st,blue green,280,360,70
Franklin Institute,30th-st,pink black,330,370,70
Liberty Bell,old-city,white orange,520,410,30
"""
TICKETS = """from,to,points
Norristown,Old City,13
Sharon Hill,Fern Rock,12
Fishtown,Frankford,4
"""


def bridge_spaces() -> Iterator[tuple[float, float]]:
    """The middles of the bridge's spaces."""
    way = radians(BRIDGE_DEG)
    yield from ((400 + far * cos(way), 170 + far * sin(way)) for far in ALONG_MM)


def edits() -> Iterator[dict[str, Any]]:
    """What a person says to make it, one edit after the other."""
    yield {"kind": "all places", "table": PLACES}
    for n, (a, b, colour, length, mode) in enumerate(ROUTES, 1):
        said = {"place": a, "other_place": b, "colour": colour, "length": length}
        yield {"kind": "add route", **said}
        yield {"kind": "traits", "route": n, "mode": mode}
    for n, (x, y) in enumerate(bridge_spaces()):
        at = {"x_mm": x, "y_mm": y, "angle_deg": BRIDGE_DEG}
        yield {"kind": "move space", "route": len(ROUTES), "space": n, **at}
    yield {"kind": "sites", "table": SITES}
    yield {"kind": "tickets", "table": TICKETS}
    yield {"kind": "board", "edition": "philly", "is_complete": True}


def philly() -> Board:
    """The board."""
    draft = Draft(id="philly-of-ours", title="Our Philly", places=(), size_mm=SIZE_MM)
    for said in edits():
        draft = apply_edit(draft, msgspec.convert({"seen": 0, **said}, DraftChange))
    return finished_board(draft)[0]

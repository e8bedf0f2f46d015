"""What a reading by a drawn reference may be trusted with, and what it must ask.

A drawn reference lacks symbols and fine lines. Shape alone then tells trains from a print of their
own colour less surely, and takes some bare prints for something laid on them.
"""

from __future__ import annotations

from dataclasses import replace

from .first_look import FirstLook
from .reading import Doubt, PieceReading, Reading
from .view import View

SURE = 0.98
"""Confidence from which trains are not asked about."""
BARE = -0.3
"""Evidence for every colour, on each space, below which a print of a colour that nobody plays is
bare."""
NOTE = (
    "read without a photo of your empty board: expect more questions;"
    " 'railspotter calibrate' makes it better"
)
PARTLY = (
    "the reference was taken with trains on the board: the {count} routes that they hid are read by"
    " a drawing, and asked about more often"
)


def cautious(view: View, first: FirstLook, reading: Reading) -> Reading:
    """Return a reading by a reference that is drawn, or partly, with the doubts it deserves."""
    printed = view.printed
    drawn = {route.id for route in printed.board.routes}
    if not printed.is_drawn:
        drawn &= printed.drawn_routes
    # A colour that is only seen on prints of its own may be nobody's.
    in_play = {
        answer.colour
        for route in printed.board.routes
        if (answer := reading.routes[route.id]).colour != route.colour
        and (answer.confidence >= SURE or route.id not in drawn)
        and answer.doubt is None
    }
    evidence = printed.per_route_max(first.trains.placements.score).max(axis=1)
    routes = dict(reading.routes)
    for route, most in zip(printed.board.routes, evidence, strict=True):
        if route.id not in drawn:
            continue
        answer = reading.routes[route.id]
        colour = answer.colour
        if colour is None:
            lanes = printed.board.other_lanes.get(route.id, frozenset())
            alone = all(reading.routes[lane].colour is None for lane in lanes)
            if route.colour not in view.colours and most < BARE and alone:
                answer = replace(answer, doubt=None)
        elif colour not in in_play:
            answer = _asked(answer, None, f"{colour} is seen on its own prints alone")
        elif answer.confidence < SURE:
            answer = _asked(answer, colour, _why(route.colour, colour))
        routes[route.id] = answer
    note = NOTE if printed.is_drawn else PARTLY.format(count=len(drawn))
    return replace(reading, routes=routes, notes=(*reading.notes, note))


def _why(printed: str, trains: str) -> str:
    if printed == trains:
        return f"{trains} trains and the {trains} print look alike"
    return "it is not clear whether trains stand there"


def _asked(answer: PieceReading, said: str | None, why: str) -> PieceReading:
    """Return an answer that claims trains as a doubt; one that was doubted keeps its reason."""
    if answer.doubt is not None and said == answer.colour:
        return answer
    doubt = Doubt(answer.about, said, (None if said else answer.colour,), why)
    return replace(answer, colour=said, doubt=doubt)

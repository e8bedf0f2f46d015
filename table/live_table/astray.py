"""Pieces of a computer that somebody laid where it has not paid for them.

A computer lays nothing itself, so these are no claim and no question: people are told where they
belong.
"""

from collections.abc import Collection, Mapping

from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.spot_state import SpaceReading

from ..game_log.board_facts import Placed, TakenBack
from ..game_log.facts import Fact
from ..game_log.table_state import TableState
from .table_view import laying_of

SeenFact = tuple[Fact, bytes]  # a fact, with a JPEG as proof, empty for none
HeldBack = Mapping[Spot, tuple[Placed, bytes]]  # facts that are not written, by their spot


def is_astray(table: TableState, spot: Spot, colour: Colour) -> bool:
    """Tell whether pieces of a colour on a spot are a computer's that has not paid for it."""
    is_computer = any(one.computer and one.colour == colour for one in table.players)
    return is_computer and table.dealing is not None and table.owned.get(spot) != colour


def astray_colour(table: TableState, doubt: Doubt) -> Colour | None:
    """Return the colour that may lie astray on a spot, if nothing else but it may lie there."""
    colours = [one for one in (doubt.said, *doubt.alternatives) if one is not None]
    is_all = all(is_astray(table, doubt.spot, one) for one in colours)
    return colours[0] if colours and is_all else None


def sort_out(
    facts: Collection[SeenFact], held_back: HeldBack, table: TableState
) -> tuple[tuple[SeenFact, ...], HeldBack]:
    """Return the facts that are to be written, and those that are held back as long as they lie.

    What was held back is written once it is paid for, or a person plays that colour.
    """
    written, held = list[SeenFact](), dict(held_back)
    for fact, proof in facts:
        before = held.pop(fact.spot, None) if isinstance(fact, Placed | TakenBack) else None
        if isinstance(fact, Placed) and is_astray(table, fact.spot, fact.colour):
            held[fact.spot] = fact, proof
        elif before is None or isinstance(fact, Placed):
            written.append((fact, proof))
    paid = [one for spot, one in held.items() if not is_astray(table, spot, one[0].colour)]
    lying = {spot: one for spot, one in held.items() if one not in paid}
    return (*written, *paid), lying


def being_laid(
    table: TableState, changing: Mapping[Spot, Collection[SpaceReading]]
) -> dict[Spot, Colour]:
    """Return the spots on which somebody begins to lay a computer's pieces, with their colour."""
    colours = {*table.to_lay.values()}
    return {
        spot: colour
        for spot, spaces in changing.items()
        for colour in sorted(colours)
        if is_astray(table, spot, colour)
        and (laying := laying_of(spaces, colour)) is not None
        and laying.standing
    }

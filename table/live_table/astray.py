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


def is_astray(table: TableState, spot: Spot, colour: Colour | None) -> bool:
    """Tell whether pieces of a colour on a spot are a computer's that has not paid for it."""
    if table.dealing is None or colour is None or table.owned.get(spot) == colour:
        return False
    return any(player.computer and player.colour == colour for player in table.players)


def is_doubt_astray(table: TableState, doubt: Doubt) -> bool:
    """Tell whether whatever may lie on a spot is a computer's that has not paid for it."""
    colours = {doubt.said, *doubt.alternatives} - {None}
    return bool(colours) and all(is_astray(table, doubt.spot, colour) for colour in colours)


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

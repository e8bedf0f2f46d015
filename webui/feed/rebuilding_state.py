"""What is still to be laid of a game that was packed away, as JSON has it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, get_args

from railspotter.table.game_log.course_facts import GamePackedAway
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.table_view import Difference, DifferenceKind, RebuildingView

KINDS: tuple[DifferenceKind, ...] = get_args(DifferenceKind)


def rebuilding_state(
    view: RebuildingView, log: PublicLog, pictured: Collection[int]
) -> dict[str, Any]:
    """Return what lies otherwise than the game has it, by kinds, and the board as it lay."""
    table = log.game.table
    packed = (event.seq for event in log.events if isinstance(event.fact, GamePackedAway))
    seq = max((one for one in packed if one in pictured), default=None)
    return {
        "is_read": view.is_read,
        "picture": None if seq is None else f"/api/v1/log/{log.number_by_seq[seq]}/crop.jpg",
        **{
            kind: [_difference(one, table) for one in view.differences if one.kind == kind]
            for kind in KINDS
        },
    }


def _difference(one: Difference, table: TableState) -> dict[str, Any]:
    told: dict[str, Any] = {
        "spot": one.spot.key,
        "colour": one.colour,
        "seen": one.seen,
        "spaces": table.pieces_on(one.spot),
    }
    return told if one.lies_on is None else {**told, "lies_on": one.lies_on.key}

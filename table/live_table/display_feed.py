"""What a display beside the board is told of a table: each new standing, and what is to be laid."""

from __future__ import annotations

from railspotter.vision.watching.settling import WatchState

from ..display_desk import Lights, PiecesToLay
from ..game_log.facts import Event
from ..game_log.table_state import TableState
from ..photos.scored_photo_text import spot_name
from .course import claimants
from .table_view import TableView


class DisplayFeed:
    """Gives a display each new standing, and dims it while the camera reads: lights blind it."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._shown: TableState | None = None
        self._to_lay: tuple[PiecesToLay, ...] = ()

    def update(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Show a changed table; called by the table."""
        table, to_lay = view.game.table, _to_lay(view)
        if table is not self._shown or to_lay != self._to_lay:
            self._shown, self._to_lay = table, to_lay
            standing = table.score.standing
            self._lights.show_standing(
                standing, table.edition, claimants(events, view.game), to_lay
            )
        # A question may stay open for long, and nothing is read for it meanwhile.
        self._lights.dim(is_reading=view.sight.state is WatchState.SETTLING and not view.questions)
        self._lights.warn(is_blind=bool(view.hindrance or view.trouble))


def _to_lay(view: TableView) -> tuple[PiecesToLay, ...]:
    """Return what is paid for and does not lie on the board, in the order in which it was paid.

    Of a game that was packed away it is what is not laid out again yet.
    """
    table = view.game.table
    to_lay = list(table.to_lay.items())
    if (rebuilding := view.sight.rebuilding) is not None:
        gone = (one for one in rebuilding.differences if one.is_plain)
        to_lay = [(one.spot, one.colour) for one in gone if one.colour is not None]
    seen = {spot: len(laying.standing) for spot, laying in view.sight.laying.items()}
    return tuple(
        PiecesToLay(
            colour,
            spot_name(table.board, spot),
            table.pieces_on(spot),
            seen.get(spot, 0),
            view.marker_moves.get(spot),
        )
        for spot, colour in to_lay
    )

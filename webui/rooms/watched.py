"""What is before a table's camera, be a game set up there or played: what its calls need."""

from __future__ import annotations

import threading
from abc import abstractmethod
from dataclasses import dataclass

from railspotter.table.calibration_desk import CalibrationDesk
from railspotter.table.display_desk import DisplayDesk
from railspotter.table.live_table import PhoneCamera, TableCamera

from ..access import Door


@dataclass(frozen=True, eq=False)
class Watched:
    """A table's camera, and what stands beside the board, as they are at one moment.

    Attributes
    ----------
    camera : TableCamera
        What is seen.
    phone : PhoneCamera or None
        Takes a phone's pictures, where a phone is the camera.
    desk : DisplayDesk or None
        The display beside the board.
    is_over : threading.Event
        Set when whoever looks on is to leave.
    calibration : CalibrationDesk or None
        Where the board is, where somebody may look for it.
    """

    camera: TableCamera
    phone: PhoneCamera | None
    desk: DisplayDesk | None
    is_over: threading.Event
    calibration: CalibrationDesk | None = None


class WatchedDoor(Door):
    """The door of a table that has a camera, before a game and while it is played."""

    @abstractmethod
    def watched(self) -> Watched:
        """Return what is there now."""

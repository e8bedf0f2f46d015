"""The desk of a running game: it looks at what the game sees, which goes on with what is said."""

from __future__ import annotations

from railspotter.calibration.profiles.profile import Profile

from ..home import ProfileStore
from ..live_table.commands import UseProfile
from ..live_table.live_table import LiveTable
from ..own_trains import saver_of_profile
from .live_calibration import LiveCalibration


def calibration_for(table: LiveTable, store: ProfileStore) -> LiveCalibration | None:
    """Return it; None without a camera, and where nobody keeps the profile, as the drawn one.

    What would be saved of a board that is only drawn would be read with at the next real game.
    """
    profile = table.profile
    if profile is None:
        return None
    if not profile.is_drawn and profile.name not in store.names():
        return None

    def use(changed: Profile) -> None:
        table.do(UseProfile(changed, saver_of_profile(store, changed)))

    return LiveCalibration(lambda: table.frame, table.log.state.table.board, profile, store, use)

"""What a watcher says, as facts for the log, and as what a person says about it."""

from __future__ import annotations

from railspotter.scoring import Colour
from railspotter.vision.watching import Appeared, Spot, Vanished

from ..game_log import (
    AnyFact,
    ClaimCorrected,
    ClaimWithdrawn,
    RouteClaimed,
    SiteClaimed,
    SiteCorrected,
    SiteWithdrawn,
    StationBuilt,
    StationCorrected,
    StationWithdrawn,
    TableState,
)

NOT_SEEN = "it was seen free"


def fact_of(change: Appeared | Vanished) -> AnyFact:
    """Return the fact that a change is.

    Examples
    --------
    >>> change = Appeared(("route", "a--b"), 9.0, 1.0, (0, 0, 1, 1), "red", 0.99)
    >>> fact = fact_of(change)
    >>> fact.kind, fact.colour, fact.by
    ('route_claimed', 'red', 'camera')
    """
    if isinstance(change, Vanished):
        return free(change.spot, seen_to_change=change.seen_to_change)
    return stands(change.spot, change.colour, change.sure, seen_to_change=change.seen_to_change)


def stands(spot: Spot, colour: Colour, sure: float, *, seen_to_change: bool) -> AnyFact:
    """Return the fact that the camera sees someone's pieces on a spot."""
    match spot:
        case ("route", name):
            return RouteClaimed(
                route=name, colour=colour, by="camera", sure=sure, seen_to_change=seen_to_change
            )
        case ("station", name):
            return StationBuilt(
                place=name, colour=colour, by="camera", sure=sure, seen_to_change=seen_to_change
            )
        case (_, name):
            return SiteClaimed(
                site=name, colour=colour, by="camera", sure=sure, seen_to_change=seen_to_change
            )


def free(spot: Spot, *, seen_to_change: bool) -> AnyFact:
    """Return the fact that the camera sees a spot free that was not."""
    match spot:
        case ("route", name):
            return ClaimWithdrawn(
                route=name, by="camera", why=NOT_SEEN, seen_to_change=seen_to_change
            )
        case ("station", name):
            return StationWithdrawn(
                place=name, by="camera", why=NOT_SEEN, seen_to_change=seen_to_change
            )
        case (_, name):
            return SiteWithdrawn(
                site=name, by="camera", why=NOT_SEEN, seen_to_change=seen_to_change
            )


def corrected(spot: Spot, was: Colour | None, now: Colour | None) -> AnyFact:
    """Return the fact that a person says what stands on a spot."""
    match spot:
        case ("route", name):
            return ClaimCorrected(route=name, was=was, now=now)
        case ("station", name):
            return StationCorrected(place=name, was=was, now=now)
        case (_, name):
            return SiteCorrected(site=name, was=was, now=now)


def standing_on(table: TableState) -> dict[Spot, Colour]:
    """Return whose pieces stand where, as the log has it."""
    return {spot: held.colour for spot, held in table.spots.items() if held.colour is not None}

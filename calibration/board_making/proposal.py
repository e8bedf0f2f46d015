"""Routes proposed for a board that is being made, from spaces that were found on its picture."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from .draft import Draft, DraftSpace
from .printed_spaces import FoundSpace
from .stringing import string_routes

LOOSE_SURE = 0.8  # from which on a space that no route has is told: a route may be missing there


def with_proposals(draft: Draft, spaces: Sequence[FoundSpace]) -> Draft:
    """Return a draft with routes strung from spaces between the places that are on the picture.

    What a person has settled stays, and its spaces are no others'; what was rejected does not come
    again. Older proposals leave.

    Parameters
    ----------
    spaces : sequence of FoundSpace
        As `find_spaces` returns them.
    """
    settled = tuple(route for route in draft.routes if route.is_accepted)
    taken = [space for route in settled for space in route.spaces]
    first = 1 + max((route.number for route in settled), default=0)
    strung = string_routes(spaces, draft.placed, taken)
    proposed = [replace(route, number=n) for n, route in enumerate(strung, start=first)]
    used = [*taken, *(space for route in proposed for space in route.spaces)]
    rejected = {frozenset(s.xy_mm for s in route.spaces) for route in draft.rejected}
    new = (r for r in proposed if frozenset(s.xy_mm for s in r.spaces) not in rejected)
    return replace(
        draft,
        routes=(*settled, *new),
        space_size_mm=spaces[0].size_mm if spaces else draft.space_size_mm,
        loose=tuple(_loose(spaces, used)),
    )


def _loose(spaces: Sequence[FoundSpace], used: Sequence[DraftSpace]) -> list[DraftSpace]:
    loose: list[DraftSpace] = []
    for space in spaces:
        if space.sure < LOOSE_SURE:
            continue
        near = 0.8 * space.size_mm[0]
        x, y = space.xy_mm
        others = (other.xy_mm for other in (*used, *loose))
        if all((x - u) ** 2 + (y - v) ** 2 > near**2 for u, v in others):
            loose.append(space.in_draft())
    return loose

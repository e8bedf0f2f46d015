"""Facts: what can happen in a game, in the rulebooks' words.

A fact says one thing. All are strict: what is not a fact is refused with the path of what is wrong.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

Thing = tuple[str, ...]
"""Something that facts are about, as `("route", "helena--seattle")`."""
Spot = tuple[Literal["route", "station", "site"], str]
"""Where pieces stand: a route, the one station of a place, a site; and its id."""

By = Literal["camera", "person"]
Sure = Annotated[float, msgspec.Meta(ge=0, le=1)]

ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
"""Text that people wrote is shown in terminals and tables: it has no line ends, nothing unseen."""
Words = Annotated[str, msgspec.Meta(max_length=200, pattern=ONE_LINE)]
Title = Annotated[str, msgspec.Meta(max_length=80, pattern=ONE_LINE)]
Shape = Annotated[str, msgspec.Meta(max_length=40, pattern=ONE_LINE)]
Colour = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=ONE_LINE)]
Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]


def kind_of(class_name: str) -> str:
    """Return what a kind of fact is called in the log.

    Examples
    --------
    >>> kind_of("RouteClaimed")
    'route_claimed'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


class Fact(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="kind",
    tag=kind_of,
):
    """Something that happened."""

    @property
    def kind(self) -> str:
        """What kind of fact it is."""
        return kind_of(type(self).__name__)

    @property
    def about(self) -> frozenset[Thing]:
        """The things that it says something about; a newer fact about one outdates a redo."""
        return frozenset({(self.kind,)})

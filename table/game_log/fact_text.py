"""Facts as JSON: what a log, a file for others and the page have of them.

There each kind of spot has kinds of facts of its own, with the spot's id under a word of its own: a
claim is a `route_claimed` with a `route`, a station a `station_built` with a `place`. Every log has
them so, from the first one on, and other programs read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.spot import Kind, Spot

from .board_facts import AboutSpot, Corrected, Placed, TakenBack
from .facts import Fact

# Under what word a spot's id is.
FIELDS: Mapping[Kind, str] = {"route": "route", "station": "place", "site": "site"}


def fact_object(fact: Fact) -> dict[str, Any]:
    """Return a fact as JSON has it; `fact_of` undoes it.

    Examples
    --------
    >>> fact_object(Corrected(Spot("station", "roma"), now="red"))
    {'kind': 'station_corrected', 'now': 'red', 'place': 'roma'}
    """
    content: dict[str, Any] = msgspec.to_builtins(fact)
    if isinstance(fact, AboutSpot):
        del content["spot"]
        content |= {"kind": fact.kind, FIELDS[fact.spot.kind]: fact.spot.id}
    return content


def _text_form(change: type[AboutSpot], kind: Kind) -> type[msgspec.Struct]:
    """Return what facts of a class have to look like that are about one kind of spot."""
    fields = [
        (FIELDS[kind], Identifier, msgspec.field())
        if field.name == "spot"
        else (field.name, field.type, msgspec.field(default=field.default))
        for field in msgspec.structs.fields(change)
    ]
    name = change.kinds[kind]
    return msgspec.defstruct(name, fields, bases=(Fact,), tag=name, kw_only=True)


_SPOT_FORMS = {
    _text_form(change, kind): (change, kind)
    for change in (Placed, TakenBack, Corrected)
    for kind in get_args(Kind)
}


def text_forms(facts: tuple[type[Fact], ...]) -> tuple[type[msgspec.Struct], ...]:
    """Return the classes that JSON of facts is read as; `fact_of` makes facts of what was read."""
    return (*(fact for fact in facts if not issubclass(fact, AboutSpot)), *_SPOT_FORMS)


def fact_of(read: Any) -> Any:
    """Return the fact that was read as one of `text_forms`."""
    if type(read) not in _SPOT_FORMS:
        return read
    change, kind = _SPOT_FORMS[type(read)]
    content = msgspec.structs.asdict(read)
    return change(Spot(kind, content.pop(FIELDS[kind])), **content)

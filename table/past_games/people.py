"""People over all games of a table: who somebody is, under which name, and who is forgotten.

A person's id is made of the first name that they had here, so that a log need not tell it: the name
in a seat does, also in games that were played before there were people. What is changed later is
kept in a file, for all games; their logs stay as they are. A colour's name is nobody's.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from msgspec.structs import replace
from railspotter.scoring.edition import edition_names, load_edition
from railspotter.scoring.names import Title

from ..errors import TableError
from ..game_log.course_facts import GameStarted
from ..game_log.facts import Event, Fact, PersonId
from ..game_log.game_state import GameState, fold
from ..game_log.people_facts import Player, PlayerCameIn, PlayerRenamed
from ..whole_file import KeptFile

FILE = "people.json"
MOST_PEOPLE = 1000  # with changed names, or forgotten; chosen
ID_BYTES = 8
Seated = tuple[str, PersonId]  # a name in a log, and whose it is, if the name alone does not tell
Named = TypeVar("Named", Player, PlayerRenamed)


class Identity(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person whose name was changed, or who had several."""

    id: PersonId
    name: Title
    also: Annotated[tuple[PersonId, ...], msgspec.Meta(max_length=100)] = ()  # other names' ids

    @property
    def ids(self) -> tuple[PersonId, ...]:
        """All ids of the person."""
        return (self.id, *self.also)


class People(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True
):
    """What is known of people beside the names in logs."""

    known: Annotated[tuple[Identity, ...], msgspec.Meta(max_length=MOST_PEOPLE)] = ()
    forgotten: tuple[PersonId, ...] = ()

    @cached_property
    def _by_id(self) -> dict[PersonId, Identity]:
        return {id: one for one in self.known for id in one.ids}

    def who(self, name: str, person: PersonId = "") -> tuple[PersonId, str]:
        """Return id and present name of whom a seat names; both are empty for nobody.

        Examples
        --------
        >>> People((Identity(id_of("ann"), "Anna"),)).who("Ann")[1], People().who("blue")
        ('Anna', ('', ''))
        """
        id = person or id_of(person_key(name))
        if not has_name(name) or id in self.forgotten:
            return "", ""
        known = self._by_id.get(id)
        return (known.id, known.name) if known else (id, name)

    def id_for(self, name: str) -> PersonId:
        """Return the id of who comes by this name now; empty if a log need not tell it."""
        key = person_key(name)
        for number in count() if has_name(name) else ():
            id = id_of(key, number)
            known = self._by_id.get(id)
            # A name that somebody gave up is free, one of two that were joined is not.
            is_free = known is None or id in known.also or person_key(known.name) == key
            if is_free and id not in self.forgotten:
                return id if number else ""
        return ""

    def renamed(self, id: PersonId, name: str) -> "People":
        """Give a person another name, which must be nobody's."""
        mine = self._by_id.get(id) or Identity(id, name)
        new = self.id_for(name) or id_of(person_key(name))
        also = mine.also if new in mine.ids else (*mine.also, new)
        return self._with(Identity(id, name, also), {id})

    def joined(self, id: PersonId, name: str, other: PersonId) -> "People":
        """Make two people one, who keeps the first id and this name."""
        both = [one for each in (id, other) for one in self._ids(each)]
        return self._with(Identity(id, name, tuple(dict.fromkeys(both[1:]))), {id, other})

    def without(self, id: PersonId) -> "People":
        """Forget a person: no game tells the name any more."""
        forgotten = tuple(dict.fromkeys((*self.forgotten, *self._ids(id))))
        return replace(self._with(None, {id}), forgotten=forgotten)

    def _ids(self, id: PersonId) -> tuple[PersonId, ...]:
        known = self._by_id.get(id)
        return known.ids if known else (id,)

    def _with(self, one: Identity | None, ids: set[PersonId]) -> "People":
        others = (other for other in self.known if other.id not in ids)
        known = (*others, one) if one else tuple(others)
        if len(known) > MOST_PEOPLE:
            raise TableError("there is no room for more people")
        return People(known, self.forgotten)


def people_file(folder: Path) -> KeptFile[People]:
    """Return the file of a data directory with its people."""
    return KeptFile(folder / FILE, People(), is_private=True)


def person_key(name: str) -> str:
    """Normalise a name's case and spaces, to identify a person.

    Examples
    --------
    >>> person_key(" Ann  Lee") == person_key("ann lee")
    True
    """
    return " ".join(name.casefold().split())


def id_of(key: str, number: int = 0) -> PersonId:
    """Return the id of the first person with this `person_key`, or of a later one."""
    return hashlib.blake2b(f"{key}\n{number}".encode(), digest_size=ID_BYTES).hexdigest()


def has_name(name: str, colour: str = "") -> bool:
    """Tell whether a name is somebody's, and not empty, the colour, or a box's other one."""
    return person_key(name) not in _no_names() | {colour}


@cache
def _no_names() -> frozenset[str]:
    return frozenset(("", *(one for name in edition_names() for one in load_edition(name).colours)))


def with_people(events: Iterable[Event], told: Callable[[str, PersonId], Seated]) -> list[Event]:
    """Return a game's events with other names and ids for the people that `told` is asked about."""

    def named(one: Named) -> Named:
        if not has_name(one.name):
            return one
        name, person = told(one.name, one.person)
        return replace(one, name=name, person=person)

    def changed(fact: Fact) -> Fact:
        match fact:
            case GameStarted(players=players):
                return replace(fact, players=tuple(map(named, players)))
            case PlayerCameIn(player=player):
                return replace(fact, player=named(player))
            case PlayerRenamed():
                return named(fact)
            case _:
                return fact

    return [replace(event, fact=changed(event.fact)) for event in events]


def as_called_now(game: GameState, people: People) -> GameState:
    """Return a game with its people's present names alone; who is forgotten has none."""
    events = with_people(game.events, lambda name, person: (people.who(name, person)[1], ""))
    return game if tuple(events) == game.events else fold(events)

"""People over all games of a table: who somebody is, under which name, and who is forgotten.

A person's id is made of the first name that they had here, so that a log need not tell it: the name
in a seat does, also in games that were played before there were people. What is changed later is
kept in a file, for all games; their logs stay as they are. A colour's name is nobody's.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from itertools import count
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace
from railspotter.scoring.edition import edition_names, load_edition
from railspotter.scoring.names import Title

from ..game_log.course_facts import GameStarted
from ..game_log.facts import Event, Fact, PersonId
from ..game_log.game_state import GameState, fold
from ..game_log.people_facts import Player, PlayerCameIn, PlayerRenamed
from ..whole_file import KeptFile

FILE = "people.json"
ID_BYTES = 8
Seated = tuple[str, PersonId]  # a name in a log, and whose it is, if the name alone does not tell
Named = TypeVar("Named", Player, PlayerRenamed)


class People(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of people beside the names in logs."""

    names: dict[PersonId, Title] = {}  # of those who are called otherwise than in some log
    same: dict[PersonId, PersonId] = {}  # from ids of other names to that of their person
    forgotten: tuple[PersonId, ...] = ()

    def who(self, name: str, person: PersonId = "") -> tuple[PersonId, str]:
        """Return id and present name of whom a seat names; both are empty for nobody.

        >>> People({id_of("ann"): "Anna"}).who("Ann")[1], People().who("blue")
        ('Anna', ('', ''))
        """
        id = person or id_of(person_key(name))
        id = self.same.get(id, id)
        is_nobody = not has_name(name) or id in self.forgotten
        return ("", "") if is_nobody else (id, self.names.get(id, name))

    def id_for(self, name: str) -> PersonId:
        """Return the id of who comes by this name now; empty if a log need not tell it."""
        key = person_key(name)
        for number in count() if has_name(name) else ():
            id = id_of(key, number)
            # A name that somebody gave up is free, one of two that were joined is not.
            is_free = id in self.same or person_key(self.names.get(id, key)) == key
            if is_free and self.same.get(id, id) not in self.forgotten:
                return id if number else ""
        return ""

    def renamed(self, id: PersonId, name: str) -> "People":
        """Give a person another name, which must be nobody's."""
        new = self.id_for(name) or id_of(person_key(name))
        same = self.same if new == id else self.same | {new: id}
        return replace(self, names=self.names | {id: name}, same=same)

    def joined(self, id: PersonId, name: str, other: PersonId) -> "People":
        """Make two people one, who keeps the first id and this name."""
        same = {one: id if to == other else to for one, to in self.same.items()} | {other: id}
        names = {one: called for one, called in self.names.items() if one != other}
        return replace(self, names=names | {id: name}, same=same)

    def without(self, id: PersonId) -> "People":
        """Forget a person: no list, page or export of past games tells the name any more."""
        names = {one: called for one, called in self.names.items() if one != id}
        return replace(self, names=names, forgotten=(*self.forgotten, id))


def people_file(folder: Path) -> KeptFile[People]:
    """Return the file of a data directory with its people."""
    return KeptFile(folder / FILE, People(), is_private=True)


def person_key(name: str) -> str:
    """Normalise a name's case and spaces, to identify a person.

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
        if isinstance(fact, GameStarted):
            return replace(fact, players=tuple(map(named, fact.players)))
        if isinstance(fact, PlayerCameIn):
            return replace(fact, player=named(fact.player))
        return named(fact) if isinstance(fact, PlayerRenamed) else fact

    return [replace(event, fact=changed(event.fact)) for event in events]


def as_called_now(game: GameState, people: People) -> GameState:
    """Return a game with its people's present names alone; who is forgotten has none."""
    events = with_people(game.events, lambda name, person: (people.who(name, person)[1], ""))
    return game if tuple(events) == game.events else fold(events)

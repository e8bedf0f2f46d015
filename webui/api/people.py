"""Calls about who plays: names, colours, who comes in and who leaves."""

from typing import Annotated, Literal

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.names import Name, ShortName, Title
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log import people_facts
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.live_table.commands import Action, AddFacts
from railspotter.table.past_games.people import people_file

from ..access import hands
from .calls import Body, CallRequest, Who, call
from .game import Written, player_at, table_of, written
from .refusals import CallError, refused_as

NO_COMPUTER = Sentence("A computer plays only where the cards are on phones, until the game ends.")
NO_CHANGE = Sentence("With cards on phones players change over before the first turn only.")
MOST_PLAYERS = 12  # players of one game, with those that left


class NewPlayer(Body, frozen=True):
    """Somebody who comes in; `place` in the turn order from 0, without it last.

    `seat` brings back somebody who left. `computer` is how strong a computer plays there, where
    cards are on phones; empty for a person.
    """

    name: Annotated[Title, msgspec.Meta(min_length=1)]
    colour: Name
    place: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None
    seat: Identifier | None = None
    computer: Literal["", "easy", "medium", "hard"] = ""


class CameIn(Written, frozen=True):
    """Who came in is written down."""

    seat: str  # theirs


@call("PATCH", "/players/{seat}", Who.TABLE)
def mend_player(
    request: CallRequest,
    seat: str,
    *,
    name: Title | None = None,
    colour: Name | None = None,
    shape: ShortName | None = None,
) -> Written:
    """Mends a name, colour or shape for the whole game; players only their own name and shape."""
    device = request.device
    is_host = device is not None and device.is_host
    if not is_host and (device is None or device.seat != seat or colour is not None):
        raise CallError(
            403,
            "not yours",
            "Players can change their own name and shape; only the host can change the rest.",
        )
    player = player_at(table_of(request), seat)
    facts: list[Fact] = []
    if name is not None and name != player.name:
        facts.append(people_facts.PlayerRenamed(seat, name, _id_for(request, name)))
    if colour is not None and colour != player.colour:
        _require_colour(request, colour, seat)
        facts.append(people_facts.PlayerRecoloured(seat, colour, shape or ""))
    elif shape is not None and shape != player.shape:
        facts.append(people_facts.PlayerRecoloured(seat, player.colour, shape))
    events = request.execute(AddFacts(facts)) if facts else ()
    if colour is not None:
        request.session.table.execute(Action.LOOK_AGAIN)
    return written(request, events)


@call("POST", "/players", Who.HOST)
def add_player(request: CallRequest, body: NewPlayer) -> CameIn:
    """A player joins."""
    table = table_of(request)
    _require_colour(request, body.colour, body.seat)
    if body.seat is None and len(table.players) >= MOST_PLAYERS:
        raise CallError(409, "full", "There is no room for more players in this game.")
    if body.seat is not None and body.seat not in table.left:
        raise CallError(409, "taken", "Only a seat whose player has left can be taken again.")
    if body.seat is not None and body.place is not None and table.dealing is not None:
        raise CallError(409, "refused", "Who comes back sits where they sat.")
    if body.computer and table.dealing is None:
        raise CallError(409, "no cards", NO_COMPUTER)
    seat = body.seat or people_facts.free_seat(body.name, [one.seat for one in table.players])
    person = _id_for(request, body.name)
    player = people_facts.Player(seat, body.colour, body.name, "", body.computer, person)
    events = _written(request, people_facts.PlayerCameIn(player, body.place))
    request.session.table.execute(Action.LOOK_AGAIN)
    done = written(request, events)
    return CameIn(done.number, done.undo, seat)


@call("PUT", "/players/{seat}/computer", Who.HOST)
def let_computer_play(
    request: CallRequest, seat: str, *, strength: Literal["easy", "medium", "hard"]
) -> Written:
    """A computer plays on in a seat, with its hand; the phone that had it gives it up."""
    table = table_of(request)
    player = player_at(table, seat)
    if table.dealing is None or table.ended:
        raise CallError(409, "no cards", NO_COMPUTER)
    if player.computer == strength and seat not in table.left:
        raise CallError(409, "changed", "This computer plays there already.")
    fact: Fact = people_facts.PlayerHandedOver(seat, strength)
    if seat in table.left:  # the player takes no turns: the computer has to join instead
        fact = people_facts.PlayerCameIn(msgspec.structs.replace(player, computer=strength))
    events = _written(request, fact)
    _free_of_phones(request, seat)
    return written(request, events)


@call("DELETE", "/players/{seat}/computer", Who.HOST)
def let_person_play(request: CallRequest, seat: str) -> Written:
    """A person may take the seat of a computer, and plays on with its hand."""
    if not player_at(table_of(request), seat).computer:
        raise CallError(409, "changed", "A person plays there already.")
    events = _written(request, people_facts.PlayerHandedOver(seat))
    _free_of_phones(request, seat)
    return written(request, events)


def _written(request: CallRequest, fact: Fact) -> tuple[Event, ...]:
    with refused_as(EventError, 409, "refused"):  # e.g. in the middle of a turn
        return request.session.table.execute(AddFacts([fact]))


def _free_of_phones(request: CallRequest, seat: str) -> None:
    """Take a seat and its hand from all phones."""
    request.access.change(lambda devices: hands.with_hand_taken_over(devices, seat))
    request.session.feed.send_paired()


@call("POST", "/players/swap", Who.HOST)
def swap_players(request: CallRequest, *, seat: Identifier, other: Identifier) -> Written:
    """Two players who were mixed up change places."""
    if seat == other:
        raise CallError(400, "wrong", "Two different seats are needed.")
    table = table_of(request)
    for one in (seat, other):
        player_at(table, one)
    if table.dealing is not None and table.turn is not None:
        raise CallError(409, "refused", NO_CHANGE)
    swapped = people_facts.SeatsSwapped(seat, other)
    return written(request, request.session.table.execute(AddFacts([swapped])))


@call("DELETE", "/players/{seat}", Who.HOST)
def let_player_leave(request: CallRequest, seat: str) -> Written:
    """A player leaves."""
    table = table_of(request)
    player_at(table, seat)
    if seat in table.left:
        raise CallError(409, "changed", "This player has left already.")
    return written(
        request, request.session.table.execute(AddFacts([people_facts.PlayerLeft(seat)]))
    )


def _id_for(request: CallRequest, name: str) -> str:
    """Return what a log says beside a name, to tell who it is."""
    return people_file(request.services.home).load_or_default().id_for(name)


def _require_colour(request: CallRequest, colour: str, seat: str | None) -> None:
    """Raise `CallError` for a colour that the box lacks, or another player has."""
    colours = table_of(request).edition.colours
    if colour not in colours:
        raise CallError(
            400,
            "wrong",
            Sentence("The box has these colours: {colours}.", colours=", ".join(colours)),
        )
    if any(p.colour == colour and p.seat != seat for p in table_of(request).players):
        raise CallError(409, "taken", Sentence("Somebody else plays {colour}.", colour=colour))

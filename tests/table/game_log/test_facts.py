"""Facts are strict: what is none is refused with the field, and what fits no game too."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from logged_games import SEATTLE, STARTED, TICKET, after, own_philly
from railspotter.scoring.board import load_board
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.game import TicketText
from railspotter.scoring.spot import KINDS, Spot
from railspotter.table.game_log.board_facts import (
    BoardJoined,
    Corrected,
    PinPlaced,
    PinTakenBack,
    Placed,
    TakenBack,
    TrainsAssigned,
)
from railspotter.table.game_log.course_facts import GameStarted, LastTurnsBegun, TurnMarked
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.events import FACTS, event_text, parse_event
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.people_facts import (
    MarkerCompared,
    Player,
    PlayerCameIn,
    PlayerRecoloured,
    PlayerRenamed,
    SeatsSwapped,
    TicketDropped,
    TicketTaken,
    free_seat,
)

CLAIM = {"kind": "route_claimed", "route": SEATTLE, "colour": "red", "by": "camera"}
ANN, BOB = STARTED.players


def event(fact: dict[str, Any], **more: Any) -> str:
    return json.dumps({"seq": 2, "at_s": 1.5, "fact": fact} | more)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("{", "this is no JSON", id="half a line"),
        pytest.param("[]", "an object in braces belongs there", id="a list"),
        pytest.param(b"\xff", "no text in UTF-8", id="no text"),
        pytest.param("[" * 100_000, "", id="endless nesting"),
        pytest.param(event(CLAIM, seq=0), "seq: ", id="number 0"),
        pytest.param(event(CLAIM, at_s="now"), "at_s: ", id="no time"),
        pytest.param(event(CLAIM, at_s=1e300), "at_s: ", id="a time beyond all"),
        pytest.param(event(CLAIM, extra=1), "there is no 'extra'", id="more than an event"),
        pytest.param(event({"kind": "game_won"}), "fact: there is no 'game_won'", id="kind"),
        pytest.param(event(CLAIM | {"route": "../x"}), "fact.route: ", id="no id"),
        pytest.param(event(CLAIM | {"by": "bot"}), "fact.by: ", id="by nobody"),
        pytest.param(event(CLAIM | {"sure": 2}), "fact.sure: ", id="more than sure"),
        pytest.param(event(CLAIM | {"colour": ""}), "fact.colour: ", id="no colour"),
        pytest.param(event(CLAIM | {"colour": "r\x1b[2Jed"}), "fact.colour: ", id="an escape"),
        pytest.param(event(CLAIM | {"colour": "red\n"}), "fact.colour: ", id="a line end"),
        pytest.param(
            event(CLAIM | {"colour": "r\u202eed"}), "fact.colour: ", id="a turned direction"
        ),
        pytest.param(event({"kind": "game_renamed", "name": "a\nb"}), "fact.name: ", id="lines"),
        pytest.param(event(CLAIM | {"points": 15}), "fact: there is no 'points'", id="too much"),
    ],
)
def test_what_is_no_event(text: str | bytes, why: str) -> None:
    with pytest.raises(EventError) as refused:
        parse_event(text)
    assert why in str(refused.value)


def test_every_kind_of_fact_has_its_own_name() -> None:
    assert len(FACTS) == 41
    assert "claim_corrected" in FACTS


FORMAT_1_SPOTS = Path(__file__).with_name("format-1-spots.jsonl")


def test_facts_about_spots_are_read_and_written_as_by_the_first_program() -> None:
    """The file is never to be edited: it is what that program wrote of each of its facts."""
    lines = FORMAT_1_SPOTS.read_text("utf-8").splitlines()
    facts = [parse_event(line).fact for line in lines]
    assert [event_text(parse_event(line)) for line in lines] == lines
    changes = {change: set[str]() for change in (Placed, TakenBack, Corrected)}
    for fact in facts:
        for change in changes:
            if isinstance(fact, change):
                changes[change] |= {fact.spot.kind}
    assert all(kinds == {*KINDS} for kinds in changes.values())


def test_cards_of_the_program_that_shuffled_at_the_next_draw() -> None:
    """The file is never to be edited: it is what that program wrote of a whole game.

    Cards were played between the last card of the deck and the next draw, and drawn by it.
    """
    path = Path(__file__).with_name("shuffled-at-the-next-draw.jsonl")
    first, *events = [parse_event(line) for line in path.read_text("utf-8").splitlines()]
    game = begin(first)
    for event in events:
        game = game.after(event)
    assert game.table.ended
    assert (dealing := game.table.dealing) is not None
    assert dealing.hand("blue") == {"black": 1, "green": 1, "pink": 1}
    assert dealing.hand("white") == {"green": 1, "orange": 2}
    assert dealing.stacks.face_up == ("locomotive", "blue", "pink", "pink", "pink")
    assert dealing.all_cards == cards_of(game.table.edition)


def test_an_event_is_read_as_it_was_written() -> None:
    said = parse_event(event(CLAIM))
    assert said == Event(2, 1.5, Placed.on(Spot("route", SEATTLE), colour="red", by="camera"))


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        (
            Placed.on(Spot("route", "a--b"), colour="red", by="camera"),
            "route_claimed.route: the board 'usa' has no route 'a--b'",
        ),
        (
            Placed.on(Spot("route", SEATTLE), colour="pink", by="camera"),
            "route_claimed.colour: nobody plays 'pink'; there are red, blue",
        ),
        (
            TakenBack.on(Spot("route", "a--b"), by="person"),
            "claim_withdrawn.route: the board 'usa' has no route 'a--b'",
        ),
        (
            Corrected.on(Spot("route", SEATTLE), was="blue", now=None),
            "claim_corrected.was: 'helena--seattle' is red by now, not blue",
        ),
        (
            Corrected.on(Spot("route", SEATTLE), was=None, now="blue"),
            "claim_corrected.was: 'helena--seattle' is red by now, not free",
        ),
        (
            Corrected.on(Spot("route", SEATTLE), was="red", now="pink"),
            "claim_corrected.now: nobody plays 'pink'; there are red, blue",
        ),
        (
            Placed.on(Spot("station", "oz"), colour="red", by="camera"),
            "station_built.place: the board 'usa' has no place 'oz'",
        ),
        (
            Placed.on(Spot("site", "zoo"), colour="red", by="camera"),
            "site_claimed.site: the board 'usa' has no site 'zoo'",
        ),
        (
            BoardJoined(stations={"oz": "red"}),
            "board_joined.place: the board 'usa' has no place 'oz'",
        ),
        (BoardJoined({SEATTLE: "pink"}), "board_joined: nobody plays 'pink'; there are red, blue"),
        (PinPlaced("a--b", 0), "pin_placed.route: the board 'usa' has no route 'a--b'"),
        (
            PinPlaced(SEATTLE, 6),
            "pin_placed.space: the spaces of 'helena--seattle' are 0 to 5, not 6",
        ),
        (PinTakenBack("a--b"), "pin_taken_back.route: the board 'usa' has no route 'a--b'"),
        (PlayerRenamed("cleo", "C"), "player_renamed.seat: there is no seat 'cleo'; there are"),
        (PlayerRecoloured("ann", "blue"), "player_recoloured.colour: 'blue' is another player's"),
        (TrainsAssigned("blue", "red"), "trains_assigned.trains: 'blue' is another player's"),
        (TrainsAssigned("white", "pink"), "trains_assigned.colour: nobody plays 'pink'"),
        (SeatsSwapped("ann", "cleo"), "seats_swapped.other: there is no seat 'cleo'"),
        (
            PlayerCameIn(Player("ann", "green")),
            "player_came_in.player.seat: 'ann' plays already",
        ),
        (
            PlayerCameIn(Player("cleo", "red")),
            "player_came_in.player.colour: 'red' is another player's",
        ),
        (TicketTaken("cleo", TICKET), "ticket_taken.seat: there is no seat 'cleo'"),
        (
            TicketTaken("bob", TicketText("boston", "oz")),
            "ticket_taken.ticket: the board 'usa' has no place 'oz'",
        ),
        (
            TicketTaken("bob", TicketText("boston", "seattle")),
            "ticket_taken.ticket: USA (2004) has no ticket 'boston' - 'seattle'; give its points",
        ),
        (
            TicketTaken("ann", TICKET),
            "ticket_taken.ticket: 'ann' has the ticket calgary - phoenix already",
        ),
        (
            TicketDropped("bob", TICKET),
            "ticket_dropped.ticket: 'bob' does not have the ticket calgary - phoenix",
        ),
        (MarkerCompared("cleo", 3), "marker_compared.seat: there is no seat 'cleo'"),
        (TurnMarked("cleo"), "turn_marked.seat: there is no seat 'cleo'; there are ann, bob"),
        (LastTurnsBegun("cleo"), "last_turns_begun.seat: there is no seat 'cleo'"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fact) else "",
)
def test_what_fits_no_running_game(fact: Fact, why: str) -> None:
    state = begin(Event(1, 0.0, STARTED))
    claim = Placed.on(Spot("route", SEATTLE), colour="red", by="camera")
    with pytest.raises(EventError) as refused:
        fact.check(after(state, claim, TicketTaken("ann", TICKET)).table)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("started", "why"),
    [
        pytest.param(GameStarted("mars", (ANN,)), "'mars'", id="no edition"),
        pytest.param(GameStarted("card-game", (ANN,)), "'card-game'", id="no board"),
        pytest.param(
            GameStarted("usa", (ANN, BOB), house_rules={"trains": "many"}),
            "house_rules: house rule trains",
            id="no house rule",
        ),
        pytest.param(GameStarted("usa", (ANN, ANN)), "is players[0]", id="one colour twice"),
        pytest.param(
            GameStarted("usa", (ANN, Player("ann", "blue"))),
            "players[1].seat: 'ann' is taken",
            id="one seat twice",
        ),
        pytest.param(
            GameStarted(
                "philly", (ANN, BOB), board=msgspec.structs.replace(own_philly()[1], places=())
            ),
            "there is no place",
            id="a board that contradicts itself",
        ),
        pytest.param(
            GameStarted(
                "usa",
                (ANN, BOB),
                board=msgspec.structs.replace(
                    load_board("usa"), places=load_board("usa").places * 50
                ),
            ),
            "places: it has to be at most 1000 long",
            id="a board without end",
        ),
    ],
)
def test_what_no_game_starts_with(started: GameStarted, why: str) -> None:
    with pytest.raises(EventError) as refused:
        started.check_start()
    assert str(refused.value).startswith("game_started")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    "names", [("X", "X 3", "X", "x-2"), ("Bo", "Bo!", "bo"), ("李", "王", "seat"), ("a" * 90,) * 3]
)
def test_no_seat_is_given_twice(names: tuple[str, ...]) -> None:
    seats: list[str] = []
    for name in names:
        seats.append(free_seat(name, seats))
    assert len(set(seats)) == len(names)
    assert all(len(seat) <= 64 for seat in seats)

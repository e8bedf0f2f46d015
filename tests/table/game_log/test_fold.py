"""The fold: what stands after corrections, undoing and redoing, in any order."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from logged_games import DULUTH, NASHVILLE, SEATTLE, STARTED, TICKET, after
from railspotter.scoring.spot import Spot
from railspotter.table.game_log import game_state
from railspotter.table.game_log.board_facts import (
    BoardJoined,
    Corrected,
    Placed,
    TakenBack,
    TrainsAssigned,
)
from railspotter.table.game_log.course_facts import (
    GameEnded,
    GameRenamed,
    PointsCounted,
    Redone,
    Undone,
)
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.events import event_text, parse_event
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState, begin, fold
from railspotter.table.game_log.log import checked_after
from railspotter.table.game_log.people_facts import (
    Player,
    PlayerCameIn,
    PlayerLeft,
    PlayerRecoloured,
    SeatsSwapped,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
)
from railspotter.table.game_log.table_state import TableState
from strategies import logged_games

NEW = begin(Event(1, 0.0, STARTED))


def seen(route: str, colour: str, *, seen_to_change: bool = False) -> Placed:
    return Placed.on(
        Spot("route", route), colour=colour, by="camera", seen_to_change=seen_to_change
    )


def said(route: str, was: str | None, now: str | None) -> Corrected:
    return Corrected.on(Spot("route", route), was=was, now=now)


@given(logged_games())
def test_event_by_event_is_from_the_beginning(state: GameState) -> None:
    for known in (state.events, [parse_event(event_text(event)) for event in state.events]):
        folded = fold(known)
        assert (folded, folded.table) == (state, state.table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_state, "CHECKPOINT_EVERY", 2)
        step = begin(state.events[0])
        for event in state.events[1:]:
            step = step.after(event)
            assert step.table == fold(step.events).table


def toggled(n: int) -> list[Fact]:
    there_and_back: list[Fact] = [Undone(2), Redone(2)]
    return [seen(SEATTLE, "red"), *there_and_back * n, seen(DULUTH, "red")]


def each_at_once(n: int) -> list[Fact]:
    return [fact for i in range(n) for fact in (seen(SEATTLE, "red"), Undone(2 + 2 * i))]


def newest_first(n: int) -> list[Fact]:
    return [*[seen(SEATTLE, "red")] * n, *[Undone(2 + i) for i in reversed(range(n))]]


def oldest_first(n: int) -> list[Fact]:
    return [*[seen(SEATTLE, "red")] * n, *[Undone(2 + i) for i in range(n)]]


@pytest.mark.parametrize("pattern", [toggled, each_at_once, newest_first, oldest_first])
def test_twice_as_much_undone_is_twice_the_work(
    pattern: Callable[[int], list[Fact]], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = 0
    look = GameState._table_after

    def counted(state: GameState, table: TableState, event: Event) -> TableState:
        nonlocal looked_at
        looked_at += 1
        return look(state, table, event)

    monkeypatch.setattr(GameState, "_table_after", counted)
    work = []
    for n in (200, 400):
        state, looked_at = NEW, 0
        for fact in pattern(n):
            state = checked_after(state, Event(len(state.events) + 1, 0.0, fact))
        assert state.table is not None
        work.append(looked_at)
    assert work[1] < 2.2 * work[0]


def holders(state: GameState) -> dict[str, tuple[str | None, bool]]:
    """Who holds each route, and whether by hand, told once more in the plainest way."""
    status: dict[int, int | None] = {}
    for event in state.events:
        if isinstance(event.fact, Undone):
            status[event.fact.event] = event.seq
        elif isinstance(event.fact, Redone):
            status[event.fact.event] = None
    held: dict[str, tuple[str | None, bool]] = {}
    for event in state.events:
        fact = event.fact
        if isinstance(fact, Undone):
            undone = state.event(fact.event).fact
            camera = isinstance(undone, Placed | TakenBack) and undone.by == "camera"
            if camera and status[fact.event] == event.seq:
                assert isinstance(undone, Placed | TakenBack)
                route = undone.spot.id
                held[route] = (held.get(route, (None, False))[0], True)
        elif status.get(event.seq) is not None:
            continue
        elif isinstance(fact, BoardJoined):
            held |= {route: (colour, True) for route, colour in fact.routes.items()}
        elif isinstance(fact, Corrected):
            held[fact.spot.id] = (fact.now, True)
        elif isinstance(fact, Placed | TakenBack):
            route = fact.spot.id
            if fact.by == "person" or fact.seen_to_change or not held.get(route, ("", False))[1]:
                colour = fact.colour if isinstance(fact, Placed) else None
                held[route] = (colour, fact.by == "person")
    return held


def is_recoloured(state: GameState) -> bool:
    """Whether trains changed their colour, of which `holders` knows nothing."""
    return any(isinstance(event.fact, PlayerRecoloured) for event in state.events)


@given(logged_games().filter(lambda state: not is_recoloured(state)))
def test_who_holds_what_is_what_a_plain_reading_of_the_log_says(state: GameState) -> None:
    table = state.table
    assert {spot.id: (h.colour, h.is_by_hand) for spot, h in table.spots.items()} == holders(state)


@given(logged_games())
def test_redo_is_the_opposite_of_undo(state: GameState) -> None:
    for seq in state.undoable:
        undone = after(state, state.undo(seq))
        assert seq not in undone.undoable
        redone = after(undone, Redone(undone.redoable[0]))
        assert redone.table == state.table
        assert redone.undoable == state.undoable


@given(logged_games())
def test_everything_can_be_undone_one_by_one(state: GameState) -> None:
    while state.undoable:
        state = after(state, Undone(state.undoable[0]))
    table = state.table
    assert (table.players, table.name, table.claims) == (table.started.players, "", {})
    assert not table.ended
    assert not table.paused
    assert not table.left
    assert not any(table.tickets.values())


def test_a_correction_holds_until_the_camera_sees_the_route_change() -> None:
    state = after(NEW, seen(SEATTLE, "red"), said(SEATTLE, "red", None))
    assert state.table.claims == {}
    assert state.table.by_hand == {Spot("route", SEATTLE)}
    insisted = after(state, seen(SEATTLE, "red"))
    assert insisted.table == state.table
    changed = after(state, seen(SEATTLE, "blue", seen_to_change=True))
    assert changed.table.claims == {SEATTLE: "blue"}
    assert changed.table.by_hand == frozenset()


def test_a_camera_may_withdraw_what_it_said_but_not_what_a_person_said() -> None:
    withdrawn = TakenBack.on(Spot("route", SEATTLE), by="camera", why="a hand lay there")
    assert after(NEW, seen(SEATTLE, "red"), withdrawn).table.claims == {}
    by_person = Placed.on(Spot("route", SEATTLE), colour="red", by="person")
    assert after(NEW, by_person, withdrawn).table.claims == {SEATTLE: "red"}


@pytest.mark.parametrize(
    "fact",
    [
        Placed.on(Spot("route", SEATTLE), colour="blue", by="person"),
        TakenBack.on(Spot("route", SEATTLE), by="person"),
        said(SEATTLE, "red", None),
    ],
    ids=lambda fact: str(fact.kind),
)
def test_undoing_what_a_person_said_lets_the_camera_speak_again(fact: Fact) -> None:
    state = after(NEW, seen(SEATTLE, "red"), fact)
    assert state.table.by_hand
    state = after(state, Undone(state.undoable[0]))
    assert state.table.claims == {SEATTLE: "red"}
    assert state.table.by_hand == frozenset()


def test_undoing_what_the_camera_said_is_a_correction() -> None:
    """It still sees the train that it took for a claim, and must not say so again at once."""
    state = after(NEW, seen(SEATTLE, "red"))
    state = after(state, Undone(state.undoable[0]))
    assert state.table.claims == {}
    assert after(state, seen(SEATTLE, "red")).table.claims == {}
    assert after(state, seen(SEATTLE, "red", seen_to_change=True)).table.claims == {SEATTLE: "red"}


def test_the_board_joined_late_is_one_step() -> None:
    state = after(NEW, BoardJoined({SEATTLE: "red", DULUTH: "blue"}), seen(NASHVILLE, "red"))
    assert state.table.by_hand == {Spot("route", SEATTLE), Spot("route", DULUTH)}
    assert after(state, state.undo(2)).table.claims == {NASHVILLE: "red"}


def test_the_last_fact_is_undone_first_and_the_last_undone_is_redone_first() -> None:
    state = after(NEW, seen(SEATTLE, "red"), TicketTaken("ann", TICKET), GameRenamed("Sunday"))
    order = []
    for _ in range(3):
        fact = Undone(state.undoable[0])
        order.append(fact.event)
        state = after(state, fact)
    assert order == [4, 3, 2]
    assert state.redoable == (2, 3, 4)
    assert after(state, Redone(state.redoable[0])).table.claims == {SEATTLE: "red"}
    assert after(state, state.redo(4)).table.name == "Sunday"


def test_an_old_fact_can_be_undone_by_its_number() -> None:
    state = after(NEW, seen(SEATTLE, "red"), seen(DULUTH, "red"), said(DULUTH, "red", "blue"))
    assert after(state, state.undo(2)).table.claims == {DULUTH: "blue"}
    assert after(state, state.undo(3)).table.claims == {DULUTH: "blue", SEATTLE: "red"}


def test_something_new_about_the_same_thing_outdates_a_redo() -> None:
    state = after(NEW, seen(SEATTLE, "red"), TicketTaken("ann", TICKET))
    state = after(state, Undone(3), Undone(2))
    assert state.redoable == (2, 3)
    state = after(state, seen(DULUTH, "red"))
    assert state.redoable == (2, 3), "another route is another thing"
    state = after(state, said(SEATTLE, None, "blue"))
    assert state.redoable == (3,)
    with pytest.raises(EventError, match="event 2 is nothing that can be redone"):
        state.redo(2)
    assert after(state, Redone(state.redoable[0])).table.tickets["ann"]


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        pytest.param(Undone(1), "event 1 is nothing that can be undone", id="the start"),
        pytest.param(Undone(3), "event 3 is undone already", id="twice"),
        pytest.param(Undone(4), "event 4 is nothing that can be undone", id="an undo"),
        pytest.param(Undone(9), "event 9 is nothing that can be undone", id="what is to come"),
        pytest.param(Redone(2), "event 2 is nothing that can be redone", id="what stands"),
        pytest.param(STARTED, "has started already", id="a second start"),
    ],
)
def test_what_cannot_be_undone_or_redone(fact: Fact, why: str) -> None:
    state = after(NEW, seen(SEATTLE, "red"), seen(DULUTH, "red"))
    with pytest.raises(EventError, match=why):
        after(after(state, Undone(3)), fact)


def test_the_end_can_be_undone() -> None:
    ended = after(NEW, GameEnded())
    assert ended.table.as_game().final
    assert not after(ended, Undone(ended.undoable[0])).table.as_game().final


def test_points_are_counted_once_the_game_is_over() -> None:
    assert not after(NEW, PointsCounted()).table.counted
    counted = after(NEW, GameEnded(), PointsCounted())
    assert counted.table.counted
    going_on = after(counted, Undone(2))
    assert not going_on.table.counted
    assert not after(going_on, GameEnded()).table.counted, "it is counted anew"


def test_events_come_in_their_order() -> None:
    with pytest.raises(EventError, match="event 3 cannot follow event 1"):
        NEW.after(Event(3, 0.0, GameEnded()))
    for first in ((), (Event(1, 0.0, GameEnded()),), (Event(2, 0.0, STARTED),)):
        with pytest.raises(EventError, match="a log begins with event 1, game_started"):
            fold(first)


def test_a_clock_that_jumps_changes_nothing() -> None:
    late = NEW.after(Event(2, 100.0, seen(SEATTLE, "red")))
    early = late.after(Event(3, 50.0, said(SEATTLE, "red", "blue")))
    assert early.table.claims == {SEATTLE: "blue"}


def colours_of(state: GameState) -> Mapping[str, str]:
    return {player.name: player.colour for player in state.table.players}


def test_two_who_were_taken_for_each_other_change_over_with_their_tickets() -> None:
    state = after(NEW, TicketTaken("ann", TICKET), seen(SEATTLE, "red"), SeatsSwapped("ann", "bob"))
    assert colours_of(state) == {"Ann": "blue", "Bob": "red"}
    assert [player.colour for player in state.table.players] == ["red", "blue"]
    game = state.table.as_game()
    assert game.claims == {SEATTLE: "red"}
    assert game.tickets == {"blue": (TICKET,)}


def test_another_colour_takes_along_what_lies_on_the_board() -> None:
    state = after(NEW, seen(SEATTLE, "red"), seen(DULUTH, "blue"))
    state = after(state, PlayerRecoloured("ann", "black"))
    assert colours_of(state) == {"Ann": "black", "Bob": "blue"}
    assert state.table.claims == {SEATTLE: "black", DULUTH: "blue"}


def test_trains_of_other_colours_stay_the_players_to_whom_they_are_given() -> None:
    given = TrainsAssigned("white", "red"), TrainsAssigned("pink"), TrainsAssigned("green", "blue")
    state = after(NEW, *given)
    assert state.table.other_trains == {"white": "red", "pink": None, "green": "blue"}
    state = after(state, PlayerRecoloured("ann", "black"), PlayerRecoloured("bob", "green"))
    assert state.table.other_trains == {"white": "black", "pink": None}
    assert after(state, state.undo(2)).table.other_trains == {"pink": None}


def test_a_colour_that_two_had_in_turn_stays_with_the_later_one() -> None:
    """Undoing the first change must not hand over what the second player laid since."""
    state = after(NEW, PlayerRecoloured("ann", "green"), PlayerCameIn(Player("cleo", "red")))
    state = after(state, seen(SEATTLE, "red"), PlayerRecoloured("ann", "black"))
    state = after(state, state.undo(2))
    assert [player.colour for player in state.table.players] == ["black", "blue", "red"]
    assert state.table.claims == {SEATTLE: "red"}


def test_two_never_have_one_colour() -> None:
    state = after(NEW, PlayerRecoloured("ann", "green"), PlayerCameIn(Player("cleo", "red")))
    with pytest.raises(EventError, match=r"undone\.event: two players would be 'red'"):
        checked_after(state, Event(4, 0.0, state.undo(2)))


@given(logged_games())
def test_any_game_can_be_scored(state: GameState) -> None:
    for with_secrets in (True, False):
        assert (state.table.full_score if with_secrets else state.table.score).standing.players


def test_people_come_and_go() -> None:
    state = after(NEW, seen(SEATTLE, "red"), PlayerLeft("ann"))
    assert state.table.left == {"ann"}
    assert state.table.as_game().claims == {SEATTLE: "red"}, "the trains still count"
    cleo = Player("cleo", "green", "Cleo")
    state = after(state, PlayerCameIn(cleo, 1), PlayerCameIn(Player("ann", "red", "Ann")))
    assert [player.seat for player in state.table.players] == ["ann", "cleo", "bob"]
    assert state.table.left == frozenset()


def test_what_somebody_held_who_never_came_in_is_nobodys() -> None:
    state = after(NEW, PlayerCameIn(Player("cleo", "green")), TicketTaken("cleo", TICKET))
    assert state.table.as_game().tickets == {"green": (TICKET,)}
    built = Placed.on(Spot("station", "denver"), colour="green", by="person")
    state = after(state, built, seen(SEATTLE, "green"))
    nobodys = after(state, state.undo(2)).table.full_score
    assert [player.colour for player in nobodys.standing.players] == ["red", "blue"]
    assert "green, which nobody plays" in nobodys.problems[0].what
    assert after(state, state.undo(2)).table.as_game().tickets == {}


def test_a_ticket_is_secret_until_it_is_revealed() -> None:
    state = after(NEW, TicketTaken("ann", TICKET))
    assert state.table.as_game(with_secrets=False).tickets == {}
    shown = after(state, TicketRevealed("ann", TICKET))
    assert shown.table.as_game(with_secrets=False).tickets == {"red": (TICKET,)}
    assert after(shown, TicketDropped("ann", TICKET)).table.as_game().tickets == {}
    nobody_knew = after(NEW, TicketRevealed("ann", TICKET))
    assert nobody_knew.table.as_game().tickets == {"red": (TICKET,)}

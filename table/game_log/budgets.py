"""Limits on how much each writer may add to a game's log, so that no phone can fill it.

The number of events is limited. Each player's seat has a budget for each kind of fact, and the
log's end is reserved: for the camera, then for players' tickets, and its last part for the host and
the terminal. A seat's usage is saved in the game's file, so a restart does not reset it.

The longest honest game, reckoned generously: five players, a map with 147 routes (USA has 100,
Europe 101) and a deck of 69 tickets. The camera claims every route, takes it back and claims it
again: 441 events. One player corrects each route three times (441 of a budget of 450), undoes and
redoes a hundred times (200 of 250), says whose turn it is in each of five times 70 turns (350 of
400), has the marker compared after each own turn (70 of 150), pauses and goes on ten times an hour
for three hours (60 of 100), says once what lay on the board (1 of 10), keeps the whole deck, drops
it and keeps it again (207 of 210), and shows it (69 of 100). The other four do half of all that but
for the tickets, of which the deck has no more: 4,100 events in all, where `TABLE_END` is 9,300.

With cards on phones a move takes the place of what the camera and people say: nobody draws more
than 110 cards beside those that are paid for 45 trains, which with 45 payments, 30 tunnels left and
40 draws of tickets are 300 of 350 moves. Where no camera sees the board, each of 48 claims is also
written down as laid (of 100).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .errors import BudgetError
from .facts import SeatId

# The most events of one game. A long evening has some hundreds.
MOST_EVENTS = 12_300
# The last event that players' phones may write about the board, names and the game's course.
TABLE_END = 9_300
# The last event that the camera may write.
CAMERA_END = 10_500
# The last event that players may write about tickets and counted points: the final score.
TICKETS_END = 12_200


@dataclass(frozen=True)
class Writer:
    """The author of an event, and what this author may confirm."""

    role: Literal["host", "camera", "player"]
    seat: SeatId = ""  # a player's, whose phone it is; empty for others
    # The seats whose players have agreed to this event; None for the terminal, which needs no
    # agreement.
    words: frozenset[SeatId] | None = None

    def speaks_for(self, seat: SeatId) -> bool:
        """Tell whether a seat's player has agreed."""
        return self.words is None or seat in self.words


HOST = Writer("host")  # the host, the terminal, and events that follow by the rules
CAMERA = Writer("camera")


@dataclass(frozen=True)
class Budget:
    """How many facts of some kinds one seat may write in a game, and up to which event."""

    kinds: frozenset[str]
    most: int
    end: int = TABLE_END


# Five seats that use all of it still leave room for the camera and the host.
BUDGETS = (
    Budget(frozenset({"player_renamed", "player_recoloured"}), 30),
    Budget(frozenset({"claim_corrected", "station_corrected", "site_corrected"}), 450),
    Budget(frozenset({"board_joined"}), 10),
    Budget(frozenset({"trains_assigned"}), 9),
    Budget(frozenset({"undone", "redone"}), 250),
    Budget(frozenset({"turn_marked"}), 400),
    Budget(frozenset({"marker_compared"}), 150),
    Budget(frozenset({"game_paused", "game_resumed"}), 100),
    Budget(frozenset({"ticket_taken", "ticket_dropped"}), 210, TICKETS_END),
    Budget(frozenset({"ticket_revealed"}), 100, TICKETS_END),
    Budget(frozenset({"points_counted", "stocks_confirmed"}), 10, TICKETS_END),
    Budget(frozenset({"cards_moved"}), 350),
    Budget(frozenset({"last_turns_begun", "game_ended"}), 10),
    Budget(frozenset({"route_claimed", "station_built", "site_claimed"}), 100),
)


def require_budget(by: Writer, kind: str, seq: int, written: Mapping[str, int]) -> None:
    """Raise `BudgetError` if a writer may add no more facts of a kind.

    `written` is how many facts of each kind the writer's seat has written.
    """
    if by.role == "camera" and seq > CAMERA_END:
        raise BudgetError(
            "the game's log is nearly full: what the camera sees is no longer saved; the host can"
            " still correct and end the game"
        )
    if by.role != "player":
        return
    budget = next((one for one in BUDGETS if kind in one.kinds), Budget(frozenset({kind}), 0))
    if seq > budget.end:
        raise BudgetError(
            "the game's log is nearly full: only the host can still correct and end the game"
        )
    if sum(written.get(one, 0) for one in budget.kinds) >= budget.most:
        raise BudgetError(
            "this was changed {most} times from this seat, which is all that a game allows: ask"
            " the host",
            most=budget.most,
        )

"""A table whose cards are on phones, dealt as a test has it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

from phones import PLAYERS, Table, table
from railspotter.scoring.dealing.moves import KeepTickets, Move, ticket_texts
from railspotter.table.game_log.card_facts import RecordingChance
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table import card_play
from railspotter.table.live_table.commands import PlayMove
from waiting import until

T = TypeVar("T")
# What Ann, Bob and Cleo are dealt.
HANDS = ("red red red red", "blue blue green green", "pink pink white white")
FACE_UP = "red locomotive white black yellow"


class Script:
    """Chance by a script: these cards one after the other, then the first that there is."""

    def __init__(self, cards: Iterable[str]) -> None:
        self.cards = list(cards)

    def __call__(self, several: Sequence[T]) -> T:
        """Return the next one."""
        if self.cards and isinstance(several[0], str):
            card = self.cards.pop(0)
            return next(one for one in several if one == card)
        return several[0]


@contextmanager
def dealt_table(
    folder: Path,
    *,
    hands: Sequence[str] = HANDS,
    face_up: str = FACE_UP,
    then: str = "",
    players: tuple[Player, ...] = PLAYERS,
    edition: str = "usa",
    has_camera: bool = True,
    trains: int = 45,
) -> Iterator[Table]:
    """Open a table with cards on phones."""
    rules = {"trains": trains} if trains != 45 else {}
    started = GameStarted(edition, players, name="Friday", house_rules=rules, cards="phones")
    script = Script(" ".join((*hands, face_up, then)).split())
    with (
        patch.object(card_play, "chance", lambda: RecordingChance(script)),
        table(folder, started=started, has_camera=has_camera) as running,
    ):
        until(lambda: running.log.state.table.dealing is not None)
        yield running


def keep_first(running: Table, *seats: str) -> None:
    """Let seats keep all their first tickets; without a name all seats."""
    table = running.log.state.table
    assert table.dealing is not None
    for seat in seats or [player.seat for player in table.players]:
        move(running, seat, KeepTickets(ticket_texts(table.dealing.offered[seat])))


def move(running: Table, seat: str, made: Move) -> None:
    """Let a seat make a move, as its phone would."""
    running.live.execute(PlayMove(seat, made))

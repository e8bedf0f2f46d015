"""What the calls and pages are answered from, and what of it each of them needs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from railspotter.table.boards import BoardDesk
from railspotter.table.card_games import CardGameStore, DeckFile

from ..access import Door, Limits
from ..feed import History
from .photo_desk import PhotoDesk
from .room import Room
from .set_up_room import SetUpRoom
from .watched import WatchedDoor


class Needs(Enum):
    """What a call or a page needs; where that is not, it is not there."""

    NOTHING = "nothing"
    CAMERA = "a table with a camera, be a game set up there or played"
    GAME = "a running game"
    SET_UP = "a game that is being set up"

    def are_met_by(self, door: Door) -> bool:
        """Tell whether the page behind a door has that."""
        return {
            Needs.NOTHING: True,
            Needs.CAMERA: isinstance(door, WatchedDoor),
            Needs.GAME: isinstance(door, Room),
            Needs.SET_UP: isinstance(door, SetUpRoom),
        }[self]


@dataclass(frozen=True)
class Services:
    """What all calls are answered from.

    Attributes
    ----------
    door : Door
        Which phones are known here.
    limits : Limits
        How often one address may ask.
    photos : PhotoDesk
        Reads photos.
    history : History
        The past games.
    card_deck : DeckFile
        The deck of The Card Game.
    card_games : CardGameStore
        The games of The Card Game.
    boards : BoardDesk
        The user's boards.
    """

    door: Door
    limits: Limits
    photos: PhotoDesk
    history: History
    card_deck: DeckFile
    card_games: CardGameStore
    boards: BoardDesk

"""What the calls of a page work on: a running game, a set-up, photos, card games."""

from .photo_desk import PhotoDesk, Plain, Score, ScoreTogether
from .room import Equipment, Room
from .services import Entrance, Needs, Services
from .set_up_room import SetUpRoom

__all__ = [
    "Entrance",
    "Equipment",
    "Needs",
    "PhotoDesk",
    "Plain",
    "Room",
    "Score",
    "ScoreTogether",
    "Services",
    "SetUpRoom",
]

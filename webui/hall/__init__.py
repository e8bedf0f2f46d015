"""The hall's page: all tables of a broker on one screen."""

from .feed import HallFeed
from .hall_page import HallPage
from .hall_room import HallRoom

__all__ = ["HallFeed", "HallPage", "HallRoom"]

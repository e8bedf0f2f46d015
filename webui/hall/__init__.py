"""The hall's page: all tables of a broker on one screen.

Whatever joins the hall, as a tournament would, stands beside it: it hears `HallRoom`'s feed, brings
its calls to `create_hall_app`, and its page to the table of pages with the hall's need.
"""

from .feed import HallFeed
from .hall_page import HallPage, create_hall_app
from .hall_room import HallRoom

__all__ = ["HallFeed", "HallPage", "HallRoom", "create_hall_app"]

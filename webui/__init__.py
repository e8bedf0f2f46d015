"""The page that phones at the table open, and its programming interface."""

from .app import create_app
from .errors import AddressError, WebError
from .play_page import PlayPage
from .serve_page import serve_page
from .serving import Https, Server, serve
from .set_up_page import SetUpPage

__all__ = [
    "AddressError",
    "Https",
    "PlayPage",
    "Server",
    "SetUpPage",
    "WebError",
    "create_app",
    "serve",
    "serve_page",
]

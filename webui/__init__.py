"""The page that phones at the table open, and its programming interface."""

from .app import create_app
from .errors import AddressError, WebError
from .served_pages import PlayPage, SetUpPage, serve_page
from .serving import Https, Server, serve

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

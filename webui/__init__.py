"""The page that a phone at the table opens."""

from .app import create_app
from .errors import AddressError, WebError
from .server import Server, serve

__all__ = ["AddressError", "Server", "WebError", "create_app", "serve"]

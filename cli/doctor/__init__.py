"""`railspotter doctor`: what keeps a table from working, found before the guests come."""

from .doctor import add_to

__all__ = ["add_to"]

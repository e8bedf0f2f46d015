"""The programming interface of a running game, /api/v1: what docs/api.md tells, call by call."""

from .openapi import description
from .routes import CALLS, add_api, is_api, refusal_of

__all__ = [
    "CALLS",
    "add_api",
    "description",
    "is_api",
    "refusal_of",
]

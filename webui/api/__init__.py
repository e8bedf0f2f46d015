"""The programming interface of a running game, /api/v1: what docs/api.md tells, call by call."""

from .openapi import description
from .routes import CALLS, add_api

__all__ = ["CALLS", "add_api", "description"]

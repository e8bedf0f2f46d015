"""The programming interface of a running game, /api/v1: what docs/api.md tells, call by call."""

from .calls import (
    Body,
    Call,
    CallError,
    CallRequest,
    ErrorRule,
    Query,
    Who,
    content_response,
    reason_of,
    with_refusals,
)
from .openapi import description
from .routes import CALLS, add_api, is_api, refusal_of
from .state import device_json, stream_response, tagged_response

__all__ = [
    "CALLS",
    "Body",
    "Call",
    "CallError",
    "CallRequest",
    "ErrorRule",
    "Query",
    "Who",
    "add_api",
    "content_response",
    "description",
    "device_json",
    "is_api",
    "reason_of",
    "refusal_of",
    "stream_response",
    "tagged_response",
    "with_refusals",
]

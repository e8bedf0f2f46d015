"""What changed between two states, as a JSON merge patch (RFC 7386)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return what turns one JSON object into another.

    In such a patch null takes a name away. So whoever applies one cannot tell a name whose value
    is null from one that is missing: a state must mean the same by both.

    Examples
    --------
    >>> merge_patch({"a": 1, "b": {"c": 2, "d": 3}, "e": 4}, {"a": 1, "b": {"c": 5, "d": 3}})
    {'e': None, 'b': {'c': 5}}
    """
    patch: dict[str, Any] = {name: None for name in before if name not in after}
    for name, value in after.items():
        if name not in before:
            patch[name] = value
        elif value != before[name]:
            old = before[name]
            is_object = isinstance(value, Mapping) and isinstance(old, Mapping)
            patch[name] = merge_patch(old, value) if is_object else value
    return patch

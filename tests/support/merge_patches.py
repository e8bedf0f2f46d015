"""What programs that follow a game do with its changes."""

from collections.abc import Mapping
from typing import Any


def apply_merge_patch(state: Any, patch: Any) -> Any:
    """Return a state after a patch, as RFC 7386 has it.

    Examples
    --------
    >>> apply_merge_patch({"b": {"c": 2, "d": 3}, "e": 4}, {"e": None, "b": {"c": 5}})
    {'b': {'c': 5, 'd': 3}}
    """
    if not isinstance(patch, Mapping):
        return patch
    result = dict(state) if isinstance(state, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = apply_merge_patch(result.get(name), value)
    return result

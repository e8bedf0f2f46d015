"""What the calls about The Card Game have in common: who may, and how they refuse."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from functools import wraps
from typing import Any

from railspotter.scoring import ScoringError
from railspotter.table.card_games import (
    CardGameError,
    ChangedError,
    DeckTableError,
    FullError,
    NoCardGameError,
    NotWrittenError,
)

from ..access import is_this_machine
from .calls import Asked, CallError

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via")
"""What proxies and tunnels add: then it is somebody else who asks."""


def is_here(asked: Asked) -> bool:
    """Tell whether it is the host who asks, or somebody at this computer itself.

    Both the address and the name must be this machine's, and nobody may have passed it on: through
    a tunnel or proxy everybody comes from here.
    """
    if asked.device is not None and asked.device.is_host:
        return True
    try:
        is_from_here = ipaddress.ip_address(asked.address).is_loopback
    except ValueError:
        return False
    is_passed_on = any(name in asked.headers for name in FORWARDED)
    return is_from_here and is_this_machine(asked.origin) and not is_passed_on


def require_here(asked: Asked) -> None:
    """Refuse who is neither the host nor at this computer."""
    if not is_here(asked):
        raise CallError(403, "not here", "Only the host, and this computer itself, may do this.")


def refusing(do: Callable[[Asked], Any]) -> Callable[[Asked], Any]:
    """Make refusals of what the rules or the disk refuse."""

    @wraps(do)
    def answer(asked: Asked) -> Any:
        try:
            return do(asked)
        except DeckTableError as error:
            raise CallError(
                400, "fault", f"{error}.", fault=error.fault, value=error.value, line=error.line
            ) from error
        except ChangedError as error:
            raise CallError(409, "changed", f"{error}.") from error
        except NoCardGameError as error:
            raise CallError(404, "unknown", f"{error}.") from error
        except (FullError, NotWrittenError) as error:
            raise CallError(503, "not written", f"{error}.") from error
        except (CardGameError, ScoringError) as error:
            raise CallError(400, "wrong", f"{error}.") from error

    return answer

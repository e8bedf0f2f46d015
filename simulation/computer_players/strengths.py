"""The strengths in which computer players come."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .computer_player import ComputerPlayer
from .conductor import Conductor
from .passenger import Passenger
from .stationmaster import Stationmaster

_PLAYERS: Mapping[str, Callable[[int], ComputerPlayer]] = {
    "easy": Passenger,
    "medium": Conductor,
    "hard": Stationmaster,
}
# Their names, as they stand in logs: the weakest first.
STRENGTHS: tuple[str, ...] = tuple(_PLAYERS)


def computer_player(strength: str, seed: int = 0) -> ComputerPlayer:
    """Return a computer player.

    Parameters
    ----------
    seed : int
        Of what the player leaves to chance: the same seed and the same view make the same move.

    Raises
    ------
    ValueError
        When there is no such strength.

    Examples
    --------
    >>> STRENGTHS
    ('easy', 'medium', 'hard')
    >>> computer_player("hard", seed=7).seed
    7
    """
    if strength not in _PLAYERS:
        raise ValueError(f"there is no strength {strength!r}; there are {', '.join(STRENGTHS)}")
    return _PLAYERS[strength](seed)

"""How many tables of which size."""

from __future__ import annotations

from .errors import SeatingError
from .facts import Rules


def table_sizes(players: int, rules: Rules) -> tuple[tuple[int, ...], int]:
    """Return the sizes of a round's tables, and how many players are left over.

    As few as possible are left over. Then sizes are as near to the preferred one as they can be, by
    the sum of squares; between two ways that are equally near, the one with more and so smaller
    tables, whose games are shorter. Tables of the preferred size come first.

    Parameters
    ----------
    players : int
        How many are to be seated.

    Raises
    ------
    SeatingError
        Where not even one table can be filled.

    Examples
    --------
    >>> for players in (5, 6, 11, 18):
    ...     print(players, *table_sizes(players, Rules()))
    5 (5,) 0
    6 (3, 3) 0
    11 (4, 4, 3) 0
    18 (4, 4, 4, 3, 3) 0
    >>> table_sizes(7, Rules(smallest=2, preferred=2, largest=2))
    ((2, 2, 2), 1)
    """
    if players < rules.smallest:
        raise SeatingError(
            "{players} players are too few for a table of {smallest}",
            players=players,
            smallest=rules.smallest,
        )
    for left in range(players):
        seated = players - left
        counts = range(-(-seated // rules.largest), seated // rules.smallest + 1)
        ways = [_even(seated, tables) for tables in counts]
        if ways:
            best = min(ways, key=lambda sizes: (_strangeness(sizes, rules), -len(sizes)))
            first = sorted(best, key=lambda size: (abs(size - rules.preferred), -size))
            return tuple(first), left
    raise AssertionError("one smallest table is always a way")


def _even(players: int, tables: int) -> tuple[int, ...]:
    """For a number of tables, sizes that differ by one at most have the least sum of squares."""
    size, larger = divmod(players, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)


def _strangeness(sizes: tuple[int, ...], rules: Rules) -> int:
    return sum((size - rules.preferred) ** 2 for size in sizes)

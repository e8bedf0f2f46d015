"""A search for tables at which nobody meets anybody again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

MOST_STEPS = 40_000
"""Players put at a table, until the search gives up; some .2 s."""


class _GivenUpError(Exception):
    """The search took all its steps."""


def repeat_free(
    sizes: Sequence[int], met: Sequence[Counter[int]], points: Sequence[int]
) -> list[list[int]] | None:
    """Return tables without anybody who has met before; None where there are none, or too hidden.

    It always seats next who has fewest possible mates left, first with mates of the nearest score,
    and goes back where somebody is left over. In the worst case it tries all ways, so it takes so
    many steps and no more.

    Parameters
    ----------
    sizes : sequence of int
        Of the tables; together they seat everybody.
    met : sequence of Counter
        By player, how often each other one was met.
    points : sequence of int
        By player.

    Examples
    --------
    >>> met = [Counter({1: 1}), Counter({0: 1}), Counter({3: 1}), Counter({2: 1})]
    >>> repeat_free((2, 2), met, (0, 0, 0, 0))
    [[0, 2], [1, 3]]
    >>> repeat_free((4,), met, (0, 0, 0, 0)) is None
    True
    """
    everybody = frozenset(range(len(points)))
    unmet = [
        frozenset(other for other in everybody if other != one and not met[one][other])
        for one in everybody
    ]
    steps = 0

    def tables(free: frozenset[int], left: Counter[int]) -> list[list[int]] | None:
        if not free:
            return []
        first = min(free, key=lambda one: (len(unmet[one] & free), one))
        for size in sorted(left):
            for mates in cliques((first,), unmet[first] & free, size):
                rest = tables(free.difference(mates), left - Counter((size,)))
                if rest is not None:
                    return [list(mates), *rest]
        return None

    def cliques(
        begun: tuple[int, ...], possible: frozenset[int], size: int
    ) -> Iterator[tuple[int, ...]]:
        """Yield the groups of so many who have not met, with those who are in it already."""
        nonlocal steps
        if len(begun) == size:
            yield begun
            return
        nearest = sorted(possible, key=lambda one: (abs(points[one] - points[begun[0]]), one))
        for n, one in enumerate(nearest):
            steps += 1
            if steps > MOST_STEPS:
                raise _GivenUpError
            later = frozenset(nearest[n + 1 :]) & unmet[one]
            yield from cliques((*begun, one), later, size)

    try:
        return tables(everybody, Counter(sizes))
    except _GivenUpError:
        return None

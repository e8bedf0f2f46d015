"""What is tried under `make test`, and what only under `make test-all`."""

from collections.abc import Iterable

import pytest
from hypothesis import settings

EVERY_RUN, ALL = "ci", "all"  # the profiles, of which `--hypothesis-profile` chooses
MOST_EVERY_RUN = 30


def register_profiles() -> None:
    """Make both known, and the short one the usual one.

    The same examples every time, and no verdict on how fast a noisy machine runs them.
    """
    settings.register_profile(ALL, derandomize=True, deadline=None)
    settings.register_profile(EVERY_RUN, settings.get_profile(ALL), max_examples=MOST_EVERY_RUN)
    settings.load_profile(EVERY_RUN)


def examples(all_of_them: int, every_run: int = MOST_EVERY_RUN) -> settings:
    """Return the settings of a property that is tried with so many examples under `test-all`."""
    is_all = settings.get_current_profile_name() == ALL
    return settings(max_examples=all_of_them if is_all else min(all_of_them, every_run))


def every_run(chosen: str, cases: Iterable[str]) -> list[object]:
    """Return cases for `parametrize`: the chosen one is for every run, the others are long."""
    return [one if one == chosen else pytest.param(one, marks=pytest.mark.long) for one in cases]

"""Which house rules the page offers for an edition: the few that players really change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from railspotter.scoring import Board, Edition

from .errors import SetUpError

FEWEST_TRAINS = 5
"""A game with fewer is over in some turns; chosen."""


@dataclass(frozen=True)
class OfferedRule:
    """A rule that can have another value than the rulebook's.

    Attributes
    ----------
    name : str
        A field of `scoring.Edition`.
    kind : str
        `switch`: as the rulebook has it, or not at all. `number`: any number between both.
    usual : int
        The rulebook's.
    least, most : int
        The least and the most of a number; of a switch, 0 and the rulebook's.
    """

    name: str
    kind: Literal["switch", "number"]
    usual: int
    least: int
    most: int


def rules_offered(edition: Edition, board: Board) -> tuple[OfferedRule, ...]:
    """Return what can be changed, in the order in which it is shown.

    Rules about cards are none of them: what is drawn from the deck the program never sees.

    Examples
    --------
    >>> from railspotter.scoring import load_board, load_edition
    >>> [rule.name for rule in rules_offered(load_edition("europe"), load_board("europe"))]
    ['longest_path_bonus', 'double_routes_open_from', 'stations', 'trains']
    """
    switches = [
        OfferedRule(name, "switch", usual, 0, usual)
        for name in ("longest_path_bonus", "globetrotter_bonus")
        if (usual := getattr(edition, name))
    ]
    numbers = []
    least, most = edition.players
    if board.lanes:
        # One more than can play: the second lane is never open.
        numbers.append(_number(edition, "double_routes_open_from", least, most + 1))
    if edition.stations:
        numbers.append(_number(edition, "stations", 0, edition.stations))
    numbers.append(_number(edition, "trains", FEWEST_TRAINS, edition.trains))
    return (*switches, *numbers)


def checked_rules(rules: Mapping[str, int], offer: tuple[OfferedRule, ...]) -> dict[str, int]:
    """Return the rules that are another than the rulebook's.

    Raises
    ------
    SetUpError
        For one that is not offered, or a value that it cannot have.

    Examples
    --------
    >>> bonus = OfferedRule("longest_path_bonus", "switch", 10, 0, 10)
    >>> checked_rules({"longest_path_bonus": 0}, (bonus,))
    {'longest_path_bonus': 0}
    >>> checked_rules({"longest_path_bonus": 10}, (bonus,))
    {}
    """
    offered = {rule.name: rule for rule in offer}
    for name, value in rules.items():
        rule = offered.get(name)
        if rule is None:
            known = ", ".join(offered) or "none"
            raise SetUpError(f"there is no house rule {name!r} here; there are: {known}")
        if rule.kind == "switch" and value not in (0, rule.usual):
            raise SetUpError(f"house rule {name!r}: it is {rule.usual} or 0, not {value}")
        if not rule.least <= value <= rule.most:
            raise SetUpError(f"house rule {name!r}: {rule.least} to {rule.most}, not {value}")
    return {name: value for name, value in rules.items() if value != offered[name].usual}


def _number(edition: Edition, name: str, least: int, most: int) -> OfferedRule:
    usual: int = getattr(edition, name)
    return OfferedRule(name, "number", usual, least, max(most, usual))

"""What a set-up offers: editions with their colours, and rules that can be others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Literal

import msgspec
from railspotter.scoring.board import Board, board_names, load_board
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.rules_in_words import other_rules
from railspotter.scoring.sentence import Sentence

from ..boards.board_choice import board_editions, rules_for
from ..boards.own_boards import MOST_BOARDS, OwnBoards
from ..errors import HomeError, NoBoardError, SetUpError

FEWEST_TRAINS = 5  # a game with fewer is over in some turns; chosen
MOST_POINTS = 100  # for one site
_Number = Annotated[int, msgspec.Meta(ge=0, le=1000)]
# Of a rule; several numbers are those of its first, second, ... case.
RuleValue = (
    _Number | bool | Annotated[tuple[_Number, ...], msgspec.Meta(min_length=1, max_length=40)]
)


@dataclass(frozen=True)
class OfferedEdition:
    """A board and its rules, to choose from."""

    id: str  # the edition's
    title: str  # the box's; of a board of one's own, that board's
    rules: str  # the title of the box by whose rules it is played
    board: str
    players: tuple[int, int]  # fewest and most
    colours: tuple[Colour, ...]  # the colours of the box, and of the user's own trains
    train_word: str
    is_own: bool = False  # whether the board is the user's own
    # What is played otherwise than by the plainest rules on that board.
    other_rules: tuple[Sentence, ...] = ()


def editions_offered(boards: OwnBoards) -> tuple[OfferedEdition, ...]:
    """Return all editions, the program's first; a board file that cannot be read is passed over."""
    own = []
    for name in boards.names():
        with suppress(OSError):
            board = _own_board(boards, name, boards.path(name).stat().st_mtime_ns)
            if board is not None:
                own.append(offered(board))
    return (*_shipped(), *own)


@lru_cache(MOST_BOARDS)  # each is asked for whenever a set-up is looked at
def _own_board(boards: OwnBoards, name: str, changed_ns: int) -> Board | None:
    try:
        return boards.load(name)
    except (HomeError, NoBoardError):
        return None


def offered(
    board: Board, edition: Edition | None = None, own: Sequence[Colour] = ()
) -> OfferedEdition:
    """Return a board and its rules as they are offered, without rules those that fit it best.

    `own` are the colours of the user's own trains.
    """
    edition = edition or rules_for(board)
    is_own = board.id not in board_names()
    return OfferedEdition(
        edition.id,
        board.title if is_own else edition.title,
        edition.title,
        board.id,
        edition.players,
        tuple(dict.fromkeys((*edition.colours, *own))),
        edition.train_word,
        is_own,
        other_rules(edition),
    )


@cache
def _shipped() -> tuple[OfferedEdition, ...]:
    readable = (one for one in board_editions() if load_board(one.board).measured)
    return tuple(offered(load_board(one.board), one) for one in readable)


@dataclass(frozen=True)
class OfferedRule:
    """A rule that can have another value than the rulebook's."""

    name: str  # a field of `scoring.Edition`
    # `switch`: as the rulebook has it, or the other way. `number`: any number between both.
    # `numbers`: one after the other, each of them between both.
    kind: Literal["switch", "number", "numbers"]
    usual: RuleValue  # the rulebook's
    least: int  # least, most: The least and the most of a number; of a switch, off and on
    most: int


def rules_offered(edition: Edition, board: Board) -> tuple[OfferedRule, ...]:
    """Return what can be changed, in the order in which it is shown.

    Rules about cards are none of them: what is drawn from the deck the program never sees. But for
    the one that Philly's own rules offer, which holds where phones are dealt the cards.
    """
    rules = [
        OfferedRule(name, "switch", usual, 0, usual)
        for name in ("longest_path_bonus", "globetrotter_bonus")
        if (usual := getattr(edition, name))
    ]
    least, most = edition.players
    if board.lanes:
        # One more than can play: the second lane is never open.
        rules.append(_number(edition, "double_routes_open_from", least, most + 1))
    if edition.stations:
        rules.append(_number(edition, "stations", 0, edition.stations))
    rules.append(_number(edition, "trains", FEWEST_TRAINS, edition.trains))
    if edition.site_points:
        rules.append(OfferedRule("site_points", "numbers", edition.site_points, 0, MOST_POINTS))
        replaced = edition.replaced_locomotive
        rules.append(OfferedRule("replaced_locomotive", "switch", replaced, False, True))
    return tuple(rules)


def checked_rules(
    rules: Mapping[str, RuleValue], offer: tuple[OfferedRule, ...]
) -> dict[str, RuleValue]:
    """Return the rules that are another than the rulebook's."""
    offered = {rule.name: rule for rule in offer}
    checked: dict[str, RuleValue] = {}
    for name, said in rules.items():
        rule = offered.get(name)
        if rule is None:
            known = ", ".join(offered) or "none"
            raise SetUpError(
                "there is no house rule {rule!r} here; there are: {known}", rule=name, known=known
            )
        value = rule.most if rule.kind == "switch" and said is True else said
        numbers = value if isinstance(value, tuple) else (value,)
        written = ", ".join(map(str, numbers))
        if rule.kind == "switch" and value not in (rule.least, rule.most):
            raise SetUpError(
                "house rule {rule!r}: it is {usual} or 0, not {value}",
                rule=name,
                usual=int(rule.most),
                value=written,
            )
        is_one = rule.kind == "numbers" or len(numbers) == 1
        if not (is_one and all(rule.least <= number <= rule.most for number in numbers)):
            raise SetUpError(
                "house rule {rule!r}: {least} to {most}, not {value}",
                rule=name,
                least=rule.least,
                most=rule.most,
                value=written,
            )
        checked[name] = numbers if rule.kind == "numbers" else type(rule.most)(numbers[0])
    return {name: value for name, value in checked.items() if value != offered[name].usual}


def _number(edition: Edition, name: str, least: int, most: int) -> OfferedRule:
    usual: int = getattr(edition, name)
    return OfferedRule(name, "number", usual, least, max(most, usual))

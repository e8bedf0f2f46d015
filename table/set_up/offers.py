"""The editions and house rules that a set-up offers."""

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
from ..errors import HomeError, SetUpError

FEWEST_TRAINS = 5  # for a player: with fewer a game is over in some turns; chosen
MOST_POINTS = 100  # for one site
_Number = Annotated[int, msgspec.Meta(ge=0, le=1000)]
# A rule's value; several numbers are for its first, second, ... case.
RuleValue = (
    _Number | bool | Annotated[tuple[_Number, ...], msgspec.Meta(min_length=1, max_length=40)]
)


@dataclass(frozen=True)
class OfferedEdition:
    """A board and its rules, as offered in the set-up."""

    id: str  # the edition's
    title: str  # the edition's, or that of the user's own board
    rules: str  # the edition's title
    board: str
    players: tuple[int, int]  # fewest and most
    colours: tuple[Colour, ...]  # of the box, and of the user's own trains
    train_word: str
    is_own: bool = False  # whether the board is the user's own
    other_rules: tuple[Sentence, ...] = ()  # the differences from the basic rules on that board


def editions_offered(boards: OwnBoards) -> tuple[OfferedEdition, ...]:
    """Return all editions, the program's first; unreadable board files are skipped."""
    own = []
    for name in boards.names():
        with suppress(OSError):
            board = _own_board(boards, name, boards.path(name).stat().st_mtime_ns)
            if board is not None:
                own.append(offered(board))
    return (*_shipped(), *own)


@lru_cache(MOST_BOARDS)  # loaded for every view of the set-up
def _own_board(boards: OwnBoards, name: str, changed_ns: int) -> Board | None:
    try:
        return boards.load(name)
    except HomeError:
        return None


def offered(
    board: Board, edition: Edition | None = None, own: Sequence[Colour] = ()
) -> OfferedEdition:
    """Make the offer of a board and its rules, by default those that fit it best.

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
    """A rule that a house rule may change."""

    name: str  # a field of `scoring.Edition`
    # `switch`: `least` or `most`. `number`: from `least` to `most`. `numbers`: several of these.
    kind: Literal["switch", "number", "numbers"]
    usual: RuleValue  # the rulebook's
    least: int  # for a switch: off
    most: int  # for a switch: on


def rules_offered(edition: Edition, board: Board) -> tuple[OfferedRule, ...]:
    """Return the rules that can be changed, in the order of display.

    Rules about cards are not among them, since the program does not see the deck; except Philly's
    own option, which applies with cards on phones.
    """
    rules = [
        OfferedRule(name, "switch", usual, 0, usual)
        for name in ("longest_path_bonus", "globetrotter_bonus")
        if (usual := getattr(edition, name))
    ]
    least, most = edition.players
    if board.lanes:
        # One above the most players means that the second lane is never open.
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
    """Validate house rules; return those that differ from the rulebook's; raises `SetUpError`."""
    offered = {rule.name: rule for rule in offer}
    checked: dict[str, RuleValue] = {}
    for name, given in rules.items():
        rule = offered.get(name)
        if rule is None:
            known = ", ".join(offered) or "none"
            raise SetUpError(
                "there is no house rule {rule!r} here; there are: {known}", rule=name, known=known
            )
        value = rule.most if rule.kind == "switch" and given is True else given
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

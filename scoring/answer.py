"""A game's text in, its standing out: everything between a file and its score."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from .board import Board, load_board
from .card_game import card_position_problems, deck_scoring, final_card_score
from .card_game_text import CardGame, card_position_of, load_deck, parse_card_game
from .edition import Colour
from .final_score import score_of
from .game import BoardGame, decode_text, edition_of, parse_board_game, position_of
from .legality import Problem, position_problems
from .likely_mistakes import likely_mistakes
from .longest_path import LongestPath
from .position import Position, low_stocks
from .standing import Standing


@dataclass(frozen=True, slots=True)
class GameScore:
    """What there is to say about a game."""

    standing: Standing
    final: bool  # whether `standing` is the final score
    problems: tuple[Problem, ...] = ()  # what the rules do not allow; it is scored all the same
    low_stocks: tuple[Colour, ...] = ()  # the players whose stock brings the last turns
    # Who still has a last turn, next one first, where the game says who began them.
    last_turns: tuple[Colour, ...] | None = None
    train_word: str = "train"  # what the edition calls one piece


class _Head(msgspec.Struct):
    edition: str = ""


def parse_game(text: bytes | str) -> BoardGame | CardGame:
    """Read the text of a game of any edition.

    Raises
    ------
    GameError
        For the first thing that is wrong, with the path of the field.

    Examples
    --------
    >>> parse_game('{"edition": "usa"}').edition
    'usa'
    """
    edition = decode_text(text, _Head).edition
    return parse_card_game(text) if edition == "card-game" else parse_board_game(text)


def board_of(game: BoardGame, folder: Path | None = None) -> Board:
    """Return the board that a game is played on.

    Parameters
    ----------
    folder : Path, optional
        Where a relative path in `board` starts; the current folder without it.
    """
    if game.board is None:
        return load_board(edition_of(game).board)
    return load_board((folder or Path()) / game.board if "." in game.board else game.board)


def answer(game: BoardGame | CardGame, folder: Path | None = None) -> GameScore:
    """Score a game.

    Parameters
    ----------
    folder : Path, optional
        Where the relative paths in it start.

    Raises
    ------
    ScoringError
        When it names something that there is not.

    Examples
    --------
    >>> game = parse_game('{"edition": "usa", "claims": {"helena--seattle": "red"}}')
    >>> answer(game).standing["red"].total
    15
    """
    if isinstance(game, CardGame):
        return _card_answer(game, folder)
    return game_score(position_of(game, board_of(game, folder)))


def game_score(position: Position) -> GameScore:
    """Score a game on a board, and say what there is to say about it."""
    return GameScore(
        score_of(position),
        position.final,
        (*position_problems(position), *likely_mistakes(position)),
        low_stocks(position),
        () if position.waiting and position.final else position.waiting,
        position.edition.train_word,
    )


def _card_answer(game: CardGame, folder: Path | None) -> GameScore:
    deck = None if game.deck is None else load_deck((folder or Path()) / game.deck)
    position = card_position_of(game, deck)
    return GameScore(
        final_card_score(position) if game.final else deck_scoring(position),
        game.final,
        card_position_problems(position, final=game.final),
    )


def to_json(answer: GameScore) -> dict[str, Any]:
    """Return an answer as it is printed with `--json`.

    Examples
    --------
    >>> game = parse_game('{"edition": "usa", "claims": {"helena--seattle": "red"}}')
    >>> said = to_json(answer(game))
    >>> said["players"][0]["longest_path"]
    {'length': 6, 'at_most': 6, 'routes': ('helena--seattle',)}
    """
    said: dict[str, Any] = {
        "players": [
            {
                **asdict(player),
                "longest_path": path_json(player.longest_path),
                "lines": [{"what": line.what, "points": line.points} for line in player.lines],
            }
            for player in answer.standing.players
        ],
        "problems": [asdict(problem) for problem in answer.problems],
        "low_stocks": answer.low_stocks,
    }
    if answer.last_turns is not None:
        said["last_turns"] = answer.last_turns
    if answer.final:
        said["winners"] = answer.standing.winners
    return said


def path_json(path: LongestPath) -> dict[str, Any]:
    """Return a path as it is told: where `at_most` is more than `length`, both are bounds.

    Examples
    --------
    >>> path_json(LongestPath(120, slack=30))
    {'length': 120, 'at_most': 150, 'routes': ()}
    """
    return {"length": path.at_least, "at_most": path.at_most, "routes": path.routes}

"""Scores a game's text: everything between a file and its score.

A score comes with warnings about likely typing mistakes in the text, which are not for cameras or
bots. Rule violations are in `legality`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from .board import Board, RouteId, load_board
from .card_game.rules import CardPosition, card_position_problems, card_standing
from .card_game.text import CardGame, card_position_of, load_deck
from .edition import Colour
from .errors import GameError
from .game import BoardGame, edition_of, position_of, unsure_spots
from .json_text import parse_json
from .legality import Problem, position_problems, rule_problem
from .points.final_score import score_of
from .points.standing import PlayerStanding, Standing
from .position import Position, low_stocks
from .sentence import Sentence, together
from .spot import Spot
from .spot_names import spot_name


@dataclass(frozen=True, slots=True)
class GameScore:
    """The score of a game, with its problems and last turns."""

    standing: Standing
    final: bool  # whether `standing` is the final score
    problems: tuple[Problem, ...] = ()  # what the rules do not allow; it is scored all the same
    low_stocks: tuple[Colour, ...] = ()  # the players whose stock brings the last turns
    # Who still has a last turn, next one first, where the game says who began them.
    last_turns: tuple[Colour, ...] | None = None
    train_word: str = "train"  # what the edition calls one piece
    # What a game's text leaves open, by name; it is scored as the text has it.
    unsure: Mapping[str, Spot] = field(default_factory=dict)


class _Head(msgspec.Struct):
    edition: str = ""


def parse_game(text: bytes | str) -> BoardGame | CardGame:
    """Parse the text of a game of any edition.

    Raises `GameError` for the first thing that is wrong, with the path of the field.

    >>> parse_game('{"edition": "usa"}').edition
    'usa'
    """
    if parse_json(text, _Head, GameError).edition == "card-game":
        return parse_json(text, CardGame, GameError)
    return parse_json(text, BoardGame, GameError)


def board_of(game: BoardGame, folder: Path | None = None) -> Board:
    """Load the board of a game; a relative path in it starts at `folder`."""
    if game.board is None:
        return load_board(edition_of(game).board)
    return load_board((folder or Path()) / game.board if "." in game.board else game.board)


def answer(game: BoardGame | CardGame, folder: Path | None = None) -> GameScore:
    """Score a game; relative paths in it start at `folder`.

    Raises `ScoringError` when it names something that there is not.

    >>> game = parse_game('{"edition": "usa", "claims": {"helena--seattle": "red"}}')
    >>> answer(game).standing["red"].total
    15
    """
    if isinstance(game, CardGame):
        deck = None if game.deck is None else load_deck((folder or Path()) / game.deck)
        return card_game_score(card_position_of(game, deck))
    board = board_of(game, folder)
    unsure = {spot_name(board, spot): spot for spot in unsure_spots(game, board)}
    return replace(game_score(position_of(game, board)), unsure=unsure)


def game_score(position: Position) -> GameScore:
    """Score a position on a board, with its problems and last turns."""
    return GameScore(
        score_of(position),
        position.final,
        (*position_problems(position), *likely_mistakes(position)),
        low_stocks(position),
        () if position.waiting and position.final else position.waiting,
        position.edition.train_word,
    )


def card_game_score(position: CardPosition) -> GameScore:
    """Score a position of The Card Game, with its problems."""
    standing = card_standing(position)
    return GameScore(standing, position.final, card_position_problems(position))


def to_json(answer: GameScore) -> dict[str, Any]:
    """Return a score as the JSON object of `--json`.

    >>> game = parse_game('{"edition": "usa", "claims": {"helena--seattle": "red"}}')
    >>> said = to_json(answer(game))
    >>> said["players"][0]["longest_path"]
    {'length': 6, 'at_most': 6, 'routes': ('helena--seattle',)}
    """
    said: dict[str, Any] = {
        "players": [
            {
                **asdict(player),
                "longest_path": path_json(player),
                "lines": [{"what": line.what, "points": line.points} for line in player.lines],
            }
            for player in answer.standing.players
        ],
        "problems": [asdict(problem) for problem in answer.problems],
        "low_stocks": answer.low_stocks,
    }
    if answer.last_turns is not None:
        said["last_turns"] = answer.last_turns
    if answer.unsure:
        said["unsure"] = [spot.id for spot in answer.unsure.values()]
    if answer.final:
        said["winners"] = answer.standing.winners
        said["decided_by"] = answer.standing.decided_by
        said["ties_broken"] = [asdict(tie) for tie in answer.standing.ties_broken]
    return said


def path_json(player: PlayerStanding) -> dict[str, Any]:
    """Return a player's longest path as it stands in the JSON of a score."""
    path = player.longest_path
    # `at_most` is more where both are bounds.
    return {"length": path.at_least, "at_most": path.at_most, "routes": path.routes}


def likely_mistakes(position: Position) -> tuple[Problem, ...]:
    """Return the likely typing mistakes in a position, in a final one also an impossible end.

    The end is only checked if somebody has placed two thirds of the trains: with fewer it is a
    question about a few routes, not a whole game.
    """
    found = [*_pointless_routes(position), *_too_many_of_a_series(position)]
    fewest = min(map(position.trains_left, position.colours), default=position.edition.trains)
    if position.final and 3 * fewest <= position.edition.trains:
        found += [*_too_few_tickets(position), *_nobody_low(position)]
    return (*found, *_ending_mistakes(position))


def _ending_mistakes(position: Position) -> Iterator[Problem]:
    """Yield the contradictions in what a game tells of its last turns."""
    if (ending := position.last_turns) is None:
        return
    edition, left = position.edition, position.trains_left(ending.by)
    if left > edition.last_round_at:
        said = Sentence(
            "the last turns began with {colour}, who has {left} pieces left; {n} or fewer bring"
            " them",
            colour=ending.by,
            left=left,
            n=edition.last_round_at,
        )
        yield rule_problem(edition, "last_round_at", said)
    if ending.turns_since > (players := len(position.seats)):
        said = Sentence(
            "{n} turns were taken since the last turns began; each of {players} players has one",
            n=ending.turns_since,
            players=players,
        )
        yield rule_problem(edition, "last_round_at", said)
    if position.final and (unplayed := position.waiting):
        colours = together(unplayed, ", ")
        said = Sentence("the game is final, but {colours} still have a last turn", colours=colours)
        yield rule_problem(edition, "last_round_at", said)


def _pointless_routes(position: Position) -> tuple[Problem, ...]:
    """Return the lengths of routes that an edition, made for another board, has no points for.

    An edition without any route points is no oversight.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> position = Position(load_edition("europe"), load_board("usa"), ())
    >>> [problem.what for problem in _pointless_routes(position)]
    ['Europe (2005) has no points for routes of 5 spaces; the house rule route_points gives some']
    """
    edition, by_length = position.edition, dict[int, list[RouteId]]()
    for route in position.board.routes:
        if edition.route_points and route.length not in edition.route_points:
            by_length.setdefault(route.length, []).append(route.id)
    return tuple(
        rule_problem(
            edition,
            "route_points",
            Sentence(
                "{title} has no points for routes of {length} spaces; the house rule route_points"
                " gives some",
                title=edition.title,
                length=length,
            ),
            tuple(routes),
        )
        for length, routes in sorted(by_length.items())
    )


def _too_many_of_a_series(position: Position) -> Iterator[Problem]:
    edition = position.edition
    for colour, tickets in position.tickets.items():
        for series, most in edition.most_of_series.items():
            if (count := sum(ticket.series == series for ticket in tickets)) > most:
                what = Sentence(
                    "{colour} holds {n} {series} tickets; each player gets {most}",
                    colour=colour,
                    n=count,
                    series=series,
                    most=most,
                )
                yield rule_problem(edition, "most_of_series", what, colours=(colour,))


def _too_few_tickets(position: Position) -> Iterator[Problem]:
    """Yield problems about players with fewer tickets than must be kept.

    Only if everyone's tickets are known: else others may be missing too.
    """
    edition = position.edition
    if not all(position.tickets.get(colour) for colour in position.colours):
        return
    for colour in position.colours:
        if (count := len(position.tickets[colour])) < edition.first_tickets[1]:
            what = Sentence(
                "{colour} has {n} tickets; at least {least} are kept",
                colour=colour,
                n=count,
                least=edition.first_tickets[1],
            )
            yield rule_problem(edition, "first_tickets", what, colours=(colour,))


def _nobody_low(position: Position) -> Iterator[Problem]:
    """Yield a problem if nobody's stock is low, though somebody could still claim."""
    if low_stocks(position) or not _goes_on(position):
        return
    edition = position.edition
    left, colour = min((position.trains_left(colour), colour) for colour in position.colours)
    what = Sentence(
        "the game is final, but nobody has {n} {pieces} or fewer left; {colour} has the fewest,"
        " {left}",
        n=edition.last_round_at,
        pieces=f"{edition.train_word}s",
        colour=colour,
        left=left,
    )
    yield rule_problem(edition, "last_round_at", what)


def _goes_on(position: Position) -> bool:
    """Tell whether somebody may still claim a route and has the trains for it."""
    return any(
        route.length <= position.trains_left(colour) and position.is_open(route, colour)
        for colour in position.colours
        for route in position.board.routes
    )

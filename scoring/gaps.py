"""What a board file still lacks to be played by an edition's rules, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .board import Board
from .edition import Edition, ticket_deck
from .sentence import Sentence
from .spot_names import route_ends


def board_gaps(board: Board, edition: Edition) -> Iterator[Sentence]:
    """Yield what nobody has said of a board that these rules ask about.

    Examples
    --------
    >>> from .board import load_board
    >>> from .edition import load_edition
    >>> list(board_gaps(load_board("usa"), load_edition("usa")))
    []
    >>> for said in board_gaps(load_board("philly"), load_edition("philly")):
    ...     print(said)
    no tickets are known: players type theirs in with their points, and no phone is dealt any
    nobody has said which colour these routes have: Bridesburg - North Philly
    no route is of the modes B, N, R, S, T: nobody can have the bonus for all modes
    nobody has said which mode these routes are of: Bridesburg - North Philly
    no sites are known, so none can be claimed
    """
    if not ticket_deck(edition, board):
        yield Sentence(
            "no tickets are known: players type theirs in with their points, and no phone is dealt"
            " any"
        )
    names = {route.id: route_ends(board, route.id) for route in board.routes}
    if plain := [names[route.id] for route in board.routes if route.colour == "unknown"]:
        yield Sentence(
            "nobody has said which colour these routes have: {routes}", routes=_some(plain)
        )
    if edition.modes:
        yield from _modes(board, edition, names)
    if edition.site_points:
        yield from _sites(board)


def _modes(board: Board, edition: Edition, names: dict[str, str]) -> Iterator[Sentence]:
    known = [mode for mode in edition.modes if mode not in {r.mode for r in board.routes}]
    if known:
        yield Sentence(
            "no route is of the modes {modes}: nobody can have the bonus for all modes",
            modes=", ".join(known),
        )
    if silent := [names[route.id] for route in board.routes if route.mode is None]:
        yield Sentence(
            "nobody has said which mode these routes are of: {routes}", routes=_some(silent)
        )
    other = {r.mode for r in board.routes if r.mode is not None} - {*edition.modes}
    if other:
        yield Sentence(
            "there is no mode {other}: they are {modes}",
            other=", ".join(sorted(other)),
            modes=", ".join(edition.modes),
        )


def _sites(board: Board) -> Iterator[Sentence]:
    if not board.sites:
        yield Sentence("no sites are known, so none can be claimed")
    if plain := [site.name for site in board.sites if len(site.colours) != 2]:
        yield Sentence(
            "nobody has said which two colours pay for these sites: {sites}", sites=_some(plain)
        )
    if nowhere := [site.name for site in board.sites if board.measured and site.space is None]:
        yield Sentence(
            "nobody has said where these sites are, so no camera sees them: {sites}",
            sites=_some(nowhere),
        )


MOST_NAMED = 5  # in one sentence


def _some(names: Sequence[str]) -> str:
    more = f" (+{len(names) - MOST_NAMED})" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more

"""Lists what a board file lacks for an edition's rules, in sentences."""

from collections.abc import Callable, Iterator, Sequence

from .board import Board, Place, Route
from .edition import Edition, ticket_deck
from .sentence import Sentence
from .spot_names import route_ends

MOST_NAMED = 5  # in one sentence


def board_gaps(board: Board, edition: Edition) -> Iterator[Sentence]:
    """Yield the missing data of a board that these rules need, as sentences.

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
    if places := _some([place.name for place in board.places if is_unnamed(place)]):
        yield Sentence("these places have no name yet: {places}", places=places)
    if routes := _routes(board, lambda route: route.colour == "unknown"):
        yield Sentence("nobody has said which colour these routes have: {routes}", routes=routes)
    if edition.modes:
        yield from _modes(board, edition.modes)
    if edition.site_points:
        yield from _sites(board)


def _modes(board: Board, modes: Sequence[str]) -> Iterator[Sentence]:
    there = {route.mode for route in board.routes}
    if absent := [mode for mode in modes if mode not in there]:
        yield Sentence(
            "no route is of the modes {modes}: nobody can have the bonus for all modes",
            modes=", ".join(absent),
        )
    if routes := _routes(board, lambda route: route.mode is None):
        yield Sentence("nobody has said which mode these routes are of: {routes}", routes=routes)
    if routes := _routes(board, lambda route: route.mode not in (None, *modes)):
        yield Sentence(
            "these routes are of no mode that there is ({modes}): {routes}",
            modes=", ".join(modes),
            routes=routes,
        )


def _sites(board: Board) -> Iterator[Sentence]:
    if not board.sites:
        yield Sentence("no sites are known, so none can be claimed")
    if sites := _some([site.name for site in board.sites if len(site.colours) != 2]):
        yield Sentence(
            "nobody has said which two colours pay for these sites: {sites}", sites=sites
        )
    if board.measured and (sites := _some([s.name for s in board.sites if s.space is None])):
        yield Sentence(
            "nobody has said where these sites are, so no camera sees them: {sites}", sites=sites
        )


def is_unnamed(place: Place) -> bool:
    """Tell whether a place has only the number of a proposal as its name: `? 7`."""
    return place.name.startswith("?")


def _routes(board: Board, which: Callable[[Route], bool]) -> str:
    return _some([route_ends(board, route.id) for route in board.routes if which(route)])


def _some(names: Sequence[str]) -> str:
    more = f" (+{len(names) - MOST_NAMED})" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more

"""A board that is being made: what was found on its picture, what a person said, what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import msgspec
from railspotter.calibration.board_making.errors import BoardMakingError
from railspotter.calibration.board_making.growing import grow, places_of
from railspotter.calibration.board_making.proposal_values import (
    BoardProposal,
    ProposedRoute,
    ProposedSpace,
)
from railspotter.scoring.board import Board, BoardTicket, Place, Route, Site

from ..errors import DraftError

NOWHERE = (0.0, 0.0)
NO_SPACE = (0.0, 0.0)


@dataclass(frozen=True)
class Traits:
    """What is printed on a route beside its colour, and on no picture surely seen."""

    tunnel: bool = False
    ferry_locomotives: int = 0
    mode: str | None = None  # Philly: the circled letter of its means of transport


@dataclass(frozen=True)
class BoardDraft:
    """A board that is being made."""

    id: str
    title: str
    proposal: BoardProposal  # its places and routes as far as they are on the picture
    # All places of a board of which a part was known: also those that nobody has found yet.
    places: tuple[Place, ...] = ()
    bare: tuple[Route, ...] = ()  # the routes of such a board that have no spaces yet
    # What is known of routes, by their numbers in the proposal.
    traits: dict[int, Traits] = field(default_factory=dict)
    sites: tuple[Site, ...] = ()
    is_complete: bool = False
    tickets: tuple[BoardTicket, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """What all its places are called, by their ids."""
        known = {place.id: place.name for place in self.places}
        return known | {place.id: place.name for place in self.proposal.places}

    @property
    def unplaced(self) -> tuple[Place, ...]:
        """Places of which nobody has said where they are."""
        placed = {place.id for place in self.proposal.places}
        return tuple(place for place in self.places if place.id not in placed)


def new_draft(board_id: str, title: str, size_mm: tuple[float, float]) -> BoardDraft:
    """Return a board of which nothing is known yet."""
    return BoardDraft(board_id, title, BoardProposal(size_mm, NO_SPACE, (), ()))


def draft_of(board: Board, board_id: str, size_mm: tuple[float, float]) -> BoardDraft:
    """Return a board, whole or a part, as a draft: what is set in it stays until it is changed."""
    laid = [route for route in board.routes if route.spaces]
    routes = tuple(
        ProposedRoute(
            number,
            route.a,
            route.b,
            route.colour,
            tuple(ProposedSpace(s.xy_mm, s.angle_deg, s.size_mm) for s in route.spaces),
            is_accepted=True,
        )
        for number, route in enumerate(laid, start=1)
    )
    sizes = [space.size_mm for route in laid for space in route.spaces]
    proposal = BoardProposal(
        size_mm if board.size_mm == (1.0, 1.0) else board.size_mm,
        sorted(sizes)[len(sizes) // 2] if sizes else NO_SPACE,
        places_of(board),
        routes,
    )
    traits = {
        number: Traits(route.tunnel, route.ferry_locomotives, route.mode)
        for number, route in enumerate(laid, start=1)
        if route.tunnel or route.ferry_locomotives or route.mode
    }
    bare = tuple(route for route in board.routes if not route.spaces)
    return BoardDraft(
        board_id,
        board.title,
        proposal,
        board.places,
        bare,
        traits,
        board.sites,
        is_complete=board.complete,
        tickets=board.tickets,
    )


def board_of(draft: BoardDraft) -> Board:
    """Return the board that a draft gives: all that is drawn and was not rejected.

    Raises
    ------
    DraftError, BoardError
        When it would be no board, with what is wrong.
    """
    attractions = {place.id for place in draft.places if place.attraction}
    placed = [
        Place(place.id, place.name, place.xy_mm, attraction=place.id in attractions)
        for place in draft.proposal.places
    ]
    unplaced = [msgspec.structs.replace(place, xy_mm=NOWHERE) for place in draft.unplaced]
    known = Board(
        draft.id,
        draft.title,
        (*placed, *unplaced),
        draft.bare,
        draft.proposal.size_mm,
        draft.sites,
        measured=False,
        complete=draft.is_complete,
    )
    try:
        grown = grow(known, draft.proposal).board
    except BoardMakingError as error:
        raise DraftError(str(error)) from error
    traits = {
        frozenset(space.xy_mm for space in draft.proposal.route(number).spaces): told
        for number, told in draft.traits.items()
        if any(route.number == number for route in draft.proposal.routes)
    }
    routes = tuple(_with_traits(route, traits) for route in grown.routes)
    return msgspec.structs.replace(grown, routes=routes, tickets=draft.tickets)


def grow_notes(draft: BoardDraft) -> tuple[str, ...]:
    """Return where what was known of the board and its picture disagree, in words."""
    if not draft.bare:
        return ()
    unplaced = tuple(msgspec.structs.replace(p, xy_mm=NOWHERE) for p in draft.places)
    known = Board(draft.id, "", unplaced, draft.bare, draft.proposal.size_mm, measured=False)
    return grow(known, draft.proposal).notes


def cleaned(draft: BoardDraft) -> BoardDraft:
    """Return a draft without traits of routes that it has no more."""
    numbers = {route.number for route in draft.proposal.routes}
    traits = {number: told for number, told in draft.traits.items() if number in numbers}
    return replace(draft, traits=traits)


def _with_traits(route: Route, traits: dict[frozenset[tuple[float, float]], Traits]) -> Route:
    told = traits.get(frozenset(space.xy_mm for space in route.spaces)) if route.spaces else None
    if told is None:
        return route
    return msgspec.structs.replace(
        route,
        tunnel=told.tunnel,
        ferry_locomotives=told.ferry_locomotives,
        mode=told.mode,
    )

"""A scored photo as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from railspotter.scoring import Board, Colour, RouteId

from .scored_photo import ScoredPhoto


def to_text(photo: ScoredPhoto, colours: Sequence[Colour] | None = None) -> str:
    """Return a short table of scores, then the doubts.

    Parameters
    ----------
    colours : sequence of str, optional
        Players to list even where they have no route; without it, only those who have one.
    """
    return "\n".join(_lines(photo, colours or ()))


def route_name(board: Board, route_id: RouteId) -> str:
    """Return what players call a route.

    Examples
    --------
    >>> from railspotter.scoring import load_board
    >>> route_name(load_board("usa"), "portland--seattle--1")
    'Portland - Seattle (second lane)'
    """
    route = board.route_by_id[route_id]
    ends = f"{board.place_by_id[route.a].name} - {board.place_by_id[route.b].name}"
    if route_id not in board.other_lanes:
        return ends
    lane = ("first", "second", "third", "fourth")[route.lane]
    return f"{ends} ({lane} lane)"


def _lines(photo: ScoredPhoto, colours: Sequence[Colour]) -> Iterator[str]:
    claims = photo.claims or {}
    yield f"{photo.photo}: {photo.edition.title}, {len(claims)} routes claimed"
    yield f"  {'':10s}{'route points':>14s}{photo.edition.train_word + 's left':>14s}" + (
        f"{'longest path':>14s}"
    )
    players = photo.standing.players if photo.standing else ()
    for player in sorted(players, key=lambda p: -p.route_points):
        if player.colour in colours or player.colour in claims.values():
            yield (
                f"  {player.colour:10s}{player.route_points:14d}{player.trains_left:14d}"
                f"{player.longest_path.length:14d}"
            )
    for note in photo.notes:
        yield f"  note: {note}"
    if photo.doubts:
        yield "  not sure of:"
    for number, doubt in enumerate(photo.doubts, start=1):
        others = " or ".join(other or "free" for other in doubt.alternatives)
        yield (
            f"  {number:3d}. {route_name(photo.board, doubt.route)}: {doubt.said or 'free'}"
            f" (or {others}): {doubt.why}"
        )

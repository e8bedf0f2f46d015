"""Text of a scored photo for the terminal."""

from collections.abc import Iterator, Sequence

from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour
from railspotter.scoring.paths.longest_path import path_text
from railspotter.scoring.position import stations_by_colour
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import spot_name

from .scored_photo import ScoredPhoto, SpotAnswer

SECOND_PHOTO = "a second photo from another side, or in another light, settles more than questions"


def to_text(
    photo: ScoredPhoto, colours: Sequence[Colour] | None = None, *, is_file: bool = True
) -> str:
    """Format a table of scores, the remarks and the doubts.

    Players of `colours` are listed even without a route. `is_file` is whether a second photo can be
    suggested.
    """
    lines = list(_lines(photo, colours or ()))
    if is_file and photo.doubts and len(photo.parts) < 2:
        lines.append(f"  {SECOND_PHOTO}: railspotter read {photo.photo} SECOND --same-board")
    return "\n".join(lines)


def _lines(photo: ScoredPhoto, colours: Sequence[Colour]) -> Iterator[str]:
    claims = photo.claims
    names = [part.photo for part in photo.parts if part.reason is None] or [photo.photo]
    yield f"{' and '.join(names)}: {photo.edition.title}, {len(claims)} routes claimed"
    yield f"  {'':10s}{'route points':>14s}{photo.edition.train_word + 's left':>14s}" + (
        f"{'longest path':>14s}"
    )
    shown = {*colours, *photo.held.values()}
    # With unseen spots the numbers are bounds.
    least, most = ("at least ", "at most ") if photo.unseen else ("", "")
    for player in sorted(photo.standing.players, key=lambda p: -p.route_points):
        if player.colour in shown:
            points, left = f"{least}{player.route_points}", f"{most}{player.trains_left}"
            path = player.longest_path
            length = f"{least}{path.at_least}" if least else path_text(path)
            yield f"  {player.colour:10s}{points:>14s}{left:>14s}{length:>14s}"
    yield from _pieces_held(photo)
    for remark in photo.remarks:
        yield f"  note: {remark}"
    for answer in photo.answers:
        yield f"  {_answer(photo.board, answer)}"
    if photo.doubts:
        yield "  not sure of:"
    for number, doubt in enumerate(photo.doubts, start=1):
        others = " or ".join(other or "free" for other in doubt.alternatives)
        yield (
            f"  {number:3d}. {spot_name(photo.board, doubt.spot)}:"
            f" {doubt.said or 'free'}"
            f" (or {others}): {doubt.why}"
        )


def _pieces_held(photo: ScoredPhoto) -> Iterator[str]:
    """Yield the lines about stations and sites."""
    if photo.edition.stations:
        for colour, places in stations_by_colour(photo.stations).items():
            names = ", ".join(photo.board.place_by_id[place].name for place in places)
            yield f"  {colour} stations: {names}"
    for site, colour in photo.sites.items():
        yield f"  {spot_name(photo.board, Spot('site', site))}: {colour}"


def _answer(board: Board, answer: SpotAnswer) -> str:
    """Format a user's answer, with the reading if it differs."""
    said = f"{spot_name(board, answer.spot)}: {answer.said or 'free'}"
    if answer.said == answer.read:
        return f"{'answered' if answer.was_doubted else 'confirmed'}: {said}"
    how = "answered" if answer.was_doubted else "corrected"
    return f"{how}: {said} (read as {answer.read or 'free'})"

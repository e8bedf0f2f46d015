"""The demonstration: a board and a game of the project's own drawing, read like any photo."""

from __future__ import annotations

from railspotter.calibration.reference import make_profile
from railspotter.scoring import Colour, RouteId, load_board, load_edition
from railspotter.vision.virtual_board import Sensor, View, draw_board, render

from .photo_score import PhotoScorer
from .scored_photo import Picture, ScoredPhoto

GAME: dict[Colour, tuple[RouteId, ...]] = {
    "red": (
        "calgary--seattle",
        "calgary--helena",
        "helena--winnipeg",
        "duluth--helena",
        "chicago--duluth",
        "chicago--pittsburgh--0",
        "new-york--pittsburgh--0",
    ),
    "blue": (
        "portland--seattle--0",
        "portland--san-francisco--0",
        "los-angeles--san-francisco--0",
        "el-paso--los-angeles",
        "el-paso--houston",
        "houston--new-orleans",
        "miami--new-orleans",
    ),
    "green": (
        "denver--phoenix",
        "denver--kansas-city--0",
        "kansas-city--saint-louis--0",
        "pittsburgh--saint-louis",
        "pittsburgh--washington",
        "boston--new-york--0",
        "new-york--washington--0",
    ),
    "yellow": (
        "salt-lake-city--san-francisco--0",
        "denver--salt-lake-city--0",
        "denver--oklahoma-city",
        "little-rock--oklahoma-city",
        "little-rock--nashville",
        "atlanta--nashville",
        "atlanta--charleston",
    ),
    "black": (
        "duluth--sault-st-marie",
        "montreal--sault-st-marie",
        "boston--montreal--0",
        "duluth--omaha--0",
        "kansas-city--omaha--0",
        "dallas--oklahoma-city--0",
    ),
}
"""Routes that the players of the demonstration hold."""
PX_PER_MM = 2.0


def demo_scorer() -> PhotoScorer:
    """Return a scorer for the drawn board; its profile is made of a drawing without trains."""
    board = load_board("usa")
    blank = draw_board(board, PX_PER_MM)
    height, width = blank.shape[:2]
    right, bottom = width - 0.5, height - 0.5
    corners = [(-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom)]
    profile = make_profile(blank, board, corners, "demo", "")
    return PhotoScorer(board, load_edition("usa"), profile)


def demo_photo(seed: int = 7) -> Picture:
    """Return a picture of the drawn board as a phone would take it, trains on it."""
    claims = {route: colour for colour, routes in GAME.items() for route in routes}
    view = View(tilt_deg=12, heading_deg=4)
    return render(load_board("usa"), claims, view, sensor=Sensor(seed=seed)).picture


def demo_score(scorer: PhotoScorer) -> ScoredPhoto:
    """Return the demonstration's photo, read and scored."""
    return scorer.score(demo_photo(), "drawn board")

"""A board so small that its picture is searched in no time."""

import numpy as np
from railspotter.scoring.board import Board, Place, Route, Space

SPACE = (26.0, 9.0)
SIZE = (300.0, 200.0)


def _row(start: tuple[float, float], angle_deg: float, count: int) -> tuple[Space, ...]:
    way = np.array([np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))])
    return tuple(
        Space(tuple((np.array(start) + way * 27.5 * i).tolist()), angle_deg, SPACE)
        for i in range(count)
    )


def small_board() -> Board:
    """Three places, a single, a double and a grey route; so near to the edge that no score is."""
    places = (
        Place("a", "Ay", (40.0, 20.0)),
        Place("b", "Bee", (180.0, 20.0)),
        Place("c", "Cee", (180.0, 130.0)),
    )
    laid = {
        "a--b": ("red", _row((70.0, 20.0), 0, 4)),
        "b--c--0": ("blue", _row((173.0, 47.0), 90, 3)),
        "b--c--1": ("yellow", _row((187.0, 47.0), 90, 3)),
        "a--c": ("grey", _row((62.0, 37.0), 38, 5)),
    }
    routes = tuple(
        Route(
            name,
            name.split("--")[0],
            name.split("--")[1],
            len(spaces),
            colour,
            spaces,
            int(name.endswith("1")),
        )
        for name, (colour, spaces) in laid.items()
    )
    return Board("small", "Small", places, routes, SIZE)

"""Photos of trains squeezed out of their lane: beside, over or under those of the lane beside it.

Of some double routes with two players one lane's trains are cut out and laid nearer to the other's.
"""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from railspotter.scoring.board import RouteId

from composed.laid_train import LaidTrain, trains_of_routes
from composed.library import Library
from composed.source import Source
from composed.stage import make_stage
from composed.table import ComposedTable
from hardships import renderings as camera
from hardships.fewer_players import sized_source
from hardships.steps import Shot, render
from photos.labelled import LabelledPhoto

SQUEEZED = "squeezed"  # the hardship
SHIFTS_MM = (3, 4, 5, 6, 7, 8)
SIDES = ("over", "under")
ROUTES = 4  # double routes of which one lane is squeezed, at most
LIGHTS: dict[str, camera.Rendering] = {
    "dim": lambda picture: camera.at_iso(camera.underexpose(picture, stops=2), iso=1600),
    "warm": partial(camera.apply_white_balance, bgr=camera.lamp_cast(2400)),
}
ON_TOP_MM = (0.001, 0.0)  # what hardly moves trains, and paints them after those they lie on


def squeezed_shots(shot: Shot, library: Library, stage: str) -> Iterator[tuple[str, Shot]]:
    """Yield a photo composed anew, its trains squeezed: each shot with what was done to it."""
    source = sized_source(shot.photo, library)
    table = ComposedTable(library.board, make_stage(library, stage), [source])
    whole = shot.photo.truth["claims"].keys() - shot.photo.half_filled
    doubles = [lanes for lanes in library.board.lanes if len(lanes) == 2 and whole >= {*lanes}]
    for mm in SHIFTS_MM:
        for side in SIDES:
            lot = np.random.default_rng(zlib.crc32(f"{shot.photo.exposure} {mm} {side}".encode()))
            chosen = [doubles[i] for i in lot.permutation(len(doubles))[:ROUTES]]
            picture = table.picture(_squeeze(library, source, chosen, mm, side))
            truth = LabelledPhoto(Path(f"{source.name}.jpg"), shot.photo.truth)
            made = Shot(truth, picture, table.stage.corners_px, shot.size_mm)
            for light, rendering in LIGHTS.items():
                yield f"{mm} mm {side}, {light}", render(made, rendering)


def _squeeze(
    library: Library, source: Source, doubles: list[tuple[RouteId, ...]], mm: float, side: str
) -> list[LaidTrain]:
    """Return a source's trains, one lane's of each double route nearer to the other's, or under.

    A table paints displaced trains after all others, and the second lane's after the first's.
    """
    laid = []
    moved = {lanes[side == "over"]: lanes[side == "under"] for lanes in doubles}
    for train in trains_of_routes(source, {one.route for one in source.trains}):
        if train.route in moved:
            own, other = (library.board.route_by_id[r] for r in (train.route, moved[train.route]))
            at = train.space if own.a == other.a else other.length - 1 - train.space
            way = np.subtract(other.spaces[at].xy_mm, own.spaces[train.space].xy_mm)
            x, y = (mm * way / np.hypot(*way)).tolist()
            laid.append(replace(train, shift_mm=(x, y)))
        elif train.route in moved.values() and side == "under":
            laid.append(replace(train, shift_mm=ON_TOP_MM))
        else:
            laid.append(train)
    return laid

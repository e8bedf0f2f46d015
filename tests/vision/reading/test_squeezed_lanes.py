"""Trains squeezed out of their lane, under or over the next lane's: they are asked about."""

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.scoring.spot import of_kind
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.pieces import Piece, place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera

# Double routes, with who holds the lane that is squeezed and the one beside it.
SQUEEZED = {
    "denver--salt-lake-city": ("blue", "green"),
    "los-angeles--san-francisco": ("green", "blue"),
    "kansas-city--omaha": ("yellow", "red"),
    "boston--montreal": ("blue", "red"),
    "new-york--washington": ("green", "yellow"),
}
CLAIMS = drawn.CLAIMS | {
    f"{route}--{lane}": colours[lane] for route, colours in SQUEEZED.items() for lane in (0, 1)
}
DIM_AND_WARM = Light(strength=0.35, gain_bgr=(0.7, 0.95, 1.05), from_deg=30)
LAID_ON_MM = 5.0  # how high trains stand that lie half on others


def squeeze(train: Piece, mm: float, *, is_above: bool) -> Piece:
    """The train, nearer to the lane beside it if its own is squeezed, and on top if it lies so."""
    double, _, lane = (train.route or "").rpartition("--")
    if double not in SQUEEZED or not mm:
        return train
    z_mm = LAID_ON_MM * (is_above == (lane == "0"))
    if lane == "1":
        return replace(train, z_mm=z_mm)
    own, beside = (drawn.usa().route_by_id[f"{double}--{number}"] for number in (0, 1))
    last = own.length - 1
    number = train.space or 0
    nearest = beside.spaces[number if own.a == beside.a else last - number]
    way = np.subtract(nearest.xy_mm, own.spaces[number].xy_mm)
    x, y = (train.xy_mm + mm * way / np.linalg.norm(way)).tolist()
    return replace(train, xy_mm=(x, y), z_mm=z_mm)


@pytest.mark.parametrize(
    ("mm", "is_above"), [(0, False), (5, False), (6, True)], ids=["in their lanes", "under", "over"]
)
def test_trains_under_or_over_the_next_lanes_are_asked_about(mm: float, is_above: bool) -> None:
    """Each lane told of the other: what lies there was its trains, so this one was surely free."""
    camera = VirtualCamera(drawn.usa(), None, drawn.ABOVE, Sensor(noise=4.0, seed=3))
    trains = [
        squeeze(train, mm, is_above=is_above) for train in place_trains(camera.printed, CLAIMS)
    ]
    picture = camera.take(Scene(tuple(trains), light=DIM_AND_WARM)).picture
    reading = drawn.read(drawn.found(picture).view)
    asked = {doubt.spot.id for doubt in reading.doubts}
    routes = of_kind("route", reading.pieces)
    wrong = {route for route, said in routes.items() if said.colour != CLAIMS.get(route)}
    assert bool(wrong) == bool(mm)
    assert wrong <= asked
    assert {route.rpartition("--")[0] for route in wrong | asked} <= SQUEEZED.keys()

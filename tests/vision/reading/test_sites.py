"""Sites are read as their own: a measured board with a few, drawn by the virtual board."""

from functools import cache

import drawn
from msgspec.structs import replace
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board, Site, Space
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot, of_kind
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo_text import to_text
from railspotter.vision.printed.printed_board import with_site_routes
from railspotter.vision.readings import Reading

# Where four sites are printed: their stations, middles and angles. Two share a station.
SPACES = {
    "museum": ("portland", (104.0, 222.0), 20.0),
    "harbour": ("san-francisco", (88.0, 252.0), -60.0),
    "bell": ("los-angeles", (90.0, 436.0), -30.0),
    "tower": ("los-angeles", (110.0, 458.0), -30.0),
}
SITES = {"museum": "red", "bell": "yellow"}


@cache
def board() -> Board:
    sites = tuple(
        Site(name, name.title(), station, ("red", "blue"), Space(xy_mm, angle, (25.0, 8.0)))
        for name, (station, xy_mm, angle) in SPACES.items()
    )
    return replace(drawn.usa(), sites=(*sites, Site("unmeasured", "Unmeasured", "denver")))


@cache
def scorer() -> PhotoScorer:
    drawing = draw_board(board())
    corners = drawn.own_corners(drawing)
    profile = make_profile(drawing, board(), corners, "drawn", "2026-01-01T00:00:00")
    return PhotoScorer(ReadingPlan(board(), load_edition("philly"), profile))


@cache
def found() -> FoundBoard:
    picture = drawn.render(
        board(), {**drawn.CLAIMS, **SITES}, drawn.ABOVE, sensor=drawn.SENSOR
    ).picture
    result = scorer().find(picture)
    assert isinstance(result, FoundBoard), result
    return result


MUSEUM, UNMEASURED = Spot("site", "museum"), Spot("site", "unmeasured")


@cache
def reading() -> Reading:
    return drawn.read(found().view)


def test_sites_and_routes_are_read_apart() -> None:
    seen = reading()
    routes, sites = of_kind("route", seen.pieces), of_kind("site", seen.pieces)
    assert set(routes) == set(board().route_by_id)
    assert set(sites) == set(SPACES), "nobody knows where the unmeasured one is"
    assert of_kind("site", seen.held) == SITES
    assert SPACES.keys().isdisjoint(seen.claims)


def test_sites_change_no_route() -> None:
    assert reading().claims == drawn.CLAIMS


def test_a_site_costs_a_train_and_is_told() -> None:
    photo = scorer().count([found()], reading(), "table.jpg")
    free = reading().with_answers({Spot("site", name): None for name in SITES})
    without = scorer().count([found()], free, "table.jpg")
    assert photo.standing["red"].trains_left == without.standing["red"].trains_left - 1
    assert photo.as_json()["sites"] == SITES
    assert "stations" not in photo.as_json()
    assert "the site Museum: red" in to_text(photo)


def test_what_somebody_says_of_a_site_outranks_the_camera() -> None:
    read = scorer().count([found()], reading(), "table.jpg")
    photo = read.with_answers({MUSEUM: None, UNMEASURED: "blue"})
    assert photo.sites == {"bell": "yellow", "unmeasured": "blue"}
    assert photo.claims == read.claims
    assert [(a.spot, a.read, a.said) for a in photo.answers] == [
        (MUSEUM, "red", None),
        (UNMEASURED, None, "blue"),
    ]


def test_two_sites_of_a_station_are_no_double_route() -> None:
    lanes = {frozenset(lanes) for lanes in with_site_routes(board()).lanes}
    assert lanes == {frozenset(lanes) for lanes in board().lanes}

"""Stations are seen, told apart and doubted: on drawn boards, by odds made by hand, on photos."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import drawn
import numpy as np
import pytest
from examples import every_run
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot, of_kind
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.pieces import Piece, place_stations, place_trains
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.vision.look.stations import SeenStations
from railspotter.vision.reading.annotate import annotate
from railspotter.vision.reading.odds import SURE, WeighedBoard
from railspotter.vision.reading.several_photos import read_together
from railspotter.vision.reading.station_reading import read_stations
from railspotter.vision.readings import PieceReading, Reading
from railspotter.vision.watching.looks import Look
from railspotter.vision.watching.looks import read as read_look

EUROPE, RULES = load_board("europe"), load_edition("europe")
STATIONS = {
    **dict.fromkeys(("berlin", "edinburgh", "sochi"), "red"),
    **dict.fromkeys(("zurich", "cadiz", "moskva"), "blue"),
    **dict.fromkeys(("roma", "paris", "erzurum"), "yellow"),
    **dict.fromkeys(("wien", "athina", "riga"), "green"),
    **dict.fromkeys(("essen", "kyiv", "madrid"), "black"),
}
# Two of three routes, around the stations too.
CLAIMS = {
    route.id: RULES.colours[i % 5] for i, route in enumerate(EUROPE.routes) if route.lane + i % 3
}
ABOVE = CameraSetup((1600, 1200), tilt_deg=5.0)
ASIDE = CameraSetup((1600, 1200), tilt_deg=24.0, heading_deg=35.0)
# Trains lean 8 mm over the cities behind them.
STEEP = CameraSetup((1600, 1200), tilt_deg=42.0, heading_deg=200.0)
WARM = Light(gain_bgr=(0.8, 1.0, 1.05), from_deg=40.0, height_deg=40.0, softness=0.02)


@cache
def scorer() -> PhotoScorer:
    drawing = draw_board(EUROPE)
    corners = drawn.own_corners(drawing)
    profile = make_profile(drawing, EUROPE, corners, "drawn", "2026-01-01T00:00:00")
    return PhotoScorer(ReadingPlan(EUROPE, RULES, profile))


@cache
def looked(
    view: CameraSetup = ABOVE, light: Light | None = None, built: bool = True
) -> WeighedBoard:
    """A drawn board with trains, and with stations or without."""
    camera = VirtualCamera(EUROPE, view=view, sensor=drawn.SENSOR)
    pieces = place_trains(camera.printed, CLAIMS, 1)
    if built:
        pieces += place_stations(camera.printed, STATIONS, 1)
    frame = camera.take(Scene(pieces=pieces, light=light or Light()))
    found = scorer().find(frame.picture)
    assert isinstance(found, FoundBoard), found
    return drawn.weigh_photo(found.view)


def beside_cities() -> tuple[Piece, ...]:
    """The stations as people lay them: astride another's train where one ends there, or aside."""
    pieces = []
    for place, colour in STATIONS.items():
        ends = [
            route.spaces[0 if route.a == place else -1]
            for route in EUROPE.routes
            if place in (route.a, route.b) and CLAIMS.get(route.id, colour) != colour
        ]
        x, y = EUROPE.place_by_id[place].xy_mm
        xy_mm, z_mm = (ends[0].xy_mm, 8.5) if ends else ((x, y - 16.0), 0.0)
        pieces.append(Piece("station", colour, xy_mm, 20.0, z_mm, place=place))
    return tuple(pieces)


def test_stations_beside_their_cities_are_right_or_asked_about() -> None:
    camera = VirtualCamera(EUROPE, view=ABOVE, sensor=drawn.SENSOR)
    pieces = place_trains(camera.printed, CLAIMS, 1) + beside_cities()
    frame = camera.take(Scene(pieces=pieces)).picture
    found = scorer().find(frame)
    assert isinstance(found, FoundBoard), found
    reading = drawn.read(found.view)
    for place, colour in certain_of(reading).items():
        assert colour == STATIONS.get(place), place
    assert len(of_kind("station", reading.held).items() & STATIONS.items()) >= 12
    for name, seen in of_kind("route", reading.pieces).items():
        assert seen.colour == CLAIMS.get(name) or seen.doubt is not None, name
    # A live table is told by shape whether one stands there: nobody saw the dot change.
    view = found.view
    look = Look(frame, found.pose, 0.0, view.printed, view.pieces, frozenset(RULES.colours))
    live = of_kind("station", read_look(look).seen)
    by_shape = {place for place, seen in live.items() if seen.shape >= SURE}
    assert len(by_shape & set(STATIONS)) >= 12
    assert all(live[place].answer is not None for place in by_shape)


def test_a_marker_is_no_station_where_it_lies_beside_its_step() -> None:
    steps = np.reshape(EUROPE.score_track, (-1, 2))
    near = ("stockholm", "cadiz", "rostov", "lisboa", "edinburgh")
    markers = []
    for place, colour in zip(near, RULES.colours, strict=True):
        at = np.array(EUROPE.place_by_id[place].xy_mm)
        step = steps[np.linalg.norm(steps - at, axis=1).argmin()]
        x, y = step + 4.0 * (at - step) / np.linalg.norm(at - step)
        markers.append(Piece("marker", colour, (float(x), float(y))))
    view = CameraSetup((1280, 720), tilt_deg=24.0, heading_deg=250.0)
    camera = VirtualCamera(EUROPE, view=view, sensor=drawn.SENSOR)
    pieces = place_trains(camera.printed, CLAIMS, 1) + tuple(markers)
    found = scorer().find(camera.take(Scene(pieces=pieces)).picture)
    assert isinstance(found, FoundBoard), found
    stations = of_kind("station", drawn.read(found.view).pieces)
    assert {stations[place].colour for place in near} == {None}


def certain_of(reading: Reading) -> dict[str, str | None]:
    """What is said of the places that nobody is asked about."""
    return {
        name: seen.colour
        for name, seen in of_kind("station", reading.pieces).items()
        if seen.doubt is None
    }


@pytest.mark.parametrize(
    ("view", "light"),
    [(ABOVE, None), (ASIDE, WARM), (STEEP, None)],
    ids=["from above", "aside, in warm light", "steeply"],
)
def test_stations_are_seen_in_their_colours(view: CameraSetup, light: Light | None) -> None:
    reading = read_together([looked(view, light)]).reading
    assert set(of_kind("station", reading.pieces)) == set(EUROPE.place_by_id)
    held, certain = of_kind("station", reading.held), certain_of(reading)
    assert all(certain[place] == STATIONS.get(place) for place in certain)
    assert len(held.items() & STATIONS.items()) >= len(STATIONS) - 2
    assert len(certain) >= len(EUROPE.places) - 12


def test_trains_alone_make_no_station() -> None:
    reading = read_together([looked(STEEP, built=False)]).reading
    assert not any(certain_of(reading).values())
    assert len(certain_of(reading)) >= len(EUROPE.places) - 7


def test_no_station_is_sure_on_a_print_that_nobody_knows() -> None:
    view, stations = looked().view, looked().odds.stations
    assert stations is not None
    known = read_stations(view, stations, dict.fromkeys(RULES.colours, True))
    assert any(piece.colour and piece.doubt is None for piece in known.values())
    told = read_stations(
        drawn.of_unknown_print(view), stations, dict.fromkeys(RULES.colours, True)
    ).values()
    assert {piece.colour for piece in told if piece.doubt is None} == {None}


def test_stations_change_no_route() -> None:
    reading = read_together([looked()]).reading
    doubted = {doubt.spot.id for doubt in reading.doubts if doubt.spot.kind == "route"}
    wrong = {name for name in EUROPE.route_by_id if reading.claims.get(name) != CLAIMS.get(name)}
    assert wrong <= doubted
    assert len(doubted) <= 5


def test_a_game_without_stations_has_none_to_read() -> None:
    assert of_kind("station", read_together([drawn.weighed()]).reading.pieces) == {}


def test_photos_read_together_agree_on_stations() -> None:
    together = read_together([looked(), looked(ASIDE, WARM)])
    held = of_kind("station", together.reading.held)
    assert len(held.items() & STATIONS.items()) >= len(STATIONS) - 1
    assert together.disagreed == ()
    later = read_together([looked(), looked(STEEP, built=False)])
    said = {doubt.spot.id for doubt in later.disagreed if doubt.spot.kind == "station"}
    assert len(said & set(STATIONS)) >= len(STATIONS) - 2
    doubt = later.reading.pieces[Spot("station", "berlin")].doubt
    assert doubt is not None
    assert {doubt.said, *doubt.alternatives} >= {"red", None}


def read(
    odds: Mapping[tuple[str, str], float],
    hidden: str = "",
    trains: tuple[str, ...] = RULES.colours,
    unclear: str = "",
    no_mark: str = "",
) -> dict[str, PieceReading]:
    """Read places of which nothing but these odds is known, and whose mark is not in sight."""
    view = looked().view
    names = [*EUROPE.place_by_id]
    table = np.full((len(names), len(view.pieces.colours)), -6.0, np.float32)
    for (place, colour), value in odds.items():
        table[names.index(place), view.pieces.colours.index(colour)] = value
    visible = np.array([name != hidden for name in names], np.float32)
    mark = np.array([name != no_mark for name in names], np.float32)
    seen = SeenStations(table, visible, mark)
    return of_kind("station", read_stations(view, seen, {c: c != unclear for c in trains}))


def in_words(seen: PieceReading) -> str:
    """What is said of a place, and what else it may be and why where somebody is asked."""
    said = seen.colour or "free"
    if seen.doubt is None:
        return said
    others = (colour or "free" for colour in seen.doubt.alternatives)
    return f"{said}? or {' or '.join(others)}: {seen.doubt.why}"


WHETHER = "it is not clear whether a station stands there"
COVERED = "something lies over it, or the light is too bright there"
HIDES = "something hides the place's print, but looks like no player's station"
RED, BLUE, ELSEWHERE = ("roma", "red"), ("roma", "blue"), ("wien", "red")


@pytest.mark.parametrize(
    ("odds", "known", "said"),
    [
        ({RED: 4.0}, {}, "red"),
        ({}, {}, "free"),
        ({RED: 0.5}, {}, f"red? or free: {WHETHER}"),
        ({RED: -0.5}, {}, f"free? or red: {WHETHER}"),
        (
            {RED: 4.0, BLUE: 3.5},
            {},
            "red? or blue or free: it is not clear whose station stands there",
        ),
        ({RED: 6.0}, {"trains": ("blue",)}, "red? or free: no red trains stand on the board"),
        (
            {RED: 6.0},
            {"unclear": "red"},
            "red? or free: it is not clear whose station stands there",
        ),
        ({RED: 6.0}, {"hidden": "roma"}, f"free? or red: {COVERED}"),
        (
            {ELSEWHERE: 6.0},
            {"no_mark": "roma"},
            f"free? or black or blue or green or red or yellow: {HIDES}",
        ),
        ({RED: 6.0}, {"no_mark": "roma"}, "red"),
    ],
)
def test_what_is_said_and_asked_of_a_place(
    odds: dict[tuple[str, str], float], known: dict[str, Any], said: str
) -> None:
    assert in_words(read(odds, **known)["roma"]) == said


def test_more_stations_than_a_player_has_are_asked_about_the_least_sure_first() -> None:
    places = ("roma", "wien", "riga", "kyiv")
    seen = read({(place, "red"): 9.0 - i for i, place in enumerate(places)})
    assert [seen[place].colour for place in places] == ["red"] * 4, "it decides nothing"
    assert [place for place in places if seen[place].doubt] == ["kyiv"]


def test_a_station_is_ringed_and_a_doubted_one_numbered() -> None:
    view = looked().view
    free = {Spot("route", route.id): PieceReading(None, 1.0) for route in EUROPE.routes}
    scale = view.printed.px_per_mm

    def changed(seen: PieceReading) -> float:
        """Return the share of the surroundings that is drawn on; elsewhere nothing may be."""
        drawing = annotate(view, Reading({**free, Spot("station", "berlin"): seen}))
        touched = (drawing != view.rectified).any(axis=-1)
        x, y = (int(side * scale) for side in EUROPE.place_by_id["berlin"].xy_mm)
        reach = round(25 * scale)
        near = np.s_[y - reach : y + reach, x - reach : x + reach]
        assert touched.sum() == touched[near].sum()
        return float(touched[near].mean())

    assert changed(PieceReading(None, 0.9)) == 0
    ringed = changed(PieceReading("red", 0.9))
    assert ringed > 0.05
    assert changed(read({("berlin", "red"): 0.5})["berlin"]) > ringed


PHOTOS = ("cropped5s_12-12", "cropped_station_data1", "cropped_station_data2", "cropped_trainning")


@pytest.fixture(scope="module")
def europe(photos: Path) -> Path:
    return photos / "europe"


@pytest.fixture(scope="module")
def calibrated(europe: Path) -> PhotoScorer:
    """What reads by the empty board in another photo."""
    reference = load_photo(europe / "cropped_blank.jpg")
    last = np.array([reference.shape[1] - 1, reference.shape[0] - 1])
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * last
    profile = make_profile(reference, EUROPE, corners, "test", "2026-01-01T00:00:00")
    return PhotoScorer(ReadingPlan(EUROPE, RULES, profile))


@pytest.fixture(scope="module")
def by_drawing() -> PhotoScorer:
    profile = stand_in_profile(EUROPE)
    assert profile is not None
    return PhotoScorer(ReadingPlan(EUROPE, RULES, profile))


def stations_read(scorer: PhotoScorer, photo: Path) -> tuple[Reading, dict[str, str]]:
    """Return what is read of a photo, and where stations really stand."""
    found = scorer.find(load_photo(photo.with_suffix(".jpg")))
    assert isinstance(found, FoundBoard), found
    truth = json.loads(photo.with_suffix(".json").read_text("utf-8"))
    return drawn.read(found.view), truth["stations"] or {}


@pytest.mark.parametrize("name", every_run("cropped_trainning", PHOTOS))
def test_real_stations_are_right_or_asked_about(
    europe: Path, calibrated: PhotoScorer, name: str
) -> None:
    reading, truth = stations_read(calibrated, europe / name)
    for place, colour in certain_of(reading).items():
        assert colour == truth.get(place), place
    assert len(of_kind("station", reading.pieces)) - len(certain_of(reading)) <= 2
    assert set(of_kind("station", reading.held)) <= set(truth), "none is invented"


def test_no_station_is_invented_on_an_empty_board(europe: Path, calibrated: PhotoScorer) -> None:
    reading, _ = stations_read(calibrated, europe / "cropped_blank")
    assert of_kind("station", reading.held) == {}
    assert len(certain_of(reading)) == len(EUROPE.places)


@pytest.mark.parametrize(
    "name", every_run("cropped_station_data2", ("cropped_blank", "cropped_station_data2"))
)
def test_without_a_photo_of_the_empty_board_stations_are_right_or_asked_about(
    europe: Path, by_drawing: PhotoScorer, name: str
) -> None:
    reading, truth = stations_read(by_drawing, europe / name)
    for place, colour in certain_of(reading).items():
        assert colour == truth.get(place), place
    assert len(of_kind("station", reading.pieces)) - len(certain_of(reading)) <= 3

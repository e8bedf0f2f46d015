"""Where the board is, asked and said by phone: who may, what is refused, and that it is kept."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import drawn
import numpy as np
import pytest
from calibrated_tables import Calibrated, calibrated
from phones import table
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.photo_file import parse_photo, to_jpeg

ROUTE = "helena--seattle"
FIRST, LATER = (
    CameraSetup((1200, 900), tilt_deg=8),
    CameraSetup((1200, 900), tilt_deg=14, heading_deg=8),
)
CORNERS = [[100, 100], [1100, 100], [1100, 800], [100, 800]]


@cache
def photographed() -> Profile:
    seen = drawn.empty(FIRST)
    return make_profile(seen.picture, drawn.usa(), seen.corners_px, "mine", "2026-01-01T00:00:00")


@cache
def filmed() -> bytes:
    return to_jpeg(drawn.empty(LATER).picture, 92)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calibrated]:
    """One table for all: the board is found on it once, then corners are said."""
    with calibrated(tmp_path_factory.mktemp("home"), photographed()) as one:
        one.film(filmed())
        one.until(lambda view: view["picture"] is not None)
        yield one


def test_the_board_is_found_shown_and_moved_and_the_game_goes_on_with_it(
    running: Calibrated,
) -> None:
    view = running.done()
    assert (view["state"], view["way"], view["is_ready"]) == ("found", "own photo", True)
    assert view["verdict"]["grade"] in ("good", "usable", "poor")
    assert view["profile"]["name"] == "mine"
    off = np.subtract(view["corners_px"], drawn.empty(LATER).corners_px)
    assert np.hypot(*off.T).max() < 2
    number = view["picture"]["number"]
    picture = running.host.get(f"/calibration/picture.jpg?number={number}")
    assert parse_photo(picture.content).shape == (900, 1200, 3)
    shown = running.host.get(f"/calibration/spaces?number={number}").json
    assert len(shown["spaces"]) == 309
    named = {route["id"]: route for route in shown["routes"]}
    assert named[ROUTE] == {"id": ROUTE, "a": "Helena", "b": "Seattle", "lane": None}
    assert named["portland--seattle--1"]["lane"] == 2
    nudged = running.host.ask("PUT", "/calibration/nudges", {"key": ROUTE, "dxy_mm": [1.5, 0]})
    assert nudged.json["nudged"] == 1
    assert running.store.load("mine").nudges_mm == {ROUTE: (1.5, 0.0)}
    assert running.live.profile is not None
    assert running.live.profile.nudges_mm == {ROUTE: (1.5, 0.0)}
    assert running.host.get("/calibration/spaces").json["nudges_mm"] == {ROUTE: [1.5, 0.0]}
    back = running.host.ask("DELETE", "/calibration/nudges", {})
    assert back.json["nudged"] == 0
    assert running.live.profile.nudges_mm == {}


def test_corners_become_the_profile_that_the_game_goes_on_with(running: Calibrated) -> None:
    view = running.done()
    running.host.ask("PUT", "/calibration/nudges", {"key": ROUTE, "dxy_mm": [1.0, 0.0]})
    corners = (drawn.empty(LATER).corners_px + 1.0).tolist()
    body = {"corners_px": corners, "picture": view["picture"]["number"], "is_exact": True}
    answer = running.host.ask("PUT", "/calibration/corners", body)
    assert answer.json["state"] == "keeping"
    found = running.done()
    assert (found["way"], found["problem"], found["is_ready"]) == ("corners", "", True)
    assert np.abs(np.subtract(found["corners_px"], corners)).max() < 0.2
    kept = running.store.load("mine")
    assert kept.made_at != photographed().made_at
    assert kept.nudges_mm == {ROUTE: (1.0, 0.0)}
    assert running.live.profile is not None
    assert running.live.profile.made_at == kept.made_at


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        pytest.param("PUT", "corners", b'{"corners_px": [[NaN, 1]]}', 400, id="NaN"),
        pytest.param(
            "PUT", "corners", {"corners_px": [CORNERS[i] for i in (0, 2, 1, 3)]}, 400, id="crossed"
        ),
        pytest.param(
            "PUT", "corners", {"corners_px": CORNERS, "picture": 10**9}, 409, id="no such picture"
        ),
        pytest.param("PUT", "nudges", b'{"key": "a--b", "dxy_mm": [NaN, 0]}', 400, id="NaN mm"),
        pytest.param("PUT", "nudges", {"key": ROUTE, "dxy_mm": [99, 0]}, 400, id="far"),
        pytest.param("PUT", "nudges", {"key": "no--where", "dxy_mm": [1, 0]}, 400, id="no route"),
        pytest.param("PUT", "nudges", {"key": f"{ROUTE}#9", "dxy_mm": [1, 0]}, 400, id="no space"),
        pytest.param("POST", "keep", {"picture": 10**9}, 409, id="a picture that is gone"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence_and_changes_nothing(
    running: Calibrated, method: str, path: str, body: Any, status: int
) -> None:
    before = running.store.load("mine")
    answer = running.host.ask(method, f"/calibration/{path}", body)
    assert answer.status == status
    message = answer.json["error"]["message"]
    assert message.endswith(".")
    assert "Traceback" not in message
    kept = running.store.load("mine")
    assert (kept.nudges_mm, kept.made_at) == (before.nudges_mm, before.made_at)
    assert json.dumps(running.host.get("/calibration").json)


def test_a_drawn_game_has_nothing_to_calibrate(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        host = running.host()
        assert host.get("/calibration").status == 404
        assert host.ask("PUT", "/calibration/corners", {"corners_px": []}).status == 404
    assert not (tmp_path / "profiles").exists()

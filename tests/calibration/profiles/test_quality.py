"""How good a profile is, is measured while it is made, and its advice names what went wrong."""

from dataclasses import replace
from functools import cache

import drawn
import numpy as np
import numpy.typing as npt
import pytest
from fingerprints import make_fingerprint
from railspotter.calibration.finding.quality_check import measured_on, with_quality
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.profile_file import from_bytes, to_bytes
from railspotter.calibration.profiles.quality import Quality
from railspotter.calibration.profiles.reference import FEATURES, make_profile, spread_features
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor

VIEWS = (
    CameraSetup((1600, 1200), tilt_deg=6),
    CameraSetup((1600, 1200), tilt_deg=12, heading_deg=200),
)


@cache
def photos() -> tuple[npt.NDArray[np.uint8], ...]:
    return tuple(
        drawn.render(drawn.usa(), {}, view, sensor=Sensor(seed=seed)).picture
        for seed, view in enumerate(VIEWS)
    )


@cache
def made(corner_off_px: float = 0.0) -> Profile:
    frame = drawn.render(drawn.usa(), {}, VIEWS[0], sensor=Sensor(seed=0))
    corners = frame.corners_px + np.array([[corner_off_px, 0], [0, 0], [0, 0], [0, 0]])
    profile = make_profile(frame.picture, drawn.usa(), corners, "kitchen", "")
    return with_quality(profile, drawn.usa(), frame.picture, corners)


@pytest.fixture
def drawn_print_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program knows the drawn board's print as it knows the published one's."""
    profile = drawn.profile()
    features = spread_features(profile.reference, FEATURES)
    fingerprint = make_fingerprint(profile, drawn.usa(), features)
    where = "railspotter.calibration.finding.quality_check.load_fingerprint"
    monkeypatch.setattr(where, lambda board: fingerprint)
    made.cache_clear()


def quality_of(profile: Profile) -> Quality:
    assert profile.quality is not None
    return profile.quality


def test_a_print_that_nobody_knows_is_compared_with_nothing() -> None:
    made.cache_clear()
    quality = quality_of(made())
    assert (quality.error_mm, quality.matched, quality.photos) == (None, None, 1)
    assert quality.picture.px_per_mm == pytest.approx(1.85, abs=0.2)
    assert quality.advice() == ()
    assert from_bytes(to_bytes(made())).quality == quality


@pytest.mark.usefixtures("drawn_print_is_known")
def test_a_known_print_lies_where_it_is_expected() -> None:
    quality = quality_of(made())
    assert quality.error_mm is not None
    middle, most = quality.error_mm
    assert middle < 0.5
    assert most < 1.5
    assert quality.matched == 1
    assert quality.advice() == ()


@pytest.mark.usefixtures("drawn_print_is_known")
def test_a_corner_that_was_given_wrongly_is_seen_and_said() -> None:
    quality = quality_of(made(corner_off_px=14.0))
    assert quality.error_mm is not None
    assert quality.error_mm[1] > 3
    (words,) = quality.advice()
    assert "check the corners" in words


def test_further_photos_confirm_a_profile_by_its_own_print() -> None:
    made.cache_clear()
    once = made()
    quality = quality_of(measured_on(once, photos()))
    assert quality.photos == 3
    assert quality.error_mm is not None
    assert quality.error_mm[0] < 0.3
    assert quality.error_mm[1] < 1.0
    assert quality.matched == 1
    nothing = measured_on(once, [drawn.texture((300, 400))])
    assert nothing.quality == once.quality
    unmeasured = replace(once, quality=None)
    assert measured_on(unmeasured, photos()) is unmeasured


def test_a_board_half_recognised_is_said() -> None:
    quality = replace(quality_of(made()), matched=0.5, error_mm=(0.2, 0.9))
    (words,) = quality.advice()
    assert "50 % of the board" in words

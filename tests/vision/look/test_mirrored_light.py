"""Light that the board mirrors: nothing under it is surely free, and another side shows it."""

from collections.abc import Callable

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.geometry import project
from railspotter.table.photos.score import PhotoScorer
from railspotter.vision.look.view import mirrored_light

MIDDLE_MM, OTHER_MM = (400.0, 280.0), (60.0, 460.0)
RADIUS_MM = 90.0


def shone_on(at_mm: tuple[float, float], grey_levels: float) -> Picture:
    """The drawn game with a soft spot of light on it."""
    frame = drawn.game()
    height, width = frame.picture.shape[:2]
    xy = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float64)
    away = np.linalg.norm(project(np.linalg.inv(frame.frame_from_board), xy) - at_mm, axis=-1)
    light = grey_levels * np.exp(-((away / RADIUS_MM) ** 2) / 2)
    return np.asarray(np.clip(frame.picture + light[..., None], 0, 255), np.uint8)


@pytest.mark.parametrize("scorer", [drawn.scorer, drawn.own_stand_in], ids=["empty", "drawn"])
@pytest.mark.parametrize("grey_levels", [120.0, 400.0])
def test_nothing_in_a_reflection_is_certain_and_wrong(
    scorer: Callable[[], PhotoScorer], grey_levels: float
) -> None:
    photo = scorer().score([("flash.jpg", shone_on(MIDDLE_MM, grey_levels))])
    assert photo.reason is None
    unseen = {spot.id for spot in photo.unseen}
    middles = {r.id: np.mean([s.xy_mm for s in r.spaces], axis=0) for r in drawn.usa().routes}
    near = {r for r, at in middles.items() if np.linalg.norm(at - MIDDLE_MM) < RADIUS_MM / 2}
    assert near
    assert near <= unseen
    far = {r for r, at in middles.items() if np.linalg.norm(at - MIDDLE_MM) > 4 * RADIUS_MM}
    assert far
    assert not far & unseen
    asked = {doubt.spot.id for doubt in photo.doubts}
    told = drawn.usa().route_by_id.keys() - unseen - asked
    assert {r: photo.claims.get(r) for r in told} == {r: drawn.CLAIMS.get(r) for r in told}


def test_another_photo_shows_what_a_reflection_hides() -> None:
    both = [(f"{at}.jpg", shone_on(at, 300.0)) for at in (MIDDLE_MM, OTHER_MM)]
    photo = drawn.scorer().score(both)
    assert (photo.reason, photo.unseen) == (None, ())
    asked = {doubt.spot.id for doubt in photo.doubts}
    off = dict(photo.claims.items() ^ drawn.CLAIMS.items()).keys()
    assert off <= asked


def test_of_a_burnt_out_picture_nothing_is_shown() -> None:
    view = drawn.found(drawn.game().picture).view
    shown = np.ones(view.rectified.shape[:2], np.bool_)
    shown[:, :300] = False
    burnt = mirrored_light(np.full_like(view.rectified, 255), shown, view.printed)
    assert burnt[shown].all()


def test_the_edge_of_a_cut_picture_is_no_light() -> None:
    view = drawn.found(drawn.game().picture).view
    shown = np.ones(view.rectified.shape[:2], np.bool_)
    shown[:, :300] = False
    assert not mirrored_light(view.rectified, shown, view.printed).any()


def test_a_pale_picture_hides_nothing() -> None:
    pale = cv2.addWeighted(
        drawn.game().picture, 0.6, np.full_like(drawn.game().picture, 255), 0.4, 0
    )
    assert drawn.found(np.asarray(pale, np.uint8)).view.shown is None

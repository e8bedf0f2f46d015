"""What a camera is asked to keep, and that its answer is told as it is.

Drivers are stand-ins here, made after what is known of the real ones; see docs/sources.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import pytest
from railspotter.vision.sources.cameras import AUTOMATIC, VALUE, Control, lock_controls

ALL = frozenset(Control)


@dataclass
class Driver:
    """A driver with these properties; what it does not know it refuses, and reads as `unknown`."""

    properties: dict[int, float]
    stubborn: frozenset[int] = frozenset()
    unknown: float = -1.0
    asked: list[tuple[int, float]] = field(default_factory=list)

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, object]:
        return False, None

    def get(self, prop: int, /) -> float:
        return self.properties.get(prop, self.unknown)

    def set(self, prop: int, value: float, /) -> bool:
        self.asked.append((prop, value))
        if prop not in self.properties:
            return False
        if prop not in self.stubborn:
            self.properties[prop] = value
        return True


def v4l2_webcam(stubborn: frozenset[int] = frozenset()) -> Driver:
    """A webcam under V4L2: exposure is automatic at 3; it chose 250, focus 30 and 4600 K."""
    return Driver(
        {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 250.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 30.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
        },
        stubborn,
    )


def test_what_the_camera_chose_is_kept() -> None:
    driver = v4l2_webcam()
    locks = lock_controls(driver, ALL, cv2.CAP_V4L2)
    assert locks.locked == (Control.EXPOSURE, Control.FOCUS, Control.WHITE_BALANCE)
    assert driver.properties == {
        cv2.CAP_PROP_AUTO_EXPOSURE: 1.0,  # V4L2_EXPOSURE_MANUAL
        cv2.CAP_PROP_EXPOSURE: 250.0,
        cv2.CAP_PROP_AUTOFOCUS: 0.0,
        cv2.CAP_PROP_FOCUS: 30.0,
        cv2.CAP_PROP_AUTO_WB: 0.0,
        cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    }
    assert locks.sentence == "exposure, focus and white balance locked"


def test_only_what_is_asked_for_is_touched() -> None:
    driver = v4l2_webcam()
    assert lock_controls(driver, {Control.FOCUS}, cv2.CAP_V4L2).sentence == "focus locked"
    assert {prop for prop, _ in driver.asked} == {cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS}


@pytest.mark.parametrize("control", Control)
def test_a_driver_that_says_yes_and_does_nothing_is_found_out(control: Control) -> None:
    driver = v4l2_webcam(stubborn=frozenset({AUTOMATIC[control]}))
    assert lock_controls(driver, ALL, cv2.CAP_V4L2).refused == (control,)


def test_a_webcam_with_a_fixed_focus_has_none_to_lock() -> None:
    driver = v4l2_webcam()
    del driver.properties[cv2.CAP_PROP_AUTOFOCUS], driver.properties[cv2.CAP_PROP_FOCUS]
    driver.unknown = 0.0  # which would pass for manual
    locks = lock_controls(driver, ALL, cv2.CAP_V4L2)
    assert locks.sentence == "exposure and white balance locked, focus cannot be locked"


def test_directshow_becomes_manual_when_a_value_is_set() -> None:
    """Its switch cannot be relied on: here it knows none."""
    values = {VALUE[control]: 5.0 for control in Control}
    driver = Driver(values)
    assert lock_controls(driver, ALL, cv2.CAP_DSHOW).refused == ()
    assert {(prop, 5.0) for prop in VALUE.values()} <= set(driver.asked)


def test_avfoundation_locks_nothing_and_says_so() -> None:
    locks = lock_controls(Driver({}), ALL, cv2.CAP_AVFOUNDATION)
    assert locks.locked == ()
    assert locks.sentence == "exposure, focus and white balance cannot be locked"

"""Locking what a camera would change by itself: exposure, focus and white balance.

A hand over the board makes an automatic exposure brighten it, and every colour with it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

import cv2
from railspotter.scoring.sentence import NOTHING, Sentence

from .capture import Capture


class Control(StrEnum):
    """What can be locked."""

    EXPOSURE = Sentence("exposure")
    FOCUS = Sentence("focus")
    WHITE_BALANCE = Sentence("white balance")


@dataclass(frozen=True)
class Locks:
    """What a camera took of what was asked.

    Attributes
    ----------
    locked, refused : tuple of Control
    """

    locked: tuple[Control, ...] = ()
    refused: tuple[Control, ...] = ()

    @property
    def sentence(self) -> Sentence:
        """What it took, for the people at the table.

        >>> Locks((Control.EXPOSURE, Control.FOCUS), (Control.WHITE_BALANCE,)).sentence
        'exposure and focus locked, white balance cannot be locked'
        """
        locked, refused = _listed(self.locked), _listed(self.refused)
        if not self.refused:
            return Sentence("{locked} locked", locked=locked) if self.locked else NOTHING
        if not self.locked:
            return Sentence("{refused} cannot be locked", refused=refused)
        return Sentence(
            "{locked} locked, {refused} cannot be locked", locked=locked, refused=refused
        )


AUTOMATIC = {
    Control.EXPOSURE: cv2.CAP_PROP_AUTO_EXPOSURE,
    Control.FOCUS: cv2.CAP_PROP_AUTOFOCUS,
    Control.WHITE_BALANCE: cv2.CAP_PROP_AUTO_WB,
}
"""The switch between automatic and manual."""
VALUE = {
    Control.EXPOSURE: cv2.CAP_PROP_EXPOSURE,
    Control.FOCUS: cv2.CAP_PROP_FOCUS,
    Control.WHITE_BALANCE: cv2.CAP_PROP_WB_TEMPERATURE,
}
"""What is fixed while it is manual."""
V4L2_MANUAL_EXPOSURE = 1.0
"""V4L2_EXPOSURE_MANUAL of linux/v4l2-controls.h; automatic is 0, or 3 on most webcams."""


def lock_controls(capture: Capture, wanted: Collection[Control], backend: int) -> Locks:
    """Fix what a camera has found out by itself, and say truthfully what it took.

    V4L2 is asked afterwards how it stands. DirectShow and Media Foundation switch to manual when a
    value is set; what they say of the switch is not reliable (opencv issue 17019), so there the
    driver's yes is all there is. AVFoundation has none of these controls.

    Parameters
    ----------
    capture : Capture
        The capture of a camera that has looked at the board for a while.
    wanted : collection of Control
    backend : int
        OpenCV's number of what the camera is reached through.
    """
    taken = {control: _lock(capture, control, backend) for control in Control if control in wanted}
    return Locks(
        tuple(control for control, was_taken in taken.items() if was_taken),
        tuple(control for control, was_taken in taken.items() if not was_taken),
    )


def _lock(capture: Capture, control: Control, backend: int) -> bool:
    switch, value = AUTOMATIC[control], VALUE[control]
    # While it is automatic, drivers tell the value in use; manual may begin with an older one.
    in_use = capture.get(value)
    is_v4l2 = backend == cv2.CAP_V4L2
    manual = V4L2_MANUAL_EXPOSURE if is_v4l2 and control is Control.EXPOSURE else 0.0
    was_switched = capture.set(switch, manual)
    was_fixed = capture.set(value, in_use)
    if is_v4l2:
        return was_switched and capture.get(switch) == manual
    return was_fixed


def _listed(controls: tuple[Control, ...]) -> str:
    match controls:
        case (one, other):
            return Sentence("{one} and {other}", one=one, other=other)
        case (one,):
            return one
    return Sentence("exposure, focus and white balance") if controls else ""

"""A milky photo is told from a good one, and asked for again."""

from __future__ import annotations

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.vision.cue_reader import read_by_cues
from railspotter.vision.doubts import PALE_PHOTO


@pytest.mark.parametrize(("veil", "is_pale"), [(0.0, False), (0.1, False), (0.5, True)])
def test_a_veil_over_the_picture_is_told(veil: float, is_pale: bool) -> None:
    view = drawn.found(drawn.game().picture).view
    milky = np.rint(view.rectified * (1 - veil) + 210 * veil).astype(np.uint8)
    notes = read_by_cues(replace(view, rectified=milky)).notes
    assert (PALE_PHOTO in notes) == is_pale


def test_a_darker_picture_is_not_paler() -> None:
    view = drawn.found(drawn.game().picture).view
    dark = np.rint(view.rectified * 0.5).astype(np.uint8)
    assert PALE_PHOTO not in read_by_cues(replace(view, rectified=dark)).notes

"""A milky photo is told from a good one, and asked for again."""

from __future__ import annotations

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.vision.cue_reader import read_by_cues
from railspotter.vision.doubts import PALE_PHOTO


@pytest.mark.parametrize(("veil", "is_pale"), [(0.0, False), (0.1, False), (0.8, True)])
def test_a_veil_over_the_picture_is_told(veil: float, is_pale: bool) -> None:
    view = drawn.found(drawn.game().picture).view
    milky = np.rint(view.rectified * (1 - veil) + 210 * veil).astype(np.uint8)
    notes = read_by_cues(replace(view, rectified=milky)).notes
    assert (PALE_PHOTO in notes) == is_pale


def test_an_even_veil_is_taken_out_as_far_as_it_can_be() -> None:
    view = drawn.found(drawn.game().picture).view
    milky = np.rint(view.rectified * 0.65 + 255 * 0.35).astype(np.uint8)
    reading = read_by_cues(replace(view, rectified=milky))
    plain = read_by_cues(view)
    wrong = {r for r, said in reading.routes.items() if said.colour != plain.routes[r].colour}
    assert plain.claims
    assert all(reading.routes[route].doubt for route in wrong)
    assert len(wrong) <= 1


def test_a_darker_picture_is_not_paler() -> None:
    view = drawn.found(drawn.game().picture).view
    dark = np.rint(view.rectified * 0.5).astype(np.uint8)
    assert PALE_PHOTO not in read_by_cues(replace(view, rectified=dark)).notes

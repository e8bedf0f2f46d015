"""A real photo as other cameras would have rendered it: nothing is wrong without a doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardships.readings import picture_of
from other_cameras import read
from photos.labelled import load_label


@pytest.mark.parametrize("rendering", ["gamma 1.8", "vivid", "gamma 0.6"])
def test_another_cameras_tones_are_read_by_a_reference_of_another_shoot(
    photos: Path, rendering: str
) -> None:
    """Under gamma 1.8 six green routes of it were black, and nobody was asked."""
    photo = load_label(photos / "usa" / "IMG_4066_1008.json")
    assert photo is not None
    seen = read(photo, picture_of(photo), "another", rendering)
    assert seen.is_found
    assert not seen.refused
    assert seen.certain == ()
    assert seen.right >= seen.routes - 2

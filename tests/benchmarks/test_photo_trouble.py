"""The benchmark puts routes down to what makes them hard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import drawn
import numpy as np

from photos.judgement import TroubleCount, judge
from photos.labelled import LabelledPhoto
from photos.trouble import KINDS, confusion, troubles

ROUTES = [route.id for route in drawn.usa().routes]


def labelled() -> LabelledPhoto:
    """The drawn game, as if it were a labelled photo with one route half filled."""
    spaces = {r.id: [drawn.CLAIMS.get(r.id)] * r.length for r in drawn.usa().routes}
    half = ["portland--seattle--0"]
    truth = {"claims": drawn.CLAIMS, "spaces": spaces, "half_filled_routes": half}
    return LabelledPhoto(Path("drawn.jpg"), truth)


def test_trouble_is_told_from_truth_and_light() -> None:
    found = troubles(labelled(), drawn.found(drawn.game().picture).view)
    own = {name for name, kinds in found.items() if "same colour" in kinds}
    assert own == {
        name for name, c in drawn.CLAIMS.items() if drawn.usa().route_by_id[name].colour == c
    }
    bumped = {name for name, kinds in found.items() if "bumped" in kinds}
    assert bumped == {"portland--seattle--0", "portland--seattle--1"}
    assert not any("shadow" in kinds for kinds in found.values())


def test_a_shadow_and_a_lamps_reflection_are_trouble() -> None:
    picture = drawn.game().picture.copy()
    half = picture.shape[1] // 2
    picture[:, :half] = np.rint(picture[:, :half] * 0.4)
    found = troubles(labelled(), drawn.found(picture).view)
    in_shadow = {name for name, kinds in found.items() if "shadow" in kinds}
    assert "portland--seattle--0" in in_shadow
    assert "new-york--washington--0" not in in_shadow

    view = drawn.found(drawn.game().picture).view
    washed_out = view.rectified.copy()
    washed_out[:, : washed_out.shape[1] // 3] = 250
    found = troubles(labelled(), replace(view, rectified=washed_out))
    assert "glare" in found["portland--seattle--0"]
    assert "glare" not in found["new-york--washington--0"]


def test_routes_are_counted_under_each_of_their_troubles() -> None:
    photo = labelled()
    claims = dict(drawn.CLAIMS)
    missed, asked = [name for name in claims if name not in photo.half_filled][:2]
    del claims[missed], claims[asked]
    answers = judge(photo, ROUTES, claims, [asked])
    found = {name: frozenset({"double"}) for name in ROUTES}
    found[missed] = frozenset({"double", "glare"})
    found["atlanta--miami"] = frozenset()
    counts = {c.kind: c for c in confusion(found, answers, photo.half_filled, [asked])}
    assert tuple(counts) == KINDS
    assert counts["double"] == TroubleCount("double", len(ROUTES) - 2, 2, 1, 1)
    assert counts["glare"] == TroubleCount("glare", 1, 1, 1, 0)
    assert counts["none of these"].routes == 1

"""Cues and their weights fit each other, and say train or print where it is plain."""

from __future__ import annotations

import drawn
import numpy as np
from railspotter.vision.cue_weights import cue_weights
from railspotter.vision.cues import CUES, OWN_PRINT_CUES, SPACE_CUES, space_cues
from railspotter.vision.first_look import look
from railspotter.vision.lab import distance2, to_lab
from railspotter.vision.shape_look import look_at_shape


def test_every_cue_has_its_weight() -> None:
    weights = cue_weights()
    assert set(weights.weight) == set(CUES)
    assert set(weights.own_weight) <= set(OWN_PRINT_CUES) <= set(CUES)


def test_a_print_of_the_trains_colour_is_the_players_own() -> None:
    view = drawn.found(drawn.game().picture).view
    own = view.is_own_print
    assert own.shape == (len(drawn.usa().routes), len(view.colours))
    for r, route in enumerate(drawn.usa().routes):
        assert [c for c, is_own in zip(view.colours, own[r], strict=True) if is_own] == (
            [route.colour] if route.colour in view.colours else []
        )


def test_trains_show_their_colour_and_their_shape() -> None:
    view = drawn.found(drawn.game().picture).view
    first = look(view)
    cues = space_cues(view, first, look_at_shape(view, first.lit))
    routes = [drawn.usa().routes[r].id for r in view.printed.route_of]
    taken = np.array([route in drawn.CLAIMS for route in routes])
    theirs = [view.colours.index(drawn.CLAIMS[route]) for route in routes if route in drawn.CLAIMS]
    colour = cues[..., SPACE_CUES.index("colour")]
    covered = cues[:, 0, SPACE_CUES.index("covered")]
    on_train = colour[taken][np.arange(len(theirs)), theirs]
    assert np.median(on_train) > np.median(colour[~taken].max(axis=1)) + 1
    assert np.mean((covered > 0) == taken) > 0.95


def test_lab_of_known_colours() -> None:
    bgr = np.array([(0, 0, 0), (255, 255, 255), (119, 119, 119), (0, 0, 255)], np.uint8)
    lab = to_lab(bgr)
    assert np.allclose(lab[:3], [(0, 0, 0), (100, 0, 0), (50, 0, 0)], atol=0.5)
    assert np.allclose(lab[3], (53.2, 80.1, 67.2), atol=0.5)  # sRGB red in CIE Lab, D65
    assert distance2(lab[:1], (0.0, 3.0, 4.0)).tolist() == [25.0]
    assert distance2(lab[:1], (5.0, 0.0, 0.0))[0] < 25

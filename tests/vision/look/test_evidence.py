"""What is computed for all pixels, spaces and routes at once is what each of them gives alone."""

import numpy as np
import pytest
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.lab import distance2
from railspotter.vision.look.evidence import CAP, SeenBoard, colour_evidence


@pytest.mark.parametrize("colours", [1, 2, 5])
def test_evidence_is_the_lead_over_print_and_other_colours(colours: int) -> None:
    rng = np.random.default_rng(1)
    lab = rng.normal((45, 10, 10), (20, 25, 25), (4000, 3)).astype(np.float32)
    print_distance2 = rng.uniform(0, CAP, 4000).astype(np.float32)
    trains = plastic("usa")[:colours]
    evidence = colour_evidence(SeenBoard(lab, print_distance2), trains)
    away = np.array([np.minimum(distance2(lab, t.lab) / t.spread**2, CAP) for t in trains])
    assert evidence.shape == (4000, colours)
    for c in range(colours):
        best = np.min([print_distance2, *np.delete(away, c, axis=0)], axis=0)
        assert np.allclose(evidence[:, c], (best - away[c]) / 2, atol=1e-5)

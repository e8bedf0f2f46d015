"""Fit what each cue counts to photos with known truth, and say how well it holds elsewhere.

    python benchmarks/fit_cue_weights.py [--photos DIR] [--write]

Weights are fitted to shoot-2 alone. For the table, each of its lights is left out in turn; shoot-1
and shoot-5 take no part in any fit. `--write` puts the weights into vision/cue_weights.json.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from photo_set import PHOTOS, REFERENCE, LabelledPhoto, load_set, reference_profile
from railspotter.calibration.pose import NotFound
from railspotter.scoring import load_board, load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photo_score import PhotoScorer
from railspotter.vision.cue_reader import look_at_print
from railspotter.vision.cue_weights import CueWeights
from railspotter.vision.cues import CUES, OWN_PRINT_CUES, route_cues, space_cues
from scipy.optimize import minimize

WEIGHTS = Path(__file__).resolve().parent.parent / "vision" / "cue_weights.json"
FITTED_TO = "shoot-2"
RIDGE = 10.0
OWN = [CUES.index(name) for name in OWN_PRINT_CUES]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measured:
    """The cues of one photo's routes, and its truth.

    Attributes
    ----------
    cues : (R, C, len(CUES)) float64 array
    own : (R, C) bool array
        Whether the print has the train's colour.
    truth : (R,) int array
        A colour's index, -1 for free, -2 where it is not labelled or half filled.
    """

    photo: LabelledPhoto
    cues: Floats
    own: npt.NDArray[np.bool_]
    truth: npt.NDArray[np.intp]


def measure(photo: LabelledPhoto, scorer: PhotoScorer) -> Measured:
    """Measure one photo's cues."""
    found = scorer.find(load_photo(photo.path))
    if isinstance(found, NotFound):
        raise SystemExit(f"{photo.path.name}: {found.reason}")
    view, first, shape = look_at_print(found.view)
    cues = route_cues(view.printed, space_cues(view, first, shape))
    half_filled = photo.truth.get("half_filled_routes", [])
    truth = []
    for route in view.printed.board.routes:
        if route.id not in photo.truth["spaces"] or route.id in half_filled:
            truth.append(-2)
        elif route.id in photo.truth["claims"]:
            truth.append(view.colours.index(photo.truth["claims"][route.id]))
        else:
            truth.append(-1)
    return Measured(photo, cues.astype(np.float64), view.is_own_print, np.array(truth))


def examples(photos: list[Measured]) -> tuple[Floats, Floats]:
    """Return rows to fit: each route with its likeliest colour, its print's and its true one."""
    rows, answers = [], []
    for photo in photos:
        likeliest = np.argmax(photo.cues[:, :, 0], axis=1)
        for r in np.flatnonzero(photo.truth > -2):
            candidates = {int(likeliest[r]), *np.flatnonzero(photo.own[r]).tolist()}
            if photo.truth[r] >= 0:
                candidates.add(int(photo.truth[r]))
            for c in sorted(candidates):
                own = float(photo.own[r, c])
                rows.append(np.r_[photo.cues[r, c], own, own * photo.cues[r, c][OWN]])
                answers.append(photo.truth[r] == c)
    return np.array(rows), np.array(answers, dtype=np.float64)


def fit(rows: Floats, answers: Floats) -> CueWeights:
    """Fit a logistic regression with a ridge on standardised cues."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    scaled = np.c_[(rows - middle) / spread, np.ones(len(rows))]
    sign = 2 * answers - 1

    def loss(w: Floats) -> tuple[float, Floats]:
        z = scaled @ w
        p = 1 / (1 + np.exp(-np.clip(z, -50, 50)))
        gradient = scaled.T @ (p - answers) + RIDGE * np.r_[w[:-1], 0]
        return float(np.logaddexp(0, -sign * z).sum() + RIDGE * (w[:-1] ** 2).sum() / 2), gradient

    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B")
    weight = found.x[:-1] / spread
    bias = float(found.x[-1] - weight @ middle)
    count = len(CUES)

    def named(names: tuple[str, ...], values: Floats) -> dict[str, float]:
        return {name: round(float(v), 4) for name, v in zip(names, values, strict=True)}

    return CueWeights(
        fitted_to=f"{FITTED_TO} of the labelled photos by benchmarks/fit_cue_weights.py",
        bias=round(bias, 4),
        own_bias=round(float(weight[count]), 4),
        weight=named(CUES, weight[:count]),
        own_weight=named(OWN_PRINT_CUES, weight[count + 1 :]),
    )


def wrong_routes(photo: Measured, weights: CueWeights) -> npt.NDArray[np.intp]:
    """Return the indices of the routes that these weights read wrongly."""
    odds = weights.log_odds(photo.cues.astype(np.float32), photo.own)
    said = np.where(odds.max(axis=1) > 0, odds.argmax(axis=1), -1)
    return np.flatnonzero((photo.truth > -2) & (said != photo.truth))


def main() -> None:
    """Measure, fit with each light left out, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, default=PHOTOS / "usa")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    board = load_board("usa")
    scorer = PhotoScorer(
        board, load_edition("usa"), reference_profile(arguments.photos / REFERENCE, board)
    )
    labelled = load_set(arguments.photos, "usa")
    measured = [measure(p, scorer) for p in labelled if p.path.name != REFERENCE]
    fitted = [m for m in measured if m.photo.shoot == FITTED_TO]
    wrong = total = 0
    for light in sorted({m.photo.light for m in measured}):
        weights = fit(*examples([m for m in fitted if m.photo.light != light]))
        for m in measured:
            if m.photo.light == light:
                errors = wrong_routes(m, weights)
                wrong += len(errors)
                total += int(np.count_nonzero(m.truth > -2))
                names = ", ".join(board.routes[r].id for r in errors)
                print(f"{m.photo.path.name:28s} {len(errors):3d} wrong  {names}")
    print(f"routes right with their light left out: {1 - wrong / total:.4f} of {total}")
    if arguments.write:
        text = msgspec.json.format(msgspec.json.encode(fit(*examples(fitted))), indent=2)
        WEIGHTS.write_bytes(text + b"\n")


if __name__ == "__main__":
    main()

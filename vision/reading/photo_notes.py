"""Notes on a photo as a whole: too poor to be read, and why; or read by a drawing.

A photo is too poor if too many answers are unsure: then another photo helps more than questions.
The cause is measured: a fault of the picture, or coloured or milky light. A photo that can be read
all the same is not complained about, whatever its light.
"""

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Mask
from railspotter.calibration.finding.picture_faults import fault_of
from railspotter.scoring.sentence import Sentence

from ..lab import COLOURFUL
from ..look.first_look import FirstLook
from ..look.view import View

# Most share of unsure routes: of some hundred, 14 questions.
MOST_UNSURE = 0.14
# Blue over red of the light below which it counts as coloured: of the labelled photos only those
# under orange lamps have less.
COLOURED = 0.62
FEW = 10  # least free colourful spaces for measuring paleness
# Colourfulness, relative to the reference, below which a photo is pale. Free prints of the
# labelled photos have .74 to 1; with a white veil of 30 % laid over them .52 to .66.
PALE = 0.68
# `Tones.stretch` above which a photo is pale: more than half of its contrast is lost. Usual photos
# have .8 to 1.5; with a veil of 30 % 1.5 to 2.4, with one of 50 % 2 and more.
STRETCHED = 2.0

BY_DRAWING = Sentence(
    "read without a photo of your empty board: expect more questions; one that is kept"
    " by calibrating makes it better"
)
PARTLY_BY_DRAWING = Sentence(
    "the reference was taken with trains on the board: the {count} routes that"
    " they hid are read by a drawing, and asked about more often"
)
COLOURED_LIGHT = Sentence("the light is strongly coloured: take another photo in whiter light")
PALE_PHOTO = Sentence(
    "the picture is pale, so that colours are hard to tell: wipe the lens, keep"
    " lamps from shining into it, and take another photo"
)
FAULTY_PHOTO = Sentence("{fault}; take another photo")
POOR_PHOTO = Sentence(
    "too much is hard to tell in this picture: take another photo from above,"
    " nearer, with more even light"
)


def notes_of(view: View, first: FirstLook, unsure: Mask, free: Mask) -> tuple[Sentence, ...]:
    """Return the notes for the person with the camera.

    `unsure` tells whether the answer is unsure, of each route that the photo shows and nothing lies
    over, `free` whether each route is surely free, (R,).
    """
    trouble = trouble_of(view, first, unsure, free)
    notes = [] if trouble is None else [trouble]
    if view.printed.is_drawn:
        notes.append(BY_DRAWING)
    elif view.printed.drawn_routes:
        notes.append(PARTLY_BY_DRAWING.filled(count=len(view.printed.drawn_routes)))
    return tuple(notes)


def trouble_of(view: View, first: FirstLook, unsure: Mask, free: Mask) -> Sentence | None:
    """Return why another photo is needed; None if this one can be read."""
    if np.count_nonzero(unsure) <= MOST_UNSURE * len(unsure):
        return None
    if (fault := fault_of(view.rectified)) is not None:
        return FAULTY_PHOTO.filled(fault=fault.reason)
    if not COLOURED <= first.light.blue_over_red <= 1 / COLOURED:
        return COLOURED_LIGHT
    return PALE_PHOTO if is_pale(view, first, free) else POOR_PHOTO


def is_pale(view: View, first: FirstLook, free: Mask) -> bool:
    """Tell whether free prints are much paler than the reference, or tones stretched much."""
    if first.light.tones.stretch > STRETCHED:
        return True
    if not free.any():
        return False
    printed = view.printed
    pixels = printed.middles_of_seen[free[printed.route_of]]

    def colourfulness(lab: Float32s) -> AnyFloats:
        a, b = np.moveaxis(np.median(lab[pixels][..., 1:], axis=(1, 2)), -1, 0)
        return np.asarray(np.hypot(a, b))

    print_has = colourfulness(printed.reference_lab)
    known = print_has > COLOURFUL
    if np.count_nonzero(known) < FEW:
        return False
    return bool(np.median(colourfulness(first.seen.lab)[known] / print_has[known]) < PALE)

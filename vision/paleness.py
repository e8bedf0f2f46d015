"""Whether a photo is too pale to tell plastic from print: milky glass, a lamp shining into it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .first_look import FirstLook
from .view import View

COLOURFUL = 20.0
"""Lab units from grey from which a print says how colourful a photo is."""
FEW = 10
"""Free colourful spaces that are too few to say it."""
PALE = 0.68
"""The share of the reference's colourfulness below which a photo is pale. Free prints of the
labelled photos have .74 to 1; with a white veil of 30 % laid over them .52 to .66, and then 3 of
1,100 routes were read wrongly without a doubt; under 45 % it were 109."""


STRETCHED = 2.0
"""By how much tones may have to be stretched, or colours with them: beyond, more than half is
lost. Photos as they are ask for .8 to 1.5; a veil of 30 % for 1.5 to 2.4, one of 50 % for 2 and
more."""


def is_pale(view: View, first: FirstLook, free: npt.NDArray[np.bool_]) -> bool:
    """Tell whether bare prints are much paler than in the reference, or were too pale as taken.

    Parameters
    ----------
    free : (R,) bool array
        The routes that are surely free.
    """
    if first.light.tones.stretch > STRETCHED:
        return True
    printed = view.printed
    middle = (free[printed.route_of], *printed.middle(20.0, 6.0))
    pixels = printed.windows_of_seen[middle]

    def colourfulness(lab: npt.NDArray[np.float32]) -> npt.NDArray[np.floating]:
        a, b = np.moveaxis(np.median(lab[pixels][..., 1:], axis=(1, 2)), -1, 0)
        return np.asarray(np.hypot(a, b))

    print_has = colourfulness(printed.reference_lab)
    known = print_has > COLOURFUL
    if np.count_nonzero(known) < FEW:
        return False
    return bool(np.median(colourfulness(first.seen.lab)[known] / print_has[known]) < PALE)

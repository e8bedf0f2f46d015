"""Which of a profile's lenses is that of a frame."""

from __future__ import annotations

from collections.abc import Mapping

from .lens import Lens


def lens_for(lenses: Mapping[str, Lens], size_wh: tuple[int, int]) -> Lens | None:
    """Return the lens that frames of a size may have been taken through; None where none fits.

    Cameras are told apart by the shape of their pictures, and by their size where several have one
    shape; of lenses that fit alike, the one that more pictures speak for.

    Parameters
    ----------
    lenses : mapping of camera to Lens
        As `Profile.lenses` has them.

    Examples
    --------
    >>> webcam = Lens((1280, 720), (-0.1, 0.0, 0.0), views=5)
    >>> phone = Lens((4032, 3024), (0.02, 0.0, 0.0), views=3)
    >>> lenses = {"webcam": webcam, "phone": phone}
    >>> lens_for(lenses, (1920, 1080)).bending
    (-0.1, 0.0, 0.0)
    >>> lens_for(lenses, (3024, 4032)).size_wh
    (3024, 4032)
    >>> lens_for(lenses, (1000, 1000)) is None
    True
    """
    width, height = size_wh
    fitting = [
        (lens, lens.of_size((width, height)))
        for lens in lenses.values()
        # A phone held upright turns its picture, not its lens.
        if lens.fits((width, height)) or lens.fits((height, width))
    ]
    if not fitting:
        return None
    return max(fitting, key=lambda fit: (sorted(fit[0].size_wh) == sorted(size_wh), fit[0].views))[
        1
    ]

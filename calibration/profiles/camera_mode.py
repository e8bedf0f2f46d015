"""With which camera, and in which of its modes, pictures were taken."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CameraMode:
    """A camera and the size of its pictures.

    Attributes
    ----------
    camera : str
        A source's name, as `camera 0`, or what the user calls the camera of a photo.
    size_wh : tuple of int
        Width and height of its pictures in pixels.
    """

    camera: str
    size_wh: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.camera!r} at {self.size_wh[0]} x {self.size_wh[1]}"

    def difference(self, now: CameraMode) -> str | None:
        """Say how another camera, or another mode of this one, differs; None where it does not.

        A reference is seen from straight above, so it serves any camera; what belongs to one mode
        is the lens, and how good the reference is.

        Examples
        --------
        >>> made_with = CameraMode("webcam", (1920, 1080))
        >>> made_with.difference(CameraMode("webcam", (640, 480)))
        "the profile was made with 'webcam' at 1920 x 1080, and this is 'webcam' at 640 x 480"
        >>> made_with.difference(made_with)
        """
        if self == now:
            return None
        return f"the profile was made with {self}, and this is {now}"

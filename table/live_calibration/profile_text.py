"""A profile's quality as text and as JSON."""

from collections.abc import Iterator
from typing import Any

from railspotter.calibration.profiles.picture_quality import PictureQuality
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.quality import Quality


def quality_text(profile: Profile) -> Iterator[str]:
    """Yield lines about a profile's quality, and how to improve it."""
    quality = profile.quality
    if quality is None:
        yield "its quality was not measured: it is of an older version"
        return
    yield f"its quality is {quality.grade.words}"
    yield f"  {picture_text(quality.picture)}"
    yield f"  {_print_text(quality)}"
    yield from (f"  to do better: {words}" for words in quality.advice())


def picture_text(picture: PictureQuality) -> str:
    """Format a picture's measured quality in one line."""
    blur = picture.blur_p90_mm
    glare = max(value or 0.0 for row in picture.glare for value in row)
    return (
        f"{picture.px_per_mm:.1f} pixels to the millimetre"
        f" ({min(picture.corners_px_per_mm):.1f} at the coarsest corner),"
        f" {'nothing sharp' if blur is None else f'edges smeared by {blur:.2f} mm'},"
        f" lightness {picture.lightness:.0f} of 100, glare on {100 * glare:.0f} % of the worst"
        f" piece, {picture.tilt_deg:.0f} degrees from straight above"
    )


def quality_json(profile: Profile) -> dict[str, Any] | None:
    """Return a profile's quality for `--json`; None if it was not measured."""
    quality = profile.quality
    if quality is None:
        return None
    return {
        "grade": quality.grade.name.lower(),
        "photos": quality.photos,
        "error_mm": None
        if quality.error_mm is None
        else {"median": quality.error_mm[0], "p95": quality.error_mm[1]},
        "matched": quality.matched,
        "picture": picture_json(quality.picture),
        "advice": list(quality.advice()),
    }


def picture_json(picture: PictureQuality) -> dict[str, Any]:
    """Return a picture's measured quality for `--json`."""
    blur = picture.blur_p90_mm
    return {
        "px_per_mm": round(picture.px_per_mm, 3),
        "corners_px_per_mm": [round(value, 3) for value in picture.corners_px_per_mm],
        "blur_mm": None if blur is None else round(blur, 3),
        "glare": [list(row) for row in picture.glare],
        "lightness": round(picture.lightness, 1),
        "tilt_deg": round(picture.tilt_deg, 1),
        "shown": round(picture.shown, 4),
    }


def profile_json(profile: Profile) -> dict[str, Any]:
    """Return a profile for `--json`, without its pictures."""
    mode = profile.made_with
    return {
        "name": profile.name,
        "board": profile.board,
        "made_at": profile.made_at,
        "size_mm": list(profile.size_mm),
        "scale": profile.scale,
        "made_with": None
        if mode is None
        else {"camera": mode.camera, "size_wh": list(mode.size_wh)},
        "unseen": sorted(profile.unseen),
        "nudges_mm": {key: list(by_mm) for key, by_mm in sorted(profile.nudges_mm.items())},
        "quality": quality_json(profile),
    }


def _print_text(quality: Quality) -> str:
    photos = "one photo" if quality.photos == 1 else f"{quality.photos} photos"
    if quality.error_mm is None:
        return f"from {photos}; the program knows no print of this board to compare it with"
    middle, most = quality.error_mm
    matched = f"{100 * (quality.matched or 0):.0f} %"
    return (
        f"from {photos}; the print is recognised on {matched} of the board and lies {middle:.1f} mm"
        f" (95 of 100 parts: less than {most:.1f} mm) from where it is expected"
    )

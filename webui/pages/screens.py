"""The query parameters of the pages for televisions and streams.

`/screen` is the whole game for people across the room, `/overlay` some parts of it over another
picture. Both are opened by a guest link, and are read-only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..errors import QueryOptionError

# The parts that an overlay can show.
PARTS = ("scores", "board", "last", "path", "turn", "chart", "status", "result")
USUAL_PARTS = "scores,last"
THEMES = ("dark", "light")
# A big screen may announce events, or also turns and questions.
VOICES = ("on", "more")
# Of an overlay's text, 20 pixels at 1: five pixels are illegible, 160 fill a 4K picture.
LEAST_SCALE, MOST_SCALE = 0.25, 8.0


def screen_options(query: Mapping[str, str]) -> dict[str, str]:
    """Parse a big screen's theme (empty for the device's) and voice; raises `QueryOptionError`.

    Examples
    --------
    >>> screen_options({"theme": "dark"})
    {'theme': 'dark', 'voice': ''}
    """
    voice = query.get("voice", "")
    if voice and voice not in VOICES:
        raise QueryOptionError(
            "the voice is {voices}, not {given!r}", voices=" / ".join(VOICES), given=voice[:40]
        )
    return {"theme": _theme(query.get("theme", "")), "voice": voice}


def overlay_options(query: Mapping[str, str]) -> dict[str, str]:
    """Parse an overlay's theme, parts in order, and scale; raises `QueryOptionError`.

    Examples
    --------
    >>> overlay_options({"parts": "last,scores", "scale": "1.50"})
    {'theme': '', 'parts': 'last scores', 'scale': '1.5'}
    >>> overlay_options({"scale": "9"})
    Traceback (most recent call last):
    ...
    railspotter.webui.errors.QueryOptionError: the scale is a number from 0.25 to 8, not '9'
    """
    parts = dict.fromkeys(part.strip() for part in query.get("parts", USUAL_PARTS).split(","))
    for part in parts:
        if part not in PARTS:
            raise QueryOptionError(
                "there is no part {part!r}: parts are {parts}",
                part=part[:40],
                parts=", ".join(PARTS),
            )
    scale = _number(query.get("scale", "1"))
    if not LEAST_SCALE <= scale <= MOST_SCALE:
        raise QueryOptionError(
            "the scale is a number from {least} to {most}, not {given!r}",
            least=f"{LEAST_SCALE:g}",
            most=f"{MOST_SCALE:g}",
            given=query["scale"][:40],
        )
    return {
        "theme": _theme(query.get("theme", "")),
        "parts": " ".join(parts),
        "scale": f"{scale:g}",
    }


def _theme(text: str) -> str:
    if text and text not in THEMES:
        raise QueryOptionError(
            "the theme is {themes}, not {given!r}", themes=" / ".join(THEMES), given=text[:40]
        )
    return text


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan

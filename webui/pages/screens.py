"""The pages that a television or a stream shows: what their addresses may ask for.

`/screen` is the whole game for people across the room, `/overlay` some parts of it over another
picture. Both look on by a guest link and have nothing to tap.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..errors import QueryOptionError

# What an overlay can show.
PARTS = ("scores", "board", "last", "path", "turn", "chart", "status", "result")
USUAL_PARTS = "scores,last"
THEMES = ("dark", "light")
# A big screen may call the game, or say more than that: whose turn it is, and what is asked.
VOICES = ("on", "more")
# Of an overlay's letters, 20 pixels at 1: five pixels cannot be read, 160 fill a 4K picture.
LEAST_SCALE, MOST_SCALE = 0.25, 8.0


def screen_options(query: Mapping[str, str]) -> dict[str, str]:
    """Return what a big screen's address asks for: its theme, else the device's own, and a voice.

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
    """Return what an overlay's address asks for: its theme, its parts in their order, its scale.

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

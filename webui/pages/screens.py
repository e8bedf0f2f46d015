"""The query parameters of the pages for televisions and streams.

`/screen` is the whole game for people across the room, `/overlay` some parts of it over another
picture. Both are opened by a guest link, and are read-only.
"""

import math
from collections.abc import Mapping

from railspotter.scoring.sentence import Sentence

from ..errors import QueryOptionError

# The parts that an overlay can show.
PARTS = ("scores", "board", "last", "path", "turn", "chart", "status", "result")
USUAL_PARTS = "scores,last"
# By parameter its values, and what is said of another. Without a theme it is the device's; a big
# screen may announce events, or also turns and questions.
CHOICES = {
    "theme": (("dark", "light"), Sentence("the theme is {choices}, not {given!r}")),
    "voice": (("on", "more"), Sentence("the voice is {choices}, not {given!r}")),
}
# Of an overlay's text, 20 pixels at 1: five pixels are illegible, 160 fill a 4K picture.
LEAST_SCALE, MOST_SCALE = 0.25, 8.0


def screen_options(query: Mapping[str, str]) -> dict[str, str]:
    """Parse a big screen's theme and voice, each by default empty; raises `QueryOptionError`.

    Examples
    --------
    >>> screen_options({"theme": "dark"})
    {'theme': 'dark', 'voice': ''}
    """
    return {name: _choice(query, name) for name in ("theme", "voice")}


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
    return {"theme": _choice(query, "theme"), "parts": " ".join(parts), "scale": f"{scale:g}"}


def _choice(query: Mapping[str, str], name: str) -> str:
    given, (choices, refusal) = query.get(name, ""), CHOICES[name]
    if given and given not in choices:
        raise QueryOptionError(refusal.filled(choices=" / ".join(choices), given=given[:40]))
    return given


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan

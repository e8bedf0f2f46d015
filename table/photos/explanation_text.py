"""Why a route, a station or a site was read as it was, for the terminal and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from railspotter.scoring import Board
from railspotter.vision.reading import ColourCase, Explanation, StationExplanation

MEASURES = {
    "shape": "what the shape says, whatever the colour",
    "plastic": "how much of a train's place looks like plastic",
    "unlike": "how much likelier its colour is plastic's than the bare print's",
    "evidence": "the same pixel by pixel, where trains fit best",
    "print": "how much of the print shows",
    "beside": "how much of the print's colour shows beside it",
    "whose": "how likely such plastic is this player's, as the photo's other trains look",
    "colour": "how much better pieces of this colour explain the pixels than the print",
    "lead": "by how much they lead over the next best colour",
}
"""What each measure of `vision.cues` and `vision.single_pieces` means to a player."""
WAYS = {
    "mean": "on average",
    "least": "on the space where it is least",
    "most": "on the space where it is most",
    "bare": "where prints are bare in this photo",
}
"""How the values of a route's spaces become one."""


def cue_words(name: str) -> str:
    """Return what a cue means to a player.

    Examples
    --------
    >>> cue_words("print.mean")
    'how much of the print shows, on average'
    >>> cue_words("lead")
    'by how much they lead over the next best colour'
    """
    measure, _, way = name.partition(".")
    return f"{MEASURES[measure]}, {WAYS[way]}" if way else MEASURES[measure]


def explanation_lines(explained: Explanation) -> Iterator[str]:
    """Yield the lines that explain one route in one photo.

    The likeliest colour in full; of the others, what each came to.
    """
    best, *others = explained.colours
    blue, green, red = explained.light_bgr
    yield (
        f"light there, against the reference: red {red:.2f}, green {green:.2f}, blue {blue:.2f};"
        f" {explained.visible:.0%} of the route can be seen"
    )
    yield f"shape alone: {explained.covered:+.1f} that trains of any colour stand there"
    yield f"{best.colour}: log-odds {best.log_odds:+.1f} (above 0 likelier than not)"
    yield f"  {'value':>7s}  {'weight':>7s}  {'counts':>7s}"
    for cue in sorted(best.cues, key=lambda cue: -abs(cue.counts)):
        sum_ = f"{cue.value:+7.2f} x{cue.weight:+7.2f} = {cue.counts:+7.2f}"
        yield f"  {sum_}  {cue_words(cue.name)}"
    yield f"  {'':7s}  {'':7s}  {best.bias:+8.2f}  before any cue"
    yield f"  each space alone: {_list(best.spaces)}"
    yield f"  such trains would stand off by, along: {_list(best.along_mm)} mm"
    yield f"  and across: {_list(best.across_mm)} mm"
    if others:
        yield "others: " + ", ".join(f"{case.colour} {case.log_odds:+.1f}" for case in others)


def station_lines(explained: StationExplanation) -> Iterator[str]:
    """Yield the lines that explain one place in one photo."""
    (best, _), *_ = explained.colours
    right, down = explained.off_mm
    yield f"{explained.mark_shown:.0%} of the city's printed mark can be seen"
    yield (
        f"where a {best} station fits best, {right:+.1f} mm to the right and {down:+.1f} mm down,"
        f" its plastic explains the pixels better than the print by {explained.evidence:+.2f}"
    )
    yield f"{explained.visible:.0%} of it can be seen"
    odds = ", ".join(f"{colour} {value:+.1f}" for colour, value in explained.colours)
    yield f"log-odds (above 0 likelier than not): {odds}"


def explanation_json(explained: Explanation | StationExplanation, board: Board) -> dict[str, Any]:
    """Return the same for programs."""
    if isinstance(explained, StationExplanation):
        return {
            "station": explained.place,
            "evidence": _round(explained.evidence),
            "mark_shown": _round(explained.mark_shown),
            "off_mm": [_round(mm) for mm in explained.off_mm],
            "visible": _round(explained.visible),
            "colours": {colour: {"log_odds": _round(odds)} for colour, odds in explained.colours},
        }
    return {
        "route" if explained.route in board.route_by_id else "site": explained.route,
        "covered": _round(explained.covered),
        "light_bgr": [_round(gain) for gain in explained.light_bgr],
        "visible": _round(explained.visible),
        "colours": {case.colour: _case_json(case) for case in explained.colours},
    }


def _case_json(case: ColourCase) -> dict[str, Any]:
    return {
        "log_odds": _round(case.log_odds),
        "bias": _round(case.bias),
        "cues": {
            cue.name: {
                "value": _round(cue.value),
                "weight": _round(cue.weight),
                "counts": _round(cue.counts),
            }
            for cue in case.cues
        },
        "spaces": [_round(odds) for odds in case.spaces],
        "along_mm": [_round(mm) for mm in case.along_mm],
        "across_mm": [_round(mm) for mm in case.across_mm],
    }


def _list(values: Sequence[float]) -> str:
    return ", ".join(f"{value:+.1f}" for value in values)


def _round(value: float) -> float:
    return round(value, 3)

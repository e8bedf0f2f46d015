"""Trains on a photographed board that nobody in the game has: seen, told, and not counted.

A reader that is told who plays looks for no other colours, and would take their trains for
somebody's who does. So a board is looked at once with all the colours of its box; where others
surely stand there, it is read with them, and what they hold is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Kind
from railspotter.vision.reading.cue_reader import weigh
from railspotter.vision.reading.several_photos import JointReading, read_together
from railspotter.vision.readings import PieceReading, Reading

from .photo_score import FoundBoard, PhotoScorer

FEW = 2  # routes of a colour that nobody plays, of which no doubt is left: fewer may be misread
ROUTE: Kind = "route"


def read_for(
    scorer: PhotoScorer, boards: Sequence[FoundBoard]
) -> tuple[JointReading, dict[Colour, int]]:
    """Read one board in one or several photos, for the colours of a scorer.

    Beside the reading: how many routes other colours hold, which are free in it.
    """
    others = _others(scorer, boards)
    if not others:
        return read_together([weigh(board.view) for board in boards]), {}
    colours = (*scorer.colours, *others)
    joint = read_together([weigh(scorer.in_colours(board, colours).view) for board in boards])
    counts = Counter(joint.reading.claims.values())
    held = {colour: counts[colour] for colour in others}
    return replace(joint, reading=without(joint.reading, others)), held


def _others(scorer: PhotoScorer, boards: Sequence[FoundBoard]) -> tuple[Colour, ...]:
    """Return the colours that surely stand on the board and that the scorer was not told of."""
    besides = tuple(colour for colour in scorer.box if colour not in scorer.colours)
    if not besides:
        return ()
    colours = (*scorer.colours, *besides)
    weighed = [weigh(scorer.in_colours(board, colours).view) for board in boards]
    pieces = read_together(weighed).reading.pieces
    sure = Counter(
        piece.colour for spot, piece in pieces.items() if spot.kind == ROUTE and piece.doubt is None
    )
    return tuple(colour for colour in besides if sure[colour] >= FEW)


def without(reading: Reading, colours: Collection[Colour]) -> Reading:
    """Return a reading in which nobody has these colours.

    What they hold is free, and a doubt is left only where it may be somebody else's.

    Examples
    --------
    >>> from railspotter.scoring.spot import Spot
    >>> from railspotter.scoring.sentence import Sentence
    >>> from railspotter.vision.readings import Doubt
    >>> spot = Spot("route", "a--b")
    >>> doubt = Doubt(spot, "green", ("red", None), Sentence("they look alike"))
    >>> reading = Reading({spot: PieceReading("green", 0.9, doubt)})
    >>> left = without(reading, ["green"])
    >>> left.claims, left.doubts[0].said, left.doubts[0].alternatives
    ({}, None, ('red',))
    """
    return replace(
        reading,
        pieces={spot: _freed(piece, colours) for spot, piece in reading.pieces.items()},
        markers={c: marker for c, marker in reading.markers.items() if c not in colours},
    )


def _freed(piece: PieceReading, colours: Collection[Colour]) -> PieceReading:
    said = None if piece.colour in colours else piece.colour
    doubt = piece.doubt
    if doubt is not None:
        likely = dict.fromkeys((doubt.said, *doubt.alternatives, None))
        others = tuple(one for one in likely if one != said and one not in colours)
        doubt = replace(doubt, said=said, alternatives=others) if others else None
    return replace(piece, colour=said, doubt=doubt)

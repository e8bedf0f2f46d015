"""Reads a board for its players' trains and those of other colours that lie on it.

A reading for the players' colours alone would take other colours' trains for theirs.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ..look.first_look import has_vivid_hue, other_colours_in_play
from ..look.view import View
from ..readings import Colour
from .odds import WeighedBoard
from .several_photos import JointReading


def read_with_other_trains(
    views: Sequence[View],
    weigh: Callable[[View, WeighedBoard | None], WeighedBoard],
    read: Callable[[Sequence[WeighedBoard]], JointReading],
    *,
    may_play: float,
    least: int,
) -> tuple[Sequence[WeighedBoard], JointReading]:
    """Weigh and read one board in its pictures for the colours that lie on it.

    All of `Pieces.others` are judged together: without pink, pink trains beside red ones would be
    red in another light, and the red ones orange.

    Parameters
    ----------
    views : sequence of View
        The board in each picture, with the same colours.
    weigh : callable
        Weighs one view; the second argument is the same view's result for fewer colours.
    read : callable
        Reads the weighed pictures.
    may_play : float
        Probability of its trains from which another colour is read too.
    least : int
        Spots that must be read as that colour for it to be kept.

    Returns
    -------
    tuple of (sequence of WeighedBoard, JointReading)
        Their `Pieces.whose` has the added colours, which are nobody's.
    """
    weighed = [weigh(view, None) for view in views]
    shares = [other_colours_in_play(one.view, one.first) for one in weighed]
    likely = {name for of_one in shares for name, share in of_one.items() if share > may_play}
    if likely:
        more = [weigh(_with_others(one.view, likely), one) for one in weighed]
        together = read(more)
        there = {name for name in likely if _lies_there(name, more, together, least)}
        if there == likely:
            return more, together
        if there:
            weighed = [weigh(_with_others(one.view, there), one) for one in weighed]
    return weighed, read(weighed)


def _lies_there(
    name: Colour, weighed: Sequence[WeighedBoard], together: JointReading, least: int
) -> bool:
    """Tell whether trains read as another colour are of it.

    A hand may look like trains of another box: routes that may be covered do not count.
    """
    if any(_has_players_hue(one, name) for one in weighed):
        return False
    may_be_under = frozenset.intersection(*(one.view.maybe_covered for one in weighed))
    pieces = together.reading.pieces.items()
    spots = [spot for spot, piece in pieces if piece.colour == name and spot.id not in may_be_under]
    return len(spots) >= least


def _has_players_hue(weighed: WeighedBoard, name: Colour) -> bool:
    """Tell whether trains read as another colour may be a player's in vivid pictures."""
    pieces = weighed.view.pieces
    of_players = [train for train in pieces.trains if train.name in pieces.players]
    return has_vivid_hue(weighed.view, weighed.first, of_players, name)


def _with_others(view: View, names: Collection[Colour]) -> View:
    """Return a view whose pieces include trains of `Pieces.others`, as nobody's."""
    pieces = view.pieces
    found = tuple(train for train in pieces.others if train.name in names)
    more = replace(
        pieces,
        trains=(*pieces.trains, *found),
        whose={**pieces.whose, **dict.fromkeys(train.name for train in found)},
        others=tuple(train for train in pieces.others if train.name not in names),
    )
    return replace(view, pieces=more)

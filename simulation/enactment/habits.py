"""How people at a table behave: speed, neatness, and how often they make mistakes."""

from dataclasses import dataclass

Range = tuple[float, float]


@dataclass(frozen=True)
class Habits:
    """The behaviour of an enactment's players. Every default is chosen."""

    pace: float = 1.0  # 1 is real time; 2 is twice as fast, pauses included
    thinking_s: Range = (2.0, 10.0)  # the shortest and longest pause before a turn
    looseness: float = 1.0  # how inexactly pieces are placed; 1 is as people do, 0 is exact
    handful: int = 6  # most trains that a hand carries; a player's own number is drawn up to it
    # shares of the claims in which
    dropped: float = 0.06  # a train falls beside its space and is put right
    wrong_route: float = 0.05  # the first trains are placed on another lane or a neighbouring route
    bumped: float = 0.05  # a train of another route nearby is pushed
    undone: float = 0.03  # an unrelated route is claimed first, and withdrawn
    left_crooked: float = 0.4  # share of the pushed trains that are not put back
    pointing: float = 0.1  # share of the turns on which somebody points at the map
    over_border: float = 0.5  # share of card draws in which a hand reaches over the board's border
    nudged: float = 0.03  # share of the turns on which somebody pushes the board
    nudge_mm: float = 6.0  # the largest push, along each axis and in degrees
    nudge_deg: float = 2.0
    turned_around: float = 0.15  # share of the games in which the board is turned by 180 degrees
    things: float = 0.04  # share of the turns on which a cup, card or phone is put on the border
    lamp: float = 0.02  # share of the turns on which somebody switches a lamp
    light_drift: float = 0.08  # relative change of the light's strength; half of it of its colour


# No mistakes, no hands except those that place pieces, and constant light.
CALM = Habits(
    dropped=0.0,
    wrong_route=0.0,
    bumped=0.0,
    undone=0.0,
    left_crooked=0.0,
    pointing=0.0,
    over_border=0.0,
    nudged=0.0,
    turned_around=0.0,
    things=0.0,
    lamp=0.0,
    light_drift=0.0,
)

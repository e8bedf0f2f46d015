"""The scoreboard: the part of a standing that a display shows."""

from collections.abc import Collection
from dataclasses import dataclass
from math import inf

from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.paths.longest_path import longest_holders
from railspotter.scoring.points.standing import Standing
from railspotter.table.display_control import PiecesToLay

# What is to be laid is shown so long in place of the score, and then the score as long. Chosen:
# time to count, and far slower than what eyes must not see.
LAY_S = 2.0


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One player's line."""

    colour: Colour
    score: int = 0  # points so far; tickets that failed can bring it below 0
    trains_left: int = 45  # the stock, never below 0
    trains: int = 45  # the stock at the start
    has_longest_path: bool = False  # whether nobody's path is longer; several can have it
    # What somebody has to lay on the board for this player, the oldest claim first.
    to_lay: tuple[PiecesToLay, ...] = ()

    def laying_at(self, t_s: float) -> PiecesToLay | None:
        """Return what is to be laid next, while it is shown in place of the score.

        Examples
        --------
        >>> blue = PlayerScore("blue", to_lay=(PiecesToLay("blue", "Helena - Seattle", 6),))
        >>> [laying and laying.pieces for laying in map(blue.laying_at, (0.0, 1.9, 2.0, 4.0))]
        [6, 6, None, 6]
        """
        return self.to_lay[0] if self.to_lay and t_s % (2 * LAY_S) < LAY_S else None


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """What a display shows, in turn order."""

    players: tuple[PlayerScore, ...]
    is_last_turns: bool = False  # whether someone's stock is so low that everyone has one last turn
    claims: int = 0  # counts up with each claim, so that a display sees that there was one
    newest_claim: Colour | None = None  # whose claim is the newest; None where nobody can say
    # When the newest claim, and the last turns, came to the display, by its clock.
    claimed_s: float = -inf
    last_turns_s: float = -inf


def scoreboard_of(
    standing: Standing,
    edition: Edition,
    before: Scoreboard | None = None,
    claimants: Collection[Colour] = (),
    to_lay: Collection[PiecesToLay] = (),
) -> Scoreboard:
    """Return the scoreboard of a standing."""
    longest = longest_holders({player.colour: player.longest_path for player in standing.players})
    players = tuple(
        PlayerScore(
            player.colour,
            player.total,
            max(0, player.trains_left),
            edition.trains,
            has_longest_path=edition.longest_path_bonus > 0 and player.colour in longest.sure,
            to_lay=tuple(pieces for pieces in to_lay if pieces.colour == player.colour),
        )
        for player in standing.players
    )
    is_last_turns = any(player.trains_left <= edition.last_round_at for player in players)
    claims, newest = (before.claims, before.newest_claim) if before else (0, None)
    if before and claimants:
        claims, newest = claims + 1, next(iter(claimants)) if len(claimants) == 1 else None
    return Scoreboard(players, is_last_turns, claims, newest)

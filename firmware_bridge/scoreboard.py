"""The scoreboard: the part of a standing that a display shows, and its digits.

Digits are on modules of eight seven-segment digits (MAX7219). A module shows one player: the place
in turn order with a point for the longest path, the trains left, and the score. `2. 39 115` is the
second player, who has the longest path, 39 trains left and 115 points. Where there are fewer
modules than players they take turns. At the last turns all points are lit.

What somebody has to lay for a player takes turns with that line: `2 LAY  6` is six pieces,
fewer as they are seen there.
"""

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
DIGITS = 8
PAGE_S = 3.0  # A player is shown so long where several share a module. Chosen.
BLIND_S = 1.0  # dashes are shown so long, and then the score as long
POINT = 0x80
# The lit segments, as the MAX7219 wants them without its own decoder: point, a, b, ... g.
GLYPHS = {
    " ": 0x00, "-": 0x01, "0": 0x7E, "1": 0x30, "2": 0x6D, "3": 0x79, "4": 0x33, "5": 0x5B,
    "6": 0x5F, "7": 0x70, "8": 0x7F, "9": 0x7B, "A": 0x77, "L": 0x0E, "Y": 0x3B,
}  # fmt: skip


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


def digits(
    scoreboard: Scoreboard, modules: int, t_s: float, *, is_blind: bool = False
) -> tuple[bytes, ...]:
    """Return the lit segments of each module, leftmost digit first.

    While the table is blind to its board, dashes take turns with the score that was last.
    """
    players = len(scoreboard.players)
    if not players:
        return (bytes(DIGITS),) * modules
    if is_blind and t_s % (2 * BLIND_S) < BLIND_S:
        return (bytes([GLYPHS["-"]]) * DIGITS,) * min(modules, players) + (bytes(DIGITS),) * (
            modules - min(modules, players)
        )
    page = 0 if players <= modules else int(t_s / PAGE_S) * modules
    shown = []
    for module in range(modules):
        place = (page + module) % players if players > modules else page + module
        if place >= players:
            shown.append(bytes(DIGITS))
            continue
        segments = _line(place + 1, scoreboard.players[place], t_s)
        if scoreboard.is_last_turns:
            segments = bytes(segment | POINT for segment in segments)
        shown.append(segments)
    return tuple(shown)


def _line(place: int, player: PlayerScore, t_s: float) -> bytes:
    score = min(max(player.score, -999), 9999)
    text = f"{place % 10} {min(player.trains_left, 99):2}{score:4}"
    if laying := player.laying_at(t_s):
        text = f"{place % 10} LAY{min(laying.left, 99):3}"
    segments = bytearray(GLYPHS[letter] for letter in text)
    if player.has_longest_path:
        segments[0] |= POINT
    return bytes(segments)


def to_text(segments: bytes) -> str:
    """Decode a module's segments to text; unknown glyphs become `?`."""
    letters = {segment: letter for letter, segment in GLYPHS.items()}
    return "".join(
        letters.get(segment & ~POINT, "?") + ("." if segment & POINT else "")
        for segment in segments
    )

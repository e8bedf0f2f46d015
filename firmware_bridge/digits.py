"""Digits: a scoreboard on modules of eight seven-segment digits (MAX7219).

A module shows one player: the place in turn order with a point for the longest path, the trains
left, and the score. `2. 39 115` is the second player, who has the longest path, 39 trains left
and 115 points. Where there are fewer modules than players they take turns. At the last turns all
points are lit.

What somebody has to lay for a player takes turns with that line: `2 LAY  6` is six pieces,
fewer as they are seen there.
"""

from .scoreboard import PlayerScore, Scoreboard

DIGITS = 8
PAGE_S = 3.0  # A player is shown so long where several share a module. Chosen.
BLIND_S = 1.0  # dashes are shown so long, and then the score as long
POINT = 0x80
# The lit segments, as the MAX7219 wants them without its own decoder: point, a, b, ... g.
GLYPHS = {
    " ": 0x00, "-": 0x01, "0": 0x7E, "1": 0x30, "2": 0x6D, "3": 0x79, "4": 0x33, "5": 0x5B,
    "6": 0x5F, "7": 0x70, "8": 0x7F, "9": 0x7B, "A": 0x77, "L": 0x0E, "Y": 0x3B,
}  # fmt: skip


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

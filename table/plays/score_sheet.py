"""A score sheet on paper: who played, everyone's points, and where each of them comes from."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from textwrap import wrap

from railspotter.calibration.sheets import (
    LETTERS,
    PAPERS,
    Sheet,
    SheetLine,
    Words,
    to_pdf,
    width_of,
)
from railspotter.scoring import PlayerStanding
from railspotter.scoring.sentence import Sentence

from .play import SOURCE, Play, PlayPlayer, Say

SIZE_MM = PAPERS["a4"]
EDGE = 18.0
BOTTOM = SIZE_MM[1] - 20.0
COLUMNS = 2
GAP = 10.0
"""Between columns."""
WIDE = (SIZE_MM[0] - 2 * EDGE - (COLUMNS - 1) * GAP) / COLUMNS
"""Of a column, in millimetres."""
TEXT, STEP = 3.0, 4.4
"""Height of a line's letters, and from line to line, in millimetres."""
SOFT = 0.4
MOST_LETTERS = 100
"""Of a line of `TEXT` across the page."""

WINNER = Sentence("winner")
SO_FAR = Sentence("so far: the game is not over")
COLUMN_NAMES = (Sentence("routes"), Sentence("tickets"), Sentence("bonuses"), Sentence("total"))
SHOWN_ONLY = Sentence("Tickets that nobody has shown are not counted.")


def score_sheet(play: Play, say: Say = str) -> bytes:
    """Return the sheet as the content of a PDF file of A4 pages.

    Letters that its font has not are left without their accents, or become question marks; a name
    of such letters alone is that of the colour.

    Parameters
    ----------
    say : callable
        Says sentences in the language of the sheet.
    """
    title = printable(play.name) or play.title
    pages = [[*_head(play, title, say)]]
    top, column, y = 0.0, 0, 0.0
    y = _table_end(play)
    for line in wrap(printable(say(play.problem)), MOST_LETTERS):
        y += STEP
        pages[0].append(Words(EDGE, y, _cut(line, SIZE_MM[0] - 2 * EDGE, TEXT), TEXT))
    top = y = y + 10.0
    for player, score in _by_points(play):
        rows = [*_block(player, score, say)]
        high = STEP * (len(rows) - 1)
        if y + high > BOTTOM >= top + high:  # whole, where a column has room for it
            column, y = column + 1, top
        for left, right, is_head in rows:
            if y > BOTTOM:
                column, y = column + 1, top
            if column == COLUMNS:
                pages.append([])
                column, top = 0, EDGE + 6.0
                y = top
            pages[-1] += _row(EDGE + column * (WIDE + GAP), y, left, right, is_head)
            y += STEP
        y += STEP
    foot = SOURCE if play.is_of_cards else f"{say(SHOWN_ONLY)}  {SOURCE}"
    sheets = [
        Sheet(
            SIZE_MM,
            printable(title),
            (*items, Words(EDGE, SIZE_MM[1] - 10.0, printable(foot), 2.8, SOFT)),
        )
        for items in pages
    ]
    return to_pdf(*sheets)


def _by_points(play: Play) -> list[tuple[PlayPlayer, PlayerStanding]]:
    """Return everyone, the winners first and then by points."""
    return sorted(play.scores, key=lambda one: (not play.is_won_by(one[0]), -one[1].total))


def _table_end(play: Play) -> float:
    return EDGE + 22.0 + 7.0 * len(play.players)


def _head(play: Play, title: str, say: Say) -> Iterator[Words | SheetLine]:
    """Yield what stands above everyone's lines: what was played, and the points as a table."""
    about = [play.title] if play.title != title else []
    about.append(f"{play.at():%Y-%m-%d %H:%M}")
    if play.minutes:
        about.append(say(Sentence("{minutes} minutes", minutes=play.minutes)))
    if not play.is_over:
        about.append(say(SO_FAR))
    yield Words(EDGE, EDGE + 4.0, _cut(printable(title), 174.0, 7.0), 7.0)
    yield Words(EDGE, EDGE + 11.0, printable(", ".join(about)), 3.6, SOFT)
    rows = [(player, _points(score)) for player, score in _by_points(play)]
    # A column in which nobody has points is none of this game's; the last has them all.
    shown = [i for i in range(3) if any(points[i] for _, points in rows)] + [3]
    ends = {i: SIZE_MM[0] - EDGE - 24.0 * at for at, i in enumerate(reversed(shown))}
    y = EDGE + 20.0
    for i, end in ends.items():
        yield _to_the_left(printable(say(COLUMN_NAMES[i])), end, y, 3.0, SOFT)
    for player, points in rows:
        y += 7.0
        yield SheetLine(EDGE, y - 5.0, SIZE_MM[0] - EDGE, y - 5.0, 0.15, 0.6)
        name = _name(player, say)
        if play.is_won_by(player):
            name = f"{name} ({say(WINNER)})"
        yield Words(EDGE, y, _cut(printable(name), 84.0, 4.2), 4.2)
        for i, end in ends.items():
            yield _to_the_left(str(points[i]), end, y, 4.2)


def _points(score: PlayerStanding) -> tuple[int, int, int, int]:
    """Return the points as `COLUMN_NAMES` has them."""
    routes, tickets = score.route_points, score.ticket_points
    return routes, tickets, score.total - routes - tickets, score.total


def _block(player: PlayPlayer, score: PlayerStanding, say: Say) -> Iterator[tuple[str, str, bool]]:
    """Yield the lines of a player's points: text, number, and whether it is the heading."""
    yield _name(player, say), str(score.total), True
    for line in score.lines:
        yield say(line.what), f"{line.points:+d}" if line.points else "0", False


def _row(x: float, y: float, left: str, right: str, is_head: bool) -> list[Words | SheetLine]:
    size = TEXT + 0.6 if is_head else TEXT
    row: list[Words | SheetLine] = [
        Words(x, y, _cut(printable(left), WIDE - 8.0, size), size),
        _to_the_left(right, x + WIDE, y, size),
    ]
    if is_head:
        row.append(SheetLine(x, y + 1.2, x + WIDE, y + 1.2, 0.2, 0.4))
    return row


def _name(player: PlayPlayer, say: Say) -> str:
    """Return a name that can be printed, with the colour."""
    name, colour = player.called(say), say(player.colour)
    if not any(letter.isalnum() for letter in printable(name).replace("?", "")):
        name = PlayPlayer(player.colour).called(say)
    return name if name.casefold() == colour.casefold() else f"{name}, {colour}"


def _to_the_left(text: str, end: float, y: float, size: float, grey: float = 0.0) -> Words:
    """Return words whose last letter stands at `end`."""
    return Words(end - width_of(text, size), y, text, size, grey)


def _cut(text: str, wide: float, size: float) -> str:
    """Return as much of a text as there is room for."""
    if width_of(text, size) <= wide:
        return text
    return next(f"{text[:n]}…" for n in range(len(text), -1, -1) if _fits(text[:n], wide, size))


def _fits(text: str, wide: float, size: float) -> bool:
    return not text or width_of(f"{text}…", size) <= wide


def printable(text: str) -> str:
    """Return a text in the letters that the sheet's font has.

    Examples
    --------
    >>> printable("Łódź – Zürich"), printable("Dvořák"), printable("李")
    ('?ódz – Zürich', 'Dvorák', '?')
    """
    return "".join(_letters(unicodedata.normalize("NFC", text)))


def _letters(text: Iterable[str]) -> Iterator[str]:
    for one in text:
        plain = unicodedata.normalize("NFKD", one)
        for tried in (one, "".join(c for c in plain if not unicodedata.combining(c))):
            try:
                tried.encode(LETTERS)
            except UnicodeEncodeError:
                continue
            # Spaces, also of one width, but no line ends and signs that steer.
            yield tried if tried.isprintable() else " "
            break
        else:
            yield "?"

"""What a run over a board's photos showed, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from photos.judgement import JudgedPhoto
from photos.summary import Row, groups_of, summarise

HEADINGS = (
    *("group", "exposures", "files", "found"),
    *("corner mm", "p90", "max", "spaces %", "routes %", "all right", "wrong&certain", "doubts"),
    *("load s", "find s", "read s", "total s", "max s", "x decode"),
)

LEGEND = """\
Exposures are counted, not files: in each row a file weighs one over the number of its exposure's
files there, so that one exposure in three sizes counts once, by the mean of its files.
corner mm, p90, max: the worst corner's distance on the board, median and 90 % of exposures, and
the worst file; shoot-5, whose truth is coarser, is in its own row alone.
spaces %, routes %: of labelled routes that are not half filled, on photos that were found; a space
is read as its route is. all right: exposures with no wrong route.
wrong&certain, doubts: routes per photo. Wrong and certain is wrong and not asked about; doubts are
all that the players are asked, on half-filled and unlabelled routes too. Stations follow below.
find, read, total, max s: per file, from the decoded picture, warm; medians, and the slowest.
Decoding (load s) is apart. x decode: the total over OpenCV's decoding of the same file, timed just
before it: seconds differ with the machine and what else it does, this ratio less."""


@dataclass(frozen=True)
class BoardRun:
    """The photos of one board, read."""

    board: str
    reference: str  # the photo that the profile was made from; it is not among those read
    fitted: tuple[str, ...]  # the shoots that something in the reader was fitted to
    photos: tuple[JudgedPhoto, ...]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The table: a row for each group."""
        groups = groups_of(self.photos, self.fitted)
        return tuple(summarise(name, group) for name, group in groups.items())


def as_text(run: BoardRun) -> Iterator[str]:
    """Yield the lines that say how it went."""
    yield f"# {run.board}: profile from {run.reference}, which is left out of the count"
    if run.fitted:
        yield f"The cue weights were fitted to {', '.join(run.fitted)}: its rows, and those that"
        yield "count it in, are no held-out figures; the rows 'held out' leave it out."
    else:
        yield "The cue weights were fitted to none of these photos."
    yield ""
    yield from _aligned([HEADINGS, *(_cells(row) for row in run.rows)], words=1)
    yield ""
    yield from _remarks(run.photos)


def as_json(run: BoardRun) -> dict[str, Any]:
    """Return everything that was counted, and each photo."""
    return {
        "board": run.board,
        "reference": run.reference,
        "fitted_to": run.fitted,
        "rows": [asdict(row) for row in run.rows],
        "photos": [
            {
                "photo": p.photo.path.name,
                "exposure": p.photo.exposure,
                "shoot": p.photo.shoot,
                "state": p.photo.state,
                "size": p.photo.size_class,
                "found": p.reason is None,
                "reason": p.reason,
                "corner_mm": p.corner_mm,
                "answers": None if p.answers is None else asdict(p.answers),
                "stations": None if p.stations is None else asdict(p.stations),
                "trouble": [asdict(count) for count in p.trouble],
                "seconds": asdict(p.seconds) | {"total": p.seconds.total},
            }
            for p in run.photos
        ],
    }


def _cells(row: Row) -> tuple[str, ...]:
    corners, s = row.corners, row.seconds
    return (
        *(row.group, f"{row.exposures}", f"{row.files}", f"{row.found:g}"),
        *(
            (f"{corners.median:.2f}", f"{corners.p90:.2f}", f"{corners.most:.2f}")
            if corners
            else "---"
        ),
        *(f"{100 * row.spaces_right:.2f}", f"{100 * row.routes_right:.2f}", f"{row.all_right:.1f}"),
        *(f"{row.wrong_and_certain:.2f}", f"{row.doubts:.2f}"),
        *(f"{seconds:.2f}" for seconds in (s.load, s.find, s.read, s.total, s.most)),
        f"{s.ratio:.0f}",
    )


def _aligned(lines: Sequence[Sequence[str]], words: int) -> Iterator[str]:
    """Yield lines of cells under one another: first words, to the left, then numbers."""
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            cell.ljust(width) if column < words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _remarks(photos: Sequence[JudgedPhoto]) -> Iterator[str]:
    """Yield what no row of the table says; files are counted here."""
    judged = [(p.photo, p.answers) for p in photos if p.answers is not None]
    empty = [answers for photo, answers in judged if photo.is_blank]
    false = [wrong for answers in empty for wrong in answers.wrong]
    half, half_doubted, unlabelled = (
        sum(getattr(answers, name) for _, answers in judged)
        for name in ("half_filled", "half_filled_doubted", "unlabelled")
    )
    yield "## In files"
    yield (
        f"False claims on empty boards: {len(false)} on {len(empty)},"
        f" {sum(wrong.doubted for wrong in false)} of them doubted"
    )
    yield f"Half-filled routes, left out of the count: {half}, {half_doubted} of them doubted"
    yield f"Routes without a label, left out of the count: {unlabelled}"
    yield from _stations(photos)
    yield from _trouble(photos)
    for p in photos:
        if p.reason is not None:
            yield f"Not found: {p.photo.path.name}: {p.reason}"
    wrong = [(photo, wrong) for photo, answers in judged for wrong in answers.wrong]
    yield f"Wrong routes: {len(wrong)}"
    yield from _aligned(
        [
            (
                f"  {photo.path.name}",
                route.route,
                f"said {route.said or 'free'}, is {route.truth or 'free'}",
                "doubted" if route.doubted else "CERTAIN",
            )
            for photo, route in wrong
        ],
        words=4,
    )


def _trouble(photos: Sequence[JudgedPhoto]) -> Iterator[str]:
    """Yield how the routes of every kind of trouble were read."""
    numbers = ("routes", "wrong", "wrong_and_certain", "doubted")
    sums: dict[str, list[int]] = {}
    for count in (count for photo in photos for count in photo.trouble):
        so_far = sums.setdefault(count.kind, [0] * len(numbers))
        sums[count.kind] = [
            had + getattr(count, name) for had, name in zip(so_far, numbers, strict=True)
        ]
    lines = [("  " + kind, *map(str, values)) for kind, values in sums.items()]
    yield from _aligned([("Routes in trouble", "routes", "wrong", "certain", "doubted"), *lines], 1)


def _stations(photos: Sequence[JudgedPhoto]) -> Iterator[str]:
    """Yield how stations were read, where the game has them and somebody labelled them."""
    judged = [(p.photo, p.stations) for p in photos if p.stations is not None]
    if not judged:
        return

    def sum_of(name: str) -> int:
        return sum(getattr(answers, name) for _, answers in judged)

    yield (
        f"Stations on {len(judged)} photos: {sum_of('right')} of {sum_of('stations')} right,"
        f" {sum_of('missed')} missed, {sum_of('invented')} invented,"
        f" {sum_of('wrong_colour')} of a wrong colour; {sum_of('doubts')} doubts"
    )
    yield from _aligned(
        [
            (
                f"  {photo.path.name}",
                wrong.place,
                f"said {wrong.said or 'none'}, is {wrong.truth or 'none'}",
                "doubted" if wrong.doubted else "CERTAIN",
            )
            for photo, answers in judged
            for wrong in answers.wrong
        ],
        words=4,
    )

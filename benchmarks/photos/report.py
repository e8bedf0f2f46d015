"""The results of a board's photos, as text and as JSON."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from photos.judgement import Answers, JudgedPhoto, Wrong
from photos.labelled import COARSE_SHOOTS, LabelledPhoto

LEGEND = """\
Exposures are counted, not files: in each row a file weighs one over the number of its exposure's
files there, so that one exposure in three sizes counts once, by the mean of its files.
corner mm, p90, max: the worst corner's distance on the board, median and 90 % of exposures, and
the worst file; shoot-5, whose truth is coarser, is in its own row alone.
routes %: of labelled routes that are not half filled, on photos that were found.
all right: exposures with no wrong route.
wrong&certain, doubts: routes per photo. Wrong and certain is wrong and not asked about; doubts are
all that the players are asked, on half-filled and unlabelled routes too. Stations follow below.
find, read, total, max s: per file, from the decoded picture, warm; medians, and the slowest.
Decoding (load s) is apart. x decode: the total over OpenCV's decoding of the same file, timed just
before it: seconds differ with the machine and what else it does, this ratio less."""


@dataclass(frozen=True)
class BoardRun:
    """The results of one board's photos."""

    board: str
    reference: str  # the photo that the profile was made from; it is not among those read
    fitted: tuple[str, ...]  # the shoots that something in the reader was fitted to
    photos: tuple[JudgedPhoto, ...]

    def rows(self) -> list[dict[str, str]]:
        """Return the table: each group's values by heading."""
        groups = group_photos(self.photos, self.fitted)
        return [summarise(name, group) for name, group in groups.items()]


def group_photos(
    photos: Sequence[JudgedPhoto], fitted: Collection[str]
) -> dict[str, list[JudgedPhoto]]:
    """Return the groups that have a row in the table, by name, without empty ones."""

    def held_out(photo: LabelledPhoto) -> bool:
        return photo.shoot not in fitted

    filters: dict[str, Callable[[LabelledPhoto], bool]] = {
        "all": lambda photo: True,
        "occupied": lambda photo: not photo.is_blank,
        "blank": lambda photo: photo.is_blank,
        "held out": held_out,
        "held out, occupied": lambda photo: held_out(photo) and not photo.is_blank,
    }
    groups = {name: [p for p in photos if test(p.photo)] for name, test in filters.items()}
    for photo in sorted(photos, key=lambda p: p.photo.shoot):
        name = photo.photo.shoot if held_out(photo.photo) else f"{photo.photo.shoot} (fitted)"
        groups.setdefault(name, []).append(photo)
    for photo in sorted(photos, key=lambda p: p.photo.state):
        if photo.photo.state:
            groups.setdefault(f"state {photo.photo.state}", []).append(photo)
    for photo in sorted(photos, key=lambda p: max(p.photo.truth["size_px"])):
        groups.setdefault(f"size {photo.photo.size_class}", []).append(photo)
    return {name: group for name, group in groups.items() if group}


def summarise(group: str, photos: Sequence[JudgedPhoto]) -> dict[str, str]:
    """Return the row of a group, by heading."""
    files = Counter(p.photo.exposure for p in photos)
    judged = [(p.answers, 1 / files[p.photo.exposure]) for p in photos if p.answers is not None]
    found = sum(weight for _, weight in judged)

    def sum_of(count: Callable[[Answers], float]) -> float:
        return sum(weight * count(answers) for answers, weight in judged)

    def median(of: Callable[[JudgedPhoto], float]) -> str:
        return f"{np.median([of(p) for p in photos]):.2f}"

    per_photo, routes = max(found, 1e-9), max(sum_of(lambda a: a.routes), 1e-9)
    return {
        "group": group,
        "exposures": f"{len(files)}",
        "files": f"{len(photos)}",
        "found": f"{found:g}",
        **_corner_errors(photos),
        "routes %": f"{100 * sum_of(lambda a: a.routes_right) / routes:.2f}",
        "all right": f"{sum_of(lambda a: not a.wrong):.1f}",
        "wrong&certain": f"{sum_of(lambda a: a.wrong_and_certain) / per_photo:.2f}",
        "doubts": f"{sum_of(lambda a: a.doubts) / per_photo:.2f}",
        "load s": median(lambda p: p.seconds.load),
        "find s": median(lambda p: p.seconds.find),
        "read s": median(lambda p: p.seconds.read),
        "total s": median(lambda p: p.seconds.total),
        "max s": f"{max(p.seconds.total for p in photos):.2f}",
        "x decode": f"{np.median([p.seconds.total / p.seconds.yardstick for p in photos]):.0f}",
    }


def _corner_errors(photos: Sequence[JudgedPhoto]) -> dict[str, str]:
    """Return the corner errors of exposures, each the mean over its files."""
    fine = [p for p in photos if p.photo.shoot not in COARSE_SHOOTS] or photos
    by_exposure: dict[str, list[float]] = defaultdict(list)
    for p in fine:
        if p.corner_mm is not None:
            by_exposure[p.photo.exposure].append(p.corner_mm)
    means = [float(np.mean(errors)) for errors in by_exposure.values()]
    figures = ["-"] * 3
    if means:
        most = max(max(errors) for errors in by_exposure.values())
        figures = [f"{mm:.2f}" for mm in (np.median(means), np.percentile(means, 90), most)]
    return dict(zip(("corner mm", "p90", "max"), figures, strict=True))


def as_text(run: BoardRun) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"# {run.board}: profile from {run.reference}, which is left out of the count"
    if run.fitted:
        yield f"The cue weights were fitted to {', '.join(run.fitted)}: its rows, and those that"
        yield "count it in, are no held-out figures; the rows 'held out' leave it out."
    else:
        yield "The cue weights were fitted to none of these photos."
    rows = run.rows()
    yield ""
    yield from _align([[*rows[0]], *([*row.values()] for row in rows)])
    yield ""
    yield "## In files"
    judged = [(p.photo, p.answers) for p in run.photos if p.answers is not None]
    empty = [answers for photo, answers in judged if photo.is_blank]
    false = [wrong for answers in empty for wrong in answers.wrong]
    doubted = sum(wrong.doubted for wrong in false)
    yield f"False claims on empty boards: {len(false)} on {len(empty)}, {doubted} of them doubted"
    yield from _station_lines(run.photos)
    for p in run.photos:
        if p.reason is not None:
            yield f"Not found: {p.photo.path.name}: {p.reason}"
    wrong = [(photo, wrong) for photo, answers in judged for wrong in answers.wrong]
    yield f"Wrong routes: {len(wrong)}"
    yield from _wrong_lines(wrong)


def as_json(run: BoardRun) -> dict[str, Any]:
    """Return all results, and each photo's."""
    return {
        "board": run.board,
        "reference": run.reference,
        "fitted_to": run.fitted,
        "rows": run.rows(),
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
                "answers": p.answers and asdict(p.answers),
                "stations": p.stations and asdict(p.stations),
                "seconds": asdict(p.seconds) | {"total": p.seconds.total},
            }
            for p in run.photos
        ],
    }


def _align(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows with aligned columns, the first to the left, numbers to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    for first, *others in lines:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells])


def _wrong_lines(wrong: Sequence[tuple[LabelledPhoto, Wrong]]) -> Iterator[str]:
    for photo, one in wrong:
        said = f"said {one.said or 'free'}, is {one.truth or 'free'}"
        certainty = "doubted" if one.doubted else "CERTAIN"
        yield f"  {photo.path.name:24} {one.at:34} {said:26} {certainty}"


def _station_lines(photos: Sequence[JudgedPhoto]) -> Iterator[str]:
    """Yield the results of stations, if the game has them and there are labels."""
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
    yield from _wrong_lines(
        [(photo, wrong) for photo, answers in judged for wrong in answers.wrong]
    )

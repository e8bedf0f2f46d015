"""What docs/guide-camera.md tells of heights, pixels and limits is what follows from the boards."""

import math
import re

import pytest
from house.project import ROOT
from railspotter.calibration.profiles import quality
from railspotter.scoring.board import load_board

GUIDE = (ROOT / "docs" / "guide-camera.md").read_text("utf-8")
ROOM = 1.08  # the board and 4 % of it on each side


def rows(first_cell: str) -> list[list[str]]:
    """Return the rows of the tables whose first cell looks like that."""
    found = re.findall(rf"^\| ({first_cell}) \|(.*)\|$", GUIDE, re.MULTILINE)
    return [[first, *(cell.strip() for cell in rest.split("|"))] for first, rest in found]


def field_mm(board: str, aspect: float) -> float:
    """How much of the table a picture's longer side has to show."""
    long, short = sorted(load_board(board).size_mm, reverse=True)
    return ROOM * max(long, short * aspect)


def test_heights_follow_from_fields_of_view() -> None:
    table = rows(r"\d+°")
    assert len(table) == 7
    for degrees, _, *heights in table:
        reach = 2 * math.tan(math.radians(int(degrees[:-1])) / 2)
        places = [
            (boards, aspect)
            for boards in (("usa", "europe"), ("newyork",))
            for aspect in (16 / 9, 4 / 3)
        ]
        for (boards, aspect), told in zip(places, heights, strict=True):
            most = max(field_mm(board, aspect) for board in boards)
            assert int(told.removesuffix(" cm")) == round(most / reach / 10), (degrees, boards)


def test_pixels_follow_from_pictures() -> None:
    table = rows(r"\d+ x \d+")
    assert len(table) == 4
    for size, *told in table:
        width, height = map(int, size.split(" x "))
        for boards, value in zip((("usa", "europe"), ("newyork",)), told, strict=True):
            most = max(field_mm(board, width / height) for board in boards)
            assert float(value) == pytest.approx(width / most, abs=0.051)


def test_limits_are_those_of_the_verdict() -> None:
    limits = {
        "pixels to the millimetre, at the coarsest corner": (quality.FINE_PX_PER_MM, "{:g}"),
        "how far edges are smeared": (quality.BLUR_MM, "{:g} mm"),
        "of the piece of the board with most glare, a hand's size": (quality.GLARE, "{:.0%}"),
        "angle from straight above": (quality.TILT_DEG, "{:.0f}°"),
    }
    for name, (limit, form) in limits.items():
        ((_, good, usable),) = rows(re.escape(name))
        assert [good.replace(" %", "%"), usable.replace(" %", "%")] == [
            form.format(limit.good),
            form.format(limit.usable),
        ]
    ((_, good, usable),) = rows(re.escape("lightness of the board (0 black, 100 white)"))
    assert good == f"{quality.DARK.good:.0f} to {quality.LIGHT.good:.0f}"
    assert usable == f"{quality.DARK.usable:.0f} to {quality.LIGHT.usable:.0f}"

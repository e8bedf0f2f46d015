"""The printed sheets: a reader of PDF and a browser show what the program then finds."""

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from marker_scenes import card_from_board
from railspotter.calibration.finding.markers import detect_markers, marker_corners_mm
from railspotter.calibration.sheets.lens_sheet import SQUARE_MM, detect_sheet, lens_sheet
from railspotter.calibration.sheets.marker_sheet import MARGIN_MM, cards_on_page, marker_sheet
from railspotter.calibration.sheets.sheet import (
    PAPERS,
    Box,
    Sheet,
    SheetLine,
    Words,
    to_pdf,
    to_svg,
)

DPI = 127
PX_PER_MM = DPI / 25.4
SIZE = (795.0, 525.0)


def printed(sheet: Sheet, folder: Path) -> npt.NDArray[np.uint8]:
    """The page as poppler draws it, 5 pixels to the millimetre."""
    reader = shutil.which("pdftoppm")
    if reader is None:
        pytest.skip("pdftoppm is not here (poppler-utils)")
    (folder / "sheet.pdf").write_bytes(to_pdf(sheet))
    words = [reader, "-png", "-r", str(DPI), "-singlefile", "sheet.pdf", "page"]
    said = subprocess.run(words, cwd=folder, capture_output=True, timeout=60, check=True)
    assert said.stderr == b"", "the reader complains about nothing"
    page = cv2.imread(str(folder / "page.png"))
    assert page is not None
    return np.asarray(page, np.uint8)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_printed_markers_lie_where_their_cards_say(paper: str, tmp_path: Path) -> None:
    page = printed(marker_sheet(paper), tmp_path)
    width, height = PAPERS[paper]
    assert page.shape[:2] == pytest.approx((height * PX_PER_MM, width * PX_PER_MM), abs=2)
    seen = detect_markers(page)
    assert sorted(one.corner for one in seen) == [0, 1, 2, 3]
    for one in seen:
        card = np.array(cards_on_page(paper)[one.corner])
        expected = marker_corners_mm(SIZE)[one.corner] + card_from_board(one.corner, SIZE) + card
        assert (one.corners_px + 0.5) / PX_PER_MM == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_line_to_be_measured_is_100_mm(paper: str, tmp_path: Path) -> None:
    dark = printed(marker_sheet(paper), tmp_path)[:, :, 0] < 128
    above = round(cards_on_page(paper)[0][1] * PX_PER_MM) - 5
    longest = 0
    for row in dark[:above]:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row, [0]])))
        longest = max([longest, *np.diff(edges)[::2].tolist()])
    assert longest / PX_PER_MM == pytest.approx(100, abs=0.5)


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_is_printed_where_printers_do_not_reach(paper: str, tmp_path: Path) -> None:
    for sheet in (marker_sheet(paper, "USA"), lens_sheet(paper)):
        inked = printed(sheet, tmp_path).min(axis=2) < 200
        rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
        width, height = PAPERS[paper]
        least = min(rows[0], columns[0]) / PX_PER_MM
        most = (width - columns[-1] / PX_PER_MM, height - rows[-1] / PX_PER_MM)
        assert min(least, *most) > MARGIN_MM - 1
        assert min(least, *most) > 6


@pytest.mark.parametrize("paper", PAPERS)
def test_every_corner_of_the_lens_sheet_is_seen(paper: str, tmp_path: Path) -> None:
    seen = detect_sheet(printed(lens_sheet(paper), tmp_path))
    assert seen is not None
    at_mm, at_px = seen
    assert len(at_mm) == 6 * 9
    shift = (at_px + 0.5) / PX_PER_MM - at_mm
    assert np.ptp(shift, axis=0).max() < 0.15
    assert np.unique(at_mm[:, 0]).tolist() == pytest.approx([SQUARE_MM * i for i in range(1, 7)])


@pytest.mark.parametrize("sheet", [marker_sheet("a4"), lens_sheet("letter")])
def test_the_table_of_a_pdf_says_where_its_objects_begin(sheet: Sheet) -> None:
    """Readers that do not rebuild it show nothing otherwise (ISO 32000-1, 7.5.4)."""
    pdf = to_pdf(sheet)
    table_at = int(pdf.rpartition(b"startxref\n")[2].split()[0])
    head, _, *entries = pdf[table_at:].partition(b"trailer")[0].splitlines()
    assert head == b"xref"
    starts = [int(entry[:10]) for entry in entries if entry.endswith(b" n ")]
    objects = [b"%d 0 obj" % number for number in range(1, len(starts) + 1)]
    assert [pdf[at:].splitlines()[0] for at in starts] == objects
    assert len(starts) == pdf.count(b"endobj")


def test_svg_says_the_same_as_pdf() -> None:
    sheet = marker_sheet("a4", "Ticket & <board>")
    root = ElementTree.fromstring(to_svg(sheet))
    assert (root.get("width"), root.get("height")) == ("210.0mm", "297.0mm")
    kinds = {"rect": Box, "line": SheetLine, "text": Words}
    tags = [child.tag.rpartition("}")[2] for child in root]
    for tag, kind in kinds.items():
        count = sum(isinstance(item, kind) for item in sheet.items)
        assert tags.count(tag) == count + (tag == "rect"), "and the paper"
    texts = [child.text for child in root if child.tag.endswith("text")]
    assert "Railspotter: corner markers for Ticket & <board>" in texts

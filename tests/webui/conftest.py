"""A browser, a table that it looks at, patience with pages, and a result to show."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser_driver import chromium
from dealt_tables import dealt_table
from phones import Table, table
from playwright.sync_api import Browser, Playwright, expect
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.readings import Doubt
from railspotter.webui.served_pages import ServedPage
from table_pages import PATIENCE_MS

CLAIMS = {
    "helena--seattle": "blue",
    "denver--helena": "blue",
    "chicago--toronto": "red",
    "portland--seattle--0": "red",
}


@pytest.fixture(scope="session", autouse=True)
def _patient_expectations() -> None:
    """Let what is expected of a page come late: that costs time only where it never comes."""
    expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session", autouse=True)
def _few_threads() -> Iterator[None]:
    """Begin fewer threads for each table than an evening's phones need: that takes a while."""
    with pytest.MonkeyPatch.context() as patch:
        usual = ServedPage.__init__.__kwdefaults__
        assert usual is not None
        patch.setitem(usual, "threads", 40)
        yield


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # By another name than localhost a page is, as on a phone, no "secure context".
    with chromium(playwright, "--host-resolver-rules=MAP table.local 127.0.0.1") as browser:
        yield browser


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path) as running:
        yield running


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[Table]:
    """A table whose cards are on phones."""
    with dealt_table(tmp_path) as running:
        yield running


@pytest.fixture
def scored() -> ScoredPhoto:
    """A photo with blue and red trains, and one doubt."""
    usa, rules = load_board("usa"), load_edition("usa")
    alternatives = (None, "black")
    return ScoredPhoto(
        photo="evening <1>.jpg",
        board=usa,
        edition=rules,
        colours=rules.colours,
        corners_px=((0, 0), (9, 0), (9, 9), (0, 9)),
        held=spots_of("route", CLAIMS),
        doubts=(
            Doubt(
                Spot("route", "portland--seattle--0"),
                "red",
                alternatives,
                Sentence("glare lies over it"),
            ),
        ),
        notes=(Sentence("the light is strongly coloured"),),
        seconds=0.84,
        annotated=np.full((20, 30, 3), 128, np.uint8),
    )

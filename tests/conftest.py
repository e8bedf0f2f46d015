"""What every test gets: clean surroundings, a home of its own, and the photos where they are."""

import gc
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import cv2  # noqa: F401  # here, because its import changes LD_LIBRARY_PATH
import drawn
import numpy as np
import pytest
from browser_driver import started_driver
from examples import register_profiles
from house.project import ROOT
from house.surroundings import Surroundings
from kept_readings import kept_searches
from playwright.sync_api import Playwright
from railspotter.table.home import ProfileStore
from railspotter.table.memory import release_free_memory
from railspotter.table.photo_file import save_picture

register_profiles()

BROWSERS = {"browser"}  # fixtures that start Chromium

# Who runs the tests in the background has Ctrl-C ignored, and programs that tests start inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave browsers to `make test-all`, but for the journeys through the pages.

    What the pages show and may is tested without one, in tests/webui/api and tests/webui/feed.
    """
    for item in items:
        needs_browser = BROWSERS & set(getattr(item, "fixturenames", ()))
        if needs_browser and not item.get_closest_marker("journey"):
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is collected, and stays to the end, out of every later search for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def _leaves_nothing_behind() -> Iterator[None]:
    """Fail a test that leaves a thread running, another directory or another environment."""
    before = Surroundings.now()
    yield
    left = before.changes(patience_s=2.0)
    assert not left, "the test left behind: " + "; ".join(left)


@pytest.fixture(scope="module", autouse=True)
def _gives_memory_back() -> Iterator[None]:
    """Sweep up boards: they and what is computed of them hold each other.

    What is still there stays, as what was collected does: it is not searched again.
    """
    yield
    release_free_memory()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _pictures_are_searched_once() -> Iterator[None]:
    """Let tests that show the same picture share what is found in it."""
    with kept_searches():
        yield


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives browsers, once for all: it takes longer to start than many a test."""
    with started_driver() as playwright:
        yield playwright


@pytest.fixture(scope="session", autouse=True)
def _never_the_real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the profiles of whoever runs the tests out of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAILSPOTTER_HOME", str(tmp_path_factory.mktemp("nobody")))
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that the program takes for the user's data directory."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("RAILSPOTTER_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def photos() -> Path:
    """The photos of real boards, which are never part of the project."""
    folder = ROOT.parent / "shared" / "photos"
    if not folder.is_dir():
        pytest.skip("the photos are not here (../shared/photos)")
    return folder


@pytest.fixture(scope="session")
def cases() -> Path:
    """The inputs of public bug reports, which are never part of the project."""
    folder = ROOT.parent / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip("the cases are not here (../shared/cases)")
    return folder


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of photos of the drawn board, and of files that are none."""
    folder = tmp_path_factory.mktemp("pictures")
    game = drawn.game().picture
    save_picture(folder / "empty.png", drawn.drawing())
    save_picture(folder / "game.jpg", game)
    save_picture(folder / "strip.jpg", np.ascontiguousarray(game[:, : game.shape[1] * 3 // 10]))
    save_picture(folder / "nothing.jpg", drawn.texture((300, 400)))
    save_picture(folder / "dark.jpg", np.full((300, 400, 3), 9, np.uint8))
    save_picture(folder / "tiny.png", game[:1, :1])
    (folder / "cut.jpg").write_bytes((folder / "game.jpg").read_bytes()[:20_000])
    (folder / "letter.jpg").write_text("Dear Railspotter")
    return folder


@pytest.fixture
def calibrated(home: Path) -> Path:
    """A home in which the drawn board has been calibrated."""
    ProfileStore(home).save(drawn.profile())
    return home

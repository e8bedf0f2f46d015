"""Files that a player hands to the command."""

from __future__ import annotations

from pathlib import Path

import drawn
import numpy as np
import pytest
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import save_picture


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of photos of the drawn board, and of files that are none."""
    folder = tmp_path_factory.mktemp("pictures")
    game = drawn.game().picture
    save_picture(folder / "empty.png", drawn.drawing())
    save_picture(folder / "game.jpg", game)
    save_picture(folder / "half.jpg", np.ascontiguousarray(game[:, : game.shape[1] // 2]))
    save_picture(folder / "nothing.jpg", drawn.texture((300, 400)))
    save_picture(folder / "tiny.png", game[:1, :1])
    (folder / "cut.jpg").write_bytes((folder / "game.jpg").read_bytes()[:20_000])
    (folder / "letter.jpg").write_text("Dear Railspotter")
    return folder


@pytest.fixture
def calibrated(home: Path) -> Path:
    """A home in which the drawn board has been calibrated."""
    ProfileStore(home).save(drawn.profile())
    return home

"""`railspotter serve`: what it does with photos, before and behind the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import drawn
import pytest
from railspotter.cli.command import main
from railspotter.cli.commands import serve
from railspotter.table.errors import UnrecognisedError
from railspotter.table.home import ProfileStore
from railspotter.table.photos import PhotoScorer, ScoredPhoto
from railspotter.webui import create_app


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the pages that were served would have photos scored with."""
    scoring: list[Any] = []

    def serve_page(score: Any, *_: object, **__: object) -> None:
        scoring.append(score)

    monkeypatch.setattr(serve, "serve_page", serve_page)
    return scoring


def test_without_a_board_the_photo_says_which_it_is(
    calibrated: Path, pictures: Path, pages: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve"]) == 0
    assert capsys.readouterr().err == ""
    (score,) = pages
    photo: ScoredPhoto = score((pictures / "game.jpg").read_bytes(), "game.jpg")
    assert (photo.board.id, photo.claims) == ("usa", drawn.CLAIMS)

    nothing = pictures / "nothing.jpg"
    with pytest.raises(UnrecognisedError, match="no board was recognised"):
        score(nothing.read_bytes(), "nothing.jpg")
    phone = create_app(score).test_client()
    with nothing.open("rb") as file:
        said = phone.post("/", data={"photo": (file, "nothing.jpg")})
    assert said.status_code == 422
    assert "No board was recognised" in said.text


def test_a_board_that_is_named_is_looked_for_at_once(
    home: Path, pages: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--board", "newyork"]) == 0
    assert "railspotter calibrate PHOTO --board newyork" in capsys.readouterr().err


def test_what_reads_photos_is_prepared_once(
    monkeypatch: pytest.MonkeyPatch, home: Path, pages: list[Any]
) -> None:
    used: list[PhotoScorer] = []
    monkeypatch.setattr(serve, "score_files", lambda scorer, files: used.append(scorer()))
    assert main(["serve", "--board", "usa"]) == 0
    (score,) = pages
    for _photo in range(2):
        score(b"", "photo.jpg")
    ProfileStore(home).save(drawn.profile())
    for _photo in range(2):
        score(b"", "photo.jpg")
    assert [scorer.is_by_numbers for scorer in used] == [True, True, False, False]
    assert used[0] is used[1]
    assert used[2] is used[3]

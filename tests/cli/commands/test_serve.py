"""`railspotter serve`: what it does with photos, before and behind the page."""

from collections.abc import Callable
from pathlib import Path

import drawn
import msgspec
import pytest
from railspotter.cli.command import main
from railspotter.cli.commands import serve
from railspotter.scoring.board import load_board
from railspotter.table.boards.own_boards import OwnBoards
from railspotter.table.errors import BoardNotRecognisedError
from railspotter.table.home import ProfileStore
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.photos.score import ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.app import create_app
from railspotter.webui.sessions.photo_queue import PhotoReading

Page = Callable[[PhotoReading], None]


class Used:
    """A page that is used by who waits for its server's end."""

    def __init__(self, page: Page, reading: PhotoReading) -> None:
        self._page, self._reading, self.server = page, reading, self

    def __enter__(self) -> "Used":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def wait(self) -> None:
        self._page(self._reading)


@pytest.fixture
def while_served(monkeypatch: pytest.MonkeyPatch) -> Callable[[Page], None]:
    """Let somebody use what photos are scored with, while the page is served."""

    def use(page: Page) -> None:
        monkeypatch.setattr(serve, "PhotosPage", lambda home, options, reading: Used(page, reading))

    return use


@pytest.mark.long
def test_without_a_board_the_photo_says_which_it_is(
    calibrated: Path,
    pictures: Path,
    while_served: Callable[[Page], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    def page(reading: PhotoReading) -> None:
        photo = reading.score([((pictures / "game.jpg").read_bytes(), "game.jpg")])
        assert (photo.board.id, photo.claims) == ("usa", drawn.CLAIMS)

        nothing = pictures / "nothing.jpg"
        with pytest.raises(BoardNotRecognisedError, match="no board was recognised"):
            reading.score([(nothing.read_bytes(), "nothing.jpg")])
        phone = create_app(reading).test_client()
        with nothing.open("rb") as file:
            said = phone.post("/", data={"photo": (file, "nothing.jpg")})
        assert said.status_code == 422
        assert "No board was recognised" in said.text
        assert '<option value="newyork">' in said.text, "it is asked which board it is, and where"

    while_served(page)
    assert main(["serve"]) == 0
    assert capsys.readouterr().err == ""


def test_a_board_that_is_named_is_looked_for_at_once(
    home: Path, while_served: Callable[[Page], None], capsys: pytest.CaptureFixture[str]
) -> None:
    while_served(lambda reading: None)
    mine = msgspec.structs.replace(load_board("newyork"), id="my-map")
    OwnBoards(home).save(mine)
    assert main(["serve", "--board", "my-map", "--edition", "newyork"]) == 0
    assert not capsys.readouterr().err
    OwnBoards(home).save(msgspec.structs.replace(mine, id="by-nobody", measured=False))
    assert main(["serve", "--board", "by-nobody", "--edition", "newyork"]) == 0
    assert "the board 'by-nobody' was not measured yet" in capsys.readouterr().err


def test_what_reads_photos_is_prepared_once(
    monkeypatch: pytest.MonkeyPatch, home: Path, while_served: Callable[[Page], None]
) -> None:
    used: list[ReadingPlan] = []

    def score(_: PhotoReader, plan: ReadingPlan, *_photos: object) -> ScoredPhoto:
        used.append(plan)
        return ScoredPhoto("photo.jpg", plan.board, plan.edition)

    monkeypatch.setattr(PhotoReader, "score", score)

    def page(reading: PhotoReading) -> None:
        for _photo in range(2):
            reading.score([(b"", "photo.jpg")])
        ProfileStore(home).save(drawn.profile())
        for _photo in range(2):
            reading.score([(b"", "photo.jpg")])

    while_served(page)
    assert main(["serve", "--board", "usa"]) == 0
    assert [plan.profile.is_drawn for plan in used] == [True, True, False, False]
    assert used[0] is used[1]
    assert used[2] is used[3]

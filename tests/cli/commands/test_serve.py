"""`railspotter serve`: a table at rest, and what photos that are sent to it are read by."""

import argparse
import io
from pathlib import Path

import drawn
import msgspec
import pytest
from railspotter.cli.command import main
from railspotter.cli.table_photos import TablePhotos, any_photo
from railspotter.scoring.board import load_board
from railspotter.table.boards.own_boards import OwnBoards
from railspotter.table.errors import BoardNotRecognisedError
from railspotter.table.home import ProfileStore
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.photos.score import ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from resting_pages import photo_app


@pytest.mark.long
def test_without_a_board_the_photo_says_which_it_is(calibrated: Path, pictures: Path) -> None:
    with PhotoReader() as reader:
        reading = TablePhotos(any_photo(), reader, lambda: None).reading()
        photo = reading.score([((pictures / "game.jpg").read_bytes(), "game.jpg")])
        assert (photo.board.id, photo.claims) == ("usa", drawn.CLAIMS)

        nothing = pictures / "nothing.jpg"
        with pytest.raises(BoardNotRecognisedError, match="no board was recognised"):
            reading.score([(nothing.read_bytes(), "nothing.jpg")])
        phone = photo_app(reading).test_client()
        with nothing.open("rb") as file:
            said = phone.post("/api/v1/photos", data={"photo": (file, "nothing.jpg")})
        assert said.status_code == 422
        assert "No board was recognised" in said.text
        assert "newyork" in said.get_json()["boards"], "it is asked which board it is, and where"


def test_a_board_that_is_named_is_looked_for_at_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def served(*arguments: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        assert main(["serve", "--port", "0", *arguments]) == 0
        out = capsys.readouterr()
        assert "the page is at http://127.0.0.1:" in out.out
        return out.err

    mine = msgspec.structs.replace(load_board("newyork"), id="my-map")
    OwnBoards(home).save(mine)
    assert not served()
    assert not served("--board", "my-map", "--edition", "newyork")
    OwnBoards(home).save(msgspec.structs.replace(mine, id="by-nobody", measured=False))
    said = served("--board", "by-nobody", "--edition", "newyork")
    assert "the board 'by-nobody' was not measured yet" in said


def test_what_reads_photos_is_prepared_once(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    used: list[ReadingPlan] = []

    def score(_: PhotoReader, plan: ReadingPlan, *_photos: object) -> ScoredPhoto:
        used.append(plan)
        return ScoredPhoto("photo.jpg", plan.board, plan.edition)

    monkeypatch.setattr(PhotoReader, "score", score)
    args = argparse.Namespace(**{**vars(any_photo()), "board": "usa"})
    with PhotoReader() as reader:
        reading = TablePhotos(args, reader, lambda: None).reading()
        assert reading.boards() == {}
        for _photo in range(2):
            reading.score([(b"", "photo.jpg")])
        ProfileStore(home).save(drawn.profile())
        for _photo in range(2):
            reading.score([(b"", "photo.jpg")])
    assert [plan.profile.is_drawn for plan in used] == [True, True, False, False]
    assert used[0] is used[1]
    assert used[2] is used[3]

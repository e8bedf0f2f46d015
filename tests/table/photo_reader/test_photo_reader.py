"""Photos read in a process of its own: what comes back is what was read, whatever befalls it."""

import io
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import drawn
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from phone_photos import phone_photo
from PIL import ExifTags, Image
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.table.boards.board_choice import RecognisedBoard
from railspotter.table.errors import BoardNotRecognisedError, PhotoError, TableError
from railspotter.table.photo_file import PLAIN_PX, load_photo, parse_photo, plain_photo
from railspotter.table.photo_reader import messages, process, reader
from railspotter.table.photo_reader.messages import Request
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.decoding import ENOUGH_PX
from railspotter.vision.heif import heif_kind
from waiting import until

DIES = "import sys; sys.stdin.buffer.read(8); sys.exit(1)"
SLEEPS = "import sys, time; sys.stdin.buffer.read(8); time.sleep(60)"
SLEPT = Sentence("it was read")
NO_PHOTO = [(b"a photo", "photo.jpg")]
# What reads photos, which does something else.
DOES_ELSE = (
    "import time; from railspotter.table.photo_reader import process;"
    " said = process.messages.Refusal(process.Sentence('it was read'), is_of_photo=True);"
    " process.Reading._answer = lambda *_: ({}, said)[1]; process.main()"
)
WITH_LITTLE_MEMORY = (
    "from railspotter.table.photo_reader import process; process.MOST_EXTRA_BYTES = 48 << 20;"
    " process.main()"
)


@pytest.fixture
def plan() -> ReadingPlan:
    return ReadingPlan(load_board("usa"), load_edition("usa"), drawn.profile())


@pytest.fixture
def photos_read() -> Iterator[PhotoReader]:
    with PhotoReader() as reader:
        yield reader


def the_file(folder: Path, name: str) -> list[tuple[bytes, str]]:
    return [((folder / name).read_bytes(), name)]


def refused(photos: PhotoReader) -> None:
    """Have something read, which takes no time."""
    with pytest.raises(PhotoError, match="not a picture"):
        photos.board_in(NO_PHOTO)


def as_read_here(plan: ReadingPlan, files: list[tuple[bytes, str]]) -> ScoredPhoto:
    pictures = [(name, parse_photo(content, ENOUGH_PX, as_stored=True)) for content, name in files]
    return PhotoScorer(plan).score(pictures)


def turned(photo: Path) -> bytes:
    """A photo that says that it is to be turned."""
    file, exif = io.BytesIO(), Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    Image.open(photo).save(file, "JPEG", quality=95, exif=exif)
    return file.getvalue()


def test_a_photo_is_read_there_as_here_and_as_it_is_stored(
    photos_read: PhotoReader, plan: ReadingPlan, pictures: Path
) -> None:
    plan = replace(plan, colours=("red", "blue", "green"))
    photo = turned(pictures / "game.jpg")
    files = [(photo, "turned.jpg"), *the_file(pictures, "strip.jpg")]
    here, there = as_read_here(plan, files), photos_read.score(plan, files)
    assert there.claims
    for name in ScoredPhoto.__struct_fields__:
        one, other = getattr(here, name), getattr(there, name)
        if name == "annotated":
            np.testing.assert_array_equal(one, other)
        elif name == "crops":
            assert not one, "they are made where a photo begins a game"
            assert {*there.held} <= {*other} | {*there.unseen}
        elif name != "seconds":
            assert other == one, name
    for doubt in there.doubts:
        assert doubt.why.template
    reasons = [(part.reason.template, part.reason.values) for part in here.parts if part.reason]
    assert reasons == [(p.reason.template, p.reason.values) for p in there.parts if p.reason]
    assert there.corners_px is not None
    assert drawn.corner_error_mm(drawn.game().frame_from_board, there.corners_px).max() < 1.0
    upright = parse_photo(photos_read.upright_photo(photo), as_stored=True)
    assert upright.shape == drawn.game().picture.swapaxes(0, 1).shape


def test_what_cannot_be_read_and_by_what_plan_none_can_is_told_each_time(
    calibrated: Path, photos_read: PhotoReader, plan: ReadingPlan, pictures: Path
) -> None:
    with pytest.raises(PhotoError, match="damaged or cut short"):
        photos_read.score(plan, the_file(pictures, "cut.jpg"))
    with pytest.raises(BoardNotRecognisedError, match="too dark"):
        photos_read.board_in(the_file(pictures, "dark.jpg"))
    assert photos_read.board_in(the_file(pictures, "game.jpg")) == RecognisedBoard("usa")
    wrong = replace(plan, board=load_board("europe"))
    for _ in range(2):
        with pytest.raises(TableError, match="is of the board 'usa'") as unusable:
            photos_read.score(wrong, the_file(pictures, "game.jpg"))
        assert not isinstance(unusable.value, PhotoError)
    assert photos_read.score(plan, the_file(pictures, "game.jpg")).claims == drawn.CLAIMS


@pytest.mark.parametrize(
    ("program", "said"),
    [
        pytest.param(DIES, reader.CRASHED, id="it dies"),
        pytest.param(SLEEPS, reader.NO_TIME, id="it hangs"),
        pytest.param(
            DOES_ELSE.format("all(iter(int, 1) for _ in iter(int, 1))"),
            reader.TOO_SLOW.filled(most="1"),
            id="it takes too long",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit"),
        ),
    ],
)
def test_a_photo_that_ends_its_process_ends_nothing_else(
    monkeypatch: pytest.MonkeyPatch, program: str, said: Sentence
) -> None:
    monkeypatch.setattr(reader, "RUN", program)
    timeout_s = 0.3 if program == SLEEPS else reader.TIMEOUT_S  # what others leave is slow
    with PhotoReader(1.0, timeout_s=timeout_s) as photos, pytest.raises(PhotoError) as told:
        photos.board_in(NO_PHOTO)
    assert told.value.sentence == said


def test_time_that_others_have_is_no_photos(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "RUN", DOES_ELSE.format("time.sleep(1.5)"))
    with PhotoReader(0.5) as photos, pytest.raises(PhotoError) as told:
        photos.board_in(NO_PHOTO)
    assert told.value.sentence == SLEPT


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a limit")
def test_a_photo_has_so_much_memory_and_the_next_one_is_read(
    monkeypatch: pytest.MonkeyPatch, plan: ReadingPlan, pictures: Path
) -> None:
    photo = the_file(pictures, "game.jpg")
    with PhotoReader() as photos:
        with monkeypatch.context() as patch:
            patch.setattr(reader, "RUN", WITH_LITTLE_MEMORY)
            with pytest.raises(PhotoError) as told:
                photos.score(plan, photo)
        assert told.value.sentence in (process.TOO_LARGE, reader.CRASHED)
        assert photos.upright_photo(photo[0][0])


def test_what_a_library_says_of_memory_is_told_of_the_photo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def decode(content: bytes) -> None:
        error = cv2.error("Insufficient memory")
        error.code = cv2.Error.STS_NO_MEM
        raise error

    monkeypatch.setattr(process, "check_photo", decode)
    with pytest.raises(MemoryError):
        process.Reading(print).answer(Request("board", ("photo.jpg",), 1.0), [b"a photo"])


def test_the_process_ends_when_nobody_sends_photos() -> None:
    with PhotoReader(idle_s=0.1) as photos:
        refused(photos)
        until(lambda: photos._process is None)
        refused(photos)


def test_the_process_ends_after_many_photos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_ANSWERS", 2)
    with PhotoReader() as photos:
        refused(photos)
        assert photos._process is not None
        refused(photos)
        assert photos._process is None


def test_the_end_waits_for_no_photo(monkeypatch: pytest.MonkeyPatch, plan: ReadingPlan) -> None:
    monkeypatch.setattr(reader, "RUN", SLEEPS)
    told: list[TableError] = []

    def send() -> None:
        try:
            photos.score(plan, [(b"a photo", "photo.jpg")])
        except TableError as error:
            told.append(error)

    photos = PhotoReader()
    sender = threading.Thread(target=send)
    sender.start()
    until(lambda: photos._process is not None)
    began_s = time.monotonic()
    photos.close()
    assert time.monotonic() - began_s < 30.0, "it sleeps for 60"
    sender.join()
    assert told


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are no numbers there")
def test_only_beside_a_game_it_gives_way_to_others() -> None:
    with PhotoReader() as photos:
        for gives_way in (False, True, False):
            photos.gives_way = gives_way
            refused(photos)
            assert photos._process is not None
            priority = os.getpriority(os.PRIO_PROCESS, photos._process._process.pid)
            own = os.getpriority(os.PRIO_PROCESS, 0)
            assert (priority > own) == gives_way


def test_without_a_program_it_is_said(monkeypatch: pytest.MonkeyPatch, plan: ReadingPlan) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with PhotoReader() as photos, pytest.raises(TableError, match="cannot be read: No such file"):
        photos.score(plan, [(b"a photo", "photo.jpg")])


def test_an_answer_to_something_else_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a photo made of its process may say anything."""
    program = (
        "import sys; from railspotter.table.photo_reader.messages import *;"
        " send(sys.stdout.buffer, PlainPhoto(b''))"
    )
    monkeypatch.setattr(reader, "RUN", program)
    with PhotoReader() as photos, pytest.raises(PhotoError, match="ended over it"):
        photos.board_in(NO_PHOTO)


def test_a_phones_photo_is_unpacked_there_and_comes_back_as_a_jpeg(pictures: Path) -> None:
    heic = phone_photo(load_photo(pictures / "game.jpg"), "HEIC")
    with PhotoReader() as reader:
        jpeg = reader.plain_photo(heic)
        with pytest.raises(PhotoError, match="damaged or cut short"):
            reader.plain_photo(heic[: len(heic) // 2])
    assert heif_kind(jpeg) is None
    difference = parse_photo(jpeg).astype(int) - parse_photo(heic)
    assert np.abs(difference).mean() < 3


def test_a_plain_photo_needs_no_process() -> None:
    with PhotoReader() as reader:
        assert reader.plain_photo(b"\xff\xd8 a JPEG") == b"\xff\xd8 a JPEG"
        assert reader._process is None


def test_a_large_photo_is_brought_down() -> None:
    large = np.full((1800, PLAIN_PX + 400, 3), 90, np.uint8)
    assert parse_photo(plain_photo(phone_photo(large, "AVIF"))).shape == (1636, PLAIN_PX, 3)


@pytest.mark.parametrize("template", ["{x:>9999999999}", "{x.__class__}", "{y}", "{"])
def test_a_process_that_a_photo_took_over_says_nothing_but_its_values(template: str) -> None:
    pipe = io.BytesIO()
    said = {"type": "refusal", "reason": [template, {"x": "a"}], "is_of_photo": True}
    content = msgspec.msgpack.encode(said)
    pipe.write(messages.LENGTH.pack(len(content)) + content)
    pipe.seek(0)
    with pytest.raises(msgspec.MsgspecError):
        messages.receive(pipe, messages.Answer)

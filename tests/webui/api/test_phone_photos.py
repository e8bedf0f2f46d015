"""HEIC and AVIF photos that phones send to make a board, or as the camera."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from phone_photos import phone_photo
from phones import table, until
from railspotter.table.errors import PhotoError
from railspotter.table.photo_file import Files, parse_photo
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.heif import heif_kind
from railspotter.webui.errors import BusyError
from railspotter.webui.sessions.photo_queue import MOST_WAITING, PhotoQueue

JPEG = b"\xff\xd8 a JPEG"


def unread(photos: Files) -> ScoredPhoto:
    raise AssertionError(photos)


def test_a_board_is_made_from_a_phones_photo(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        host = running.host()
        said = {"title": "Toy", "width_mm": 300, "height_mm": 300}
        draft = host.post("/board-drafts", said).json["id"]
        photo = phone_photo(np.full((600, 800, 3), 120, np.uint8), "HEIC")
        path, octets = f"/board-drafts/{draft}/photo", "application/octet-stream"
        assert host.ask("PUT", path, photo, Content_Type=octets).status == 200
        kept = host.ask("GET", path).content
        assert heif_kind(kept) is None
        assert parse_photo(kept).shape == (600, 800, 3)
        torn = host.ask("PUT", path, photo[:300], Content_Type=octets)
        assert (torn.status, torn.json["error"]["code"]) == (400, "wrong")


def test_a_photo_that_is_sent_again_and_again_is_made_plain_once() -> None:
    asked = []

    def plain(content: bytes) -> bytes:
        asked.append(content)
        if b"torn" in content:
            raise PhotoError("the picture is damaged")
        return JPEG

    desk = PhotoQueue(unread, plain=plain)
    assert desk.plain(JPEG) == JPEG
    assert asked == []
    heic = b"\0\0\0\x14ftypheic\0\0\0\0heic"
    assert [desk.plain(heic) for _ in range(3)] == [JPEG] * 3
    assert asked == [heic]
    with pytest.raises(PhotoError):
        desk.plain(heic + b"torn")
    assert desk.plain(heic) == JPEG
    assert len(asked) == 2


class Waiting:
    """A desk whose reader waits, and photos that are sent to it one after the other."""

    def __init__(self) -> None:
        self.read, self.go_on = list[bytes](), threading.Event()
        self.desk = PhotoQueue(unread, plain=self._plain)
        self.phones: list[threading.Thread] = []

    def _plain(self, content: bytes) -> bytes:
        self.go_on.wait(10.0)
        self.read.append(content)
        return JPEG

    def send(self, photo: bytes) -> None:
        before = len(self.desk._line)
        self.phones.append(threading.Thread(target=self.desk.plain, args=(photo,)))
        self.phones[-1].start()
        until(lambda: len(self.desk._line) > before)

    def finish(self) -> None:
        self.go_on.set()
        for phone in self.phones:
            phone.join()


PHOTOS = [b"\0\0\0\x14ftypheic\0\0\0\0heic%d" % number for number in range(MOST_WAITING + 2)]


def test_photos_are_read_in_the_order_in_which_they_came_and_the_last_hears_how_many() -> None:
    at = Waiting()
    try:
        for photo in PHOTOS[:-1]:
            at.send(photo)
        with pytest.raises(BusyError, match="20 photos are before yours: send it again") as told:
            at.desk.plain(PHOTOS[-1])
        assert told.value.sentence.values == {"n": 20}
    finally:
        at.finish()
    assert at.read == PHOTOS[:-1]
    assert at.desk.plain(PHOTOS[-1]) == JPEG

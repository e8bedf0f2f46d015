"""HEIC and AVIF photos that phones send to make a board, or as the camera."""

from pathlib import Path

import numpy as np
import pytest
from phone_photos import phone_photo
from phones import table
from railspotter.table.errors import PhotoError
from railspotter.table.photo_file import Files, parse_photo
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.heif import heif_kind
from railspotter.webui.sessions.photo_queue import PhotoQueue, PhotoReading

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

    desk = PhotoQueue(PhotoReading(unread, plain))
    assert desk.plain(JPEG) == JPEG
    assert asked == []
    heic = b"\0\0\0\x14ftypheic\0\0\0\0heic"
    assert [desk.plain(heic) for _ in range(3)] == [JPEG] * 3
    assert asked == [heic]
    with pytest.raises(PhotoError):
        desk.plain(heic + b"torn")
    assert desk.plain(heic) == JPEG
    assert len(asked) == 2

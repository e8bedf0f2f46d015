"""Photos of tickets: read for who sends them, kept nowhere, told to nobody else."""

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from phones import Answer, Phone, Table
from photo_tables import form_of, ticket_table
from railspotter.table.photo_file import to_jpeg
from railspotter.vision.words import nets
from ticket_pictures import picture_of_tickets

needs_nets = pytest.mark.skipif(
    not (nets.FOLDER / "nets.json").exists(), reason="this build could not fetch the nets of words"
)
TICKETS = (("Seattle", "New York", 22), ("Denver", "El Paso", 4), ("Dallas", "New York", 11))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with ticket_table(tmp_path) as running:
        yield running


def send(phone: Phone, photo: bytes, path: str = "/hand/photo") -> Answer:
    body, media_type = form_of(photo)
    return phone.post(path, body, Content_Type=media_type)


@needs_nets
def test_what_lies_in_a_photo_is_told_and_nothing_is_kept(running: Table) -> None:
    host, ann = running.host(), running.player("ann")
    photo = to_jpeg(picture_of_tickets(TICKETS))
    before = host.get("/state").json["number"]
    answer = send(ann, photo)
    assert answer.status == 200, answer.content
    seen = {(one["a"], one["b"], one["points"]) for one in answer.json["tickets"]}
    assert seen == {
        ("new-york", "seattle", 22),
        ("denver", "el-paso", 4),
        ("dallas", "new-york", 11),
    }
    assert answer.json["doubts"] == []
    for one in answer.json["tickets"]:
        crop = cv2.imdecode(np.frombuffer(b64decode(one["crop"]), np.uint8), cv2.IMREAD_COLOR)
        assert crop is not None
        assert crop.shape[1] > 3 * crop.shape[0], "its names"
    assert ann.get("/hand").json["tickets"] == []
    assert host.get("/state").json["number"] == before
    # The host's phone reads those of who has none, and nobody else does.
    path = "/players/cleo/hand/photo"
    assert len(send(host, photo, path).json["tickets"]) == 3
    assert send(ann, photo, path).status == 403
    assert send(host, photo, "/players/ann/hand/photo").refusal == (409, "taken")
    assert send(running.joined(), photo).status == 403


@needs_nets
def test_half_a_ticket_is_a_doubt_and_other_words_are_none(running: Table) -> None:
    ann = running.player("ann")
    whole = picture_of_tickets(TICKETS[:1])
    half = whole.copy()
    half[60:120, 380:660] = (60, 70, 80)  # a thumb lies on New York
    (doubt,) = send(ann, to_jpeg(half)).json["doubts"]
    assert doubt["why"].endswith(".")
    assert ["new-york", "seattle"] in [[one["a"], one["b"]] for one in doubt["likeliest"]]
    words = np.full((900, 1200, 3), 235, np.uint8)
    for line, text in enumerate(("Soup of the day", "Bread and butter", "Two coffees")):
        at = (120, 240 + 180 * line)
        cv2.putText(words, text, at, cv2.FONT_HERSHEY_DUPLEX, 2.2, (20, 20, 20), 3, cv2.LINE_AA)
    assert send(ann, to_jpeg(words)).json == {"tickets": [], "doubts": []}


def test_what_is_no_photo_gets_a_sentence(running: Table) -> None:
    ann = running.player("ann")
    for bad in (b"", b"GIF89a nothing", to_jpeg(picture_of_tickets(TICKETS))[:4000]):
        answer = send(ann, bad)
        assert answer.refusal[0] == 400, answer.content
    assert ann.get("/hand").json["tickets"] == []

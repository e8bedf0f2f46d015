"""The protocol between the program and its photo-reading process.

Messages are MessagePack with a length prefix; a request is followed by the photos' files. Nothing
is pickled: a malicious photo may have taken over the process, and its answers must be harmless.
"""

import struct
from collections.abc import Sequence
from typing import Any, BinaryIO, Literal, get_args

import msgspec
import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Edition
from railspotter.scoring.sentence import Sentence, plain_of, sentence_of

from ..photos.score import ReadingPlan
from ..photos.scored_photo import ScoredPhoto
from ..ticket_photos.reading import SeenTickets

LENGTH = struct.Struct(">Q")
MOST_ANSWER_BYTES = 2**26  # a picture of the largest board takes half
MOST_REQUEST_BYTES = 2**28  # the largest reference takes 90 MB
Wanted = Literal["score", "board", "tickets", "plain", "upright"]
Step = Literal["board", "routes"]  # what is looked for, or read, of a photo that is scored
Corners = tuple[tuple[float, float], ...]  # x, y in a photo: top left, then clockwise


class Rules(msgspec.Struct, frozen=True):
    """The board and the edition whose tickets are looked for."""

    board: Board
    edition: Edition


class Request(msgspec.Struct, frozen=True):
    """A request about photos, whose files follow."""

    # The score of one board, the board's id, tickets, the first photo as JPEG (`plain`), upright.
    wanted: Wanted
    names: tuple[str, ...]  # of the photos
    most_s: float  # the limit of CPU time, after which the process is killed
    plan: ReadingPlan | None = None  # for this and later scores; None for the previous one
    corners_px: Corners | None = None  # the board's corners in the photo, as set by the user
    rules: Rules | None = None  # of tickets


class ShownBoard(msgspec.Struct, frozen=True, tag="board"):
    """The id of the board in photos; None if none is recognised."""

    board: str | None
    said: Sentence  # why none is, or that another one is in the picture too; may be empty


class PlainPhoto(msgspec.Struct, frozen=True, tag="plain"):
    """A photo as a JPEG."""

    jpeg: bytes


class Refusal(msgspec.Struct, frozen=True, tag="refusal"):
    """Why photos were not read."""

    reason: Sentence
    is_of_photo: bool  # whether the photo is at fault
    is_last: bool = False  # whether the process ends after it


class Told(msgspec.Struct, frozen=True, tag="told"):
    """What a photo is read for from now on; its answer follows."""

    step: Step


Answer = ScoredPhoto | ShownBoard | SeenTickets | PlainPhoto | Refusal | Told


def send(pipe: BinaryIO, message: msgspec.Struct, files: Sequence[bytes] = ()) -> None:
    """Write a message and files."""
    for part in (msgspec.msgpack.encode(message, enc_hook=_plain_of), *files):
        pipe.write(LENGTH.pack(len(part)))
        pipe.write(part)
    pipe.flush()


def receive(pipe: BinaryIO, kind: Any, most: int = MOST_ANSWER_BYTES) -> Any:
    """Read and decode the next message."""
    return msgspec.msgpack.decode(receive_file(pipe, most), type=kind, dec_hook=_value_of)


def receive_file(pipe: BinaryIO, most: int = MOST_ANSWER_BYTES) -> bytes:
    """Read the next block of bytes; raises `EOFError` at the end, or above `most` bytes."""
    head = pipe.read(LENGTH.size)
    length = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else most + 1
    content = pipe.read(length) if length <= most else b""
    if len(content) < length:
        raise EOFError
    return content


def _plain_of(value: object) -> object:
    """Encode types that msgspec does not know (`enc_hook`)."""
    if isinstance(value, Sentence):
        return plain_of(value)
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, np.generic):
        return value.item()
    return str(value)  # a sentence's value, which is only ever shown


def _value_of(kind: Any, plain: Any) -> Any:
    """Decode a sentence or an array (`dec_hook`)."""
    if kind is Sentence:
        return sentence_of(plain)
    (shape, content), (_, dtype) = plain, get_args(kind)
    return np.frombuffer(content, *get_args(dtype)).reshape(shape).copy()

"""What the program and the process that reads its photos say to each other.

Each says messages in turn: a number of bytes, and the bytes. Requests are followed by the photos'
files, as they were sent. Nothing is pickled: what comes back may be made by whoever sent a photo
that a decoder could not stand, and can say no more than what is written here.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, BinaryIO, Literal, get_args

import msgspec
import numpy as np
from railspotter.scoring.sentence import Sentence

from ..photos.score import ReadingPlan
from ..photos.scored_photo import ScoredPhoto

LENGTH = struct.Struct(">Q")
MOST_SAID = 2**26  # bytes of an answer: a picture of the largest board takes half
MOST_ASKED = 2**28  # bytes of a request, which the program makes: the largest reference takes 90 MB
TEMPLATE, VALUES = "template", "values"
Wanted = Literal["score", "board", "plain", "upright"]
Corners = tuple[tuple[float, float], ...]  # x, y in a photo: top left, then clockwise


class Request(msgspec.Struct, frozen=True):
    """What is to be done with photos."""

    # The score of one board; which board they show; the first as a JPEG, or as people look at it.
    wanted: Wanted
    names: tuple[str, ...]  # what the photos are called, whose files follow
    most_s: float  # the processor time that it may take; then the process is ended
    plan: ReadingPlan | None = None  # what scores are read by from now on; None for as before
    corners_px: Corners | None = None  # where a person says that the board lies in the photo


class ShownBoard(msgspec.Struct, frozen=True, tag="board"):
    """The id of the board that photos show; None where none is recognised, with the reason."""

    board: str | None
    reason: Sentence | None = None


class PlainPhoto(msgspec.Struct, frozen=True, tag="plain"):
    """A photo as a JPEG."""

    jpeg: bytes


class Refusal(msgspec.Struct, frozen=True, tag="refusal"):
    """Why photos are not read."""

    reason: Sentence
    is_of_photo: bool  # whether that is their own fault
    is_last: bool = False  # whether the process ends over it


Answer = ScoredPhoto | ShownBoard | PlainPhoto | Refusal


def send(pipe: BinaryIO, message: msgspec.Struct, files: Sequence[bytes] = ()) -> None:
    """Say something, and pass files on."""
    for part in (msgspec.msgpack.encode(message, enc_hook=_plain_of), *files):
        pipe.write(LENGTH.pack(len(part)))
        pipe.write(part)
    pipe.flush()


def receive(pipe: BinaryIO, kind: Any, most: int = MOST_SAID) -> Any:
    """Return the next message."""
    return msgspec.msgpack.decode(receive_file(pipe, most), type=kind, dec_hook=_value_of)


def receive_file(pipe: BinaryIO, most: int = MOST_SAID) -> bytes:
    """Return the next file's bytes; raises `EOFError` when there are none, or more than `most`."""
    head = pipe.read(LENGTH.size)
    length = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else most + 1
    content = pipe.read(length) if length <= most else b""
    if len(content) < length:
        raise EOFError
    return content


def _plain_of(value: object) -> object:
    """Return what msgspec does not know in another form."""
    if isinstance(value, Sentence):
        return {TEMPLATE: str.__str__(value.template), VALUES: dict(value.values)}
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, np.generic):
        return value.item()
    return str(value)  # a value in a sentence, which is only ever said


def _value_of(kind: Any, plain: Any) -> Any:
    """Return a sentence or an array again."""
    if kind is Sentence:
        return _sentence(plain)
    (shape, content), (_, dtype) = plain, get_args(kind)
    return np.frombuffer(content, *get_args(dtype)).reshape(shape).copy()


def _sentence(plain: Any) -> Any:
    """Return a sentence, with those among its values."""
    if isinstance(plain, dict) and plain.keys() == {TEMPLATE, VALUES}:
        values = {name: _sentence(value) for name, value in plain[VALUES].items()}
        return Sentence(plain[TEMPLATE], **values)
    return plain

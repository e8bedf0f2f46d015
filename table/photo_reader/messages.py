"""What the program and the process that reads its photos say to each other.

Each says messages in turn: a number of bytes, and the bytes. Requests are followed by the photos'
files, as they were sent. Nothing is pickled: what comes back may be made by whoever sent a photo
that a decoder could not stand, and can say no more than what is written here.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Literal

import msgspec
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.profile_file import from_bytes, to_bytes
from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt, MarkerReading

from ..photos.photo_score import PhotoScorer
from ..photos.scored_photo import PhotoPart, ScoredPhoto, photo_standing

LENGTH = struct.Struct(">Q")
MOST_SAID = 2**26  # bytes of an answer: a picture of the largest board takes half
Wanted = Literal["score", "board", "plain"]
TEMPLATE, VALUES = "template", "values"


@dataclass(frozen=True, eq=False)
class ReadingPlan:
    """What photos are read by: the parameters of a `PhotoScorer`."""

    board: Board
    edition: Edition
    profile: Profile
    # The players' colours; without them, all of the edition's.
    colours: tuple[Colour, ...] | None = None
    with_markers: bool = True  # whether score markers are looked for on the track

    def scorer(self) -> PhotoScorer:
        """Prepare what scores photos by it; errors are those of `PhotoScorer`."""
        return PhotoScorer(
            self.board, self.edition, self.profile, self.colours, with_markers=self.with_markers
        )

    def is_like(self, other: ReadingPlan | None) -> bool:
        """Tell whether another plan is the same."""
        return (
            other is not None
            and self.profile is other.profile
            and (self.board, self.edition, self.colours, self.with_markers)
            == (other.board, other.edition, other.colours, other.with_markers)
        )


class PlanText(msgspec.Struct, frozen=True):
    """A reading plan, as it is sent."""

    board: Board
    edition: Edition
    profile: bytes  # the content of its file
    is_drawn: bool  # of the profile, whose file does not say it
    colours: tuple[Colour, ...] | None
    with_markers: bool = True

    @classmethod
    def of(cls, plan: ReadingPlan) -> PlanText:
        """Write a plan down."""
        profile = plan.profile
        return cls(
            plan.board,
            plan.edition,
            to_bytes(profile),
            profile.is_drawn,
            plan.colours,
            plan.with_markers,
        )

    def plan(self) -> ReadingPlan:
        """Return the plan again."""
        profile = replace(from_bytes(self.profile), is_drawn=self.is_drawn)
        return ReadingPlan(self.board, self.edition, profile, self.colours, self.with_markers)


class Request(msgspec.Struct, frozen=True):
    """What is to be done with photos."""

    wanted: Wanted  # the score of one board; which board they show; the first as a JPEG
    names: tuple[str, ...]  # what the photos are called, whose files follow
    most_s: float  # the processor time that it may take; then the process is ended
    plan: PlanText | None = None  # what scores are read by from now on; without one, as before


class ReadPhoto(msgspec.Struct, frozen=True, tag="photo"):
    """A scored photo but for its board and edition, which the program has."""

    photo: str
    reason: Sentence | None
    corners_px: tuple[tuple[float, float], ...] | None
    held: dict[Spot, Colour]
    doubts: tuple[Doubt, ...]
    notes: tuple[Sentence, ...]
    profile: str | None
    colours: tuple[Colour, ...]  # whose standing there is; empty where there is none
    seconds: float
    annotated: tuple[tuple[int, int, int], bytes] | None
    parts: tuple[PhotoPart, ...]
    seen_pins: dict[RouteId, int]
    uncounted: dict[Colour, int]
    markers: dict[Colour, MarkerReading]

    @classmethod
    def of(cls, photo: ScoredPhoto) -> ReadPhoto:
        """Write a photo down that nobody has answered questions about yet."""
        return cls(
            photo=photo.photo,
            reason=photo.reason,
            corners_px=photo.corners_px,
            held=dict(photo.held),
            doubts=photo.doubts,
            notes=photo.notes,
            profile=photo.profile,
            colours=tuple(p.colour for p in photo.standing.players) if photo.standing else (),
            seconds=photo.seconds,
            annotated=_pixels(photo.annotated),
            parts=photo.parts,
            seen_pins=dict(photo.seen_pins),
            uncounted=dict(photo.uncounted),
            markers=dict(photo.markers),
        )

    def scored(self, board: Board, edition: Edition) -> ScoredPhoto:
        """Return the photo again."""
        standing = photo_standing(edition, board, self.colours, self.held)
        return ScoredPhoto(
            self.photo,
            board,
            edition,
            reason=self.reason,
            corners_px=self.corners_px,
            held=self.held,
            doubts=self.doubts,
            notes=self.notes,
            profile=self.profile,
            standing=standing if self.colours else None,
            seconds=self.seconds,
            annotated=self.picture(),
            parts=self.parts,
            seen_pins=self.seen_pins,
            uncounted=self.uncounted,
            markers=self.markers,
        )

    def picture(self) -> Picture | None:
        """Return the annotated picture."""
        if self.annotated is None:
            return None
        shape, content = self.annotated
        return np.frombuffer(content, np.uint8).reshape(shape)


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


Answer = ReadPhoto | ShownBoard | PlainPhoto | Refusal


def send(pipe: BinaryIO, message: msgspec.Struct, files: Sequence[bytes] = ()) -> None:
    """Say something, and pass files on."""
    for part in (msgspec.msgpack.encode(message, enc_hook=_text), *files):
        pipe.write(LENGTH.pack(len(part)))
        pipe.write(part)
    pipe.flush()


def receive(pipe: BinaryIO, kind: Any, most: int = MOST_SAID) -> Any:
    """Return the next message."""
    return msgspec.msgpack.decode(receive_file(pipe, most), type=kind, dec_hook=_value)


def receive_file(pipe: BinaryIO, most: int = MOST_SAID) -> bytes:
    """Return the next file's bytes; raises `EOFError` when there are none, or more than `most`."""
    head = pipe.read(LENGTH.size)
    length = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else most + 1
    content = pipe.read(length) if length <= most else b""
    if len(content) < length:
        raise EOFError
    return content


def _pixels(picture: Picture | None) -> tuple[tuple[int, int, int], bytes] | None:
    if picture is None:
        return None
    height, width, channels = picture.shape
    return (height, width, channels), picture.tobytes()


def _text(value: object) -> object:
    """Return what msgspec knows no text for in another form."""
    if isinstance(value, Sentence):
        return {TEMPLATE: str.__str__(value.template), VALUES: dict(value.values)}
    if isinstance(value, np.generic):
        return value.item()
    return str(value)  # a value in a sentence, which is only ever said


def _value(kind: type, text: Any) -> Any:
    if kind is not Sentence:
        raise NotImplementedError(kind)
    return _sentence(text)


def _sentence(text: Any) -> Any:
    """Return a sentence, with those among its values."""
    if isinstance(text, dict) and text.keys() == {TEMPLATE, VALUES}:
        values = {name: _sentence(value) for name, value in text[VALUES].items()}
        return Sentence(text[TEMPLATE], **values)
    return text

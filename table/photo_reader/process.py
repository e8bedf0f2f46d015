"""The main program of the photo-reading process: requests on standard input, answers on output.

It has limits on CPU time and (on Linux) memory.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO

import cv2
from railspotter.calibration.errors import CalibrationError
from railspotter.calibration.pose import NotFound
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.sentence import Sentence
from railspotter.vision.decoding import ENOUGH_PX
from railspotter.vision.errors import VisionError

from ..boards.board_choice import recognise_board
from ..errors import PhotoError, TableError
from ..home import ProfileStore, home
from ..memory import configure_malloc, release_free_memory
from ..photo_file import check_photo, parse_photo, plain_photo, upright_photo
from ..photos.score import PhotoScorer
from ..system_process import limit_memory, limit_processor_time
from ..ticket_photos.deck import ticket_deck_of
from ..ticket_photos.reading import read_tickets
from . import messages

MOST_EXTRA_BYTES = 2**30  # of memory for one request, beyond what the process has before
TOO_LARGE = Sentence("the photo takes more memory than there is for one; send a smaller one")


class Reading:
    """Handles requests; the scorer of the last plan is cached."""

    def __init__(self, tell: Callable[[messages.Told], None]) -> None:
        self._scorer: PhotoScorer | None = None
        self._tell = tell

    def answer(self, request: messages.Request, files: Sequence[bytes]) -> messages.Answer:
        """Handle a request; raises `MemoryError`."""
        try:
            if request.plan is not None:
                self._scorer = None  # freed before making another one: it is large
                self._scorer = PhotoScorer(request.plan)
            return self._answer(request, files)
        except PhotoError as error:
            return messages.Refusal(error.sentence, is_of_photo=True)
        except (TableError, ScoringError, CalibrationError, VisionError) as error:
            return messages.Refusal(error.sentence, is_of_photo=False)
        except cv2.error as error:
            if error.code == cv2.Error.STS_NO_MEM:
                raise MemoryError from error
            raise

    def _answer(self, request: messages.Request, files: Sequence[bytes]) -> messages.Answer:
        for content in files:
            check_photo(content)
        if request.wanted == "plain":
            return messages.PlainPhoto(plain_photo(files[0]))
        if request.wanted == "upright":
            return messages.PlainPhoto(upright_photo(files[0]))
        pictures = (parse_photo(content, ENOUGH_PX, as_stored=True) for content in files)
        if request.wanted == "board":
            shown = recognise_board(pictures, ProfileStore(home()))
            if isinstance(shown, NotFound):
                return messages.ShownBoard(None, shown.reason)
            return messages.ShownBoard(shown.id, shown.note)
        if request.rules is not None:
            deck = ticket_deck_of(request.rules.edition, request.rules.board)
            upright = (parse_photo(content, ENOUGH_PX) for content in files)
            return read_tickets(upright, deck)
        if self._scorer is None:
            raise LookupError("a plan comes before the first score")
        photos = zip(request.names, pictures, strict=True)

        def found() -> None:
            self._tell(messages.Told("routes"))

        return self._scorer.score(
            photos, corners_px=request.corners_px, with_crops=True, on_found=found
        )


def main() -> None:
    """Handle requests until standard input ends."""
    requests, answers = _pipes()
    configure_malloc()
    reading = Reading(lambda told: messages.send(answers, told))
    while True:
        try:
            request = messages.receive(requests, messages.Request, messages.MOST_REQUEST_BYTES)
            files = [messages.receive_file(requests) for _ in request.names]
        except EOFError:
            return
        limit_memory(MOST_EXTRA_BYTES)
        limit_processor_time(request.most_s)
        try:
            answer = reading.answer(request, files)
            limit_processor_time(0)
        except MemoryError:
            messages.send(answers, messages.Refusal(TOO_LARGE, is_of_photo=True, is_last=True))
            return  # the state may be inconsistent
        del files
        messages.send(answers, answer)
        del answer
        release_free_memory()


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes of requests and answers, and redirect prints to standard error."""
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return sys.stdin.buffer, os.fdopen(answers, "wb")

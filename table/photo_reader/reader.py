"""Where photos that phones send are read: in a process of its own, begun for the first of them.

What unpacking and reading a picture takes is that process's memory, given back to the system when
it ends; a decoder that a picture brings down takes no game with it, and what is too slow is ended.
Loading the program and preparing the board takes about as long as reading a photo: so it stays for
the next one, for a while.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import BinaryIO, TypeVar, cast

import msgspec
from msgspec.structs import replace
from railspotter.scoring.sentence import NOTHING, Sentence

from ..errors import BoardNotRecognisedError, PhotoError, TableError
from ..photo_file import Files, is_plain
from ..photos.score import ReadingPlan
from ..photos.scored_photo import ScoredPhoto
from ..system_process import new_group_options, ran_out_of_time
from ..worker import Closable
from . import messages

Kind = TypeVar("Kind", bound=messages.Answer)

RUN = "from railspotter.table.photo_reader.process import main; main()"
# Of processor time, for all photos of a form, preparing included: six take 24. What others had of
# the processor meanwhile is no fault of the photo's.
MOST_S = 90.0
HANGS_S = 600.0  # by the clock; then a computer has no time for photos, or something hangs
IDLE_S = 60.0  # without a photo for so long, the process ends
MOST_ANSWERS = 50  # after so many it begins anew: what libraries keep for themselves ends with it
TOO_SLOW = Sentence("the photo takes longer to read than {most} s; send a smaller one")
NO_TIME = Sentence("the computer is too busy to read the photo: send it again later")
BROUGHT_DOWN = Sentence("the photo cannot be read: what reads photos ended over it; send another")


class PhotoReader(Closable):
    """Reads photos in a process of its own. Several threads may use it; one is answered at a time.

    Photos of one form may take `most_s` of processor time, and are given up after `hangs_s` by the
    clock; `idle_s` without photos the process ends.
    """

    def __init__(
        self, most_s: float = MOST_S, idle_s: float = IDLE_S, hangs_s: float = HANGS_S
    ) -> None:
        self._most_s, self._idle_s, self._hangs_s = most_s, idle_s, hangs_s
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._rest: threading.Timer | None = None
        self._is_closed = False

    @property
    def process_id(self) -> int | None:
        """The number that the system has for the process; None while there is none."""
        process = self._process
        return None if process is None else process.pid

    def score(
        self, plan: ReadingPlan, files: Files, corners_px: messages.Corners | None = None
    ) -> ScoredPhoto:
        """Score photos of one board, which lies where a person says so.

        Raises `PhotoError` when one cannot be used, or takes too much, `TableError` when photos
        cannot be read; the text says why.
        """
        photo = self._ask("score", files, ScoredPhoto, plan, corners_px)
        # The rules and the board are the program's own, whatever the process says they are.
        return replace(photo, board=plan.board, edition=plan.edition)

    def board_in(self, files: Files) -> str:
        """Return the id of the board that the first photo shows in which one is recognised.

        Raises `BoardNotRecognisedError` with the reason, else the errors of `score`.
        """
        shown = self._ask("board", files, messages.ShownBoard)
        if shown.board is None:
            raise BoardNotRecognisedError(shown.reason or NOTHING)
        return shown.board

    def plain_photo(self, content: bytes) -> bytes:
        """Return a photo as a JPEG, one that is plain as it is; errors are those of `score`."""
        if is_plain(content):
            return content
        return self._ask("plain", [(content, "")], messages.PlainPhoto).jpeg

    def upright_photo(self, content: bytes) -> bytes:
        """Return a photo as people look at it, as a JPEG of the size that photos are read at."""
        return self._ask("upright", [(content, "")], messages.PlainPhoto).jpeg

    def close(self) -> None:
        """End the process, whatever it does; nothing is read any more."""
        self._is_closed = True
        if process := self._process:
            process.kill()
        with self._lock:
            self._end_process()

    def _ask(
        self,
        wanted: messages.Wanted,
        files: Files,
        kind: type[Kind],
        plan: ReadingPlan | None = None,
        corners_px: messages.Corners | None = None,
    ) -> Kind:
        with self._lock:
            process = self._running()
            try:
                names = tuple(name for _, name in files)
                request = messages.Request(wanted, names, self._most_s, plan, corners_px)
                answer = process.ask(request, [content for content, _ in files], self._hangs_s)
            finally:
                if not process.is_running or process.answers >= MOST_ANSWERS:
                    self._end_process()
                else:
                    self._rest = threading.Timer(self._idle_s, self._end_if_idle, (process,))
                    self._rest.daemon = True
                    self._rest.start()
        if isinstance(answer, messages.Refusal):
            raise (PhotoError if answer.is_of_photo else TableError)(answer.reason)
        if not isinstance(answer, kind):
            raise PhotoError(BROUGHT_DOWN)
        return answer

    def _running(self) -> _Process:
        """Return the process, begun where there is none."""
        if self._rest is not None:
            self._rest.cancel()
        if self._process is not None and not self._process.is_running:
            self._end_process()
        if self._process is None:
            try:
                self._process = _Process()
            except OSError as error:
                raise TableError(
                    "photos cannot be read: {error}", error=error.strerror or error
                ) from error
        if self._is_closed:  # meanwhile
            self._process.kill()
        return self._process

    def _end_if_idle(self, process: _Process) -> None:
        """End a process that nobody has asked since."""
        with self._lock:
            if self._process is process and self._rest is threading.current_thread():
                self._end_process()

    def _end_process(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        if self._process is not None:
            self._process.end()
            self._process = None


class _Process:
    """A process that reads photos, from this side."""

    def __init__(self) -> None:
        self.answers = 0  # how often it has answered
        self._plan: ReadingPlan | None = None
        command = [sys.executable, "-P", "-c", RUN]
        # Ctrl-C is for the program, which ends this one.
        start: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen
        self._process = start(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **new_group_options()
        )
        self._requests = cast(BinaryIO, self._process.stdin)
        self._answers = cast(BinaryIO, self._process.stdout)

    @property
    def pid(self) -> int:
        """The number that the system has for it."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def ask(
        self, request: messages.Request, files: Sequence[bytes], hangs_s: float
    ) -> messages.Answer:
        """Ask for something, and wait for it so long; a plan that it has is not said again."""
        plan = request.plan
        is_new = plan is not None and plan != self._plan
        is_late = threading.Event()

        def end_late() -> None:
            is_late.set()
            self.kill()

        patience = threading.Timer(hangs_s, end_late)
        patience.daemon = True
        patience.start()
        try:
            messages.send(self._requests, request if is_new else replace(request, plan=None), files)
            answer: messages.Answer = messages.receive(self._answers, messages.Answer)
        except (OSError, EOFError, msgspec.MsgspecError) as error:
            self.kill()
            if is_late.is_set():
                raise PhotoError(NO_TIME) from error
            if ran_out_of_time(self._process.wait()):
                raise PhotoError(TOO_SLOW.filled(most=f"{request.most_s:.0f}")) from error
            raise PhotoError(BROUGHT_DOWN) from error
        finally:
            patience.cancel()
        self.answers += 1
        if is_new:
            is_refused = isinstance(answer, messages.Refusal) and not answer.is_of_photo
            self._plan = None if is_refused else plan
        if isinstance(answer, messages.Refusal) and answer.is_last:
            self.kill()
            self._process.wait()
        return answer

    def kill(self) -> None:
        """End it at once, whatever it does."""
        with suppress(OSError):
            self._process.kill()

    def end(self) -> None:
        """End it, and wait until it has."""
        self.kill()
        self._process.wait()
        for pipe in (self._requests, self._answers):
            with suppress(OSError):  # what was not sent yet
                pipe.close()

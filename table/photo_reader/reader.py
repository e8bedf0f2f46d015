"""Reading uploaded photos in a separate process, started on demand.

Its memory is returned to the system when it ends; a photo that crashes a decoder does not take the
game down, and slow requests are killed. Starting it takes about as long as reading a photo, so it
is kept for a while.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import BinaryIO, TypeVar, cast

import msgspec
from msgspec.structs import replace
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Edition
from railspotter.scoring.sentence import Sentence, raised_as

from ..boards.board_choice import RecognisedBoard
from ..errors import BoardNotRecognisedError, PhotoError, TableError
from ..photo_file import Files, is_plain
from ..photos.score import ReadingPlan
from ..photos.scored_photo import ScoredPhoto
from ..system_process import lower_priority, new_group_options, ran_out_of_time
from ..ticket_photos.deck import ticket_deck_of
from ..ticket_photos.reading import SeenTickets, own_tickets
from ..worker import Closable
from . import messages

Kind = TypeVar("Kind", bound=messages.Answer)

RUN = "from railspotter.table.photo_reader.process import main; main()"
# The limit of CPU time for one request, including preparation: six photos take 24.
MOST_S = 90.0
TIMEOUT_S = 600.0  # of wall time: the computer is overloaded, or something hangs
IDLE_S = 60.0  # the process ends after so long without a request
MOST_ANSWERS = 50  # then it is restarted, to free memory that libraries hold
TOO_SLOW = Sentence("the photo takes longer to read than {most} s; send a smaller one")
NO_TIME = Sentence("the computer is too busy to read the photo: send it again later")
NO_READING = Sentence("photos cannot be read: {error}")
CRASHED = Sentence("the photo cannot be read: what reads photos ended over it; send another")


class PhotoReader(Closable):
    """Reads photos in a separate process, one request at a time. Thread-safe.

    A request may take `most_s` of CPU time and `timeout_s` of wall time; after `idle_s` without a
    request the process ends. While it `gives_way`, to a running game, it has a lower priority.
    """

    def __init__(
        self,
        most_s: float = MOST_S,
        idle_s: float = IDLE_S,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._most_s, self._idle_s, self._timeout_s = most_s, idle_s, timeout_s
        self.gives_way = False
        self.step: messages.Step = "board"  # of the photo that is read now
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._idle_timer: threading.Timer | None = None
        self._is_closed = False

    def score(
        self, plan: ReadingPlan, files: Files, corners_px: messages.Corners | None = None
    ) -> ScoredPhoto:
        """Score photos of one board; `corners_px` are the board's, if the user set them.

        Raises `PhotoError` for a photo that is unusable or takes too long, `TableError` when no
        photos can be read.
        """
        photo = self._ask("score", files, ScoredPhoto, plan, corners_px)
        # Do not trust the process's board and rules.
        return replace(photo, board=plan.board, edition=plan.edition)

    def board_in(self, files: Files) -> RecognisedBoard:
        """Return the board in the first photo in which one is recognised.

        Raises `BoardNotRecognisedError`, or as `score`.
        """
        shown = self._ask("board", files, messages.ShownBoard)
        if shown.board is None:
            raise BoardNotRecognisedError(shown.said)
        return RecognisedBoard(shown.board, shown.said)

    def tickets_in(self, files: Files, board: Board, edition: Edition) -> SeenTickets:
        """Return the tickets of an edition that lie in photos of one hand; raises as `score`."""
        rules = messages.Rules(board, edition)
        seen = self._ask("tickets", files, SeenTickets, rules=rules)
        # Do not trust the process's points.
        return own_tickets(seen, ticket_deck_of(edition, board))

    def plain_photo(self, content: bytes) -> bytes:
        """Convert a photo to JPEG if it is HEIC or AVIF; raises as `score`."""
        if is_plain(content):
            return content
        return self._ask("plain", [(content, "")], messages.PlainPhoto).jpeg

    def upright_photo(self, content: bytes) -> bytes:
        """Convert a photo to a downscaled, upright JPEG; raises as `score`."""
        return self._ask("upright", [(content, "")], messages.PlainPhoto).jpeg

    def close(self) -> None:
        """Kill the process; later requests fail."""
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
        rules: messages.Rules | None = None,
    ) -> Kind:
        with self._lock:
            process = self._running()
            try:
                names = tuple(name for _, name in files)
                request = messages.Request(wanted, names, self._most_s, plan, corners_px, rules)
                contents = [content for content, _ in files]
                answer = process.ask(request, contents, self._timeout_s, self._told)
            finally:
                if not process.is_running or process.answers >= MOST_ANSWERS:
                    self._end_process()
                else:
                    timer = threading.Timer(self._idle_s, self._end_if_idle, (process,))
                    timer.daemon = True
                    timer.start()
                    self._idle_timer = timer
        if isinstance(answer, messages.Refusal):
            raise (PhotoError if answer.is_of_photo else TableError)(answer.reason)
        if not isinstance(answer, kind):
            raise PhotoError(CRASHED)
        return answer

    def _told(self, step: messages.Step) -> None:
        self.step = step

    def _running(self) -> "_Process":
        """Return the process, started if needed."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if (process := self._process) is not None and not (
            process.is_running and process.gives_way == self.gives_way  # it cannot be raised
        ):
            self._end_process()
        if self._process is None:
            with raised_as(TableError, OSError, NO_READING):
                self._process = _Process(gives_way=self.gives_way)
        if self._is_closed:  # meanwhile
            self._process.kill()
        return self._process

    def _end_if_idle(self, process: "_Process") -> None:
        with self._lock:
            if self._process is process and self._idle_timer is threading.current_thread():
                self._end_process()

    def _end_process(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None
        if self._process is not None:
            self._process.end()
            self._process = None


class _Process:
    """A handle of the photo-reading process."""

    def __init__(self, *, gives_way: bool) -> None:
        self.answers = 0  # the number of answers so far
        self.gives_way = gives_way
        self._plan: ReadingPlan | None = None
        command = [sys.executable, "-P", "-c", RUN]
        # Ctrl-C must reach the main program only, which ends this one.
        start: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen
        options = new_group_options(gives_way=gives_way)
        self._process = start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        if gives_way:
            lower_priority(self._process.pid)
        self._requests = cast(BinaryIO, self._process.stdin)
        self._answers = cast(BinaryIO, self._process.stdout)

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def ask(
        self,
        request: messages.Request,
        files: Sequence[bytes],
        timeout_s: float,
        on_step: Callable[[messages.Step], None],
    ) -> messages.Answer:
        """Send a request, without a plan that the process has already; return the answer."""
        plan = request.plan
        is_new = plan is not None and plan != self._plan
        timed_out = threading.Event()

        def on_timeout() -> None:
            timed_out.set()
            self.kill()

        timeout = threading.Timer(timeout_s, on_timeout)
        timeout.daemon = True
        timeout.start()
        try:
            messages.send(self._requests, request if is_new else replace(request, plan=None), files)
            on_step("board")
            answer: messages.Answer = messages.receive(self._answers, messages.Answer)
            while isinstance(answer, messages.Told):
                on_step(answer.step)
                answer = messages.receive(self._answers, messages.Answer)
        except (OSError, EOFError, msgspec.MsgspecError) as error:
            self.kill()
            if timed_out.is_set():
                raise PhotoError(NO_TIME) from error
            if ran_out_of_time(self._process.wait()):
                raise PhotoError(TOO_SLOW.filled(most=f"{request.most_s:.0f}")) from error
            raise PhotoError(CRASHED) from error
        finally:
            timeout.cancel()
        self.answers += 1
        if is_new:
            is_refused = isinstance(answer, messages.Refusal) and not answer.is_of_photo
            self._plan = None if is_refused else plan
        if isinstance(answer, messages.Refusal) and answer.is_last:
            self.kill()
            self._process.wait()
        return answer

    def kill(self) -> None:
        """Kill the process."""
        with suppress(OSError):
            self._process.kill()

    def end(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        self._process.wait()
        for pipe in (self._requests, self._answers):
            with suppress(OSError):  # what was not sent yet
                pipe.close()

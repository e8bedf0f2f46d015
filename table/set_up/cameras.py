"""What the page offers as a camera, and what it takes: no file by its path, and no address.

Cameras in the network are those that the terminal named. A page knows them by names in which no
password is, and chooses among these names.
"""

from __future__ import annotations

import importlib.util
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from railspotter.scoring.sentence import Sentence
from railspotter.vision.errors import VisionError
from railspotter.vision.sources.cameras import (
    Camera,
    FoundCamera,
    PiCamera,
    camera_system,
    list_cameras,
)
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.grabber import Grabber, GrabberState
from railspotter.vision.sources.network import VideoStream, WebCamera, redacted_url
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.sources.source import Frame, NoCamera, Source, SourceUnusableError

from ..errors import SetUpError
from ..live_table.pictures import TableCamera
from .demo import DemoTable, demo_table

DEMO, PHONE, PI, NONE = "demo", "phone", "pi", "none"
# A camera may be plugged in while the page is open; looking where Linux lists them costs 1 ms.
ANEW_S = 2.0
LIVE = (Camera, PiCamera, PostedFrames, NoCamera, WebCamera, VideoStream)


@dataclass(frozen=True)
class SourceView:
    """What a chosen source does."""

    given: str  # as behind `--source`; of an address the name that pages know it by
    said: Sentence  # what it is doing, in a sentence
    has_picture: bool = False  # whether there is anything to see
    is_over: bool = False  # whether no picture will come any more
    has_camera: bool = True  # whether there is to be one: without it, nothing is waited for


@dataclass(frozen=True, eq=False)
class OpenedSource:
    """A source and the grabber that runs."""

    given: str  # by what it was chosen
    grabber: Grabber
    camera: TableCamera  # its newest picture, for a page
    demo: DemoTable | None = None  # the drawn game, where it is one

    @property
    def is_phone(self) -> bool:
        """Whether a phone posts what is seen."""
        return isinstance(self.grabber.source, PostedFrames)

    @property
    def has_camera(self) -> bool:
        """Whether anything sees the board."""
        return not isinstance(self.grabber.source, NoCamera)

    def frame(self) -> Frame | None:
        """Return the newest picture."""
        return self.grabber.latest()

    def view(self) -> SourceView:
        """Return what it does now."""
        status = self.grabber.status
        has_picture = status.grabbed > 0
        # What a video showed is enough to find the board; it begins anew with the game.
        is_over = status.is_over and not (status.doing is GrabberState.ENDED and has_picture)
        return SourceView(self.given, status.said, has_picture, is_over, self.has_camera)

    def for_game(self) -> Grabber:
        """Return the grabber that a game goes on with: a video is watched from its beginning."""
        source = self.grabber.source
        if is_live(source) or isinstance(source, VirtualBoard):
            return self.grabber
        self.grabber.stop()
        anew = Grabber(source)
        anew.start()
        return anew


def open_source(
    given: str, phone: PostedFrames, network: Mapping[str, str], *, is_of_terminal: bool
) -> OpenedSource:
    """Begin to watch what a text names; nothing is waited for."""
    demo = None
    try:
        if given == DEMO:
            demo = demo_table()
            source = demo.source
        elif is_of_terminal and given not in network:
            source = parse_source(given, {PHONE: phone, NONE: NoCamera()})
        else:
            source = source_of_page(given, phone, network)
    except VisionError as error:
        raise SetUpError(str(error)) from error
    grabber = Grabber(source)
    grabber.start()
    return OpenedSource(given, grabber, TableCamera(grabber.latest), demo)


@dataclass(frozen=True)
class OfferedCamera:
    """A camera of this computer, or one in the network that the terminal named."""

    source: str  # as behind `--source`; of an address what may be shown of it
    about: str  # what it calls itself


class Cameras:
    """The cameras of this computer, as they are plugged in. Several threads may use it at once.

    Where the system does not list them, each is opened to see whether it is there, which takes
    seconds and lights its lamp: that is done once, and not while the page waits.
    """

    def __init__(
        self,
        look: Callable[[], list[FoundCamera]] = list_cameras,
        *,
        is_listed: bool = camera_system().is_listed,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look, self._is_listed, self._clock = look, is_listed, clock
        self._lock = threading.Lock()
        self._looked_s: float | None = None
        self._found: tuple[OfferedCamera, ...] = ()
        self._has_pi = importlib.util.find_spec("picamera2") is not None

    def now(self) -> tuple[OfferedCamera, ...]:
        """Return those that are known now."""
        with self._lock:
            is_first = self._looked_s is None
            is_due = is_first or self._clock() >= (self._looked_s or 0.0) + ANEW_S
            if is_first or (self._is_listed and is_due):
                self._looked_s = self._clock()
                if self._is_listed:
                    self._find()
                else:
                    threading.Thread(target=self._find, name="cameras", daemon=True).start()
            return self._found

    def _find(self) -> None:
        found = [OfferedCamera(str(camera.number), camera.name) for camera in self._look()]
        pi = [OfferedCamera(PI, PiCamera().name)] if self._has_pi else []
        self._found = (*found, *pi)


def is_live(source: Source) -> bool:
    """Tell whether a source has no beginning to go back to."""
    return isinstance(source, LIVE)


def named_addresses(addresses: Iterable[str]) -> dict[str, str]:
    """Return the addresses of cameras by the names that pages know them by."""
    named: dict[str, str] = {}
    for address in dict.fromkeys(addresses):
        name, number = redacted_url(address), 2
        while name in named:
            name, number = f"{redacted_url(address)} ({number})", number + 1
        named[name] = address
    return named


def source_of_page(text: str, phone: PostedFrames, network: Mapping[str, str]) -> Source:
    """Return the source that somebody chooses on the page; what is chosen there is no file."""
    if text in network:
        return parse_source(network[text])
    if "://" in text:
        raise SetUpError(
            "a camera in the network is chosen here once the terminal allows it: start the program"
            " with '--allow-camera {address}'",
            address=redacted_url(text),
        )
    source = None
    if not ("/" in text or "\\" in text or text.startswith("~")):
        try:
            source = parse_source(text, {PHONE: phone, NONE: NoCamera()})
        except SourceUnusableError as error:
            raise SetUpError(
                "{text!r} is no camera: give the number or name of one that is plugged in",
                text=text,
            ) from error
    if source is None or not is_live(source):
        raise SetUpError("only 'railspotter play --source' watches files")
    return source

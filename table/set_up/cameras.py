"""The cameras that the page offers and accepts: no files, and no network addresses.

Network cameras must be named on the command line or by this computer's own browser. The page knows
them by names without passwords.
"""

import importlib.util
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
from railspotter.scoring.sentence import Sentence, raised_as
from railspotter.vision.errors import VisionError
from railspotter.vision.sources import cameras
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.grabber import Grabber, GrabberState
from railspotter.vision.sources.network import VideoStream, WebCamera, redacted_url
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.sources.source import NoCamera, Source, SourceUnusableError

from ..errors import SetUpError
from ..live_table.pictures import TableCamera
from ..whole_file import KeptFile
from .demo import DemoTable, demo_table

DEMO, PHONE, PI, NONE = "demo", "phone", "pi", "none"
NO_CAMERA = Sentence("{text!r} is no camera: give the number or name of one that is plugged in")
# Between two listings of the cameras, which may be plugged in meanwhile. Linux takes 1 ms for it.
LIST_EVERY_S = 2.0
MOST_ALLOWED = 20  # cameras in the network that the computer's own browser named
LIVE = (cameras.Camera, cameras.PiCamera, PostedFrames, NoCamera, WebCamera, VideoStream)


@dataclass(frozen=True)
class SourceView:
    """The status of the chosen source."""

    given: str  # as behind `--source`; an address is replaced by its name without password
    said: Sentence  # the status as a sentence
    has_picture: bool = False  # whether any picture has come
    is_over: bool = False  # whether no more pictures will come
    has_camera: bool = True  # False if the game is played without a camera


@dataclass(frozen=True, eq=False)
class OpenedSource:
    """A source with its running grabber."""

    given: str  # the text that it was chosen by
    grabber: Grabber
    camera: TableCamera  # encodes its newest picture for the page
    demo: DemoTable | None = None  # the demo game, if it is one

    @property
    def is_phone(self) -> bool:
        """Whether the source is a phone that posts its pictures."""
        return isinstance(self.grabber.source, PostedFrames)

    @property
    def has_camera(self) -> bool:
        """Whether there is a camera."""
        return not isinstance(self.grabber.source, NoCamera)

    def view(self) -> SourceView:
        """Return the current status."""
        status = self.grabber.status
        has_picture = status.grabbed > 0
        # A video that has ended still shows the board; it restarts with the game.
        is_over = status.is_over and not (status.doing is GrabberState.ENDED and has_picture)
        return SourceView(self.given, status.said, has_picture, is_over, self.has_camera)

    def for_game(self) -> Grabber:
        """Return the grabber for the game: a new one for a video, to restart it."""
        source = self.grabber.source
        if is_live(source) or isinstance(source, VirtualBoard):
            return self.grabber
        self.grabber.stop()
        grabber = Grabber(source)
        grabber.start()
        return grabber


def open_source(
    given: str, phone: PostedFrames, network: Mapping[str, str], *, is_of_terminal: bool
) -> OpenedSource:
    """Open the source that a text names, without waiting for a picture; raises `SetUpError`."""
    demo = None
    with raised_as(SetUpError, VisionError):
        if given == DEMO:
            demo = demo_table()
            source = demo.source
        elif is_of_terminal and given not in network:
            source = parse_source(given, {PHONE: phone, NONE: NoCamera()})
        else:
            source = source_of_page(given, phone, network)
    grabber = Grabber(source)
    grabber.start()
    return OpenedSource(given, grabber, TableCamera(grabber.latest), demo)


class AllowedCameras(msgspec.Struct, frozen=True):
    """The addresses of cameras in the network that the computer's own browser named."""

    addresses: tuple[str, ...] = ()  # the oldest first; they may contain passwords


def allowed_cameras_file(folder: Path) -> KeptFile[AllowedCameras]:
    """Return the file of a data directory with those cameras."""
    return KeptFile(folder / "cameras.json", AllowedCameras(), is_private=True)


@dataclass(frozen=True)
class OfferedCamera:
    """A camera that the page offers."""

    source: str  # as behind `--source`; an address is replaced by its name without password
    about: str  # a description


class Cameras:
    """The list of this computer's cameras, cached. Thread-safe.

    Without a listing by the system, finding them means opening each, which takes seconds and
    lights its LED: that is done once, in the background.
    """

    def __init__(
        self,
        list_all: Callable[[], list[cameras.FoundCamera]] = cameras.list_cameras,
        *,
        is_listed: bool = cameras.camera_system().is_listed,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._list_all, self._is_listed, self._clock = list_all, is_listed, clock
        self._lock = threading.Lock()
        self._listed_s: float | None = None
        self._found: tuple[OfferedCamera, ...] = ()
        self._has_pi = importlib.util.find_spec("picamera2") is not None

    def now(self) -> tuple[OfferedCamera, ...]:
        """Return the known cameras, updating the list if it is due."""
        with self._lock:
            is_first = self._listed_s is None
            is_due = is_first or self._clock() >= (self._listed_s or 0.0) + LIST_EVERY_S
            if is_first or (self._is_listed and is_due):
                self._listed_s = self._clock()
                if self._is_listed:
                    self._find()
                else:
                    threading.Thread(target=self._find, name="cameras", daemon=True).start()
            return self._found

    def _find(self) -> None:
        found = [OfferedCamera(str(camera.number), camera.name) for camera in self._list_all()]
        pi = [OfferedCamera(PI, cameras.PiCamera().name)] if self._has_pi else []
        self._found = (*found, *pi)


def is_live(source: Source) -> bool:
    """Tell whether a source is live, so that it cannot restart."""
    return isinstance(source, LIVE)


def named_addresses(addresses: Iterable[str]) -> dict[str, str]:
    """Return camera addresses by unique names without passwords."""
    named: dict[str, str] = {}
    for address in dict.fromkeys(addresses):
        name, number = redacted_url(address), 2
        while name in named:
            name, number = f"{redacted_url(address)} ({number})", number + 1
        named[name] = address
    return named


def source_of_page(text: str, phone: PostedFrames, network: Mapping[str, str]) -> Source:
    """Parse a source chosen on the page; raises `SetUpError` for files and unknown addresses."""
    if text in network:
        return parse_source(network[text])
    if "://" in text:
        raise SetUpError(
            "the camera {address} can be chosen here once its address was given at the table's"
            " computer: open this page there",
            address=redacted_url(text),
        )
    source = None
    if not ("/" in text or "\\" in text or text.startswith("~")):
        with raised_as(SetUpError, SourceUnusableError, NO_CAMERA, text=text):
            source = parse_source(text, {PHONE: phone, NONE: NoCamera()})
    if source is None or not is_live(source):
        raise SetUpError("a film or a photo is no camera: choose one of those that are offered")
    return source

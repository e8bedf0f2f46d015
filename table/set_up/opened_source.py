"""A source that is watched while a game is set up, and what the page asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from railspotter.scoring.sentence import Sentence
from railspotter.vision.errors import VisionError
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.grabber import Grabber, GrabberState
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.sources.source import Frame, NoCamera

from ..live_table.pictures import TableCamera
from .cameras import DEMO, NONE, PHONE, is_live, source_of_page
from .demo import DemoTable, demo_table
from .errors import SetUpError


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

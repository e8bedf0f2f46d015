"""A camera on the network that a phone named: what it may be, and what the phone is told of it."""

from __future__ import annotations

import logging
from contextlib import closing
from dataclasses import replace
from urllib.parse import urlsplit

from railspotter.scoring.sentence import Sentence

from .errors import HostNotAllowedError, SourceError, SourceLostError
from .hosts import AllowedHosts
from .source import Shots, Source, Watch
from .video import VideoStream
from .web_camera import WebCamera

LOG = logging.getLogger(__name__)

NO_PICTURE = Sentence("no picture comes from there: is the address right? The terminal says more")
STEPS = 2
"""Until a failure is told, as many timeouts: a silent host takes one of them."""

NetworkCamera = WebCamera | VideoStream


def is_network_camera(source: Source) -> bool:
    """Tell whether a source is a camera with an address, whoever named it."""
    return isinstance(source, WebCamera | VideoStream | UnvouchedCamera)


def camera_of_phone(camera: Source, allowed: AllowedHosts) -> Source:
    """Return a camera that a phone named, as it may be opened; one without an address as it is.

    Raises
    ------
    HostNotAllowedError
        For an address at home that the terminal did not allow; with what to type.

    Examples
    --------
    >>> camera = WebCamera("http://192.168.1.20:8080/video")
    >>> camera_of_phone(camera, AllowedHosts.parse(["192.168.1.0/24"])) is camera
    True
    """
    if not isinstance(camera, WebCamera | VideoStream):
        return camera
    host = urlsplit(camera.url).hostname or ""
    if allowed.vouch_for(host):
        return camera
    allowed.check(host)
    return UnvouchedCamera(replace(camera, allowed=allowed))


class UnvouchedCamera(Source):
    """A camera for whose host the terminal does not vouch.

    Whatever goes wrong before its first picture, the phone is told one sentence after one time:
    else it could learn by this computer which ports are open somewhere. The reason is logged.

    Parameters
    ----------
    camera : WebCamera or VideoStream
    """

    def __init__(self, camera: NetworkCamera) -> None:
        self.camera = camera
        self._logged = ""

    @property
    def name(self) -> str:
        """Its address, without user name and password."""
        return self.camera.name

    def shots(self, watch: Watch) -> Shots:
        """Give the camera's pictures."""
        begun_s, has_given = watch.now_s(), False
        try:
            with closing(self.camera.shots(watch)) as shots:
                for shot in shots:
                    has_given = True
                    yield shot
        except HostNotAllowedError:
            raise
        except SourceError as error:
            if has_given:
                raise
            if str(error) != self._logged:
                self._logged = str(error)
                LOG.warning("%s, which a phone named: %s", self.name, error)
            step_s = STEPS * self.camera.timeout_s
            watch.rest(step_s - (watch.now_s() - begun_s) % step_s)
            raise SourceLostError(NO_PICTURE) from error

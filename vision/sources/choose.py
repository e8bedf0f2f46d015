"""Parses the text by which people choose a source."""

from collections.abc import Mapping
from pathlib import Path

from .cameras import Camera, PiCamera, is_path, list_cameras, number_of
from .network import VideoStream, WebCamera, camera_address
from .photos import SUFFIXES, Photos
from .source import Source, SourceLostError, SourceUnusableError
from .video import VideoFile


def parse_source(text: str, named: Mapping[str, Source] | None = None) -> Source:
    """Parse the text that names a source.

    Parameters
    ----------
    text : str
        A camera's number, path or name; an http, https or rtsp address; a video; a photo or a
        folder of photos; ``pi``; or a name of `named`.
    named : mapping of str to Source, optional
        Further sources by name, such as ``demo`` and ``phone``, which vision does not know.

    Raises
    ------
    SourceUnusableError
        When it is none of these; the message says what is allowed.

    Examples
    --------
    >>> parse_source("0").name, parse_source("/dev/video2").name
    ('camera 0', '/dev/video2')
    >>> parse_source("http://me:secret@192.0.2.7:8080/video").name
    'http://192.0.2.7:8080/video'
    """
    named = named or {}
    if text in named:
        return named[text]
    if text == "pi":
        return PiCamera()
    if text.isdecimal() and text.isascii() and len(text) < 4:
        return Camera(int(text))
    if "://" in text:
        address = camera_address(text)
        return VideoStream(address) if address.startswith("rtsp") else WebCamera(address)
    try:
        path = Path(text or "nothing").expanduser()
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, RuntimeError) as error:  # too long a name, or no such user
        raise SourceUnusableError(f"there is no file or folder {text!r}") from error
    # Even if it does not exist: a camera may be plugged in later.
    if is_path(text) and path.parts[:2] == ("/", "dev"):
        return Camera(text)
    if is_folder or (is_file and path.suffix.lower() in SUFFIXES):
        return Photos(path)
    if is_file:
        return VideoFile(path)
    if _is_camera_name(text):
        return Camera(text)
    if "/" in text or "\\" in text or path.suffix:
        raise SourceUnusableError(f"there is no file or folder {text!r}")
    others = "".join(f", {name}" for name in named)
    raise SourceUnusableError(
        f"{text!r} is no source: give a camera's number or name, an http, https or rtsp address,"
        f" a video, a folder of photos, or one of these words: pi{others}"
    )


def _is_camera_name(name: str) -> bool:
    try:
        number_of(name, list_cameras())
    except SourceLostError:
        return False
    return True

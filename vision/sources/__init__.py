"""Where frames come from: cameras, streams, videos, photos, phones and the virtual board."""

from .cameras import (
    Camera,
    FoundCamera,
    PiCamera,
    camera_system,
    list_cameras,
)
from .choose import parse_source
from .grabber import Clock, Grabber, GrabberState, Patience, Status
from .network import VideoStream, WebCamera, camera_address, shown
from .phone import PostedFrames
from .photos import Photos, VirtualBoard
from .source import (
    Frame,
    NoCamera,
    Shot,
    Shots,
    Source,
    SourceError,
    SourceLostError,
    SourceUnusableError,
    Watch,
)
from .video import VideoFile

__all__ = [
    "Camera",
    "Clock",
    "FoundCamera",
    "Frame",
    "Grabber",
    "GrabberState",
    "NoCamera",
    "Patience",
    "Photos",
    "PiCamera",
    "PostedFrames",
    "Shot",
    "Shots",
    "Source",
    "SourceError",
    "SourceLostError",
    "SourceUnusableError",
    "Status",
    "VideoFile",
    "VideoStream",
    "VirtualBoard",
    "Watch",
    "WebCamera",
    "camera_address",
    "camera_system",
    "list_cameras",
    "parse_source",
    "shown",
]

"""Where frames come from: cameras, streams, videos, photos, phones and the virtual board."""

from .camera import Camera
from .camera_list import FoundCamera, list_cameras
from .camera_locks import Control
from .clock import Clock
from .errors import SourceError, SourceLostError, SourceUnusableError
from .frame import Frame, Shot
from .grabber import Grabber
from .parsing import parse_source
from .patience import Patience
from .photos import Photos
from .pi_camera import PiCamera
from .posted import PostedFrames
from .source import Shots, Source, Watch
from .status import GrabberState, Status
from .stream import VideoStream
from .video_file import VideoFile
from .virtual_scenes import VirtualBoard
from .web_camera import WebCamera

__all__ = [
    "Camera",
    "Clock",
    "Control",
    "FoundCamera",
    "Frame",
    "Grabber",
    "GrabberState",
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
    "list_cameras",
    "parse_source",
]

"""Where frames come from: cameras, streams, videos, photos, phones and the virtual board."""

from .camera import Camera
from .camera_list import FoundCamera, list_cameras
from .camera_locks import Control
from .camera_system import CameraSystem, camera_system
from .errors import HostNotAllowedError, SourceError, SourceLostError, SourceUnusableError
from .grabber import Grabber, GrabberState, Status
from .hosts import AllowedHosts, is_of_a_neighbour
from .no_camera import NoCamera
from .parsing import parse_source
from .phone_named import camera_of_phone, is_network_camera
from .photos import Photos
from .pi_camera import PiCamera
from .posted import PostedFrames
from .run import Clock, Patience
from .source import Frame, Shot, Shots, Source, Watch
from .video import VideoFile, VideoStream
from .virtual_scenes import VirtualBoard
from .web_camera import WebCamera
from .web_request import shown

__all__ = [
    "AllowedHosts",
    "Camera",
    "CameraSystem",
    "Clock",
    "Control",
    "FoundCamera",
    "Frame",
    "Grabber",
    "GrabberState",
    "HostNotAllowedError",
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
    "camera_of_phone",
    "camera_system",
    "is_network_camera",
    "is_of_a_neighbour",
    "list_cameras",
    "parse_source",
    "shown",
]

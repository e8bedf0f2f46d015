"""Imports packages with binaries, which an installation may lack or have for another NumPy."""

from importlib import import_module
from types import ModuleType

from railspotter.scoring.sentence import Sentence

from .errors import VisionError

BINARY_PACKAGES = ("simplejpeg", "pillow_heif", "picamera2")  # the last on a Raspberry Pi alone
MOST_LETTERS = 200  # of a reason; NumPy gives a page of advice to programmers


def working_package(name: str, error: type[VisionError]) -> ModuleType:
    """Import a package; raises `error`, which says what to do, if it is missing or broken."""
    try:
        return import_module(name)
    except Exception as fault:  # which one depends on what it was made for
        why = str(fault).strip().partition("\n")[0][:MOST_LETTERS] or type(fault).__name__
        said = Sentence(
            "the package {name} cannot be used here ({error}): install Railspotter anew, on a"
            " Raspberry Pi as docs/install-pi.md tells",
            name=name,
            error=why,
        )
        raise error(said) from fault

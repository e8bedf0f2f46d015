"""Atomic file writes, and values stored in files of the data directory."""

import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from railspotter.scoring.bounded_file import MOST_BYTES, read_bounded
from railspotter.scoring.sentence import StatedError, raised_as

from .errors import CANNOT_DELETE, CANNOT_READ, CANNOT_WRITE, HomeError, TableError
from .system_process import is_running

Value = TypeVar("Value")
PROCESS = f"{os.getpid()}-{secrets.token_hex(4)}"  # an earlier one may have had the same number
# What `new_file_beside` names, and what SQLite writes beside it.
UNFINISHED = re.compile(r"\.((\d{1,9})-[0-9a-f]{8})-[0-9a-f]{8}\.new(-\w+)?$")


@contextmanager
def new_file_beside(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside a file; what is left there is deleted at the end.

    What a process leaves that is killed meanwhile, `remove_unfinished` deletes.
    """
    new = path.with_name(f"{path.name}.{PROCESS}-{secrets.token_hex(4)}.new")
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Delete what killed processes left in a data directory: there may be secrets in it."""
    for path in folder.glob("**/*.new*"):
        with suppress(OSError):  # on Windows also of a file that is being written
            found = UNFINISHED.search(path.name)
            if found is None or found[1] == PROCESS:
                continue
            if (writer := int(found[2])) == os.getpid() or not is_running(writer):
                path.unlink()


def write_whole(path: Path, content: bytes, *, is_private: bool = False) -> None:
    """Write a file atomically: readers find the old or the new content, even after a power cut.

    `is_private` makes it readable by its owner only. Raises `OSError` when it cannot be written;
    the old file is then unchanged.
    """
    # Not by `tempfile`, whose files only their owner may read.
    mode = 0o600 if is_private else 0o666
    with new_file_beside(path) as new:
        with open(new, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that new file names survive a power cut; Windows does so by itself."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def write_kept(path: Path, content: bytes, *, is_private: bool = False) -> None:
    """Write a file of the data directory atomically; raises `HomeError`."""
    with raised_as(HomeError, OSError, CANNOT_WRITE, path=path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, is_private=is_private)


def read_kept(path: Path, most_bytes: int | None = MOST_BYTES) -> bytes:
    """Return the content of a file of the data directory.

    Raises `FileNotFoundError`, or `HomeError` when it cannot be read or is too large.
    """
    try:
        return path.read_bytes() if most_bytes is None else read_bounded(path, most_bytes)
    except FileNotFoundError:
        raise
    except OSError as fault:
        raise HomeError(CANNOT_READ.filled(path=path, error=fault.strerror)) from fault


class KeptFile(Generic[Value]):
    """One value in a JSON file of the data directory, which need not exist yet.

    Without a file the value is `default`, whose class is also the file's schema. `is_private`
    makes the file readable by its owner only.
    """

    def __init__(self, path: Path, default: Value, *, is_private: bool = False) -> None:
        self._path, self._default, self._is_private = path, default, is_private

    def load(self) -> Value:
        """Return the value, by default `default`; raises `HomeError` for an unreadable file."""
        try:
            return msgspec.json.decode(read_kept(self._path), type=type(self._default))
        except FileNotFoundError:
            return self._default
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise HomeError(
                "{path} is damaged: {error}", path=self._path, error="delete the file"
            ) from error

    def load_or_default(self) -> Value:
        """Return the value; the default if the file is missing or unreadable."""
        try:
            return self.load()
        except HomeError:
            return self._default

    def save(self, value: Value) -> None:
        """Save a value atomically; raises `HomeError`."""
        content = msgspec.json.format(msgspec.json.encode(value))
        write_kept(self._path, content, is_private=self._is_private)


@dataclass(eq=False)
class KeptFolder(Generic[Value]):
    """Values of one kind, each in its own file of a folder of the data directory."""

    folder: Path  # it need not exist yet
    is_name: Callable[[str], object]  # whether a name is valid; must exclude paths elsewhere
    decode: Callable[[bytes], Value]  # parses a file's content; raises `StatedError`
    encode: Callable[[Value], bytes]
    missing: Callable[[str], TableError]  # makes the error for an unknown name
    suffix: str = ".json"  # of the file, after the value's name
    is_private: bool = False  # whether only the owner may read the files
    most_bytes: int | None = MOST_BYTES  # the size limit for reading; None for no limit

    def damaged_error(self, path: Path, why: StatedError) -> StatedError:
        """Return the error for a damaged file."""
        return HomeError("{path} is damaged: {error}", path=path, error=why.sentence)

    def path(self, name: str) -> Path:
        """Return the path of a value's file, which need not exist; raises for an invalid name."""
        if not self.is_name(name):
            raise self.missing(name)
        return self.folder / f"{name}{self.suffix}"

    def names(self) -> tuple[str, ...]:
        """Return the names of all values, sorted."""
        paths = (path.relative_to(self.folder) for path in self.folder.glob(f"*{self.suffix}"))
        found = (path.as_posix().removesuffix(self.suffix) for path in paths)
        return tuple(sorted(name for name in found if self.is_name(name)))

    def content(self, name: str) -> bytes:
        """Return the content of a value's file."""
        try:
            return read_kept(self.path(name), self.most_bytes)
        except FileNotFoundError as error:
            raise self.missing(name) from error

    def load(self, name: str) -> Value:
        """Load a value; raises `StatedError` when it is missing or damaged."""
        content = self.content(name)
        try:
            return self.decode(content)
        except StatedError as error:
            raise self.damaged_error(self.path(name), error) from error

    def write(self, name: str, value: Value) -> Path:
        """Save a value atomically; return its path."""
        path = self.path(name)
        write_kept(path, self.encode(value), is_private=self.is_private)
        return path

    def delete(self, name: str) -> None:
        """Delete a value's file."""
        path = self.path(name)
        try:
            path.unlink()
        except FileNotFoundError as error:
            raise self.missing(name) from error
        except OSError as error:
            raise HomeError(CANNOT_DELETE.filled(path=path, error=error.strerror)) from error

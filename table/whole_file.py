"""Files that are there whole or not at all, and values that are kept in them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from railspotter.scoring.bounded_file import MOST_BYTES, read_bounded
from railspotter.scoring.sentence import Sentence, StatedError

from .errors import HomeError, TableError

Value = TypeVar("Value")


@contextmanager
def new_file_beside(path: Path) -> Iterator[Path]:
    """Yield where what takes a file's place is written first; what is left there goes."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes, *, is_private: bool = False) -> None:
    """Write a file beside its place and move it there.

    Whoever looks finds the old content or the new one, also after a power cut. `is_private` says
    whether nobody but its owner may read it. Raises `OSError` when it cannot be written; what was
    there before is then still there.
    """
    # Not a temporary file of the library's: those nobody but their owner may read.
    mode = 0o600 if is_private else 0o666
    with new_file_beside(path) as new:
        with open(new, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)


def sync_folder(folder: Path) -> None:
    """Make sure that a file's name survives a power cut too; Windows does so by itself."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def write_kept(
    path: Path, content: bytes, *, is_private: bool = False, error: type[TableError] = HomeError
) -> None:
    """Write a file of the data directory, as `write_whole` does; `error` is what it raises."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, is_private=is_private)
    except OSError as fault:
        raise error(
            Sentence("cannot write {path}: {error}", path=path, error=fault.strerror)
        ) from fault


def read_kept(
    path: Path,
    called: object = "",
    *,
    most_bytes: int | None = MOST_BYTES,
    error: type[TableError] = HomeError,
) -> bytes:
    """Return the content of a file of the data directory.

    Raises `FileNotFoundError` when there is none, `TableError` of the class `error`, when it cannot
    be read or is larger; it names `called`, or the path.
    """
    try:
        return path.read_bytes() if most_bytes is None else read_bounded(path, most_bytes)
    except FileNotFoundError:
        raise
    except OSError as fault:
        raise error(
            "cannot read {path}: {error}", path=called or path, error=fault.strerror
        ) from fault


class KeptFile(Generic[Value]):
    """One value, kept as a JSON file of the data directory.

    Neither it nor its folder need exist yet; without it the value is the default, whose class is
    what the file is read as. `is_private`: nobody but its owner may read it.
    """

    def __init__(self, path: Path, default: Value, *, is_private: bool = False) -> None:
        self._path, self._default, self._is_private = path, default, is_private

    def load(self) -> Value:
        """Return the value; the default without a file, `HomeError` where it cannot be read."""
        try:
            return msgspec.json.decode(read_kept(self._path), type=type(self._default))
        except FileNotFoundError:
            return self._default
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise HomeError(
                "{path} is damaged: {error}", path=self._path, error="delete the file"
            ) from error

    def load_or_default(self) -> Value:
        """Return the value; the default where there is no file that can be read."""
        try:
            return self.load()
        except HomeError:
            return self._default

    def save(self, value: Value) -> None:
        """Keep a value; where it cannot be written (`HomeError`) the older one is still there."""
        content = msgspec.json.format(msgspec.json.encode(value))
        write_kept(self._path, content, is_private=self._is_private)


@dataclass(eq=False)
class KeptFolder(Generic[Value]):
    """Values of one kind, each in its own file in a folder of the data directory."""

    folder: Path  # it need not exist yet
    is_name: Callable[[str], object]  # whether a value may have a name; none leads elsewhere
    decode: Callable[[bytes], Value]  # of a file's content; raises a `StatedError` for damage
    encode: Callable[[Value], bytes]
    missing: Callable[[str], TableError]  # the error of a value that is not there, by its name
    suffix: str = ".json"  # what a file has after its value's name
    is_private: bool = False  # whether nobody but its owner may read a file
    most_bytes: int | None = MOST_BYTES  # a larger file is not read; None for no limit
    error: type[TableError] = HomeError  # raised where a file cannot be used

    def damaged_error(self, path: Path, why: StatedError) -> StatedError:
        """Return the error of a file that is damaged."""
        return self.error("{path} is damaged: {error}", path=path, error=why.sentence)

    def path(self, name: str) -> Path:
        """Return where a value's file is, or would be; raises for what is no name."""
        if not self.is_name(name):
            raise self.missing(name)
        return self.folder / f"{name}{self.suffix}"

    def names(self) -> tuple[str, ...]:
        """Return the names of all values, in their order."""
        paths = (path.relative_to(self.folder) for path in self.folder.glob(f"*{self.suffix}"))
        found = (path.as_posix().removesuffix(self.suffix) for path in paths)
        return tuple(sorted(name for name in found if self.is_name(name)))

    def content(self, name: str, called: str = "") -> bytes:
        """Return the content of a value's file; `called` is what a refusal names it."""
        path = self.path(name)
        try:
            return read_kept(path, called, most_bytes=self.most_bytes, error=self.error)
        except FileNotFoundError as error:
            raise self.missing(name) from error

    def load(self, name: str) -> Value:
        """Return a value; raises `StatedError` where there is none, or none that can be read."""
        content = self.content(name)
        try:
            return self.decode(content)
        except StatedError as error:
            raise self.damaged_error(self.path(name), error) from error

    def write(self, name: str, value: Value) -> Path:
        """Keep a value in place of an older one, which stays where that fails; return its file."""
        path = self.path(name)
        write_kept(path, self.encode(value), is_private=self.is_private, error=self.error)
        return path

    def delete(self, name: str, called: str = "") -> None:
        """Delete a value's file; `called` is what a refusal names it."""
        path = self.path(name)
        try:
            path.unlink()
        except FileNotFoundError as error:
            raise self.missing(name) from error
        except OSError as error:
            raise self.error(
                "cannot delete {path}: {error}", path=called or path, error=error.strerror
            ) from error

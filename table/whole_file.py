"""Files that are there whole or not at all, and values that are kept in them."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from railspotter.scoring.sentence import Sentence

from .errors import HomeError, TableError

Value = TypeVar("Value")


def write_whole(path: Path, content: bytes, *, is_private: bool = False) -> None:
    """Write a file beside its place and move it there.

    Whoever looks finds the old content or the new one, also after a power cut.

    Parameters
    ----------
    is_private : bool
        Whether nobody but its owner may read it.

    Raises
    ------
    OSError
        When it cannot be written; what was there before is then still there.
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        # Not a temporary file of the library's: those nobody but their owner may read.
        mode = 0o600 if is_private else 0o666
        with open(new, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


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
    """Write a file of the data directory.

    Parameters
    ----------
    is_private : bool
        Whether nobody but its owner may read it.
    error : type
        What is raised when it cannot be written; an older file is then still there.

    Raises
    ------
    TableError
        Of that class.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, is_private=is_private)
    except OSError as fault:
        raise error(
            Sentence("cannot write {path}: {error}", path=path, error=fault.strerror)
        ) from fault


class KeptFile(Generic[Value]):
    """One value, kept as a JSON file of the data directory.

    Parameters
    ----------
    path : Path
        The file; neither it nor its folder need exist yet.
    default : Value
        The value without a file. Its class is what the file is read as.
    is_private : bool
        Whether nobody but its owner may read the file.
    """

    def __init__(self, path: Path, default: Value, *, is_private: bool = False) -> None:
        self._path, self._default, self._is_private = path, default, is_private

    def load(self) -> Value:
        """Return the value; the default where there is no file.

        Raises
        ------
        HomeError
            When the file cannot be read; the message says what to do.
        """
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=type(self._default))
        except FileNotFoundError:
            return self._default
        except OSError as error:
            raise HomeError(
                "cannot read {path}: {error}", path=self._path, error=error.strerror
            ) from error
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
        """Keep a value in place of the older one.

        Raises
        ------
        HomeError
            When it cannot be written; the older value is then still there.
        """
        content = msgspec.json.format(msgspec.json.encode(value))
        write_kept(self._path, content, is_private=self._is_private)

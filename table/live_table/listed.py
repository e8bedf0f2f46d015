"""What nobody has confirmed or answered yet, kept beside its game for the next camera."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
from railspotter.scoring.sentence import Sentence, plain_of, sentence_of
from railspotter.vision.watching.questions import Question

from ..errors import HomeError
from ..game_log.game_store import LISTED
from ..whole_file import read_kept, write_kept
from .table_view import Joining


@dataclass(frozen=True)
class Listed:
    """What nobody has confirmed or answered yet."""

    joining: Joining | None = None
    questions: tuple[Question, ...] = ()


NOTHING_LISTED = Listed()


def load_listed(game: Path) -> Listed:
    """Return what is kept beside a game's file; nothing without a readable one."""
    try:
        content = read_kept(game.with_suffix(LISTED))
        return msgspec.msgpack.decode(
            content, type=Listed, dec_hook=lambda kind, plain: sentence_of(plain)
        )
    except (FileNotFoundError, HomeError, msgspec.DecodeError):
        return NOTHING_LISTED


def save_listed(game: Path, listed: Listed) -> None:
    """Keep it beside a game's file, if that can be written."""
    path = game.with_suffix(LISTED)
    with suppress(HomeError, OSError):
        if listed == NOTHING_LISTED:
            path.unlink(missing_ok=True)
        else:
            write_kept(path, msgspec.msgpack.encode(listed, enc_hook=_plain_of), is_private=True)


def _plain_of(value: object) -> object:
    return plain_of(value) if isinstance(value, Sentence) else str(value)

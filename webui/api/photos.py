"""Calls that send pictures: an end-game photo to be read."""

from __future__ import annotations

from typing import Any

from flask import url_for
from railspotter.table.errors import PhotoError, TableError

from ..errors import BoardNotFoundError, BusyError, NoPhotoError
from ..pages import texts
from .calls import Asked, Call, CallError, Needs, Who


def _read(asked: Asked) -> dict[str, Any]:
    try:
        result = asked.desk.read(asked.uploads)
    except NoPhotoError as error:
        raise CallError(400, "wrong", texts.NO_FILE) from error
    except BusyError as error:
        message = texts.sentence(str(error))
        raise CallError(503, "full", message, retry_after_s=5) from error
    except BoardNotFoundError as error:
        raise CallError(422, "no board", texts.sentence(str(error))) from error
    except PhotoError as error:
        raise CallError(400, "wrong", texts.sentence(str(error))) from error
    except TableError as error:
        raise CallError(409, "no profile", texts.sentence(str(error))) from error
    return {"id": result.id, "page": url_for("result", name=result.id)}


CALLS = (
    Call(
        "POST",
        "/photos",
        Who.ALL,
        "Reads an end-game photo; `page` has the result.",
        _read,
        takes_photos=True,
        rate="photo",
        needs=Needs.NOTHING,
    ),
)

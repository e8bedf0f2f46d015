"""The call that sends photos of a board at the end of a game."""

from __future__ import annotations

from collections.abc import Sequence

from flask import url_for
from railspotter.table.errors import PhotoError, TableError
from werkzeug.datastructures import FileStorage

from ..rooms.services import Needs
from .calls import CallRequest, Json, Upload, Who, call
from .refusals import CallError, reason_of


@call("POST", "/photos", Who.ALL, upload=Upload.PHOTOS, rate="photo", needs=Needs.NOTHING)
def read_photos(request: CallRequest, photos: Sequence[FileStorage]) -> Json:
    """Reads an end-game photo; `page` has the result."""
    try:
        result = request.services.photos.read(photos)
    except PhotoError:
        raise
    except TableError as error:
        raise CallError(409, "no profile", reason_of(error)) from error
    return {"id": result.id, "page": url_for("result", name=result.id)}

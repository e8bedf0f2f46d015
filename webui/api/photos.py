"""The call that sends photos of a board at the end of a game."""

from __future__ import annotations

from typing import Any

from flask import url_for
from railspotter.table.errors import PhotoError, TableError

from ..errors import BoardNotFoundError, BusyError, ManyPhotosError, NoPhotoError
from ..pages import texts
from ..rooms.services import Needs
from ..words.translation import Statement
from .calls import Call, CallError, CallRequest, Upload, Who


def _read(request: CallRequest) -> dict[str, Any]:
    try:
        result = request.services.photos.read(request.uploads)
    except NoPhotoError as error:
        raise CallError(400, "wrong", texts.NO_FILE) from error
    except BusyError as error:
        message = Statement(str(error))
        raise CallError(503, "full", message, retry_after_s=5) from error
    except BoardNotFoundError as error:
        raise CallError(422, "no board", Statement(str(error))) from error
    except (ManyPhotosError, PhotoError) as error:
        raise CallError(400, "wrong", Statement(str(error))) from error
    except TableError as error:
        raise CallError(409, "no profile", Statement(str(error))) from error
    return {"id": result.id, "page": url_for("result", name=result.id)}


CALLS = (
    Call(
        "POST",
        "/photos",
        Who.ALL,
        "Reads an end-game photo; `page` has the result.",
        _read,
        upload=Upload.PHOTOS,
        rate="photo",
        needs=Needs.NOTHING,
    ),
)

"""Calls that send photos: of a board at the end of a game, or of train cards to be counted."""

from __future__ import annotations

from typing import Any

from flask import url_for
from railspotter.table.errors import PhotoError, TableError
from railspotter.table.photos import CardReading, SeenCard

from ..errors import BoardNotFoundError, BusyError, ManyPhotosError, NoPhotoError
from ..pages import texts
from ..rooms import Needs
from ..words import Statement
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


def _count(request: CallRequest) -> dict[str, Any]:
    try:
        reading = request.services.photos.count_cards(request.uploads)
    except NoPhotoError as error:
        raise CallError(400, "wrong", texts.NO_FILE) from error
    except BusyError as error:
        message = Statement(str(error))
        raise CallError(503, "full", message, retry_after_s=5) from error
    except (ManyPhotosError, PhotoError) as error:
        raise CallError(400, "wrong", Statement(str(error))) from error
    except TableError as error:
        raise CallError(503, "full", Statement(str(error)), retry_after_s=5) from error
    if reading.reason is not None:
        raise CallError(422, "no cards", Statement(reading.reason))
    return _reading_json(reading)


def _reading_json(reading: CardReading) -> dict[str, Any]:
    return {
        "size": list(reading.size_wh),
        "counts": reading.counts,
        "cards": [_card_json(card) for card in reading.cards],
    }


def _card_json(card: SeenCard) -> dict[str, Any]:
    return {
        "card": card.card,
        "outline": [[round(x), round(y)] for x, y in card.outline_px],
        "likely": round(card.likely, 3),
        "doubt": card.doubt,
        "alternatives": list(card.alternatives),
    }


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
    Call(
        "POST",
        "/card-photos",
        Who.ALL,
        "Counts the train cards in a photo, and keeps nothing.",
        _count,
        upload=Upload.PHOTOS,
        rate="photo",
        needs=Needs.NOTHING,
    ),
)

"""The OpenAPI 3.1 description of the API, generated from its calls."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from railspotter.scoring.sentence import Sentence

from ..access.door import GUEST, WORD
from .calls import JSON, Call, Json, Upload, description_of

REFUSALS = {
    400: "What was sent is wrong.",
    401: "This phone is not known: it has no cookie, or an old one.",
    403: "Not this phone's role, or it lacks the table's word; or another site's page asked.",
    404: "There is no such thing.",
    409: "It was changed meanwhile, or is not for now.",
    413: "Too large.",
    415: "Not of the kind that the call takes.",
    422: "No board was found in the picture.",
    429: "Too often; Retry-After tells how long to wait.",
    503: "It cannot be done or saved right now, so nothing has changed.",
}
PHOTOS: Json = {
    "type": "object",
    "properties": {"photo": {"type": "string", "format": "binary"}},
    "required": ["photo"],
}
TOKENS = {
    GUEST: "What stands behind the # of a guest link: looks on only.",
    WORD: "The table's word, of a program that keeps no cookie.",
}
REFUSED: Json = {JSON: {"schema": {"$ref": "#/components/schemas/Refusal"}}}
FILE: Json = {"type": "string", "format": "binary"}
# The patterns of path parameters that are no ids.
PATTERNS = {"seq": "^[0-9]{1,9}$", "format": "^(jsonl|csv|game|bgstats|bgg)$"}


class Problem(msgspec.Struct, frozen=True):
    """Why a call was refused: a word for programs, a sentence for people."""

    code: str
    message: str


class Refusal(msgspec.Struct, frozen=True):
    """The answer to a refused call; `now` is what holds, where it was changed meanwhile.

    `fault`, `value` and `line` tell what is wrong with a deck, and where.
    """

    error: Problem
    now: str | None = None
    fault: str | None = None
    value: str | None = None
    line: int | None = None
    retry_after_s: float | None = None


def description(calls: Sequence[Call], base: str) -> Json:
    """Return the OpenAPI description of calls below a base path."""
    told = [kind for call in calls for kind in (call.body, call.answer)]
    structs = [one for one in told if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    kinds = [*structs, Refusal]
    found, schemas = msgspec.json.schema_components(
        kinds, schema_hook=_schema_of, ref_template="#/components/schemas/{name}"
    )
    known = dict(zip(kinds, found, strict=True))
    paths: dict[str, Json] = {}
    for call in calls:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Railspotter",
            "version": "1",
            "description": "A running game, for phones at the table and for programs.",
        },
        "servers": [{"url": base}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "railspotter-GAME",
                    "description": "Got by POST /join; GAME is the beginning of the game's id.",
                },
                **{
                    name: {"type": "apiKey", "in": "query", "name": name, "description": means}
                    for name, means in TOKENS.items()
                },
            },
        },
    }


def _schema_of(kind: type) -> Json:
    """Return the schema of a type that msgspec does not know (`schema_hook`)."""
    if issubclass(kind, Sentence):
        return {"type": "string"}
    raise NotImplementedError


def _operation(call: Call, known: Mapping[Any, Json]) -> Json:
    schema = {} if call.gives != JSON else known.get(call.answer, {"type": "object"})
    operation: Json = {
        "operationId": re.sub(r"\W+", "-", f"{call.method}{call.path}").strip("-").lower(),
        "summary": call.means,
        "description": f"For {call.who.value}.",
        "responses": {
            "200": {
                "description": "Done.",
                "content": {call.gives: {"schema": schema}},
            },
            **{
                str(status): {"description": REFUSALS[status], "content": REFUSED}
                for status in _refusals(call)
            },
        },
    }
    if parameters := [*_in_path(call), *_in_query(call)]:
        operation["parameters"] = parameters
    if call.who.needs_cookie:
        operation["security"] = [{"cookie": []}]
    sent = {} if call.body is None else {JSON: {"schema": known[call.body]}}
    if call.upload is not None:
        sent = {call.upload.value: {"schema": PHOTOS if call.upload is Upload.PHOTOS else FILE}}
    if sent:
        operation["requestBody"] = {"required": True, "content": sent}
    return operation


def _refusals(call: Call) -> list[int]:
    statuses = [403, 404, 429, 503]
    if call.who.needs_cookie:
        statuses += [401, 409]
    if call.body is not None or call.upload is not None:
        statuses += [400, 409, 413, 415]
    if call.queries:
        statuses.append(400)
    if call.upload is Upload.PHOTOS:
        statuses.append(422)
    return sorted(set(statuses))


def _in_path(call: Call) -> list[Json]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": PATTERNS.get(name, "^[A-Za-z0-9_-]{1,80}$")},
        }
        for name in re.findall(r"\{(\w+)\}", call.path)
    ]


def _in_query(call: Call) -> list[Json]:
    return [
        {"name": name, "in": "query", "description": description_of(kind), "schema": _schema(kind)}
        for name, kind in call.queries.items()
    ]


def _schema(kind: Any) -> Json:
    """Return the schema of an optional query parameter, without its description."""
    schema = msgspec.json.schema(kind)
    for one in (schema, *schema.get("anyOf", ())):
        if "enum" in one or one.get("type") in ("integer", "string"):
            return {name: value for name, value in one.items() if name != "description"}
    raise TypeError(f"no query is of {kind}")

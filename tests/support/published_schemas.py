"""The published JSON Schemas: `PACKAGE/schemas/NAME.json`, generated from the types.

`python tests/support/published_schemas.py` writes them; tests hold them equal.
"""

from pathlib import Path
from typing import Any

import msgspec
from railspotter.club.messages import KINDS
from railspotter.scoring.board import Board
from railspotter.scoring.card_game.text import CardGame, Deck
from railspotter.scoring.game import BoardGame

# The types behind each schema; a text is one of them.
SCHEMAS: dict[str, tuple[type, ...]] = {
    "scoring/board": (Board,),
    "scoring/game": (BoardGame, CardGame),
    "scoring/deck": (Deck,),
    "club/messages": tuple(KINDS.values()),
}
TITLES = {"club/messages": "What Railspotter's tables tell over MQTT, and are told"}


def schema(name: str) -> dict[str, Any]:
    """Return a JSON Schema."""
    kinds, parts = msgspec.json.schema_components(SCHEMAS[name], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **({"title": TITLES[name]} if name in TITLES else {}),
        **({"oneOf": list(kinds)} if len(kinds) > 1 else kinds[0]),
        "$defs": parts,
    }


def schema_text(name: str) -> str:
    """Return a schema as its file's text."""
    return msgspec.json.format(msgspec.json.encode(schema(name)), indent=2).decode() + "\n"


def schema_path(name: str) -> Path:
    """Return a schema's file."""
    package, _, kind = name.partition("/")
    return Path(__file__).parents[2] / package / "schemas" / f"{kind}.json"


if __name__ == "__main__":
    for one in SCHEMAS:
        schema_path(one).write_text(schema_text(one), encoding="utf-8")

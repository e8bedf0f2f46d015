"""The published JSON Schemas: `schemas/NAME.json`, generated from the types.

`python -m railspotter.scoring.schema` writes them; a test holds them equal.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec

from .board import Board
from .card_game.text import CardGame, Deck
from .game import BoardGame

# The types behind each schema; a file is one of them.
SCHEMAS: dict[str, tuple[type, ...]] = {
    "board": (Board,),
    "game": (BoardGame, CardGame),
    "deck": (Deck,),
}


def schema_text(name: str) -> str:
    """Return a schema as its file's text.

    Examples
    --------
    >>> '"size_mm"' in schema_text("board")
    True
    """
    kinds, parts = msgspec.json.schema_components(SCHEMAS[name], ref_template="#/$defs/{name}")
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **({"oneOf": list(kinds)} if len(kinds) > 1 else kinds[0]),
        "$defs": parts,
    }
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def write_schemas(folder: Path) -> None:
    """Write every schema into a folder."""
    for name in SCHEMAS:
        (folder / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(str(resources.files(__package__).joinpath("schemas"))))

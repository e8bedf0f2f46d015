"""The published JSON Schema of what tables tell: `schemas/messages.json`, generated from the types.

`python tests/support/message_schema.py` writes it; a test holds both equal.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from railspotter.club.messages import KINDS


def schema() -> dict[str, Any]:
    """Return the JSON Schema of all messages."""
    _, components = msgspec.json.schema_components(KINDS.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What Railspotter's tables tell over MQTT, and are told",
        "oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in KINDS.values()],
        "$defs": components,
    }


def schema_text() -> str:
    """Return the schema as its file's text."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"


if __name__ == "__main__":
    folder = Path(str(resources.files("railspotter.club").joinpath("schemas")))
    (folder / "messages.json").write_text(schema_text(), encoding="utf-8")

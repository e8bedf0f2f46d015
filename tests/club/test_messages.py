"""What is told, as its published schema has it, and topics that are none."""

from __future__ import annotations

import jsonschema
import pytest
from house.project import ROOT
from message_schema import schema, schema_text
from railspotter.club.messages import table_of


def test_the_published_schema_is_what_the_types_say() -> None:
    path = ROOT / "club" / "schemas" / "messages.json"
    assert path.read_text("utf-8") == schema_text(), "python tests/support/message_schema.py"
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize(
    "topic",
    [
        "club/v1/tables/Table 3/report",
        "club/v1/tables/table-3/report/more",
        "club/v1/tables/table-3/secrets",
        "club/v1/tables/../report",
        "club/v1/tables//report",
        "other/v1/tables/table-3/report",
    ],
)
def test_other_topics_are_nobodys(topic: str) -> None:
    assert table_of("club", topic) is None

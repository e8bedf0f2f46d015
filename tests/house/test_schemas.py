"""The published JSON Schemas are those of the types."""

import jsonschema
import pytest
from published_schemas import SCHEMAS, schema, schema_path, schema_text


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_published_schema_is_that_of_the_types(name: str) -> None:
    text = schema_path(name).read_text("utf-8")
    assert text == schema_text(name), "python tests/support/published_schemas.py"
    jsonschema.Draft202012Validator.check_schema(schema(name))

"""What a benchmark writes down as JSON may hold the program's sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import pytest
from railspotter.scoring.sentence import Sentence

from photos.json_text import to_json


@dataclass
class Refused:
    reason: str


def test_a_sentence_is_a_text_like_any_other() -> None:
    refused = Refused(Sentence("{side} is cut off", side="left"))
    assert to_json([asdict(refused)]) == b'[{"reason":"left is cut off"}]'
    assert to_json(refused) == b'{"reason":"left is cut off"}'


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="'object' is no JSON"):
        to_json([object()])

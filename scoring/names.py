"""What people call things: one rule for all names, whoever types them and whatever they name."""

import re
from typing import Annotated

import msgspec

# Line ends, other control characters, and marks that turn the direction of text around: a name
# with one of them breaks a table's lines, or shows as another name.
_INVISIBLE = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
INVISIBLE = re.compile(f"[{_INVISIBLE}]")
# The pattern of a text without any. Python's `$` alone would accept a final line end.
ONE_LINE = rf"^[^{_INVISIBLE}]*$(?!\n)"

Words = Annotated[str, msgspec.Meta(max_length=200, pattern=ONE_LINE)]
Title = Annotated[str, msgspec.Meta(max_length=80, pattern=ONE_LINE)]
ShortName = Annotated[str, msgspec.Meta(max_length=40, pattern=ONE_LINE)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=ONE_LINE)]

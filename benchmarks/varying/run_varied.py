"""Call a function of the program with one of its numbers changed.

    python benchmarks/varying/run_varied.py VARIANT MODULE:FUNCTION [ARGUMENT ...]

VARIANT is JSON: the module and name of a number, and `times` what or `to` what it is changed; with
neither it is put out of order, so that its first use ends the call. `{}` changes nothing. What the
function yields is printed as it comes, a line of JSON each; a last line says how it ended.
"""

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from varying.variants import DisabledNumberUsed, VariedImporter


def main() -> None:
    """Change the number, then import and call."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("variant", type=json.loads)
    parser.add_argument("call", metavar="MODULE:FUNCTION")
    parser.add_argument("arguments", nargs="*")
    asked = parser.parse_args()
    variant: dict[str, Any] = asked.variant
    if variant:
        change = None
        if "times" in variant:
            change = lambda value: value * variant["times"]  # noqa: E731
        elif "to" in variant:
            change = lambda _: variant["to"]  # noqa: E731
        sys.meta_path.insert(0, VariedImporter(variant["module"], variant["name"], change))
    module, _, function = asked.call.partition(":")
    ended = "done"
    try:
        for one in getattr(importlib.import_module(module), function)(*asked.arguments):
            print(json.dumps(one), flush=True)
    except DisabledNumberUsed:
        ended = "touched"
    except Exception as error:
        is_changed = not variant or {"times", "to"} & variant.keys()
        ended = f"{type(error).__name__}: {error}" if is_changed else "touched"
    print(json.dumps({"ended": ended}))


if __name__ == "__main__":
    main()

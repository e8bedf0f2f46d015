"""Importing the rules is quick: but for the graphs of networkx nothing heavy comes with them."""

import subprocess
import sys

HEAVY = ("numpy", "scipy", "cv2", "flask", "sqlite3")


def test_nothing_heavy_is_imported() -> None:
    program = f"import sys, railspotter.scoring; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"

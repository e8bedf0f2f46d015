"""Every benchmark starts."""

import subprocess
import sys

import pytest
from house.project import ROOT

BENCHMARKS = ROOT / "benchmarks"
SCRIPTS = sorted(
    str(path.relative_to(BENCHMARKS))
    for path in BENCHMARKS.rglob("*.py")
    if "__main__" in path.read_text("utf-8")
)


@pytest.mark.long
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_says_what_it_can_be_asked_for(script: str) -> None:
    asked = [sys.executable, str(BENCHMARKS / script), "--help"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert said.startswith("usage: ")

"""The firmware, built once for all tests that run it."""

from pathlib import Path

import pytest
from avr_rig import Built, build, build_decoder, missing_tools


@pytest.fixture(scope="session")
def _tools() -> None:
    if reason := missing_tools():
        pytest.skip(reason)


@pytest.fixture(scope="session")
def built(_tools: None, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("firmware"))


@pytest.fixture(scope="session")
def decoder(_tools: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_decoder(tmp_path_factory.mktemp("decoder"))

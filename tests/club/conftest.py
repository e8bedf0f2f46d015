"""A real broker, and a table that may tell it something."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mosquitto import Mosquitto, mosquitto
from phones import Table, table


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path / "broker") as broker:
        yield broker


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path / "table") as running:
        yield running

"""`play --mqtt`: what is said where it cannot be, and a demo that a broker hears of."""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec
import pytest
from mosquitto import Listener, mosquitto, wait_until
from phones import table
from railspotter.cli.telling import add_mqtt, open_publisher, table_id, table_name
from railspotter.table.errors import TableError


def options(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_mqtt(parser)
    return parser.parse_args(given)


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path / "home"))


def test_without_a_broker_nothing_is_told() -> None:
    with open_publisher(options()) as publisher:
        assert publisher is None


@pytest.mark.parametrize(
    "given",
    [
        ("--mqtt-commands",),
        ("--table", "3"),
        ("--mqtt", "broker"),
        ("--mqtt", "mqtts://b", "--mqtt-ca", "none.pem"),
    ],
)
def test_what_cannot_be_is_one_sentence(given: tuple[str, ...]) -> None:
    with pytest.raises(TableError) as refused, open_publisher(options(*given)):
        pass
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("text", ["", "!!", "x" * 41])
def test_what_is_no_name_of_a_table_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        table_name(text)


def test_a_table_is_called_by_the_brokers_user_where_nobody_named_it(tmp_path: Path) -> None:
    with (
        mosquitto(tmp_path / "broker") as broker,
        Listener(broker.port) as listener,
        table(tmp_path / "table") as running,
        open_publisher(options("--mqtt", f"mqtt://Table-3@127.0.0.1:{broker.port}/c")) as publisher,
    ):
        assert publisher is not None
        publisher.follow(running.live)
        wait_until(lambda: bool(listener.of("report")))
        told = msgspec.json.decode(listener.of("report")[0])
        assert (told["table"], told["name"]) == (table_id("Table 3"), "Table-3")
        assert (tmp_path / "home" / "mqtt" / "table-3.sqlite").exists()

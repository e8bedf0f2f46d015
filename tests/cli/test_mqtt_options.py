"""`play --mqtt`: what is said where it cannot be, and a demo that a broker hears of."""

import argparse
import unicodedata
from pathlib import Path

import msgspec
import pytest
from mosquitto import Listener, mosquitto
from phones import table
from railspotter.cli.mqtt_options import add_mqtt, open_publisher, table_id, table_name
from railspotter.club.messages import table_of, topic
from railspotter.scoring.sentence import StatedError
from waiting import until


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
    with pytest.raises(StatedError) as refused, open_publisher(options(*given)):
        pass
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("Tür 1", "Tör 1", "Tor 2"),
        ("Стол 1", "Стул 1", "1"),
        ("一号桌", "二号桌", "table"),
        ("Gleis 9¾", "Gleis 9½", "Gleis 9"),
        ("x" * 70, "x" * 71, "x" * 64),
    ],
)
def test_names_in_all_scripts_have_ids_that_differ(names: tuple[str, ...]) -> None:
    ids = [table_id(name) for name in names]
    assert len(set(ids)) == len(ids)
    for name, id in zip(names, ids, strict=True):
        assert table_of("club", topic("club", id, "report")) == (id, "report")
        written_otherwise = unicodedata.normalize("NFD", name).upper()
        assert table_id(written_otherwise) == id


def test_names_that_had_an_id_keep_it() -> None:
    names = ("Table 3", "raspberrypi", "table_3", "Ann's  corner - left")
    ids = ["table-3", "raspberrypi", "table-3", "ann-s-corner-left"]
    assert [table_id(table_name(name)) for name in names] == ids


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
        until(lambda: bool(listener.of("report")))
        told = msgspec.json.decode(listener.of("report")[0])
        assert (told["table"], told["name"]) == (table_id("Table 3"), "Table-3")
        assert (tmp_path / "home" / "mqtt" / "table-3.sqlite").exists()


def test_the_terminal_says_what_a_table_is_called_and_the_second_that_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []

    def has_said(words: str) -> bool:
        said.append(capsys.readouterr().err)
        return words in "".join(said)

    with mosquitto(tmp_path / "broker") as broker:
        given = options("--mqtt", f"mqtt://127.0.0.1:{broker.port}/c", "--table", "Tür 1")
        with open_publisher(given):
            until(lambda: has_said("is told"))
            assert has_said("this table's id at the broker is tur-1")
            monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path / "elsewhere"))
            with open_publisher(given):
                until(lambda: has_said("another railspotter tells of this table already"))

"""Addresses of brokers, and brokers that ask who is there."""

from pathlib import Path

import pytest
from mosquitto import mosquitto
from railspotter.club.broker import Connection, parse_broker
from railspotter.club.errors import BrokerError
from waiting import until


def test_an_address_is_read() -> None:
    plain = parse_broker("mqtt://broker.local")
    assert (plain.host, plain.port, plain.prefix) == ("broker.local", 1883, "railspotter")
    assert parse_broker("mqtt://[::1]:2000/a/b").name == "[::1]:2000"


@pytest.mark.parametrize(
    "text",
    ["broker", "http://broker", "mqtt://", "mqtt://b:99999", "mqtt://b/a/+/c", "mqtt://b/?x"],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BrokerError):
        parse_broker(text)


def test_a_password_stays_out_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BrokerError, match="RAILSPOTTER_MQTT_PASSWORD"):
        parse_broker("mqtt://ann:secret@broker")
    monkeypatch.setenv("RAILSPOTTER_MQTT_PASSWORD", "from there")
    assert parse_broker("mqtt://ann@broker").password == "from there"
    kept = tmp_path / "password"
    kept.write_text("from a file\n", "utf-8")
    address = parse_broker("mqtt://ann@broker", password_file=kept)
    assert address.password == "from a file"
    assert "from a file" not in repr(address)
    with pytest.raises(BrokerError, match="cannot be read"):
        parse_broker("mqtt://ann@broker", password_file=tmp_path / "none")


def test_a_broker_that_refuses_is_said_so(tmp_path: Path) -> None:
    with (
        mosquitto(tmp_path, "allow_anonymous false") as broker,
        Connection(parse_broker(broker.url), "nobody") as connection,
    ):
        until(lambda: "refuses" in connection.trouble)
        assert not connection.is_connected

"""A broker with passwords, rights and TLS, set up as docs/mqtt.md says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from house.project import ROOT
from mosquitto import Listener, Mosquitto, mosquitto, wait_until
from railspotter.club import parse_broker
from railspotter.club.broker import Connection

USERS = {"table-3": "three", "table-4": "four", "hall": "all", "guest": "look"}


def rights() -> str:
    """Return the list of rights that the page for hosts shows."""
    page = (ROOT / "docs" / "mqtt.md").read_text("utf-8")
    found = re.search(r"```acl\n(.*?)```", page, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture
def lines(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "acl").write_text(rights(), "utf-8")
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    for user, word in USERS.items():
        subprocess.run(
            ["mosquitto_passwd", "-b", str(passwords), user, word], check=True, capture_output=True
        )
    return (
        "user root",
        "allow_anonymous false",
        f"password_file {passwords}",
        f"acl_file {tmp_path / 'acl'}",
    )


def reached(broker: Mosquitto, user: str, topic: str, *, listener: str = "hall") -> bool:
    """Whether what somebody tells there is heard by somebody else."""
    password = broker.folder / f"{user}.txt"
    password.write_text(USERS[user], "utf-8")
    address = parse_broker(
        f"mqtt://{user}@127.0.0.1:{broker.port}/railspotter", password_file=password
    )
    with (
        Listener(broker.port, "railspotter/#", listener, USERS[listener]) as hears,
        Connection(address, f"test-{user}") as connection,
    ):
        wait_until(lambda: connection.is_connected)
        own = "railspotter/v1/tables/table-3/status"
        connection.publish(topic, b"{}")
        if user != "table-3":
            hears.client.publish("railspotter/v1/tables/x/commands", b"{}", qos=1)
            wait_until(lambda: "railspotter/v1/tables/x/commands" in [t for t, _, _ in hears.heard])
        else:
            connection.publish(own, b"last")
            wait_until(lambda: b"last" in [payload for _, payload, _ in hears.heard])
        return topic in [heard for heard, payload, _ in hears.heard if payload == b"{}"]


def test_a_table_writes_below_its_own_topic_only(tmp_path: Path, lines: tuple[str, ...]) -> None:
    with mosquitto(tmp_path / "broker", *lines) as broker:
        assert reached(broker, "table-3", "railspotter/v1/tables/table-3/report")
        assert not reached(broker, "table-3", "railspotter/v1/tables/table-4/report")
        assert not reached(broker, "table-3", "railspotter/v1/tables/table-4/commands")
        assert not reached(broker, "guest", "railspotter/v1/tables/table-3/report")
        assert not reached(broker, "guest", "railspotter/v1/tables/table-3/commands")


def test_a_wrong_password_is_refused(tmp_path: Path, lines: tuple[str, ...]) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("nonsense", "utf-8")
    with mosquitto(tmp_path / "broker", *lines) as broker:
        address = parse_broker(f"mqtt://table-3@127.0.0.1:{broker.port}", password_file=wrong)
        with Connection(address, "table-3") as connection:
            wait_until(lambda: "refuses" in connection.trouble)


# The client leaves the socket of a refused certificate to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_tls_is_spoken_with_a_broker_that_is_trusted_and_no_other(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = (
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    )
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    files = ("-keyout", str(key), "-out", str(certificate))
    subprocess.run(
        ["openssl", *made.split(), "-addext", names, *files], check=True, capture_output=True
    )
    lines = ("user root", "allow_anonymous true", f"certfile {certificate}", f"keyfile {key}")
    with mosquitto(tmp_path / "broker", *lines) as broker:
        url = f"mqtts://127.0.0.1:{broker.port}"
        with Connection(parse_broker(url, trusted=certificate), "trusting") as connection:
            wait_until(lambda: connection.is_connected)
        with Connection(parse_broker(url), "doubting") as connection:
            wait_until(lambda: "cannot be reached" in connection.trouble)
            assert not connection.is_connected

"""A broker with passwords, rights and TLS, set up as docs/mqtt.md says."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from house.project import ROOT
from mosquitto import Listener, Mosquitto, has_sent_all, mosquitto
from phones import Table, table
from railspotter.club.broker import BrokerAddress, Connection, parse_broker
from railspotter.club.outbox import ANOTHER, Outbox
from railspotter.club.publisher import Publisher
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log.course_facts import TurnMarked
from railspotter.table.live_table.commands import AddFacts
from waiting import until

USERS = {"table-3": "three", "table-4": "four", "hall": "all", "guest": "look"}


def file_of_the_page(kind: str) -> str:
    """Return a file as the page for hosts shows it."""
    page = (ROOT / "docs" / "mqtt.md").read_text("utf-8")
    found = re.search(rf"```{kind}\n(.*?)```", page, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Mosquitto]:
    """The page's broker, in another folder and on another port."""
    (tmp_path / "acl").write_text(file_of_the_page("acl"), "utf-8")
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    for user, word in USERS.items():
        (tmp_path / f"{user}.txt").write_text(word, "utf-8")
        subprocess.run(
            ["mosquitto_passwd", "-b", str(passwords), user, word], check=True, capture_output=True
        )
    conf = file_of_the_page("conf").replace("/etc/mosquitto", str(tmp_path))
    listener, *lines = conf.splitlines()
    assert listener == "listener 1883"
    with mosquitto(tmp_path / "broker", *lines, "user root") as broker:
        yield broker


def address(broker: Mosquitto, user: str) -> BrokerAddress:
    return parse_broker(
        f"mqtt://{user}@127.0.0.1:{broker.port}/railspotter",
        password_file=broker.folder.parent / f"{user}.txt",
    )


def reached(broker: Mosquitto, user: str, topic: str) -> bool:
    """Whether what somebody tells there is heard by who may hear everything."""
    sent: list[int] = []
    listener = "guest" if user == "hall" else "hall"
    with (
        Listener(broker.port, "railspotter/#", listener, USERS[listener]) as hears,
        Connection(address(broker, user), f"test-{user}", on_sent=sent.append) as told,
        Connection(address(broker, "table-4"), "afterwards") as other,
    ):
        until(lambda: told.is_connected and other.is_connected)
        number = told.publish(topic, b"told")
        until(lambda: number in sent)
        other.publish("railspotter/v1/tables/table-4/report", b"afterwards")
        until(
            lambda: (
                hears.heard[-1:] == [("railspotter/v1/tables/table-4/report", b"afterwards", False)]
            )
        )
        return (topic, b"told", False) in hears.heard


def test_a_table_tells_of_itself_alone_and_who_looks_on_tells_nothing(club: Mosquitto) -> None:
    tables = "railspotter/v1/tables"
    assert reached(club, "table-3", f"{tables}/table-3/status")
    assert reached(club, "table-3", f"{tables}/table-3/events")
    assert not reached(club, "table-3", f"{tables}/table-4/report")
    assert not reached(club, "table-3", f"{tables}/table-4/commands")
    for kind in ("status", "report", "events", "commands"):
        assert not reached(club, "guest", f"{tables}/table-3/{kind}")
        assert not reached(club, "guest", f"{tables}/guest/{kind}")
    assert not reached(club, "hall", f"{tables}/hall/report")
    assert reached(club, "hall", f"{tables}/table-3/commands")


@contextmanager
def told(
    broker: Mosquitto, running: Table, folder: Path, said: list[Sentence]
) -> Iterator[Publisher]:
    with (
        Outbox(folder / "outbox.sqlite") as outbox,
        Publisher(
            address(broker, "table-3"), outbox, table="table-3", name="Table 3", say=said.append
        ) as publisher,
    ):
        publisher.follow(running.live)
        yield publisher


def test_nobody_takes_a_tables_place_at_the_broker(
    club: Mosquitto, running: Table, tmp_path: Path
) -> None:
    with (
        Listener(club.port, "railspotter/#", "hall", USERS["hall"]) as hall,
        told(club, running, tmp_path / "outbox", []) as publisher,
    ):
        until(lambda: has_sent_all(publisher) and bool(hall.of("report")))
        known = publisher._connection._client._client_id.decode()
        for id in ("railspotter-table-3", "table-3", known):
            with Connection(address(club, "guest"), id) as guest:
                until(lambda: guest.is_connected)
        assert publisher._connection.is_connected
        hall.tell("railspotter/v1/tables/table-4/commands", b"{}")
        until(lambda: bool(hall.of("commands")))
        assert b'"offline"' not in b"".join(hall.of("status"))


def test_of_two_computers_with_one_user_the_second_is_told(
    club: Mosquitto, running: Table, tmp_path: Path
) -> None:
    said: tuple[list[Sentence], list[Sentence]] = ([], [])
    with (
        table(tmp_path / "other") as other,
        Listener(club.port, "railspotter/#", "hall", USERS["hall"]) as hall,
        told(club, running, tmp_path / "first", said[0]) as first,
    ):
        until(lambda: has_sent_all(first))
        with told(club, other, tmp_path / "second", said[1]):
            until(lambda: ANOTHER in said[1])
            assert ANOTHER not in said[0]
        running.live.execute(AddFacts([TurnMarked("bob")]))
        until(lambda: has_sent_all(first) and hall.of("status")[-1] == first._status("online"))


def test_a_wrong_password_is_refused(club: Mosquitto, tmp_path: Path) -> None:
    (tmp_path / "table-3.txt").write_text("nonsense", "utf-8")
    with Connection(address(club, "table-3"), "table-3") as connection:
        until(lambda: "refuses" in connection.trouble)


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
            until(lambda: connection.is_connected)
        with Connection(parse_broker(url), "doubting") as connection:
            until(lambda: "cannot be reached" in connection.trouble)
            assert not connection.is_connected

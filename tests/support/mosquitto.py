"""A real broker, mosquitto, on a port of this computer, which tests start, kill and start again."""

import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from railspotter.club.publisher import Publisher
from waiting import until

SBIN = Path("/usr/sbin/mosquitto")
PATIENCE_S = 20.0


def binary() -> str:
    found = shutil.which("mosquitto") or (str(SBIN) if SBIN.exists() else None)
    if found is None:
        pytest.skip("mosquitto is not here: sudo apt install mosquitto")
    return found


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@dataclass
class Mosquitto:
    """A broker in a folder of its own; what it has to keep is lost when it is killed."""

    folder: Path
    lines: Sequence[str] = ("allow_anonymous true",)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        config = self.folder / "mosquitto.conf"
        config.write_text("\n".join((f"listener {self.port} 127.0.0.1", *self.lines, "")), "utf-8")
        with (self.folder / "mosquitto.log").open("ab") as log:
            self.process = subprocess.Popen(
                [binary(), "-c", str(config)], stdout=log, stderr=subprocess.STDOUT
            )
        until(self._answers)

    def _answers(self) -> bool:
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}/club"


@contextmanager
def mosquitto(folder: Path, *lines: str) -> Iterator[Mosquitto]:
    """Run a broker; without lines of its own it lets everybody do everything."""
    folder.mkdir(parents=True, exist_ok=True)
    broker = Mosquitto(folder, lines or ("allow_anonymous true",))
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


class Listener:
    """Somebody who hears all that is told, and may tell something.

    `heard` has topic, payload and whether the broker had kept it.
    """

    def __init__(
        self, port: int, wanted: str = "#", user: str | None = None, word: str | None = None
    ) -> None:
        self.heard: list[tuple[str, bytes, bool]] = []
        self.refused: str | None = None
        self.client = Client(CallbackAPIVersion.VERSION2)
        if user is not None:
            self.client.username_pw_set(user, word)
        self.client.reconnect_delay_set(1, 1)

        def connected(client: Client, *_: object) -> None:
            client.subscribe(wanted, qos=1)

        def message(client: Client, data: object, message: MQTTMessage) -> None:
            self.heard.append((message.topic, bytes(message.payload), message.retain))

        self.client.on_connect = connected
        self.client.on_message = message
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        until(self.client.is_connected)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def of(self, kind: str) -> list[bytes]:
        """Return what was told in topics that end so."""
        return [payload for topic, payload, _ in list(self.heard) if topic.endswith(f"/{kind}")]

    def tell(self, topic: str, payload: bytes, *, is_kept: bool = False) -> None:
        self.client.publish(topic, payload, qos=1, retain=is_kept).wait_for_publish(PATIENCE_S)


def has_sent_all(publisher: Publisher) -> bool:
    """Tell whether the broker has acknowledged all events so far."""
    followed = publisher._followed
    is_kept = followed is None or followed.seen == len(followed.table.log.state.events)
    return is_kept and not publisher._in_flight and not publisher._outbox.unsent(1)

"""A broker: how its address is written, and a connection to it that comes back by itself."""

from __future__ import annotations

import logging
import os
import re
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.table.worker import Closable

from .errors import BrokerError

LOG = logging.getLogger(__name__)

# The variable of the environment that has the password: a command line is read by everybody.
PASSWORD_VARIABLE = "RAILSPOTTER_MQTT_PASSWORD"  # noqa: S105  # a name
PORTS = {"mqtt": 1883, "mqtts": 8883}
PREFIX = "railspotter"
_PART = re.compile(r"[^/+#\x00-\x1f]+")

# Seconds of silence after which both ends ask whether the other is there: a broker tells of a table
# whose plug was pulled after one and a half times that.
ALIVE_S = 20
# A connection that the broker ends within so many seconds was too short to be of use.
SHORT_S = 10.0
FIRST_S, LAST_S = 1, 30  # seconds between two tries to connect: at first, and at most
# Messages that are sent without an answer of the broker's to the first of them.
MOST_IN_FLIGHT = 100
_TAKEN = (MQTTErrorCode.MQTT_ERR_SUCCESS, MQTTErrorCode.MQTT_ERR_NO_CONN)


@dataclass(frozen=True)
class BrokerAddress:
    """Where a broker is, and who speaks to it."""

    host: str
    port: int
    prefix: str = PREFIX  # what all topics begin with
    user: str | None = None
    password: str | None = field(default=None, repr=False)  # never shown
    is_secure: bool = False
    trusted: Path | None = None  # a file of certificates to trust beside the computer's own

    @property
    def name(self) -> str:
        """What a person calls it: `broker.local:1883`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_broker(
    text: str, *, password_file: Path | None = None, trusted: Path | None = None
) -> BrokerAddress:
    """Read `mqtt[s]://user@host[:port]/prefix`.

    The password comes from a file, or from the environment; one that is written into the address
    is refused, for everybody on the computer can read it there: raises `BrokerError`.

    Examples
    --------
    >>> parse_broker("mqtts://table-3@broker.local/club/friday")
    BrokerAddress(host='broker.local', port=8883, prefix='club/friday', user='table-3', \
is_secure=True, trusted=None)
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in PORTS or not parts.hostname or parts.query or parts.fragment:
        raise BrokerError("a broker is written mqtt://USER@HOST:PORT/PREFIX, or mqtts:// with TLS")
    if parts.password is not None:
        raise BrokerError(
            "leave the password out of the broker's address: put it into {name}, or a file",
            name=PASSWORD_VARIABLE,
        )
    prefix = unquote(parts.path.strip("/")) or PREFIX
    if not all(_PART.fullmatch(part) for part in prefix.split("/")):
        raise BrokerError("{prefix!r} cannot be the beginning of topics", prefix=prefix)
    if trusted is not None and not trusted.is_file():
        raise BrokerError("there is no file of certificates {path}", path=str(trusted))
    return BrokerAddress(
        parts.hostname,
        port or PORTS[parts.scheme],
        prefix,
        unquote(parts.username) if parts.username else None,
        _password(password_file),
        parts.scheme == "mqtts",
        trusted,
    )


def _password(file: Path | None) -> str | None:
    if file is None:
        return os.environ.get(PASSWORD_VARIABLE)
    try:
        return read_bounded(file).decode().strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokerError("the password cannot be read from {path}", path=str(file)) from error


class Connection(Closable):
    """A connection to a broker while its `with` block runs; it is made again whenever it breaks.

    Two that bear one `client_id` throw each other out; some brokers put the user in its place. What
    is called back runs in the connection's own thread and has to be quick: `on_message` is handed
    topic, payload, and whether the broker had kept it, `on_sent` the number that `publish` gave,
    once the broker has the message. `will` is the topic and the payload of what the broker says for
    a client that is gone without a word; it stays there.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        client_id: str,
        *,
        subscribed: tuple[str, ...] = (),
        will: tuple[str, bytes] | None = None,
        on_connected: Callable[[], None] = lambda: None,
        on_message: Callable[[str, bytes, bool], None] = lambda topic, payload, kept: None,
        on_sent: Callable[[int], None] = lambda number: None,
    ) -> None:
        self.broker = broker
        self.trouble: Sentence = Sentence("connecting to the broker {name}", name=broker.name)
        # How many connections in a row the broker has ended as soon as they were there.
        self.short = 0
        # Since when the broker hears; None while it does not.
        self.since_s: float | None = None
        self._subscribed = subscribed
        self._on_connected, self._on_message, self._on_sent = on_connected, on_message, on_sent
        client = Client(CallbackAPIVersion.VERSION2, client_id=client_id)
        if broker.user is not None:
            client.username_pw_set(broker.user, broker.password)
        if broker.is_secure:
            client.tls_set_context(_trusting(broker))
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        client.max_inflight_messages_set(MOST_IN_FLIGHT)
        client.reconnect_delay_set(FIRST_S, LAST_S)
        client.on_connect = self._connected
        client.on_connect_fail = self._not_reached
        client.on_disconnect = self._disconnected
        client.on_message = self._heard
        client.on_publish = self._published
        self._client = client

    def __enter__(self) -> Connection:
        self._client.connect_async(self.broker.host, self.broker.port, keepalive=ALIVE_S)
        self._client.loop_start()
        return self

    def close(self) -> None:
        """Say goodbye, which keeps the last will from being told, and end the thread."""
        self._client.disconnect()
        self._client.loop_stop()

    @property
    def is_connected(self) -> bool:
        """Whether the broker hears now."""
        return self.since_s is not None and self._client.is_connected()

    def publish(self, topic: str, payload: bytes, *, is_kept: bool = False) -> int | None:
        """Hand a message over, to be sent until the broker has it; return its number.

        None where it was not taken over. While the connection is broken it waits for the next.
        """
        sent = self._client.publish(topic, payload, qos=1, retain=is_kept)
        return sent.mid if sent.rc in _TAKEN else None

    def publish_last(self, topic: str, payload: bytes, wait_s: float) -> None:
        """Have the broker keep a last message; wait for so long until it has it."""
        sent = self._client.publish(topic, payload, qos=1, retain=True)
        with suppress(RuntimeError, ValueError):  # it was not taken over
            sent.wait_for_publish(wait_s)

    def _connected(
        self, client: Client, data: object, flags: object, reason: ReasonCode, more: object
    ) -> None:
        if reason.is_failure:
            self.trouble = Sentence(
                "the broker {name} refuses: {why}", name=self.broker.name, why=str(reason).lower()
            )
            return
        self.trouble = NOTHING
        for topic in self._subscribed:
            client.subscribe(topic, qos=1)
        self.since_s = time.monotonic()
        self._on_connected()

    def _not_reached(self, client: Client, data: object) -> None:
        self.trouble = Sentence(
            "the broker {name} cannot be reached: trying again", name=self.broker.name
        )

    def _disconnected(
        self, client: Client, data: object, flags: object, reason: object, more: object
    ) -> None:
        since_s, self.since_s = self.since_s, None
        if since_s is not None:  # what the broker refused for says more
            self.short = self.short + 1 if time.monotonic() - since_s < SHORT_S else 0
            self._not_reached(client, data)

    def _heard(self, client: Client, data: object, message: MQTTMessage) -> None:
        try:
            self._on_message(message.topic, bytes(message.payload), message.retain)
        except Exception:
            # One message that nobody understands ends no connection.
            LOG.exception("a message cannot be taken in")

    def _published(
        self, client: Client, data: object, number: int, reason: object, more: object
    ) -> None:
        self._on_sent(number)


def _trusting(broker: BrokerAddress) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if broker.trusted is not None:
        try:
            context.load_verify_locations(broker.trusted)
        except (OSError, ssl.SSLError) as error:
            raise BrokerError("{path} holds no certificates", path=str(broker.trusted)) from error
    return context

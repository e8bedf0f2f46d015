"""MQTT brokers: parsing their addresses, and a connection that reconnects by itself."""

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
from railspotter.scoring.json_text import decode_text
from railspotter.scoring.sentence import NOTHING, Sentence, raised_as
from railspotter.table.worker import Closable

from .errors import BrokerError

LOG = logging.getLogger(__name__)

# The environment variable with the password: everybody can read a command line.
PASSWORD_VARIABLE = "RAILSPOTTER_MQTT_PASSWORD"  # noqa: S105  # a name
PORTS = {"mqtt": 1883, "mqtts": 8883}
PREFIX = "railspotter"
UNREADABLE = Sentence("the password cannot be read from {path}")
NO_CERTIFICATES = Sentence("{path} holds no certificates")
_PART = re.compile(r"[^/+#\x00-\x1f]+")

# The MQTT keepalive: a broker publishes the last will of an unplugged table after 1.5 times that.
KEEPALIVE_S = 20
# A connection that the broker ends within this time counts as short.
SHORT_S = 10.0
FIRST_S, LAST_S = 1, 30  # the reconnect delay: the first one, and the longest
# Messages sent without an acknowledgement from the broker.
MOST_IN_FLIGHT = 100
_ACCEPTED = (MQTTErrorCode.MQTT_ERR_SUCCESS, MQTTErrorCode.MQTT_ERR_NO_CONN)


@dataclass(frozen=True)
class BrokerAddress:
    """The address of a broker and the credentials for it."""

    host: str
    port: int
    prefix: str = PREFIX  # what all topics begin with
    user: str | None = None
    password: str | None = field(default=None, repr=False)  # never shown
    is_secure: bool = False
    trusted: Path | None = None  # a file of certificates to trust beside the computer's own

    @property
    def name(self) -> str:
        """Host and port for messages: `broker.local:1883`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_broker(
    text: str, *, password_file: Path | None = None, trusted: Path | None = None
) -> BrokerAddress:
    """Parse `mqtt[s]://user@host[:port]/prefix`; raise `BrokerError` for anything else.

    The password comes from a file or from the environment. One in the address is refused, because
    everybody on the computer could read it there.

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
    with raised_as(BrokerError, (OSError, UnicodeDecodeError), UNREADABLE, path=str(file)):
        return decode_text(read_bounded(file)).strip("\r\n")


class Connection(Closable):
    """A connection to a broker while its `with` block runs; it reconnects whenever it breaks.

    Two clients with one `client_id` disconnect each other; some brokers use the user name instead.
    The callbacks run in the connection's own thread and have to be quick: `on_message` gets topic,
    payload, and whether the message was retained; `on_sent` gets the number that `publish`
    returned, once the broker has acknowledged the message. `will` is the topic and the payload of
    the last will, which the broker publishes, retained, when the client vanishes.
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
        self.short_connections = 0  # how many in a row
        self.connected_at_s: float | None = None  # None while disconnected
        self._subscribed = subscribed
        self._on_connected, self._on_message, self._on_sent = on_connected, on_message, on_sent
        client = Client(CallbackAPIVersion.VERSION2, client_id=client_id)
        if broker.user is not None:
            client.username_pw_set(broker.user, broker.password)
        if broker.is_secure:
            client.tls_set_context(_ssl_context(broker))
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        client.max_inflight_messages_set(MOST_IN_FLIGHT)
        client.reconnect_delay_set(FIRST_S, LAST_S)
        client.on_connect = self._on_connect
        client.on_connect_fail = self._on_connect_failed
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_received
        client.on_publish = self._on_published
        self._client = client

    def __enter__(self) -> "Connection":
        self._client.connect_async(self.broker.host, self.broker.port, keepalive=KEEPALIVE_S)
        self._client.loop_start()
        return self

    def close(self) -> None:
        """Disconnect cleanly, so that the last will is not published, and end the thread."""
        self._client.disconnect()
        self._client.loop_stop()

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection to the broker now."""
        return self.connected_at_s is not None and self._client.is_connected()

    def publish(self, topic: str, payload: bytes, *, is_kept: bool = False) -> int | None:
        """Queue a message until the broker acknowledges it; return its number, None if refused.

        While disconnected the message waits for the next connection.
        """
        sent = self._client.publish(topic, payload, qos=1, retain=is_kept)
        return sent.mid if sent.rc in _ACCEPTED else None

    def publish_last(self, topic: str, payload: bytes, wait_s: float) -> None:
        """Publish a retained message, and wait up to `wait_s` for its acknowledgement."""
        sent = self._client.publish(topic, payload, qos=1, retain=True)
        with suppress(RuntimeError, ValueError):  # the client did not accept it
            sent.wait_for_publish(wait_s)

    def _on_connect(
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
        self.connected_at_s = time.monotonic()
        self._on_connected()

    def _on_connect_failed(self, client: Client, data: object) -> None:
        self.trouble = Sentence(
            "the broker {name} cannot be reached: trying again", name=self.broker.name
        )

    def _on_disconnect(
        self, client: Client, data: object, flags: object, reason: object, more: object
    ) -> None:
        connected_at_s, self.connected_at_s = self.connected_at_s, None
        if connected_at_s is not None:  # otherwise keep the broker's reason for refusing
            is_short = time.monotonic() - connected_at_s < SHORT_S
            self.short_connections = self.short_connections + 1 if is_short else 0
            self._on_connect_failed(client, data)

    def _on_received(self, client: Client, data: object, message: MQTTMessage) -> None:
        try:
            self._on_message(message.topic, bytes(message.payload), message.retain)
        except Exception:
            # A malformed message must not end the connection.
            LOG.exception("a message cannot be taken in")

    def _on_published(
        self, client: Client, data: object, number: int, reason: object, more: object
    ) -> None:
        self._on_sent(number)


def _ssl_context(broker: BrokerAddress) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if broker.trusted is not None:
        with raised_as(BrokerError, OSError, NO_CERTIFICATES, path=str(broker.trusted)):
            context.load_verify_locations(broker.trusted)
    return context

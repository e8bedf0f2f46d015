"""Many tables: what a table tells a broker, so that a club, a cafe or a smart home hears of it."""

from .broker import BrokerAddress, parse_broker
from .errors import BrokerError, ClubError, OutboxError
from .messages import Command, Report, Status, TableEvent, topic
from .outbox import Outbox
from .publisher import Publisher
from .schema import schema

__all__ = [
    "BrokerAddress",
    "BrokerError",
    "ClubError",
    "Command",
    "Outbox",
    "OutboxError",
    "Publisher",
    "Report",
    "Status",
    "TableEvent",
    "parse_broker",
    "schema",
    "topic",
]

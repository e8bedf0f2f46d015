"""The hall's services for its calls: the listener, the feed and the log."""

from dataclasses import dataclass
from typing import Self

from railspotter.club.broker import BrokerAddress
from railspotter.club.hall.hall_log import HallLog
from railspotter.club.hall.listening import HallListener
from railspotter.table.worker import Closable

from ..access.roles import new_token
from ..sessions.services import Needs, PageContext
from .feed import HallFeed

MOST_EVENTS = 200  # the newest events of a table that its sheet shows


class HallSession(Closable):
    """Listens to all tables of a broker while its `with` block runs; the log must be open."""

    def __init__(self, broker: BrokerAddress, log: HallLog) -> None:
        self.feed, self.log = HallFeed(), log
        self.listener = HallListener(
            broker,
            log,
            self.feed.take,
            client_id=f"railspotter-hall-{new_token()[:8]}",  # brokers disconnect a duplicate id
        )

    def __enter__(self) -> Self:
        self.listener.__enter__()
        return self

    def close(self) -> None:
        """Stop listening, and end all streams."""
        self.feed.close()
        self.listener.close()


@dataclass(frozen=True)
class HallServices(PageContext):
    """The context of the hall's pages."""

    hall: HallSession

    @property
    def offers(self) -> frozenset[Needs]:
        """What the hall's pages can serve."""
        return super().offers | {Needs.HALL}

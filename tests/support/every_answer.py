"""All that a running game tells a phone, as texts that are the same in games that look alike."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from phones import Phone, Table

BUSY_STATUS, RETRY_S = 503, 0.5
LISTS = ("/games", "/people")  # read for a moment at a time: they say what is still unread
# Pictures, tokens, and a stream without an end: what it sends is made of the state.
EXCLUDED_PATHS = re.compile(
    r"/(events|camera\.\w+|codes|frames|invitation|openapi.json)$|crop\.jpg|/bundle|calibration"
)
TIME_PATTERN = re.compile(r'"(\w*_s|seconds)":\s*-?[\d.e+-]+|\d{4}-\d\d-\d\dT[\d:.+Z]+')
NUMBER = re.compile(r'"number":\s*(\d+)')


@dataclass(frozen=True)
class EveryAnswer:
    """The answers of a game's server to all GET calls of its own description."""

    running: Table
    seats: Sequence[str]
    first_number: int  # the state's number from which it is counted; the first is a time

    @staticmethod
    def of(running: Table, seats: Sequence[str]) -> "EveryAnswer":
        """Begin to count the states of a game whose phones are there."""
        return EveryAnswer(running, seats, int(running.phone().state()["number"]))

    def paths(self) -> Iterator[str]:
        """Yield all API paths, with every value of their parameters."""
        names = {
            "seat": self.seats,
            "id": (self.running.log.id,),
            "format": ("jsonl", "csv", "game"),
            "seq": ("1", "2", "3"),
        }
        for path, calls in self.running.phone().get("/openapi.json").json["paths"].items():
            if "get" not in calls or EXCLUDED_PATHS.search(path):
                continue
            filled = [path]
            while (missing := re.search(r"\{(\w+)\}", filled[0])) is not None:
                filled = [
                    one.replace(missing[0], value)
                    for one in filled
                    for value in names.get(missing[1], ("nothing",))
                ]
            yield from filled
            if path.endswith("/payments"):
                routes = [route.id for route in self.running.log.state.table.board.routes[:3]]
                yield from (f"{one}?kind=route&about={r}" for one in filled for r in routes)
        yield "/log?after=1"

    def to(self, role: str, phone: Phone) -> Iterator[tuple[str, str]]:
        """Yield each answer to a phone: by whom what was asked, and the text."""
        for path in self.paths():
            # A past game is read for a moment at a time; a busy machine says to ask again.
            while (answer := phone.get(path)).status == BUSY_STATUS or (
                path in LISTS and answer.status == 200 and answer.json["unread"]
            ):
                time.sleep(RETRY_S)
            text = f"{answer.status} {answer.content.decode('utf-8', 'replace')}"
            yield f"{role}: {path.replace(self.running.log.id, 'GAME')}", self.normalise(text)
        with phone.stream() as stream:
            yield f"{role}: the stream", self.normalise(str(stream.next("state")[2]))

    def normalise(self, text: str) -> str:
        """Return a text without what differs between any two games."""
        # Times first: a port's digits can stand in the middle of one.
        text = TIME_PATTERN.sub("TIME", text.replace("'", '"'))
        text = text.replace(self.running.log.id, "GAME")
        text = re.sub(rf"\b{self.running.page.server.port}\b", "PORT", text)
        return NUMBER.sub(lambda found: f'"number": +{int(found[1]) - self.first_number}', text)


def differences(here: dict[str, str], there: dict[str, str]) -> list[str]:
    """Return what differs between the answers of two games, each with where it first does."""
    return [
        f"{what}: {_first_difference(here.get(what, ''), there.get(what, ''))}"
        for what in dict.fromkeys((*here, *there))
        if here.get(what) != there.get(what)
    ]


def _first_difference(one: str, other: str) -> str:
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return f"{one[max(0, at - 60) : at + 60]!r} | {other[at : at + 60]!r}"

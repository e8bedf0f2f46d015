"""A phone becomes a host's by the number on the computer's screen, or by a host's word."""

from dataclasses import replace
from pathlib import Path

import pytest
from no_limits import no_limits, quiet
from phones import Phone, Table, never
from railspotter.webui.access.becoming_host import (
    ASK_TIMEOUT_S,
    MOST_ASKING,
    MOST_WRONG,
    BecomingHost,
)
from railspotter.webui.access.limits import Limits, Settings
from railspotter.webui.served_pages import TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from waiting import until

# A request that a proxy on this computer passes on is nobody's at this computer.
ELSEWHERE = {"X_Forwarded_For": "192.0.2.7"}


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def wrong(number: str) -> str:
    return f"{(int(number) + 1) % 10_000:04}"


def test_requests_are_few_and_forgotten_when_nobody_answers() -> None:
    clock = Clock()
    becoming = BecomingHost(clock)
    assert all(becoming.ask(f"phone {n}", "Tom") for n in range(MOST_ASKING))
    assert not becoming.ask("one more", "Tom")
    assert becoming.ask("phone 1", "Thomas"), "its own request again is no further one"
    (first, *_, last) = becoming.waiting()
    assert (last.cookie_hash, last.name) == ("phone 1", "Thomas")
    assert becoming.answer(first.id, "no") is not None
    assert becoming.answer(first.id, "yes") is None, "the first answer wins"
    clock.now_s += ASK_TIMEOUT_S
    assert becoming.waiting() == ()
    assert becoming.answer(last.id, "yes") is None


@pytest.fixture
def said() -> list[str]:
    return []


def test_the_first_phone_types_the_number_and_later_ones_do_not(
    home: Path, said: list[str]
) -> None:
    clock = Clock()
    rates = {**no_limits().settings.rates, "number": Settings().rates["number"]}
    options = replace(quiet(said.append), limits=Limits(Settings(rates=rates), clock))
    with TablePage(home, options, PhotoReading(never)) as page:
        computer, phone = Phone(page.server.port), Phone(page.server.port)
        shown = computer.get("/host").json
        assert shown == {**shown, "has_host": False, "is_here": True}
        number = shown["number"]
        assert any(number in line for line in said), "a bare computer's log shows it too"
        assert phone.get("/host", **ELSEWHERE).json["number"] is None
        for text in ("47x1", "47112", ""):
            assert phone.post("/host", {"number": text}, **ELSEWHERE).status == 400
        assert phone.post("/host", {}, **ELSEWHERE).refusal == (403, "old")

        def tried(number: str) -> tuple[int, str]:
            return phone.post("/host", {"number": number}, **ELSEWHERE).refusal

        for _ in range(MOST_WRONG):
            assert computer.get("/host").json["number"] == number
            assert tried(wrong(number)) == (403, "old")
        other = computer.get("/host").json["number"]
        assert other in said[-1], "the new one is shown"
        assert tried(other) == (429, "too often"), "too early, though it is right"
        clock.now_s += 60
        assert tried(wrong(other)) == (403, "old")
        assert tried(other) == (429, "too often"), "each further one costs a minute"
        clock.now_s += 60
        number = computer.get("/host").json["number"]
        assert phone.post("/host", {"number": number}, **ELSEWHERE).json["is_host"]
        assert phone.get("/you").json["is_host"]
        assert computer.get("/host").json["number"] is None
        late = Phone(page.server.port)
        late.post("/host", {"number": number}, **ELSEWHERE)
        assert not late.get("/you").json["is_host"]
        assert computer.post("/host").json["is_host"], "who sits at the computer has its terminal"


def test_a_hosts_phone_lets_another_be_one_too(running: Table) -> None:
    host, tom = running.host(), running.joined()
    assert running.phone().post("/host/requests", {"name": "Eve"}).status == 401
    assert tom.get("/host").json["asked"] is None
    with host.stream() as stream:
        assert tom.post("/host/requests", {"name": "Tom"}).json["asked"] == "waiting"
        assert stream.next("paired")
    (asking,) = host.get("/you").json["asking"]
    assert asking["name"] == "Tom"
    assert tom.get("/you").json["asking"] == []
    path = f"/host/requests/{asking['id']}"
    assert tom.post(path, {"said": "yes"}).refusal == (403, "not your role")
    assert host.post(path, {"said": "no"}).status == 200
    assert tom.get("/host").json["asked"] == "no"
    assert not tom.get("/you").json["is_host"]

    assert tom.post("/host/requests", {"name": "Tom"}).status == 200
    (asking,) = host.get("/you").json["asking"]
    path = f"/host/requests/{asking['id']}"
    assert host.post(path, {"said": "yes"}).status == 200
    assert host.post(path, {"said": "no"}).refusal == (409, "answered")
    assert tom.get("/you").json["is_host"]
    until(lambda: tom.post("/seat", {"seat": "ann"}).status == 200)
    assert tom.get("/hand").json["tickets"] == []

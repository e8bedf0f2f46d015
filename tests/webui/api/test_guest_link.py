"""The guest link: it shows what every guest sees, changes nothing, and can be taken back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from phones import Phone, Table, table
from railspotter.table.game_log.game_store import PAIRING
from railspotter.webui.access.phone_access import LETTERS, LINK_LETTERS

LOOKING = ("/state", "/you", "/board", "/deck", "/log", "/export/jsonl")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("home")) as running:
        yield running


def link_of(host: Phone) -> str:
    """Have the host make a link; return its token."""
    answer = host.post("/guest-link")
    assert answer.status == 200
    address, _, token = answer.json["screen"]["url"].partition("#guest=")
    assert address.endswith("/screen")
    assert answer.json["overlay"]["url"] == f"{address.removesuffix('screen')}overlay#guest={token}"
    assert answer.json["screen"]["svg"].startswith("<svg")
    assert len(token) == LINK_LETTERS
    assert set(token) <= set(LETTERS)
    return str(token)


def test_the_host_gives_it_out(running: Table) -> None:
    host = running.host()
    assert not host.get("/guest-link").json["is_out"]
    assert "screen" not in host.get("/guest-link").json
    token = link_of(host)
    shown = host.get("/guest-link").json
    assert shown["is_out"]
    assert shown["screen"]["url"].endswith(f"#guest={token}"), "the same one is shown again"


def test_it_looks_on_as_a_guest_and_changes_nothing(running: Table) -> None:
    host, ann = running.host(), running.player("ann")
    token = link_of(host)
    assert ann.post("/hand", {"a": "calgary", "b": "phoenix"}).status == 200
    for phone in (running.phone(), host, ann):
        for path in LOOKING:
            assert phone.get(f"{path}?guest={token}").status == 200, path
        you = phone.get(f"/you?guest={token}").json
        assert (you["role"], you["seat"], you["is_host"]) == ("guest", None, False)
        assert phone.get(f"/hand?guest={token}").status == 401
        assert phone.post(f"/pause?guest={token}").status == 403
    assert ann.get("/you").json["seat"] == "ann"
    assert len(ann.get("/hand").json["tickets"]) == 1


def test_taken_back_or_made_anew_it_ends_what_looks_on(running: Table) -> None:
    host = running.host()
    for method in ("POST", "DELETE"):
        token = link_of(host)
        with running.phone().stream(query=f"?guest={token}") as stream:
            assert stream.next()[0] == "state"
            assert host.ask(method, "/guest-link").status == 200
            while stream.response.readline():
                pass  # what was on its way
        assert running.phone().get(f"/state?guest={token}").refusal == (403, "old")
    assert running.phone().get("/state").status == 200, "who comes by the address looks on as ever"
    for wrong in ("", "abcdefghjk", "x" * 500):
        assert running.phone().get(f"/state?guest={wrong}").status == 403


def test_it_outlasts_the_program_and_goes_along_to_the_next_game(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        running.player("ann")
        own = running.log.path.with_suffix(PAIRING)
        assert "guest" not in own.read_text(), "an older program reads it"
        token, game = link_of(running.host()), running.log.id
        access, log = running.page.services.phone_access, running.log.path
        access.leave_game()
        assert access.devices.guest == token, "a television waits while the next game is set up"
        access.enter_game(log.with_name(f"{'a' * 32}.sqlite"), lambda seat: True)
    kept = [path.read_text() for path in (tmp_path / "games").glob(f"*{PAIRING}")]
    assert len(kept) == 2
    assert all(token in text for text in kept)
    with table(tmp_path, game) as running:
        assert running.phone().get(f"/state?guest={token}").status == 200
        assert running.host().ask("DELETE", "/guest-link").status == 200
    with table(tmp_path, game) as running:
        assert running.phone().get(f"/state?guest={token}").status == 403


def test_the_tables_code_is_for_its_own_screens(running: Table) -> None:
    elsewhere = {"X_Forwarded_For": "192.0.2.9"}
    host, ann = running.host(), running.joined()
    token = link_of(host)
    ways = [one.get("/invitation", **elsewhere) for one in (host, ann, running.phone())]
    assert ways.pop().refusal == (403, "word")
    ways.append(running.phone().get("/invitation"))
    for answer in (*ways, running.phone().get(f"/invitation?guest={token}", **elsewhere)):
        assert answer.status == 200
        assert answer.json["word"] == running.codes.join
        assert answer.json["join"]["url"].endswith(f"#join={running.codes.join}")
    assert host.ask("PATCH", "/door", {"is_on_screens": False}).json["is_on_screens"] is False
    assert running.phone().get(f"/invitation?guest={token}").refusal == (403, "not yours")
    assert ann.get("/invitation", **elsewhere).refusal == (403, "not yours")

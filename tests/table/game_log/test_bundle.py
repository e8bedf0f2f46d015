"""Bundles: a game arrives on another computer whole, and a hostile file does not arrive at all."""

import io
import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from logged_games import JPEG, SEATTLE, STARTED, TICKET, played, start_of, steps_of
from railspotter.scoring.spot import Spot
from railspotter.table.game_log import exports
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, Undone
from railspotter.table.game_log.errors import BundleError, NewerFormatError
from railspotter.table.game_log.exports import Bundle, write_bundle
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import TicketTaken

CLAIM = Placed.on(Spot("route", SEATTLE), colour="red", by="camera", sure=0.97)
Lines = list[dict[str, Any]]


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path / "there")


@pytest.fixture
def bundle(tmp_path: Path) -> bytes:
    """The bundle of a game with a secret and a crop, while it runs."""
    with GameStore(tmp_path / "here").create(STARTED, 1e9) as log:
        log.append([CLAIM, TicketTaken("ann", TICKET)], 1e9 + 5, {0: (JPEG, JPEG)})
        log.append([log.state.undo(2)], 1e9 + 6)
        return b"".join(write_bundle(log.path))


def arrive(store: GameStore, content: bytes) -> str:
    arriving = Bundle(io.BytesIO(content))
    store.add(arriving.id, arriving.events())
    return arriving.id


def changed(bundle: bytes, change: Callable[[Lines], object]) -> bytes:
    lines = [json.loads(line) for line in bundle.splitlines()]
    change(lines)
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_a_game_arrives_whole(store: GameStore, bundle: bytes) -> None:
    game = arrive(store, bundle)
    assert b"".join(write_bundle(store.path(game))) == bundle
    with store.open(game) as log:
        assert log.crops(2) == (JPEG, JPEG)
        assert log.state.table.tickets["ann"]
        assert log.state.redoable == (2,)
        log.append([GameEnded()], 0.0)


def test_a_game_on_a_board_of_ones_own_brings_its_board(tmp_path: Path, store: GameStore) -> None:
    game = played("own-philly", 3)
    with GameStore(tmp_path / "here").create(start_of(game), 0.0) as log:
        for facts, _ in steps_of(game):
            log.append(facts, 0.0)
        arrived = arrive(store, b"".join(write_bundle(log.path)))
        assert store.read(arrived) == log.state
    assert store.read(arrived).table.board == game.start.board


def test_a_bundle_in_which_old_claims_are_undone_again_and_again(
    store: GameStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GameStore(tmp_path / "here").create(STARTED, 0.0) as log:
        log.append([CLAIM] * 40, 0.0)
        for seq in range(2, 22):
            log.append([Undone(seq), CLAIM], 0.0)
        content = b"".join(write_bundle(log.path))
    assert store.read(arrive(store, content)).undone.keys() == set(range(2, 22))
    monkeypatch.setattr(exports, "MOST_REAPPLIED", 500)
    with pytest.raises(BundleError, match=r"line \d\d: too much of it is undone long after"):
        arrive(GameStore(tmp_path / "elsewhere"), content)


def in_line(number: int, **fields: Any) -> Callable[[Lines], object]:
    return lambda lines: lines[number - 1].update(fields)


def in_fact(number: int, **fields: Any) -> Callable[[Lines], object]:
    return lambda lines: lines[number - 1]["fact"].update(fields)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param(lambda lines: lines.pop(), "cut short: 3 of 4 events", id="cut short"),
        pytest.param(lambda lines: lines.append(lines[1]), "line 6: ", id="too long"),
        pytest.param(lambda lines: lines.pop(2), "line 3: event 3 cannot follow", id="a gap"),
        pytest.param(lambda lines: lines.reverse(), "line 1: ", id="the wrong way round"),
        pytest.param(in_line(1, id="../../etc/passwd"), "line 1: id: ", id="a path for an id"),
        pytest.param(in_line(1, railspotter="profile"), "line 1: ", id="another thing"),
        pytest.param(in_line(1, events=10**9), "line 1: events: ", id="a thousand million"),
        pytest.param(in_line(2, at_s="noon"), "line 2: at_s: ", id="no time"),
        pytest.param(in_line(3, crops=["no base64!"]), "line 3: crops.0.: ", id="no base64"),
        pytest.param(
            in_line(3, crops=[b64encode(b"<html>").decode()]), "line 3: a crop must", id="no JPEG"
        ),
        pytest.param(in_line(3, shell="rm"), "line 3: there is no 'shell'", id="too much"),
        pytest.param(in_fact(2, edition="mars"), "line 2: game_started", id="no such edition"),
        pytest.param(in_fact(3, kind="game_won"), "line 3: .*'game_won'", id="no such fact"),
        pytest.param(
            in_fact(3, route="atlantis--seattle"),
            "line 3: route_claimed.route: the board 'usa' has no route 'atlantis--seattle'",
            id="no such route",
        ),
        pytest.param(in_fact(4, seat="eve"), "line 4: ticket_taken.seat", id="no such seat"),
        pytest.param(in_fact(5, event=1), "line 5: undone.event", id="undoes the start"),
    ],
)
def test_a_wrong_bundle_names_the_line_and_leaves_nothing(
    store: GameStore, bundle: bytes, change: Callable[[Lines], object], why: str
) -> None:
    with pytest.raises(BundleError, match=why):
        arrive(store, changed(bundle, change))
    assert store.ids() == ()
    assert not store.folder.exists() or list(store.folder.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"PK\x03\x04" + bytes(100), b"\xff" * 100, b"[" * 100_000, b"SQLite format 3\0"],
    ids=["empty", "a blank line", "a zip", "noise", "nesting", "a database"],
)
def test_what_is_no_bundle(store: GameStore, content: bytes) -> None:
    with pytest.raises(BundleError, match="no game that railspotter exported: line 1: "):
        arrive(store, content)
    assert not store.folder.exists()


@pytest.mark.parametrize("most", ["MOST_BYTES", "MOST_LINE_BYTES"])
def test_a_bundle_without_end_is_not_read_to_its_end(
    store: GameStore, bundle: bytes, most: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, most, 300)
    endless = io.BytesIO(bundle + b"x" * 10**6)
    arriving = Bundle(endless)
    with pytest.raises(BundleError, match="too long"):
        store.add(arriving.id, arriving.events())
    assert endless.tell() < 2000
    assert list(store.folder.iterdir()) == []


def test_a_newer_bundle_says_what_to_do(bundle: bytes) -> None:
    with pytest.raises(NewerFormatError, match="format 9; this one knows 8"):
        Bundle(io.BytesIO(changed(bundle, in_line(1, format=9))))

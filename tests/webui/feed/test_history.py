"""What is known of past games: summaries that stay true, moments that add up, records."""

import time
from pathlib import Path

import pytest
from logged_games import DULUTH, SEATTLE, STARTED, TICKET
from merge_patches import apply_merge_patch
from past_games import events_of, id_of, put, some_games
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, Undone
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.game_state import fold
from railspotter.table.game_log.game_store import SUMMARY, GameStore
from railspotter.table.game_log.people_facts import TicketRevealed, TicketTaken
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.past_games import summaries
from railspotter.webui.feed.history import History, moments
from railspotter.webui.feed.public_state import PublicGame, public_game

CLAIM = Placed.on(Spot("route", SEATTLE), colour="red", by="camera")
ENOUGH_S = 1e9


def all_read(store: GameStore) -> History:
    return History(store, list_timeout_s=ENOUGH_S)


def long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an hour pass: what has just changed is read again."""
    now_s = time.time()
    monkeypatch.setattr(time, "time", lambda: now_s + 3600)


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path)


def test_a_summary_says_what_the_log_says(store: GameStore) -> None:
    names = some_games(store)
    known = all_read(store).games()
    assert [game.id for game in known.games] == list(names.values())[::-1], "newest first"
    for game in known.games:
        table = store.read(game.id).table
        score = table.score.standing
        assert {one.colour: one.points for one in game.players} == {
            one.colour: one.total for one in score.players
        }
        winners = {one.colour for one in game.players if one.is_winner}
        assert winners == (set(score.winners) if table.ended else set())
        assert sum(one.claims for one in game.players) == len(table.claims)
    assert not known.games[0].ended


def test_a_game_that_goes_on_is_read_again(store: GameStore) -> None:
    name = put(store, 1, [STARTED])
    history = all_read(store)
    assert history.games().games[0].players[0].points == 0
    with store.open(name) as log:
        log.append([CLAIM], 5.0)
        assert max(one.points for one in history.games().games[0].players) == 15
        log.append([Undone(2)], 6.0)
        assert max(one.points for one in history.games().games[0].players) == 0
    store.delete(name)
    assert history.games().games == ()


def test_a_game_stays_in_the_list_while_the_file_beside_it_goes(store: GameStore) -> None:
    name = put(store, 1, [STARTED])
    path = store.path(name)
    path.with_name(f"{path.name}-wal").symlink_to("gone")  # seen, and not there to be looked at
    assert summaries.stamps(store) == {name: summaries.stamp_of(path)}
    assert summaries.stamp_of(path)


def test_what_was_read_once_is_kept(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    some_games(store)
    long_ago(monkeypatch)
    first = all_read(store).games()
    monkeypatch.setattr(GameStore, "read", lambda self, game: pytest.fail("it is known"))
    assert all_read(store).games() == first


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"stamp": [1], "summary": {"x": 3}}'])
def test_a_damaged_summary_is_made_anew(
    store: GameStore, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    names = some_games(store)
    long_ago(monkeypatch)
    first = all_read(store).games()
    kept = store.path(names["usa"]).with_suffix(SUMMARY)
    good = kept.read_bytes()
    kept.write_bytes(content)
    assert all_read(store).games() == first
    assert kept.read_bytes() == good
    store.delete(names["usa"])
    assert not kept.exists()


def test_an_impatient_list_knows_more_each_time(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = some_games(store)
    long_ago(monkeypatch)
    history = History(store, list_timeout_s=0.0)
    counts = [(0, len(names))]
    while counts[-1][1]:
        known = history.games()
        counts.append((len(known.games), known.unread))
    assert counts == sorted(counts), "it never knows less"
    assert {sum(count) for count in counts} == {len(names)}
    assert len(counts) > 2, "not all at once"


def test_a_damaged_game_spoils_no_list(store: GameStore) -> None:
    some_games(store)
    (store.folder / f"{id_of(9)}.sqlite3").write_bytes(b"no game")
    known = all_read(store).games()
    assert [game.id for game in known.games if game.is_damaged] == [id_of(9)]
    assert len(known.games) == 5


def test_what_damage_has_taken_is_told(store: GameStore) -> None:
    name = put(store, 1, [STARTED, TicketTaken("ann", TICKET), CLAIM, GameEnded()])
    path = store.path(name)
    path.write_bytes(path.read_bytes().replace(b'"by":"camera"', b'"by":"kamera"'))
    (summary,) = all_read(store).games().games
    assert (summary.lost_events, summary.is_damaged, summary.ended) == (1, False, False)
    game = all_read(store).game(name)
    assert public_game(game)["game"]["lost_events"] == 1
    assert [one["kind"] for one in moments(game)["moments"]] == ["game_started"]


@pytest.mark.parametrize("edition", ["usa", "europe", "philly", "unfinished"])
def test_moments_are_the_game(store: GameStore, edition: str) -> None:
    state = store.read(some_games(store)[edition])
    game = PublicGame("x", PublicLog.of(state))
    told = moments(game)
    public = game.log.as_game().events
    assert len(told["moments"]) == len(public)
    seen = told["start"]
    for i, moment in enumerate(told["moments"]):
        seen = apply_merge_patch(seen, moment["change"])
        assert (moment["seq"], moment["kind"]) == (i + 1, public[i].fact.kind)
        if i % 20 and i < len(public) - 1:
            continue
        table = fold(public[: i + 1]).table
        score = table.score.standing
        points = {seat: one["points"] for seat, one in seen["players"].items()}
        assert points == dict(
            zip((p.seat for p in table.players), (p.total for p in score.players), strict=True)
        )
        spots = {spot: held.colour for spot, held in table.spots.items() if held.colour}
        assert {key: held["colour"] for key, held in seen["spots"].items()} == {
            spot.key: colour for spot, colour in spots.items()
        }
    final = public_game(game)
    assert {seat: one["points"] for seat, one in seen["players"].items()} == {
        player["seat"]: player["points"] for player in final["players"]
    }


def test_a_ticket_shown_for_a_while_is_in_no_moment() -> None:
    def told(*facts: Fact) -> object:
        state = fold(events_of([STARTED, *facts]))
        return moments(PublicGame("x", PublicLog.of(state)))

    shown = (TicketTaken("ann", TICKET), TicketRevealed("ann", TICKET), Undone(3))
    with_it, without = told(*shown, GameEnded()), told(GameEnded())
    for one in (with_it, without):
        for moment in one["moments"]:  # type: ignore[index]
            moment.pop("at_s")
    assert with_it == without


def test_moments_follow_what_was_undone() -> None:
    other = Placed.on(Spot("route", DULUTH), colour="blue", by="camera")
    state = fold(events_of([STARTED, CLAIM, other, Undone(2)]))
    told = moments(PublicGame("x", PublicLog.of(state)))["moments"]
    assert [moment["is_undone"] for moment in told] == [False, True, False, False]
    assert told[3]["change"]["spots"][f"route:{SEATTLE}"] is None
    assert told[3]["change"]["players"]["ann"]["points"] == 0


def result(name: str, points: int, *, wins: bool = False, path: int = 5) -> summaries.Result:
    return summaries.Result(name, name, name.casefold(), "red", points, path, points // 5, wins)


def summary(number: int, *results: summaries.Result, ended: bool = True) -> summaries.Summary:
    return summaries.Summary(id_of(number), "", "usa", "USA", float(number), ended, results)


GAMES = (
    summary(4, result("ann", 200), result("Bob", 10), ended=False),
    summary(3, result("Bob", 90, wins=True), result("Ann", 90)),
    summary(2, result("Ann", 80, wins=True, path=20), result("Bob", 70), result("Cleo", 80)),
    summary(1, result("Ann", 90, wins=True), result("Cleo", 60)),
)


def test_records_count_games_that_ended() -> None:
    (found,) = summaries.bests(GAMES)
    assert found.games == 3
    assert found.most_points
    assert (found.most_points.value, found.most_points.name) == (90, "Ann")
    assert found.most_points.game == id_of(1), "who had them first keeps the record"
    assert found.longest_path
    assert (found.longest_path.value, found.longest_path.game) == (20, id_of(2))
    assert (found.wins, found.winner) == (2, "Ann")
    (bobs,) = summaries.bests(GAMES, "bob")
    assert bobs.most_points
    assert (bobs.most_points.value, bobs.wins, bobs.winner) == (90, 1, "Bob")
    assert bobs.games == 2
    assert summaries.bests(GAMES, "nobody") == []


def test_two_people_are_compared_where_both_played() -> None:
    assert summaries.head_to_head(GAMES, "ann") == [
        summaries.Against("Bob", 2, won=1, lost=1, even=0),
        summaries.Against("Cleo", 2, won=2, lost=0, even=0),
    ]
    assert summaries.head_to_head(GAMES, "nobody") == []
    even = (summary(1, result("Ann", 50), result("Bob", 50), result("Cleo", 60, wins=True)),)
    assert summaries.head_to_head(even, "bob")[0] == summaries.Against("Ann", 1, 0, 0, 1)


def test_people_are_known_by_their_names() -> None:
    found = {one.key: (one.name, one.games, one.wins) for one in summaries.people(GAMES)}
    assert found == {"ann": ("ann", 4, 2), "bob": ("Bob", 3, 1), "cleo": ("Cleo", 2, 0)}
    twins = (summary(1, result("Ann", 1), result("Ann", 2)),)
    assert summaries.people(twins) == [], "nobody knows which is which"

"""Who somebody is over all games: through other names, joined ones, and when they are forgotten."""

import io
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from logged_games import SEATTLE
from past_games import id_of as game_of
from past_games import put, some_games
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameMarked, GameStarted
from railspotter.table.game_log.errors import BundleError
from railspotter.table.game_log.exports import write_bundle
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player, PlayerRenamed, SeatsSwapped
from railspotter.table.past_games import summaries
from railspotter.table.past_games.people import People, as_called_now, id_of
from railspotter.table.past_games.people_exports import take_games_in, write_games
from railspotter.table.past_games.summaries import Summary, called_now, make_summary

NOBODY = People()
MIA, TOM = id_of("mia"), id_of("tom")
CLAIM = Placed.on(Spot("route", SEATTLE), colour="red", by="person")


def game(red: Player | str, blue: Player | str, *more: object) -> list[Any]:
    """A game that is over, which red won by one route."""
    players = (
        red if isinstance(red, Player) else Player("one", "red", red),
        blue if isinstance(blue, Player) else Player("two", "blue", blue),
    )
    return [GameStarted("usa", players), CLAIM, *more, GameEnded()]


def listed(store: GameStore, people: People = NOBODY) -> list[Summary]:
    """The summaries of all games as people are called now, the newest first."""
    found = [called_now(make_summary(one, store.read(one)), people) for one in store.ids()]
    return sorted(found, key=lambda one: one.id, reverse=True)


def names(store: GameStore, people: People = NOBODY) -> dict[str, int]:
    return {one.name: one.games for one in summaries.people(listed(store, people))}


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path)


def test_old_logs_have_people_and_a_colour_or_a_computer_is_nobody(store: GameStore) -> None:
    put(store, 1, game(" Mia", "blue"))
    put(store, 2, game("mia", "Green", PlayerRenamed("two", "Tom")))
    put(
        store,
        3,
        game(Player("one", "red", "Tom", computer="easy"), "MIA", SeatsSwapped("one", "two")),
    )
    assert names(store) == {"MIA": 3, "Tom": 1}
    assert {one.person for one in summaries.people(listed(store))} == {MIA, TOM}


def test_a_name_that_somebody_gave_up_is_the_next_ones() -> None:
    people = People().renamed(MIA, "Maria")
    assert people.who("mia") == people.who("Maria") == (MIA, "Maria")
    assert people.id_for("Maria") == "", "a name that leads there by itself needs no id"
    second = people.id_for("Mia")
    assert second not in ("", MIA)
    assert people.who("Mia", second) == (second, "Mia")
    assert people.id_for(" mia ") == second, "the same next time"
    back = people.renamed(MIA, "Mia")
    assert back.who("mia") == back.who("maria") == (MIA, "Mia")


def test_two_names_of_one_person_stay_one(store: GameStore) -> None:
    put(store, 1, game("Tommy", "Mia"))
    put(store, 2, game("Tom", "Mia"))
    people = People().joined(TOM, "Tom", id_of("tommy"))
    assert names(store, people) == {"Mia": 2, "Tom": 2}
    assert people.id_for("Tommy") == ""
    people = people.renamed(MIA, "Maria").joined(MIA, "Maria", TOM)
    assert people.who("tommy") == (MIA, "Maria")
    assert names(store, people) == {}, "who sat in two seats of one game is not told apart"


def test_who_is_forgotten_is_in_no_game_and_may_come_anew(store: GameStore) -> None:
    put(store, 1, game("Mia", "Tom", PlayerRenamed("one", "Mimi"), PlayerRenamed("one", "Mia")))
    people = People().joined(MIA, "Mia", id_of("mimi")).without(MIA)
    assert names(store, people) == {"Tom": 1}
    told = as_called_now(store.read(game_of(1)), people)
    assert [player.name for player in told.table.players] == ["", "Tom"]
    assert "Mi" not in repr(told.events)
    again = people.id_for("Mia")
    assert again not in ("", MIA)
    assert people.who("Mia", again) == (again, "Mia")


def test_a_game_that_does_not_count_is_in_no_statistics(store: GameStore) -> None:
    put(store, 1, game("Mia", "Tom"))
    put(store, 2, [*game("Tom", "Mia"), GameMarked(counts=False)])
    games = listed(store)
    assert [one.counts for one in games] == [False, True]
    assert [(one.name, one.games, one.counted, one.wins) for one in summaries.people(games)] == [
        ("Mia", 2, 1, 1),
        ("Tom", 2, 1, 0),
    ]
    assert [one.games for one in summaries.bests(games)] == [1]
    assert [(one.won, one.lost) for one in summaries.head_to_head(games, "mia")] == [(1, 0)]
    put(store, 3, [*game("Tom", "Mia"), GameMarked(counts=False), GameMarked(counts=True)])
    assert [one.games for one in summaries.bests(listed(store))] == [2]


def test_statistics_are_what_one_counts_by_hand(store: GameStore) -> None:
    some_games(store)
    for number in (10, 11):
        put(store, number, game("red", "Tom") if number == 10 else game("Tom", "Mia"))
    points, tickets = defaultdict(list), [0, 0]
    routes = Counter[str]()
    for one in store.ids():
        table = store.read(one).table
        if not table.ended or table.edition.id != "usa":
            continue
        for player, score in zip(table.players, table.score.standing.players, strict=True):
            if player.name == "Tom":
                points[one].append(score.total)
                mine = {route for route, colour in table.claims.items() if colour == player.colour}
                routes.update(
                    {route.rsplit("--", 1)[0] if route[-1] in "01" else route for route in mine}
                )
                kinds = [line.kind for line in score.lines]
                tickets[0] += kinds.count("ticket_done") + kinds.count("ticket_open")
                tickets[1] += kinds.count("ticket_done")
    (usa,) = summaries.bests(listed(store), "tom")
    assert usa.games == len(points) == 2
    assert usa.average == sum(map(sum, points.values())) / 2
    assert usa.most_points
    assert usa.most_points.value == max(map(max, points.values()))
    assert [usa.tickets, usa.tickets_done] == tickets
    assert sum(usa.routes.values()) == sum(routes.values()) == 1


def saved(store: GameStore, people: People = NOBODY) -> bytes:
    return b"".join(write_games(store, people))


def test_people_and_their_games_come_to_another_table_and_back(
    store: GameStore, tmp_path: Path
) -> None:
    put(store, 1, game("Mia", "Tom"))
    put(store, 2, game("Mia", "Ben"))
    people = People().renamed(MIA, "Maria").without(id_of("ben"))
    there, known = GameStore(tmp_path / "there"), People()
    put(there, 7, game("Mia", "Zoe"))  # another Mia
    first = saved(store, people)
    assert b"Mia" not in first
    assert b"Ben" not in first
    new, here = take_games_in(there, known, io.BytesIO(first))
    assert (len(new), len(here)) == (2, 0)
    assert names(there) == {"Maria": 2, "Tom": 1, "Mia": 1, "Zoe": 1}
    before = {one: b"".join(write_bundle(there.path(one))) for one in there.ids()}
    new, here = take_games_in(there, known, io.BytesIO(first))
    assert (len(new), len(here)) == (0, 2)
    assert before == {one: b"".join(write_bundle(there.path(one))) for one in there.ids()}
    # She has another name by then: the games that both have say who she is.
    put(store, 3, game("Tom", "Mia"))
    take_games_in(there, known, io.BytesIO(saved(store, people.renamed(MIA, "Mary"))))
    assert names(there) == {"Maria": 3, "Tom": 2, "Mia": 1, "Zoe": 1}
    new, here = take_games_in(store, people, io.BytesIO(saved(there)))
    assert (len(new), len(here)) == (1, 3)
    assert names(store, people) == {"Maria": 3, "Tom": 2, "Mia": 1, "Zoe": 1}, "not the same Mia"


def test_a_game_that_is_open_stays_out_of_the_file(store: GameStore) -> None:
    put(store, 1, game("Mia", "Tom"))
    put(store, 2, game("Mia", "Ben")[:-1])
    with store.open(game_of(1)):
        assert saved(store) == b"", "its end may be undone, and hidden tickets are in it"
    assert saved(store).count(b'"game_started"') == 1, "one that is not over as well"


def test_one_wrong_game_of_a_file_keeps_all_out(store: GameStore, tmp_path: Path) -> None:
    put(store, 1, game("Mia", "Tom"))
    put(store, 2, game("Mia", "Ben"))
    content, there = saved(store), GameStore(tmp_path / "there")
    for wrong in (content[:-20], content.replace(b"Ben", b"Bob"), content + b"{}\n", b""):
        with pytest.raises(BundleError):
            take_games_in(there, People(), io.BytesIO(wrong))
    assert there.ids() == ()

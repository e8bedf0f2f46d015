"""One table lives on while games are set up, begin, end, are left and gone on with."""

import time
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
import small_game
from phones import Phone, never, profile
from photo_tables import photo_table
from railspotter.cli.table_service import (
    SAME_EVENING_S,
    PlayedGame,
    played_game_file,
    wish_to_go_on,
)
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted, PointsCounted
from railspotter.table.game_log.game_store import LISTED, GameStore
from railspotter.table.game_log.people_facts import Player, PlayerLeft, PlayerRecoloured
from railspotter.table.live_table.listed import load_listed
from railspotter.table.live_table.table_view import Joining
from railspotter.table.set_up.demo import DemoTable
from railspotter.table.set_up.game_set_up import HomeWish, SetUpWish, Wish
from railspotter.table.set_up.planned_game import (
    Choices,
    ChosenPlayer,
    GameHandover,
    choices_file,
    demo_games,
)
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.sources.source import NoCamera
from railspotter.webui.served_pages import TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from short_demo import game_of
from waiting import until

ROUTE = "helena--seattle"
PLAYERS = (Player("ann", "red", "Ann"), Player("bob", "blue"))
STARTED = GameStarted("usa", PLAYERS, name="Friday")
SEATED = [{"name": "Ann", "colour": "red"}, {"name": "", "colour": "blue"}]
CHOICES = Choices(
    "usa", "usa", (ChosenPlayer("Ann", "red"), ChosenPlayer("Bo", "blue")), source="none"
)


def serving(home: Path, wish: Wish) -> AbstractContextManager[TablePage]:
    """Let a table live, with its page on a real port."""
    return photo_table(home, PhotoReading(never), wish)


def host_of(page: TablePage) -> Phone:
    return Phone(page.server.port).join(page.services.phone_access.codes.host)


def wait_for(phone: Phone, phase: str) -> str:
    """Wait until something goes on; return the game's id."""
    until(lambda: phone.get("/table").json["phase"] == phase)
    return str(phone.get("/table").json["game"])


def test_games_follow_each_other_at_one_table(home: Path) -> None:
    with serving(home, HomeWish()) as page:
        access = page.services.phone_access
        host, ann = host_of(page), Phone(page.server.port).join(access.codes.join)
        wait_for(ann, "home")
        assert ann.get("/table").json["last"] is None
        assert ann.post("/table/set-up").refusal == (403, "not your role")
        assert host.get("/state").refusal == (404, "not now")

        assert host.post("/table/set-up").status == 200
        wait_for(ann, "set_up")
        assert ann.get("/set-up").status == 403
        for what, body in (
            ("edition", {"edition": "usa"}),
            ("players", {"players": SEATED}),
            ("source", {"source": "none"}),
        ):
            assert host.ask("PUT", f"/set-up/{what}", body).status == 200
        assert host.post("/set-up/begin").status == 200
        first = wait_for(ann, "game")
        assert ann.post("/seat", {"seat": "ann"}).status == 200
        assert ann.correct(ROUTE, "red").status == 200
        assert host.post("/again").refusal == (409, "not over")
        assert host.post("/end").status == 200
        assert host.post("/count").status == 200
        assert host.post("/again").status == 200
        until(lambda: ann.get("/table").json["game"] not in (first, None))
        second = wait_for(ann, "game")
        assert ann.get("/you").json["seat"] == "ann", "who sits there sits there again"
        assert ann.state()["spots"] == {}
        assert ann.correct(ROUTE, "red").status == 200

        assert ann.post("/table/home").status == 403
        assert host.post("/table/home").status == 200
        wait_for(ann, "home")
        assert ann.get("/you").json == {**ann.get("/you").json, "seat": None, "has_joined": True}
        shown = ann.get("/table").json
        assert [one["name"] for one in shown["last"]["players"]] == ["Ann", ""]
        assert [one["id"] for one in shown["games"]] == [second]

        assert host.post("/table/set-up", {"game": first}).status == 400, "it is over"
        assert host.post("/table/set-up", {"game": second, "at_once": True}).status == 200
        assert wait_for(ann, "game") == second
        assert ann.get("/you").json["seat"] == "ann"
        assert ann.state()["spots"][f"route:{ROUTE}"]["colour"] == "red"


def test_a_game_begins_as_last_time_by_one_tap(home: Path) -> None:
    choices_file(home).save(CHOICES)
    with serving(home, HomeWish()) as page:
        host = host_of(page)
        wait_for(host, "home")
        assert host.post("/table/set-up", {"at_once": True}).status == 200
        wait_for(host, "game")
        assert [player["name"] for player in host.state()["players"]] == ["Ann", "Bo"]


def test_a_film_that_ends_leaves_its_game_at_the_table(home: Path) -> None:
    grey = np.full((120, 160, 3), 128, np.uint8)
    with GameStore(home).create(STARTED, 1.0) as log:
        game = log.id
    grabber = Grabber(VirtualBoard(lambda t_s: grey, 0.4, 5.0))
    grabber.start()
    film = GameHandover(GameStore(home), game, True, grabber, profile())
    with serving(home, film) as page:
        host = host_of(page)
        wait_for(host, "game")
        until(lambda: host.state()["table"]["is_over"])
        assert host.correct(ROUTE, "red").status == 200
        for call in ("/end", "/count"):
            assert host.post(call).status == 200
        assert host.state()["game"]["counted"]
    assert GameStore(home).read(game).table.held == {Spot("route", ROUTE): "red"}


def test_what_one_camera_listed_is_not_lost_by_choosing_another(home: Path) -> None:
    still_s = small_game.game().still_after(97.0)
    lying = {f"route:{name}": colour for name, colour in small_game.true_claims(still_s).items()}
    with small_game.small_log(home) as log:
        game = log.id
    picture = small_game.game().frame_at(still_s).picture
    grabber = Grabber(VirtualBoard(lambda t_s: picture, 600.0, 5.0))
    grabber.start()
    filmed = GameHandover(GameStore(home), game, False, grabber, small_game.profile())
    with serving(home, filmed) as page:
        host = host_of(page)
        wait_for(host, "game")
        until(lambda: host.state()["table"]["joining"] == lying)
        assert host.post("/table/home").status == 200
        wait_for(host, "home")
    with serving(home, HomeWish()) as page:  # the program was started again
        host = host_of(page)
        wait_for(host, "home")
        assert host.post("/table/set-up", {"game": game}).status == 200
        wait_for(host, "set_up")
        assert host.ask("PUT", "/set-up/source", {"source": "none"}).status == 200
        assert host.post("/set-up/begin").status == 200
        assert wait_for(host, "game") == game
        assert host.state()["table"]["joining"] == lying
        assert load_listed(GameStore(home).path(game)).joining == Joining(
            spots_of("route", small_game.true_claims(still_s)), is_kept=True
        ), "a crash does not lose it either"
        assert host.post("/joining").status == 200
        claimed = {spot: one["colour"] for spot, one in host.state()["spots"].items()}
        assert claimed == lying
        assert host.state()["table"]["joining"] is None
    assert not list((home / "games").glob(f"*{LISTED}"))


def test_a_table_is_back_by_itself_where_its_game_was(home: Path) -> None:
    choices_file(home).save(CHOICES)
    now_s = time.time() - 60.0  # what is counted then is counted by now
    with GameStore(home).create(STARTED, now_s) as log:
        log.append([Placed.on(Spot("route", ROUTE), colour="red", by="person")], now_s)
    assert wish_to_go_on(home, now_s) is None
    played_game_file(home).save(PlayedGame(log.id))
    assert wish_to_go_on(home, now_s + SAME_EVENING_S + 1) is None, "that was another evening"
    wish = wish_to_go_on(home, now_s)
    assert wish == SetUpWish(log.id, is_at_once=True)
    with serving(home, wish) as page:
        assert wait_for(Phone(page.server.port), "game") == log.id
    assert wish_to_go_on(home, now_s) == wish, "it was stopped, and not left"
    with serving(home, wish) as page:
        host = host_of(page)
        wait_for(host, "game")
        assert host.post("/table/home").status == 200
        wait_for(host, "home")
    assert wish_to_go_on(home, now_s) is None
    with GameStore(home).open(log.id) as again:
        again.append([GameEnded()], now_s)
        played_game_file(home).save(PlayedGame(log.id))
        assert wish_to_go_on(home, now_s) == wish, "tickets are still to be shown"
        again.append([PointsCounted()], now_s)
    assert wish_to_go_on(home, now_s) == wish, "the winner is still shown"
    with serving(home, wish) as page:
        host, ann = host_of(page), Phone(page.server.port)
        assert wait_for(ann, "game") == log.id
        assert ann.state()["phase"] == "winner"
        assert host.post("/again").status == 200
        until(lambda: ann.get("/table").json["game"] not in (log.id, None))
        wait_for(ann, "game")
        assert ann.state()["spots"] == {}


def test_a_result_is_back_where_the_camera_is_not(home: Path) -> None:
    gone = "http://192.0.2.7/video"  # an address that nobody names any more
    choices_file(home).save(Choices("usa", "usa", CHOICES.players, source=gone))
    store, now_s = GameStore(home), time.time() - 60.0  # what is counted then is counted by now
    with store.create(STARTED, now_s) as log:
        pass
    with serving(home, SetUpWish(log.id, is_at_once=True)) as page:
        wait_for(Phone(page.server.port), "set_up")  # a game to play on waits for its camera
    with store.open(log.id) as again:
        again.append([GameEnded(), PointsCounted()], now_s)
    with serving(home, SetUpWish(log.id, is_at_once=True)) as page:
        ann = Phone(page.server.port)
        assert wait_for(ann, "game") == log.id
        assert ann.state()["phase"] == "winner"
    assert choices_file(home).load_or_default().source == gone, "the next game may have it again"


def test_a_board_that_is_cleared_while_the_program_is_away_changes_no_result(home: Path) -> None:
    still_s = small_game.game().still_after(97.0)
    log = small_game.small_log(home)
    claims = small_game.true_claims(still_s)
    placed = [Placed.on(Spot("route", one), colour=of, by="camera") for one, of in claims.items()]
    log.append([*placed, GameEnded(), PointsCounted()], 2.0)
    empty = small_game.game().frame_at(0.0).picture
    with log, small_game.watching(log, lambda t_s: empty, 30.0) as table:
        small_game.turn_to_the_end(table)
        assert table.view.sight.joining is None
        assert table.log.state.table.claims == claims


def test_the_same_people_come_back_with_the_names_of_their_seats(home: Path) -> None:
    unnamed = tuple(ChosenPlayer("", colour) for colour in ("red", "blue"))
    choices_file(home).save(Choices("usa", "usa", unnamed, source="none"))
    with serving(home, SetUpWish(is_at_once=True)) as page:
        host = host_of(page)
        wait_for(host, "game")
        assert host.ask("PATCH", "/players/red", {"name": "Ann"}).status == 200
        assert host.post("/table/home").status == 200
        wait_for(host, "home")
        last = host.get("/table").json["last"]["players"]
    assert [(one["name"], one["colour"]) for one in last] == [("Ann", "red"), ("", "blue")]


def test_a_demo_is_in_no_list_and_another_follows(home: Path) -> None:
    store, demo = demo_games(home), DemoTable(game_of(0))
    with store.create(GameStarted("usa", demo.players), time.time()) as log:
        game = log.id
    grabber = Grabber(demo.source)
    grabber.start()
    shown = GameHandover(store, game, True, grabber, demo.profile, demo)
    with serving(home, shown) as page:
        host = host_of(page)
        first = wait_for(host, "game")
        until(lambda: host.state()["game"]["counted"])
        assert host.state()["table"]["is_over"]
        assert all(player["tickets"] for player in host.state()["players"])
        assert not host.state()["game"]["is_kept"]
        assert host.post("/again").status == 200
        until(lambda: host.get("/table").json["game"] not in (first, None))
        assert host.get("/games").json["all"] == 0
    assert GameStore(home).ids() == ()


def handed_over(store: GameStore, game: str) -> GameHandover:
    return GameHandover(store, game, False, Grabber(NoCamera()), None)


def test_the_next_game_begins_with_who_is_there(home: Path) -> None:
    store = GameStore(home)
    with store.create(STARTED, 1.0) as log:
        handover = handed_over(store, log.id)
        claim = Placed.on(Spot("route", ROUTE), colour="red", by="person")
        log.append([claim, PlayerRecoloured("ann", "green"), PlayerLeft("bob")], 2.0)
        with pytest.raises(Exception, match="end it first"):
            handover.next_game(log.state.table, None)
        log.append([GameEnded()], 3.0)
        following = handover.next_game(log.state.table, None)
    assert following.grabber is handover.grabber
    table = store.read(following.game).table
    assert table.players == (Player("ann", "green", "Ann"),)
    assert (table.name, table.claims, table.ended) == ("Friday", {}, False)

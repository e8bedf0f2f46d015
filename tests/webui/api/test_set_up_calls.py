"""A game that is set up over the programming interface: who may, what is refused, and a whole run
of the program: choose, post pictures, begin, and go on after a restart."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import drawn
import pytest
from camera_server import CameraServer, Request, serving
from phone_photos import phone_photo
from phones import Phone
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import parse_photo
from served_play import JPEG, asked, board, filming, found, free_port, posted, put, serving_play
from set_ups import SetUp, set_up
from waiting import until

PLAYERS = [{"name": "Ann", "colour": "red"}, {"name": "", "colour": "blue"}]

ELSEWHERE = {"X_Forwarded_For": "192.0.2.7"}  # what a proxy says of a phone
NOWHERE = "http://127.0.0.1:9/video"


@pytest.fixture
def running(home: Path) -> Iterator[SetUp]:
    with set_up(home, NOWHERE) as running:
        yield running


@pytest.fixture
def host(running: SetUp) -> Phone:
    return running.host()


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    """A host who chose all but the camera, once for all who change nothing."""
    with set_up(tmp_path_factory.mktemp("chosen")) as running:
        host = running.host()
        put(host, "edition", {"edition": "usa"})
        put(host, "players", {"players": PLAYERS})
        yield host


def test_what_needs_a_game_is_not_there_yet(host: Phone) -> None:
    assert host.get("/state").status == 404
    assert host.post("/end").status == 404
    assert host.get("/games").status == 200
    assert host.get("/camera.jpg").status == 404  # no camera is chosen
    assert host.get("/display").json["error"]["message"] == "This table has no display."


def test_every_choice_is_answered_with_all_that_holds(host: Phone) -> None:
    first = host.get("/set-up")
    assert first.json["step"] == "edition"
    assert first.json["may_begin"] is False
    usa = put(host, "edition", {"edition": "usa"})
    assert usa["step"] == "players"
    assert (usa["edition"]["board"], usa["edition"]["train_word"]) == ("usa", "train")
    assert usa["rules"][0]["name"] == "longest_path_bonus"
    assert put(host, "players", {"players": PLAYERS[:1]})["faults"][0]["step"] == "players"
    assert put(host, "players", {"players": PLAYERS})["step"] == "source"
    phone = put(host, "source", {"source": "phone"})
    assert phone["source"]["given"] == "phone"
    assert phone["source"]["has_picture"] is False
    assert re.search(r"/camera#camera=\S+$", phone["camera_link"])
    assert phone["can_film"] is True  # on this computer itself
    rules = put(host, "house-rules", {"house_rules": {"longest_path_bonus": 0}})
    assert rules["house_rules"] == {"longest_path_bonus": 0}
    numbers = [one["number"] for one in (first.json, usa, phone, rules)]
    assert numbers == sorted(set(numbers))
    assert put(host, "edition", {"edition": "europe"})["house_rules"] == {}


def test_who_has_it_is_told_that_nothing_changed(running: SetUp, host: Phone) -> None:
    put(host, "source", {"source": "phone"})
    until(lambda: host.get("/set-up").json["source"]["said"].startswith("waiting"))
    tag = host.get("/set-up").headers["ETag"]
    assert host.get("/set-up", If_None_Match=tag).status == 304
    running.phone().join(running.codes.camera)  # its link is another one now
    again = host.get("/set-up", If_None_Match=tag)
    assert again.status == 200
    assert running.codes.camera in again.json["camera_link"]


def test_a_phones_pictures_are_seen_and_the_host_looks_through_them(
    running: SetUp, host: Phone
) -> None:
    link = put(host, "source", {"source": "phone"})["camera_link"]
    camera = running.phone().join(link.partition("=")[2])
    posted = camera.post("/frames", board(), **JPEG)
    assert (posted.status, posted.json["number"]) == (200, 1)
    assert posted.json["board"] == "say on the host's phone which board it is"
    until(lambda: host.get("/set-up").json["source"]["has_picture"])
    still = host.get("/camera.jpg")
    assert (still.status, still.headers["Content-Type"]) == (200, "image/jpeg")
    assert host.get("/codes").json["camera"]["url"] == host.get("/set-up").json["camera_link"]
    put(host, "source", {"source": NOWHERE})
    assert camera.post("/frames", board(), **JPEG).status == 404


def test_a_phone_that_films_nothing_may_send_what_it_took(running: SetUp, host: Phone) -> None:
    """An iPhone's camera takes HEIC, which a browser on it may pass on as it is."""
    link = put(host, "source", {"source": "phone"})["camera_link"]
    camera = running.phone().join(link.partition("=")[2])
    photo = phone_photo(parse_photo(board()), "HEIC")
    assert camera.post("/frames", photo, **JPEG).status == 200
    until(lambda: host.get("/set-up").json["source"]["has_picture"])
    assert camera.post("/frames", photo[: len(photo) // 2], **JPEG).refusal == (400, "wrong")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("edition", {"edition": "../usa"}, 400),
        ("edition", {"edition": "card-game"}, 400),
        ("edition", {"edition": "philly"}, 400),
        ("edition", {"edition": "usa", "board": "/etc/passwd"}, 400),
        ("edition", {"edition": "usa", "board": "europe"}, 400),
        ("edition", {"edition": "usa", "board": "my-map"}, 400),
        ("players", {"players": [{"name": "A\nB", "colour": "red"}]}, 400),
        ("source", {"source": "/etc/passwd"}, 400),
        ("source", {"source": "file:///etc/passwd"}, 400),
        ("source", {"source": "http://192.168.1.1/"}, 400),
        ("source", {"source": "http://2130706434/"}, 400),
        ("source", {"source": "rtsp://[::ffff:10.0.0.1]/live"}, 400),
        ("source", {"source": "0\n"}, 400),
        ("house-rules", {"house_rules": {"trains": 4}}, 400),
        ("house-rules", {"house_rules": {"__class__": 1}}, 400),
        ("house-rules", {"house_rules": {"trains": 1e300}}, 400),
        ("house-rules", {"house_rules": {f"r{'x' * n}": 1 for n in range(30)}}, 400),
        ("begin", {}, 409),
        ("resume", {"game": "0" * 32}, 404),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    chosen: Phone, path: str, body: Any, status: int
) -> None:
    before = chosen.get("/set-up").json
    method = "POST" if path in ("begin", "resume") else "PUT"
    refused = chosen.ask(method, f"/set-up/{path}", body, **ELSEWHERE)
    assert (refused.status, bool(refused.json["error"]["message"])) == (status, True)
    assert chosen.get("/set-up").json == before


def test_a_phone_is_known_again_where_the_data_directory_was_not_there_yet(home: Path) -> None:
    home = home / "of" / "nobody"
    with set_up(home) as running:
        host = running.host()
        assert host.get("/you").json["is_host"]
    with set_up(home) as running:
        assert running.phone(host.cookie).get("/you").json["is_host"]


def test_unfinished_games_are_offered_the_newest_first(home: Path) -> None:
    store = GameStore(home)
    players = (Player("ann", "red", "Ann"), Player("bob", "blue", "Bob"))
    names = [f"Friday {n}" for n in range(7)]
    ids = []
    for n, name in enumerate(names):
        with store.create(GameStarted("usa", players, name), float(n)) as log:
            ids.append(log.id)
    with set_up(home) as running:
        host = running.host()
        offered = until(lambda: len(host.get("/set-up").json["games"]) == 5 and host.get("/set-up"))
        games = offered.json["games"]
        assert [game["name"] for game in games] == names[:1:-1]
        assert {player["name"] for player in games[0]["players"]} == {"Ann", "Bob"}
        on = host.post("/set-up/resume", {"game": ids[0]})
        assert on.status == 200
        assert (on.json["game"], on.json["step"]) == (ids[0], "source")
        assert [one["colour"] for one in on.json["players"]] == ["red", "blue"]
        new = host.post("/set-up/resume", {"game": None}).json
        assert (new["game"], new["step"]) == (None, "edition")


def test_a_camera_in_the_network_is_allowed_in_the_terminal(home: Path) -> None:
    def film(request: Request) -> None:
        request.picture(board())

    def address(camera: CameraServer) -> str:
        return camera.url.replace("//", "//me:secret@")

    with (
        serving(film) as camera,
        serving_play(free_port(), "--allow-camera", address(camera)) as play,
    ):
        host = play.host()
        offered = host.get("/set-up").json["cameras"]
        assert {"source": camera.url, "about": camera.url} in offered
        put(host, "source", {"source": camera.url})
        until(lambda: host.get("/set-up").json["source"]["has_picture"])
        wanted = "PUT", "/set-up/source", {"source": camera.url + "/other"}
        other = host.ask(*wanted, **ELSEWHERE)
        assert other.status == 400
        assert f"The camera {camera.url}/other can be chosen" in other.json["error"]["message"]
        assert host.get("/set-up").json["can_name"]
        assert host.ask(*wanted).status == 200, "the computer's own browser may name any"
        assert play.ended() == 0
        assert "secret" not in play.said
    assert "secret" not in (home / "set-up.json").read_text()


def test_from_the_first_choice_to_the_score_and_on_after_a_restart(home: Path) -> None:
    ProfileStore(home).save(drawn.profile())
    port = free_port()
    with serving_play(port) as play:
        host = play.host()
        put(host, "edition", {"edition": "usa"})
        put(host, "players", {"players": PLAYERS})
        put(host, "house-rules", {"house_rules": {"longest_path_bonus": 0, "trains": 30}})
        camera = filming(host)
        until(lambda: found(host, camera))
        assert host.get("/display").json["state"] == "none"
        begun = host.post("/set-up/begin")
        assert (begun.status, begun.json["may_begin"]) == (200, False)
        game = begun.json["begun"]
        # The game's page is at the same place, and the phones are who they were.
        state = until(lambda: posted(camera) and asked(host, "/state"))
        assert (state["game"]["id"], state["game"]["longest_path_bonus"]) == (game, 0)
        assert [(p["name"], p["trains_left"]) for p in state["players"]] == [("Ann", 30), ("", 30)]
        assert host.get("/you").json["is_host"]
        assert camera.get("/you").json["is_camera"]

        def is_watched() -> bool:
            posted(camera)
            return bool(host.state()["table"]["state"] == "settled")

        until(is_watched)
        seated = host.post("/seat", {"seat": "ann"})
        assert seated.status == 200
        assert play.ended() == 0
        assert f"'railspotter play --resume {game[:8]}'" in play.said
    assert GameStore(home).ids() == (game,)

    # The game is back by itself, and who sat there sits there; left, it can be gone on with.
    with serving_play(port) as play:
        host = Phone(port, host.cookie)
        camera = Phone(port, camera.cookie)
        state = until(lambda: asked(host, "/state"))
        assert state["game"]["id"] == game
        you = host.get("/you").json
        assert (you["seat"], you["is_host"]) == ("ann", True)
        assert posted(camera)
        assert host.post("/table/set-up").status == 200
        kept = until(lambda: asked(host, "/set-up"))
        assert (kept["edition"]["id"], kept["players"]) == ("usa", PLAYERS)
        assert kept["house_rules"] == {"longest_path_bonus": 0, "trains": 30}
        assert (kept["source"]["given"], kept["step"]) == ("phone", "source")
        assert [one["id"] for one in kept["games"]] == [game]
        assert host.post("/set-up/resume", {"game": game}).json["begun"] is None
        until(lambda: found(host, camera))
        assert host.post("/set-up/begin").json["begun"] == game
        state = until(lambda: posted(camera) and asked(host, "/state"))
        assert state["game"]["id"] == game
        assert host.get("/you").json["seat"] == "ann"
        assert play.ended(by=signal.SIGINT) == 0
    assert GameStore(home).ids() == (game,)


def test_ctrl_c_while_choosing_ends_it_and_leaves_nothing(home: Path) -> None:
    port = free_port()
    with serving_play(port, "--board", "usa", "--players", "Ann:red", "Bo:blue") as play:
        host = play.host()
        view = host.get("/set-up").json
        assert (view["step"], view["players"][0]) == ("source", {"name": "Ann", "colour": "red"})
        with pytest.raises(ConnectionError):
            Phone(port + 1).get("/set-up")
        assert play.ended(by=signal.SIGINT) == 0
    assert GameStore(home).ids() == ()

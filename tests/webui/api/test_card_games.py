"""The Card Game over HTTP: scored as scoring scores it, kept whole, and hostile things refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from house.project import ROOT
from oracle_tables import SCORES, ScoreCase, read_cases
from railspotter.cli.command import main
from railspotter.scoring.answer import answer, parse_game, to_json
from railspotter.table.card_games.deck_table import DeckTableError, read_deck
from resting_pages import resting_app

API = "/api/v1"
SCORE_CASES = read_cases(SCORES, ScoreCase)
CARD_CASES = [case for case in SCORE_CASES if case.game["edition"] == "card-game"]
TWO = [{"colour": "red", "name": "Ann"}, {"colour": "blue"}]
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.9"}
TABLE = "from\tto\tpoints\tred\tblue\nAville\tBeetown\t5\t2\t1\nCity C\t\t3\t\t1\nbonus\tAville\t8"
TICKET = {"cities": ["Aville", "Beetown"], "circles": {"red": 2, "blue": 1}, "points": 5}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def as_printed(answer: dict[str, Any]) -> dict[str, Any]:
    """A score as commands print it: without what pages say lines in their words by."""
    for player in answer["players"]:
        player["lines"] = [
            {"what": one["what"], "points": one["points"]} for one in player["lines"]
        ]
    return answer


def client_in(folder: Path) -> FlaskClient:
    """The page of `railspotter serve`, as it is after every start."""
    return resting_app(folder, is_open=True)[0].test_client()


@pytest.fixture
def client(folder: Path) -> FlaskClient:
    return client_in(folder)


def ask(client: FlaskClient, method: str, path: str, body: Any = None, **more: Any) -> Any:
    """Make a call that is answered."""
    response = client.open(API + path, method=method, json=body, **more)
    assert response.status_code == 200, response.text
    return response.json


def refused(client: FlaskClient, method: str, path: str, body: Any, **more: Any) -> tuple[int, Any]:
    response = client.open(API + path, method=method, json=body, **more)
    assert response.status_code >= 400, response.text
    return response.status_code, response.json


def begin(client: FlaskClient, players: list[dict[str, str]] = TWO) -> Any:
    return ask(client, "POST", "/card-games", {"players": players})


def hold(client: FlaskClient, told: Any, colour: str, **holding: Any) -> Any:
    body = {"seen": told["seen"]["players"][colour], "stack": {}, "tickets": [], **holding}
    return ask(client, "PUT", f"/card-games/{told['id']}/players/{colour}", body)


def played(client: FlaskClient, case: Any) -> Any:
    """Play an oracle's case call by call, as a page does."""
    game = case.game
    told = begin(client, game["players"])
    path = f"/card-games/{told['id']}"
    if game.get("completed"):
        # What four players completed with the first deck: through the first deck's end.
        for colour, done in game["completed"].items():
            stack: dict[str, int] = {}
            for ticket in done:
                for card, n in ticket["circles"].items():
                    stack[card] = stack.get(card, 0) + n
            told = hold(client, told, colour, stack=stack, tickets=done)
        told = ask(client, "POST", f"{path}/second-deck", {"seen": told["seen"]["game"]})
    for colour in (player["colour"] for player in game["players"]):
        told = hold(
            client,
            told,
            colour,
            stack=game.get("stack", {}).get(colour, {}),
            tickets=game.get("tickets", {}).get(colour, []),
            chosen=game.get("chosen", {}).get(colour),
        )
    change = {"seen": told["seen"]["game"], "final": game["final"], "round": game.get("round", 1)}
    return ask(client, "PATCH", path, {**change, "city_bonuses": game.get("city_bonuses", {})})


@pytest.mark.parametrize("case", CARD_CASES, ids=[case.name for case in CARD_CASES])
def test_a_game_that_is_played_by_calls_scores_as_scoring_does(
    client: FlaskClient, case: Any
) -> None:
    told = played(client, case)
    wanted = json.loads(json.dumps(to_json(answer(parse_game(json.dumps(case.game))))))
    for player in wanted["players"]:
        player["name"] = ""
    assert as_printed(told["answer"]) == wanted
    exported = client.get(f"{API}/card-games/{told['id']}/export").data
    again = to_json(answer(parse_game(exported)))
    assert json.loads(json.dumps(again)) == wanted
    taken = ask(client, "POST", "/card-games/import", {"game": json.loads(exported)})
    assert as_printed(taken["answer"]) == wanted
    assert taken["id"] != told["id"]


def test_there_are_cases_of_all_kinds() -> None:
    assert len(CARD_CASES) >= 10
    assert any("completed" in case.game for case in CARD_CASES)
    assert any("chosen" in case.game for case in CARD_CASES)


def test_a_restart_loses_nothing_and_the_file_is_a_game(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = client_in(folder)
    told = hold(first, begin(first), "red", stack={"red": 2, "locomotive": 1}, tickets=[TICKET])
    deck = {"seen": "", "tickets": [TICKET], "city_bonuses": {"Aville": 8}}
    ask(first, "PUT", "/card-deck", deck)
    second = client_in(folder)
    assert ask(second, "GET", f"/card-games/{told['id']}") == told
    assert ask(second, "GET", "/card-deck")["tickets"] == [TICKET]
    (file,) = (folder / "card-game" / "games").iterdir()
    assert file.stat().st_mode & 0o077 == 0, "its name opens the game"
    assert main(["score", str(file)]) == 0
    assert "5  ticket Aville - Beetown, completed" in capsys.readouterr().out


def test_a_ticket_from_a_city_to_itself_is_refused_and_named(client: FlaskClient) -> None:
    told = begin(client)
    here = {**TICKET, "cities": ["Aville", "Aville"]}
    body = {"seen": told["seen"]["players"]["red"], "stack": {}, "tickets": [here]}
    status, said = refused(client, "PUT", f"/card-games/{told['id']}/players/red", body)
    assert status == 400
    assert said["error"]["message"] == "tickets[0]: a ticket needs two places, each with its name."


def test_a_deck_is_read_from_a_table_and_goes_round_as_a_file(client: FlaskClient) -> None:
    read = ask(client, "POST", "/card-deck/parse", {"text": TABLE})
    assert read["tickets"][0] == TICKET
    assert read["city_bonuses"] == {"Aville": 8}
    assert ask(client, "GET", "/card-deck")["tickets"] == [], "nothing is kept by reading"
    ask(client, "PUT", "/card-deck", {"seen": "", **read})
    file = client.get(f"{API}/card-deck/export").text
    assert ask(client, "POST", "/card-deck/parse", {"text": file}) == read
    assert begin(client)["game"]["city_bonuses"] == {"Aville": 8}


@pytest.mark.parametrize(
    ("text", "fault", "line"),
    [
        ("Aville,Beetown,5,2 red\nAville,Dale,5,2 mauve", "colour", 2),
        ("Aville,Beetown,5,2 red\n\n\nAville,Dale,five,2 red", "points", 4),
        ("Aville,Beetown,101,2 red", "points", 1),
        ("Dallas,dallas,4,2 red", "cities", 1),
        ("Aville,Beetown,5,6 red", "count", 1),
        ("Aville,Beetown,5,99999999999999999999 red", "count", 1),
        ("Aville,Beetown," + "9" * 5000 + ",1 red", "points", 1),
        ("Aville,Beetown,5", "circles", 1),
        (",,5,1 red", "cities", 1),
        ("A\x07ville,Beetown,5,1 red", "signs", 1),
        ("A" * 41 + ",Beetown,5,1 red", "long", 1),
        ("Aville,Beetown,5,1 red\nBeetown,Aville,5,1 red", "twice", 2),
        ("bonus,Aville,8\nbonus,Aville,9", "twice", 2),
        ("bonus,Aville,-1", "bonus", 1),
        ("from,to,points,wings\nA,B,5,1", "columns", 1),
        ("\n".join(f"City {i}x,Dale,5,1 red" for i in range(151)), "many", None),
        ("", "empty", None),
        ('{"tickets": [{"cities": ["Aville"], "circles": {"mauve": 1}}]}', "file", None),
        ('{"tickets": [{"cities": ["Aville"]}]}', "circles", None),
        ('{"tickets": ' + "[" * 20_000, "file", None),
        ('{"tickets": [], "deck": "../../secret"}', "file", None),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_fault_in_a_deck_is_told_with_its_line(
    client: FlaskClient, text: str, fault: str, line: int | None
) -> None:
    status, said = refused(client, "POST", "/card-deck/parse", {"text": text})
    assert status == 400
    assert said["fault"] == fault
    assert said.get("line") == line
    assert ask(client, "GET", "/card-deck")["tickets"] == []


def test_tables_are_understood_in_the_ways_they_come() -> None:
    wanted = read_deck(TABLE)
    for text in (
        TABLE.replace("\t", ";"),
        TABLE.replace("\t", ","),
        "\ufeff" + TABLE.replace("\n", "\r\n"),
        "von\tnach\tPunkte\trot\tblau\n" + TABLE.split("\n", 1)[1],
        "Aville,Beetown,5,2 red,1 blue\nCity C,,3,blue\nbonus,Aville,8",
        'Aville - Beetown,5,"2x red, 1x blue"\nCity C,3,blue 1\nbonus,Aville,8',
        "Aville    Beetown  5  2 red 1 blue\nCity C    3   1 blue\nbonus   Aville   8",
        "# my deck\nAville\tBeetown\t5\tred red blue\nCity C\t\t3\tblue=1\nbonus\tAville\t8",
    ):
        assert read_deck(text) == wanted, text
    with pytest.raises(DeckTableError, match="line 1"):
        read_deck('"Aville\n')
    with pytest.raises(DeckTableError, match=r"line 1: 'Dal\\u202elas' has signs that are not al"):
        read_deck("Dal\u202elas,Omaha,4,2 red")


TOO_MANY = {**TICKET, "points": 101}


@pytest.mark.parametrize(
    "game",
    [
        {"edition": "card-game"},
        {"edition": "usa"},
        {"edition": "card-game", "players": TWO, "deck": "../../page.pairing"},
        {"edition": "card-game", "players": [*TWO, {"colour": "red"}]},
        {"edition": "card-game", "players": TWO, "stack": {"green": {"red": 1}}},
        {"edition": "card-game", "players": TWO, "stack": {"red": {"red": 61}}},
        {"edition": "card-game", "players": TWO, "tickets": {"red": [TICKET] * 61}},
        {"edition": "card-game", "players": TWO, "tickets": {"red": [TOO_MANY]}},
        {"edition": "card-game", "players": TWO, "tickets": {"red": [{"cities": ["Aville"]}]}},
        {"edition": "card-game", "players": TWO, "chosen": {"red": [0]}},
        {"edition": "card-game", "players": TWO, "house_rules": {"wings": 1}},
        {"edition": "card-game", "players": TWO, "city_bonuses": {"A" * 41: 1}},
        {"edition": "card-game", "players": [{"colour": "red", "name": "\n"}, TWO[1]]},
        {"edition": "card-game", "players": [{"colour": "<b>"}, TWO[1]]},
    ],
    ids=lambda game: json.dumps(game)[24:60],
)
def test_a_bad_game_is_refused_and_nothing_of_it_kept(client: FlaskClient, game: Any) -> None:
    status, said = refused(client, "POST", "/card-games/import", {"game": game})
    assert status == 400
    assert said["error"]["message"]
    assert ask(client, "GET", "/card-games")["games"] == []
    told = begin(client)
    body = {"game": game, "seen": told["seen"]["game"]}
    assert refused(client, "PUT", f"/card-games/{told['id']}", body)[0] == 400
    assert ask(client, "GET", f"/card-games/{told['id']}") == told


def test_tickets_that_take_for_ever_to_choose_from_are_counted_and_that_is_said(
    client: FlaskClient,
) -> None:
    cards = ["black", "blue", "green", "orange", "pink", "red", "white", "yellow"]
    tickets = []
    for i in range(46):
        circles = {cards[(i * 3 + j * j) % 8]: 1 + (i * i + j) % 3 for j in range(1, 4)}
        tickets.append({"cities": [f"C{i}"], "circles": circles, "points": sum(circles.values())})
    stack = {card: 6 + i % 5 for i, card in enumerate(cards)}
    told = hold(client, begin(client), "red", stack=stack, tickets=tickets)
    assert told["completed"]["red"] == told["best"]["red"] != []
    over = ask(
        client,
        "PATCH",
        f"/card-games/{told['id']}",
        {"seen": told["seen"]["game"], "final": True},
    )
    lines = over["answer"]["players"][0]["lines"]
    assert [line["points"] for line in lines if line["kind"] == "tickets_undecided"] == [0]
    assert over["answer"]["winners"] == [], "others may be better"
    # Who says which ones are completed needs no search.
    chosen = hold(client, over, "red", stack=stack, tickets=tickets[:30], chosen=[0])
    assert chosen["completed"]["red"] == [0]
    assert chosen["answer"]["winners"] == ["blue"]


def test_the_guides_table_is_understood() -> None:
    guide = (ROOT / "docs" / "guide.md").read_text("utf-8")
    (block,) = re.findall(r"```\n( +Aville .*?)```", guide, re.DOTALL)
    deck = read_deck("\n".join(line.strip() for line in block.splitlines()))
    assert [ticket.points for ticket in deck.tickets] == [5, 9]
    assert deck.city_bonuses == {"Aville": 8}


def test_who_changes_what_another_phone_changed_is_told(client: FlaskClient) -> None:
    told = begin(client)
    hold(client, told, "red", stack={"red": 1})
    path = f"/card-games/{told['id']}"
    body = {"seen": told["seen"]["players"]["red"], "stack": {"red": 9}, "tickets": []}
    assert refused(client, "PUT", f"{path}/players/red", body)[0] == 409
    # Two phones that count for two players do not meet.
    after = hold(client, told, "blue", stack={"blue": 2})
    assert after["game"]["stack"] == {"red": {"red": 1}, "blue": {"blue": 2}}
    old = {"seen": told["seen"]["game"], "final": True}
    assert refused(client, "PATCH", path, old)[0] == 409
    deck = {"seen": "", "tickets": [TICKET], "city_bonuses": {}}
    ask(client, "PUT", "/card-deck", deck)
    assert refused(client, "PUT", "/card-deck", {**deck, "tickets": []})[0] == 409


def test_players_change_and_what_they_have_goes_with_them(client: FlaskClient) -> None:
    told = hold(client, begin(client), "red", stack={"red": 2, "blue": 1}, tickets=[TICKET])
    path = f"/card-games/{told['id']}"
    seats = [{"colour": "green", "name": "Ann", "was": "red"}, {"colour": "red", "name": "Bob"}]
    after = ask(client, "PATCH", path, {"seen": told["seen"]["game"], "players": seats})
    assert [player["total"] for player in after["answer"]["players"]] == [5, 0]
    assert after["completed"] == {"green": [0], "red": []}
    back = ask(client, "PUT", path, {"game": told["game"], "seen": after["seen"]["game"]})
    assert back["game"] == told["game"]


def test_the_link_opens_the_game_and_nothing_else_does(client: FlaskClient) -> None:
    told = begin(client)
    guest = {"environ_overrides": ELSEWHERE}
    assert ask(client, "GET", f"/card-games/{told['id']}", **guest) == told
    for name in ("0" * 32, "x", told["id"][:-1], told["id"].upper() + "."):
        assert client.get(f"{API}/card-games/{name}", **guest).status_code == 404
    for path in ("/card-games/..%2f..%2fpage", "/card-games/../deck"):
        assert client.get(API + path, **guest).status_code == 404
    assert refused(client, "GET", "/card-games", None, **guest)[0] == 403
    assert ask(client, "GET", "/card-games")["games"][0]["id"] == told["id"]
    ask(client, "DELETE", f"/card-games/{told['id']}", {}, **guest)
    gone = client.get(f"{API}/card-games/{told['id']}")
    error = json.loads(gone.data)["error"]
    assert (gone.status_code, error["code"]) == (410, "deleted")
    assert ask(client, "POST", f"/card-games/{told['id']}/bring-back", {}, **guest) == told


def test_only_the_host_and_this_computer_change_the_deck(folder: Path) -> None:
    app, phone_access = resting_app(folder)
    guest, host = app.test_client(), app.test_client()
    away = {"environ_overrides": ELSEWHERE}
    ask(guest, "POST", "/join", {"token": phone_access.codes.join}, **away)
    body = {"seen": "", "tickets": [TICKET], "city_bonuses": {}}
    assert refused(guest, "PUT", "/card-deck", body, **away)[0] == 403
    # Through a tunnel everybody comes from here.
    tunnel = {"base_url": "http://table.local/"}
    assert refused(guest, "PUT", "/card-deck", body, **tunnel)[0] == 403
    passed_on = {"headers": {"X-Forwarded-For": "198.51.100.7"}}
    assert refused(guest, "PUT", "/card-deck", body, **passed_on)[0] == 403
    ask(host, "POST", "/join", {"token": phone_access.codes.host}, **away)
    ask(host, "PUT", "/card-deck", body, **away)
    assert ask(guest, "GET", "/card-deck", **away)["tickets"] == [TICKET]


def test_a_full_disk_is_said_and_the_old_game_is_still_there(
    client: FlaskClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = begin(client)

    def full(*args: Any, **more: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("railspotter.table.whole_file.write_whole", full)
    body = {"seen": told["seen"]["players"]["red"], "stack": {"red": 1}, "tickets": []}
    status, said = refused(client, "PUT", f"/card-games/{told['id']}/players/red", body)
    assert status == 503
    assert "No space left" in said["error"]["message"]
    assert ask(client_in(folder), "GET", f"/card-games/{told['id']}") == told

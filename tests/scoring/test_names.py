"""Names, whoever types them and whatever they name: one line, and none that turns text around."""

import json
from typing import Any

import msgspec
import pytest
import small_boards
from railspotter.calibration.board_making.draft import draft_of
from railspotter.club.messages import PlayerReport
from railspotter.scoring.board import BoardTicket, Place, parse_board
from railspotter.scoring.card_game.text import CardGame, Deck
from railspotter.scoring.errors import BoardError, GameError
from railspotter.scoring.game import BoardGame
from railspotter.scoring.json_text import misfit, parse_json
from railspotter.scoring.names import INVISIBLE, Name, ShortName, Title, Words
from railspotter.table.boards.edits import DraftChange
from railspotter.table.boards.tables import parse_places, parse_sites, parse_tickets
from railspotter.table.card_games.changes import CardSeat
from railspotter.table.errors import DraftError
from railspotter.table.game_log.people_facts import Player

TURNED = "Ann \u202eannA"
STRANGE = ["\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\x1b[2J", "\x00", "\x7f", "\n", "\r"]
SMALL: dict[str, Any] = msgspec.to_builtins(small_boards.small_board())
FIRST = {"places": "name", "routes": "colour"}


@pytest.mark.parametrize("sign", STRANGE, ids=ascii)
@pytest.mark.parametrize("kind", [Words, Title, ShortName, Name], ids=["words", "t", "short", "n"])
def test_no_name_has_signs_that_nobody_sees(kind: Any, sign: str) -> None:
    for name in (f"Ann{sign}", f"{sign}Ann", f"A{sign}nn"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(name, kind)
        assert INVISIBLE.search(name)
    assert msgspec.convert("Zoë 李 עדי", kind) == "Zoë 李 עדי"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (BoardGame, {"edition": "usa", "players": [{"colour": "red", "name": TURNED}]}),
        (BoardGame, {"edition": "usa", "players": [{"colour": TURNED}]}),
        (CardGame, {"edition": "card-game", "city_bonuses": {TURNED: 8}}),
        (Deck, {"tickets": [{"cities": ["Omaha", TURNED]}]}),
        (CardSeat, {"colour": "red", "name": TURNED}),
        (Player, {"seat": "ann", "colour": "red", "shape": TURNED}),
        (DraftChange, {"seen": 0, "kind": "board", "name": TURNED}),
        (PlayerReport, {"seat": "ann", "name": TURNED}),
    ],
    ids=["player", "colour", "bonus", "city", "card player", "shape", "edit", "table"],
)
def test_each_kind_of_name_is_refused(kind: Any, value: dict[str, Any]) -> None:
    assert misfit(value, kind).endswith("has signs that are not allowed there")


@pytest.mark.parametrize("part", ["title", "places", "routes"])
def test_a_boards_file_has_none(part: str) -> None:
    board = json.loads(json.dumps(SMALL))
    if part == "title":
        board["title"] = TURNED
    else:
        board[part][0][FIRST[part]] = TURNED
    with pytest.raises(BoardError, match=f"{part}.*has signs that are not allowed there"):
        parse_board(json.dumps(board))


def test_a_cell_of_a_table_has_none() -> None:
    draft = draft_of(small_boards.small_board(), small_boards.SIZE)
    with pytest.raises(DraftError, match=r"^line 2: .* has signs that are not allowed there"):
        parse_places(f"name,x_mm,y_mm\n{TURNED},1,1\nBo,2,2", (100, 100))
    with pytest.raises(DraftError, match="signs that are not allowed"):
        parse_sites(f"name,station\n{TURNED},{draft.places[0].name}", draft)
    with pytest.raises(DraftError, match="signs that are not allowed"):
        parse_tickets(f"{TURNED},Bee,3", {"ann": TURNED, "bee": "Bee"})


def test_lists_are_bounded() -> None:
    seats = {"edition": "usa", "players": [{"colour": f"c{n}"} for n in range(201)]}
    held = {"edition": "usa", "tickets": {"red": [{"a": "helena", "b": "seattle"}] * 201}}
    for game in (seats, held):
        with pytest.raises(GameError, match="at most 200 long"):
            parse_json(json.dumps(game), BoardGame, GameError)
    many = SMALL | {"places": [msgspec.to_builtins(Place(f"p{n}", "P")) for n in range(1001)]}
    with pytest.raises(BoardError, match="places: it has to be at most 1000 long"):
        parse_board(json.dumps(many))
    tickets = [msgspec.to_builtins(BoardTicket("a", f"b{n}", 1)) for n in range(1001)]
    with pytest.raises(BoardError, match="tickets: it has to be at most 1000 long"):
        parse_board(json.dumps(SMALL | {"tickets": tickets}))

"""What is wrong with a text is said in words, whatever is wrong: without types, paths, patterns."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.cli.command import main
from railspotter.scoring.board import Board
from railspotter.scoring.card_game.text import CardGame
from railspotter.scoring.dealing.moves import Move
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import BoardGame
from railspotter.scoring.json_text import MALFORMED, malformed, parse_json
from railspotter.scoring.sentence import StatedError

USA = {"edition": "usa", "players": [{"colour": "red"}], "claims": {"helena--seattle": "red"}}
CARDS = {
    "edition": "card-game",
    "tickets": {"red": [{"cities": ["Dallas", "Omaha"], "circles": {"red": 1}, "points": 4}]},
    "stack": {"red": {"red": 1}},
}
BOARD = {
    "id": "toy",
    "title": "Toy",
    "size_mm": [800, 500],
    "places": [{"id": "a", "name": "A", "xy_mm": [1, 1]}],
    "routes": [],
}
PAY = {"move": "pay", "kind": "route", "id": "a--b", "cards": {"red": 1}}
WHOLE: dict[Any, dict[str, Any]] = {BoardGame: USA, CardGame: CARDS, Board: BOARD, Move: PAY}


@pytest.mark.parametrize(
    ("kind", "more", "said"),
    [
        (BoardGame, {"edition": "usa10"}, "edition: there is no 'usa10'; there are usa, "),
        (BoardGame, {"ticket": {}}, "there is no 'ticket'; there are edition, players, claims, "),
        (CardGame, {"stack": {"red": {"lilac": 1}}}, "stack.red.lilac: there is no 'lilac'; "),
        (CardGame, {"stack": {"red": {"red": 201}}}, "stack.red.red: it has to be at most 200"),
        (BoardGame, {"players": [{"colour": ""}]}, "players[0].colour: it has to be at least 1 l"),
        (BoardGame, {"claims": {"a" * 999: "red"}}, f"claims.{'a' * 60}...: it has to be at most"),
        (Board, {"id": "Toy!"}, "id: 'Toy!' has signs that are not allowed there"),
        (Board, {"size_mm": [800]}, "size_mm: it has to be 2 long"),
        (Board, {"size_mm": [800, 0]}, "size_mm[1]: it has to be more than 0"),
        (
            CardGame,
            {"tickets": {"red": [{"cities": ["Dallas", "Omaha"], "circles": {"lilac": 1}}]}},
            "tickets.red[0].circles.lilac: there is no 'lilac'; there are black, blue, ",
        ),
        (Move, {"move": "steal"}, "there is no 'steal'; there are draw_card, draw_tickets, "),
        (Move, {"cards": {"red": "two"}}, "cards.red: a whole number belongs there, not a text"),
        (CardGame, {"tickets": {"red": [{"cities": ["Omaha", "omaha "]}]}}, "tickets.red[0]: a t"),
        (CardGame, {"tickets": {"red": [{"cities": ["Omaha", " "]}]}}, "tickets.red[0]: a ticket"),
    ],
)
def test_the_faulty_part_is_named(kind: Any, more: dict[str, Any], said: str) -> None:
    text = json.dumps(WHOLE[kind] | more)
    with pytest.raises(MALFORMED):
        msgspec.json.decode(text, type=kind)
    assert malformed(text, kind).startswith(said)


def parts(value: Any) -> list[tuple[Any, Any]]:
    """Every list or object in a value, with each of its keys."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    return [(value, key) for key in keys] + [p for key in keys for p in parts(value[key])]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)


@given(st.sampled_from(list(WHOLE)), st.data())
def test_no_machinery_shows_whatever_is_put_where(kind: Any, data: st.DataObject) -> None:
    whole = json.loads(json.dumps(WHOLE[kind]))
    where, key = data.draw(st.sampled_from(parts(whole)))
    where[key] = data.draw(ANYTHING)
    try:
        msgspec.json.decode(json.dumps(whole), type=kind)
    except MALFORMED:
        said = malformed(json.dumps(whole), kind)
        assert not [sign for sign in ("`", "$.", "Expected", "regex", "Object") if sign in said]


DIGITS = "9" * 5000  # more than Python turns into a number


def test_what_is_no_json_at_all() -> None:
    assert malformed("{", BoardGame).endswith("line 1, column 2 on")
    assert malformed(b"\xff", BoardGame) == "this is no text in UTF-8: save it as UTF-8"
    assert "NaN" in malformed("NaN", BoardGame)
    assert "brackets" in malformed("[" * 100_000, BoardGame)


@pytest.mark.parametrize("number", [DIGITS, f"-{DIGITS}", f"{DIGITS}.5", "1e999"], ids=len)
@pytest.mark.parametrize(
    "text",
    ['{"edition": %s}', '{"edition": "usa", "pins": {"a": %s}}', '{"%s": {"a": 1, "a": 2}}'],
)
def test_a_number_without_end_is_called_too_large(text: str, number: str) -> None:
    with pytest.raises(GameError, match=r"too large|there is no '99999|there is no '-99|e999"):
        parse_json(text % number, BoardGame, GameError)


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("kind", WHOLE)
def test_it_is_read_as_windows_saves_it(kind: Any, code: str) -> None:
    text = json.dumps(WHOLE[kind])
    marked = text if code in ("utf-8", "utf-8-sig", "utf-16") else f"\ufeff{text}"
    wanted = msgspec.json.decode(text, type=kind)
    assert parse_json(marked.encode(code), kind, StatedError) == wanted


def test_a_file_of_windows_powershell_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(json.dumps(USA, indent=2).replace("\n", "\r\n").encode("utf-16"))
    assert main(["score", str(file)]) == 0
    assert "red" in capsys.readouterr().out


@pytest.mark.parametrize("kind", WHOLE)
def test_no_object_has_a_key_twice(kind: Any) -> None:
    first = next(iter(WHOLE[kind]))
    text = json.dumps(WHOLE[kind])
    with pytest.raises(StatedError, match=f"'{first}' is written twice"):
        parse_json(f"{text[:-1]}, {text[1:]}", kind, StatedError)

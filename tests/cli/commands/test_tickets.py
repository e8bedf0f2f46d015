"""`railspotter tickets`, and `read --tickets`: who has won."""

import json
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.cli.command import main
from railspotter.table.photo_file import load_photo, save_picture
from railspotter.vision.words import nets

needs_nets = pytest.mark.skipif(
    not (nets.FOLDER / "nets.json").exists(), reason="this build could not fetch the nets of words"
)
HELENA = "helena--seattle"


def ticket(title: str, points: int) -> Picture:
    """Return a ticket that the test draws itself, on a table."""
    card = np.full((560, 900, 3), (215, 230, 235), np.uint8)
    face, ink = cv2.FONT_HERSHEY_DUPLEX, (40, 40, 130)
    (wide, _), _ = cv2.getTextSize(title, face, 1.5, 3)
    cv2.putText(card, title, (450 - wide // 2, 90), face, 1.5, ink, 3, cv2.LINE_AA)
    cv2.putText(card, str(points), (690, 470), face, 5, ink, 9, cv2.LINE_AA)
    return np.pad(card, ((90, 90), (90, 90), (0, 0)))


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    save_picture(tmp_path / "one.jpg", ticket("SEATTLE - NEW YORK", 22))
    save_picture(tmp_path / "other.jpg", ticket("DALLAS - NEW YORK", 11))
    half = ticket("WINNIPEG - LITTLE ROCK", 11)
    half[100:250, 640:] = 70
    save_picture(tmp_path / "half.jpg", half)
    save_picture(tmp_path / "blank.jpg", np.full((600, 800, 3), 120, np.uint8))
    return tmp_path


@needs_nets
def test_tickets_are_listed_and_drawn(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(photos / name) for name in ("one.jpg", "half.jpg", "one.jpg")]
    out = photos / "drawn.png"
    assert main(["tickets", *names, "--board", "usa", "--annotate", str(out)]) == 0
    head, ticket_line, _, doubt = capsys.readouterr().out.splitlines()
    assert head.endswith("USA (2004), 1 ticket, 22 points")
    assert ticket_line.split() == ["22", "New", "York", "-", "Seattle"]
    assert "perhaps Little Rock - Winnipeg 11" in doubt
    assert (load_photo(photos / "drawn-one.png") != load_photo(photos / "one.jpg")).any()
    assert main(["tickets", *names, "--edition", "usa", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["tickets"] == [{"a": "new-york", "b": "seattle", "points": 22}]
    assert said["doubts"][0]["photo"] == names[1]
    assert said["doubts"][0]["likeliest"] == [{"a": "little-rock", "b": "winnipeg", "points": 11}]


@needs_nets
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("blank.jpg --board usa", 3, "it is blank or blurred"),
        ("one.jpg --board newyork", 3, "no ticket of New York"),
        ("one.jpg --board philly", 2, "the tickets of Philly (a fan map) are not known"),
        ("one.jpg", 2, "say with --board whose tickets they are"),
        ("missing.jpg --board usa", 2, "No such file"),
        ("page.txt --board usa", 2, "not a picture"),
        ("one.jpg page.txt --board usa", 2, "not a picture"),
    ],
)
def test_what_no_tickets_are_read_from_is_told_in_a_sentence(
    words: str, code: int, said: str, photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (photos / "page.txt").write_text("Seattle - New York")
    typed = [str(photos / word) if "." in word else word for word in words.split()]
    assert main(["tickets", *typed]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("railspotter: ")
    assert said in line


def test_a_build_without_nets_says_what_is_missing(
    photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(nets, "FOLDER", photos)
    nets._net.cache_clear()
    assert main(["tickets", str(photos / "one.jpg"), "--board", "usa"]) == 2
    assert "install railspotter again" in capsys.readouterr().err
    nets._net.cache_clear()


@needs_nets
def test_a_photo_and_hands_of_tickets_give_the_winner(
    photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = photos / "table.jpg"
    save_picture(table, drawn.photographed({HELENA: "red", "duluth--helena": "blue"}))
    words = ["read", str(table), "--board", "usa"]
    assert main(words) == 0
    alone = capsys.readouterr().out
    hands = [f"ann={photos / 'one.jpg'}", f"BLUE={photos / 'half.jpg'}"]
    assert main([*words, "--players", "Ann:red", "Bo:blue", "--tickets", *hands]) == 0
    told = capsys.readouterr().out
    assert "Ann (red): 3 points" in told
    assert "-22  ticket Seattle - New York, not completed" in told.replace(
        "New York - Seattle", "Seattle - New York"
    )
    assert "tickets that are not sure are not counted" in told
    assert told.rstrip().endswith("Bo (blue)")
    main([*words, "--json", "--players", "Ann:red", "Bo:blue", "--tickets", *hands])
    said = json.loads(capsys.readouterr().out)
    assert said["final"]["winners"] == ["blue"]
    assert [one["points"] for one in said["hands"]["red"]["tickets"]] == [22]
    assert main([*words, "--players", "Ann:red", "--tickets", "cy=a.jpg"]) == 2
    assert "nobody is called 'cy'" in capsys.readouterr().err
    main(words)
    assert capsys.readouterr().out == alone

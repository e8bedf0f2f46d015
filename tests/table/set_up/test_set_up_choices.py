"""What there is to choose when a game is set up, and what is remembered of it."""

import stat
from pathlib import Path
from threading import Event
from typing import Any

import drawn
import msgspec
import pytest
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import edition_names, load_edition
from railspotter.table.boards.board_choice import rules_for
from railspotter.table.boards.own_boards import OwnBoards
from railspotter.table.errors import HomeError, SetUpError
from railspotter.table.set_up.cameras import Cameras, OfferedCamera, named_addresses, source_of_page
from railspotter.table.set_up.offers import checked_rules, editions_offered, rules_offered
from railspotter.table.set_up.planned_game import Choices, ChosenPlayer, PlannedGame, choices_file
from railspotter.vision.errors import VisionError
from railspotter.vision.sources.cameras import FoundCamera
from railspotter.vision.sources.phone import PostedFrames

ANN, BO = ChosenPlayer("Ann", "red"), ChosenPlayer("Bo", "blue")
CHOSEN = Choices("usa", "usa", (ANN, BO), "phone", {"longest_path_bonus": 0})


def test_choices_are_kept_whole_and_for_nobody_else_to_read(tmp_path: Path) -> None:
    kept = choices_file(tmp_path / "home")
    assert kept.load_or_default() == Choices()
    kept.save(CHOSEN)
    assert kept.load_or_default() == CHOSEN
    (file,) = (tmp_path / "home").iterdir()
    assert file.name == "set-up.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b'{"edition": "usa"', id="cut off"),
        pytest.param(b"\xff\xfe\x00", id="no text"),
        pytest.param(b'{"players": [{"name": "A", "colour": 3}]}', id="of another kind"),
        pytest.param(b'{"players": [{"name": "A", "colour": ""}]}', id="without a colour"),
        pytest.param(b'{"source": "%s"}' % (b"9" * 600), id="too long"),
        pytest.param(b"[" * 100_000, id="deep"),
    ],
)
def test_a_bad_file_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "set-up.json").write_bytes(content)
    kept = choices_file(tmp_path)
    assert kept.load_or_default() == Choices()
    kept.save(CHOSEN)
    assert kept.load_or_default() == CHOSEN


def test_what_cannot_be_written_is_said_and_the_old_stays(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with pytest.raises(HomeError, match="cannot write"):
        choices_file(tmp_path / "home").save(CHOSEN)


def test_editions_whose_board_can_be_read_are_offered() -> None:
    offered = editions_offered(OwnBoards(Path("nowhere")))
    ids = [one.id for one in offered]
    assert ids[0] == "usa"
    assert set(edition_names()) - set(ids) == {"card-game", "philly"}
    newyork = next(one for one in offered if one.id == "newyork")
    assert (newyork.train_word, newyork.players, newyork.is_own) == ("taxi", (2, 4), False)


def test_an_edition_says_what_it_plays_otherwise_than_the_plainest_on_its_board() -> None:
    said = {one.id: one.other_rules for one in editions_offered(OwnBoards(Path("nowhere")))}
    assert said["usa"] == said["europe"] == ()
    assert said["usa-10th"] == (
        "first tickets that are not kept leave the game",
        "who is tied for the win is told apart by: the most completed tickets, the longest path"
        " among those who are tied; else the victory is shared",
    )
    assert "the longest path brings no points" in said["usa-1910"]


def test_own_boards_are_offered_with_the_rules_of_the_board_most_like_them(tmp_path: Path) -> None:
    mine = msgspec.structs.replace(load_board("europe"), id="my-map", title="My map")
    OwnBoards(tmp_path).save(mine)
    boards = OwnBoards(tmp_path)
    (own,) = (one for one in editions_offered(boards) if one.is_own)
    assert (own.id, own.board, own.title) == ("europe", "my-map", "My map")
    path = boards.path("my-map")
    path.write_text("no board any more")
    assert not any(one.is_own for one in editions_offered(boards))
    path.unlink()
    assert not any(one.is_own for one in editions_offered(boards))


def test_a_board_like_no_other_has_usual_rules() -> None:
    board = load_board("usa")
    renamed = tuple(msgspec.structs.replace(p, id=f"x-{p.id}") for p in board.places)
    assert rules_for(msgspec.structs.replace(board, id="mine", places=renamed)).id == "usa"


def test_an_older_board_file_is_played_by_the_rules_of_the_board_it_was_made_of() -> None:
    part = msgspec.structs.replace(load_board("philly"), id="mine", edition=None)
    assert rules_for(part).id == "philly"
    assert rules_for(msgspec.structs.replace(part, edition="usa-1910")).id == "usa-1910"


@pytest.mark.parametrize(
    ("edition", "names"),
    [
        ("usa", ["longest_path_bonus", "double_routes_open_from", "trains"]),
        ("usa-1910", ["globetrotter_bonus", "double_routes_open_from", "trains"]),
        ("usa-big-cities", ["double_routes_open_from", "trains"]),
        (
            "usa-mega",
            ["longest_path_bonus", "globetrotter_bonus", "double_routes_open_from", "trains"],
        ),
        ("europe", ["longest_path_bonus", "double_routes_open_from", "stations", "trains"]),
        ("newyork", ["double_routes_open_from", "trains"]),
        ("philly", ["trains", "site_points", "replaced_locomotive"]),
    ],
)
def test_rules_that_players_change_are_offered_where_the_edition_has_them(
    edition: str, names: list[str]
) -> None:
    rules = load_edition(edition)
    offered = rules_offered(rules, load_board(rules.board))
    assert [one.name for one in offered] == names
    for one in offered:
        usual = one.usual if isinstance(one.usual, tuple) else (one.usual,)
        assert all(one.least <= number <= one.most for number in usual)
        assert one.usual == getattr(rules, one.name)
        # Each is one that the game's log takes, at both ends.
        for end in (one.least, one.most):
            value = (end,) if one.kind == "numbers" else end
            assert getattr(rules.with_house_rules({one.name: value}), one.name) == value


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"wings": 1}, "no house rule 'wings'"),
        ({"route_points": 1}, "no house rule 'route_points'"),
        ({"longest_path_bonus": 7}, "10 or 0, not 7"),
        ({"trains": 0}, "5 to 45, not 0"),
        ({"stations": 1}, "no house rule 'stations'"),
    ],
)
def test_other_house_rules_are_refused(rules: dict[str, int], why: str) -> None:
    with pytest.raises(SetUpError, match=why):
        checked_rules(rules, rules_offered(load_edition("usa"), load_board("usa")))


@pytest.mark.parametrize(
    ("players", "why"),
    [
        ([ANN], "2 to 5 people play USA"),
        ([ANN, ChosenPlayer("Al", "red")], "two people cannot both play red"),
        ([ANN, ChosenPlayer("Cy", "purple")], "has no purple: it has black, blue"),
        ([ANN, BO], None),
        ([], None),
    ],
)
def test_what_is_wrong_with_the_players_is_said(
    players: list[ChosenPlayer], why: str | None
) -> None:
    edition = load_edition("usa")
    plan = PlannedGame(load_board("usa"), edition, tuple(players))
    faults = [*plan.faults(drawn.profile(), edition.colours)]
    assert (why is None and not faults) or (why is not None and why in faults[0])


def test_seats_of_a_new_game_are_told_apart() -> None:
    players = (ANN, ChosenPlayer("ann", "blue"), ChosenPlayer("", "green"))
    plan = PlannedGame(load_board("usa"), load_edition("usa"), players, {"trains": 30})
    started = plan.started("Friday")
    assert [one.seat for one in started.players] == ["ann", "ann-2", "green"]
    assert (started.name, started.house_rules, started.board) == ("Friday", {"trains": 30}, None)


class Plugs:
    """Cameras that are plugged in, and how often somebody looked."""

    def __init__(self, *found: FoundCamera) -> None:
        self.found, self.looked, self.at_s = list(found), 0, 0.0
        self.may_look = Event()
        self.may_look.set()

    def look(self) -> list[FoundCamera]:
        self.may_look.wait(10.0)
        self.looked += 1
        return self.found


def test_cameras_that_are_plugged_in_later_are_offered() -> None:
    plugs = Plugs()
    cameras = Cameras(plugs.look, is_listed=True, clock=lambda: plugs.at_s)
    assert cameras.now() == ()
    plugs.found = [FoundCamera(2, "C920")]
    assert cameras.now() == ()
    plugs.at_s = 2.0
    assert cameras.now() == (OfferedCamera("2", "C920"),)
    assert plugs.looked == 2


def test_where_looking_lights_lamps_it_is_done_once_and_nobody_waits() -> None:
    plugs = Plugs(FoundCamera(0, "camera 0"))
    plugs.may_look.clear()
    cameras = Cameras(plugs.look, is_listed=False, clock=lambda: plugs.at_s)
    assert cameras.now() == ()
    plugs.may_look.set()
    for _ in range(500):
        if cameras.now():
            break
        Event().wait(0.01)
    plugs.at_s = 100.0
    assert cameras.now() == (OfferedCamera("0", "camera 0"),)
    assert plugs.looked == 1


@pytest.mark.parametrize(
    "text",
    [
        "/etc/passwd",
        "../film.mp4",
        "~/film.mp4",
        "\\\\server\\film.mp4",
        "film.mp4",
        "photos",
        "file:///etc/passwd",
        "/dev/video0",
        "ftp://192.0.2.7/a",
        "demo",
        "",
    ],
)
def test_the_page_names_no_file(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("photos").mkdir()
    Path("film.mp4").write_bytes(b"a film")
    with pytest.raises((SetUpError, VisionError)):
        source_of_page(text, PostedFrames(), {})


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("phone", "PostedFrames"),
        ("0", "Camera"),
        ("pi", "PiCamera"),
        ("http://192.0.2.7:8080/video", "WebCamera"),
        ("rtsp://192.0.2.7/live", "VideoStream"),
    ],
)
def test_the_page_names_cameras(text: str, kind: Any) -> None:
    addresses = ("http://me:secret@192.0.2.7:8080/video", "rtsp://me:secret@192.0.2.7/live")
    source = source_of_page(text, PostedFrames(), named_addresses(addresses))
    assert type(source).__name__ == kind

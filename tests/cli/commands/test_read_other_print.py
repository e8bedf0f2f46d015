"""`railspotter read` of a board whose print nobody knows: the drawn one, never calibrated."""

import json
from pathlib import Path
from typing import Any

import drawn
import pytest
from railspotter.calibration.finding.finder import NOWHERE
from railspotter.calibration.pose import Grounds, NotFound
from railspotter.cli.command import main
from railspotter.table.boards.board_choice import RecognisedBoard, recognise_board_in_files
from railspotter.table.home import ProfileStore
from railspotter.table.home import home as home_folder
from railspotter.table.photos.limits import CORNERS_HELP, OTHER_PRINT_NOTE, why_not_found

LEAST_RIGHT = 0.97


@pytest.fixture
def photo(home: Path, pictures: Path) -> str:
    """A photo of the drawn game, and a program that knows no profile."""
    return str(pictures / "game.jpg")


def read(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["read", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def check(reading: Any) -> None:
    """Most routes are right, and what is wrong is asked about."""
    routes = [route.id for route in drawn.usa().routes]
    wrong = {name for name in routes if reading["claims"].get(name) != drawn.CLAIMS.get(name)}
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(routes)
    assert wrong <= {doubt.get("route") for doubt in reading["doubts"]}
    assert OTHER_PRINT_NOTE in reading["notes"]


def test_another_print_is_found_by_its_routes_and_read_by_its_own_inks(
    capsys: pytest.CaptureFixture[str], photo: str
) -> None:
    check(read(capsys, photo, "--board", "usa"))


def test_another_print_is_read_at_corners_that_a_person_gives(
    capsys: pytest.CaptureFixture[str], photo: str
) -> None:
    corners = [f"{x:.0f},{y:.0f}" for x, y in drawn.game().corners_px]
    check(read(capsys, photo, "--board", "usa", "--corners", *corners))


@pytest.mark.long
def test_which_board_another_print_is_of_its_routes_say(photo: str) -> None:
    shown = recognise_board_in_files([photo], ProfileStore(home_folder()))
    assert shown == RecognisedBoard("usa", photo=photo)


@pytest.mark.parametrize(
    ("grounds", "helps"), [(Grounds.NOTHING, True), (Grounds.PRINT, True), (Grounds.PICTURE, False)]
)
def test_corners_help_where_only_the_print_is_unknown(grounds: Grounds, helps: bool) -> None:
    assert (CORNERS_HELP in why_not_found(NotFound(NOWHERE, grounds=grounds))) is helps

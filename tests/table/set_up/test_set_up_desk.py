"""A game that is set up: what is chosen is opened, the board is found, and the game begins."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from railspotter.table.boards.board_choice import OTHER_PRINT
from railspotter.table.errors import HomeError, NotReadyError, SetUpError, TableError
from railspotter.table.game_log.course_facts import GameEnded, GameStarted, PointsCounted
from railspotter.table.game_log.errors import EventError, GameInUseError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.home import ProfileStore
from railspotter.table.set_up.game_set_up import GameSetUp
from railspotter.table.set_up.planned_game import Choices, ChosenPlayer, Preset, choices_file
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.photos import Photos
from served_play import board
from waiting import until

ANN, BO = ChosenPlayer("Ann", "red"), ChosenPlayer("", "blue")
ADDRESS = "http://me:secret@127.0.0.1:9/video?pwd=secret"
NAME = "http://127.0.0.1:9/video"


@pytest.fixture
def desk(calibrated: Path) -> Iterator[GameSetUp]:
    with GameSetUp(calibrated, Preset(cameras=(ADDRESS,))) as desk:
        yield desk
        if desk.begun is not None:
            desk.begun.grabber.stop()


def chosen(desk: GameSetUp) -> None:
    """Choose all, and let a phone post what it sees until the board is found."""
    desk.choose_edition("usa")
    desk.choose_players([ANN, BO])
    desk.choose_source("phone")
    ready(desk)


def ready(desk: GameSetUp) -> None:
    def is_found() -> bool:
        desk.phone.post(board(), "one")
        return desk.view().may_begin

    until(is_found)


def test_without_a_camera_no_board_is_looked_for(home: Path) -> None:
    with GameSetUp(home) as desk:
        desk.choose_edition("newyork")  # of which there is no profile
        desk.choose_players([ChosenPlayer("Ann", "blue"), ChosenPlayer("", "white")])
        desk.choose_source("none")
        view = desk.view()
        assert view.may_begin
        assert view.source is not None
        assert not view.source.has_camera
        assert desk.now.calibration is None
        desk.begin()
        assert desk.begun is not None
        desk.begun.grabber.stop()
        assert desk.begun.profile is None
    with GameSetUp(home) as desk:
        assert desk.view().may_begin, "it is kept for the next time"


def test_where_nobody_knows_the_print_a_photo_of_the_empty_board_is_said_to_help(
    home: Path, calibrated: Path
) -> None:
    print_of = OTHER_PRINT.filled(edition="USA, 10th Anniversary", known="USA (2004)")
    with GameSetUp(home / "nobody's") as desk:
        desk.choose_edition("usa")
        assert desk.view().gaps == ()
        desk.choose_edition("usa-10th")
        assert desk.view().gaps == (print_of,)
        desk.choose_source("none")
        assert desk.view().gaps == ()
    with GameSetUp(calibrated) as desk:  # with a photo of that board
        desk.choose_edition("usa-10th")
        assert desk.view().gaps == ()


def test_so_many_play_by_a_house_rule_where_somebody_says_so(home: Path) -> None:
    ann = ChosenPlayer("Ann", "blue")
    with GameSetUp(home) as desk:
        desk.choose_source("none")
        desk.choose_edition("newyork")
        desk.choose_players([ann])
        with pytest.raises(NotReadyError, match=r"2 to 4 people play New York \(2018\), not 1"):
            desk.begin()
        desk.choose_players([ann], any_number=True)
        assert (desk.view().step, desk.view().faults, desk.view().any_number) == ("ready", (), True)
        desk.choose_edition("europe")
        assert desk.view().faults, "it was said of another box"
        desk.choose_edition("newyork")
        desk.choose_players([ann, ChosenPlayer("", "white")], any_number=True)
        assert not desk.view().any_number, "the box says so too"
        desk.choose_players([ann], any_number=True)
        desk.begin()
        assert desk.begun is not None
        desk.begun.grabber.stop()
        table = GameStore(home).read(desk.begun.game).table
        assert table.started.house_rules == {"players": [1, 4]}
        assert table.full_score.problems == ()
    with GameSetUp(home) as desk:
        assert desk.view().may_begin, "the same people play again"
    given = Preset(Choices(players=(ann,)))
    with GameSetUp(home, given) as desk:
        assert desk.view().faults, "who is named on the command line is asked again"


def test_one_step_after_the_other_until_the_game_begins(desk: GameSetUp, home: Path) -> None:
    assert desk.view().step == "edition"
    with pytest.raises(NotReadyError, match="edition"):
        desk.begin()
    desk.choose_edition("usa")
    assert desk.view().step == "players"
    desk.choose_players([ANN])
    view = desk.view()
    assert (view.step, view.faults[0].step) == ("players", "players")
    desk.choose_players([ANN, BO])
    assert desk.view().step == "source"
    desk.choose_source("phone")
    with pytest.raises(NotReadyError, match="camera"):
        desk.begin()
    desk.choose_rules({"longest_path_bonus": 0, "trains": 45})
    assert desk.view().house_rules == {"longest_path_bonus": 0}
    assert GameStore(home).ids() == ()
    ready(desk)
    assert len(desk.sight().outline) == 4
    desk.begin()
    begun = desk.begun
    assert begun is not None
    started = GameStore(home).read(begun.game).table.started
    assert started.edition == "usa"
    assert [(p.seat, p.name, p.colour) for p in started.players] == [
        ("ann", "Ann", "red"),
        ("blue", "", "blue"),
    ]
    assert started.house_rules == {"longest_path_bonus": 0}
    assert begun.profile is not None
    assert begun.profile.name == "drawn"
    with pytest.raises(NotReadyError, match="begun already"):
        desk.choose_players([ANN])
    # The phone goes on posting to the grabber that goes over.
    before = begun.grabber.status.grabbed
    desk.phone.post(board(), "one")
    until(lambda: begun.grabber.status.grabbed > before)


def test_the_command_line_goes_before_what_was_chosen_the_last_time(
    calibrated: Path, tmp_path: Path
) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "1.jpg").write_bytes(board())
    choices_file(calibrated).save(Choices("europe", "europe", (ANN,), "phone"))
    given = Preset(Choices("", "usa", (ANN, BO), str(photos)), name="Friday")
    with GameSetUp(calibrated, given) as desk:
        view = desk.view()
        assert view.edition is not None
        assert (view.edition.id, view.players) == ("usa", (ANN, BO))
        until(lambda: desk.view().may_begin)
        desk.choose_rules({"trains": 20})
        kept = choices_file(calibrated).load()
        assert (kept.source, kept.players) == ("phone", (ANN, BO))  # no file is offered again
        watched = desk.now.source
        until(lambda: desk.now.source is not None and desk.now.source.grabber.status.is_over)
        assert desk.view().may_begin
        desk.begin()
        begun = desk.begun
    assert begun is not None
    assert watched is not None
    with begun.grabber:
        assert isinstance(begun.grabber.source, Photos)
        assert begun.grabber is not watched.grabber  # the photos are shown from the first on
        assert begun.grabber.latest(timeout_s=10.0) is not None
    assert GameStore(calibrated).read(begun.game).table.name == "Friday"


def test_the_command_line_names_what_is_not_there(home: Path) -> None:
    for given in (
        Preset(Choices(board="atlantis")),
        Preset(Choices(edition="philly", board="usa")),
        Preset(Choices(source="no-such")),
        Preset(game="0" * 32),
    ):
        with pytest.raises(TableError), GameSetUp(home, given):
            raise AssertionError


def test_a_kept_source_that_is_gone_is_said_and_another_is_chosen(home: Path) -> None:
    choices_file(home).save(Choices("usa", "usa", (ANN, BO), "C920"))
    with GameSetUp(home) as desk:
        view = desk.view()
        assert (view.step, [fault.step for fault in view.faults]) == ("source", ["source"])
        assert view.source is not None
        assert view.source.is_over
        with pytest.raises(SetUpError):
            desk.choose_source("/etc/passwd")
        desk.choose_source("phone")
        assert desk.view().faults == ()


def test_one_source_after_the_other_and_no_picture_of_the_old_one(desk: GameSetUp) -> None:
    chosen(desk)
    old = desk.now.source
    assert old is not None
    assert old.camera.newest() is not None
    desk.choose_source("phone")
    assert desk.now.source is old  # that one is open
    desk.choose_source(NAME)
    now = desk.now.source
    assert now is not None
    assert old.grabber.status.is_over
    assert now.camera.newest() is None
    assert desk.view().step == "source"
    desk.choose_source("phone")
    ready(desk)


def test_a_camera_in_the_network_needs_the_terminals_word(calibrated: Path) -> None:
    def offered(desk: GameSetUp) -> list[str]:
        return [one.source for one in desk.view().cameras if "://" in one.source]

    def sees(desk: GameSetUp) -> str:
        assert desk.now.source is not None
        return repr(desk.now.source.grabber.source)

    with GameSetUp(calibrated) as desk:
        desk.choose_source("phone")
        old = desk.now.source
        for address in ("http://192.168.1.20:8080/video", "https://example.org/live", ADDRESS):
            with pytest.raises(SetUpError, match="at the table's computer") as said:
                desk.choose_source(address)
            assert "secret" not in str(said.value)
        assert desk.now.source is old, "it is still open"
        assert offered(desk) == []
    channels = ("http://127.0.0.1:9/a?camera=1", "http://127.0.0.1:9/a?camera=2")
    given = Choices(source=channels[0])
    with GameSetUp(calibrated, Preset(given, cameras=(channels[1], ADDRESS))) as desk:
        assert offered(desk) == ["http://127.0.0.1:9/a", "http://127.0.0.1:9/a (2)", NAME]
        assert channels[0] in sees(desk), "the command line chose it"
        desk.choose_source("http://127.0.0.1:9/a (2)")
        assert channels[1] in sees(desk)
        desk.choose_source(NAME)
        assert ADDRESS in sees(desk)
        with pytest.raises(
            SetUpError, match=r"the camera http://127\.0\.0\.1:9/b can be chosen here once"
        ):
            desk.choose_source("http://127.0.0.1:9/b")
    with GameSetUp(calibrated) as desk:
        view = desk.view().source
        assert view is not None
        assert f"the camera {NAME} can be chosen here once" in view.said, "chosen the last time"
    with GameSetUp(calibrated, Preset(cameras=(ADDRESS,))) as desk:
        assert ADDRESS in sees(desk)


def test_an_address_that_the_computers_browser_gave_is_remembered(
    calibrated: Path, home: Path
) -> None:
    with GameSetUp(calibrated) as desk:
        with pytest.raises(SetUpError, match="no camera's address"):
            desk.allow_camera("ftp://192.0.2.7/")
        assert desk.allow_camera(ADDRESS) == NAME
        desk.choose_source(NAME)
    with GameSetUp(calibrated) as desk:
        assert desk.now.source is not None
        assert ADDRESS in repr(desk.now.source.grabber.source)
        desk.choose_players([ANN, BO])
    assert "secret" not in (home / "set-up.json").read_text()
    assert (home / "cameras.json").stat().st_mode & 0o077 == 0


def test_an_address_that_was_kept_with_its_password_is_chosen_anew(
    calibrated: Path, home: Path
) -> None:
    choices_file(home).save(Choices(source=ADDRESS))
    with GameSetUp(calibrated, Preset(cameras=(ADDRESS,))) as desk:
        assert desk.now.source is not None
        desk.choose_players([ANN, BO])
    assert choices_file(home).load_or_default().source == NAME
    assert "secret" not in (home / "set-up.json").read_text()


def test_what_cannot_be_kept_does_not_hold(desk: GameSetUp, home: Path) -> None:
    desk.choose_edition("usa")
    (home / "set-up.json").unlink()
    (home / "set-up.json").mkdir()
    with pytest.raises(HomeError):
        desk.choose_edition("europe")
    with pytest.raises(HomeError):
        desk.choose_source("phone")
    view = desk.view()
    assert view.edition is not None
    assert (view.edition.id, view.source) == ("usa", None)


def test_an_unfinished_game_goes_on_as_it_was(desk: GameSetUp, home: Path) -> None:
    store = GameStore(home)
    players = (Player("cleo", "green", "Cleo"), Player("dan", "black", "Dan"))
    with store.create(GameStarted("usa", players, house_rules={"trains": 30}), 1.0) as log:
        game = log.id
        desk.resume_game(game)
        view = desk.view()
        assert (view.game, view.step, view.rules) == (game, "source", ())
        assert [one.colour for one in view.players] == ["green", "black"]
        assert view.house_rules == {"trains": 30}
        with pytest.raises(SetUpError, match="stay as they are"):
            desk.choose_rules({"trains": 40})
        desk.choose_players([ANN, BO])  # a new game after all
        assert desk.view().game is None
        desk.choose_edition("usa")
        desk.choose_source("phone")
        ready(desk)
        with pytest.raises(GameInUseError):
            desk.resume_game(game)
        assert desk.begun is None
    desk.resume_game(game)
    begun = desk.begun
    assert begun is not None
    assert (begun.game, begun.is_new) == (game, False)
    assert choices_file(home).load().players == (ANN, BO)
    assert store.ids() == (game,)


def test_a_game_whose_points_are_counted_is_not_opened(desk: GameSetUp, home: Path) -> None:
    with GameStore(home).create(GameStarted("usa", (Player("ann", "red"),)), 1.0) as log:
        log.append([GameEnded()], 2.0)
    desk.resume_game(log.id)
    assert desk.view().game == log.id, "tickets are still to be shown"
    with GameStore(home).open(log.id) as log:
        log.append([PointsCounted()], 3.0)
    with pytest.raises(SetUpError, match="has ended"):
        desk.resume_game(log.id)
    with pytest.raises(TableError, match="no game"):
        desk.resume_game("0" * 32)
    with pytest.raises(TableError):
        desk.resume_game("../usa")


def test_nothing_of_the_drawn_game_is_kept(desk: GameSetUp, home: Path) -> None:
    desk.choose_edition("europe")
    desk.choose_players([ANN, BO])
    desk.choose_source("demo")
    until(lambda: desk.view().may_begin)
    view = desk.view()
    assert view.edition is not None
    assert view.edition.id == "usa"
    assert len(view.players) == 4
    assert desk.now.calibration is not None
    desk.now.calibration.keep()
    until(lambda: desk.now.calibration is not None and desk.now.calibration.view().state == "found")
    assert ProfileStore(home).names() == ("drawn",)
    assert choices_file(home).load() == Choices("europe", "europe", (ANN, BO))
    with pytest.raises(SetUpError):
        desk.choose_rules({"trains": 30})
    desk.begin()
    begun = desk.begun
    assert begun is not None
    assert not isinstance(begun.grabber.source, PostedFrames)
    assert GameStore(home).ids() == (), "nor among the past games"
    started = begun.store.read(begun.game).table.started
    assert [player.colour for player in started.players] == [one.colour for one in view.players]


def test_a_game_that_goes_on_before_the_drawn_board_is_not_played_on(
    desk: GameSetUp, home: Path
) -> None:
    store = GameStore(home)
    players = (Player("cleo", "green", "Cleo"), Player("dan", "black", "Dan"))
    with store.create(GameStarted("usa", players), 1.0) as log:
        pass
    desk.choose_source("demo")
    desk.resume_game(log.id)

    def has_begun() -> bool:
        desk.begin_if_possible()
        return desk.begun is not None

    until(has_begun)
    assert desk.begun is not None
    assert desk.begun.demo is None
    assert desk.begun.store.read(log.id).table.players == players
    assert store.ids() == (log.id,)


def test_a_game_cannot_have_what_no_log_takes(desk: GameSetUp, home: Path) -> None:
    chosen(desk)
    desk.choose_players([ChosenPlayer("Ann\u2028Lee", "red"), BO])  # past the page's own checks
    with pytest.raises(EventError):
        desk.begin()
    assert GameStore(home).ids() == ()
    assert desk.begun is None


def test_a_page_sees_no_password_and_sends_back_what_it_saw(desk: GameSetUp) -> None:
    desk.choose_source(NAME)
    view, opened = desk.view().source, desk.now.source
    assert view is not None
    assert view.given == NAME
    assert "secret" not in view.said
    desk.choose_source(view.given)
    assert desk.now.source is opened, "it is open already, with its password"

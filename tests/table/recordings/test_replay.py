"""A game is recorded while it is watched; the recording watched once more says the same."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from unittest.mock import Mock

import cv2
import drawn
import numpy as np
import pytest
from at_once import AtOnce
from PIL import Image
from railspotter.calibration.profiles.reference import make_profile
from railspotter.cli.command import main
from railspotter.cli.commands.replay import _Elapsed
from railspotter.scoring import Spot, load_board, load_edition
from railspotter.scoring.game import TicketText
from railspotter.simulation.virtual_board import Scene
from railspotter.simulation.virtual_game import plain_game
from railspotter.table.game_log import (
    Corrected,
    GameLog,
    GameStarted,
    GameStore,
    Placed,
    Player,
    TicketTaken,
)
from railspotter.table.live_table import LiveTable, TableView
from railspotter.table.photo_file import load_photo
from railspotter.table.recordings.recorder import Recorder
from railspotter.table.recordings.recording import (
    FRAMES,
    RecordedFrames,
    Recording,
    RecordingError,
)
from railspotter.vision.sources import Frame, Grabber, SourceUnusableError, VirtualBoard, Watch
from railspotter.vision.watching import WatchState

GREY = np.full((120, 160, 3), 128, np.uint8)
STARTED = GameStarted("usa", (Player("ann", "red", "Ann"), Player("bo", "blue", "Bo")))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the log of the beginning of a game, and its recording in `recorded`."""
    home = tmp_path_factory.mktemp("home")
    game = plain_game(load_edition("usa"), load_board("usa"), 3, (960, 640))
    blank = game.camera.take(Scene(light=game.enactment.timeline.lamps[0].light))
    profile = make_profile(blank.picture, load_board("usa"), blank.corners_px, "drawn", "")
    players = tuple(Player(s.colour, s.colour) for s in game.enactment.played.seats)
    source = VirtualBoard(lambda t_s: game.frame_at(t_s).picture, 12.0, 5.0, as_fast_as_read=True)
    with (
        GameStore(home).create(GameStarted("usa", players, "Friday"), 1.0) as log,
        Grabber(source) as grabber,
    ):
        table = LiveTable(log, grabber, profile, work=AtOnce())
        folder = home / "recorded"
        with Recorder(
            folder, log.id, log.state.table.started, profile, say=print, least_free=0
        ) as recorder:
            table.look_on(recorder.looked)
            while not table.view.is_over:
                table.turn()
            table.correct(Spot("route", "helena--seattle"), "red")
            table.turn()
    return home


@pytest.fixture
def at_home(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(recorded))
    return recorded


def test_a_recording_watched_once_more_says_the_same(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = Recording.load(at_home / "recorded")
    times = [frame.at_s for frame in recording.frames]
    assert times == sorted(times)
    assert recording.frames[0].begins
    assert len(recording.frames) < 60, "what holds still is not kept five times a second"
    assert main(["replay", str(at_home / "recorded")]) == 0
    assert "the same as in the log" in capsys.readouterr().out
    log = GameStore(at_home).read("".join(GameStore(at_home).ids()))
    assert "helena--seattle" in log.table.claims


def test_what_differs_from_the_log_is_told(
    at_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = tmp_path / "other"
    shutil.copytree(at_home / "games", other / "games")
    monkeypatch.setenv("RAILSPOTTER_HOME", str(other))
    store = GameStore(other)
    (game,) = store.ids()
    with store.open(game) as log:
        log.append([Placed(Spot("route", "duluth--helena"), colour="red", by="camera")], 2.0)
    assert main(["replay", str(at_home / "recorded"), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["missing"] == [{"kind": "route", "about": "duluth--helena", "colour": "red"}]
    assert said["new"] == []
    assert said["ends"] == [{"kind": "route", "about": "duluth--helena", "was": "red", "now": None}]
    assert not said["is_same"]


def test_a_recording_without_its_log_is_watched_all_the_same(
    at_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path))
    part = tmp_path / "part"
    shutil.copytree(at_home / "recorded", part)
    lines = (part / FRAMES).read_bytes().splitlines(keepends=True)
    (part / FRAMES).write_bytes(b"".join(lines[:5]))
    assert main(["replay", str(part)]) == 0
    out = capsys.readouterr().out
    assert "5 pictures" in out
    assert "nothing to compare with" in out


def test_a_video_of_the_game_is_watched_once_more(
    at_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = Recording.load(at_home / "recorded")
    pictures = [load_photo(recording.folder / frame.file) for frame in recording.frames[-8:]]
    height, width = pictures[0].shape[:2]
    path = tmp_path / "end.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (width, height))
    for picture in pictures:
        video.write(picture)
    video.release()
    shutil.copy(recording.folder / "profile.npz", tmp_path / "drawn.npz")
    (at_home / "profiles").mkdir(exist_ok=True)
    shutil.copy(recording.folder / "profile.npz", at_home / "profiles" / "drawn.npz")
    code = main(["replay", "Friday", "--source", str(path), "--profile", "drawn", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert code == 1, "the video shows the end only: nobody confirmed what lay there"
    assert said["frames"] == len(pictures)


def test_what_was_said_is_due_in_its_order_though_the_clock_jumped_back(home: Path) -> None:
    with GameStore(home).create(STARTED, 1000.0) as log:
        for at_s in (1010.0, 40.0, 1020.0):
            log.append([Placed(Spot("route", "helena--seattle"), colour="red", by="person")], at_s)
        due = _Elapsed(log.state)
    assert due(None) == (1, False)
    assert [due(Frame(GREY, t_s, 1))[0] for t_s in (7.0, 8.0, 17.5, 28.0)] == [1, 1, 3, 4]


def test_a_game_is_told_event_by_event(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with GameStore(home).create(STARTED, 1_790_000_000.0) as log:
        log.append([Placed(Spot("route", "helena--seattle"), colour="red", by="camera")], 1e9)
        log.append([ticket()], 1e9)
        log.append([Corrected(Spot("route", "helena--seattle"), was="red", now=None)], 1e9)
        log.append([log.state.undo()], 1e9)
        game = log.id
    assert main(["replay", game[:8]]) == 0
    out = capsys.readouterr().out
    assert "Ann (red): Helena - Seattle" in out
    assert "Ann (red) 15 (39 left)" in out
    assert "undone: corrected" in out
    assert main(["replay", game[:8], "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["kind"] for line in lines] == [
        "game_started",
        "route_claimed",
        "claim_corrected",
        "undone",
    ], "a ticket that is not revealed is not told"
    assert lines[-1]["points"] == {"red": 15, "blue": 0}
    assert [line["stands"] for line in lines] == [True, True, False, True]


def ticket() -> TicketTaken:
    return TicketTaken("ann", TicketText("new-york", "seattle"))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["friday"], "no game 'friday'"),
        (["."], "is no recording"),
        (["friday", "--source", "game.mp4"], "no game 'friday'"),
    ],
)
def test_what_cannot_be_replayed_is_refused(
    home: Path, arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line


def recorder(
    folder: Path,
    said: list[str],
    game: str = "g",
    *,
    least_free: int = 0,
    most_bytes: int = 2**40,
) -> Recorder:
    return Recorder(
        folder,
        game,
        STARTED,
        drawn.profile(),
        say=said.append,
        least_free=least_free,
        most_bytes=most_bytes,
    )


def looked(recorder: Recorder, log: GameLog, times: list[float], state: WatchState) -> None:
    view = TableView(1, log.state, state)
    for number, t_s in enumerate(times, start=1):
        recorder.looked(Frame(GREY, t_s, number), view)


@pytest.fixture
def log(tmp_path: Path) -> GameLog:
    log = GameStore(tmp_path / "home").create(STARTED, 1.0)
    log.close()
    return log


def test_pictures_are_kept_where_something_moves(tmp_path: Path, log: GameLog) -> None:
    with recorder(tmp_path / "r", []) as one:
        looked(one, log, [i / 10 for i in range(300)], WatchState.SETTLED)
    resting = Recording.load(tmp_path / "r").frames
    assert len(resting) == 3
    with recorder(tmp_path / "m", []) as one:
        looked(one, log, [i / 10 for i in range(12)], WatchState.HAND)
    assert len(Recording.load(tmp_path / "m").frames) == 6


def test_a_recording_goes_on_where_it_stopped(tmp_path: Path, log: GameLog) -> None:
    folder, said = tmp_path / "r", list[str]()
    for _ in range(2):
        with recorder(folder, said) as one:
            looked(one, log, [0.0, 1.0, 2.0], WatchState.HAND)
    with (folder / FRAMES).open("ab") as index:
        index.write(b'{"file":"0000')  # the plug was pulled
    assert len(Recording.load(folder).frames) == 6
    with recorder(folder, said) as one:
        looked(one, log, [7.0], WatchState.HAND)
    frames = Recording.load(folder).frames
    assert [frame.begins for frame in frames] == [True, False, False] * 2 + [True]
    assert [frame.at_s for frame in frames] == sorted({frame.at_s for frame in frames})
    assert len({frame.file for frame in frames}) == 7
    with pytest.raises(RecordingError, match="another game"):
        recorder(folder, said, game="other")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").touch()
    with pytest.raises(RecordingError, match="other files"):
        recorder(tmp_path / "full", said)


@pytest.mark.parametrize(
    ("limits", "reason"),
    [((2**60, 2**40), "nearly full"), ((0, 1), "may have")],
)
def test_a_full_disk_ends_the_recording_and_not_the_game(
    tmp_path: Path, log: GameLog, limits: tuple[int, int], reason: str
) -> None:
    said: list[str] = []
    least_free, most_bytes = limits
    with recorder(tmp_path / "r", said, least_free=least_free, most_bytes=most_bytes) as one:
        looked(one, log, [float(i) for i in range(5)], WatchState.HAND)
    assert len(said) == 1
    assert reason in said[0]
    assert Recording.load(tmp_path / "r").frames == ()


def test_a_recorded_picture_that_is_huge_is_not_unpacked(tmp_path: Path, log: GameLog) -> None:
    with recorder(tmp_path / "r", []) as one:
        looked(one, log, [0.0], WatchState.HAND)
    recording = Recording.load(tmp_path / "r")
    file = io.BytesIO()
    Image.new("RGB", (6000, 5000)).save(file, "PNG")
    (recording.folder / recording.frames[0].file).write_bytes(file.getvalue())
    with pytest.raises(SourceUnusableError, match="30 megapixels"):
        next(iter(RecordedFrames(recording).shots(Mock(Watch))))

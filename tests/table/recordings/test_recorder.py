"""A game is recorded while it is watched."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from railspotter.table.errors import HomeError
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.table_view import BoardSight, TableView
from railspotter.table.recordings.recorder import HEAD, Recorder, RecordingError
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.photos import Photos, photos_in
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.settling import WatchState

GREY = np.full((120, 160, 3), 128, np.uint8)
STARTED = GameStarted("usa", (Player("ann", "red", "Ann"), Player("bo", "blue", "Bo")))


def recorder(folder: Path, said: list[str], game: str = "g", **limits: Any) -> Recorder:
    limits = {"least_free": 0, "most_bytes": 2**40, **limits}
    return Recorder(folder, game, say=said.append, **limits)


def frames_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.jpg"))


def looked(recorder: Recorder, log: GameLog, times: list[float], state: WatchState) -> None:
    view = TableView(log.state, BoardSight(state))
    for number, t_s in enumerate(times, start=1):
        recorder.on_frame(Frame(GREY, t_s, number), view)


@pytest.fixture
def log(tmp_path: Path) -> GameLog:
    log = GameStore(tmp_path / "home").create(STARTED, 1.0)
    log.close()
    return log


def test_pictures_are_kept_where_something_moves(tmp_path: Path, log: GameLog) -> None:
    with recorder(tmp_path / "r", []) as one:
        looked(one, log, [i / 10 for i in range(300)], WatchState.SETTLED)
    resting = frames_in(tmp_path / "r")
    assert len(resting) == 3
    with recorder(tmp_path / "m", []) as one:
        looked(one, log, [i / 10 for i in range(12)], WatchState.HAND)
    assert len(frames_in(tmp_path / "m")) == 6


def test_a_recording_goes_on_where_it_stopped(tmp_path: Path, log: GameLog) -> None:
    folder, said = tmp_path / "r", list[str]()
    for _ in range(2):
        with recorder(folder, said) as one:
            looked(one, log, [0.0, 1.0, 2.0], WatchState.HAND)
    assert frames_in(folder) == [f"{number:06}.jpg" for number in range(1, 7)]
    with pytest.raises(RecordingError, match="another game"):
        recorder(folder, said, game="other")
    (folder / HEAD).write_bytes(b"0\n")
    with pytest.raises(HomeError, match="damaged"):
        recorder(folder, said)
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
    assert frames_in(tmp_path / "r") == []


def test_a_recording_is_a_folder_of_photos_to_watch(tmp_path: Path, log: GameLog) -> None:
    with recorder(tmp_path / "r", []) as one:
        looked(one, log, [0.0, 1.0, 2.0], WatchState.HAND)
    source = parse_source(str(tmp_path / "r"))
    assert isinstance(source, Photos)
    assert len(photos_in(source.path)) == 3

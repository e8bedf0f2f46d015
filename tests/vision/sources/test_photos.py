"""Photos are shown one after the other, each for a while."""

from pathlib import Path
from typing import Literal

import pytest
from phone_photos import phone_photo
from railspotter.vision.decoding import decode
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import Photos
from railspotter.vision.sources.source import SourceUnusableError

from .stand_ins import PATIENT_S, QuickWatch, jpeg, number_in, taken


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, number in {"turn 10.jpg": 3, "Turn 9.JPEG": 2, "start.jpg": 1, "win.jpg": 4}.items():
        (tmp_path / name).write_bytes(jpeg(number))
    (tmp_path / "notes.txt").write_text("not a photo")
    (tmp_path / "._start.jpg").write_text("what another system left")
    (tmp_path / "older").mkdir()
    return tmp_path


def test_each_photo_is_held_in_the_order_of_the_names(folder: Path) -> None:
    watch = QuickWatch()
    shots = taken(Photos(folder, held_s=1.0), watch=watch)
    shown = {number: [] for number in (1, 2, 3, 4)}  # type: dict[int, list[float]]
    for shot in shots:
        shown[number_in(shot.picture)].append(shot.taken_at_s - 1000.0)
    for place, times_s in enumerate(shown.values()):
        assert times_s[0] == pytest.approx(place * 1.0)
        assert times_s[-1] == pytest.approx(place + 1.0)
        assert len(times_s) >= 5


def test_stepped_photos_wait_for_their_reader(folder: Path) -> None:
    with Grabber(Photos(folder, held_s=0)) as grabber:
        seen: list[int] = []
        while frame := grabber.latest(len(seen), PATIENT_S):
            seen.append(number_in(frame.picture))
        assert grabber.status.said == f"{folder.name} has ended"
    assert seen == [1, 2, 3, 4]


def test_one_photo_is_a_source_too(folder: Path) -> None:
    shots = taken(Photos(folder / "start.jpg", held_s=2.0))
    assert {number_in(shot.picture) for shot in shots} == {1}
    assert shots[-1].taken_at_s - shots[0].taken_at_s == pytest.approx(2.0)


@pytest.mark.parametrize("kind", ["HEIC", "AVIF"])
def test_photos_are_as_phones_keep_them(tmp_path: Path, kind: Literal["HEIC", "AVIF"]) -> None:
    (tmp_path / f"IMG_1.{kind}").write_bytes(phone_photo(decode(jpeg(3)), kind))
    assert {number_in(shot.picture) for shot in taken(Photos(tmp_path, held_s=1.0))} == {3}


def test_a_damaged_photo_stops_the_show_and_is_named(folder: Path) -> None:
    (folder / "turn 10.jpg").write_bytes(jpeg(3)[:500])
    watch = QuickWatch()
    shots = Photos(folder, held_s=0).shots(watch)
    assert [number_in(next(shots).picture) for _ in range(2)] == [1, 2]
    with pytest.raises(SourceUnusableError, match=r"turn 10\.jpg: .* cut short"):
        next(shots)


def test_a_folder_that_is_empty_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceUnusableError, match="no photos in it"):
        taken(Photos(tmp_path))
    with pytest.raises(SourceUnusableError, match="No such file"):
        taken(Photos(tmp_path / "nowhere"))

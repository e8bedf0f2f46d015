"""Profiles as files: what was written is read, and every damage is refused with a word."""

import hashlib
import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.calibration.errors import ProfileError
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.profiles.features import Features
from railspotter.calibration.profiles.picture_quality import PictureQuality
from railspotter.calibration.profiles.profile import CameraMode, LearnedColour, Profile
from railspotter.calibration.profiles.profile_file import VERSION, from_bytes, parse_head, to_bytes
from railspotter.calibration.profiles.quality import Quality
from railspotter.vision.watching.bare_print import BarePrint, with_bare_print

SHOWN = PictureQuality(
    corners_px_per_mm=(1.5, 1.5, 2.0, 2.25),
    px_per_mm=1.75,
    blur_mm=((0.25, None, 0.5, 0.5, 0.5, 0.75),) * 4,
    glare=((0.0, 0.25, 0.0, 0.0, 0.0, 0.0),) * 4,
    lightness=62.5,
    tilt_deg=12.0,
)
REFERENCE_DIGEST = "b4b874a4def74145"
# Of the pictures in the files of older versions: the first of the reference's SHA-256, and the
# features' middle, as the programs that wrote the files had them.
POINTS_MEAN = (29.02779475, 21.90069298)
LEARNED = LearnedColour("blue", "evening", ((30.5, 10.0, -40.25), (31.0, 9.5, -39.0)), count=7)


def small_profile(seed: int = 0, features: int = 3) -> Profile:
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 6, (features, 2)).astype(np.float32).astype(np.float64)
    return Profile(
        name="kitchen",
        board="usa",
        size_mm=(6.0, 4.0),
        made_at="2026-02-03T04:05:06+00:00",
        reference=rng.integers(0, 256, (8, 12, 3), dtype=np.uint8),
        px_per_mm=2.0,
        features=Features(points, rng.integers(0, 256, (features, 128), dtype=np.uint8)),
        print_offsets_mm={"helena--seattle": (1.5, -0.5)},
        lenses={"webcam": Lens((1920, 1080), (-0.1, 0.02, 0.3), views=4)},
        quality=Quality(SHOWN, photos=2, error_mm=(0.25, 0.75), matched=0.875),
        nudges_mm={"helena--seattle": (0.5, 0.0), "helena--seattle#2": (0.0, -1.5)},
        scale=1.125,
        colours={"blue": (LEARNED, LearnedColour("blue", title="Sky", swatch=(0, 90, 255)))},
        unseen=frozenset({"denver--phoenix#0", "denver--phoenix#1"}),
        made_with=CameraMode("camera:0", (1920, 1080)),
    )


def head_of(content: bytes) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(bytes(np.load(io.BytesIO(content))["head"]))
    return head


CONTENT = to_bytes(small_profile())
HEAD = head_of(CONTENT)
QUALITY: dict[str, Any] = HEAD["quality"]


def archive(arrays: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def rebuilt(**arrays: npt.ArrayLike | None) -> bytes:
    """The small profile's file with some arrays replaced, or left out."""
    kept: dict[str, Any] = {**np.load(io.BytesIO(CONTENT)), **arrays}
    return archive({name: np.asarray(a) for name, a in kept.items() if a is not None})


def with_head(**changes: object) -> bytes:
    return rebuilt(head=np.frombuffer(json.dumps({**HEAD, **changes}).encode(), np.uint8))


def same(a: Profile, b: Profile) -> bool:
    arrays = ("reference", "features")
    plain = (field.name for field in fields(Profile) if field.name not in arrays)
    return (
        all(getattr(a, name) == getattr(b, name) for name in plain)
        and np.array_equal(a.reference, b.reference)
        and np.array_equal(a.features.points, b.features.points)
        and np.array_equal(a.features.descriptors, b.features.descriptors)
    )


@given(st.integers(0, 2**32 - 1), st.integers(0, 9), st.text(max_size=20))
def test_what_is_written_is_read(seed: int, features: int, name: str) -> None:
    profile = replace(small_profile(seed, features), name=name)
    content = to_bytes(profile)
    assert same(from_bytes(content), profile)
    assert parse_head(content).name == name


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_written_by_an_older_program_is_read(version: int) -> None:
    """The files were written by the programs of their time, of a drawn sheet, and stay as is."""
    content = (Path(__file__).parent / f"profile-{version}.npz").read_bytes()
    assert head_of(content)["version"] == version
    profile = from_bytes(content)
    lens = Lens((1920, 1080), (-0.1, 0.02, 0.3), views=4)
    assert (profile.name, profile.board, profile.size_mm) == ("kitchen", "usa", (60.0, 40.0))
    assert profile.made_at == "2026-02-03T04:05:06+00:00"
    assert profile.print_offsets_mm == {
        "helena--seattle": (1.5, -0.5),
        "denver--phoenix": (0.0, 2.0),
    }
    assert profile.lenses == ({} if version == 1 else {"webcam": lens})
    assert profile.reference.shape == (80, 120, 3)
    assert hashlib.sha256(profile.reference.tobytes()).hexdigest()[:16] == REFERENCE_DIGEST
    assert profile.features.points.shape == (22, 2)
    assert np.allclose(profile.features.points.mean(axis=0), POINTS_MEAN)
    assert (profile.quality, profile.scale, profile.made_with) == (None, None, None)
    assert (profile.nudges_mm, profile.colours, profile.unseen) == ({}, {}, frozenset())
    assert same(from_bytes(to_bytes(profile)), profile)
    assert head_of(to_bytes(profile))["version"] == VERSION


def test_an_older_file_says_what_a_newer_one_says() -> None:
    """What version 3 added, left out, is at its default."""
    new = ("quality", "nudges_mm", "scale", "colours", "unseen", "made_with")
    older = {name: value for name, value in HEAD.items() if name not in new} | {"version": 2}
    content = rebuilt(head=np.frombuffer(json.dumps(older).encode(), np.uint8))
    bare: dict[str, Any] = {
        "quality": None,
        "nudges_mm": {},
        "scale": None,
        "colours": {},
        "made_with": None,
    }
    assert same(from_bytes(content), replace(small_profile(), **bare, unseen=frozenset()))


@pytest.mark.parametrize("by", [0x01, 0x10, 0x80])
def test_a_changed_byte_is_refused_or_changes_nothing(by: int) -> None:
    for at in range(len(CONTENT)):
        content = bytearray(CONTENT)
        content[at] ^= by
        try:
            profile = from_bytes(bytes(content))
        except ProfileError:
            continue
        assert same(profile, small_profile()), at


def test_a_truncated_file_is_refused() -> None:
    for length in range(len(CONTENT)):
        with pytest.raises(ProfileError):
            from_bytes(CONTENT[:length])


def lone_array() -> bytes:
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    return file.getvalue()


DAMAGED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not a profile"),
    "text": (b"hello", "not a profile"),
    "the beginning of an archive": (b"PK\x03\x04 and no more", "not a profile"),
    "an array alone": (lone_array(), "not a profile"),
    "no description": (rebuilt(head=None), "not a profile"),
    "no features": (rebuilt(points_mm=None), "not a profile"),
    "later version": (with_head(version=VERSION + 1), f"version {VERSION + 1}"),
    "no version": (with_head(version=0), "version 0"),
    "a lens of no picture": (
        with_head(lenses={"a": {"size_wh": [0, 9], "bending": [0, 0, 0], "views": 1}}),
        "description",
    ),
    "a lens that is no camera's": (
        with_head(lenses={"a": {"size_wh": [9, 9], "bending": [0, 0, -1], "views": 1}}),
        "description",
    ),
    "a lens without numbers": (
        with_head(lenses={"a": {"size_wh": [9, 9], "bending": [float("nan"), 0, 0], "views": 1}}),
        "description",
    ),
    "half a lens": (with_head(lenses={"a": {}}), "description"),
    "a far nudge": (with_head(nudges_mm={"a--b": [25, -25]}), "description"),
    "a copy of no size": (with_head(scale=0), "description"),
    "a camera of no size": (with_head(made_with={"camera": "c", "size_wh": [0, 1]}), "description"),
    "a colour beyond white": (
        with_head(colours={"b": [{"name": "b", "swatch": [0, 0, 256]}]}),
        "description",
    ),
    "more trains than were seen": (
        with_head(colours={"b": [{"name": "b", "observations": [[1, 2, 3]], "count": 0}]}),
        "description",
    ),
    "half a quality": (with_head(quality={"photos": 1}), "description"),
    **{
        f"{name} of a quality": (with_head(quality=spoilt), "description")
        for name, spoilt in (
            ("no photos", QUALITY | {"photos": 0}),
            ("no cells", QUALITY | {"picture": QUALITY["picture"] | {"glare": []}}),
            (
                "torn cells",
                QUALITY | {"picture": QUALITY["picture"] | {"glare": [[0] * 6, [0] * 5] * 2}},
            ),
            ("less than nothing", QUALITY | {"error_mm": [-1, 0]}),
        )
    },
    "a version in words": (with_head(version="one"), "description"),
    "a width alone": (with_head(size_mm=[6]), "description"),
    "a negative width": (with_head(size_mm=[-6, 4]), "size"),
    "no scale": (with_head(px_per_mm=0), "size"),
    "beyond numbers": (with_head(size_mm=[1e308, 4], px_per_mm=1e308), "size"),
    "a number for description": (rebuilt(head=np.array(3.0)), "description"),
    "a picture of another size": (with_head(size_mm=[6, 5]), "picture"),
    "no picture": (rebuilt(reference_png=np.zeros(0, np.uint8)), "picture"),
    "no bytes of one": (rebuilt(reference_png=np.ones(99, np.uint8)), "picture"),
    "a raw picture": (rebuilt(reference_png=np.zeros((8, 12, 3), np.uint8)), "picture"),
    "a number for points": (rebuilt(points_mm=np.float32(3)), "features"),
    "3-D points": (rebuilt(points_mm=np.zeros((3, 3), np.float32)), "features"),
    "points as text": (rebuilt(points_mm=np.array([["a", "b"]] * 3)), "features"),
    "points nowhere": (rebuilt(points_mm=np.full((3, 2), np.nan, np.float32)), "features"),
    "too few descriptors": (rebuilt(descriptors=np.zeros((2, 128), np.uint8)), "features"),
    "float descriptors": (rebuilt(descriptors=np.zeros((3, 128), np.float32)), "features"),
}


@pytest.mark.parametrize("named", DAMAGED)
def test_damage_is_named(named: str) -> None:
    content, word = DAMAGED[named]
    with pytest.raises(ProfileError, match=word):
        from_bytes(content)


def test_a_part_of_the_reference_is_replaced() -> None:
    profile = small_profile()
    patch = np.full((2, 3, 3), 7, np.uint8)
    is_shown = np.array([[True, True, False], [True, False, True]])
    spaces = frozenset(["denver--phoenix#1"])
    patched = with_bare_print(
        profile, BarePrint("denver--phoenix", spaces, patch, (5, 4), is_shown)
    )
    changed = (patched.reference != profile.reference).any(axis=-1)
    where = {(5, 4), (6, 4), (5, 5), (7, 5)}
    assert {(int(x), int(y)) for y, x in np.argwhere(changed)} == where
    assert all((patched.reference[y, x] == 7).all() for x, y in where)
    assert patched.unseen == {"denver--phoenix#0"}
    assert same(profile, small_profile())


def zipped(method: int = zipfile.ZIP_DEFLATED, **files: bytes) -> bytes:
    """A profile's file with other contents of some of its files, packed as one says."""
    with zipfile.ZipFile(io.BytesIO(CONTENT)) as archive:
        named = {name: archive.read(name) for name in archive.namelist()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in {**named, **{f"{name}.npy": of for name, of in files.items()}}.items():
            archive.writestr(name, content)
    return file.getvalue()


def array_head(shape: tuple[int, ...], content: bytes) -> bytes:
    """An array that says what shape it has, whatever follows."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        file, {"shape": shape, "fortran_order": False, "descr": "|u1"}
    )
    return file.getvalue() + content


def belittled(content: bytes, name: bytes, size: int) -> bytes:
    """An archive whose list says that a file is small when it is unpacked."""
    at = content.rindex(name) - 46  # PKWARE's APPNOTE, 4.3.12
    assert content[at : at + 4] == b"PK\1\2"
    return content[: at + 24] + struct.pack("<I", size) + content[at + 28 :]


HUGE = 80 * 2**20


def huge() -> bytes:
    """An array of 80 MiB."""
    return array_head((HUGE,), bytes(HUGE))


def huge_picture() -> bytes:
    """A PNG of some kilobytes with 16 million pixels."""
    png = cv2.imencode(".png", np.zeros((4000, 4000), np.uint8))[1].reshape(-1)
    return rebuilt(reference_png=png)


@pytest.mark.parametrize(
    ("made", "word"),
    [
        pytest.param(lambda: zipped(descriptors=huge()), "not a profile", id="packed"),
        pytest.param(
            lambda: belittled(zipped(descriptors=huge()), b"descriptors.npy", 1000),
            "not a profile",
            id="packed, and said to be small",
        ),
        pytest.param(
            lambda: zipped(zipfile.ZIP_LZMA, descriptors=huge()[: 60 * 2**20]),
            "not a profile",
            id="packed otherwise than NumPy does",
        ),
        pytest.param(
            lambda: zipped(descriptors=array_head((10**9, 10**9), b"")),
            "not a profile",
            id="announced",
        ),
        pytest.param(huge_picture, "picture", id="a huge picture"),
        pytest.param(
            lambda: with_head(size_mm=[9999, 9999], px_per_mm=1.9), "size", id="a huge size"
        ),
    ],
)
def test_what_is_huge_when_unpacked_is_refused_unseen(made: Callable[[], bytes], word: str) -> None:
    content = made()
    assert len(content) < 200_000
    tracemalloc.start()
    try:
        with pytest.raises(ProfileError, match=word):
            from_bytes(content)
        assert tracemalloc.get_traced_memory()[1] < 2**21
    finally:
        tracemalloc.stop()


class _Trap:
    sprung = False

    def __reduce__(self) -> tuple[Any, ...]:
        return _spring, ()


def _spring() -> None:
    _Trap.sprung = True


def test_a_pickled_object_is_never_unpacked() -> None:
    content = rebuilt(head=np.array([_Trap()], dtype=object))
    with pytest.raises(ProfileError, match="not a profile"):
        from_bytes(content)
    assert not _Trap.sprung

"""Profiles as files: what was written is read, and every damage is refused with a word."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.calibration.errors import ProfileError
from railspotter.calibration.features import Features
from railspotter.calibration.lens import Lens
from railspotter.calibration.profile import VERSION, Profile, from_bytes, parse_head, to_bytes


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
    )


CONTENT = to_bytes(small_profile())
HEAD: dict[str, Any] = json.loads(bytes(np.load(io.BytesIO(CONTENT))["head"]))


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
    plain = ("name", "board", "size_mm", "made_at", "px_per_mm", "print_offsets_mm", "lenses")
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


def test_a_profile_of_the_first_version_has_no_lenses() -> None:
    older = {name: value for name, value in HEAD.items() if name != "lenses"} | {"version": 1}
    content = rebuilt(head=np.frombuffer(json.dumps(older).encode(), np.uint8))
    assert same(from_bytes(content), replace(small_profile(), lenses={}))


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


@pytest.mark.parametrize(
    ("content", "word"),
    [
        pytest.param(b"", "not a profile", id="empty"),
        pytest.param(b"hello", "not a profile", id="text"),
        pytest.param(b"PK\x03\x04 and no more", "not a profile", id="the beginning of an archive"),
        pytest.param(lone_array(), "not a profile", id="an array alone"),
        pytest.param(rebuilt(head=None), "not a profile", id="no description"),
        pytest.param(rebuilt(points_mm=None), "not a profile", id="no features"),
        pytest.param(with_head(version=VERSION + 1), f"version {VERSION + 1}", id="later version"),
        pytest.param(with_head(version=0), "version 0", id="no version"),
        pytest.param(
            with_head(lenses={"a": {"size_wh": [0, 9], "bending": [0, 0, 0], "views": 1}}),
            "lens of 'a'",
            id="a lens of no picture",
        ),
        pytest.param(with_head(lenses={"a": {}}), "description", id="half a lens"),
        pytest.param(with_head(version="one"), "description", id="a version in words"),
        pytest.param(with_head(size_mm=[6]), "description", id="a width alone"),
        pytest.param(with_head(size_mm=[-6, 4]), "size", id="a negative width"),
        pytest.param(with_head(px_per_mm=0), "size", id="no scale"),
        pytest.param(with_head(size_mm=[1e308, 4], px_per_mm=1e308), "size", id="beyond numbers"),
        pytest.param(rebuilt(head=np.array(3.0)), "description", id="a number for description"),
        pytest.param(with_head(size_mm=[6, 5]), "picture", id="a picture of another size"),
        pytest.param(rebuilt(reference_png=np.zeros(0, np.uint8)), "picture", id="no picture"),
        pytest.param(rebuilt(reference_png=np.ones(99, np.uint8)), "picture", id="no bytes of one"),
        pytest.param(
            rebuilt(reference_png=np.zeros((8, 12, 3), np.uint8)), "picture", id="a raw picture"
        ),
        pytest.param(rebuilt(points_mm=np.float32(3)), "features", id="a number for points"),
        pytest.param(rebuilt(points_mm=np.zeros((3, 3), np.float32)), "features", id="3-D points"),
        pytest.param(
            rebuilt(points_mm=np.array([["a", "b"]] * 3)), "features", id="points as text"
        ),
        pytest.param(
            rebuilt(points_mm=np.full((3, 2), np.nan, np.float32)), "features", id="points nowhere"
        ),
        pytest.param(
            rebuilt(descriptors=np.zeros((2, 128), np.uint8)), "features", id="too few descriptors"
        ),
        pytest.param(
            rebuilt(descriptors=np.zeros((3, 128), np.float32)),
            "features",
            id="float descriptors",
        ),
    ],
)
def test_damage_is_named(content: bytes, word: str) -> None:
    with pytest.raises(ProfileError, match=word):
        from_bytes(content)


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

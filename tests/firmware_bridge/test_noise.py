"""The firmware's decoder and the program's find the same frames in any noise."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from avr_rig import decoded_by_c
from hypothesis import given
from hypothesis import strategies as st
from railspotter.firmware_bridge.framing import FrameReader, frame
from wire_noise import LONGEST, noisy_stream


def decoded_by_python(stream: bytes) -> list[bytes]:
    bodies = FrameReader().feed(stream)
    return [body for body in bodies if 2 <= len(body) <= LONGEST]


@pytest.mark.parametrize("seed", range(3))
def test_only_whole_frames_are_found(decoder: Path, seed: int) -> None:
    noise = noisy_stream(random.Random(seed), 1500)
    assert noise.damaged > 1000
    assert decoded_by_python(noise.data) == list(noise.whole)
    assert decoded_by_c(decoder, noise.data) == list(noise.whole)


@pytest.mark.parametrize("length", [2, 3, 249, 250, 251, 252, 253, 254, 255, 256, LONGEST])
@pytest.mark.parametrize("byte", [0, 1, 255])
def test_long_runs_come_through(decoder: Path, length: int, byte: int) -> None:
    body = bytes([byte]) * length
    assert decoded_by_c(decoder, frame(body)) == [body]


def test_a_body_that_is_too_long_is_dropped(decoder: Path) -> None:
    longest, longer = b"x" * 318, b"x" * 319
    assert decoded_by_c(decoder, frame(longer) + frame(longest)) == [longest]


@given(st.lists(st.binary(max_size=30), max_size=6))
def test_zeros_and_pieces_upset_nothing(pieces: list[bytes]) -> None:
    stream = b"\0".join(pieces) + frame(b"the right one")
    assert decoded_by_python(stream)[-1] == b"the right one"

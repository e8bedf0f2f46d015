"""Frames come through whole or not at all, whatever noise is around them, to the firmware too."""

import random
import zlib
from pathlib import Path

import pytest
from avr_rig import decoded_by_c
from hypothesis import example, given
from hypothesis import strategies as st
from railspotter.firmware_bridge.errors import MessageError
from railspotter.firmware_bridge.framing import MOST_BODY, FrameReader, frame
from wire_noise import LONGEST, noisy_stream

bodies = st.binary(min_size=1, max_size=700) | st.builds(
    lambda run, times, rest: run * times + rest,
    st.sampled_from([b"\0", b"\x01", b"\xff"]),
    st.integers(1, 600),
    st.binary(max_size=8),
)


def read(data: bytes) -> list[bytes]:
    return list(FrameReader().feed(data))


@given(bodies)
@example(b"x" * 250)  # with the CRC behind it a run of 254 at the very end is likely
@example(b"x" * 254)
@example(b"x" * 255)
@example(b"\0")
def test_a_frame_comes_back(body: bytes) -> None:
    sent = frame(body)
    assert sent[0] == sent[-1] == 0
    assert 0 not in sent[1:-1]
    assert read(sent) == [body]


@given(st.lists(bodies, max_size=4), st.data())
def test_it_does_not_matter_how_bytes_arrive(sent: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(frame, sent))
    reader, got = FrameReader(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        got += list(reader.feed(stream[:size]))
        stream = stream[size:]
    assert got == sent


@given(st.binary(max_size=3000), bodies)
def test_the_first_frame_after_noise_is_read(noise: bytes, body: bytes) -> None:
    assert read(noise + frame(body))[-1:] == [body]


@given(bodies, st.data())
def test_a_damaged_frame_is_not_read(body: bytes, data: st.DataObject) -> None:
    sent = bytearray(frame(body))
    at = data.draw(st.integers(1, len(sent) - 2))
    bit = 1 << data.draw(st.integers(0, 7))
    sent[at] ^= bit
    assert read(bytes(sent)) == []


def test_noise_makes_no_frame() -> None:
    rng = random.Random(3)
    reader = FrameReader()
    for _ in range(3000):
        assert list(reader.feed(rng.randbytes(rng.randrange(200)))) == []


def test_the_longest_body_passes_and_a_longer_one_does_not() -> None:
    longest = bytes(range(1, 256)) * 16 + bytes(16)
    assert len(longest) == MOST_BODY
    assert read(frame(longest)) == [longest]
    with pytest.raises(MessageError, match="4097 bytes"):
        frame(longest + b"x")


def test_what_never_ends_fills_no_memory() -> None:
    reader = FrameReader()
    for _ in range(100):
        list(reader.feed(b"x" * 10_000))
    assert len(reader._stuffed) < 2 * MOST_BODY
    assert list(reader.feed(frame(b"after"))) == [b"after"]


def test_the_crc_is_the_one_that_is_promised() -> None:
    assert zlib.crc32(b"123456789") == 0xCBF43926  # the check value of CRC-32/ISO-HDLC
    assert frame(b"123456789")[-5:-1] == bytes.fromhex("26 39 f4 cb")


@pytest.mark.parametrize("seed", range(3))
def test_only_whole_frames_are_found(decoder: Path, seed: int) -> None:
    noise = noisy_stream(random.Random(seed), 1500)
    assert noise.damaged > 1000
    assert [body for body in read(noise.data) if 2 <= len(body) <= LONGEST] == list(noise.whole)
    assert decoded_by_c(decoder, noise.data) == list(noise.whole)


@pytest.mark.parametrize("length", [2, 3, 249, 250, 251, 252, 253, 254, 255, 256, LONGEST])
@pytest.mark.parametrize("byte", [0, 1, 255])
def test_long_runs_come_through(decoder: Path, length: int, byte: int) -> None:
    body = bytes([byte]) * length
    assert decoded_by_c(decoder, frame(body)) == [body]


def test_a_body_that_is_too_long_is_dropped(decoder: Path) -> None:
    longest, longer = b"x" * 318, b"x" * 319
    assert decoded_by_c(decoder, frame(longer) + frame(longest)) == [longest]

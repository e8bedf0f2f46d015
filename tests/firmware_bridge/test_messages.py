"""Messages come back as they were sent, and no bytes upset who reads them."""

import re

import pytest
from fake_displays import decode_to_device, encode_from_device
from house.project import ROOT
from hypothesis import given
from hypothesis import strategies as st
from railspotter.firmware_bridge.errors import MessageError
from railspotter.firmware_bridge.framing import MOST_BODY, FrameReader
from railspotter.firmware_bridge.own_display import (
    HELLO,
    HELLO_NUMBER,
    PING,
    Capabilities,
    FromDevice,
    Kind,
    Ready,
    ToDevice,
    decode_from_device,
    encode,
)

byte = st.integers(0, 255)
names = st.text(st.characters(codec="ascii"), max_size=32)
to_device = st.one_of(
    st.builds(ToDevice, st.just(Kind.HELLO), st.binary(min_size=1, max_size=1)),
    st.builds(ToDevice, st.just(Kind.LIGHTS), st.binary(max_size=900)),
    st.builds(ToDevice, st.just(Kind.DIGITS), st.binary(min_size=1, max_size=65)),
    st.just(PING),
)
from_device = st.builds(Capabilities, byte, st.integers(0, 65535), byte, names, byte) | st.builds(
    Ready, byte
)


def body_of(data: bytes) -> bytes:
    (body,) = FrameReader().feed(data)
    return body


@given(to_device, byte)
def test_what_a_device_is_told_comes_back(message: ToDevice, number: int) -> None:
    assert decode_to_device(body_of(encode(message, number))) == (number, message)


@given(from_device)
def test_what_a_device_says_comes_back(message: FromDevice) -> None:
    assert decode_from_device(body_of(encode_from_device(message))) == message


@given(st.binary(max_size=400))
def test_any_body_is_read_or_passed_over(body: bytes) -> None:
    decode_from_device(body)
    decode_to_device(body)


@given(from_device, st.binary(max_size=20))
def test_more_bytes_than_are_known_are_passed_over(message: FromDevice, more: bytes) -> None:
    if isinstance(message, Ready):
        assert decode_from_device(body_of(encode_from_device(message)) + more) == message


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(MessageError, match="are the most"):
        encode(ToDevice(Kind.LIGHTS, bytes(MOST_BODY - 1)), 1)


def test_the_greeting_commands_no_wled() -> None:
    """Anything may be on a port that is tried: these bytes would make a WLED do something."""
    commands = {*range(0xB0, 0xB8), 0xC9, *b"AIXLOlov{^"}
    assert not commands & set(encode(HELLO, HELLO_NUMBER))


def test_the_page_shows_real_frames() -> None:
    page = (ROOT / "docs" / "display-protocol.md").read_text("utf-8")
    found = re.findall(r"`(00(?: [0-9a-f]{2})+)`", page)
    bodies = [body_of(bytes.fromhex(text)) for text in found]
    assert [decode_to_device(body) for body in bodies[:4]] == [
        (HELLO_NUMBER, HELLO),
        (1, ToDevice(Kind.LIGHTS, bytes([255, 0, 0, 0, 0, 255]))),
        (2, ToDevice(Kind.DIGITS, bytes.fromhex("03b000797b0030305b"))),
        (7, PING),
    ]
    assert [decode_from_device(body) for body in bodies[4:]] == [
        Capabilities(1, 100, 4, "railspotter 1", 0),
        Ready(1),
    ]

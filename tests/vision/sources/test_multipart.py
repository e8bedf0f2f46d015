"""Moving JPEG's parts come out whole, however the network cuts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.vision.sources.errors import SourceLostError
from railspotter.vision.sources.multipart import MOST_HEADER_BYTES, boundary_of, parts


class Chunks:
    """A body that comes in pieces of these sizes, then of the first again."""

    def __init__(self, content: bytes, sizes: list[int]) -> None:
        self._content, self._sizes = content, sizes
        self.given = 0

    def read1(self, n: int, /) -> bytes:
        size = min(n, self._sizes[self.given % len(self._sizes)])
        self.given += 1
        chunk, self._content = self._content[:size], self._content[size:]
        return chunk


CONTENTS = st.lists(st.binary(max_size=300).filter(lambda c: b"--b" not in c), max_size=5)


@given(
    contents=CONTENTS,
    says_length=st.booleans(),
    newline=st.sampled_from([b"\r\n", b"\n"]),
    sizes=st.lists(st.integers(1, 200), min_size=1, max_size=5),
    preamble=st.sampled_from([b"", b"\r\n", b"this is a stream\r\n"]),
)
def test_every_part_comes_out_as_it_was_sent(
    contents: list[bytes], says_length: bool, newline: bytes, sizes: list[int], preamble: bytes
) -> None:
    body = preamble
    for content in contents:
        body += b"--b" + newline + b"Content-Type: image/jpeg" + newline
        if says_length:
            body += b"CONTENT-LENGTH: %d" % len(content) + newline
        body += newline + content + newline
    body += b"--b--" + newline
    found = [*parts(Chunks(body, sizes), b"--b", 1000)]
    # Without a length the line's end before the boundary belongs to the part: no JPEG minds.
    expected = contents if says_length else [content + newline for content in contents]
    assert found == expected


@given(content=st.binary(min_size=1, max_size=300), cut=st.integers(0, 400))
def test_a_part_that_is_cut_short_is_left_out(content: bytes, cut: int) -> None:
    body = b"--b\r\nContent-Length: %d\r\n\r\n" % len(content) + content
    found = [*parts(Chunks(body[: min(cut, len(body) - 1)], [64]), b"--b", 1000)]
    assert found == []


def test_a_boundary_inside_a_part_of_known_length_is_no_boundary() -> None:
    body = b"--b\r\nContent-Length: 9\r\n\r\nab--b\r\ncd\r\n--b--"
    assert [*parts(Chunks(body, [5]), b"--b", 1000)] == [b"ab--b\r\ncd"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"x" * 10**6, id="no boundary"),
        pytest.param(b"--b\r\n" + b"X: y\r\n" * 10**6, id="no end of the header"),
        pytest.param(b"--b\r\n\r\n" + b"x" * 10**6, id="no end of the picture"),
        pytest.param(b"--b\r\nContent-Length: 999999999\r\n\r\n", id="a length beyond all limits"),
        pytest.param(b"--b\r\nContent-Length: 100001\r\n\r\n" + b"x" * 10**6, id="just too long"),
    ],
)
def test_what_is_too_long_is_refused_before_it_is_read(body: bytes) -> None:
    chunks = Chunks(body, [1000])
    with pytest.raises(SourceLostError):
        list(parts(chunks, b"--b", 100_000))
    assert chunks.given * 1000 <= 100_000 + MOST_HEADER_BYTES


def test_a_stream_must_say_what_parts_the_pictures() -> None:
    with pytest.raises(SourceLostError, match="parts the pictures"):
        boundary_of("multipart/x-mixed-replace")

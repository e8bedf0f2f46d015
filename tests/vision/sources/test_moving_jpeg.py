"""Pictures come out of moving JPEG whole, whatever stands between them and however it is cut."""

import cv2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.vision.sources.moving_jpeg import MOST_BETWEEN, split_pictures
from railspotter.vision.sources.source import SourceLostError

from .stand_ins import jpeg, numbered

MOST = 400_000
SCAN = b"\xff\xda\0\2"


class Chunks:
    """A body that comes in pieces of these sizes, then of the first again."""

    def __init__(self, content: bytes, sizes: list[int]) -> None:
        self._content, self._sizes = content, sizes
        self.given = self._at = 0

    def read1(self, n: int, /) -> bytes:
        size = min(n, self._sizes[self.given % len(self._sizes)])
        self.given += 1
        self._at += size
        return self._content[self._at - size : self._at]


def segment(kind: int, content: bytes) -> bytes:
    return b"\xff" + bytes((kind,)) + (len(content) + 2).to_bytes(2, "big") + content


MARKERS = b"\xff\xd8\xff\xd9\xff\xda\xff"
SEGMENTS = st.builds(
    segment,
    st.sampled_from([0xC0, 0xC4, 0xDB, 0xE0, 0xE1, 0xFE]),
    st.binary(max_size=60) | st.just(MARKERS),
)
CODED = st.binary(max_size=300).map(lambda data: data.replace(b"\xff", b"\xff\0"))
PICTURES = st.builds(
    lambda segments, coded: b"\xff\xd8" + b"".join(segments) + SCAN + coded + b"\xff\xd9",
    st.lists(SEGMENTS, max_size=5),
    CODED,
)
BETWEEN = st.sampled_from(
    [b"", b"\r\n--b\r\n", b"--b\r\nContent-Length: 3\r\n\r\n", bytes(90), b"\xff\xd8\xff\xd8\xff\0"]
)
SIZES = st.lists(st.integers(1, 200), min_size=1, max_size=5)


@given(sent=st.lists(st.tuples(BETWEEN, PICTURES), max_size=5), end=BETWEEN, sizes=SIZES)
def test_every_picture_comes_out_as_it_was_sent(
    sent: list[tuple[bytes, bytes]], end: bytes, sizes: list[int]
) -> None:
    body = b"".join(between + picture for between, picture in sent) + end.replace(b"\xff", b"")
    assert [*split_pictures(Chunks(body, sizes).read1, MOST)] == [picture for _, picture in sent]


@given(first=PICTURES, second=PICTURES, sizes=SIZES, data=st.data())
def test_of_what_is_cut_short_no_more_than_it_is_lost(
    first: bytes, second: bytes, sizes: list[int], data: st.DataObject
) -> None:
    head = first.index(SCAN) if MARKERS not in first else first.rindex(SCAN)
    cut = first[: data.draw(st.integers(head + len(SCAN), len(first) - 2))]
    assert [*split_pictures(Chunks(cut + second, sizes).read1, MOST)] == [cut, second]
    assert [*split_pictures(Chunks(second + cut, sizes).read1, MOST)] == [second, cut]


@given(at=st.integers(0, 600), byte=st.integers(0, 255), sizes=SIZES)
def test_a_damaged_head_costs_what_a_segment_can_be_long(
    at: int, byte: int, sizes: list[int]
) -> None:
    damaged = bytearray(jpeg(9))
    damaged[at] = byte
    passed_over = jpeg(2) * (1 + 0xFFFF // len(jpeg(2)))
    body = jpeg(1) + damaged + passed_over + jpeg(2) + jpeg(3)
    found = [*split_pictures(Chunks(body, [1000 * size for size in sizes]).read1, MOST)]
    assert found[0] == jpeg(1)
    assert found[-2:] == [jpeg(2), jpeg(3)]


def test_a_picture_in_several_scans_is_one() -> None:
    options = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    picture = cv2.imencode(".jpg", numbered(5), options)[1].tobytes()
    assert picture.count(b"\xff\xda") > 1
    assert [*split_pictures(Chunks(2 * picture, [700]).read1, MOST)] == [picture, picture]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param(b"x" * 10**6, "no JPEG picture", id="no picture"),
        pytest.param(b"--b\r\n" + b"X: y\r\n" * 10**6, "no JPEG picture", id="a header"),
        pytest.param(b"\xff\xd8\xff\xe0" * 10**6, "no JPEG picture", id="starts"),
        pytest.param(
            b"\xff\xd8" + b"\xff\xe0\0\2" * 10**6, "no JPEG picture", id="a head without end"
        ),
        pytest.param(
            jpeg(1)[:-2] + b"x" * 10**6, "larger than a picture", id="a picture without end"
        ),
        pytest.param(
            b"\xff\xd8" + 10 * segment(0xE1, bytes(65000)) + SCAN + b"x" * 10**6,
            "larger than a picture",
            id="a head that is too large",
        ),
    ],
)
def test_what_is_too_long_is_refused_before_it_is_read(body: bytes, words: str) -> None:
    chunks = Chunks(body, [1000])
    with pytest.raises(SourceLostError, match=words):
        list(split_pictures(chunks.read1, MOST))
    assert chunks.given * 1000 <= MOST + MOST_BETWEEN + 1000

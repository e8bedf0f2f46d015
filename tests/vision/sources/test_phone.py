"""What a phone posts: the newest picture, decoded by whoever reads it."""

import threading

import numpy as np
import pytest
from railspotter.vision.decoding import decode
from railspotter.vision.errors import PictureError
from railspotter.vision.sources.grabber import Grabber, GrabberState
from railspotter.vision.sources.phone import MOST_BYTES, PHOTO_S, REPEATED, PostedFrames

from .stand_ins import PATIENT_S, QuickClock, QuickWatch, jpeg, number_in, taken


def test_the_newest_of_many_is_taken_with_the_time_it_came() -> None:
    clock = QuickClock()
    box = PostedFrames(clock.now_s)
    for number in range(1, 6):
        clock.pass_by(1.0)
        box.post(jpeg(number))
    clock.pass_by(10.0)
    (shot,) = taken(box, 1, QuickWatch(clock))
    assert number_in(shot.picture) == 5
    assert shot.taken_at_s == 1005.0


def test_nothing_is_given_twice() -> None:
    box = PostedFrames()
    box.post(jpeg(1))
    assert len(taken(box, 2, QuickWatch(looks=3))) == 1


def test_the_same_picture_again_and_again_is_a_photo_and_no_film() -> None:
    box = PostedFrames()
    box.post(jpeg(1))
    for _ in range(REPEATED):
        assert not box.are_photos
        box.post(jpeg(1))
    assert box.are_photos
    box.post(jpeg(2))
    assert not box.are_photos


def test_a_film_that_repeats_its_picture_is_no_photo_and_neither_is_a_photo_for_long() -> None:
    clock = QuickClock()
    box = PostedFrames(clock.now_s)
    for _ in range(2 * REPEATED):
        box.post(jpeg(1), is_filmed=True)
        assert box.is_filming
    for _ in range(2 * REPEATED):
        box.post(jpeg(2))
    assert not box.is_filming
    clock.pass_by(PHOTO_S + 1)
    box.post(jpeg(2))
    assert box.is_filming


def test_a_grabber_waits_for_a_phone_and_says_so() -> None:
    box = PostedFrames()
    with Grabber(box) as grabber:
        while grabber.status.doing is GrabberState.OPENING:
            grabber.latest(timeout_s=0.01)
        assert grabber.status.said == "waiting for a picture from the phone's camera"
        threading.Thread(target=box.post, args=(jpeg(3),)).start()
        frame = grabber.latest(timeout_s=PATIENT_S)
        assert frame is not None
        assert number_in(frame.picture) == 3
        assert grabber.status.doing is GrabberState.WATCHING


def test_large_pictures_are_decoded_at_half_their_size_and_whole_when_they_are_asked_for() -> None:
    box = PostedFrames()
    content = jpeg(5, (1600, 900))
    box.post(content)
    with Grabber(box) as grabber:
        frame = grabber.latest(timeout_s=PATIENT_S)
        assert frame is not None
        assert frame.pyramid.size_wh == (1600, 900)
        half = frame.pyramid.at(1)
        assert half.shape == (450, 800, 3)
        assert number_in(half) == 5
        assert np.array_equal(frame.picture, decode(content))
        assert frame.pyramid.at(1) is half


def test_what_is_no_picture_is_said_and_the_next_one_taken() -> None:
    box, watch = PostedFrames(), QuickWatch()
    shots = box.shots(watch)
    box.post(b"not a picture")
    first = threading.Timer(0.05, box.post, (jpeg(2),))
    first.start()
    assert number_in(next(shots).picture) == 2
    assert watch.waits_for[0] == "a picture from the phone's camera"
    assert "not a picture in a known format" in watch.waits_for[1]
    first.join()


@pytest.mark.parametrize("has_sent", [True, False])
def test_only_a_phone_that_sent_something_has_stopped_and_is_waited_for_once(
    has_sent: bool,
) -> None:
    clock = QuickClock()
    box, watch = PostedFrames(clock.now_s), QuickWatch(clock, looks=4)
    shots = box.shots(watch)
    if has_sent:
        box.post(jpeg(1))
        next(shots)
    clock.pass_by(6.0)
    assert [*shots] == []
    stopped = ["a picture from the phone's camera, which has stopped sending"]
    assert watch.waits_for == ["a picture from the phone's camera"] + stopped * has_sent


def test_what_is_too_large_is_refused_at_the_door() -> None:
    box = PostedFrames()
    with pytest.raises(PictureError, match=r"8\.0 MB, more than the 8 MB"):
        box.post(b"\xff" * (MOST_BYTES + 1))
    assert taken(box, 1, QuickWatch(looks=1)) == []

"""The grabber: the newest frame only, lost sources come back, and it always says what it does."""

import random
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.grabber import Grabber, GrabberState, Repetition, RetryPolicy
from railspotter.vision.sources.source import (
    Frame,
    Shots,
    Source,
    SourceLostError,
    SourceUnusableError,
    Watch,
)

from .stand_ins import PATIENT_S, QuickClock, number_in, numbered


class Scripted(Source):
    """A source that does what each opening's script says."""

    def __init__(self, *scripts: Callable[[Watch], Shots], waits_for_reader: bool = False) -> None:
        self._scripts = iter(scripts)
        self._waits_for_reader = waits_for_reader
        self.open, self.opened = 0, 0

    @property
    def name(self) -> str:
        return "the camera"

    @property
    def waits_for_reader(self) -> bool:
        return self._waits_for_reader

    def shots(self, watch: Watch) -> Shots:
        self.open, self.opened = self.open + 1, self.opened + 1
        try:
            yield from next(self._scripts)(watch)
        finally:
            self.open -= 1


def giving(*numbers: int) -> Callable[[Watch], Shots]:
    def script(watch: Watch) -> Shots:
        for number in numbers:
            yield Frame(numbered(number), watch.now_s())

    return script


def losing(why: str, *numbers: int) -> Callable[[Watch], Shots]:
    def script(watch: Watch) -> Shots:
        yield from giving(*numbers)(watch)
        raise SourceLostError(why)

    return script


def seen(picture: Picture) -> int:
    return number_in(picture)


def wait_until_over(grabber: Grabber) -> None:
    grabber.latest(10**9, PATIENT_S)
    assert grabber.status.is_over, grabber.status


def test_a_slow_reader_sees_the_newest_frame_only() -> None:
    clock, interval_s = QuickClock(), 0.1
    all_given, done = threading.Event(), threading.Event()

    def script(watch: Watch) -> Shots:
        for number in range(1, 51):
            clock.pass_by(interval_s)
            yield Frame(numbered(number), watch.now_s())
        all_given.set()
        done.wait()

    with Grabber(Scripted(script), clock=clock) as grabber:
        assert all_given.wait(PATIENT_S)
        frame = grabber.latest()
        assert frame is not None
        assert (frame.number, seen(frame.picture)) == (50, 50)
        assert clock.now_s() - frame.taken_at_s < 2 * interval_s
        assert grabber.latest(frame.number) is None
        status = grabber.status
        assert (status.grabbed, status.passed_over, status.openings) == (50, 49, 1)
        done.set()


def test_a_source_that_waits_for_its_reader_misses_nothing() -> None:
    with Grabber(Scripted(giving(*range(20)), waits_for_reader=True)) as grabber:
        numbers, last = [], 0
        while frame := grabber.latest(last, PATIENT_S):
            last = frame.number
            numbers.append(seen(frame.picture))
        assert numbers == [*range(20)]
        assert grabber.status.doing is GrabberState.ENDED
        assert grabber.status.said == "the camera has ended"
        assert grabber.status.passed_over == 0


def test_what_is_lost_comes_back_and_pauses_grow_until_it_does() -> None:
    clock = QuickClock()
    nothing = losing("it is not plugged in")
    source = Scripted(
        losing("unplugged", 1), nothing, nothing, losing("unplugged", 2), nothing, giving(3)
    )
    patience = RetryPolicy(first_s=1.0, most_s=4.0, jitter=0.0)
    with Grabber(source, clock=clock, patience=patience) as grabber:
        wait_until_over(grabber)
        frame = grabber.latest()
        assert frame is not None
        assert (seen(frame.picture), frame.number) == (3, 3)
        assert grabber.status.openings == 3
    assert clock.waited == [1.0, 2.0, 4.0, 1.0, 2.0]
    assert source.open == 0


def test_pauses_are_spread_and_limited() -> None:
    patience = RetryPolicy()
    pauses_s = [
        pause_s
        for seed in range(50)
        for _, pause_s in zip(range(12), patience.pauses_s(random.Random(seed)), strict=False)
    ]
    assert len(set(pauses_s)) > 500
    assert max(pauses_s) <= patience.most_s * 1.2
    assert min(pauses_s) >= patience.first_s * 0.8


def test_it_says_what_it_waits_for_while_it_tries_again() -> None:
    tries, go_on = threading.Semaphore(0), threading.Semaphore(0)

    def late(watch: Watch) -> Shots:
        tries.release()
        assert go_on.acquire(timeout=PATIENT_S)
        yield from losing("it is not plugged in")(watch)

    source = Scripted(late, late, giving(1))
    with Grabber(source, clock=QuickClock()) as grabber:
        assert tries.acquire(timeout=PATIENT_S)
        assert (grabber.status.doing, grabber.status.said) == (
            GrabberState.OPENING,
            "opening the camera",
        )
        go_on.release()
        assert tries.acquire(timeout=PATIENT_S)  # while it is opened for the second time
        assert grabber.status.doing is GrabberState.WAITING
        assert grabber.status.said == "waiting for the camera: it is not plugged in"
        go_on.release()
        wait_until_over(grabber)


def test_it_fails_where_trying_again_is_no_use() -> None:
    def script(watch: Watch) -> Shots:
        raise SourceUnusableError("it asks for a password")
        yield

    source = Scripted(script)
    with Grabber(source) as grabber:
        wait_until_over(grabber)
        assert grabber.status.doing is GrabberState.FAILED
        assert grabber.status.said == "the camera cannot be watched: it asks for a password"
    assert source.opened == 1
    assert grabber.status.doing is GrabberState.FAILED


def test_a_mistake_in_a_source_is_said_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    def script(watch: Watch) -> Shots:
        yield from giving(1)(watch)
        raise ZeroDivisionError("oh")

    with Grabber(Scripted(script)) as grabber:
        wait_until_over(grabber)
        assert grabber.status.doing is GrabberState.FAILED
        assert "ZeroDivisionError" in grabber.status.said
    assert "Traceback" in caplog.text


def test_what_a_source_says_stands_beside_until_it_is_opened_anew() -> None:
    told, go_on = threading.Semaphore(0), threading.Semaphore(0)

    def saying(note: str) -> Callable[[Watch], Shots]:
        def script(watch: Watch) -> Shots:
            watch.add_note(Sentence(note))
            yield Frame(numbered(1), watch.now_s())
            told.release()
            assert go_on.acquire(timeout=PATIENT_S)
            raise SourceLostError("unplugged")

        return script

    with Grabber(Scripted(saying("640 x 480"), saying("locked"), giving())) as grabber:
        for note in ("640 x 480", "locked"):
            assert told.acquire(timeout=PATIENT_S)
            assert grabber.status.said == f"watching the camera; {note}"
            go_on.release()


class Hanging:
    """A device that gives one picture and then hangs in its driver until it is released."""

    def __init__(self) -> None:
        self.hangs, self.release, self.was_closed = (threading.Event() for _ in range(3))

    def __call__(self, watch: Watch) -> Shots:
        try:
            yield Frame(numbered(1), watch.now_s())
            self.hangs.set()
            assert self.release.wait(PATIENT_S)
            yield Frame(numbered(99), watch.now_s())
        finally:
            self.was_closed.set()


def test_a_silent_device_is_noticed() -> None:
    clock, device = QuickClock(), Hanging()
    with Grabber(Scripted(device), clock=clock) as grabber:
        assert device.hangs.wait(PATIENT_S)
        clock.pass_by(4.0)
        assert grabber.status.said == "watching the camera"
        clock.pass_by(4.0)
        assert grabber.status.doing is GrabberState.WAITING
        assert grabber.status.said == "no picture from the camera for 8 s"
        device.release.set()


def test_a_resting_source_is_not_silent() -> None:
    """One that asks for a picture every minute is no broken one."""
    rests, done = threading.Event(), threading.Event()

    class SlowClock(QuickClock):
        def wait(self, event: threading.Event, seconds: float) -> bool:
            rests.set()
            return done.wait(PATIENT_S)

    def script(watch: Watch) -> Shots:
        yield Frame(numbered(1), watch.now_s())
        watch.rest(60.0)

    clock = SlowClock()
    with Grabber(Scripted(script), clock=clock) as grabber:
        assert rests.wait(PATIENT_S)
        clock.pass_by(59.0)
        assert grabber.status.doing is GrabberState.WATCHING
        clock.pass_by(10.0)
        assert grabber.status.said == "no picture from the camera for 9 s"
        done.set()


class Sensor(Scripted):
    """A source whose pictures have a sensor's noise, so that none comes twice."""

    is_filming = True


def hanging(
    clock: QuickClock, shots: Callable[[int], Picture], source: type[Scripted] = Sensor
) -> list[str]:
    """What is said of a source after each of its shots, one every five seconds."""
    said, step = [], threading.Semaphore(0)

    def script(watch: Watch) -> Shots:
        for number in range(12):
            yield Frame(shots(number), watch.now_s())
            assert step.acquire(timeout=PATIENT_S)
            clock.pass_by(5.0)

    with Grabber(source(script), clock=clock) as grabber:
        for number in range(12):
            assert grabber.latest(number, PATIENT_S)
            said.append(str(grabber.status.said))
            step.release()
    return said


def test_a_camera_that_repeats_one_picture_for_half_a_minute_hangs_and_may_come_back() -> None:
    said = hanging(QuickClock(), lambda number: numbered(min(number, 2) if number < 11 else 99))
    assert set(said[:8]) == {"watching the camera"}
    assert said[8] == ("the camera hangs: it has sent the very same picture for 30 s; restart it")
    assert said[10].startswith("the camera hangs: it has sent the very same picture for 40 s")
    assert said[11] == "watching the camera"


def test_a_camera_of_a_slower_rate_or_under_its_cap_does_not_hang() -> None:
    assert set(hanging(QuickClock(), lambda number: numbered(number // 4))) == {
        "watching the camera"
    }
    black = np.zeros((240, 320, 3), np.uint8)
    assert set(hanging(QuickClock(), lambda _: black)) == {"watching the camera"}
    pictured = hanging(QuickClock(), lambda _: numbered(2), Scripted)
    assert set(pictured) == {"watching the camera"}, "photos and drawn boards are no sensors"


def test_a_picture_that_differs_in_one_level_is_new() -> None:
    repetition, picture = Repetition(), numbered(2)
    other = picture.copy()
    other[-1, -1, 2] += 1
    shots = [
        Frame(shown, float(at_s)) for at_s, shown in enumerate((picture, picture.copy(), other))
    ]
    assert [repetition.first_at_s(shot) for shot in shots] == [0.0, 0.0, 2.0]


def test_stopping_does_not_wait_for_a_hung_device_and_hears_no_more_of_it() -> None:
    device, second = Hanging(), threading.Event()

    def again(watch: Watch) -> Shots:
        yield Frame(numbered(2), watch.now_s())
        second.set()

    grabber = Grabber(Scripted(device, again))
    with grabber:
        assert device.hangs.wait(PATIENT_S)
        began_s = time.monotonic()
    assert time.monotonic() - began_s < PATIENT_S / 2, "the device hangs longer than that"
    assert grabber.status.doing is GrabberState.STOPPED
    assert grabber.status.said == "the camera was stopped"

    with grabber:  # a new session beside the thread that still hangs
        assert second.wait(PATIENT_S)
        device.release.set()
        assert device.was_closed.wait(PATIENT_S)
        frame = grabber.latest()
        assert frame is not None
        assert (seen(frame.picture), frame.number) == (2, 2)
        assert grabber.status.grabbed == 2


def test_a_hung_device_is_opened_anew_and_each_time_later() -> None:
    clock = QuickClock()
    devices = [Hanging(), Hanging()]

    def mute(watch: Watch) -> Shots:
        device = devices[1]
        device.hangs.set()
        assert device.release.wait(PATIENT_S)
        yield Frame(numbered(99), watch.now_s())

    source = Scripted(devices[0], mute, giving(3))
    with Grabber(source, clock=clock) as grabber:
        assert devices[0].hangs.wait(PATIENT_S)
        clock.pass_by(29.0)
        grabber.latest()
        assert source.opened == 1
        clock.pass_by(2.0)
        grabber.latest()
        assert devices[1].hangs.wait(PATIENT_S)
        assert grabber.status.said == "the camera does not answer; opening it again"
        clock.pass_by(59.0)
        grabber.latest()
        assert source.opened == 2
        clock.pass_by(2.0)
        grabber.latest()
        wait_until_over(grabber)
        frame = grabber.latest()
        assert frame is not None
        assert seen(frame.picture) == 3
        for device in devices:
            device.release.set()
        assert devices[0].was_closed.wait(PATIENT_S)
        assert grabber.latest() is frame


def test_stopping_wakes_whoever_waits_for_a_frame() -> None:
    asked, answers = threading.Event(), []

    def read() -> None:
        asked.set()
        answers.append(grabber.latest(10**9, PATIENT_S))

    with Grabber(Scripted(giving(1), giving(1))) as grabber:
        reader = threading.Thread(target=read)
        reader.start()
        assert asked.wait(PATIENT_S)
    reader.join(PATIENT_S)
    assert answers == [None]


def test_starting_twice_and_stopping_twice_is_once() -> None:
    source = Scripted(giving(*range(250)), waits_for_reader=True)
    grabber = Grabber(source)
    assert grabber.status.said == "the camera is not watched yet"
    grabber.stop()
    grabber.start()
    grabber.start()
    assert grabber.latest(timeout_s=PATIENT_S)
    grabber.stop()
    grabber.stop()
    assert (source.opened, source.open) == (1, 0)
    assert grabber.status.doing is GrabberState.STOPPED


def test_what_has_ended_can_be_watched_once_more() -> None:
    grabber = Grabber(Scripted(giving(1), giving(2)))
    for number in (1, 2):
        grabber.start()
        wait_until_over(grabber)
        frame = grabber.latest()
        assert frame is not None
        assert (seen(frame.picture), frame.number) == (number, number)
    grabber.stop()
    assert grabber.status.doing is GrabberState.ENDED

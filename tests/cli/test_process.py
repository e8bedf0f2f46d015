"""The command as a process: how it ends, and what its terminal is spared."""

import os
import signal
import subprocess
import sys
import time

import pytest
from served_play import RUN, serving_play

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
DEMO = ("--source", "demo")


def test_sigterm_has_a_last_word() -> None:
    with serving_play(None, *DEMO) as play:
        play.line("watching")
        time.sleep(1.0)
        assert play.ended(by=signal.SIGTERM) == 128 + signal.SIGTERM
    assert "blue 0 (45 left)" in play.said
    assert play.said.endswith("\nrailspotter: ended, as this computer asked (SIGTERM)\n")


def test_six_times_ctrl_c_is_ctrl_c() -> None:
    with serving_play(None, *DEMO) as play:
        play.line("watching")
        time.sleep(1.0)
        for _ in range(5):
            play.process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        play.ended(by=signal.SIGINT)
    assert "blue 0 (45 left)" in play.said


@pytest.mark.parametrize("after_s", [0.3, 0.6, 0.9])
def test_ctrl_c_while_it_loads_says_nothing(after_s: float) -> None:
    process = subprocess.Popen(
        # The handler is set with the first import; before that, the start is Python's own.
        [sys.executable, "-c", f"print('begun', flush=True); {RUN}", "play"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(after_s)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert "Traceback" not in said


TORN = """
import os, sys
import cv2, numpy as np
from railspotter.cli.process import without_libjpeg_lines
noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
jpeg = bytearray(cv2.imencode(".jpg", noise)[1].tobytes())
jpeg[5000:5040] = b"\\xff\\xd9" * 20
def decode():
    assert cv2.imdecode(np.frombuffer(bytes(jpeg), np.uint8), cv2.IMREAD_COLOR) is not None
with without_libjpeg_lines():
    decode()
    os.write(2, b"another library\\n")
    print("Python", file=sys.stderr)
    decode()
print("afterwards", file=sys.stderr)
decode()
"""


def test_libjpegs_lines_stay_away_and_others_do_not() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TORN], capture_output=True, text=True, check=True, timeout=60
    )
    said = done.stderr.splitlines()
    assert sorted(said[:2]) == ["Python", "another library"]
    assert said[2] == "afterwards"
    assert "Corrupt JPEG data" in said[3], "libjpeg does say so"
    assert len(said) == 4

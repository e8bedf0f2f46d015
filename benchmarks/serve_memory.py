"""How much memory does the page for photos hold? `python benchmarks/serve_memory.py`.

`railspotter serve` runs as a process of its own and gets photos, one after the other, as a phone
sends them: the labelled ones of the board, each as it is, so that sizes are mixed. Told are what it
holds before the first, after some of them and at the end, and the most that it ever held, in MB as
the system counts them (VmRSS, VmHWM); the same of the process beside it that reads photos, which
begins anew now and then. `--at-once` sends that many at a time.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from railspotter.calibration.profiles.profile import Profile
from railspotter.table.home import ProfileStore

from hostile.playing import children, memory_mb
from photos.labelled import PHOTOS

SHOWN = (1, 6, 12, 24, 50, 100)  # after so many photos it is told what the process holds
WAIT_S = 60.0
FORM = (
    b'--photo\r\nContent-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n'
    b"Content-Type: image/jpeg\r\n\r\n",
    b"\r\n--photo--\r\n",
)
HEADERS = {"Content-Type": "multipart/form-data; boundary=photo"}
RUN = "import sys; from railspotter.cli.process import main; sys.exit(main())"


@dataclass
class Serving:
    """`railspotter serve` in a process of its own."""

    process: subprocess.Popen[str]
    port: int

    def memory_mb(self, what: str = "VmRSS") -> float:
        """Return the memory that it holds, or with `VmHWM` the most that it held."""
        return memory_mb(self.process.pid, what)

    def beside_mb(self, what: str = "VmRSS") -> float:
        """Return the same of the processes that it has begun: the one that reads photos."""
        return sum(memory_mb(one, what) for one in children(self.process.pid))

    def read(self, photo: bytes) -> str:
        """Send a photo; return what became of it: "found", or the reason why not."""
        while True:
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
            line.request("POST", "/api/v1/photos", FORM[0] + photo + FORM[1], HEADERS)
            answer = line.getresponse()
            content = answer.read()
            line.close()
            if answer.status not in (429, 503):
                return "found" if answer.status == 200 else str(json.loads(content))
            time.sleep(1.0)  # too many at once: the page says so, and a phone tries again


@contextmanager
def serving(board: str, profile: Profile | None = None) -> Iterator[Serving]:
    """Open the page for photos of a board, with a data directory of its own."""
    with tempfile.TemporaryDirectory() as folder:
        if profile is not None:
            ProfileStore(Path(folder)).save(profile)
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, "serve", "--board", board, "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "RAILSPOTTER_HOME": folder},
        )
        try:
            assert process.stdout is not None
            lines = itertools.takewhile(bool, iter(process.stdout.readline, ""))
            port = next(int(said[1]) for line in lines if (said := re.search(r":(\d+)", line)))
            yield Serving(process, port)
        finally:
            process.terminate()
            process.communicate()


def photos_of(board: str) -> list[Path]:
    """Return the photos of a board, of mixed sizes."""
    return sorted((PHOTOS / board).glob("*.jpg"))


def main() -> None:
    """Send photos, and print what the page holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--board", default="usa")
    parser.add_argument("--at-once", type=int, default=1, help="photos on their way at once")
    asked = parser.parse_args()
    files = itertools.islice(itertools.cycle(photos_of(asked.board)), asked.photos)
    with serving(asked.board) as page:
        print("| photos | MB | at most so far, MB | reading them, MB | at most | found |")
        print("|---|---|---|---|---|---|", flush=True)
        next_one, found, done, beside_mb = threading.Lock(), 0, 0, 0.0

        def tell() -> None:
            most = page.memory_mb("VmHWM")
            cells = (done, *(f"{mb:.0f}" for mb in (page.memory_mb(), most)))
            cells = (*cells, *(f"{mb:.0f}" for mb in (page.beside_mb(), beside_mb)), found)
            print(f"| {' | '.join(map(str, cells))} |", flush=True)

        def send() -> None:
            nonlocal found, done, beside_mb
            while True:
                with next_one:
                    path = next(files, None)
                if path is None:
                    return
                became = page.read(path.read_bytes())
                with next_one:
                    done += 1
                    beside_mb = max(beside_mb, page.beside_mb("VmHWM"))
                    found += became == "found"
                    if done in SHOWN or done == asked.photos:
                        tell()

        tell()
        threads = [threading.Thread(target=send) for _ in range(asked.at_once)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main()

"""The real server on a real port."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from flask import Flask
from phones import never
from railspotter.webui.access.gate import MOST_BYTES
from railspotter.webui.errors import AddressError
from railspotter.webui.pages import texts as words
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoReading
from resting_pages import photo_app
from waiting import PATIENCE_S

MANY = 100  # requests, each of which is answered when all are under way


def test_it_serves_on_a_free_port_and_stops() -> None:
    with Server(photo_app(PhotoReading(never)), "127.0.0.1", 0) as server:
        assert server.port > 0
        with urlopen(server.url) as page:
            assert "Railspotter" in page.read().decode()
    with pytest.raises(OSError, match="refused"):
        urlopen(server.url)


def test_everywhere_is_opened_as_localhost() -> None:
    with Server(photo_app(PhotoReading(never)), "0.0.0.0", 0) as server:
        assert server.url == f"http://localhost:{server.port}/"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")
def test_it_listens_at_more_addresses_while_it_serves() -> None:
    with Server(photo_app(PhotoReading(never)), "127.0.0.1", 0) as server:
        there = server.url_at("127.0.0.2")
        with pytest.raises(OSError, match="refused"):
            urlopen(there)
        with pytest.raises(AddressError, match="other addresses"):
            server.listen_at(["192.0.2.7"])
        assert server.listen_at(["192.0.2.7", "127.0.0.2"]) == ("127.0.0.2",)
        for url in (there, server.url, there):
            with urlopen(url) as page:
                assert "Railspotter" in page.read().decode()
    with pytest.raises(OSError, match="refused"):
        urlopen(there)


def test_there_are_as_many_threads_as_are_needed_at_one_moment() -> None:
    app, together = Flask(__name__), threading.Barrier(MANY)

    @app.get("/")
    def answer() -> str:
        together.wait(PATIENCE_S)
        return "all"

    before = threading.active_count()
    with Server(app, "127.0.0.1", 0, threads=MANY) as server, ThreadPoolExecutor(MANY) as phones:
        assert threading.active_count() - before < MANY / 2
        answers = phones.map(lambda url: urlopen(url).read(), [server.url] * MANY)
        assert set(answers) == {b"all"}


def test_a_busy_port_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        said = rf"cannot serve on port {port} of '127.0.0.1'"
        with (
            pytest.raises(AddressError, match=said),
            Server(photo_app(PhotoReading(never)), "127.0.0.1", port),
        ):
            pass


def test_an_oversized_upload_gets_its_answer() -> None:
    with Server(photo_app(PhotoReading(never)), "127.0.0.1", 0) as server:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc)
        chunk = bytes(2**20)
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(MOST_BYTES + 2**20))
        connection.endheaders()
        for _ in range(MOST_BYTES // 2**20 + 1):
            connection.send(chunk)
        answer = connection.getresponse()
        assert answer.status == 413
        assert words.error(413) in answer.read().decode()
        connection.close()


PROGRAM = """
import signal
from resting_pages import photo_app
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoReading

# What is started in the background ignores Ctrl-C until it says otherwise.
signal.signal(signal.SIGINT, signal.default_int_handler)
with Server(photo_app(PhotoReading(lambda photos: None)), "127.0.0.1", 0) as server:
    print(server.url, flush=True)
    server.wait()
print("ended")
"""


def test_ctrl_c_ends_it_cleanly() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with program:
        assert program.stdout
        url = program.stdout.readline().strip()
        # A phone that keeps its connection open does not hold the program up.
        phone = http.client.HTTPConnection(urlsplit(url).netloc)
        phone.request("GET", "/")
        phone.getresponse().read()
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
        phone.close()
    assert (program.returncode, out, err) == (0, "ended\n", "")

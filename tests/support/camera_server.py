"""A real http server that behaves as well or badly as cameras do."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Request(BaseHTTPRequestHandler):
    """One request, and what its handler may send back."""

    protocol_version = "HTTP/1.1"
    server: "CameraServer"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.server.asked.append(self)
        self.close_connection = True
        # The reader may go whenever it likes.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.server.handler(self)

    def head(self, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Connection", "close")
        self.end_headers()

    def picture(self, content: bytes, **headers: str) -> None:
        told = {"Content_Type": "image/jpeg", "Content_Length": str(len(content)), **headers}
        self.head(200, **told)
        self.wfile.write(content)

    def moving(self, content_type: str = "multipart/x-mixed-replace; boundary=frame") -> None:
        self.head(Content_Type=content_type)

    def part(self, content: bytes, says_length: bool = True, claims: int | None = None) -> None:
        length = f"Content-Length: {len(content) if claims is None else claims}\r\n"
        self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
        self.wfile.write(length.encode() * says_length + b"\r\n" + content + b"\r\n")

    def hang(self) -> None:
        """Do nothing until the test is done."""
        self.server.done.wait()


Handler = Callable[[Request], None]


class CameraServer(ThreadingHTTPServer):
    """Serves one handler on every path."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, handler: Handler, port: int = 0, host: str = "127.0.0.1") -> None:
        super().__init__((host, port), Request)
        self.handler = handler
        self.asked: list[Request] = []
        self.done = threading.Event()

    @property
    def url(self) -> str:
        return f"http://{self.server_address[0]!s}:{self.server_port}/camera"


@contextmanager
def serving(handler: Handler, port: int = 0, host: str = "127.0.0.1") -> Iterator[CameraServer]:
    server = CameraServer(handler, port, host)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="camera server")
    thread.start()
    try:
        yield server
    finally:
        server.done.set()
        server.shutdown()
        server.server_close()
        thread.join()

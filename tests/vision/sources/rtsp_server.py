"""A small RTSP server: enough of RFC 2326 for a camera, of JPEG, H.264 and HEVC over RTP.

RFC 2435 has the first, RFC 6184 and 7798 the others, of which each unit goes in one packet.
"""

import re
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer

import cv2
from railspotter.calibration.arrays import Picture

QUALITY = 80  # up to 99, RFC 2435 derives the same tables from it as libjpeg does
FRAGMENT = 1400
SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=camera\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP {kind}\r\na=rtpmap:{kind} {codec}/90000\r\na=control:track1\r\n"
)
KINDS = {"JPEG": 26, "H264": 96, "H265": 96}  # of RTP's packets


class Session(StreamRequestHandler):
    """One reader's connection; the pictures go over it too."""

    server: "RtspServer"

    def handle(self) -> None:
        self.sequence, self.timestamp = 0, 0
        # The reader may go whenever it likes.
        with suppress(BrokenPipeError, ConnectionResetError):
            while line := self.rfile.readline().decode().strip():
                headers = {}
                while header := self.rfile.readline().decode().strip():
                    name, _, value = header.partition(":")
                    headers[name.lower()] = value.strip()
                if self._answer(line.split()[0], headers.get("cseq", "0")):
                    return

    def _answer(self, verb: str, number: str) -> bool:
        """Answer a request; return whether the session is over."""
        self.server.asked.append(verb)
        if self.server.leads_to:
            lines = "RTSP/1.0 302 Moved", f"CSeq: {number}", f"Location: {self.server.leads_to}"
            self.wfile.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        elif verb == "DESCRIBE":
            base = f"Content-Base: {self.server.url}/"
            self._say(number, base, "Content-Type: application/sdp", body=self.server.described)
        elif verb == "SETUP":
            way = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1"
            self._say(number, way, "Session: 1")
        elif verb == "PLAY":
            self._say(number, "Session: 1")
            self.server.play(self)
            return True
        else:
            self._say(number, "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN")
        return False

    def _say(self, number: str, *headers: str, body: str = "") -> None:
        lines = ["RTSP/1.0 200 OK", f"CSeq: {number}", *headers, f"Content-Length: {len(body)}"]
        self.wfile.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())

    def send(self, picture: Picture) -> None:
        """Send a picture, a tenth of a second after the one before by its time stamp."""
        height, width = picture.shape[:2]
        content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        start = content.index(b"\xff\xda")
        start += 2 + struct.unpack_from(">H", content, start + 2)[0]
        scan = content[start:-2]
        for offset in range(0, len(scan), FRAGMENT):
            fragment = scan[offset : offset + FRAGMENT]
            is_last = offset + FRAGMENT >= len(scan)
            jpeg = struct.pack(">IBBBB", offset, 1, QUALITY, width // 8, height // 8)
            self._send_packet(jpeg + fragment, is_last=is_last)

    def send_film(self, content: bytes) -> None:
        """Send the units of a film in H.264 or HEVC, each as a picture's last packet."""
        for unit in filter(None, re.split(rb"\x00{2,3}\x01", content)):
            self._send_packet(unit, is_last=True)

    def _send_packet(self, payload: bytes, *, is_last: bool) -> None:
        kind = 0x80 * is_last | KINDS[self.server.codec]
        rtp = struct.pack(">BBHII", 0x80, kind, self.sequence & 0xFFFF, self.timestamp, 1)
        packet = rtp + payload
        self.wfile.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
        self.sequence += 1
        self.timestamp += 9000 * is_last


class RtspServer(ThreadingTCPServer):
    """Plays what its function sends to every reader."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(
        self, play: Callable[[Session], None], host: str, leads_to: str, codec: str
    ) -> None:
        super().__init__((host, 0), Session)
        self.play, self.leads_to, self.codec = play, leads_to, codec
        self.described = SDP.format(kind=KINDS[codec], codec=codec)
        self.asked: list[str] = []
        self.done = threading.Event()

    @property
    def url(self) -> str:
        return f"rtsp://{self.server_address[0]!s}:{self.server_address[1]}/live"


@contextmanager
def playing(
    play: Callable[[Session], None],
    host: str = "127.0.0.1",
    leads_to: str = "",
    codec: str = "JPEG",
) -> Iterator[RtspServer]:
    server = RtspServer(play, host, leads_to, codec)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="RTSP server")
    thread.start()
    try:
        yield server
    finally:
        server.done.set()
        server.shutdown()
        server.server_close()
        thread.join()

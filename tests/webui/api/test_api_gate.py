"""What comes in from elsewhere, too large, too often or malformed: refused, and nothing is hurt."""

import http.client
import io
import json
import socket
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from phones import API, Phone, Table, table
from railspotter.table.errors import TableError
from railspotter.table.photo_file import Files, parse_photo
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.access.gate import MOST_BYTES as MOST_UPLOADED
from railspotter.webui.access.limits import Limits, Rate, Settings
from railspotter.webui.api.calls import Call, constraints_of
from railspotter.webui.api.routes import CALLS, MOST_BYTES

CORRECTION = {"kind": "route", "about": "helena--seattle", "was": None, "now": "red"}
# The queries that are numbers.
NUMBERS = [
    (call.path, name)
    for call in CALLS
    for name, kind in call.queries.items()
    if any(meta.extra for meta in constraints_of(kind))
]


def score(photos: Files) -> ScoredPhoto:
    parse_photo(photos[0][0])
    raise TableError("there is no profile")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("home"), score=score) as running:
        yield running


@pytest.fixture(scope="module")
def host(running: Table) -> Phone:
    host = running.host()
    assert host.post("/seat", {"seat": "ann"}).status == 200
    return host


@pytest.fixture(autouse=True)
def _nothing_happens(running: Table) -> Iterator[None]:
    before = running.log.state
    yield
    assert running.log.state == before


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "http://127.0.0.1.evil.example"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example", "Origin": None}, 421),
        ({"Host": ""}, 421),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": None}, 415),
        ({"Cookie": None}, 401),
    ],
    ids=str,
)
def test_what_comes_from_elsewhere_is_refused(
    host: Phone, headers: dict[str, str | None], status: int
) -> None:
    answer = host.post("/corrections", CORRECTION, **headers)
    assert answer.status == status
    assert answer.json["error"]["message"].endswith(".")
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("call", [call for call in CALLS if call.is_changing], ids=lambda c: c.path)
def test_another_sites_page_makes_no_call(host: Phone, call: Call) -> None:
    answer = host.ask(call.method, call.path, {}, Origin="http://evil.example")
    assert answer.status == 403
    assert answer.json["error"]["message"]


def test_a_foreign_page_cannot_look_under_another_name(host: Phone) -> None:
    for path in ("/state", "/hand", "/codes", "/camera.jpg", "/events"):
        assert host.get(path, Host="evil.example").status == 421
    assert host.get("/state", Host=f"localhost:{host.port}").status == 200
    assert host.get("/state", Host="table.local").status == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"kind": "route", "about": "../../etc", "was": null, "now": null}',
        b'{"kind": "route", "about": "helena--seattle", "was": null, "now": "a\\nb"}',
        b'{"kind": "route", "about": "helena--seattle", "was": null, "now": "mauve"}',
        b'{"kind": "station", "about": "seattle", "was": null, "now": "red"}',
        b"[" * 50_000,
        b'{"kind": "route", "about": "' + b"a" * 50_000 + b'", "was": null, "now": null}',
    ],
    ids=lambda body: repr(body[:40]),
)
def test_what_is_no_correction_is_wrong(host: Phone, body: bytes) -> None:
    answer = host.post("/corrections", body)
    assert answer.refusal == (400, "wrong")
    assert len(answer.content) < 1000


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"kind": ' + b"9" * 5000 + b"}", "too large"),
        (json.dumps(CORRECTION).encode()[:-1] + b', "now": "blue"}', "'now' is written twice"),
    ],
    ids=["digits", "twice"],
)
def test_what_is_wrong_with_a_body_is_said(host: Phone, body: bytes, why: str) -> None:
    answer = host.post("/corrections", body)
    assert answer.refusal == (400, "wrong")
    assert why in answer.json["error"]["message"]


@pytest.mark.parametrize("value", ["-1", "x", "1e3", "%F0%9D%9F%99", "1" * 30, "%00", "1;2", ""])
@pytest.mark.parametrize(("path", "query"), NUMBERS)
def test_what_is_no_number_is_wrong(host: Phone, path: str, query: str, value: str) -> None:
    assert host.get(f"{path}?{query}={value}").refusal == (400, "wrong")


def test_a_call_has_room_for_what_it_needs(host: Phone) -> None:
    assert host.post("/corrections", b" " * (MOST_BYTES + 1)).refusal == (413, "too large")
    lying = {f"route:{'a' * 70}-{i}": "red" for i in range(900)}
    assert host.post("/joining", json.dumps({"spots": lying}).encode()).status == 413


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/export/../../etc/passwd",
        "/api/v1/export/..%2f..%2fetc%2fpasswd",
        "/api/v1/log/..%2f1/crop.jpg",
        "/api/v1/log/1e9/crop.jpg",
        "/api/v1/log/99999999999999999999/crop.jpg",
        "/api/v1/log/" + "9" * 5000 + "/crop.jpg",
        "/api/v1/log/%F0%9D%9F%99/crop.jpg",
        "/api/v1/questions/%00/crop.jpg",
        "/api/v1/questions/" + "a" * 5000 + "/crop.jpg",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/words/en.po",
        "/static//etc/passwd",
        "//evil.example/api/v1/state",
        "/photos/..%2f..%2fx",
        "/api/v1",
        "/api/v2/state",
    ],
)
def test_no_path_leads_out_of_the_page(host: Phone, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=10)
    connection.putrequest("GET", path, skip_accept_encoding=True)
    connection.putheader("Cookie", host.cookie)
    connection.endheaders()
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    assert answer.status in (301, 308, 400, 404, 414)
    assert b"root:" not in content
    assert b"import" not in content


def test_a_call_made_in_another_way_says_so(host: Phone) -> None:
    answer = host.get("/corrections")
    assert answer.status == 405
    assert "POST" in answer.headers["Allow"]


def multipart(content: bytes) -> tuple[bytes, str]:
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
    return head + content + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


def bomb() -> bytes:
    """A PNG of some kilobytes that unpacks to 3 gigabytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + kind + data + check

    size = (32_000).to_bytes(4, "big") + (32_000).to_bytes(4, "big")
    rows = zlib.compress(bytes(2**20), 9)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", size + b"\x08\x02\x00\x00\x00")
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("content", [b"", b"GIF89a", bomb(), b"\xff\xd8\xff\xe0" + bytes(1000)])
def test_pictures_that_are_none_are_refused(running: Table, content: bytes) -> None:
    body, media_type = multipart(content)
    assert running.phone().post("/photos", body, Content_Type=media_type).refusal == (400, "wrong")


def test_uploads_are_photos_and_not_too_large(running: Table) -> None:
    phone = running.phone()
    assert phone.post("/photos", {"photo": "x"}).status == 415
    empty, media_type = multipart(b"")
    nameless = empty.replace(b"filename", b"title")
    assert phone.post("/photos", nameless, Content_Type=media_type).status == 400
    large, _ = multipart(bytes(MOST_UPLOADED + 1))
    assert phone.post("/photos", large, Content_Type=media_type).status == 413


def test_a_photo_is_read_beside_the_game(running: Table) -> None:
    phone = running.phone()
    picture = io.BytesIO()
    from PIL import Image

    Image.new("RGB", (640, 480)).save(picture, "JPEG")
    body, media_type = multipart(picture.getvalue())
    # It is read, and then handed on.
    assert phone.post("/photos", body, Content_Type=media_type).refusal == (409, "no profile")
    assert phone.page("/photo").status == 200


def test_endless_headers_are_refused(host: Phone) -> None:
    with socket.create_connection(("127.0.0.1", host.port), timeout=10) as line:
        line.sendall(b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n")
        try:
            for _ in range(64):
                line.sendall(b"X-More: " + b"a" * 1000 + b"\r\n")
            line.sendall(b"\r\n")
            answer = line.recv(100)
        except (BrokenPipeError, ConnectionResetError):
            answer = b"HTTP/1.1 413"  # it did not even listen to the end
    assert b" 413 " in answer + b" "
    assert host.get("/state").status == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/photo", "/help", "/history", f"/history/{'0' * 32}", "/history/x%00"),
        *("/nowhere", "/static/photo/main.js", f"{API}/state"),
    ],
)
def test_every_answer_keeps_browsers_tame(running: Table, path: str) -> None:
    answer = running.phone().page(path)
    text = answer.content.decode()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    if path != f"{API}/state":  # that has a tag, and says so itself
        stored = "no-cache" if "/static/" in path else "no-store"
        assert answer.headers["Cache-Control"] == stored
    if answer.headers["Content-Type"].startswith("text/html"):
        assert "<style" not in text
        assert " style=" not in text
        assert " onclick=" not in text
        assert 'src="http' not in text
        assert 'href="http' not in text


def test_who_asks_too_often_waits(tmp_path: Path) -> None:
    rates = {**Settings().rates, "join": Rate(0.001, 3), "look": Rate(0.001, 5)}
    with table(tmp_path, limits=Limits(Settings(rates=rates))) as busy:
        phone = busy.phone()
        tries = [phone.post("/join", {"token": f"guess {i}"}) for i in range(5)]
        assert [answer.status for answer in tries] == [403, 403, 403, 429, 429]
        assert int(tries[-1].headers["Retry-After"]) > 100
        right = phone.post("/join", {"token": busy.codes.join})
        assert right.status == 429, "guessing does not get quicker by luck"
        assert [phone.get("/you").status for _ in range(6)] == [200] * 5 + [429]

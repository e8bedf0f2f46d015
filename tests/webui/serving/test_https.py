"""The page on https: its certificates, who they vouch for, and the page that tells how to trust."""

import http.client
import plistlib
import shutil
import socket
import ssl
import stat
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from no_limits import quiet
from phones import never
from railspotter.webui import served_pages
from railspotter.webui.errors import WebError
from railspotter.webui.served_pages import TablePage
from railspotter.webui.serving import certificates
from railspotter.webui.serving.certificates import from_pem, make_authority, make_leaf
from railspotter.webui.serving.https import Https
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoReading
from railspotter.webui.words.translation import languages
from resting_pages import photo_app

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
DEN, AT_HOME, ABROAD = "den.local", "192.168.1.7", "198.51.100.9"


def https(home: Path, address: str = AT_HOME, now: datetime = NOW) -> Https:
    return Https(home, 0, names=[DEN], addresses=[address, ABROAD], now=lambda: now)


def verified(tmp_path: Path, authority: bytes, leaf: bytes, *more: str) -> str:
    """What openssl says of a certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here")
    (tmp_path / "ca.pem").write_bytes(authority)
    (tmp_path / "leaf.pem").write_bytes(leaf)
    command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", *more]
    command += ["-attime", str(int(NOW.timestamp())), "-CAfile", "ca.pem", "leaf.pem"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    return said.stdout + said.stderr


def shown_pem(kept: Path) -> bytes:
    """A kept certificate without its key."""
    return shown_pem_of(kept.read_bytes())


def shown_pem_of(content: bytes) -> bytes:
    return content[content.index(b"-----BEGIN CERTIFICATE") :]


def test_openssl_takes_the_certificate_for_this_computers_names_and_addresses(
    tmp_path: Path,
) -> None:
    made = https(tmp_path / "home")
    authority, leaf = (
        shown_pem(made.certificate.with_name(n)) for n in ("authority.pem", "page.pem")
    )
    assert made.left_out == [ABROAD]
    for more in (["-verify_ip", AT_HOME], ["-verify_ip", "127.0.0.1"], ["-verify_ip", "::1"]):
        assert "leaf.pem: OK" in verified(tmp_path, authority, leaf, *more)
    for name in (DEN, "localhost"):
        assert "leaf.pem: OK" in verified(tmp_path, authority, leaf, "-verify_hostname", name)
    assert "mismatch" in verified(tmp_path, authority, leaf, "-verify_ip", ABROAD)


@pytest.mark.parametrize(
    ("names", "addresses"), [(["bank.example"], []), (["den.local.example"], []), ([], [ABROAD])]
)
def test_whoever_steals_the_authority_can_play_no_site_of_the_internet(
    tmp_path: Path, names: list[str], addresses: list[str]
) -> None:
    made = https(tmp_path / "home")
    forged = make_leaf(made.authority, names, addresses, NOW)
    authority = shown_pem(made.certificate.with_name("authority.pem"))
    said = verified(tmp_path, authority, shown_pem_of(forged.pem()))
    assert "permitted subtree violation" in said


def test_the_certificate_is_as_phones_want_it(tmp_path: Path) -> None:
    made = https(tmp_path)
    leaf = from_pem(made.certificate.read_bytes()).public
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc == timedelta(days=397)
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    limits = made.authority.public.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    basic = made.authority.public.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    assert made.authority.public.subject != leaf.subject


def test_keys_are_their_owners_alone(tmp_path: Path) -> None:
    made = https(tmp_path)
    for path in (made.certificate, made.certificate.with_name("authority.pem")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.certificate.parent.stat().st_mode) == 0o700


def test_the_authority_stays_and_the_certificate_follows_the_address_and_the_date(
    tmp_path: Path,
) -> None:
    first = https(tmp_path)
    leaf = first.certificate.read_bytes()
    assert https(tmp_path).certificate.read_bytes() == leaf
    moved = https(tmp_path, "10.0.0.5")
    assert moved.certificate.read_bytes() != leaf
    back = https(tmp_path).certificate.read_bytes()
    assert https(tmp_path, now=NOW + timedelta(days=360)).certificate.read_bytes() == back
    late = https(tmp_path, now=NOW + timedelta(days=380))
    assert late.certificate.read_bytes() != back
    assert {moved.authority.fingerprint, late.authority.fingerprint} == {
        first.authority.fingerprint
    }
    old = https(tmp_path, now=NOW + timedelta(days=3300))
    assert old.authority.fingerprint != first.authority.fingerprint


@pytest.mark.parametrize(
    "wrong",
    [
        datetime(1970, 1, 3, tzinfo=UTC),
        NOW - timedelta(days=365),
        NOW + timedelta(days=365),
        datetime(2050, 1, 1, tzinfo=UTC),
    ],
    ids=str,
)
def test_a_clock_that_is_wrong_once_costs_no_phone_its_trust(
    tmp_path: Path, wrong: datetime
) -> None:
    first = https(tmp_path)
    trusted = first.certificate.with_name("authority.pem").read_bytes()
    then = https(tmp_path, "10.0.0.5", now=wrong)  # at another address, and so with a new leaf
    is_plausible = first.authority.made_at <= wrong < datetime(2036, 1, 1, tzinfo=UTC)
    assert any(f"clock says {wrong:%Y-%m-%d}" in line for line in then.lines("")) != is_plausible
    assert then.authority.fingerprint == first.authority.fingerprint
    if wrong.year < 2050:  # phones, whose clocks are right, take the leaf even then
        leaf = from_pem(then.certificate.read_bytes()).public
        assert leaf.not_valid_before_utc <= NOW < leaf.not_valid_after_utc
        assert leaf.not_valid_after_utc - leaf.not_valid_before_utc <= timedelta(days=825)
    again = https(tmp_path, now=NOW + timedelta(days=1))
    leaf = from_pem(again.certificate.read_bytes()).public
    assert leaf.not_valid_before_utc <= NOW < leaf.not_valid_after_utc
    assert again.certificate.with_name("authority.pem").read_bytes() == trusted
    assert not again.remark


def test_a_first_start_with_an_unset_clock_makes_what_phones_accept_later(tmp_path: Path) -> None:
    first = https(tmp_path, now=datetime(1970, 1, 3, tzinfo=UTC))
    later = https(tmp_path)
    assert later.authority.fingerprint == first.authority.fingerprint
    for kept in (later.authority.public, from_pem(later.certificate.read_bytes()).public):
        assert kept.not_valid_before_utc <= NOW < kept.not_valid_after_utc


def test_an_authority_of_such_a_start_before_is_made_anew_and_told(tmp_path: Path) -> None:
    unset = datetime(1970, 1, 3, tzinfo=UTC)
    made = https(tmp_path)
    old = make_authority("Railspotter", unset)
    made.certificate.with_name("authority.pem").write_bytes(old.pem())
    again = https(tmp_path)
    assert again.authority.public.not_valid_before_utc <= NOW
    assert any("trust a new one" in line for line in again.lines(""))


def test_a_damaged_certificate_is_made_anew(tmp_path: Path) -> None:
    made = https(tmp_path)
    made.certificate.write_bytes(b"-----BEGIN nothing")
    again = https(tmp_path)
    assert again.authority.fingerprint == made.authority.fingerprint
    again_leaf = from_pem(again.certificate.read_bytes()).public
    again_leaf.verify_directly_issued_by(made.authority.public)
    made.certificate.with_name("authority.pem").write_bytes(made.certificate.read_bytes()[:200])
    assert https(tmp_path).authority.fingerprint != made.authority.fingerprint


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "https").write_bytes(b"in the way")
    with pytest.raises(WebError, match="cannot keep the certificates for https"):
        https(tmp_path)


VPN, PUBLIC = "100.101.102.103", "198.51.100.9"


@pytest.mark.parametrize(
    ("host", "own", "linked"),
    [
        ("0.0.0.0", (PUBLIC, AT_HOME), AT_HOME),
        ("0.0.0.0", (VPN, AT_HOME), VPN),
        ("0.0.0.0", (PUBLIC,), DEN),
        ("127.0.0.1", (PUBLIC, AT_HOME), "127.0.0.1"),
    ],
)
def test_links_have_a_host_that_the_certificate_is_for(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    own: tuple[str, ...],
    linked: str,
) -> None:
    monkeypatch.setattr(served_pages, "own_address", lambda: own[0])
    monkeypatch.setattr(served_pages, "phone_addresses", lambda: own)
    monkeypatch.setattr(served_pages, "own_names", lambda: [DEN])
    said: list[str] = []
    made = Https(tmp_path, 0, names=[DEN], addresses=own)
    options = replace(quiet(said.append, https=made), host=host)
    with TablePage(tmp_path, options, PhotoReading(never)):
        (link,) = (line for line in said if "/#host=" in line)
        (trust,) = (line for line in said if "/trust tells how" in line)
    assert f"https://{linked}:" in link
    assert f"http://{linked}:" in trust
    assert not any("no certificate can be for" in line for line in said)


def test_a_routers_name_is_linked_by_its_address_and_what_has_none_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"den.fritz.box": AT_HOME, "den.example": ABROAD}
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port: [(0, 0, 0, "", (names[host], 0))])
    made = https(tmp_path)
    assert made.covered_host("den.fritz.box") == AT_HOME
    assert made.covered_host("den.example") == "den.example"
    assert "no certificate can be for den.example" in made.lines("http://den.example:1/trust")[0]
    assert "no certificate" not in "".join(made.lines(f"http://{AT_HOME}:1/trust"))


def test_an_authority_that_phones_trust_signs_what_it_was_made_for_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "NETWORKS", ("192.168.0.0/16", "127.0.0.0/8", "::1/128"))
    first = https(tmp_path, VPN)
    monkeypatch.undo()
    again = https(tmp_path, VPN)
    assert again.authority.fingerprint == first.authority.fingerprint
    assert VPN in again.left_out
    new = https(tmp_path / "new", VPN)
    assert VPN not in new.left_out
    authority, leaf = (
        shown_pem(new.certificate.with_name(n)) for n in ("authority.pem", "page.pem")
    )
    assert "leaf.pem: OK" in verified(tmp_path, authority, leaf, "-verify_ip", VPN)


def test_it_serves_over_https_whom_the_authority_is_trusted_by(tmp_path: Path) -> None:
    made = Https(tmp_path, 0)
    trusting = ssl.create_default_context(cadata=made.authority.der)
    # One that says nothing, and then speaks plain http, holds up nobody.
    with (
        Server(
            photo_app(PhotoReading(never)), "127.0.0.1", 0, certificate=made.certificate
        ) as server,
        socket.create_connection(("127.0.0.1", server.port)) as deaf,
    ):
        with urlopen(server.url, context=trusting) as answer:
            assert answer.status == 200
        with pytest.raises(URLError, match="CERTIFICATE_VERIFY_FAILED"):
            urlopen(server.url)
        deaf.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with urlopen(server.url, context=trusting) as answer:
            assert answer.status == 200


def test_over_plain_http_there_is_nothing_but_how_to_trust(tmp_path: Path) -> None:
    made = Https(tmp_path, 0)
    with made.trust_server("127.0.0.1", 8443) as server:

        def get(path: str, language: str = "en", host: str = "") -> tuple[int, bytes, str]:
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            headers = {"Accept-Language": language} | ({"Host": host} if host else {})
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            return answer.status, content, answer.headers.get("Location", "")

        for language in languages():
            status, page, _ = get("/trust", language)
            assert status == 200
            assert f'lang="{language}"' in page.decode()
            assert made.authority.fingerprint in page.decode()
            assert b"PRIVATE KEY" not in page
        assert get("/ca.crt")[1] == made.authority.der
        profile = plistlib.loads(get("/ca.mobileconfig")[1])
        (inside,) = profile["PayloadContent"]
        assert inside["PayloadType"] == "com.apple.security.root"
        assert inside["PayloadContent"] == made.authority.der
        assert get("/%0d%0aX?%0d%0aY:%20a")[::2] == (
            307,
            "https://127.0.0.1:8443/%0D%0AX?%0d%0aY:%20a",
        )
        assert get("/api/v1/state?a=b")[::2] == (307, "https://127.0.0.1:8443/api/v1/state?a=b")
        assert not get("//evil.example/x")[2].startswith(("//", "https://evil", "http://evil"))
        assert get("/", host="evil.example")[0] == 421


def test_where_the_page_is_is_said_before_how_to_trust_it(tmp_path: Path) -> None:
    said: list[str] = []
    with TablePage(tmp_path, quiet(said.append, https=Https(tmp_path, 0)), PhotoReading(never)):
        pass
    assert said[0].startswith("the page is at https://127.0.0.1:")
    (trust,) = (n for n, line in enumerate(said) if "/trust tells how" in line)
    (host,) = (n for n, line in enumerate(said) if "/#host=" in line)
    assert trust > host

"""Https: the certificates in the data directory, and the http page about trusting them."""

import os
import plistlib
import socket
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlsplit

from flask import Flask, Response, redirect, request
from jinja2 import StrictUndefined
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.table.clock import WRITTEN
from railspotter.table.whole_file import write_whole
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from ..access.gate import check_rate, check_request, guard_response
from ..access.limits import Limits
from ..errors import CertificateError
from ..pages.page_table import render
from . import certificates
from .server import Server
from .system_network import HOST_NAMES, own_addresses

WEBUI = Path(__file__).parents[1]  # the folder with the templates and the static files
PROFILE = "application/x-apple-aspen-config"
CERTIFICATE = "application/x-x509-ca-cert"
FOLDER = "https"
AUTHORITY, LEAF = "authority.pem", "page.pem"
LOOPBACK = ("127.0.0.1", "::1")
NOT_COVERED = Sentence(
    "no certificate can be for {host}, so phones warn of this page whatever they trust: bring this"
    " computer and the phones into one home network, or leave '--https' out"
)


def create_trust_app(authority: certificates.Certificate, https_port: int) -> Flask:
    """Build the http app about trusting the certificate; other paths are redirected to https."""
    app, limits = Flask(__name__, root_path=str(WEBUI)), Limits()
    app.config["MAX_CONTENT_LENGTH"] = 2**16
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

    @app.before_request
    def gate() -> Response | None:
        check_request(request)
        return check_rate(request, limits)

    app.after_request(guard_response)

    def https_url(path: str) -> str:
        name = urlsplit(f"//{request.host}").hostname or "localhost"
        name = f"[{name}]" if ":" in name else name
        return f"https://{name}:{https_port}{path}"

    @app.get("/trust")
    def trust() -> Response:
        return render(
            "trust.html",
            fingerprint=authority.fingerprint,
            page_url=https_url("/"),
        )

    @app.get("/ca.crt")
    def certificate() -> Response:
        return _file(authority.der, CERTIFICATE, "railspotter-ca.crt")

    @app.get("/ca.mobileconfig")
    def profile() -> Response:
        return _file(mobileconfig(authority), PROFILE, "railspotter.mobileconfig")

    @app.errorhandler(HTTPException)
    def elsewhere(error: HTTPException) -> AnyResponse | HTTPException:
        if error.code == 404 and request.method in ("GET", "HEAD"):
            # Quoted again: the decoded path may have line ends, which are illegal in headers.
            path = quote(request.path.lstrip("/\\"))
            query = quote(request.query_string, safe="=&%+/:?@!$'()*,;~")
            return redirect(https_url(f"/{path}{'?' * bool(query)}{query}"), 307)
        return error

    return app


def mobileconfig(authority: certificates.Certificate) -> bytes:
    """Return the configuration profile by which iOS installs an authority."""

    def own(what: str) -> str:
        """Return a stable id, so that installing twice replaces the first."""
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"railspotter:{what}:{authority.fingerprint}"))

    certificate = {
        "PayloadType": "com.apple.security.root",
        "PayloadVersion": 1,
        "PayloadIdentifier": f"railspotter.authority.{own('authority')}",
        "PayloadUUID": own("authority").upper(),
        "PayloadDisplayName": "Railspotter",
        "PayloadCertificateFileName": "railspotter-ca.crt",
        "PayloadContent": authority.der,
    }
    return plistlib.dumps(
        {
            "PayloadType": "Configuration",
            "PayloadVersion": 1,
            "PayloadIdentifier": f"railspotter.profile.{own('profile')}",
            "PayloadUUID": own("profile").upper(),
            "PayloadDisplayName": "Railspotter",
            "PayloadDescription": "Lets this phone open Railspotter's page over https.",
            "PayloadContent": [certificate],
        }
    )


def _file(content: bytes, media_type: str, name: str) -> Response:
    disposition = f'attachment; filename="{name}"'
    return Response(content, mimetype=media_type, headers={"Content-Disposition": disposition})


class Https:
    """The certificates for https on this computer.

    The authority is made once; phones trust it from then on, whatever this computer's clock says
    (`_authority`). The page's own certificate is renewed when an address has changed, or before it
    expires.

    `home` is the data directory, `http_port` the port of the http page about trusting it, by
    default the one after the page's. `names` and `addresses` are this computer's, by default the
    system's. Raises `CertificateError` when they cannot be saved.
    """

    def __init__(
        self,
        home: Path,
        http_port: int | None = None,
        *,
        names: Sequence[str] | None = None,
        addresses: Sequence[str] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._http_port = http_port
        folder = home / FOLDER
        given = [*own_names(), *HOST_NAMES] if names is None else [*names]
        given += [one.address for one in own_addresses()] if addresses is None else addresses
        every = {*given, "localhost", *LOOPBACK}
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            at = now()
            self.authority, self.remark = _authority(folder / AUTHORITY, at)
            # The names and addresses that the certificate is for.
            self.covered = {
                one for one in every if certificates.is_certifiable(one, self.authority)
            }
            self.left_out = sorted(set(given) - self.covered)
            ips = sorted(one for one in self.covered if _is_address(one))
            dns = sorted(self.covered - set(ips))
            leaf = _read(folder / LEAF)
            if at < (least := max(WRITTEN, self.authority.made_at)):  # the clock is behind
                at = least if leaf is None else max(least, leaf.made_at)
            if leaf is None or not certificates.is_good_leaf(leaf, self.authority, dns, ips, at):
                leaf = certificates.make_leaf(self.authority, dns, ips, at, leaf)
                write_whole(folder / LEAF, leaf.pem(), is_private=True)
        except OSError as error:
            why = os.strerror(error.errno or 0)
            raise CertificateError(
                f"cannot keep the certificates for https in {folder}: {why}"
            ) from error
        self.certificate = folder / LEAF

    def trust_server(self, host: str, port: int) -> Server:
        """Return the http server about trusting the certificate, for a page on an https port."""
        http_port = port + 1 if self._http_port is None else self._http_port
        if http_port > 65535:
            raise CertificateError("there is no port after 65535: name one with --http-port")
        return Server(create_trust_app(self.authority, port), host, http_port)

    def covered_host(self, host: str, *others: str) -> str:
        """Return the host for links: `host`, if the certificate is for it, or else another.

        Of the others, then of this computer's addresses that `host` stands for. `host` itself if
        there is none.
        """
        if host in self.covered:
            return host
        with suppress(OSError):
            others = (*others, *(str(to[4][0]) for to in socket.getaddrinfo(host, None)))
        return next((one for one in others if one in self.covered), host)

    def lines(self, trust_url: str) -> list[str]:
        """Return the lines to print to the terminal; links have the host of `trust_url`."""
        host = urlsplit(trust_url).hostname or ""
        lines: list[str] = [] if host in self.covered else [NOT_COVERED.filled(host=host)]
        lines += [
            f"phones warn of this page until they trust this computer: {trust_url} tells how",
            f"its authority's fingerprint (SHA-256): {self.authority.fingerprint}",
        ]
        if self.remark:
            lines.append(self.remark)
        if self.left_out:
            without = ", ".join(self.left_out)
            lines.append(f"not in a private network, so nobody vouches for it: {without}")
        return lines


def own_names() -> list[str]:
    """Return this computer's mDNS name."""
    name = socket.gethostname().casefold().partition(".")[0]
    return [f"{name}.local"] if name and name != "localhost" and name.isascii() else []


def _authority(path: Path, now: datetime) -> tuple[certificates.Certificate, Sentence]:
    """Return the kept authority, or a new one before that expires, and what to say of its time.

    A time that it does not hold for is the clock's mistake, as far as anybody knows: it stays.
    """
    kept, remark = _read(path), NOTHING
    if kept is not None:
        since, until = kept.made_at, kept.public.not_valid_after_utc
        if certificates.is_good_authority(kept, now) and now >= since - certificates.BACKDATED:
            return kept, NOTHING
        if until > WRITTEN and not since <= now < until:
            remark = Sentence(
                "this computer's clock says {now}, but the authority that phones trust was made on"
                " {since} and holds until {until}: set the clock; only if it is right, delete"
                " {path}, and phones have to trust a new one",
                now=f"{now:%Y-%m-%d}",
                since=f"{since:%Y-%m-%d}",
                until=f"{until:%Y-%m-%d}",
                path=path,
            )
            return kept, remark
        remark = Sentence("the authority expires: phones have to trust a new one, as told there")
    made = certificates.make_authority(f"Railspotter on {socket.gethostname()}", max(now, WRITTEN))
    write_whole(path, made.pem(), is_private=True)
    return made, remark


def _read(path: Path) -> certificates.Certificate | None:
    """Load a saved certificate; None if it is missing or damaged."""
    try:
        return certificates.from_pem(path.read_bytes())
    except (FileNotFoundError, ValueError, TypeError):
        return None


def _is_address(text: str) -> bool:
    return ":" in text or text.replace(".", "").isdigit()

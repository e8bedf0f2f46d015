"""The page on plain http beside the one on https: how a phone comes to trust this computer."""

from __future__ import annotations

import plistlib
import uuid
from pathlib import Path
from urllib.parse import quote, urlsplit

from flask import Flask, Response, redirect, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from ..access.gate import check_request, guard_response
from ..access.limits import Limits
from ..pages.page_rate import refuse_haste
from ..pages.page_table import render
from .certificates import Certificate

WEBUI = Path(__file__).parents[1]  # the folder with the templates and the static files
PROFILE = "application/x-apple-aspen-config"
CERTIFICATE = "application/x-x509-ca-cert"


def create_trust_app(authority: Certificate, https_port: int) -> Flask:
    """Build the page; everything else that is asked for there is on https, and sent there."""
    app, limits = Flask(__name__, root_path=str(WEBUI)), Limits()
    app.config["MAX_CONTENT_LENGTH"] = 2**16
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

    @app.before_request
    def gate() -> Response | None:
        check_request(request)
        return refuse_haste(request, limits)

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
            # Quoted anew: what was asked for may have line ends, which no header has.
            path = quote(request.path.lstrip("/\\"))
            query = quote(request.query_string, safe="=&%+/:?@!$'()*,;~")
            return redirect(https_url(f"/{path}{'?' * bool(query)}{query}"), 307)
        return error

    return app


def mobileconfig(authority: Certificate) -> bytes:
    """Return the profile with which iOS installs an authority."""

    def own(what: str) -> str:
        """Return a name that stays the same, so that installing twice replaces the first."""
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

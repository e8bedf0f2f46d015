"""The page as an installed web app: its manifest, service worker and offline page.

The service worker caches only the offline page: no API responses, and no pages with cards. Browsers
allow it over https and on localhost only.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Response, request, url_for

from ..words.translation import PageWords, language_of, languages
from .page_table import STATIC, render

# The static files of the offline page.
KEPT = (
    "shared/look.css",
    "shared/train.svg",
    "installed/unreachable.css",
    "installed/unreachable.js",
)
UNREACHABLE = "/unreachable"
# The words of the offline page and the manifest.
WORDS = tuple(f"installed.{name}" for name in ("title", "text", "retry", "description"))
WORKER = STATIC / "installed" / "service_worker.js"
# As in shared/look.css.
PAPER = "#f6efe1"


def add_installed(app: Flask) -> None:
    """Add the manifest, the service worker and the offline page; pages link them."""

    @app.get("/manifest.webmanifest")
    def manifest() -> Response:
        content = msgspec.json.encode(_manifest(language_of(request)))
        response = Response(content, mimetype="application/manifest+json")
        response.headers["Vary"] = "Accept-Language, Cookie"
        return response

    @app.get("/service-worker.js")
    def service_worker() -> Response:
        paths = [UNREACHABLE, *(url_for("static", filename=name) for name in KEPT)]
        head = f"const VERSION = {_json(version())};\nconst KEPT = {_json(paths)};\n"
        return Response(head + WORKER.read_text("utf-8"), mimetype="text/javascript")

    @app.get(UNREACHABLE)
    def unreachable() -> Response:
        words_in = {language: PageWords(language) for language in languages()}
        return render("unreachable.html", words_in=words_in)


@cache
def version() -> str:
    """Return a hash of the offline page's files, the service worker's version."""
    here = Path(__file__).parents[1]
    template = here / "templates" / "unreachable.html"
    files = [*(STATIC / name for name in KEPT), WORKER, template]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files)))
    for language in languages():
        digest.update(msgspec.json.encode(PageWords(language).named(WORDS)))
    return digest.hexdigest()[:12]


def _manifest(language: str) -> dict[str, Any]:
    words = PageWords(language)
    icons = [
        {
            "src": url_for("static", filename=f"installed/{name}-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, purpose in (("icon", "any"), ("maskable", "maskable"))
        for size in (192, 512)
    ]
    return {
        "id": "/",
        "name": words["page.name"],
        "short_name": words["page.name"],
        "description": words["installed.description"],
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
    }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()

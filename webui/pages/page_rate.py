"""How often one address may ask for pages and their files; calls are counted elsewhere."""

from __future__ import annotations

import math
import time

from flask import Request, Response
from railspotter.scoring.sentence import Sentence

from ..access.limits import Limits
from ..words.languages import language_of, translator_to

# So long whoever asks too often waits for being told so; each holds a thread meanwhile. Chosen.
HELD_UP_S = 0.1


def check_rate(request: Request, limits: Limits) -> Response | None:
    """Count a page or a file of its; return what is answered instead where it is too much.

    That is a line of text, after a moment. A page that says so would cost what the page itself
    does; and four lines without any pause took so much that a claim was written down after 6 s.
    """
    what = "file" if request.endpoint == "static" else "page"
    wait_s = limits.wait_s(what, request.remote_addr or "")
    if not wait_s:
        return None
    time.sleep(min(wait_s, HELD_UP_S))
    say = translator_to(language_of(request))
    return Response(
        say(Sentence("Too much at once: wait a moment.")),
        429,
        {"Retry-After": str(math.ceil(wait_s))},
        mimetype="text/plain",
    )

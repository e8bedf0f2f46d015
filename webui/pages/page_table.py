"""The table of all pages with scripts: their paths, templates, needs and words.

The documents are the same for everyone, and contain nothing of a game but its rules; scripts get
the rest from the API.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import msgspec
from flask import Flask, Response, jsonify, make_response, render_template, request
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from ..access.gate import STYLED
from ..errors import QueryOptionError
from ..sessions.services import Needs, PageContext
from ..words.translation import COOKIE, PageWords, Statement, language_of, languages, translator_to
from .screens import overlay_options, screen_options

HERE = Path(__file__).parent
STATIC = HERE.parent / "static"

# The lazily loaded parts of pages, with their scripts; their words are fetched with them.
PARTS = {
    "ask": ("voice/answers.js", "voice/ask.js"),
    "charts": ("table/charts_sheet.js",),
    "dealt": ("dealt/main.js", "dealt/pass_round.js", "dealt/to_lay.js"),
    "display": ("shared/display.js",),
    "ending": ("table/ending.js",),
    "guest": ("table/screens_sheet.js",),
    "panel": ("table/table_panel.js",),
    "player": ("table/other_hand.js", "table/player_sheet.js"),
    "questions": ("table/joining.js", "table/questions.js"),
    "rebuilding": ("table/rebuilding.js",),
    "voice": ("voice/choice.js", "voice/voice.js"),
}


@dataclass(frozen=True)
class Page:
    """A page of the table."""

    path: str  # a Flask rule such as `/boards/<board>/edit`
    template: str  # the file in templates/
    needs: Needs  # what must exist for the page
    script: str = ""  # the main script below static/; empty for none
    # Parses the query parameters for the template; raises `QueryOptionError`.
    options: Callable[[Mapping[str, str]], dict[str, str]] = lambda query: {}
    allows_own_style: bool = False  # whether the displaying program may inject CSS
    context: str = ""  # the gettext context of words with a meaning of their own


class Script(msgspec.Struct, frozen=True):
    """A script's dependencies, computed when the program was built."""

    imports: tuple[str, ...]  # its static imports, below static/
    later: tuple[str, ...]  # its dynamic imports
    words: tuple[str, ...]  # the names of the words that it uses


@cache
def scripts() -> Mapping[str, Script]:
    """Return all scripts by path below static/."""
    return msgspec.json.decode((HERE / "scripts.json").read_bytes(), type=dict[str, Script])


@cache
def all_imports(script: str) -> tuple[str, ...]:
    """Return all transitive static imports of a script.

    A document preloads them, so that a browser fetches all at once.
    """
    with_it = _reachable((script,), lambda path: scripts()[path].imports)
    return tuple(sorted(with_it - {script}))


@cache
def carried(script: str) -> tuple[str, ...]:
    """Return the names of the words embedded in a page: its script's, without lazy parts'."""
    return tuple(sorted(_words_of((script,))))


@cache
def words_of_part(part: str) -> tuple[str, ...]:
    """Return the names of the words to fetch with a lazy part: those that a page may lack."""
    mains = {page.script for page in PAGES if page.script}
    fetching = [main for main in mains if _all_scripts_of(main) & set(PARTS[part])]
    known = set.intersection(*(set(carried(main)) for main in fetching))
    return tuple(sorted(_words_of(PARTS[part]) - known))


def _words_of(started: Iterable[str]) -> set[str]:
    parts = {path for part in PARTS.values() for path in part}

    def needed(path: str) -> Iterable[str]:
        script = scripts()[path]
        return (*script.imports, *(later for later in script.later if later not in parts))

    return {word for path in _reachable(started, needed) for word in scripts()[path].words}


def _all_scripts_of(script: str) -> set[str]:
    return _reachable((script,), lambda path: scripts()[path].imports + scripts()[path].later)


def _reachable(started: Iterable[str], ways: Callable[[str], Iterable[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(started)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += ways(path)
    return found


PAGES = (
    Page("/", "table.html", Needs.GAME, "table/main.js"),
    Page("/help", "table_help.html", Needs.GAME),
    Page("/screen", "screen.html", Needs.CAMERA, "screen/main.js", screen_options),
    Page(
        "/overlay",
        "screen.html",
        Needs.CAMERA,
        "screen/main.js",
        overlay_options,
        allows_own_style=True,
    ),
    Page("/", "set_up.html", Needs.SET_UP, "set_up/main.js"),
    Page("/camera", "camera.html", Needs.CAMERA, "camera/main.js"),
    Page("/calibration", "calibration.html", Needs.GAME, "calibration/main.js"),
    Page("/history", "history.html", Needs.NOTHING, "history/list.js"),
    Page("/history/<game>", "history_game.html", Needs.NOTHING, "history/game.js"),
    Page("/card-game", "card_game.html", Needs.NOTHING, "cards/main.js"),
    Page("/boards", "boards.html", Needs.NOTHING, "boards/list.js"),
    Page("/boards/<board>/edit", "boards.html", Needs.NOTHING, "boards/edit.js"),
    Page("/", "hall.html", Needs.HALL, "hall/main.js", context="hall"),
    Page("/big", "hall_big.html", Needs.HALL, "hall/big.js", context="hall"),
)


def add_pages(app: Flask, page_context: PageContext) -> None:
    """Add the pages whose needs are met."""
    for page in PAGES:
        if page.needs in page_context.offers:
            _add(app, page, page_context)
    if Needs.GAME in page_context.offers:
        for part in PARTS:
            app.add_url_rule(f"/words/{part}", f"{part} words", partial(_later_words, part))


def _add(app: Flask, page: Page, page_context: PageContext) -> None:
    def answer(**names: str) -> Response:
        # The path's names are not used: the page's script reads them itself.
        preloads = all_imports(page.script) if page.script else ()
        try:
            options = page.options(request.args)
        except QueryOptionError as error:
            say = translator_to(language_of(request))
            return Response(say(Statement(error.sentence)), 400, mimetype="text/plain")
        response = render(
            page.template,
            page.script,
            page.context,
            preloads=preloads,
            path=page.path,
            rules=page_context.rules,
            **options,
        )
        if page.allows_own_style:
            response.headers.set(*STYLED)
        return response

    app.add_url_rule(page.path, f"page {page.path}", answer)


def _later_words(part: str) -> Response:
    response = jsonify(PageWords(language_of(request)).named(words_of_part(part)))
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def render(template: str, script: str = "", context: str = "", **values: object) -> Response:
    """Render a template in the reader's language, with the words of its script embedded.

    `context` is the words' gettext context.
    """
    language = language_of(request)
    text = render_template(
        template,
        words=PageWords(language, context),
        carried=_carried_json(script, language, context),
        language=language,
        languages=languages(),
        language_cookie=COOKIE,
        script=script,
        **{"preloads": (), **values},
    )
    response = make_response(text)
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


@cache
def _carried_json(script: str, language: str, context: str) -> Markup:
    words = PageWords(language, context).named(carried(script)) if script else {}
    return htmlsafe_json_dumps(words, separators=(",", ":"))

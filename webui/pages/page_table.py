"""The table of all pages with scripts: their paths, templates, needs and words.

The documents are the same for everyone, and contain nothing of a game but its rules; scripts get
the rest from the API. `/screen`, the whole game for people across the room, and `/overlay`, some
parts of it over another picture, are opened by a guest link and take options from its address.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import msgspec
from flask import Flask, Response, jsonify, make_response, redirect, render_template, request
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from railspotter.scoring.sentence import Sentence
from werkzeug.wrappers import Response as AnyResponse

from ..access.gate import STYLED
from ..errors import QueryOptionError
from ..sessions.services import Needs, PageContext
from ..words.translation import COOKIE, PageWords, Statement, language_of, languages, translator_to

# The parts that an overlay can show.
OVERLAY_PARTS = ("scores", "board", "last", "path", "turn", "chart", "status", "result")
USUAL_PARTS = "scores,last"
# By parameter its values, and what is said of another. Without a theme it is the device's; a big
# screen may announce events, or also turns and questions.
CHOICES = {
    "theme": (("dark", "light"), Sentence("the theme is {choices}, not {given!r}")),
    "voice": (("on", "more"), Sentence("the voice is {choices}, not {given!r}")),
}
# Of an overlay's text, 20 pixels at 1: five pixels are illegible, 160 fill a 4K picture.
LEAST_SCALE, MOST_SCALE = 0.25, 8.0
HERE = Path(__file__).parent
STATIC = HERE.parent / "static"
# The lazily loaded parts of pages, with their scripts; their words are fetched with them.
PARTS = {
    "ask": ("voice/answers.js", "voice/ask.js"),
    "charts": ("table/charts_sheet.js",),
    "dealt": ("dealt/main.js", "dealt/pass_round.js", "dealt/to_lay.js"),
    "display": ("shared/display.js",),
    "ending": ("table/ending.js",),
    "film": ("table/film.js", "table/reports_sheet.js"),
    "guest": ("table/screens_sheet.js",),
    "hosts": ("shared/becoming_host.js", "shared/hosts.js"),
    "last_turns": ("table/last_turns.js",),
    "panel": ("table/table_panel.js",),
    "paper": ("table/paper.js",),
    "photo": ("table/photo_steps.js",),
    "player": ("table/other_hand.js", "table/player_sheet.js"),
    "questions": ("table/joining.js", "table/questions.js"),
    "rebuilding": ("table/rebuilding.js",),
    "seats": ("table/seats.js",),
    "ticket_photo": ("table/ticket_photo.js",),
    "this_table": ("shared/this_table.js",),
    "turn": ("table/turn_sheet.js",),
    "voice": ("voice/choice.js", "voice/voice.js"),
}


def screen_options(query: Mapping[str, str]) -> dict[str, str]:
    """Parse a big screen's theme and voice, each by default empty; raises `QueryOptionError`.

    >>> screen_options({"theme": "dark"})
    {'theme': 'dark', 'voice': ''}
    """
    return {name: _choice(query, name) for name in ("theme", "voice")}


def overlay_options(query: Mapping[str, str]) -> dict[str, str]:
    """Parse an overlay's theme, parts in order, and scale; raises `QueryOptionError`.

    >>> overlay_options({"parts": "last,scores", "scale": "1.50"})
    {'theme': '', 'parts': 'last scores', 'scale': '1.5'}
    >>> overlay_options({"scale": "9"})
    Traceback (most recent call last):
    ...
    railspotter.webui.errors.QueryOptionError: the scale is a number from 0.25 to 8, not '9'
    """
    parts = dict.fromkeys(part.strip() for part in query.get("parts", USUAL_PARTS).split(","))
    for part in parts:
        if part not in OVERLAY_PARTS:
            raise QueryOptionError(
                "there is no part {part!r}: parts are {parts}",
                part=part[:40],
                parts=", ".join(OVERLAY_PARTS),
            )
    scale = _number(query.get("scale", "1"))
    if not LEAST_SCALE <= scale <= MOST_SCALE:
        raise QueryOptionError(
            "the scale is a number from {least} to {most}, not {given!r}",
            least=f"{LEAST_SCALE:g}",
            most=f"{MOST_SCALE:g}",
            given=query["scale"][:40],
        )
    return {"theme": _choice(query, "theme"), "parts": " ".join(parts), "scale": f"{scale:g}"}


def _choice(query: Mapping[str, str], name: str) -> str:
    given, (choices, refusal) = query.get(name, ""), CHOICES[name]
    if given and given not in choices:
        raise QueryOptionError(refusal.filled(choices=" / ".join(choices), given=given[:40]))
    return given


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


@dataclass(frozen=True)
class Page:
    """A page of the table."""

    path: str  # a Flask rule such as `/boards/<board>/edit`
    template: str  # the file in templates/
    needs: Needs  # what must be there for the page
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
    Page("/screen", "screen.html", Needs.NOTHING, "screen/main.js", screen_options),
    Page(
        "/overlay",
        "screen.html",
        Needs.NOTHING,
        "screen/main.js",
        overlay_options,
        allows_own_style=True,
    ),
    Page("/", "set_up.html", Needs.SET_UP, "set_up/main.js"),
    Page("/", "home.html", Needs.NOTHING, "home/main.js"),
    Page("/photo", "photo.html", Needs.NOTHING, "photo/main.js"),
    Page("/camera", "camera.html", Needs.NOTHING, "camera/main.js"),
    Page("/calibration", "calibration.html", Needs.GAME, "calibration/main.js"),
    Page("/history", "history.html", Needs.NOTHING, "history/list.js"),
    Page("/history/people", "people.html", Needs.NOTHING, "history/people.js"),
    Page("/history/people/<person>", "person.html", Needs.NOTHING, "history/person.js"),
    Page("/history/<game>", "history_game.html", Needs.NOTHING, "history/game.js"),
    Page("/card-game", "card_game.html", Needs.NOTHING, "cards/main.js"),
    Page("/wall", "wall.html", Needs.NOTHING, "wall/main.js"),
    Page("/boards", "boards.html", Needs.NOTHING, "boards/list.js"),
    Page("/boards/<board>/edit", "boards.html", Needs.NOTHING, "boards/edit.js"),
    Page("/", "hall.html", Needs.HALL, "hall/main.js", context="hall"),
    Page("/big", "hall_big.html", Needs.HALL, "hall/big.js", context="hall"),
)


def add_pages(app: Flask, page_context: PageContext) -> None:
    """Add the pages whose needs may be met: at one path the first whose needs are."""
    at: dict[str, list[Page]] = {}
    for page in PAGES:
        if page.needs in page_context.kinds:
            at.setdefault(page.path, []).append(page)
    for path, pages in at.items():
        _add(app, path, pages, page_context)
    if Needs.GAME in page_context.kinds:
        for part in PARTS:
            app.add_url_rule(f"/words/{part}", f"{part} words", partial(_later_words, part))


def _add(app: Flask, path: str, pages: Sequence[Page], page_context: PageContext) -> None:
    def answer(**names: str) -> AnyResponse:
        # The path's names are not used: the page's script reads them itself.
        now = page_context.now
        page = next((one for one in pages if page_context.meets(one.needs, now)), None)
        if page is None:  # a phone that comes back later is led to what goes on now
            return redirect("/")
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

    app.add_url_rule(path, f"page {path}", answer)


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

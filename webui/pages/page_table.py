"""All pages that ask the programming interface, as a table: where, for whom, with which words.

A page is a document that holds nothing of a game: it is the same for everyone, and what it shows
depends on who asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from os.path import normpath
from pathlib import Path

from flask import Flask, Response, jsonify, make_response, render_template, request

from ..access.gate import STYLED
from ..errors import AddressOptionError
from ..rooms.services import Entrance, Needs
from ..words.languages import COOKIE, WordList, language_of, languages, translator_to
from ..words.translation import Statement
from .screens import overlay_options, screen_options

STATIC = Path(__file__).parents[1] / "static"

FRAME = ("error.", "page.footer", "page.name", "page.no_script")
SHEETS = (*FRAME, "colour.", "sheet.", "toast.", "undo.button")
TABLE_WORDS = WordList(shared=("",))  # all words of the page at the table
# What a game with cards on phones adds to them; the page asks for it when there is one.
DEALT_WORDS = WordList(("dealt",), ("dealt.",))
# What the host's sheet for a television and a stream says.
GUEST_WORDS = WordList(("guest",), ("guest.",))
CHART_WORDS = WordList(("charts",), ("charts.",))
PAST_WORDS = WordList(("charts",), ("",))
SCREEN_WORDS = WordList(("charts", "screen"), ("",))
BOARD_WORDS = WordList(("boards",), SHEETS)
# What the voice says; a page asks for them when somebody turns it on.
VOICE_WORDS = WordList(("voice",), ("voice.",))
CALIBRATION_WORDS = WordList(("calibration",), (*SHEETS, "phone.language"))
# Also those of the page that tells how to trust this computer.
CAMERA_WORDS = WordList(("camera",), FRAME)
CARD_WORDS = WordList(("cards",), (*SHEETS, "plays.", "winner.doubtful"))
HALL_WORDS = WordList(
    ("hall",), (*SHEETS, "join.host", "log.", "phone.language", "score.player", "tag.")
)
# Calibration's too: one step of setting up looks for the board.
SET_UP_WORDS = WordList(
    ("calibration", "set_up"), (*SHEETS, "phone.language", "display.", "let_in.")
)

# Words that a page asks for later, if at all, by the names in their paths.
LATER_WORDS = {
    "charts": CHART_WORDS,
    "dealt": DEALT_WORDS,
    "guest": GUEST_WORDS,
    "voice": VOICE_WORDS,
}

_IMPORTED = re.compile(r'^import .* from "(\.[^"]+)";$', re.MULTILINE)
_FETCHED = re.compile(r'\bimport\("(\.[^"]+)"\)')
_TEXT = re.compile(r'"([a-z0-9_.]+)"')
_FORM = re.compile(r"\.(zero|one|two|few|many|other)$")


@dataclass(frozen=True)
class Page:
    """A page of the table."""

    path: str  # where it is, as Flask writes rules: `/boards/<board>/edit`
    template: str  # the name of its file in templates/
    needs: Needs  # what must be there for the page to be there
    words: WordList = TABLE_WORDS  # what it carries
    script: str = ""  # what it runs, below static/; empty for a page that runs nothing
    # Returns what the address asks for behind the question mark, for the template.
    options: Callable[[Mapping[str, str]], dict[str, str]] = lambda query: {}
    # Whether the program that shows it may put a style of its own into it.
    may_be_dressed: bool = False


@cache
def imported(script: str) -> tuple[str, ...]:
    """Return what a script runs with: all that it imports, and what these import.

    A document names them, so that a browser fetches all at once and not one after the other. What
    a script fetches later, when somebody opens a sheet, is not among them.
    """
    with_it = _reached(script, (_IMPORTED,)) - {STATIC / script}
    return tuple(sorted(path.relative_to(STATIC).as_posix() for path in with_it))


def _reached(script: str, ways: tuple[re.Pattern[str], ...]) -> set[Path]:
    found: set[Path] = set()
    waiting = [STATIC / script]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            text = path.read_text("utf-8")
            waiting += [
                Path(normpath(path.parent / name)) for way in ways for name in way.findall(text)
            ]
    return found


@cache
def words_of(script: str) -> frozenset[str]:
    """Return all that a script and what it imports, now or later, may name words by.

    Every text of theirs that looks like a name is one, so none that is used is left out.
    """
    texts = (path.read_text("utf-8") for path in _reached(script, (_IMPORTED, _FETCHED)))
    return frozenset(name for text in texts for name in _TEXT.findall(text))


def carried(words: Mapping[str, str], script: str) -> dict[str, str]:
    """Return the words that a page carries for its script: of the table's many, those it says."""
    named = words_of(script)
    return {key: text for key, text in words.items() if {key, _FORM.sub("", key)} & named}


PAGES = (
    Page("/", "table.html", Needs.GAME, script="table/main.js"),
    Page("/help", "table_help.html", Needs.GAME),
    Page("/screen", "screen.html", Needs.CAMERA, SCREEN_WORDS, "screen/main.js", screen_options),
    Page(
        "/overlay",
        "screen.html",
        Needs.CAMERA,
        SCREEN_WORDS,
        "screen/main.js",
        overlay_options,
        may_be_dressed=True,
    ),
    Page("/", "set_up.html", Needs.SET_UP, SET_UP_WORDS, "set_up/main.js"),
    Page("/camera", "camera.html", Needs.CAMERA, CAMERA_WORDS, "camera/main.js"),
    Page("/calibration", "calibration.html", Needs.GAME, CALIBRATION_WORDS, "calibration/main.js"),
    Page("/history", "history.html", Needs.NOTHING, script="history/list.js"),
    Page("/history/<game>", "history_game.html", Needs.NOTHING, PAST_WORDS, "history/game.js"),
    Page("/card-game", "card_game.html", Needs.NOTHING, CARD_WORDS, "cards/main.js"),
    Page("/boards", "boards.html", Needs.NOTHING, BOARD_WORDS, "boards/list.js"),
    Page("/boards/<board>/edit", "boards.html", Needs.NOTHING, BOARD_WORDS, "boards/edit.js"),
    Page("/", "hall.html", Needs.HALL, HALL_WORDS, "hall/main.js"),
    Page("/big", "hall_big.html", Needs.HALL, HALL_WORDS, "hall/big.js"),
)


def add_pages(app: Flask, entrance: Entrance) -> None:
    """Add the pages for which all that they need is there."""
    for page in PAGES:
        if entrance.has(page.needs):
            _add(app, page)
    if entrance.has(Needs.GAME):
        for name, words in LATER_WORDS.items():
            app.add_url_rule(f"/words/{name}", f"{name} words", partial(_later_words, words))


def _add(app: Flask, page: Page) -> None:
    def answer(**names: str) -> Response:
        # What the path names, the page's script reads there itself.
        preloads = imported(page.script) if page.script else ()
        try:
            options = page.options(request.args)
        except AddressOptionError as error:
            say = translator_to(language_of(request))
            return Response(say(Statement(error.sentence)), 400, mimetype="text/plain")
        values = {"script": page.script, "preloads": preloads, "path": page.path, **options}
        response = render(page.template, page.words, **values)
        if page.may_be_dressed:
            response.headers.set(*STYLED)
        return response

    app.add_url_rule(page.path, f"page {page.path}", answer)


def _later_words(words: WordList) -> Response:
    response = jsonify(dict(words.in_language(language_of(request))))
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def render(template: str, words: WordList = TABLE_WORDS, **values: object) -> Response:
    """Return a document in the reader's language; it carries all its words.

    Parameters
    ----------
    template : str
        The name of its file in templates/.
    words : WordList
        What it carries.
    **values
        What else the template has places for.
    """
    language = language_of(request)
    in_language = words.in_language(language)
    script = str(values.get("script", ""))
    text = render_template(
        template,
        words=in_language,
        carried=carried(in_language, script) if script else in_language,
        language=language,
        languages=languages(),
        language_cookie=COOKIE,
        **{"script": "", "preloads": (), **values},
    )
    response = make_response(text)
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response

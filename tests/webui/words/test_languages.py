"""The page's languages: all of its words in each, and the one that a phone wants."""

import re

import pytest
from phones import Table, never
from program_words import page_words, sentences
from program_words import texts as texts_in
from railspotter.webui.pages.page_table import PARTS, words_of_part
from railspotter.webui.sessions.photo_queue import PhotoReading
from railspotter.webui.words import translation
from resting_pages import photo_app

OTHERS = [language for language in translation.languages() if language != "en"]
OTHER = pytest.mark.parametrize("language", OTHERS)
# What is the same word in English.
ALIKE = {
    "de": {"Bonus", "Computer", "Computer {name}", "Demo", "Name", "Offline", "Optional", "Pause"}
    | {"{n} offline", "{minutes} min", "{seconds} s"},
    "fr": {
        "bus",
        "Bonus",
        "Moment",
        "Pause",
        "Place {place}, {colour}",
        "Points",
        "Route",
        "Routes",
        "Table",
        "Total",
    }
    | {
        "Scores",
        "loco",
        "points",
        "locomotive",
        "orange",
        "routes",
        "taxi",
        "taxis",
        "total",
        "{minutes} minutes",
        "{minutes} min",
        "{seconds} s",
        "{n} point",
        "{n} points",
        "{n} points, {day}",
        "{n} table",
        "{n} tables",
        "{width} x {height} pixels",
    },
}
# What no language changes: places to fill in, and names.
NAMES = re.compile(r"\{\w+(?:!r)?\}|Railspotter|WLED|LEDs|[^\w]")


def test_german_and_french_are_there() -> None:
    assert set(translation.languages()) >= {"de", "en", "fr"}


@OTHER
def test_nothing_is_left_in_english(language: str) -> None:
    other = page_words(language)
    pairs = [(text, other[name]) for name, text in page_words("en").items()]
    pairs += sentences(language).items()
    same = {text for text, other in pairs if text == other and NAMES.sub("", text)}
    assert same - ALIKE[language] == set()


@OTHER
def test_pages_and_program_say_alike_what_both_say(language: str) -> None:
    said, other = sentences(language), page_words(language)
    again = {text: name for name, text in page_words("en").items() if text in said}
    differing = {
        text
        for text, name in again.items()
        if said[text] != other[name] and ("." in text or name[1].startswith("colour."))
    }
    assert differing == set()


@pytest.mark.parametrize(
    ("wanted", "chosen", "language"),
    [
        pytest.param("de-AT,de;q=0.9,en;q=0.5", "", "de", id="a German browser"),
        pytest.param("fr", "", "fr", id="a French one"),
        pytest.param("nl,fr;q=0.5", "", "fr", id="the second choice"),
        pytest.param("ja", "", "en", id="none of ours"),
        pytest.param("", "", "en", id="no wish"),
        pytest.param("de", "fr", "fr", id="chosen on the phone"),
        pytest.param("de", "../en", "de", id="a choice that there is not"),
    ],
)
def test_the_phone_has_its_language(wanted: str, chosen: str, language: str) -> None:
    client = photo_app(PhotoReading(never)).test_client()
    if chosen:
        client.set_cookie(translation.COOKIE, chosen)
    page = client.get("/photo", headers={"Accept-Language": wanted}).text
    assert f'<html lang="{language}"' in page
    assert translation.PageWords(language)["home.photo"] in page


def test_what_a_page_opens_later_comes_with_its_words(running: Table) -> None:
    for part in PARTS:
        answer = running.phone().page(f"/words/{part}", Accept_Language="de")
        assert answer.json == translation.PageWords("de").named(words_of_part(part))
        assert {"Accept-Language", "Cookie"} <= set(answer.headers["Vary"].split(", "))


def test_german_pages_say_du() -> None:
    formal = re.compile(r"[a-zäöüß]e[nr]?n? Sie\b|\bIhnen\b|\bIhr(e[mnrs]?)? Handy\b")
    assert not [text for text in texts_in("de").values() if formal.search(text)]

"""The page's languages: all of its words in each, and the one that a phone wants."""

import io
import re

import pytest
from msgspec.structs import replace
from phones import Table
from program_words import page_words, sentences
from program_words import texts as texts_in
from railspotter.scoring.board import load_board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.reading.photo_notes import PALE_PHOTO
from railspotter.vision.readings import Doubt
from railspotter.webui.pages import texts
from railspotter.webui.pages.page_table import PARTS, words_of_part
from railspotter.webui.pages.result_view import result_view
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
def test_the_phone_has_its_language(
    scored: ScoredPhoto, wanted: str, chosen: str, language: str
) -> None:
    client = photo_app(PhotoReading(lambda photos: scored)).test_client()
    if chosen:
        client.set_cookie(translation.COOKIE, chosen)
    page = client.get("/photo", headers={"Accept-Language": wanted}).text
    assert f'<html lang="{language}">' in page
    assert translation.translator_to(language)("Photograph the board") in page


def test_what_a_page_opens_later_comes_with_its_words(running: Table) -> None:
    for part in PARTS:
        answer = running.phone().page(f"/words/{part}", Accept_Language="de")
        assert answer.json == translation.PageWords("de").named(words_of_part(part))
        assert {"Accept-Language", "Cookie"} <= set(answer.headers["Vary"].split(", "))


@OTHER
def test_a_result_is_in_the_language_and_names_stay_as_printed(
    scored: ScoredPhoto, language: str
) -> None:
    scored, say = replace(scored, notes=(PALE_PHOTO,)), translation.translator_to(language)
    view = result_view(scored, {})
    (card,) = view.doubts
    assert "Portland - Seattle" in say(card.question)
    assert [*card.choices.values()] == ["red", "empty", "black"]
    plain = (card.question, card.why, card.counts_as, *view.notes, texts.TRAINS_LEFT["train"])
    assert not {say(text) for text in plain} & set(plain)


def test_a_station_is_asked_about_in_the_language(scored: ScoredPhoto) -> None:
    why = Sentence("it is not clear whose station stands there")
    doubt = Doubt(Spot("station", "edinburgh"), "blue", (None,), why)
    photo = replace(scored, board=load_board("europe"), doubts=(doubt,), held={})
    (card,) = result_view(photo, {}).doubts
    say = translation.translator_to("de")
    assert say(card.question) == "Welcher Bahnhof steht in Edinburgh: Blau oder kein Bahnhof?"
    assert say(texts.read_in(1.25)) == "gelesen in 1,2 s"
    assert say(translation.Statement(card.why)) == "Es ist nicht klar, wessen Bahnhof dort steht."


def test_the_page_of_a_result_is_german(scored: ScoredPhoto) -> None:
    client = photo_app(PhotoReading(lambda photos: scored)).test_client()
    headers = {"Accept-Language": "de"}
    sent = {"photo": (io.BytesIO(b"photo"), "a.jpg")}
    page = client.post("/", data=sent, headers=headers, follow_redirects=True).text
    for text in ("Scores", "Route points", "Not sure", "blue"):
        assert translation.translator_to("de")(text) in page
    assert "Strecke Denver \N{EN DASH} Helena" in page
    assert "trains" not in re.sub(r"<[^>]*>", "", page)


def test_german_pages_say_du() -> None:
    formal = re.compile(r"[a-zäöüß]e[nr]?n? Sie\b|\bIhnen\b|\bIhr(e[mnrs]?)? Handy\b")
    assert not [text for text in texts_in("de").values() if formal.search(text)]

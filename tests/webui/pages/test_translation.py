"""What the program says in English is said in every other language, wherever players read it."""

from __future__ import annotations

import pytest
from program_words import HOLE, WORDS, samples
from railspotter.webui.pages.languages import languages, sentences_in, translator_to, words
from railspotter.webui.pages.translation import Translator

OTHER = pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
NESTED = {"it sends none any more", "what came is no use: {error}"}
"""Parts of what is said, which are looked up by themselves."""


def test_the_collected_are_what_is_said() -> None:
    found = samples()
    assert len(found) > 150
    assert "glare lies over it" in found
    assert "only 7 of 7 spaces look covered" in found


@OTHER
def test_everything_that_is_said_is_known(language: str) -> None:
    known = Translator(dict.fromkeys(sentences_in(language), "known"))
    assert [text for text in samples() if known(text) != "known"] == []


@OTHER
def test_nothing_is_kept_that_nobody_says(language: str) -> None:
    said = samples()
    colours = {text for key, text in words("en").items() if key.startswith("colour.")}
    kept = set(sentences_in(language)) - colours - NESTED - set(WORDS)
    of_key = {key: Translator({key: "known"}) for key in kept}
    unused = {key for key, say in of_key.items() if all(say(text) != "known" for text in said)}
    assert unused == set()


@OTHER
def test_places_are_the_same(language: str) -> None:
    for english, other in sentences_in(language).items():
        assert set(HOLE.findall(other)) <= set(HOLE.findall(english)), english


def test_what_stands_in_a_place_is_said_too() -> None:
    say = translator_to("de")
    assert (
        say("red and blue trains look alike there") == "Wagen in Rot und Blau sehen dort gleich aus"
    )
    both = say("glare lies over it; only 2 of 3 spaces look covered")
    assert both == "ein Lichtreflex liegt darüber; nur 2 von 3 Feldern sehen belegt aus"
    waiting = say("waiting for camera 0: it does not open; another program may use it")
    assert waiting.startswith("es wird gewartet auf: Kamera 0: sie lässt sich nicht öffnen; viel")
    locked = say("watching camera 0; exposure and focus locked, white balance cannot be locked")
    assert locked.startswith("Kamera 0 läuft; Belichtung und Schärfe fest eingestellt, Weißabgl")


def test_a_reason_that_stands_as_a_sentence_is_said_too() -> None:
    say = translator_to("de")
    assert say("there is nothing to undo.") == "Es gibt nichts zurückzunehmen."
    refused = "No cards were found; lay them side by side on one cloth, all of one deck, so that"
    assert say(f"{refused} each is seen.").startswith("Es wurden keine Karten gefunden; leg sie ne")
    assert say("line 3: there is no place 'Ulm'.") == "Zeile 3: es gibt keinen Ort 'Ulm'."
    told = (
        "There is no such ticket: tickets.red[0]: My map has no ticket 'a' - 'b'; give its points."
    )
    assert say(told).endswith("; gib die Punkte an.")
    assert "My map hat keinen Auftrag" in say(told)


def test_what_is_not_known_stays_english() -> None:
    say = translator_to("fr")
    assert say("the dog ate it") == "the dog ate it"
    assert say("waiting for camera 0: [Errno 5] oh").endswith(": [Errno 5] oh")

"""What the program says in English is said in every other language, wherever players read it."""

import copy
import re

import msgspec
import pytest
from program_words import sentences, templates
from railspotter.scoring.sentence import Sentence, StatedError, together
from railspotter.webui.words.translation import Statement, json_bytes, languages, translator_to

OTHER = pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
PLACE = re.compile(r"\{\w+(?:!r)?\}")


def test_the_gathered_are_what_is_said() -> None:
    found = templates()
    assert len(found) > 400
    assert "glare lies over it" in found
    assert "only {covered} of {all} spaces look covered" in found


@OTHER
def test_a_catalogue_has_what_is_said_and_no_more(language: str) -> None:
    """`make words` brings it up to date; what it lacks is to be translated."""
    kept = sentences(language)
    assert sorted(kept.keys() ^ set(templates())) == []
    assert [english for english, other in kept.items() if not other] == []


@OTHER
def test_places_are_the_same(language: str) -> None:
    for english, other in sentences(language).items():
        assert set(PLACE.findall(other)) <= set(PLACE.findall(english)), english


@OTHER
def test_what_is_compiled_is_the_catalogue(language: str) -> None:
    say = translator_to(language)
    for english, other in sentences(language).items():
        assert say(english) == other, "run 'make words'"


def test_what_stands_in_a_place_is_said_too() -> None:
    say = translator_to("de")
    alike = Sentence("{colour} and {other} trains look alike there", colour="red", other="blue")
    assert say(alike) == "Wagen in Rot und Blau sehen dort gleich aus"
    glare = Sentence("glare lies over it")
    partly = Sentence("only {covered} of {all} spaces look covered", covered=2, all=3)
    both = say(together((glare, partly)))
    assert both == "ein Lichtreflex liegt darüber; nur 2 von 3 Feldern sehen belegt aus"
    error = StatedError("it cannot be opened; another program may be using it")
    waiting = Sentence(
        "waiting for {what}: {error}", what=Sentence("camera {number}", number=0), error=error
    )
    assert say(waiting).startswith("es fehlt Kamera 0: sie lässt sich nicht öffnen; v")


def test_a_reason_that_stands_as_a_sentence_is_said_too() -> None:
    say = translator_to("de")
    nothing = Statement(Sentence("there is no game {name!r}", name="x"))
    assert nothing == "There is no game 'x'."
    assert say(nothing) == "Es gibt kein Spiel 'x'."
    assert Statement("size_mm: a measured board needs its size").startswith("size_mm: a")
    assert say(Statement(Sentence("Take a seat first."))) == "Nimm zuerst einen Platz."


def test_what_is_not_known_stays_english() -> None:
    say = translator_to("fr")
    assert say("the dog ate it") == "the dog ate it"
    assert say(Sentence("the {pet} ate it", pet="dog")) == "the dog ate it"
    assert say(Sentence("waiting for {what}", what="")) == "on attend "
    assert say("") == ""


def test_a_sentence_is_the_same_after_a_copy() -> None:
    for sentence in (
        Sentence("{n} stations not built", n=3),
        Statement(Sentence("{name!r} is no port", name="x")),
    ):
        again = copy.deepcopy(sentence)
        assert type(again) is type(sentence)
        assert again == sentence
        assert (again.template, again.values) == (sentence.template, sentence.values)


def test_json_has_its_sentences_in_the_language() -> None:
    told = {"why": Sentence("glare lies over it"), "colour": "red"}
    assert json_bytes(told) == b'{"why":"glare lies over it","colour":"red"}'
    german = msgspec.json.decode(json_bytes(told, translator_to("de")))
    assert german == {"why": "ein Lichtreflex liegt darüber", "colour": "red"}
    with pytest.raises(NotImplementedError, match="cannot be written"):
        json_bytes({"why": object()})

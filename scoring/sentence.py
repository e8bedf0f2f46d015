"""Sentences for players, as values that can be translated."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

PLACE = re.compile(r"\{(\w+)(!r)?\}")  # where a value stands in a template


class Sentence(str):
    """An English sentence that keeps its template and values, for translation.

    It is a text like any other, and compares, sorts and prints as one. Whoever says it in another
    language translates the template and puts the values in anew. Texts that are made of it with +,
    f"" or `join` are plain ones: they stay English.

    The template has {named} places as `str.format` has them; catalogues list it by that. A value
    that is a `Sentence` is translated too, and so is a word that the catalogues have; of an error
    it is the text.

    >>> alike = Sentence("{one} and {other} trains look alike", one="red", other="pink")
    >>> alike
    'red and pink trains look alike'
    >>> alike.template, alike.values["other"]
    ('{one} and {other} trains look alike', 'pink')
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str = "", /, **values: object) -> "Sentence":
        """Make a sentence from a template and values; empty by default."""
        values = {
            name: str(value) if isinstance(value, Exception) else value
            for name, value in values.items()
        }
        sentence = super().__new__(cls, template.format(**values) if values else template)
        sentence.template, sentence.values = template, values
        return sentence

    def filled(self, **values: object) -> "Sentence":
        """Return the template filled with values, for a constant without any.

        >>> Sentence("{colour} has no more trains").filled(colour="red")
        'red has no more trains'
        """
        return Sentence(self.template, **values)

    def __str__(self) -> "Sentence":
        """Return the sentence itself: an error's text is the sentence that it was raised with."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self.template,), dict(self.values)


NOTHING = Sentence()  # the empty sentence


def plain_of(sentence: Sentence) -> object:
    """Return a sentence's template and values, to be encoded; its text if it has none.

    >>> plain_of(Sentence("{n} trains", n=3)), plain_of(Sentence("no trains"))
    (['{n} trains', {'n': 3}], 'no trains')
    """
    template = str.__str__(sentence.template)
    return [template, dict(sentence.values)] if sentence.values else template


def sentence_of(plain: Any) -> Sentence:
    """Return the sentence of which this is `plain_of`, whoever wrote it.

    Raises `ValueError` for a template that reaches for more than its values.

    >>> sentence_of(["{n} trains", {"n": 3}])
    '3 trains'
    """
    if isinstance(plain, str):
        return Sentence(plain)
    template, values = msgspec.convert(plain, tuple[str, dict[str, Any]])
    if not {name for name, _ in PLACE.findall(template)} <= values.keys():
        raise ValueError("a sentence lacks what stands in it")
    if re.search("[{}]", PLACE.sub("", template)):
        raise ValueError("a sentence's places are its values, and nothing of them")
    nested = {name: sentence_of(v) if isinstance(v, list) else v for name, v in values.items()}
    return Sentence(template, **nested)


class StatedError(Exception):
    """An error whose text is a sentence for users: `sentence`.

    It is made of a template and values, or of a sentence that there is already.

    >>> str(StatedError("there is no board {name!r}", name="atlantis"))
    "there is no board 'atlantis'"
    """

    def __init__(self, template: str, /, **values: object) -> None:
        self.sentence = template if isinstance(template, Sentence) else Sentence(template, **values)
        super().__init__(self.sentence)


@contextmanager
def raised_as(
    error: type[Exception],
    kinds: type[Exception] | tuple[type[Exception], ...],
    template: str = "",
    **values: object,
) -> Iterator[None]:
    """Raise errors of other kinds as one of these; their text stands at the template's {error}."""
    try:
        yield
    except kinds as fault:
        why = (isinstance(fault, OSError) and fault.strerror) or str(fault)
        raise error(Sentence(template, error=why, **values) if template else why) from fault


def together(sentences: Iterable[str], between: str = "; ") -> Sentence:
    """Join sentences, or words of a list, into one sentence.

    >>> together(["glare lies over it", "no trains are seen"])
    'glare lies over it; no trains are seen'
    """
    sentences = tuple(sentences)
    if len(sentences) == 1 and isinstance(sentences[0], Sentence):
        return sentences[0]
    numbered = {f"part_{i}": sentence for i, sentence in enumerate(sentences)}
    return Sentence(between.join(f"{{{name}}}" for name in numbered), **numbered)

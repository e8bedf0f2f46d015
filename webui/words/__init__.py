"""What is said in which language: pages' words, the program's sentences, and who wants which."""

from .languages import COOKIE, WordList, language_of, languages, translator_to, words
from .translation import AS_WRITTEN, Statement, Translator, json_bytes

__all__ = [
    "AS_WRITTEN",
    "COOKIE",
    "Statement",
    "Translator",
    "WordList",
    "json_bytes",
    "language_of",
    "languages",
    "translator_to",
    "words",
]

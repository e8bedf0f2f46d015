"""Builds what is made of sources: catalogues, and what each script of the pages needs.

pyproject.toml says the rest.
"""

import json
import posixpath
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.jslexer import Token, tokenize, unquote_string
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py

WEBUI = Path(__file__).parent / "webui"
WORDS = WEBUI / "words"
STATIC = WEBUI / "static"
SCRIPTS = WEBUI / "pages" / "scripts.json"
NEVER = datetime(1980, 1, 1, tzinfo=UTC)  # what a catalogue is said to be of; babel would say: now
# What the name of a word ends with that has a text for each form of counting, as Intl names them.
FORMS = ("zero", "one", "two", "few", "many", "other")


def read_catalogue(path: Path) -> Catalog:
    """Return a language's catalogue; its file's name is the language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def compile_catalogue(source: Path) -> None:
    """Write a catalogue beside its source, as gettext reads it."""
    catalogue = read_catalogue(source)
    catalogue.creation_date = NEVER
    with source.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


def tokens_of(source: str) -> Iterator[Token]:
    """Yield the tokens of a script, for its template strings those that they embed."""
    for token in tokenize(source, jsx=False):
        if token.type == "template_string":
            for embedded in token.value.split("${")[1:]:
                yield from tokens_of(embedded.rpartition("}")[0])
        elif not token.type.endswith("comment"):
            yield token


def read_script(path: Path, words: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return what a script imports at once and later, below static/, and the words it names.

    Parameters
    ----------
    words : dict of str to list of str
        The words that a text of a script may name.
    """
    imports: list[str] = []
    later: list[str] = []
    named: list[str] = []
    before = ["", ""]
    for token in tokens_of(path.read_text("utf-8")):
        if token.type == "string":
            text = unquote_string(token.value)
            if before[1] == "from" or before[1] == "import":
                imports.append(text)
            elif before == ["import", "("]:
                later.append(text)
            else:
                named += words.get(text, ())
        before = [before[1], token.value]
    folder = path.parent.relative_to(STATIC).as_posix()
    at = [[posixpath.normpath(f"{folder}/{name}") for name in names] for names in (imports, later)]
    return {"imports": sorted(at[0]), "later": sorted(at[1]), "words": sorted(set(named))}


def read_scripts() -> dict[str, dict[str, list[str]]]:
    """Return what each script of the pages imports and which words it names."""
    words: dict[str, list[str]] = {}
    for message in read_catalogue(WORDS / "en.po"):
        if message.id:
            name, _, form = message.id.rpartition(".")
            words.setdefault(message.id, []).append(message.id)
            if form in FORMS and "." in name:
                words.setdefault(name, []).append(message.id)
    return {
        path.relative_to(STATIC).as_posix(): read_script(path, words)
        for path in sorted(STATIC.rglob("*.js"))
    }


class BuildWithCatalogues(build_py):
    """Builds the packages with what is made of their sources."""

    def run(self) -> None:
        """Compile each catalogue beside its source, read the scripts, then build.

        Two builds of one commit are the same file. So nothing of an older build comes along, nor
        who may read the files of whoever builds it.
        """
        for source in WORDS.glob("*.po"):
            compile_catalogue(source)
        SCRIPTS.write_text(json.dumps(read_scripts(), indent=1), "utf-8")
        if self.editable_mode:
            super().run()
            return
        built = Path(self.build_lib)
        shutil.rmtree(built, ignore_errors=True)
        super().run()
        for path in built.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildWithCatalogues})

"""Compiles the translators' catalogues when the program is built; pyproject.toml says the rest."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py

WORDS = Path(__file__).parent / "webui" / "words"


class BuildWithCatalogues(build_py):
    """Builds the packages with their catalogues."""

    def run(self) -> None:
        """Compile each catalogue beside its source, then build."""
        for source in WORDS.glob("*.po"):
            with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(text, locale=source.stem))
        super().run()


setup(cmdclass={"build_py": BuildWithCatalogues})

"""Compiles the translators' catalogues when the program is built; pyproject.toml says the rest."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py

WORDS = Path(__file__).parent / "webui" / "words"
NEVER = datetime(1980, 1, 1, tzinfo=UTC)  # what a catalogue is said to be of; babel would say: now


class BuildWithCatalogues(build_py):
    """Builds the packages with their catalogues."""

    def run(self) -> None:
        """Compile each catalogue beside its source, then build.

        Two builds of one commit are the same file. So nothing of an older build comes along, nor
        who may read the files of whoever builds it.
        """
        for source in WORDS.glob("*.po"):
            with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
                catalogue = read_po(text, locale=source.stem)
                catalogue.creation_date = NEVER
                write_mo(compiled, catalogue)
        if self.editable_mode:
            super().run()
            return
        built = Path(self.build_lib)
        shutil.rmtree(built, ignore_errors=True)
        super().run()
        for path in built.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)


setup(cmdclass={"build_py": BuildWithCatalogues})

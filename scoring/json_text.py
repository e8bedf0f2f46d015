"""Reads JSON that people or other programs wrote, and explains in a sentence what is wrong with it.

msgspec says it for programmers: types, a path with `$` that names no key, regular expressions.
Here the faulty part is looked for along the type, so that its keys are known.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from .bounded_file import read_bounded
from .sentence import Sentence, StatedError, raised_as

T = TypeVar("T")
# What msgspec raises for a text that is no JSON, or not of the type asked for.
MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
CANNOT_READ = Sentence("cannot read {path}: {error}")
MOST_NAMES = 20  # limit of listed alternatives; more would hide the fault
MOST_LETTERS = 60  # letters of a wrong value that are quoted

DICTS = (dict, Mapping)
LISTS = (tuple, list, set, frozenset, Sequence)
WORDS = {
    "bool": Sentence("true or false"),
    "int": Sentence("a whole number"),
    "float": Sentence("a number"),
    "str": Sentence("a text"),
    "array": Sentence("a list"),
    "object": Sentence("an object in braces"),
    "null": Sentence("nothing"),
}
LIMITS = {
    ">=": Sentence("it has to be at least {n}"),
    ">": Sentence("it has to be more than {n}"),
    "<=": Sentence("it has to be at most {n}"),
    "<": Sentence("it has to be less than {n}"),
    "length >=": Sentence("it has to be at least {n} long"),
    "length <=": Sentence("it has to be at most {n} long"),
    "length": Sentence("it has to be {n} long"),
}
LIMIT = re.compile(r"Expected `[^`]*`(?: of (length))? ?([<>]=?)? ?([0-9.]+)(?:, got .*)?")
TYPES = re.compile(r"Expected `(.+)`, got `(\w+)`")


def decode_text(content: bytes | str) -> str:
    """Decode a text in UTF-8, or in UTF-16 with its mark, which Windows calls Unicode.

    The mark is left out. Raises `UnicodeDecodeError`.
    """
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_utf16 else "utf-8-sig")


def parse_json(content: bytes | str, kind: type[T], error: type[StatedError]) -> T:
    """Parse a JSON text as a type; raises `error`, also where an object has a key twice.

    >>> parse_json('{"red": 1, "red": 2}', dict[str, int], StatedError)
    Traceback (most recent call last):
    ...
    railspotter.scoring.sentence.StatedError: 'red' is written twice
    """

    def check_keys(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise error(Sentence("{name!r} is written twice", name=_short(key)))
            seen.add(key)

    try:
        text = decode_text(content)
        read = msgspec.json.decode(text, type=kind)
        # Numbers stay unread: Python refuses integers of thousands of digits.
        json.loads(text, object_pairs_hook=check_keys, parse_int=len)
    except MALFORMED as fault:
        raise error(malformed(content, kind)) from fault
    return read


def load_file(path: Path, what: str, parse: Callable[[bytes], T], error: type[StatedError]) -> T:
    """Read and parse a file, `what` it is; raises `error`, which names the file."""
    with raised_as(error, OSError, CANNOT_READ, path=f"{what} {str(path)!r}"):
        content = read_bounded(path)
    with raised_as(error, error, "{path}: {error}", path=path):
        return parse(content)


def malformed(content: bytes | str, kind: Any) -> Sentence:
    """Return why msgspec cannot decode a text, as a sentence.

    >>> malformed('{"a": [1, "two"]}', dict[str, list[int]])
    'a[1]: a whole number belongs there, not a text'
    >>> malformed('{"a": ', dict[str, int])
    'this is no JSON: it cannot be read from line 1, column 7 on'
    """
    try:
        text = decode_text(content)
        return misfit(msgspec.json.decode(text), kind)
    except RecursionError:
        return Sentence("brackets stand within brackets too many times")
    except UnicodeDecodeError:
        return Sentence("this is no text in UTF-8: save it as UTF-8")
    except msgspec.ValidationError:  # where anything may stand
        return Sentence("a number in it is too large")
    except msgspec.DecodeError:
        pass
    try:
        json.loads(text, parse_int=len)
        return Sentence("this is no JSON: it has NaN, Infinity or a half of a letter")
    except json.JSONDecodeError as error:
        return Sentence(
            "this is no JSON: it cannot be read from line {n}, column {m} on",
            n=error.lineno,
            m=error.colno,
        )


def misfit(value: Any, kind: Any) -> Sentence:
    """Return why msgspec cannot convert a value, as a sentence.

    >>> misfit({"red": "mauve"}, dict[str, Literal["pink", "black"]])
    "red: there is no 'mauve'; there are pink, black"
    """
    field, said = "", Sentence("it is not what belongs there")
    for name, why in _faults(value, kind):
        field, said = field + name, why
    return Sentence("{field}: {error}", field=field.lstrip("."), error=said) if field else said


def _faults(value: Any, kind: Any) -> Iterator[tuple[str, Sentence]]:
    """Yield the faults from the outermost value inwards: a step of the path, and the reason."""
    here: Iterable[tuple[str, Any, Any]] = (("", value, kind),)
    while here:
        refused = ((*part, error) for part in here if (error := _refusal(*part[1:])) is not None)
        if (found := next(refused, None)) is None:
            return
        step, value, kind, error = found
        yield step, _explained(error, value, kind)
        here = _parts(value, kind)


def _refusal(value: Any, kind: Any) -> str | None:
    """Return msgspec's message for a value, without the path; None if it fits."""
    try:
        if kind is not msgspec.Raw:  # whatever it is
            msgspec.convert(value, kind, str_keys=True)
    except msgspec.ValidationError as error:
        return str(error).partition(" - at `")[0]
    return None


def _parts(value: Any, kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the parts of a value: the step of the path to each, itself, and its type."""
    kind = _meant_type(value, kind)
    arguments = get_args(kind)
    if isinstance(value, dict) and _is_struct(kind):
        for field in msgspec.structs.fields(kind):
            if field.encode_name in value:
                yield f".{field.encode_name}", value[field.encode_name], field.type
    elif isinstance(value, dict) and get_origin(kind) in DICTS:
        for key, one in value.items():
            name = f".{_short(key)}"
            # Numbers as keys are checked by the mapping.
            yield name, key, Any if _plain(arguments[0]) in (int, float) else arguments[0]
            yield name, one, arguments[1]
    elif isinstance(value, list) and get_origin(kind) in LISTS:
        is_alike = len(arguments) == 1 or Ellipsis in arguments
        kinds = [arguments[0]] * len(value) if is_alike else arguments
        for i, (one, of_one) in enumerate(zip(value, kinds, strict=False)):
            yield f"[{i}]", one, of_one


def _meant_type(value: Any, kind: Any) -> Any:
    """Return a type without annotations; of a union the member that a value is meant for."""
    kind = _plain(kind)
    if get_origin(kind) not in (Union, UnionType):
        return kind
    members = [_plain(one) for one in get_args(kind)]
    if isinstance(value, dict):
        structs = [one for one in members if _is_struct(one)]
        fits = [one for one in structs if value.get(_config(one).tag_field) == _config(one).tag]
        fits = fits or [one for one in structs if len(structs) == 1] or _of_origin(members, DICTS)
    else:
        fits = _of_origin(members, LISTS if isinstance(value, list) else (Literal,))
    return next(iter(fits), kind)


def _of_origin(kinds: Iterable[Any], origins: tuple[Any, ...]) -> list[Any]:
    return [kind for kind in kinds if get_origin(kind) in origins]


def _plain(kind: Any) -> Any:
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return getattr(kind, "__supertype__", kind)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _config(kind: Any) -> Any:
    return kind.__struct_config__


def _explained(error: str, value: Any, kind: Any) -> Sentence:
    """Return msgspec's message for a value as a sentence for people."""
    kind = _meant_type(value, kind)
    if isinstance(value, dict) and _is_struct(kind):
        fields = {field.encode_name: field.required for field in msgspec.structs.fields(kind)}
        strange = [name for name in value if name not in (*fields, _config(kind).tag_field)]
        if strange and _config(kind).forbid_unknown_fields:
            return _unknown_name(strange[0], fields)
        missing = [
            name for name, is_required in fields.items() if is_required and name not in value
        ]
        if missing:
            return Sentence("{name!r} is missing", name=missing[0])
    if error.startswith("Invalid enum value"):
        return _unknown_name(value, _choices(kind))
    if error.startswith("Invalid value"):
        tags = [_config(one) for one in map(_plain, get_args(kind)) if _is_struct(one)]
        field = tags[0].tag_field if tags else ""
        said = value.get(field) if isinstance(value, dict) else value
        return _unknown_name(said, [str(one.tag) for one in tags])
    if found := LIMIT.fullmatch(error):
        return LIMITS[" ".join(filter(None, found.groups()[:2]))].filled(
            n=found[3].removesuffix(".0")
        )
    if found := TYPES.fullmatch(error):
        wanted = [name.strip() for name in found[1].split("|")]
        word = next((WORDS[name] for name in wanted if name in WORDS), None)
        got = WORDS.get(found[2])
        if word is not None and got is not None:
            return Sentence("{wanted} belongs there, not {got}", wanted=word, got=got)
    if "matching regex" in error:
        return Sentence("{value!r} has signs that are not allowed there", value=_short(value))
    if error[:1].islower():  # a type's own reason
        return Sentence(error)
    return Sentence("it is not what belongs there")


def _unknown_name(value: Any, names: Iterable[str]) -> Sentence:
    names = list(names)
    said = Sentence("there is no {value!r}", value=_short(value))
    if not 0 < len(names) <= MOST_NAMES:
        return said
    return Sentence("{error}; there are {names}", error=said, names=", ".join(names))


def _choices(kind: Any) -> list[str]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(one.value) for one in kind]
    return [str(one) for one in get_args(kind) if get_origin(kind) is Literal]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."

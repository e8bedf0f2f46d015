"""Numbers in the program's source, and modules with one of them changed."""

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from math import inf
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

Change = Callable[[float], float]
UPPER = ("MOST", "LONGEST", "FURTHEST", "FARTHEST", "STEEPEST", "LARGE", "CAP", "FAR", "BEHIND")
UNUSED = "unused"  # the variant that tells whether a number is used at all
ALL_NUMBERS = "*"  # the name of all numbers of a module together
UNLIMITED_COUNT = 10**6  # of counts, which cannot be infinite
# What nature, a format, a standard or a printed sheet has so. What is of no kind, somebody chose.
PHYSICS = {
    "vision/decoding.py": {"BYTES_PER_PIXEL", "FLIPS"},
    "vision/hdr.py": {"WHITE", "CORNERS_XY", "D65_XY", "STEPS"},
    "calibration/finding/picture_faults.py": {"LUMA"},
    "calibration/finding/markers.py": {"CODES", "MARKER_MM", "GAP_MM"},
    "calibration/sheets/sheet.py": {"PAPERS", "PT"},
    "calibration/sheets/lens_sheet.py": {"SQUARES_WH", "SQUARE_MM", "MARKER_MM"},
    "calibration/sheets/marker_sheet.py": {"CARD_WH_MM", "MARGIN_MM", "RULER_MM", "LINE"},
    "calibration/profiles/profile_file.py": {"VERSION"},
}
# What weights or a net were fitted with: another value would need them fitted anew.
LEARNED = {
    "vision/look/train_net.py": {"WINDOW_MM", "WINDOW_PX", "CELLS", "TALLEST_MM", "LEAN_UNIT_MM"},
    "vision/look/shape_look.py": {"MOST"},
    "vision/colours/learned_colours.py": {"LIKE_PRINT"},
    "vision/reading/cues.py": {"MOST_UNLIKE"},
    "vision/look/evidence.py": {"AT_BEST"},
    "calibration/board_making/looks.py": {"WEIGHTS", "BIAS"},
}
# Limits of time, memory and what strangers may send, what keeps numbers from running away, and how
# pictures for people are drawn: nothing that is read in a photo follows from them.
GUARDS = {
    "vision/decoding.py": {"MOST_PIXELS", "MOST_BYTES_UNPACKED", "MOST_SCANS", "LARGE_PX"}
    | {"ENOUGH_PX", "LEAST_SIDE_PX", "MOST_SLENDER"},
    "vision/hdr.py": {"ROWS"},
    "vision/heif.py": {"MOST_BRANDS"},
    "vision/jpeg_damage.py": {"MOST_FILLING"},
    "vision/look/placement.py": {"STATION"},
    "vision/look/train_net.py": {"AT_ONCE"},
    "vision/printed/light.py": {"NO_TONES", "STEEPEST"},
    "vision/reading/annotate.py": {"DOUBT", "RING_MM", "SHIFT"},
    "vision/sources/cameras.py": {"MOST_PROBED"},
    "vision/sources/grabber.py": {"STOP_S", "LOOK_S"},
    "vision/sources/moving_jpeg.py": {"USUAL", "MOST_BETWEEN", "MOST_SEGMENTS"},
    "vision/sources/network.py": {"MOST_BYTES", "MOST_REDIRECTIONS", "MOST_DIGESTS"}
    | {"MOST_REASON", "MOST_DAMAGED"},
    "vision/sources/phone.py": {"MOST_BYTES", "REPEATED", "SILENT_S", "LOOK_S"},
    "vision/sources/photos.py": {"PER_S", "ROUNDING_S"},
    "vision/sources/source.py": {"REST_S"},
    "vision/sources/video.py": {"USUAL_PER_S"},
    "vision/watching/questions.py": {"ID_BYTES", "MOST_CLOSED"},
    "vision/watching/watcher.py": {"MOST_ASKED"},
    "calibration/board_making/draft.py": {"UNMEASURED", "NO_SIZE", "LANES"},
    "calibration/board_making/lines.py": {"LONGEST", "TRIED"},
    "calibration/board_making/printed_spaces.py": {"MOST", "COARSEST_PX_PER_MM"},
    "calibration/board_making/proposal_picture.py": {"INKS", "OTHER_INK"},
    "calibration/lenses/lens.py": {"WIDEST", "STEPS", "LEAST_SLOPE"},
    "calibration/lenses/lens_fit.py": {"SMALL_STEP", "RIDGE"},
    "calibration/profiles/features.py": {"ROWS_AT_ONCE"},
    "calibration/profiles/profile.py": {"MOST_MM", "SCALES"},
    "calibration/profiles/profile_file.py": {"MOST_BYTES", "MOST_PX", "MOST_PIXELS", "HEAD_BYTES"},
}
KINDS = {"physics": PHYSICS, "learned": LEARNED, "guard": GUARDS}
# Stands where a number stood, and says whether it is ever used: no object can be reckoned with, and
# this one is not to be compared either.
_COMPARED = ("__bool__", "__eq__", "__ne__", "__hash__", "__array__")


class DisabledNumberUsed(BaseException):
    """A disabled number was used."""


def _raise_used(*_: object) -> object:
    raise DisabledNumberUsed


DISABLED_NUMBER = type("DisabledNumber", (), dict.fromkeys(_COMPARED, _raise_used))()


@dataclass(frozen=True)
class Number:
    """One number, or several in one value: a constant of a module, or a default of settings."""

    file: str
    name: str  # with that of its settings: `ProofSettings.least_seen`
    value: str  # as it is written

    @property
    def module(self) -> str:
        """The name of its module for import."""
        return f"railspotter.{self.file.removesuffix('.py').replace('/', '.')}"

    @property
    def kind(self) -> str:
        """Whether it is physics, learned, a guard, or chosen by somebody."""
        for kind, names in KINDS.items():
            if self.name in names.get(self.file, ()):
                return kind
        return "chosen"

    @property
    def disabling_value(self) -> float:
        """The value that disables it: 0, or infinity for an upper limit."""
        words = self.name.split(".")[-1].upper().split("_")
        return inf if any(word in UPPER for word in words) else 0

    def variants(self) -> dict[str, dict[str, Any]]:
        """Return its changed values by name, as `run_varied.py` takes them."""
        here = {"module": self.module, "name": self.name}
        return {
            UNUSED: here,
            "without": {**here, "to": self.disabling_value},
            "halved": {**here, "times": 0.5},
            "doubled": {**here, "times": 2},
        }


def _number(node: ast.expr) -> float | None:
    """Return the value of a literal number, such as 2 * 2**20 or -1.5."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(operand=inner):
            parts = [inner]
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case _:
            return None
    if None in map(_number, parts):
        return None
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "", "eval")
    value = eval(code, {"__builtins__": {}})
    return value if isinstance(value, int | float) else None


def change_numbers(node: ast.expr | None, change: Change) -> ast.expr | None:
    """Return a value with all its numbers changed; None if it has other values.

    Besides tuples and lists these are mappings to numbers, arrays, and values that are made of
    numbers, such as `GradeLimits(0.8, 0.45)`.
    """
    if node is None:
        return None
    value = _number(node)
    if value is not None:
        new = change(value)
        if isinstance(value, int):
            new = UNLIMITED_COUNT if new == inf else round(new)
        return ast.Constant(new)
    match node:
        case ast.Tuple(elts=elts) | ast.List(elts=elts) if elts:
            parts = _change_all(elts, change)
            return None if parts is None else type(node)(parts, ast.Load())
        case ast.Dict(keys=keys, values=values) if values:
            parts = _change_all(values, change)
            return None if parts is None else ast.Dict(keys, parts)
        case ast.Call(func=ast.Attribute(attr="array"), args=[first, *others]):
            array = change_numbers(first, change)
            return array and ast.Call(node.func, [array, *others], node.keywords)
        case ast.Call(func=ast.Name(id=name)) if name[0].isupper():
            args = [change_numbers(one, change) for one in node.args]
            named = [change_numbers(one.value, change) for one in node.keywords]
            if not any((*args, *named)):
                return None
            keywords = [
                ast.keyword(old.arg, new or old.value)
                for old, new in zip(node.keywords, named, strict=True)
            ]
            new_args = [new or old for old, new in zip(node.args, args, strict=True)]
            return ast.Call(node.func, new_args, keywords)
    return None


def _change_all(nodes: Sequence[ast.expr], change: Change) -> list[ast.expr] | None:
    parts = [change_numbers(one, change) for one in nodes]
    return None if None in parts else [one for one in parts if one is not None]


def _number_assignments(tree: ast.Module) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """Yield the statements that assign numbers."""
    for name, node in _assignments(tree):
        if change_numbers(node.value, lambda value: value) is not None:
            yield name, node


def _assignments(tree: ast.Module) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if name.isupper():
                    yield name, node
            case ast.ClassDef(name=name, body=body) if name.endswith("Settings"):
                for field in body:
                    if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                        yield f"{name}.{field.target.id}", field


def numbers_in(root: Path, packages: Sequence[str]) -> list[Number]:
    """Return the numbers of packages, in their order in the source."""
    return [
        Number(str(path.relative_to(root)), name, ast.unparse(node.value or ast.Tuple([])))
        for package in packages
        for path in sorted((root / package).rglob("*.py"))
        for name, node in _number_assignments(ast.parse(path.read_text("utf-8")))
    ]


class _VariedLoader(SourceFileLoader):
    """Loads a module with one of its numbers changed; `None` disables it."""

    def __init__(self, fullname: str, path: str, name: str, change: Change | None) -> None:
        super().__init__(fullname, path)
        self._name, self._change = name, change

    def get_code(self, fullname: str) -> CodeType:
        """Return the changed module's code."""
        tree = ast.parse(self.get_data(self.path))
        for name, node in _number_assignments(tree):
            if self._name in (name, ALL_NUMBERS):
                node.value = (
                    ast.Name("DISABLED_NUMBER", ast.Load())
                    if self._change is None
                    else change_numbers(node.value, self._change)
                )
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module."""
        module.__dict__["DISABLED_NUMBER"] = DISABLED_NUMBER
        super().exec_module(module)


class VariedImporter(MetaPathFinder):
    """An import hook that loads a module with one number changed."""

    def __init__(self, module: str, name: str, change: Change | None) -> None:
        self._module, self._name, self._change = module, name, change

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the changed module; None for any other."""
        if fullname != self._module:
            return None
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(fullname, path, target)):
                origin = spec.origin or ""
                spec.loader = _VariedLoader(fullname, origin, self._name, self._change)
                return spec
        return None

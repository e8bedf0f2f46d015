"""Mutants: the program with one change that a test should detect."""

import ast
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, TypeAlias

REPLACEMENTS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is not": "is"}
REPLACEMENTS |= {"is": "is not", "not in": "in", "in": "not in", "and": "or", "or": "and"}
REPLACEMENTS |= {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "*", "**": "*"}
REPLACEMENTS |= {"|": "&", "&": "|", "<<": ">>", ">>": "<<"}
OPERATOR = re.compile(r"is\s+not|not\s+in|is|in|and|or|[<>=!]=|\*\*|//|<<|>>|[<>+\-*/%|&]")

Change: TypeAlias = tuple[str, tuple[int, int], str]  # kind, place in bytes, new text


@dataclass(frozen=True)
class Mutant:
    """The program with one change."""

    file: str
    lines: tuple[int, int]  # that of the place, and that on which its statement begins
    place: tuple[int, int]  # from and to which byte
    new: str
    kind: str
    old: str


def _excluded_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield f-strings, annotations, decorators and class bases, which are not changed."""
    match node:
        case ast.JoinedStr():
            yield node
        case ast.arg(annotation=ast.expr() as one) | ast.AnnAssign(annotation=one):
            yield one
        case ast.FunctionDef():
            yield from [*node.decorator_list, *filter(None, [node.returns])]
        case ast.ClassDef():
            yield from [*node.decorator_list, *node.bases, *node.keywords]


def _bool_returns(node: ast.AST) -> Iterator[int]:
    match node:
        case ast.FunctionDef(returns=ast.Name(id="bool")):
            yield from (id(one) for one in ast.walk(node) if isinstance(one, ast.Return))


class SourceFile:
    """A file to be mutated."""

    def __init__(self, tree: Path, file: str) -> None:
        self.file, self.code = file, (tree / file).read_bytes()
        lengths = (len(line) for line in self.code.splitlines(keepends=True))
        self.line_starts = [0, *accumulate(lengths)]
        self.bools = set[int]()  # ids of what functions return that are said to return bool

    def mutants(self) -> Iterator[Mutant]:
        """Return all possible mutants of the file."""
        statements, skipped = dict[int, int](), set[int]()
        for node in ast.walk(ast.parse(self.code)):
            if isinstance(node, ast.stmt):
                statements.update((id(inner), node.lineno) for inner in ast.walk(node))
            self.bools.update(_bool_returns(node))
            skipped.update(id(inner) for one in _excluded_nodes(node) for inner in ast.walk(one))
            for kind, (start, end), new in () if id(node) in skipped else self._changes(node):
                line = self.code.count(b"\n", 0, start) + 1
                lines, old = (line, statements[id(node)]), self.code[start:end].decode()
                yield Mutant(self.file, lines, (start, end), new, kind, old)

    def _span(self, node: Any) -> tuple[int, int]:
        end = self.line_starts[node.end_lineno - 1] + node.end_col_offset
        return self.line_starts[node.lineno - 1] + node.col_offset, end

    def _text(self, node: ast.expr) -> str:
        return self.code[slice(*self._span(node))].decode()

    def _changes(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield "condition", self._span(test), f"(not ({self._text(test)}))"
            case ast.Compare():
                yield from self._operator_changes("comparison", [node.left, *node.comparators])
            case ast.BoolOp():
                yield from self._operator_changes("boolean", node.values)
            case ast.BinOp(left=ast.JoinedStr() | ast.Constant(value=str())):
                pass
            case ast.BinOp():
                yield from self._operator_changes("arithmetic", [node.left, node.right])
            case ast.UnaryOp(op=ast.Not()):
                yield "boolean", self._span(node), f"({self._text(node.operand)})"
            case ast.Constant(value=bool()):
                yield "constant", self._span(node), str(not node.value)
            case ast.Constant(value=int() | float() as value):
                sign = "-" if value > 1 and node.col_offset % 2 else "+"
                yield "constant", self._span(node), f"({self._text(node)} {sign} 1)"
            case ast.Return(value=ast.expr() as value) if self._text(value) != "None":
                new = f"not ({self._text(value)})" if id(node) in self.bools else "None"
                yield "return", self._span(node), f"return {new}"
            case ast.Expr(value=ast.Constant() | ast.Yield() | ast.YieldFrom()):
                pass
            case ast.Assign(targets=[ast.Name() | ast.Tuple(), *_]):
                pass  # what reads it would fail
            case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Delete():
                yield "left out", self._span(node), "pass"
            case ast.Break() | ast.Continue():
                yield "left out", self._span(node), "pass"

    def _operator_changes(self, kind: str, operands: list[ast.expr]) -> Iterator[Change]:
        for left, right in pairwise(operands):
            start, end = self._span(left)[1], self._span(right)[0]
            found = OPERATOR.search(self.code[start:end].decode())
            if found and (new := REPLACEMENTS.get(" ".join(found.group().split()))):
                yield kind, (start + found.start(), start + found.end()), new


def draw_mutants(tree: Path, packages: Iterable[str], sample: int, seed: int) -> list[Mutant]:
    """Draw lines of packages with equal probability, and one mutant of each."""
    lines: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for package in packages:
        for path in sorted((tree / package).rglob("*.py")):
            for mutant in SourceFile(tree, str(path.relative_to(tree))).mutants():
                lines[mutant.file, mutant.lines[0]].append(mutant)
    rng = random.Random(seed)
    return [rng.choice(lines[at]) for at in rng.sample(sorted(lines), sample)]

"""Change the program in one place at a time, and count the changes that no test notices.

    python benchmarks/mutants.py [--sample 300] [--seed 1] [--minutes 60] [--map FOLDER]
        [--results FILE] [--marks "not long and not journey"] [--only-survivors FILE]

A mutant is the program with one place changed: a comparison, `and`, `or` or `not`, a condition,
arithmetic, a number by one, a value that is returned, a statement left out. Lines are drawn with
equal chances from all that can be changed: packages weigh as much as they have code, and a seed
draws the same mutants of the same commit. Each runs against the tests that execute its line, those
of the same room first, then the quickest, TESTS at most, until one fails. They are tried in random
order: when the minutes are over, those tried are a fair sample.

Which tests execute a line is found once, by coverage.py, which is none of the project's
dependencies (`pip install --target FOLDER coverage`, and PYTHONPATH=FOLDER). Browsers, programs
that tests start and tests/house, which reads the source, are left out. What a test finds in a cache
it did not execute: other tests of the same files follow where fewer than TESTS are known. Lines
that run at import count as executed by whatever executes something else in their file.

Why no tool: mutmut copies a project, rewrites whole modules and draws no sample; cosmic-ray's
operators leave out no statement and no returned value, and bring twelve packages. Some survivors
mean the same as the program: no machine tells which.

What is changed is a copy in the system's folder for temporary files.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, TypeAlias

import cv2  # noqa: F401  # these once for all mutants, which are forked from this process
import flask  # noqa: F401
import networkx  # noqa: F401
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("scoring", "calibration", "vision", "simulation", "table", "webui")
PACKAGES += ("firmware_bridge", "club", "cli")
TESTS = 40
TIMEOUT_S, LONG_S = 120, 900  # of the tests of a mutant, and of a survivor's
OTHERS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is not": "is"}
OTHERS |= {"is": "is not", "not in": "in", "in": "not in", "and": "or", "or": "and"}
OTHERS |= {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "*", "**": "*"}
OTHERS |= {"|": "&", "&": "|", "<<": ">>", ">>": "<<"}
OPERATOR = re.compile(r"is\s+not|not\s+in|is|in|and|or|[<>=!]=|\*\*|//|<<|>>|[<>+\-*/%|&]")
# What is read by others, not executed.
READ_BY_OTHERS = {"annotation", "returns", "decorator_list", "bases"}

Change: TypeAlias = tuple[str, tuple[int, int], str]  # kind, place in bytes, new text


@dataclass(frozen=True)
class Mutant:
    """The program with one place changed."""

    file: str
    lines: tuple[int, int]  # that of the place, and that on which its statement begins
    at_import: bool  # outside of every function
    place: tuple[int, int]  # from and to which byte
    new: str
    kind: str
    old: str


class Source:
    """A file, of which mutants are made."""

    def __init__(self, tree: Path, file: str) -> None:
        self.file, self.code = file, (tree / file).read_bytes()
        lengths = (len(line) for line in self.code.splitlines(keepends=True))
        self.line_starts = [0, *accumulate(lengths)]

    def mutants(self) -> Iterator[Mutant]:
        """Return all that can be changed in the file."""
        waiting: list[tuple[ast.AST, int, ast.FunctionDef | None]]
        waiting = [(ast.parse(self.code), 1, None)]
        while waiting:
            node, statement, function = waiting.pop()
            statement = node.lineno if isinstance(node, ast.stmt) else statement
            for kind, (start, end), new in self._changes(node, function):
                lines = self.code.count(b"\n", 0, start) + 1, statement
                old = self.code[start:end].decode()
                yield Mutant(self.file, lines, function is None, (start, end), new, kind, old)
            is_class = isinstance(node, ast.ClassDef)
            for name, children in ast.iter_fields(node):
                if name in READ_BY_OTHERS or (is_class and name == "keywords"):
                    continue
                is_body = isinstance(node, ast.FunctionDef) and name == "body"
                for child in children if isinstance(children, list) else [children]:
                    # In f-strings nothing has a place before Python 3.12.
                    if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                        inside = node if is_body else function
                        waiting.append((child, statement, inside))  # type: ignore[arg-type]

    def _span(self, node: Any) -> tuple[int, int]:
        end = self.line_starts[node.end_lineno - 1] + node.end_col_offset
        return self.line_starts[node.lineno - 1] + node.col_offset, end

    def _text(self, node: ast.expr) -> str:
        return self.code[slice(*self._span(node))].decode()

    def _changes(self, node: ast.AST, function: ast.FunctionDef | None) -> Iterator[Change]:
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield "condition", self._span(test), f"(not ({self._text(test)}))"
            case ast.Compare():
                yield from self._operators("comparison", [node.left, *node.comparators])
            case ast.BoolOp():
                yield from self._operators("boolean", node.values)
            case ast.BinOp(left=ast.JoinedStr() | ast.Constant(value=str())):
                pass
            case ast.BinOp():
                yield from self._operators("arithmetic", [node.left, node.right])
            case ast.UnaryOp(op=ast.Not()):
                yield "boolean", self._span(node), f"({self._text(node.operand)})"
            case ast.Constant(value=bool()):
                yield "constant", self._span(node), str(not node.value)
            case ast.Constant(value=int() | float()):
                sign = "-" if node.value > 1 and node.col_offset % 2 else "+"
                yield "constant", self._span(node), f"({self._text(node)} {sign} 1)"
            case ast.Return(value=ast.expr() as value) if self._text(value) != "None":
                returns = function and function.returns
                is_bool = isinstance(returns, ast.Name) and returns.id == "bool"
                new = f"not ({self._text(value)})" if is_bool else "None"
                yield "return", self._span(node), f"return {new}"
            case ast.Expr(value=ast.Constant() | ast.Yield() | ast.YieldFrom()):
                pass
            case ast.Assign(targets=[ast.Name() | ast.Tuple(), *_]):
                pass  # what reads it would fail
            case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Delete():
                yield "left out", self._span(node), "pass"
            case ast.Break() | ast.Continue():
                yield "left out", self._span(node), "pass"

    def _operators(self, kind: str, operands: list[ast.expr]) -> Iterator[Change]:
        for left, right in pairwise(operands):
            start, end = self._span(left)[1], self._span(right)[0]
            found = OPERATOR.search(self.code[start:end].decode())
            if found and (new := OTHERS.get(" ".join(found.group().split()))):
                yield kind, (start + found.start(), start + found.end()), new


def draw_mutants(tree: Path, sample: int, seed: int) -> list[Mutant]:
    """Draw lines with equal chances, and of each line one of its mutants."""
    lines: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((tree / package).rglob("*.py")):
            for mutant in Source(tree, str(path.relative_to(tree))).mutants():
                lines[mutant.file, mutant.lines[0]].append(mutant)
    chance = random.Random(seed)
    return [chance.choice(lines[at]) for at in chance.sample(sorted(lines), sample)]


class Recorder:
    """Plugin of pytest: writes which test executes which lines, and how long it takes."""

    def __init__(self, folder: Path) -> None:
        self.durations = folder / f"durations-{os.getpid()}.jsonl"
        # Named by a string, for who only checks types need not have it.
        self.coverage: Any = importlib.import_module("coverage").Coverage(
            data_file=str(folder / f"lines-{os.getpid()}.sqlite"),
            config_file=False,
            include=[f"{ROOT / package}/*" for package in PACKAGES],
        )
        self.coverage.set_option("run:disable_warnings", ["no-data-collected"])
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Iterator[None]:
        """Name the test to coverage.py while it runs, its fixtures included."""
        started, failed = time.monotonic(), item.session.testsfailed
        self.coverage.switch_context(item.nodeid)
        result = yield
        self.coverage.switch_context("")
        if item.session.testsfailed == failed:
            with self.durations.open("a") as file:
                file.write(json.dumps([item.nodeid, round(time.monotonic() - started, 3)]) + "\n")
        if nextitem is None or nextitem.path != item.path:
            self.coverage.save()
        return result


def pytest_configure(config: pytest.Config) -> None:
    """Record where the environment names a folder (`pytest -p mutants`)."""
    if folder := os.environ.get("MUTANTS_MAP"):
        config.pluginmanager.register(Recorder(Path(folder)))


class Reach:
    """Which tests execute which lines, read from what recorders wrote of a copy."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[str, float] = {}
        for path in folder.glob("durations-*.jsonl"):
            self.seconds.update(json.loads(line) for line in path.read_text("utf-8").splitlines())
        self.lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        query = (
            "select file.path, context.context, numbits from line_bits "
            "join file on file.id = file_id join context on context.id = context_id"
        )
        for path in folder.glob("lines-*.sqlite"):
            with sqlite3.connect(path) as data:
                for file, test, bits in data.execute(query):
                    if test in self.seconds:  # passes, and is none of the imports
                        lines = self.lines[file.partition("/tree/")[2]]
                        for number in range(8 * len(bits)):
                            if bits[number // 8] >> number % 8 & 1:
                                lines[number].add(test)

    def tests(self, mutant: Mutant) -> list[str]:
        """Return all tests that execute the mutant, those of its room first, then the quickest."""
        lines = self.lines[mutant.file]
        reaching = lines[mutant.lines[0]] or lines[mutant.lines[1]]
        if mutant.at_import:
            reaching = set().union(*lines.values())
        room = f"tests/{Path(mutant.file).parent}/"
        return sorted(reaching, key=lambda test: (not test.startswith(room), self.seconds[test]))

    def with_neighbours(self, tests: list[str]) -> list[str]:
        """Return at most TESTS of the tests, or these and others of their files."""
        files = {test.split("::")[0] for test in tests}
        others = {test for test in self.seconds if test.split("::")[0] in files} - {*tests}
        return [*tests, *sorted(others, key=self.seconds.__getitem__)][:TESTS]


def copy_of_project(folder: Path) -> Path:
    """Copy what is in git, as it lies on the disk; lay names to import and the photos beside it."""
    tree = folder / "tree"
    words = ["git", "ls-files", "-z"]
    listed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    names = tree / "build" / "names" / "railspotter"
    names.mkdir(parents=True)
    for package in PACKAGES:
        (names / package).symlink_to(tree / package)
    if (ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(ROOT.parent / "shared")
    return tree


def pytest_in(tree: Path, options: list[str], variables: dict[str, str]) -> None:
    """Run pytest on the copy, without a word, and end the process."""
    os.setsid()
    os.chdir(tree)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silence, stream)
    paths = [str(tree / "build" / "names"), str(tree / "benchmarks")]
    sys.path[:0] = paths
    sys.dont_write_bytecode = True
    known = os.environ.get("PYTHONPATH", "").split(":")
    os.environ |= {"PYTHONPATH": ":".join([*paths, *known]), "PYTHONDONTWRITEBYTECODE": "1"}
    os.environ |= variables
    os._exit(pytest.main(["-q", "-p", "no:cacheprovider", *options]))


def run_tests(
    tree: Path, options: list[str], timeout_s: float | None = None, **variables: str
) -> int | None:
    """Return pytest's exit code, or None where it took too long."""
    context = multiprocessing.get_context("fork")
    process = context.Process(target=pytest_in, args=(tree, options, variables))
    process.start()
    process.join(timeout_s)
    code = process.exitcode
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid or 0, signal.SIGKILL)  # and the programs that its tests started
    process.join()
    return code


def try_mutant(tree: Path, mutant: Mutant, options: list[str], timeout_s: float) -> str:
    """Change the copy, and return how its tests end: killed, timeout or survived."""
    path, (start, end) = tree / mutant.file, mutant.place
    source = path.read_bytes()
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()  # it may seem as new as the mutant
    try:
        path.write_bytes(source[:start] + mutant.new.encode() + source[end:])
        code = run_tests(tree, ["-x", *options], timeout_s)
    finally:
        path.write_bytes(source)
    return "timeout" if code is None else "killed" if code else "survived"


def print_table(results: list[dict[str, Any]]) -> None:
    """Print how many mutants of each package ended how."""
    columns = ("killed", "timeout", "survived", "no test")
    print(f"\n{'':<18}" + "".join(f"{column:>10}" for column in columns))
    counts = Counter((result["file"].split("/")[0], result["result"]) for result in results)
    counts.update(("all", result["result"]) for result in results)
    for package in [*PACKAGES, "all"]:
        print(f"{package:<18}" + "".join(f"{counts[package, column]:>10}" for column in columns))


def main() -> int:
    """Draw mutants, find out which tests reach them, and try each."""
    parser = argparse.ArgumentParser(description="Count the changes that no test notices.")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600, help="after which none is begun")
    parser.add_argument("--marks", default="not long and not journey", help="as of pytest -m")
    parser.add_argument("--map", type=Path, help="folder that says, or will, what tests reach")
    parser.add_argument("--results", type=Path, default=Path("mutants.json"))
    parser.add_argument("--only-survivors", type=Path, help="results of an earlier run")
    asked = parser.parse_args()
    ends, results = time.monotonic() + 60 * asked.minutes, list[dict[str, Any]]()
    again = json.loads(asked.only_survivors.read_bytes()) if asked.only_survivors else []
    survivors = {(one["file"], *one["place"]) for one in again if one["result"] == "survived"}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = copy_of_project(Path(folder))
        reach_at = (asked.map or Path(folder) / "map").resolve()
        if not reach_at.is_dir():
            reach_at.mkdir(parents=True)
            options = ["-p", "mutants", "-m", asked.marks, "--ignore=tests/house", "tests"]
            run_tests(tree, options, MUTANTS_MAP=str(reach_at))
        reach = Reach(reach_at)
        for mutant in draw_mutants(tree, asked.sample, asked.seed):
            tests, result = reach.tests(mutant), "no test"
            if again and (mutant.file, *mutant.place) not in survivors:
                continue
            if again:  # all of the files, without a limit
                options = ["-m", asked.marks, *sorted({test.split("::")[0] for test in tests})]
                result = try_mutant(tree, mutant, options, LONG_S)
            elif tests:
                result = try_mutant(tree, mutant, reach.with_neighbours(tests), TIMEOUT_S)
            results.append({**asdict(mutant), "result": result, "reached_by": len(tests)})
            asked.results.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
            place = f"{mutant.file}:{mutant.lines[0]}"
            print(f"{result:<9} {place} {mutant.old[:50]!r} -> {mutant.new[:50]!r}", flush=True)
            if time.monotonic() > ends:
                break
    print_table(results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

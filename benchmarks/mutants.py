"""Change the program in one place at a time, and count the changes that no test notices.

    python benchmarks/mutants.py [--sample 300] [--seed 1] [--marks "not long and not journey"]
        [--minutes 60] [--map FOLDER] [--results FILE] [--only-survivors FILE]

A mutant is the program with one place changed: a comparison, `and`, `or` or `not`, arithmetic, a
number by one, a value that is returned, a statement left out. Lines are drawn with equal chances
from all that can be changed, so that packages weigh as much as they have code; the same seed draws
the same mutants of the same commit. Each runs against the tests that execute its line, those of
the same room first, then the quickest, TESTS at most, until one fails. Mutants are tried in
random order: when the minutes are over, those tried are a fair sample.

Which tests execute a line is found once, by coverage.py, which need not be among the project's
dependencies (`pip install --target FOLDER coverage`, and PYTHONPATH). Browsers, programs that tests
start, and tests/house, which reads the source, are left out. What a test finds in a cache it
did not execute: so other tests of the same files follow, where fewer than TESTS are known. Lines
that run at import count as executed by all tests that execute something else in their file.

Why not a tool: mutmut copies a project and rewrites whole modules for each run of its own and draws
no sample; cosmic-ray's operators know neither returned values nor statements left out, and bring
twelve packages. Some survivors mean the same as the program; nobody can tell which by machine.

It works in a copy under the system's folder for temporary files.
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

import cv2  # noqa: F401  # these, and numpy, once for all mutants
import flask  # noqa: F401
import networkx  # noqa: F401
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("scoring", "calibration", "vision", "simulation", "table", "webui")
PACKAGES += ("firmware_bridge", "club", "cli")
TESTS = 40
TIMEOUT_S = 120
SURVIVOR_TIMEOUT_S = 900
OTHERS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is not": "is"}
OTHERS |= {"is": "is not", "not in": "in", "in": "not in", "and": "or", "or": "and"}
OTHERS |= {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "*", "**": "*"}
OTHERS |= {"|": "&", "&": "|", "<<": ">>", ">>": "<<"}
OPERATOR = re.compile(r"is\s+not|not\s+in|is|in|and|or|[<>=!]=|\*\*|//|<<|>>|[<>+\-*/%|&]")

Change: TypeAlias = tuple[str, int, tuple[int, int], str]


@dataclass(frozen=True)
class Mutant:
    """The program with one place changed."""

    file: str
    line: int
    statement: int  # line on which its statement begins
    at_import: bool  # outside of every function
    start: int  # bytes from here
    end: int  # to here
    new: str  # are replaced by this
    kind: str
    old: str


class Source:
    """A file, from which mutants are made."""

    def __init__(self, tree: Path, file: str) -> None:
        self.file, self.code = file, (tree / file).read_bytes()
        lengths = (len(line) for line in self.code.splitlines(keepends=True))
        self.line_starts = [0, *accumulate(lengths)]

    def span(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        starts = self.line_starts
        end = starts[node.end_lineno - 1] + node.end_col_offset
        return starts[node.lineno - 1] + node.col_offset, end

    def text(self, node: ast.expr) -> str:
        """Return what stands there."""
        return self.code[slice(*self.span(node))].decode()

    def mutants(self) -> Iterator[Mutant]:
        """Return all that can be changed in the file."""
        waiting: list[tuple[ast.AST, int, ast.FunctionDef | None]]
        waiting = [(ast.parse(self.code), 1, None)]
        while waiting:
            node, statement, function = waiting.pop()
            if isinstance(node, ast.stmt):
                statement = node.lineno
            for kind, line, (start, end), new in self._changes(node, function):
                old = self.code[start:end].decode()
                at_import = function is None
                yield Mutant(self.file, line, statement, at_import, start, end, new, kind, old)
            inside = node if isinstance(node, ast.FunctionDef) else function
            for name, children in ast.iter_fields(node):
                within = inside if name == "body" else function
                # Types, bases and decorators are read by others, and f-strings have no places.
                if name in {"annotation", "returns", "decorator_list", "bases", "keywords"} and (
                    name != "keywords" or isinstance(node, ast.ClassDef)
                ):
                    continue
                for child in children if isinstance(children, list) else [children]:
                    if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                        waiting.append((child, statement, within))

    def _changes(self, node: ast.AST, function: ast.FunctionDef | None) -> Iterator[Change]:
        """Return kind, line, place and new text of each change of a node itself."""
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield "condition", test.lineno, self.span(test), f"(not ({self.text(test)}))"
            case ast.Compare():
                yield from self._operators("comparison", [node.left, *node.comparators])
            case ast.BoolOp():
                yield from self._operators("boolean", node.values)
            case ast.BinOp(left=ast.JoinedStr() | ast.Constant(value=str())):
                pass
            case ast.BinOp():
                yield from self._operators("arithmetic", [node.left, node.right])
            case ast.UnaryOp(op=ast.Not()):
                yield "boolean", node.lineno, self.span(node), f"({self.text(node.operand)})"
            case ast.Constant(value=bool()):
                yield "constant", node.lineno, self.span(node), str(not node.value)
            case ast.Constant(value=int() | float()):
                sign = "-" if node.value > 1 and node.col_offset % 2 else "+"
                yield "constant", node.lineno, self.span(node), f"({self.text(node)} {sign} 1)"
            case ast.Return(value=ast.expr() as value) if self.text(value) != "None":
                is_bool = function and isinstance(function.returns, ast.Name)
                is_bool = is_bool and function.returns.id == "bool"
                new = f"not ({self.text(value)})" if is_bool else "None"
                yield "return", node.lineno, self.span(node), f"return {new}"
            case ast.Expr(value=ast.Constant() | ast.Yield() | ast.YieldFrom()):
                pass
            case ast.Assign(targets=[ast.Name() | ast.Tuple(), *_]):
                pass  # what reads it would fail
            case (
                ast.Expr()
                | ast.Assign()
                | ast.AugAssign()
                | ast.Raise()
                | ast.Delete()
                | (ast.Break() | ast.Continue())
            ):
                yield "left out", node.lineno, self.span(node), "pass"

    def _operators(self, kind: str, operands: list[ast.expr]) -> Iterator[Change]:
        for left, right in pairwise(operands):
            start, end = self.span(left)[1], self.span(right)[0]
            found = OPERATOR.search(self.code[start:end].decode())
            if found and (new := OTHERS.get(" ".join(found.group().split()))):
                place = start + found.start(), start + found.end()
                yield kind, left.end_lineno or left.lineno, place, new


def draw_mutants(tree: Path, sample: int, seed: int) -> list[Mutant]:
    """Draw lines with equal chances, and of each line one of its mutants."""
    lines: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((tree / package).rglob("*.py")):
            for mutant in Source(tree, str(path.relative_to(tree))).mutants():
                lines[mutant.file, mutant.line].append(mutant)
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
        started, before = time.monotonic(), item.session.testsfailed
        self.coverage.switch_context(item.nodeid)
        result = yield
        self.coverage.switch_context("")
        if item.session.testsfailed == before:
            line = json.dumps([item.nodeid, round(time.monotonic() - started, 3)])
            with self.durations.open("a") as file:
                file.write(line + "\n")
        if nextitem is None or nextitem.path != item.path:
            self.coverage.save()
        return result

    def pytest_sessionfinish(self) -> None:
        """Write the rest."""
        self.coverage.stop()
        self.coverage.save()


def pytest_configure(config: pytest.Config) -> None:
    """Record where the environment names a folder (`pytest -p mutants`)."""
    if folder := os.environ.get("MUTANTS_MAP"):
        config.pluginmanager.register(Recorder(Path(folder)))


class Reach:
    """Which tests execute which lines, read from what recorders wrote."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[str, float] = {}
        for path in folder.glob("durations-*.jsonl"):
            self.seconds.update(json.loads(line) for line in path.read_text("utf-8").splitlines())
        self.lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for path in folder.glob("lines-*.sqlite"):
            self._read(path)
        self.of_file: dict[str, list[str]] = defaultdict(list)
        for test in self.seconds:
            self.of_file[test.split("::")[0]].append(test)

    def _read(self, path: Path) -> None:
        query = (
            "select file.path, context.context, numbits from line_bits "
            "join file on file.id = file_id join context on context.id = context_id"
        )
        with sqlite3.connect(path) as data:
            for file, test, bits in data.execute(query):
                if test in self.seconds:  # passes, and is none of the imports
                    lines = self.lines[str(Path(file).relative_to(ROOT))]
                    for number in range(8 * len(bits)):
                        if bits[number // 8] >> number % 8 & 1:
                            lines[number].add(test)

    def tests(self, mutant: Mutant) -> list[str]:
        """Return all tests that execute the mutant, those of its room first, then the quickest."""
        lines = self.lines[mutant.file]
        reaching = lines[mutant.line] or lines[mutant.statement]
        if mutant.at_import:
            reaching = set().union(*lines.values())
        room = f"tests/{Path(mutant.file).parent}/"
        return sorted(reaching, key=lambda test: (not test.startswith(room), self.seconds[test]))

    def with_neighbours(self, tests: list[str]) -> list[str]:
        """Return at most TESTS of the tests, or these and others of their files."""
        files = dict.fromkeys(test.split("::")[0] for test in tests)
        others = sorted(
            {test for file in files for test in self.of_file[file]} - {*tests},
            key=self.seconds.__getitem__,
        )
        return [*tests, *others][:TESTS]


def copy_of_project(folder: Path) -> Path:
    """Copy what is in git, as it lies on the disk; lay names to import and the photos beside it."""
    tree = folder / "tree"
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    names = tree / "build" / "names" / "railspotter"
    names.mkdir(parents=True)
    for package in PACKAGES:
        (names / package).symlink_to(tree / package)
    if (ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(ROOT.parent / "shared")
    return tree


def pytest_in(tree: Path, options: list[str], **variables: str) -> None:
    """Run pytest here and now on the copy, without a word, and end the process."""
    os.setsid()
    os.chdir(tree)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silence, stream)
    paths = [str(tree / "build" / "names"), str(tree / "benchmarks")]
    sys.path[:0] = paths
    known = os.environ.get("PYTHONPATH")
    os.environ |= {"PYTHONPATH": ":".join([*paths, *filter(None, [known])]), **variables}
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", *options]
    os._exit(pytest.main(options))


def run_tests(tree: Path, options: list[str], timeout_s: float, **variables: str) -> int | None:
    """Return pytest's exit code, or None where it took too long.

    The process is forked from this one, which has imported what the program builds on: that is
    half of what a quick test costs.
    """
    process = multiprocessing.get_context("fork").Process(
        target=pytest_in, args=(tree, options), kwargs=variables
    )
    process.start()
    process.join(timeout_s)
    code = process.exitcode
    if process.pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # and the programs that its tests started
    process.join()
    return code


def try_mutant(tree: Path, mutant: Mutant, options: list[str], timeout_s: float) -> str:
    """Change the copy, and return how its tests end: killed, timeout or survived."""
    path = tree / mutant.file
    source = path.read_bytes()
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()  # it may seem as new as the mutant
    try:
        path.write_bytes(source[: mutant.start] + mutant.new.encode() + source[mutant.end :])
        code = run_tests(tree, ["-x", *options], timeout_s, PYTHONDONTWRITEBYTECODE="1")
    finally:
        path.write_bytes(source)
    return "timeout" if code is None else "killed" if code else "survived"


def print_table(results: list[dict[str, Any]]) -> None:
    """Print how many mutants of each package ended how."""
    columns = ("killed", "timeout", "survived", "no test")
    print(f"\n{'':<18}" + "".join(f"{column:>10}" for column in columns))
    counts = Counter((result["file"].split("/")[0], result["result"]) for result in results)
    for package in PACKAGES:
        print(f"{package:<18}" + "".join(f"{counts[package, column]:>10}" for column in columns))
    totals = Counter(result["result"] for result in results)
    print(f"{'all':<18}" + "".join(f"{totals[column]:>10}" for column in columns))


def main() -> int:
    """Draw mutants, find out which tests reach them, and try each."""
    parser = argparse.ArgumentParser(description="Count the changes that no test notices.")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--marks", default="not long and not journey", help="as of pytest -m")
    parser.add_argument("--minutes", type=float, default=600, help="until no mutant is begun")
    parser.add_argument("--map", type=Path, help="where is, or will be, which tests reach what")
    parser.add_argument("--results", type=Path, default=Path("mutants.json"))
    parser.add_argument("--only-survivors", type=Path, help="results of an earlier run")
    asked = parser.parse_args()
    ends = time.monotonic() + 60 * asked.minutes
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = copy_of_project(Path(folder))
        reach_at = asked.map or Path(folder) / "map"
        if not reach_at.is_dir():
            reach_at.mkdir(parents=True)
            options = ["-p", "mutants", "-m", asked.marks, "--ignore=tests/house", "tests"]
            run_tests(tree, options, 3600 * 10, MUTANTS_MAP=str(reach_at))
        reach = Reach(reach_at)
        mutants = draw_mutants(tree, asked.sample, asked.seed)
        if asked.only_survivors:
            earlier = json.loads(asked.only_survivors.read_bytes())
            again = {(one["file"], one["start"]) for one in earlier if one["result"] == "survived"}
            mutants = [mutant for mutant in mutants if (mutant.file, mutant.start) in again]
        results: list[dict[str, Any]] = []
        for mutant in mutants:
            tests = reach.tests(mutant)
            result = "no test"
            if asked.only_survivors:
                files = sorted({test.split("::")[0] for test in tests})
                result = try_mutant(tree, mutant, ["-m", asked.marks, *files], SURVIVOR_TIMEOUT_S)
            elif tests:
                result = try_mutant(tree, mutant, reach.with_neighbours(tests), TIMEOUT_S)
            results.append({**asdict(mutant), "result": result, "reached_by": len(tests)})
            asked.results.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
            print(f"{result:<9} {mutant.file}:{mutant.line} {mutant.kind}: {mutant.old[:60]!r}")
            if time.monotonic() > ends:
                break
    print_table(results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

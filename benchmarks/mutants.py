"""Change the program in one place at a time, and count the changes that no test notices.

    python benchmarks/mutants.py [--sample 300] [--seed 1] [--minutes 60] [--map FOLDER]
        [--results FILE] [--marks "not long and not journey"] [--only-survivors FILE]
        [--processes 1]

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

import argparse
import importlib
import json
import os
import sqlite3
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from mutating.mutant import Mutant, draw_mutants
from mutating.project_copy import PACKAGES, ROOT, changed, copy_project, run_tests

TESTS = 40
TIMEOUT_S = 40  # of a mutant's tests, and four times what they took when they were recorded
SURVIVOR_TIMEOUT_S = 900  # of a survivor's


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
        """Tell coverage.py the test while it runs, with its fixtures."""
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


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Record where the environment names a folder (`pytest -p mutants`), imports included."""
    if folder := os.environ.get("MUTANTS_MAP"):
        early_config.pluginmanager.register(Recorder(Path(folder)))


class LineCoverage:
    """The tests that execute each line, from what recorders wrote in a copy."""

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
                    lines = self.lines[file.partition("/tree/")[2]]
                    for number in range(8 * len(bits)):
                        if bits[number // 8] >> number % 8 & 1:
                            lines[number].add(test)  # "" is none, but what imports

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return all tests that execute the mutant, its room's first, then the quickest."""
        lines = self.lines[mutant.file]
        reaching = lines[mutant.lines[0]] or lines[mutant.lines[1]]
        if "" in reaching:
            reaching = set().union(*lines.values())
        room = f"tests/{Path(mutant.file).parent}/"
        passing = reaching & self.seconds.keys()
        return sorted(passing, key=lambda test: (not test.startswith(room), self.seconds[test]))

    def with_neighbours(self, tests: list[str]) -> list[str]:
        """Return at most TESTS of the tests, or these and others of their files."""
        files = {test.split("::")[0] for test in tests}
        others = {test for test in self.seconds if test.split("::")[0] in files} - {*tests}
        return [*tests, *sorted(others, key=self.seconds.__getitem__)][:TESTS]


def try_mutant(tree: Path, mutant: Mutant, options: list[str], timeout_s: float) -> str:
    """Run the tests of a mutated copy; return the result: killed, timeout or survived."""
    path, (start, end) = tree / mutant.file, mutant.place
    source = path.read_bytes()
    with changed(path, source[:start] + mutant.new.encode() + source[end:]):
        code, _ = run_tests(tree, ["-x", *options], timeout_s)
    return "timeout" if code is None else "killed" if code else "survived"


def print_table(results: list[dict[str, Any]]) -> None:
    """Print the results of each package's mutants."""
    columns = ("killed", "timeout", "survived", "no test")
    print(f"\n{'':<18}" + "".join(f"{column:>10}" for column in columns))
    counts = Counter((result["file"].split("/")[0], result["result"]) for result in results)
    counts.update(("all", result["result"]) for result in results)
    for package in [*PACKAGES, "all"]:
        print(f"{package:<18}" + "".join(f"{counts[package, column]:>10}" for column in columns))


def main() -> int:
    """Draw mutants, find the tests that execute them, and try each."""
    parser = argparse.ArgumentParser(description="Count the changes that no test notices.")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600, help="after which none is begun")
    parser.add_argument("--marks", default="not long and not journey", help="as of pytest -m")
    parser.add_argument("--map", type=Path, help="folder that says, or will, what tests reach")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "mutants.json")
    parser.add_argument("--only-survivors", type=Path, help="results of an earlier run")
    parser.add_argument("--processes", type=int, default=1, help="mutants tried at a time")
    asked = parser.parse_args()
    asked.results.parent.mkdir(parents=True, exist_ok=True)
    ends, results = time.monotonic() + 60 * asked.minutes, list[dict[str, Any]]()
    again = json.loads(asked.only_survivors.read_bytes()) if asked.only_survivors else []
    survivors = {(one["file"], *one["place"]) for one in again if one["result"] == "survived"}
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        ThreadPoolExecutor(asked.processes) as pool,
    ):
        trees = Queue[Path]()
        for number in range(asked.processes):
            trees.put(copy_project(Path(folder) / str(number)))
        tree = trees.queue[0]
        reach_at = (asked.map or Path(folder) / "map").resolve()
        if not reach_at.is_dir():
            reach_at.mkdir(parents=True)
            options = ["-p", "mutants", "-m", asked.marks, "--ignore=tests/house", "tests"]
            options += ["-n", str(asked.processes), "--dist", "loadfile"]
            run_tests(tree, options, MUTANTS_MAP=str(reach_at))
        coverage = LineCoverage(reach_at)

        def try_one(mutant: Mutant) -> dict[str, Any] | None:
            """Return the result of a mutant, or None if it is skipped or the time is over."""
            tests, result = coverage.tests_of(mutant), "no test"
            if time.monotonic() > ends or (again and (mutant.file, *mutant.place) not in survivors):
                return None
            options = coverage.with_neighbours(tests)
            timeout_s = TIMEOUT_S + 4 * sum(coverage.seconds[test] for test in options)
            if again:  # all of the files, without a limit
                options = ["-m", asked.marks, *sorted({test.split("::")[0] for test in tests})]
                timeout_s = SURVIVOR_TIMEOUT_S
            if tests:
                free = trees.get()
                result = try_mutant(free, mutant, options, timeout_s)
                trees.put(free)
            return {**asdict(mutant), "result": result, "reached_by": len(tests)}

        mutants = draw_mutants(tree, PACKAGES, asked.sample, asked.seed)
        for one in filter(None, pool.map(try_one, mutants)):
            results.append(one)
            asked.results.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
            place = f"{one['file']}:{one['lines'][0]}"
            print(
                f"{one['result']:<9} {place} {one['old'][:50]!r} -> {one['new'][:50]!r}", flush=True
            )
    print_table(results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

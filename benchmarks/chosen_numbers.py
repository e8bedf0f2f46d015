"""How readings change without a chosen number, with half of it, or with twice as much.

    python benchmarks/chosen_numbers.py [--sets first second live] [--variants halved]
        [--only 'vision/look/*' '*:*_PX'] [--unseen] [--results FILE] [--processes 1]
        [--minutes 60] [--table]

Every number of `vision/` and `calibration/` (constants, and defaults of settings) is found by the
syntax tree. Each is left out (0; infinite, where it is an upper limit), halved and doubled, in a
process that imports its module from the changed tree, so that what is derived from it follows.
Photos are read anew and compared with what the program as it is reads: boards that are found no
more, or otherwise, by how many millimetres; answers that change, wrong ones, wrong ones that nobody
is asked about, questions. Before that each number is put out of order: whoever uses it ends the
reading, and one that nobody uses there is not tried.

Sets of photos stand in varying/readings.py. The second one is for what shows no effect in the
first; `live`, a short drawn game before the live table, for what following and watching use alone.
What was tried is kept in the results, and not tried again: delete the file after other changes.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np

from varying.variants import ALL_NUMBERS, UNUSED, Number, numbers_in

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("vision", "calibration")
LIVE = ("vision/watching/", "calibration/finding/following.py", "vision/colours/learned_colours.py")
LIVE_SEED, LIVE_TRAINS, LIVE_WH, LIVE_S = 2303, 5, (960, 540), "63"
SETS = ("first", "second", "live")
VARIANTS = ("without", "halved", "doubled")
NOT_TRIED = "-"  # or no reading uses it
POSE_TOLERANCE_MM = 0.05  # a pose that moves by less is the same
ODDS_TOLERANCE = 0.002  # and so is an answer whose odds change by less
MAXIMA = ("mm", "odds")  # what is told of the photo where it is most; the rest is added up
TIMEOUT_S = 200.0
Outcome = dict[str, Any]


class Results:
    """The results of variants, kept in a file of lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text("utf-8").splitlines() if path.is_file() else []
        self._known = {tuple(key): value for key, value in map(json.loads, lines)}

    def get(self, number: Number | None, set_: str, variant: str) -> Outcome | None:
        """Return the result of a variant; None if it was not tried."""
        return self._known.get(_key(number, set_, variant))

    def put(self, number: Number | None, set_: str, variant: str, outcome: Outcome) -> None:
        """Store the result of a variant."""
        key = _key(number, set_, variant)
        self._known[key] = outcome
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, outcome]) + "\n")


def _key(number: Number | None, set_: str, variant: str) -> tuple[str, ...]:
    place = (number.file, number.name, number.value) if number else ("", "", "")
    return (*place, set_, variant)


def run_varied(variant: Mapping[str, Any], *call: str) -> tuple[list[Any], str]:
    """Call a function with a changed number; return its result, and how it ended."""
    script = ROOT / "benchmarks" / "varying" / "run_varied.py"
    words = [sys.executable, str(script), json.dumps(variant), *call]
    try:
        ran = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return [], "no end"
    lines = ran.stdout.splitlines()
    if not lines or not lines[-1].startswith('{"ended"'):
        return [json.loads(line) for line in lines], f"exit {ran.returncode}"
    *parts, last = map(json.loads, lines)
    return parts, last["ended"]


def live_game(folder: str) -> Iterator[tuple[str, Outcome]]:
    """Play a short drawn game before a live table; its pictures are drawn once and cached."""
    import cv2  # all of these only where a number is changed already
    from railspotter.scoring.edition import load_edition

    import play_games
    from live.games import GameScene

    cv2.setNumThreads(1)
    edition = load_edition("usa").with_house_rules({"trains": LIVE_TRAINS})
    scene = GameScene.draw(edition, "lively", LIVE_SEED, LIVE_WH)

    def take(t_s: float) -> tuple[Any, Any]:
        at = Path(folder, f"{t_s:.1f}.png")
        corners = at.with_suffix(".json")
        if corners.is_file():
            return cv2.imread(str(at)), np.array(json.loads(corners.read_text()))
        picture, corners_px = scene.take(t_s)
        cv2.imwrite(str(at), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        corners.write_text(json.dumps(corners_px.tolist()))
        return picture, corners_px

    played = play_games.play_scene(
        replace(scene, take=take), "live", play_games.parse_options(["--until", LIVE_S])
    )
    facts = {name: len(getattr(played, name)) for name in ("final", "wrong", "questions")}
    median, p95 = np.quantile(played.delays_s or [0.0], (0.5, 0.95)).round(2).tolist()
    claims, astray = len(played.delays_s), played.astray
    yield "game", {**facts, "claims": claims, "astray": astray, "median": median, "p95": p95}


def run_set(number: Number | None, set_: str, variant: str, folder: Path) -> Outcome:
    """Return the result of a set with a variant; by default with the unchanged program."""
    changed = number.variants()[variant] if number else {}
    if set_ == "live":
        parts, ended = run_varied(changed, "chosen_numbers:live_game", str(folder))
    else:
        anew = "anew" if number and number.file.startswith("calibration/profiles/") else ""
        parts, ended = run_varied(changed, "varying.readings:read_set", str(folder), set_, anew)
    return {"ended": ended, **dict(parts)}


def effect(before: Outcome, after: Outcome) -> dict[str, float]:
    """Return the number of differences of each kind; empty if there are none."""
    found = defaultdict[str, float](float, breaks=after["ended"] != "done")
    for name, old in before.items():
        new = after.get(name)
        if name == "ended" or new is None:
            continue
        if "answers" in old and "answers" in new:
            for what, much in _reading_differences(old, new).items():
                found[what] = max(found[what], much) if what in MAXIMA else found[what] + much
        elif "final" in old:
            found |= {what: round(new[what] - much, 2) for what, much in old.items()}
        else:
            found["lost"] += "answers" in old
            found["found"] += "answers" in new
            found["reason"] += old["reasons"] != new["reasons"]
    return {what: much for what, much in found.items() if much}


def _reading_differences(old: Outcome, new: Outcome) -> dict[str, float]:
    """Return the differences between two readings of the same photos."""
    off_mm = 0.0
    if len(old["corners_px"]) == len(new["corners_px"]):
        off = np.subtract(old["corners_px"], new["corners_px"])
        off_mm = float(np.linalg.norm(off, axis=-1).max() / old["px_per_mm"][0])
    spots = old["answers"].keys() | new["answers"].keys()
    odds = max(abs(much - new["odds"].get(spot, 0)) for spot, much in old["odds"].items())
    return {
        "mm": round(off_mm, 2) * (off_mm > POSE_TOLERANCE_MM),
        "answers": sum(old["answers"].get(spot) != new["answers"].get(spot) for spot in spots),
        "wrong": new["wrong"] - old["wrong"],
        "certain": new["certain"] - old["certain"],
        "asked": len(new["asked"]) - len(old["asked"]),
        "other questions": len(old["asked"].keys() ^ new["asked"].keys()),
        "other words": sum(
            new["asked"].get(at, words) != words for at, words in old["asked"].items()
        ),
        "notes": (old["notes"], old["reasons"]) != (new["notes"], new["reasons"]),
        "odds": round(odds, 3) * (odds > ODDS_TOLERANCE),
    }


def sweep(results: Results, options: argparse.Namespace, folder: Path) -> None:
    """Try the untried variants until the time is over."""
    ends = time.monotonic() + 60 * options.minutes
    photo_modules = {*run_varied({}, "varying.readings:prepare", str(folder))[0][0]}
    for set_ in options.sets:
        if results.get(None, set_, "") is None or set_ == "live":
            results.put(None, set_, "", run_set(None, set_, "", folder))

    def is_worth_it(number: Number, set_: str) -> bool:
        if set_ == "live":
            return number.file.startswith(LIVE)
        is_seen = set_ == "second" and has_effect(results, number, ["first"])
        if is_seen or number.module not in photo_modules:
            return False
        # All numbers of its file at once are put out of order first: few files are not read by.
        whole = replace(number, name=ALL_NUMBERS, value="")
        outcome = results.get(whole, set_, UNUSED)
        if outcome is None:
            outcome = run_set(whole, set_, UNUSED, folder)
            results.put(whole, set_, UNUSED, outcome)
        return bool(outcome["ended"] != "done")

    def work(number: Number) -> None:
        for set_ in options.sets:
            if not is_worth_it(number, set_):
                continue
            for variant in (UNUSED, *options.variants):
                if set_ == "live" and variant == UNUSED:
                    continue
                if time.monotonic() > ends:
                    return
                outcome = results.get(number, set_, variant)
                if outcome is None:
                    outcome = run_set(number, set_, variant, folder)
                    results.put(number, set_, variant, outcome)
                if variant == UNUSED and outcome["ended"] == "done":
                    break
            print(row(results, number), flush=True)

    chosen = [
        one
        for one in numbers_in(ROOT, PACKAGES)
        if any(fnmatch(f"{one.file}:{one.name}", glob) for glob in options.only)
        and not (options.unseen and has_effect(results, one, SETS))
    ]
    with ThreadPoolExecutor(options.processes) as pool:
        list(pool.map(work, chosen))


def variant_effects(results: Results, number: Number, set_: str) -> dict[str, dict[str, float]]:
    """Return each tried variant's differences on a set, by its name."""
    before = results.get(None, set_, "")
    outcomes = {name: results.get(number, set_, name) for name in number.variants()}
    return {
        name: effect(before, outcome)
        for name, outcome in outcomes.items()
        if before is not None and outcome is not None and name != UNUSED
    }


def has_effect(results: Results, number: Number, sets: Sequence[str]) -> bool:
    """Tell whether any variant has an effect on any of the sets."""
    return any(any(variant_effects(results, number, set_).values()) for set_ in sets)


def describe(results: Results, number: Number) -> str:
    """Return what is known of a number's effect, in words."""
    effects = [variant_effects(results, number, set_) for set_ in SETS]
    if any(any(found.values()) for found in effects):
        return "with an effect"
    if any(len(found) == len(VARIANTS) for found in effects):
        return "no effect seen"
    whole = replace(number, name=ALL_NUMBERS, value="")
    uses = [results.get(one, set_, UNUSED) for one in (number, whole) for set_ in SETS]
    is_idle = any(one is not None and one["ended"] == "done" for one in uses)
    return "used by no reading tried" if is_idle else "not tried"


def row(results: Results, number: Number) -> str:
    """Format a row of the table."""
    cells = [f"`{number.name}`", number.file, number.value, number.kind]
    for variant in VARIANTS:
        words = []
        for set_ in SETS:
            of_set = variant_effects(results, number, set_)
            if variant in of_set:
                told = ", ".join(f"{what} {much:g}" for what, much in of_set[variant].items())
                words.append(("live: " if set_ == "live" else "") + (told or "nothing"))
        cells.append("; ".join(words) or NOT_TRIED)
    return f"| {' | '.join(cells)} |"


def table_lines(results: Results) -> Iterator[str]:
    """Yield the table of all numbers, and how many there are of each kind."""
    numbers = numbers_in(ROOT, PACKAGES)
    yield "| number | file | value | kind | left out | halved | doubled |"
    yield "|---" * 7 + "|"
    yield from (row(results, number) for number in numbers)
    yield ""
    counts = Counter((one.kind, describe(results, one)) for one in numbers)
    yield from (f"{kind}, {known}: {count}" for (kind, known), count in sorted(counts.items()))


def main(argv: Sequence[str] | None = None) -> int:
    """Try the numbers and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
    parser.add_argument(
        "--only", nargs="+", metavar="GLOB", default=["*"], help="of files, or names"
    )
    parser.add_argument("--unseen", action="store_true", help="those that show no effect so far")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "chosen_numbers.jsonl")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600.0, help="after which none is begun")
    parser.add_argument("--table", action="store_true", help="try nothing, print what is known")
    options = parser.parse_args(argv)
    results = Results(options.results)
    if not options.table:
        with tempfile.TemporaryDirectory(prefix="numbers-") as folder:
            sweep(results, options, Path(folder))
    print(*table_lines(results), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

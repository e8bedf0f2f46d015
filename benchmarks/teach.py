"""Teach the reader of trains anew, from photos to what the program carries, in one command.

    python benchmarks/teach.py --work DIR --traced DIR [--processes 2] [--houses europe] [--write]

Windows are rendered and cut from relit photos and from path-traced boards (those that
`make_traced.py --plastic` leaves in its folder); for each house a net is taught without it, its
cues are measured with that net, and weights are fitted without it; at last a net is taught on all
and weights are fitted to all. With `--write` these two go to vision/. What lies in DIR already is
not made again. Needs PyTorch and onnx, ../shared/photos, 10 GB of memory for each process and, on
two cores, four to five hours; a GPU is used where there is one. docs/train-net.md says what came of
it.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from teaching.fit_cue_weights import WEIGHTS
from teaching.fit_train_net import NET
from teaching.relit_boards import HOUSES, UNSEEN

BENCHMARKS = Path(__file__).resolve().parent
RENDER, TRACE = "rendered/windows.py", "traced/windows.py"
CUT = "teaching/photo_windows.py"
# The scripts that are its steps.
FIT_NET, FIT_WEIGHTS = "teaching/fit_train_net.py", "teaching/fit_cue_weights.py"
# Files of windows of each source: two are houses that were made, the others photographed ones.
FILES = {"rendered": 7, "traced": 2, "own-copy": 7, "other-copy": 7, "europe": 7}
WINDOWS = 10000  # in each file
STEPS, RATE = 14000, 4e-3  # steps and learning rate of each net
CUE_FILES = 5  # files of each house's cues
BOARDS_A_FILE = 32  # relit boards in each file, that weights are fitted to


def run_script(script: str, *arguments: str | Path) -> None:
    """Run the script of a step."""
    print(script, *arguments, flush=True)
    subprocess.run([sys.executable, str(BENCHMARKS / script), *map(str, arguments)], check=True)


def make_file(path: Path, script: str, *arguments: str | Path) -> Path:
    """Return a file that a script makes unless it is there; it is whole or not there."""
    if not path.exists():
        part = path.with_name(f"part-{path.name}")
        run_script(script, *(part if argument == path else argument for argument in arguments))
        part.replace(path)
    return path


def files_of(work: Path, source: str) -> list[Path]:
    """Return the files of a source's windows."""
    return [work / f"{source}-{seed}.npz" for seed in range(1, FILES[source] + 1)]


def make_windows(work: Path, traced: Path, source: str, seed: int) -> None:
    """Make a file of a source's windows."""
    path = files_of(work, source)[seed - 1]
    of_source = {"rendered": (RENDER,), "traced": (TRACE, "--pictures", traced)}
    script, *where = of_source.get(source, (CUT, "--house", source))
    make_file(path, str(script), path, *where, "--windows", str(WINDOWS), "--seed", str(seed))


def teach_net(work: Path, without: str) -> Path:
    """Return the net that is taught on all windows but a house's."""
    windows = [path for source in FILES if source != without for path in files_of(work, source)]
    unseen: list[str | Path] = ["--unseen", files_of(work, without)[0]] if without else []
    name = f"without-{without}.onnx" if without else "final.onnx"
    path = work / name
    return make_file(
        path, FIT_NET, *windows, *unseen, "--steps", str(STEPS), "--rate", str(RATE), "--out", path
    )


def measure_cues(work: Path, house: str, seed: int) -> Path:
    """Return some of a house's cues, by a net that was taught without it."""
    path = work / f"cues-{house}-{seed}.npz"
    net = work / ("final.onnx" if house in UNSEEN else f"without-{house}.onnx")
    boards = ("--boards", str(BOARDS_A_FILE), "--seed", str(100 * seed))
    return make_file(path, FIT_WEIGHTS, "--measure", house, "--net", net, *boards, "--out", path)


def main(argv: Sequence[str] | None = None) -> int:
    """Make everything that is missing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, metavar="DIR")
    parser.add_argument("--traced", type=Path, required=True, metavar="DIR", help="traced boards")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--houses", nargs="+", default=[*HOUSES], choices=tuple(HOUSES))
    parser.add_argument("--write", action="store_true", help="put the result into vision/")
    options = parser.parse_args(argv)
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(options.processes) as pool:
        window_jobs = [(source, seed + 1) for source in FILES for seed in range(FILES[source])]
        list(pool.map(lambda file: make_windows(work, options.traced, *file), window_jobs))
        nets = list(pool.map(lambda house: teach_net(work, house), (*options.houses, "")))
        judged = (*options.houses, *UNSEEN)
        jobs = [(house, seed + 1) for house in judged for seed in range(CUE_FILES)]
        cues = list(pool.map(lambda file: measure_cues(work, *file), jobs))
    for left_out in options.houses:
        others = [path for (house, _), path in zip(jobs, cues, strict=True) if house != left_out]
        run_script(FIT_WEIGHTS, "--fit", *others, "--out", work / f"without-{left_out}.json")
    run_script(FIT_WEIGHTS, "--fit", *cues, "--out", work / "final.json")
    if options.write:
        shutil.copyfile(nets[-1], NET)
        shutil.copyfile(work / "final.json", WEIGHTS)
    return 0


if __name__ == "__main__":
    sys.exit(main())

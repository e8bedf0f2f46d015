"""Does the wheel work where it is installed? `python benchmarks/installed.py --python python3.13`.

Builds the wheel, or takes the one that is named, and installs it with all it needs into a new
virtual environment for each Python, outside the checkout. There it is run as a player would:
`calibrate` and `read` with drawn photos, `doctor` and `play` with the drawn game until it has seen
a claim, `demo`. Told are the wheel's size, that of the program and of the whole environment
(without pip, and without what Python compiles at the first start), and the seconds of each command.
It ends with 1 where a command failed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")
RENDER_OPTIONS = ("--board", "usa", "--seed", "1", "--count", "2", "--scene", "plain")
# Where these pictures show the board; of the program's own boards it has no print to find.
CORNERS = ("193,67", "1086,67", "1124,676", "155,676")
COMMANDS = (
    ("--version",),
    ("render", *RENDER_OPTIONS, "--out", "drawn"),
    ("calibrate", "drawn/usa-1-00.jpg", "--board", "usa", "--corners", *CORNERS),
    ("read", "drawn/usa-1-01.jpg"),
    ("doctor", "--source", "demo"),
    ("demo", "--no-page"),
)
TIMEOUT_S = 600.0
CLAIM_PATTERN = re.compile(r"^[\d:]+  \w+: .+ - ")


def build_wheel(folder: Path) -> Path:
    """Build a wheel of the checkout, and return it."""
    run_command([sys.executable, *PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)])
    (wheel,) = folder.glob("*.whl")
    return wheel


def install_wheel(wheel: Path, python: str, folder: Path) -> Path:
    """Install the wheel in a new environment; return its folder of programs."""
    run_command([python, "-m", "venv", str(folder)])
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run_command([str(programs / "python"), *PIP, "install", "--no-compile", str(wheel)])
    return programs


def run_command(words: Sequence[str], home: Path | None = None) -> str:
    """Run a command in its own folder; return its output, or raise with it."""
    ended = subprocess.run(
        words,
        cwd=home,
        env=clean_environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    if ended.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{ended.stdout}")
    return ended.stdout


def clean_environment(home: Path | None) -> dict[str, str]:
    """Return environment variables without this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept if home is None else {**kept, "RAILSPOTTER_HOME": str(home / "home")}


def watch_first_claim(program: Path, home: Path) -> str:
    """Watch the drawn game until the first claim; return its line."""
    playing = subprocess.Popen(
        [program, "play", "--source", "demo", "--no-page"],
        cwd=home,
        env=clean_environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    late = threading.Timer(TIMEOUT_S, playing.kill)
    late.start()
    try:
        assert playing.stdin is not None
        assert playing.stdout is not None
        for line in playing.stdout:
            if CLAIM_PATTERN.search(line):
                playing.stdin.write("q\n")
                playing.stdin.close()
                playing.stdout.read()
                if playing.wait() == 0:
                    return line.strip()
        raise RuntimeError(f"railspotter play: no claim was seen, {playing.wait()}")
    finally:
        late.cancel()
        playing.kill()
        playing.wait()


def installed_sizes(programs: Path) -> Iterator[tuple[str, int]]:
    """Yield the bytes of the program, and of it with its dependencies, in an environment."""
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run_command([str(programs / "python"), "-c", asked]).strip())
    of_each = {
        one.name: sum(path.stat().st_size for path in one.rglob("*") if path.is_file())
        for one in packages.iterdir()
        if one.is_dir() and not re.match(r"pip|setuptools|_distutils_hack|__pycache__", one.name)
    }
    yield "the program", of_each["railspotter"]
    yield "with all it needs", sum(of_each.values())
    for name in sorted(of_each, key=lambda name: -of_each[name])[:4]:
        yield f"of this {name}", of_each[name]


def main() -> int:
    """Build, install, run, print; return 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", nargs="+", default=[sys.executable], help="the Pythons to try")
    parser.add_argument("--wheel", type=Path, help="a wheel that is built already")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="railspotter-installed-") as scratch:
        folder = Path(scratch)
        wheel = (args.wheel or build_wheel(folder)).resolve()
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
        return max(
            [try_python(wheel, python, folder / f"at-{i}") for i, python in enumerate(args.python)]
        )


def try_python(wheel: Path, python: str, folder: Path) -> int:
    """Install and run everything with one Python; return 1 if something failed."""
    print(run_command([python, "--version"]).strip())
    folder.mkdir()
    try:
        programs = install_wheel(wheel, python, folder / "environment")
        for what, count in installed_sizes(programs):
            print(f"  {what:32} {count / 1e6:7.1f} MB")
        program = programs / "railspotter"
        for words in COMMANDS:
            began_s = time.monotonic()
            lines = run_command([str(program), *words], folder).splitlines()
            took_s = time.monotonic() - began_s
            print(f"  {words[0]:10} {took_s:5.1f} s  {lines[-1] if lines else ''}"[:110])
        began_s = time.monotonic()
        seen = watch_first_claim(program, folder)
        print(f"  {'play':10} {time.monotonic() - began_s:5.1f} s  {seen}"[:110], flush=True)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        print(f"  failed: {error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

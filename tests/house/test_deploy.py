"""What is deployed: the container's image and systemd's unit, as far as they can be judged here."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from house.project import FOLDERS, ROOT
from railspotter.cli.command import build_parser

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
PROGRAM = "/usr/local/bin/railspotter"


def said(*words: str | Path, code: int = 0) -> str:
    """Run a program and return what it prints."""
    ended = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60
    )
    assert ended.returncode == code, ended.stdout
    return ended.stdout


def engine() -> bool:
    """Tell whether an engine runs that builds images."""
    docker = shutil.which("docker")
    if docker is None:
        return False
    asked = subprocess.run([docker, "info"], capture_output=True, check=False, timeout=60)
    return asked.returncode == 0


def test_the_dockerfile_has_no_complaint() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    if not hadolint.exists():
        pytest.skip("hadolint is not here")
    assert said(hadolint, DEPLOY / "Dockerfile") == ""


def test_the_image_runs_without_rights_and_from_the_lock_file() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER ([1-9]\d*)$", last, re.MULTILINE)
    assert last.index("USER") < last.index("ENTRYPOINT")
    assert "--require-hashes --requirement requirements.lock" in DOCKERFILE
    bases = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:3\.1[1-4]-slim-\w+", bases[0])


def test_the_image_s_command_is_one() -> None:
    (words,) = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    build_parser().parse_args(re.findall(r'"([^"]+)"', words))


def test_what_is_built_from_is_let_in_and_nothing_else() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert next(line for line in lines if not line.startswith("#")) == "*"
    let_in = {line[1:] for line in lines if line.startswith("!")}
    needed = {
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "requirements.lock",
        "requirements-words.lock",
        "setup.py",
    }
    assert let_in == {*needed, *FOLDERS}


@pytest.mark.skipif(not engine(), reason="no container engine runs here")
def test_the_image_is_built_and_runs() -> None:
    tag = "railspotter:tested"
    said("docker", "build", "--quiet", "--file", DEPLOY / "Dockerfile", "--tag", tag, ROOT)
    assert said("docker", "run", "--rm", tag, "--version").startswith("railspotter ")
    assert "routes claimed" in said("docker", "run", "--rm", tag, "demo", "--no-page")


def test_systemd_has_no_complaint(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not here")
    unit = (DEPLOY / "railspotter.service").read_text("utf-8")
    command = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
    program, *arguments = command.removeprefix("ExecStart=").split()
    assert program == PROGRAM
    build_parser().parse_args(arguments)
    here = tmp_path / "railspotter.service"
    here.write_text(unit.replace(PROGRAM, sys.executable))  # which is there, as the other is not
    assert said(analyze, "verify", here) == ""

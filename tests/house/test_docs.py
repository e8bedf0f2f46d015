"""What the docs tell people to type exists."""

import argparse
import re
import shlex
from pathlib import Path

import pytest
from house.project import ROOT
from railspotter.cli.command import build_parser

READ_BY_PLAYERS = ("README.md", "docs/guide.md", "docs/guide-markers.md")


def commands_in(text: str) -> list[str]:
    """Return the command lines of a text: those behind a prompt."""
    return re.findall(r"^\$ (.+)$", text, flags=re.MULTILINE)


def test_commands_are_found_behind_prompts() -> None:
    assert commands_in("```\n$ make demo\noutput\n$ ls\n```") == ["make demo", "ls"]


@pytest.mark.parametrize("page", READ_BY_PLAYERS)
def test_every_command_is_one(page: str) -> None:
    commands = commands_in((ROOT / page).read_text("utf-8"))
    assert commands
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for command in commands:
        program, *arguments = shlex.split(command)
        if program == "make":
            assert set(arguments) <= set(targets), command
        else:
            assert program.removeprefix(".venv/bin/") == "railspotter", command
            build_parser().parse_args(arguments)  # exits where it does not understand


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("guide", ("calibrate", "read")),
        ("virtual-board", ("render",)),
        ("guide-markers", ("markers",)),
    ],
)
def test_a_page_tells_every_option_of_the_commands_it_explains(
    page: str, names: tuple[str, ...]
) -> None:
    told = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    commands = next(
        action.choices
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    for name in names:
        for action in commands[name]._actions:
            for option in action.option_strings:
                if option.startswith("--") and option != "--help":
                    assert f"`{option}" in told, f"{name} {option}"


def pages() -> list[Path]:
    """Return every page of the project that leads a reader on to others."""
    folders = (ROOT / "docs", ROOT / "benchmarks", ROOT / "benchmarks" / "results")
    return [ROOT / "README.md", *(page for where in folders for page in sorted(where.glob("*.md")))]


def test_every_relative_link_leads_somewhere() -> None:
    for page in pages():
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_every_benchmark_that_a_page_runs_is_there() -> None:
    for page in pages():
        for script in re.findall(r"python (benchmarks/[\w/]+\.py)", page.read_text("utf-8")):
            assert (ROOT / script).exists(), f"{page.name}: {script}"


def test_benchmarks_are_one_page_and_every_result_is_listed() -> None:
    today = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    assert len(today.splitlines()) <= 150
    scripts = re.findall(r"`(\w+\.py)\b", today)
    assert scripts
    for script in scripts:
        assert (ROOT / "benchmarks" / script).exists(), script
    results = ROOT / "benchmarks" / "results"
    listed = (results / "README.md").read_text("utf-8")
    for page in results.glob("*.md"):
        assert page.name == "README.md" or f"]({page.name})" in listed, page.name

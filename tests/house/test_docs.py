"""What the docs tell people to type exists."""

from __future__ import annotations

import argparse
import re
import shlex

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


def test_every_relative_link_leads_somewhere() -> None:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"

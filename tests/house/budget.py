"""How much Python there may be: at most what budget.toml says, which `make budget` lowers."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from house.project import FOLDERS, ROOT, source_files

BUDGET = Path(__file__).with_name("budget.toml")

# Of every folder its lines and, of the product's packages, its files.
Sizes = Mapping[str, Mapping[str, int]]


def today() -> dict[str, dict[str, int]]:
    """Return the sizes that the folders have."""
    sizes = {
        folder: {"lines": 0, "files": 0} if folder in FOLDERS else {"lines": 0}
        for folder in (*FOLDERS, "tests", "benchmarks")
    }
    for path in source_files():
        size = sizes.get(path.relative_to(ROOT).parts[0])
        if path.suffix == ".py" and size is not None:
            size["lines"] += len(path.read_text("utf-8").splitlines())
            if "files" in size:
                size["files"] += 1
    return sizes


def allowed() -> Sizes:
    """Return the sizes that the folders may have."""
    return tomllib.loads(BUDGET.read_text("utf-8"))


def excesses(now: Sizes, most: Sizes) -> list[str]:
    """Say what is larger than it may be, and what is not spoken of on both sides."""
    said = [f"{folder}: not in both" for folder in now.keys() ^ most.keys()]
    for folder in now.keys() & most.keys():
        said += [
            f"{folder}: {count - most[folder].get(what, 0)} {what} too many"
            for what, count in now[folder].items()
            if count > most[folder].get(what, 0)
        ]
    return sorted(said)


def lowered(text: str, now: Sizes) -> str:
    """Return a budget's text with numbers above today's lowered to these; none is raised."""
    lines, folder = [], ""
    for line in text.splitlines():
        if header := re.fullmatch(r"\[(\w+)\]", line):
            folder = header[1]
        if entry := re.match(r"(lines|files) = (\d+)", line):
            least = min(int(entry[2]), now[folder][entry[1]])
            line = f"{entry[1]} = {least}{line[entry.end() :]}"
        lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    BUDGET.write_text(lowered(BUDGET.read_text("utf-8"), today()), "utf-8")

"""The site of documentation, built from the pages as they lie in the repository.

Run as a script it builds `build/site/html`. A warning, such as a link that leads nowhere, is an
error. The finished pages fetch nothing from elsewhere, and their search works without a server.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from house.project import ROOT, source_files

SITE = ROOT / "docs" / "site"
# What is on the site: these files, and the pages and pictures in these folders.
PAGES = (
    *("README.md", "CHANGELOG.md", "deploy/Dockerfile", "deploy/railspotter.service"),
    *("docs", "benchmarks", "firmware_bridge/firmware"),
)
KINDS = {".md", ".png", ".jpg", ".svg"}
# What zensical's pages would fetch to search without a server; file_worker.js does it here.
FROM_ELSEWHERE = "https://unpkg.com/iframe-worker/shim"


class SiteError(Exception):
    """The site cannot be built; the text is what zensical says."""


def pages() -> list[Path]:
    """Return the files that the site is made of."""
    within = tuple(ROOT / name for name in PAGES)
    return [
        path
        for path in source_files()
        if path in within
        or (path.suffix in KINDS and any(path.is_relative_to(folder) for folder in within))
    ]


def lay_out(folder: Path) -> None:
    """Copy the pages into a folder, as they lie in the repository."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in pages():
        target = folder / "pages" / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copy(SITE / "zensical.toml", folder)


def build(folder: Path) -> Path:
    """Build the site of the pages in a folder; return the folder of its HTML."""
    ended = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise SiteError(ended.stdout + ended.stderr)
    html = folder / "html"
    shutil.copy(SITE / "file_worker.js", html / "assets")
    for page in html.rglob("*.html"):
        up = "../" * (len(page.relative_to(html).parts) - 1)
        text = page.read_text("utf-8")
        page.write_text(text.replace(FROM_ELSEWHERE, f"{up}assets/file_worker.js"), "utf-8")
    return html


if __name__ == "__main__":
    SCRATCH = ROOT / "build" / "site"
    lay_out(SCRATCH)
    print(build(SCRATCH) / "index.html")

"""A package whose binary was made for another NumPy or system: a sentence, never a traceback."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import drawn
import pytest
from phone_photos import phone_photo
from PIL import Image
from railspotter.table.home import ProfileStore
from railspotter.vision.binary_packages import BINARY_PACKAGES, working_package
from railspotter.vision.errors import PictureError
from served_play import RUN

DTYPE = "numpy.dtype size changed, may indicate binary incompatibility"
# What such a package does when it is imported.
BROKEN = {
    DTYPE: f"raise ValueError({DTYPE!r})",
    "libturbojpeg.so.0: cannot open": "raise ImportError('libturbojpeg.so.0: cannot open')",
    "module compiled against ABI": "raise RuntimeError('module compiled against ABI\\n\\nA page')",
    "_ARRAY_API not found": "import numpy; raise AttributeError('_ARRAY_API not found')",
    "No such file": "open('/nowhere/at/all')",
    "SystemError": "raise SystemError",
}


def with_broken(folder: Path, package: str, source: str) -> dict[str, str]:
    """An environment in which a package is found first that does this when it is imported."""
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(source, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder), "RAILSPOTTER_HOME": str(folder / "home")}


@pytest.mark.parametrize("why", BROKEN)
def test_whatever_it_raises_the_package_is_named(
    why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"made_for_others_{list(BROKEN).index(why)}"
    with_broken(tmp_path, name, BROKEN[why])
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PictureError) as told:
        working_package(name, PictureError)
    (line,) = str(told.value).splitlines()
    assert line.startswith(f"the package {name} cannot be used here (")
    assert why in line
    assert "docs/install-pi.md" in line


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(PictureError, match="package no_such_package cannot be used here"):
        working_package("no_such_package", PictureError)


@pytest.mark.parametrize(("package", "kind"), [("simplejpeg", "JPEG"), ("pillow_heif", "HEIC")])
def test_a_photo_that_needs_it_is_refused_in_a_sentence(
    package: str, kind: str, tmp_path: Path
) -> None:
    picture = Image.new("RGB", (900, 600), (90, 120, 60))
    photo, content = tmp_path / f"photo.{kind.lower()}", io.BytesIO()
    if kind == "JPEG":
        picture.save(content, "JPEG")
    photo.write_bytes(content.getvalue() or phone_photo(picture, "HEIC"))
    where = with_broken(tmp_path / "apt", package, BROKEN[DTYPE])
    command = [sys.executable, "-c", RUN, "read", str(photo), "--board", "usa"]
    done = subprocess.run(command, env=where, capture_output=True, text=True, check=False)
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2
    assert f"the package {package} cannot be used here ({DTYPE}" in line


@pytest.mark.parametrize("package", BINARY_PACKAGES)
def test_doctor_tells_of_it(package: str, tmp_path: Path) -> None:
    where = with_broken(tmp_path / "apt", package, BROKEN[DTYPE])
    ProfileStore(tmp_path / "apt" / "home").save(drawn.profile())
    command = [sys.executable, "-c", RUN, "doctor", "--json", "--source", "pi", "--port", "0"]
    done = subprocess.run(command, env=where, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
    findings = json.loads(done.stdout)["findings"]
    (found,) = [one for one in findings if one["details"].get("package") == package]
    assert found["state"] == "attention"
    assert DTYPE in found["said"]
    camera = next(one["said"] for one in findings if one["about"] == "camera")
    assert "the package picamera2 cannot be used here" in camera

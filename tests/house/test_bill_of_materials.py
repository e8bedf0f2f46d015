"""The bill of materials is CycloneDX, and tells what the lock file has."""

import json
import re
from pathlib import Path

from bill_of_materials import LOCK, bill
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from house.project import ROOT, pyproject


def test_it_is_valid_and_always_the_same() -> None:
    said = bill()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(said) is None
    assert said == bill()


def test_it_tells_every_package_of_the_lock_file_and_who_needs_it() -> None:
    told = json.loads(bill())
    locked = re.findall(r"^([a-z0-9-]+)==(\S+)", LOCK.read_text("utf-8"), re.MULTILINE)
    nets = [part for part in told["components"] if part["type"] == "machine-learning-model"]
    packages = [part for part in told["components"] if part not in nets]
    assert [(part["name"], part["version"]) for part in packages] == locked
    assert [part["licenses"][0]["license"]["id"] for part in nets] == ["Apache-2.0"] * 2
    assert {Path(part["name"]) for part in nets} == {
        Path(path).relative_to("rapidocr/models")
        for path in re.findall(r'"(\S+\.onnx)"', (ROOT / "setup.py").read_text("utf-8"))
        if "/" in path
    }
    assert all(part["externalReferences"][0]["hashes"] for part in told["components"])
    needs = {
        part["ref"]: {one.partition("==")[0] for one in part.get("dependsOn", ())}
        for part in told["dependencies"]
    }
    assert any("werkzeug" in needs[ref] for ref in needs if ref.startswith("flask=="))
    wanted = (re.split(r"[<>=]", one)[0] for one in pyproject()["project"]["dependencies"])
    assert set(wanted) <= needs["railspotter"]
    assert set[str]().union(*needs.values()) == {name for name, _ in locked}

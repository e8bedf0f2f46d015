"""The bill of materials: what an installation consists of, for those who must know (CycloneDX).

Run as a script it is written to standard output. It is made of the lock files alone, so that it is
the same wherever it is made: every package with its version, what it is there for, and the hashes
of which one is checked when it is installed, and the nets that a build takes out of a package.
"""

import os
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from house.project import ROOT, pyproject
from packageurl import PackageURL

LOCK = ROOT / "requirements.lock"
NETS_LOCK = ROOT / "requirements-words.lock"
NETS = ("rapidocr/models/PP-OCRv6_det_small.onnx", "rapidocr/models/PP-OCRv6_rec_small.onnx")
PACKAGE = re.compile(r"^([a-z0-9-]+)==([^\s;]+)(?: ; (.+?))? \\$")
OURS = "railspotter"


@dataclass(frozen=True)
class LockedPackage:
    """A package of the lock file."""

    name: str
    version: str
    marker: str  # where it is installed, as the lock file has it; empty for everywhere
    hashes: tuple[str, ...]
    wanted_by: tuple[str, ...]  # the names of those that need it


def locked(text: str) -> Iterator[LockedPackage]:
    r"""Yield the packages of a lock file.

    >>> text = "flask==3.1.0 ; os_name != 'x' \\\n    --hash=sha256:ab\n    # via railspotter (x)\n"
    >>> flask = next(locked(text))
    >>> flask.name, flask.marker, flask.hashes, flask.wanted_by
    ('flask', "os_name != 'x'", ('ab',), ('railspotter',))
    """
    for part in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        head = PACKAGE.match(part.partition("\n")[0])
        if head is not None:
            hashes = re.findall(r"--hash=sha256:([0-9a-f]+)", part)
            wanted_by = re.findall(r"^    #(?:  | via) ([a-z0-9-]+)", part, re.MULTILINE)
            yield LockedPackage(head[1], head[2], head[3] or "", tuple(hashes), tuple(wanted_by))


def bill() -> str:
    """Return the bill of materials as CycloneDX's JSON."""
    text, of_nets = LOCK.read_text("utf-8"), NETS_LOCK.read_text("utf-8")
    (nets,) = locked(of_nets)
    packages = tuple(locked(text))
    about = pyproject()["project"]
    own = Component(
        name=OURS,
        version=version(OURS),
        type=ComponentType.APPLICATION,
        description=about["description"],
        purl=PackageURL("pypi", None, OURS, version(OURS)),
        bom_ref=OURS,
    )
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{own.version} {text} {of_nets}"))
    bom.metadata.component = own
    made_at_s = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    bom.metadata.timestamp = datetime.fromtimestamp(made_at_s, UTC)
    parts = [component_of(package) for package in packages]
    bom.components = [*parts, *(net_of(nets, path) for path in NETS)]
    bom.dependencies = [
        Dependency(
            whose.bom_ref,
            [
                Dependency(part.bom_ref)
                for part, package in zip(parts, packages, strict=True)
                if whose.name in package.wanted_by
            ],
        )
        for whose in (own, *parts)
    ]
    return JsonV1Dot6(bom).output_as_string(indent=2)


def net_of(package: LockedPackage, path: str) -> Component:
    """Return a net that a build takes out of a package, by its path in there."""
    return Component(
        name=path.rpartition("/")[2],
        version=package.version,
        type=ComponentType.MACHINE_LEARNING_MODEL,
        description="reads words; kept of the package, which is not installed",
        licenses=[DisjunctiveLicense(id="Apache-2.0")],
        purl=PackageURL("pypi", None, package.name, package.version, subpath=path),
        bom_ref=path,
        external_references=component_of(package).external_references,
    )


def component_of(package: LockedPackage) -> Component:
    """Return a package as CycloneDX has it."""
    return Component(
        name=package.name,
        version=package.version,
        type=ComponentType.LIBRARY,
        description=f"installed where {package.marker}" if package.marker else None,
        purl=PackageURL("pypi", None, package.name, package.version),
        # Of some packages each Python has a version of its own.
        bom_ref=f"{package.name}=={package.version}",
        external_references=[
            ExternalReference(
                type=ExternalReferenceType.DISTRIBUTION,
                url=XsUri(f"pkg:pypi/{package.name}@{package.version}"),
                hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one) for one in package.hashes],
            )
        ],
    )


if __name__ == "__main__":
    print(bill())

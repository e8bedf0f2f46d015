"""`railspotter doctor`: checks whether everything is ready for a game."""

import argparse
import json
import os
import platform
import secrets
import shutil
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import cv2
from railspotter.calibration.errors import ProfileError
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.profiles.profile import CameraMode, Profile
from railspotter.scoring.board import board_names, load_board
from railspotter.table.clock import clock_fault
from railspotter.table.errors import HomeError
from railspotter.table.home import ProfileStore, home
from railspotter.table.set_up.demo import DemoTable, demo_table
from railspotter.table.whole_file import write_whole
from railspotter.vision.binary_packages import BINARY_PACKAGES, working_package
from railspotter.vision.errors import VisionError
from railspotter.vision.sources.cameras import Camera, list_cameras
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.source import Source

from ..arguments import Subparsers, resolve_source
from ..pages import add_address
from .camera_check import check_camera, check_picture
from .network_check import check_network
from .report import CheckResult, State, findings_text, is_well, report_text

ATTENTION_NEEDED = 3
DEMO = "demo"
LEAST_FREE_MB = 500  # a profile takes 3 MB, a long game less


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "doctor",
        description=(
            "Check what a game needs: the data directory, the cameras and what they see of the"
            " board, whether your profiles fit, and whether phones can reach the page. Every"
            " camera that is plugged in is looked through, or the one that --source names."
        ),
        epilog=(
            "exit codes: 0 all is well, 3 something needs attention, 2 a bad argument."
            " example: railspotter doctor --source 0 --profile kitchen"
        ),
    )
    parser.add_argument(
        "--source",
        type=resolve_source,
        help="look through this one only: what 'railspotter play --source' takes, but 'phone' and"
        " 'none' (default: every"
        " camera that is plugged in)",
    )
    parser.add_argument(
        "--profile", metavar="NAME", help="ask only whether this profile fits (default: each)"
    )
    told = parser.add_mutually_exclusive_group()
    told.add_argument("--json", action="store_true", help="print one JSON object")
    told.add_argument(
        "--report",
        action="store_true",
        help="print a text for a bug report, without names, addresses, folders and codes",
    )
    add_address(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run all checks and print the results; return the exit code."""
    store = ProfileStore(home())
    if args.profile is not None:
        store.check_name(args.profile)
    demo = demo_table() if args.source == DEMO else None
    sources = _sources(args.source, demo)
    findings = list(_findings(args, store, sources, demo))
    if args.json:
        told = {"version": version("railspotter"), "is_well": is_well(findings)}
        print(json.dumps({**told, "findings": [vars(finding) for finding in findings]}))
    elif args.report:
        named = [(args.source or "", "source"), (args.host, "host")]
        print(report_text(findings, [*named, *((name, "camera") for name, _ in sources)]))
    else:
        print(*findings_text(findings), sep="\n")
    return 0 if is_well(findings) else ATTENTION_NEEDED


def _findings(
    args: argparse.Namespace,
    store: ProfileStore,
    sources: list[tuple[str, Source]],
    demo: DemoTable | None,
) -> Iterator[CheckResult]:
    yield _program()
    yield from _packages()
    yield check_data(home())
    if fault := clock_fault(home()):
        advice = ("games get wrong dates, and phones refuse the page over https",)
        yield CheckResult("clock", State.ATTENTION, fault, advice)
    profiles: list[Profile] = [] if demo is None else [demo.profile]
    for name in store.names() if args.profile is None else (args.profile,):
        try:
            profiles.append(store.load(name))
        except (HomeError, ProfileError) as error:
            yield CheckResult("profile", State.ATTENTION, str(error), (), {"name": name})
    if not profiles and args.profile is None:
        yield CheckResult(
            "profile",
            State.NOTE,
            "there is no profile of your own board yet",
            ("'railspotter calibrate' makes one from a photo of it, empty, and saves questions",),
        )
        boards = (load_board(name) for name in board_names())
        stand_ins = (stand_in_profile(board) for board in boards if board.measured)
        profiles = [stand_in for stand_in in stand_ins if stand_in is not None]
    if not sources:
        yield CheckResult(
            "camera",
            State.NOTE,
            "no camera is plugged in, so nothing was looked at",
            ("a phone or another camera is named with --source, as docs/sources.md tells",),
        )
    for name, source in sources:
        camera, picture = check_camera(source, name)
        yield camera
        if picture is not None and profiles:
            mode = CameraMode(source.name, (picture.shape[1], picture.shape[0]))
            asked = args.profile is not None
            yield from check_picture(picture, profiles, mode, is_one_asked_for=asked)
    yield from check_network(args.host, args.port)


def check_data(folder: Path, least_free_mb: float = LEAST_FREE_MB) -> CheckResult:
    """Check that a data directory can be written and that its disk has space."""
    there = next((path for path in (folder, *folder.parents) if path.exists()), Path.cwd())
    details = {"folder": str(folder), "exists": folder.exists()}
    try:
        if not folder.exists() and not (there.is_dir() and os.access(there, os.W_OK)):
            raise PermissionError(13, "Permission denied")
        if folder.exists():
            probe = folder / f"check-{secrets.token_hex(4)}"
            write_whole(probe, b"can this be written?")
            probe.unlink()
        free_mb = shutil.disk_usage(there).free / 1e6
    except OSError as error:
        return CheckResult(
            "data",
            State.ATTENTION,
            f"nothing can be saved in {folder}: {error.strerror or error}",
            ("make that directory writable, or name another one with RAILSPOTTER_HOME",),
            details,
        )
    details["free_mb"] = round(free_mb)
    if free_mb < least_free_mb:
        return CheckResult(
            "data",
            State.ATTENTION,
            f"the disk of {folder} is almost full: {free_mb:.0f} MB are free",
            ("make room, or name a directory on another disk with RAILSPOTTER_HOME",),
            details,
        )
    said = f"profiles and games are kept in {folder}; {free_mb / 1000:.1f} GB are free"
    return CheckResult("data", State.WELL, said, (), details)


def _program() -> CheckResult:
    own, python, system = version("railspotter"), platform.python_version(), platform.system()
    machine = platform.machine()
    said = f"Railspotter {own}, Python {python}, OpenCV {cv2.__version__}, {system} {machine}"
    return CheckResult(
        "program",
        State.WELL,
        said,
        (),
        {"python": python, "opencv": cv2.__version__, "system": system, "machine": machine},
    )


def _packages() -> Iterator[CheckResult]:
    """Yield what is wrong with packages that are here and need a binary."""
    for name in filter(find_spec, BINARY_PACKAGES):
        try:
            working_package(name, VisionError)
        except VisionError as error:
            yield CheckResult("program", State.ATTENTION, str(error), (), {"package": name})


def _sources(named: str | None, demo: DemoTable | None) -> list[tuple[str, Source]]:
    if named is None:
        return [(camera.name, Camera(camera.number)) for camera in list_cameras()]
    source = parse_source(named, {DEMO: demo.source} if demo is not None else None)
    return [(source.name, source)]

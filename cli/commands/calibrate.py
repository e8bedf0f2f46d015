"""`railspotter calibrate PHOTO`: make a profile of one's own board from a photo of it, empty."""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from railspotter.calibration.errors import OutlineError
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.profiles.profile import (
    CameraMode,
    Profile,
    nudged,
    scale_of_width,
    size_of_copy,
    with_user_data_of,
    without_nudge,
    without_nudges,
)
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import raised_as
from railspotter.table.boards.board_choice import readable_board
from railspotter.table.errors import CalibratingError, HomeError
from railspotter.table.home import ProfileStore, home
from railspotter.table.live_calibration import own_profile
from railspotter.table.live_calibration.outlines import points_px
from railspotter.table.live_calibration.profile_text import profile_json, quality_text
from railspotter.table.photo_file import check_picture_path, save_picture
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.annotate import annotate_print

from ..arguments import Subparsers, add_board, add_corners, resolve_source

ALL = "all"


def _add_nudges(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "nudges",
        "Where a route's spaces were not found well on your copy, you move them, without a photo;"
        " on the page that is done over the picture ('Move routes').",
    )
    group.add_argument(
        "--nudge",
        nargs=3,
        action="append",
        default=[],
        metavar=("KEY", "DX", "DY"),
        help="move a route, or one space of it, by so many millimetres to the right and down; KEY"
        " is a route as helena--seattle, or its third space as 'helena--seattle#2'",
    )
    group.add_argument(
        "--no-nudge",
        action="append",
        default=[],
        metavar="KEY",
        help=f"put a route or a space back where it was measured; '{ALL}' is all of them",
    )
    group.add_argument("--nudges", action="store_true", help="list what was moved, and how far")


def _nudge(args: argparse.Namespace, board: Board, store: ProfileStore) -> int:
    """Apply the arguments' nudges to a profile, all or none; print those that it has."""
    if args.photos or args.source:
        raise HomeError("nudges need no photo: leave it and '--source' out, or calibrate first")

    def changed(profile: Profile) -> Profile:
        _check_board(profile, board)
        for key in args.no_nudge:
            if key != ALL and key not in profile.nudges_mm:
                raise HomeError(f"{key!r} was not moved; '--nudges' lists what was")
            profile = without_nudges(profile) if key == ALL else without_nudge(profile, key)
        for key, *by_mm in args.nudge:
            profile = nudged(profile, board, key, _millimetres(by_mm))
        return profile

    profile = store.change(args.profile or store.newest(board.id).name, changed)
    if args.json:
        print(json.dumps({"profile": profile.name, "nudges_mm": profile.nudges_mm}))
    elif not profile.nudges_mm:
        print(f"profile {profile.name!r}: nothing is moved")
    else:
        print(f"profile {profile.name!r}: moved by hand, in millimetres to the right and down")
        width = max(map(len, profile.nudges_mm))
        for key, (x, y) in profile.nudges_mm.items():
            print(f"{key:{width}} {x:+6.1f} {y:+6.1f}")
    return 0


def _millimetres(texts: Sequence[str]) -> tuple[float, float]:
    try:
        right, down = map(float, texts)
    except ValueError:
        right = down = math.nan
    if not (math.isfinite(right) and math.isfinite(down)):
        raise HomeError(f"--nudge: {' '.join(texts)!r} are not two numbers of millimetres")
    return right, down


def _check_board(profile: Profile, board: Board) -> None:
    """Raise an error for a profile of another board."""
    if profile.board != board.id:
        raise HomeError(
            f"the profile {profile.name!r} is of the board {profile.board!r}, not {board.id!r}"
        )


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "calibrate",
        description=(
            "Make a profile of your own copy of a board from one photo of it without any trains."
            " Take it from above, in even light, with the whole board in the picture. Photos of"
            " games are then read with it. The board is found by its print, by printed markers at"
            " its corners ('railspotter markers'), or where you say its corners are."
        ),
        epilog=(
            "examples: railspotter calibrate empty-board.jpg --board usa;"
            " railspotter calibrate --board usa --nudge helena--seattle 1.5 0"
        ),
    )
    parser.add_argument(
        "photos",
        nargs="*",
        metavar="PHOTO",
        help="a photo of the empty board; of several, taken from one place, what most agree on",
    )
    parser.add_argument(
        "--source",
        type=resolve_source,
        metavar="CAMERA",
        help="take pictures from a camera, stream or video instead, until they agree",
    )
    add_board(parser)
    add_corners(
        parser,
        "; without them they are found. They are moved so that spaces lie where they are seen",
    )
    parser.add_argument(
        "--no-snap", action="store_true", help="take the corners exactly as they are given"
    )
    parser.add_argument(
        "--markers",
        action="store_true",
        help="find the board by printed markers at its corners and by nothing else",
    )
    parser.add_argument(
        "--lens-from",
        nargs="+",
        metavar="SHEET.jpg",
        help="photos of the chequered sheet ('railspotter markers --charuco') by the camera that"
        " watches: its lens is kept in the profile. Without a PHOTO, in the one that is there",
    )
    parser.add_argument(
        "--camera", metavar="NAME", help="what to call that lens (default: its pictures' size)"
    )
    parser.add_argument(
        "--profile", metavar="NAME", help="what to call the profile (default: the board's name)"
    )
    parser.add_argument(
        "--annotate",
        metavar="OUT.png",
        help="also write the board seen from above, with its spaces as they were found",
    )
    parser.add_argument(
        "--width-mm",
        type=float,
        metavar="MM",
        help="how wide your copy's printed picture is, where it is larger than usual: measure it"
        " from its left to its right edge (default: as most copies are)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the profile and its quality as one JSON object"
    )
    _add_nudges(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make and save one profile; return the exit code."""
    board = readable_board(args.board)
    store = ProfileStore(home())
    if args.nudge or args.no_nudge or args.nudges:
        return _nudge(args, board, store)
    name = args.profile or board.id
    store.check_name(name)
    scale = None if args.width_mm is None else scale_of_width(board, args.width_mm)
    if args.annotate:
        check_picture_path(Path(args.annotate), args.photos)
    if args.photos and args.source:
        raise CalibratingError("a photo and a camera are named: leave the photo or '--source' out")
    lens = own_profile.measured_lens(args.lens_from) if args.lens_from else None
    if lens is not None and not args.photos and not args.source:
        return _keep_lens(args, board, store, lens)
    older = own_profile.older_profile(store, name, board.id)
    reference = own_profile.find_reference(args, board, size_of_copy(board, scale), older, lens)
    photo, corners = reference.photo, reference.found.pose.corners_px
    lens_of_photo = reference.found.pose.lens
    failed = OutlineError, CalibratingError
    with raised_as(CalibratingError, failed, "{photo}: {error}", photo=reference.named):
        profile, occupied = own_profile.profile_of_picture(
            photo, board, corners, name, lens_of_photo, scale, reference.others
        )
    camera = reference.named if args.source else args.camera
    if camera is not None:
        mode = CameraMode(camera, (photo.shape[1], photo.shape[0]))
        profile = replace(profile, made_with=mode)
    if older is not None and older.name == name:
        profile = with_user_data_of(profile, older)
    profile = own_profile.with_lens(profile, lens, args.camera)
    printed = PrintedBoard.of(board, profile, profile.px_per_mm)
    if args.annotate:
        save_picture(Path(args.annotate), annotate_print(printed))
    path = store.save(profile)
    if args.json:
        found = reference.found
        told = {
            **profile_json(profile),
            "file": str(path),
            "corners_px": points_px(corners),
            "covered_routes": () if occupied is None else occupied.routes,
            "way": found.method.name.lower(),
            "tried": {way.name.lower(): lost.reason for way, lost in found.tried.items()},
            "notes": found.notes,
        }
        print(json.dumps(told))
    else:
        where = " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)
        print(f"profile {name!r} of the board {board.id!r} saved to {path}")
        print(f"the board's corners in the photo: {where}")
        print(*reference.report(args.corners), sep="\n")
        print(*quality_text(profile), sep="\n")
    if occupied is not None:
        print(
            f"railspotter: {reference.named}: {own_profile.occupied_text(occupied, board)}",
            file=sys.stderr,
        )
    return 0


def _keep_lens(args: argparse.Namespace, board: Board, store: ProfileStore, lens: Lens) -> int:
    """Save a camera's lens in the existing profile; return the exit code."""
    profile = store.load(args.profile) if args.profile else store.newest(board.id)
    _check_board(profile, board)
    path = store.save(own_profile.with_lens(profile, lens, args.camera))
    print(f"the lens is kept in the profile {profile.name!r}: {path}")
    return 0

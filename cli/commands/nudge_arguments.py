"""What `railspotter calibrate` does with nudges: a route or one space moved, told of, put back."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from railspotter.calibration.profiles.nudges import nudged, without_nudge, without_nudges
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board
from railspotter.table.errors import HomeError
from railspotter.table.home import ProfileStore

ALL = "all"


@dataclass(frozen=True)
class NudgeArgument:
    """A route, or one space of it as `helena--seattle#2`, and how far it is moved."""

    key: str
    by_mm: tuple[float, float]


class _ParseNudge(argparse.Action):
    """Reads KEY DX DY; it may be given several times."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        key, *by = values if isinstance(values, list) else []
        try:
            dx, dy = (float(part) for part in by)
        except ValueError:
            parser.error(f"{option_string}: {' '.join(by)!r} are not two numbers of millimetres")
        if not (math.isfinite(dx) and math.isfinite(dy)):
            parser.error(f"{option_string}: {' '.join(by)!r} are not two numbers of millimetres")
        nudges = [*(getattr(namespace, self.dest) or ()), NudgeArgument(key, (dx, dy))]
        setattr(namespace, self.dest, nudges)


def add_nudges(parser: argparse.ArgumentParser) -> None:
    """Add the arguments to the command's parser."""
    group = parser.add_argument_group(
        "nudges",
        "Where a route's spaces were not found well on your copy, you move them, without a photo;"
        " on the page that is done over the picture ('Move routes').",
    )
    group.add_argument(
        "--nudge",
        nargs=3,
        action=_ParseNudge,
        metavar=("KEY", "DX", "DY"),
        help="move a route, or one space of it, by so many millimetres to the right and down; KEY"
        " is a route as helena--seattle, or its third space as 'helena--seattle#2'",
    )
    group.add_argument(
        "--no-nudge",
        action="append",
        metavar="KEY",
        help=f"put a route or a space back where it was measured; '{ALL}' is all of them",
    )
    group.add_argument("--nudges", action="store_true", help="list what was moved, and how far")


def wants_nudges(args: argparse.Namespace) -> bool:
    """Tell whether the arguments are about nudges."""
    return bool(args.nudge or args.no_nudge or args.nudges)


def nudge(args: argparse.Namespace, board: Board, store: ProfileStore) -> int:
    """Change a profile's nudges as the arguments say, all or none, and tell them."""
    if args.photos or args.source:
        raise HomeError("nudges need no photo: leave it and '--source' out, or calibrate first")
    name = args.profile or store.newest(board.id).name

    def changed(profile: Profile) -> Profile:
        if profile.board != board.id:
            raise HomeError(
                f"the profile {profile.name!r} is of the board {profile.board!r}, not {board.id!r}"
            )
        for key in args.no_nudge or ():
            if key != ALL and key not in profile.nudges_mm:
                raise HomeError(f"{key!r} was not moved; '--nudges' lists what was")
            profile = without_nudges(profile) if key == ALL else without_nudge(profile, key)
        for one in args.nudge or ():
            profile = nudged(profile, board, one.key, one.by_mm)
        return profile

    profile = store.change(name, changed)
    if args.json:
        print(json.dumps({"profile": profile.name, "nudges_mm": profile.nudges_mm}))
    else:
        print(*_lines(profile), sep="\n")
    return 0


def _lines(profile: Profile) -> list[str]:
    if not profile.nudges_mm:
        return [f"profile {profile.name!r}: nothing is moved"]
    lines = [f"profile {profile.name!r}: moved by hand, in millimetres to the right and down"]
    width = max(len(key) for key in profile.nudges_mm)
    lines += [f"{key:{width}} {x:+6.1f} {y:+6.1f}" for key, (x, y) in profile.nudges_mm.items()]
    return lines

"""Read real photos as other cameras would have rendered them, and count what nobody is asked about.

    python benchmarks/other_cameras.py [--exposures 2] [--renderings 'gamma*' plain]
                                       [--references another fingerprint same] [--shoots shoot-1]
                                       [--json FILE]

A seeded sample of exposures of every shoot and light, at most 1920 pixels wide, is rendered
(hardships/renderings.py), found anew and read. The reference is the empty board of another shoot as
it is (`another`; Europe has one shoot only, so its own), the fingerprint without any photo, or
(`same`) the empty board of another shoot rendered by the same camera.

A photo is refused where its board is not found, or where a note asks for another photo: what is
wrong and certain in such a one is told apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from fnmatch import fnmatch
from pathlib import Path

import msgspec
from railspotter.calibration.arrays import Picture
from railspotter.webui.words.translation import json_bytes

from hardships.readings import (
    BLANKS,
    CERTAIN,
    WITH_DOUBT,
    Rendered,
    picture_of,
    read_by,
    sample,
    scorer_of,
)
from hardships.renderings import RENDERINGS
from photos import left_out
from photos.labelled import LabelledPhoto

KINDS = ("another", "fingerprint", "same")


def read(photo: LabelledPhoto, picture: Picture, kind: str, rendering: str) -> Rendered:
    """Find and read one rendered photo, and hold it against its truth."""
    # What does not depend on the rendering is kept from one to the next.
    made_by = rendering if kind == "same" else "plain"
    scorer = scorer_of(photo.board, photo.shoot, kind, made_by)
    return read_by(scorer, photo, RENDERINGS[rendering](picture), kind, rendering)


def as_text(seen: Iterable[Rendered]) -> Iterator[str]:
    """Yield the table, a line for each kind of reference and rendering."""
    by_name: dict[tuple[str, str], list[Rendered]] = defaultdict(list)
    for one in seen:
        by_name[one.kind, one.rendering].append(one)
    head = ("read by", "rendered as", "photos", "not found", "refused", "routes", "right %")
    more = (WITH_DOUBT, CERTAIN, "certain, refused", "needless a photo")
    yield f"| {' | '.join((*head, *more))} |"
    yield "|---" * (len(head) + len(more)) + "|"
    for (kind, rendering), photos in by_name.items():
        found = [one for one in photos if one.is_found]
        used = [one for one in found if not one.refused]
        routes = sum(one.routes for one in found)
        figures = (
            len(photos),
            len(photos) - len(found),
            len(found) - len(used),
            routes,
            f"{100 * sum(one.right for one in found) / max(routes, 1):.2f}",
            sum(one.with_doubt for one in found),
            sum(len(one.certain) for one in used),
            sum(len(one.certain) for one in found if one.refused),
            f"{sum(one.needless for one in used) / max(len(used), 1):.1f}",
        )
        yield f"| {kind} | {rendering} | {' | '.join(map(str, figures))} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Render, read and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--exposures", type=int, default=1, help="of each light")
    parser.add_argument("--renderings", nargs="+", default=["*"], metavar="GLOB")
    parser.add_argument("--references", nargs="+", default=["another"], choices=KINDS)
    shoots = sorted({shoot for _, shoot in BLANKS})
    parser.add_argument("--shoots", nargs="+", default=shoots, choices=shoots)
    parser.add_argument("--only", default="*", metavar="GLOB", help="photos of such names")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, too")
    left_out.add_options(parser)
    options = parser.parse_args(argv)
    left_out.read_with(options)
    photos = [
        photo
        for photo in sample(options.exposures, options.shoots)
        if fnmatch(photo.path.name, options.only)
    ]
    names = [n for n in RENDERINGS if any(fnmatch(n, glob) for glob in options.renderings)]
    if not photos or not names:
        print("no photos, or no such rendering", file=sys.stderr)
        return 2
    photos.sort(key=lambda photo: (photo.board, photo.shoot))
    seen = []
    for kind in options.references:
        for name in names if kind == "same" else [""]:
            for photo in photos:
                picture = picture_of(photo)
                for rendering in [name] if kind == "same" else names:
                    one = read(photo, picture, kind, rendering)
                    seen.append(one)
                    for wrong in one.certain:
                        apart = f" ({one.refused})" if one.refused else ""
                        print(f"{one.photo}, {kind}, {rendering}: {wrong}{apart}", flush=True)
                    if not one.is_found:
                        print(f"{one.photo}, {kind}, {rendering}: {one.refused}", flush=True)
    print(*as_text(seen), sep="\n")
    if options.json:
        document = [asdict(one) for one in seen]
        options.json.write_bytes(msgspec.json.format(json_bytes(document)) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

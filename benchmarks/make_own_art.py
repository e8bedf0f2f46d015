"""Make pictures of boards in made-up editions of their own art, each with its truth.

    python benchmarks/make_own_art.py OUT --prints own-art-0 own-art-1 ... [--board europe]
                                      [--tilt 0 45] [--size 1600 1200] [--claimed .15 .85] [--empty]

Places and routes are the board's; inks, ground, marks of spaces and places, lettering and drawings
are made up (rendered/own_art.py), or those of any other print of traced/prints.py. Trains are drawn
by the virtual camera, which needs no path tracer and proves less. Of each print there is a picture
for each share of routes that are claimed, BOARD-PRINT-SHARE.jpg, and its truth beside it as
`make_traced.py` writes it, so that `read_photos.py --photos OUT` judges it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from railspotter.scoring.board import Board, RouteId, load_board
from railspotter.scoring.edition import Edition, load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.placing import stand_stations, stand_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.webui.words.translation import json_bytes

from traced.prints import Print, load_print

ALIKE = 0.3  # how often somebody who has a print's colour has its route


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures."""
    options = _options(argv)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.prints:
        made = load_print(options.board, name)
        for number, share in enumerate([0.0] if options.empty else options.claimed):
            stem = f"{options.board}-{name}-{round(100 * share):02d}"
            jpeg, truth = make_picture(options, made, share, number)
            truth["photo"] = f"{stem}.jpg"
            (options.out / truth["photo"]).write_bytes(jpeg)
            label = msgspec.json.format(json_bytes(truth)) + b"\n"
            (options.out / f"{stem}.json").write_bytes(label)
            print(f"{stem}: {len(truth['claims'])} routes claimed", flush=True)
    return 0


def make_picture(
    options: argparse.Namespace, made: Print, share: float, number: int
) -> tuple[bytes, dict[str, Any]]:
    """Return a picture of a print with a share of its routes claimed, a JPEG, and its truth."""
    flat, edition = load_board(options.board), load_edition(options.board)
    rng = np.random.default_rng([number, *made.name.encode()])
    claims = claim_routes(flat, edition, share, rng)
    width, height = options.size
    view = CameraSetup(
        (width, height),
        tilt_deg=float(rng.uniform(*options.tilt)),
        heading_deg=float(rng.choice([0.0, 180.0]) + rng.normal(0, 15)),
        roll_deg=float(rng.normal(0, 4)),
        distance_mm=float(rng.uniform(900, 1300)),
        fill=float(rng.uniform(0.75, 0.95)),
    )
    sensor = Sensor(rng.uniform(0.5, 1.1), 0.2, rng.uniform(2, 5), None, int(rng.integers(1 << 30)))
    camera = VirtualCamera(flat, made.copy, view, sensor, int(rng.integers(99)), made.picture)
    pieces = stand_trains(camera.printed, claims, int(rng.integers(1 << 30)), looseness=1.3)
    players = sorted({*claims.values()})
    stations = {
        str(place): players[i % len(players)]
        for i, place in enumerate(rng.permutation([p.id for p in flat.places])[: len(players)])
        if edition.stations and share > 0.2
    }
    pieces += stand_stations(camera.printed, stations, 1)
    light = Light(
        strength=float(rng.uniform(0.75, 1.05)),
        gain_bgr=tuple(rng.normal((0.93, 1.0, 1.02), 0.05).tolist()),
        from_deg=float(rng.uniform(0, 360)),
        softness=float(rng.uniform(0.03, 0.3)),
        ambient=float(rng.uniform(0.5, 0.75)),
        falloff=float(rng.uniform(0, 0.3)),
    )
    frame = camera.take(Scene(pieces, light=light))
    jpeg = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
    return jpeg, {
        "board": options.board,
        "shoot": made.name,
        "size_px": [width, height],
        "corners_px": frame.corners_px.round(2).tolist(),
        "claims": frame.claims,
        "spaces": {route: list(colours) for route, colours in frame.spaces.items()},
        "half_filled_routes": [],
        "stray_trains": [],
        "stations": stations if edition.stations else None,
        "unseen": [],
        "notes": f"drawn; tilt {view.tilt_deg:.0f}",
    }


def claim_routes(
    board: Board, edition: Edition, share: float, rng: np.random.Generator
) -> dict[RouteId, str]:
    """Give some routes to players, as far as their trains reach."""
    players = [str(colour) for colour in rng.permutation(edition.colours)]
    players = players[: max(2, round(share * edition.players[1] * 1.2))]
    left = dict.fromkeys(players, edition.trains)
    claims: dict[RouteId, str] = {}
    for number in rng.permutation(len(board.routes))[: round(share * len(board.routes))]:
        route = board.routes[number]
        beside = {claims.get(lane) for lane in board.other_lanes.get(route.id, ())}
        able = [p for p in players if left[p] >= route.length and p not in beside]
        if able:
            is_own = route.colour in able and rng.random() < ALIKE
            owner = route.colour if is_own else able[rng.integers(len(able))]
            claims[route.id] = owner
            left[owner] -= route.length
    return claims


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--prints", nargs="+", required=True, help="as traced/prints.py names them")
    parser.add_argument("--board", choices=("usa", "europe", "newyork"), default="europe")
    parser.add_argument("--tilt", nargs=2, type=float, default=(0.0, 45.0), metavar="DEG")
    parser.add_argument("--size", nargs=2, type=int, default=(1600, 1200), metavar="PX")
    parser.add_argument("--claimed", nargs="+", type=float, default=(0.15, 0.85), metavar="SHARE")
    parser.add_argument("--empty", action="store_true", help="nobody has played yet")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

"""Make pictures of boards in made-up editions with their own art, with ground truth.

    python benchmarks/make_own_art.py OUT --prints own-art-0 own-art-1 ... [--board europe]
                                      [--tilt 0 45] [--size 1600 1200] [--claimed .15 .85] [--empty]
                                      [--pictures 1 --seed 0] [--real-taxis] [--plastic]

Places and routes are the board's; inks, ground, marks of spaces and places, lettering and drawings
are made up (rendered/own_art.py), or those of any other print of traced/prints.py. Trains are drawn
by the virtual camera, which needs no path tracer and proves less. `--real-taxis`, of New York, lays
taxis in the pixels of the real ones' scans (traced/real_taxis.py) in the light of lamps of 2,400 to
7,000 K. Of each print there are so many pictures for each share of routes that are claimed,
BOARD-PRINT-SHARE-SEED.jpg, and its truth beside it as `make_traced.py` writes it, so that
`read_photos.py --photos OUT` judges it, and with `--plastic` where that is seen, a PNG.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from railspotter.calibration.arrays import Mask
from railspotter.scoring.board import Board, RouteId, load_board
from railspotter.scoring.edition import Edition, load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.pieces import Piece, place_stations, place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.solids import Solid
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.webui.words.translation import json_bytes

from hardships.renderings import lamp_cast
from traced.moulds import stand
from traced.picture import solids_mask
from traced.prints import Print, load_print
from traced.real_taxis import make_taxi

OWN_COLOUR_SHARE = 0.3  # how often somebody who has a print's colour has its route


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures."""
    options = _parse_options(argv)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.prints:
        print_ = load_print(options.board, name)
        shares = [0.0] if options.empty else options.claimed
        for number in range(options.seed, options.seed + options.pictures * len(shares)):
            share = shares[number % len(shares)]
            stem = f"{options.board}-{name}-{round(100 * share):02d}-{number:04d}"
            jpeg, truth, is_plastic = make_picture(options, print_, share, number)
            truth["photo"] = f"{stem}.jpg"
            (options.out / truth["photo"]).write_bytes(jpeg)
            label = msgspec.json.format(json_bytes(truth)) + b"\n"
            (options.out / f"{stem}.json").write_bytes(label)
            if options.plastic:
                mask = np.asarray(is_plastic, np.uint8) * 255
                png = cv2.imencode(".png", mask)[1].tobytes()
                (options.out / f"{stem}.png").write_bytes(png)
            print(f"{stem}: {len(truth['claims'])} routes claimed", flush=True)
    return 0


def make_picture(
    options: argparse.Namespace, print_: Print, share: float, number: int
) -> tuple[bytes, dict[str, Any], Mask]:
    """Return a picture of a print with some routes claimed, as `make_traced.py` does.

    That is a JPEG, the truth about it, and where plastic is seen.
    """
    board, edition = load_board(options.board), load_edition(options.board)
    rng = np.random.default_rng([number, *print_.name.encode()])
    claims = claim_routes(board, edition, share, rng)
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
    camera_class = RealTaxiCamera if options.real_taxis else VirtualCamera
    camera = camera_class(board, print_.copy, view, sensor, int(rng.integers(99)), print_.picture)
    pieces = place_trains(camera.printed, claims, int(rng.integers(1 << 30)), looseness=1.3)
    players = sorted({*claims.values()})
    stations = {
        str(place): players[i % len(players)]
        for i, place in enumerate(rng.permutation([p.id for p in board.places])[: len(players)])
        if edition.stations and share > 0.2
    }
    pieces += place_stations(camera.printed, stations, 1)
    light = Light(
        strength=float(rng.uniform(0.75, 1.05)),
        gain_bgr=tuple(rng.normal((0.93, 1.0, 1.02), 0.05).tolist()),
        from_deg=float(rng.uniform(0, 360)),
        softness=float(rng.uniform(0.03, 0.3)),
        ambient=float(rng.uniform(0.5, 0.75)),
        falloff=float(rng.uniform(0, 0.3)),
    )
    if options.real_taxis:  # a phone takes out some of a lamp's colour
        lamp = np.array(lamp_cast(float(rng.uniform(2400, 7000)), share=0.4))
        light = replace(light, gain_bgr=tuple((lamp ** (1 / 2.2) * light.gain_bgr).tolist()))
    frame = camera.take(Scene(pieces, light=light))
    jpeg = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
    bodies = [camera.solid_of(piece) for piece in pieces]
    truth = {
        "board": options.board,
        "shoot": print_.name,
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
    return jpeg, truth, solids_mask(bodies, frame.projection)


class RealTaxiCamera(VirtualCamera):
    """A camera that renders New York's taxis from scans."""

    def solid_of(self, item: Piece | Thing) -> Solid:
        """Return the solid of a piece or thing."""
        if isinstance(item, Thing):
            return super().solid_of(item)
        body = make_taxi(item.colour, load_edition("newyork").train_size_mm)
        rise = float(self.copy.height_mm(item.xy_mm, self.printed.size_mm))
        return stand(body, item.xy_mm, item.angle_deg, item.z_mm + rise, item.lean_deg)


def claim_routes(
    board: Board, edition: Edition, share: float, rng: np.random.Generator
) -> dict[RouteId, str]:
    """Give random routes to players, as far as their trains suffice."""
    players = [str(colour) for colour in rng.permutation(edition.colours)]
    players = players[: max(2, round(share * edition.players[1] * 1.2))]
    left = dict.fromkeys(players, edition.trains)
    claims: dict[RouteId, str] = {}
    for number in rng.permutation(len(board.routes))[: round(share * len(board.routes))]:
        route = board.routes[number]
        beside = {claims.get(lane) for lane in board.other_lanes.get(route.id, ())}
        candidates = [p for p in players if left[p] >= route.length and p not in beside]
        if candidates:
            is_own = route.colour in candidates and rng.random() < OWN_COLOUR_SHARE
            owner = route.colour if is_own else candidates[rng.integers(len(candidates))]
            claims[route.id] = owner
            left[owner] -= route.length
    return claims


def _parse_options(argv: Sequence[str] | None) -> argparse.Namespace:
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
    parser.add_argument("--pictures", type=int, default=1, help="of each share of claimed routes")
    parser.add_argument("--seed", type=int, default=0, help="of the first; each next has the next")
    parser.add_argument("--real-taxis", action="store_true", help="of New York, as scanned")
    parser.add_argument("--plastic", action="store_true", help="write where it is seen, too: a PNG")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

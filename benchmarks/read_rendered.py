"""Read drawn boards of editions that nobody photographed yet, and say how well it went.

    python benchmarks/read_rendered.py [--edition newyork usa-accessible] [--seeds 0 1 2]
                                       [--lights even warm ...] [--players] [--wrong]

Each seed is a copy of the board with plastic of its own, calibrated from a picture of it empty, and
a game played to its end. It is read in every light, from a side that the seed and the
light choose, with the pieces and without; `--players` says who plays. Seeds and lights named in
`HELD_OUT` were looked at by nobody who chose a number of the reader. Drawn boards prove that no
part is missing, not how well real ones are read.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import Edition, load_edition
from railspotter.simulation.played_game import play_game
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.pieces import place_trains
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame, VirtualCamera
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from rendered.shape_windows import place_on_pins

EDITIONS = ("newyork", "usa-accessible")
PLAIN = "usa"  # the same board as the accessible edition's, with trains
LIGHTS = {
    "even": Light(),
    "warm": Light(gain_bgr=(0.7, 0.95, 1.05), from_deg=120),
    "hard": Light(softness=0.01, ambient=0.35, height_deg=40, from_deg=300),
    "window": Light(softness=0.3, falloff=0.5, from_deg=180, height_deg=35),
    "dim": Light(strength=0.6, gain_bgr=(0.85, 1.0, 1.05), from_deg=30),
    "cold": Light(gain_bgr=(1.1, 1.0, 0.8), from_deg=70, falloff=0.3),
    "glare": Light(glare=0.3, from_deg=250, height_deg=70),
    "low": Light(height_deg=25, from_deg=330, ambient=0.5, softness=0.03),
}
SEEDS = (0, 1, 2, 20, 21, 22)
HELD_OUT = {"low", 20, 21, 22}
VIEWS = (
    CameraSetup((1600, 1200), tilt_deg=5),
    CameraSetup((1600, 1200), tilt_deg=25, heading_deg=-60),
    CameraSetup((1600, 1200), tilt_deg=32, heading_deg=15),
    CameraSetup((1280, 960), tilt_deg=15, heading_deg=80, distance_mm=1100),
    CameraSetup((1280, 960), tilt_deg=20, heading_deg=180, roll_deg=180),
)
PLAYERS = 4


@dataclass(frozen=True)
class PictureResult:
    """The reading of one picture."""

    edition: str
    seed: int
    light: str
    is_empty: bool  # whether it shows the board without pieces
    routes: int  # of the board
    wrong: tuple[str, ...]  # what was read wrongly, in words
    certain: int  # how many of those nobody would be asked about
    doubts: int

    @property
    def is_held_out(self) -> bool:
        """Whether its seed or its light was not looked at before."""
        return self.seed in HELD_OUT or self.light in HELD_OUT


def main(argv: Sequence[str] | None = None) -> int:
    """Read the pictures and print a line for each light."""
    options = _parse_options(argv)
    for name in options.edition:
        results: list[PictureResult] = []
        for seed in options.seeds:
            results += read_copy(load_edition(name), seed, options.lights, named=options.players)
        print(f"{name:28} pictures  routes %  wrong & certain  doubts a picture")
        for light in options.lights:
            print_row(light, [j for j in results if j.light == light and not j.is_empty])
        played = [j for j in results if not j.is_empty]
        print_row("seen while choosing", [j for j in played if not j.is_held_out])
        print_row("held out, seed or light", [j for j in played if j.is_held_out])
        print_row("empty boards", [j for j in results if j.is_empty])
        if options.wrong:
            for one in results:
                for words in one.wrong:
                    print(f"  {one.seed} {one.light} {'empty' if one.is_empty else ''} {words}")
        sys.stdout.flush()
    return 0


def print_row(name: str, results: Sequence[PictureResult]) -> None:
    """Print the figures of some pictures."""
    if not results:
        return
    routes = sum(j.routes for j in results)
    right = 100 * (1 - sum(len(j.wrong) for j in results) / routes)
    doubts = sum(j.doubts for j in results) / len(results)
    certain = sum(j.certain for j in results)
    print(f"  {name:26} {len(results):8} {right:9.2f} {certain:16} {doubts:17.2f}")


def read_copy(
    edition: Edition, seed: int, lights: Sequence[str], *, named: bool = False
) -> Iterator[PictureResult]:
    """Calibrate one copy, and read it in every light, played and empty."""
    claims = _final_claims(edition, seed)
    scorer = _make_scorer(edition, seed, tuple(sorted({*claims.values()})) if named else None)
    for light in lights:
        for shown in (claims, {}):
            frame = take_picture(edition, seed, light, shown)
            photo = scorer.score([(light, frame.picture)])
            if not photo.found:
                lost = f"the board was not found: {photo.reason}"
                yield PictureResult(edition.id, seed, light, not shown, len(claims), (lost,), 0, 0)
                continue
            routes, answers = photo.board.route_by_id, photo.claims
            doubted = {d.spot.id: d.why for d in photo.doubts if d.spot.kind == "route"}
            wrong = {
                route: f"{route}: {answers.get(route)}, is {shown.get(route)}; {doubted.get(route)}"
                for route in routes
                if answers.get(route) != shown.get(route)
            }
            yield PictureResult(
                edition.id,
                seed,
                light,
                not shown,
                len(routes),
                tuple(wrong.values()),
                len(wrong.keys() - doubted.keys()),
                len(doubted),
            )


def take_picture(
    edition: Edition, seed: int, light: str, claims: Mapping[str, str]
) -> RenderedFrame:
    """Take a picture of a copy's board with the pieces of these claims."""
    number = seed + list(LIGHTS).index(light)
    camera = _make_camera(edition, seed, VIEWS[number % len(VIEWS)], Sensor(noise=3.0, seed=number))
    standing = place_trains(camera.printed, claims, seed, kind=edition.train_word)
    if edition.one_piece_a_route:
        standing = place_on_pins(camera.printed, claims, seed)
    return camera.take(Scene(standing, light=LIGHTS[light]))


def _make_camera(edition: Edition, seed: int, view: CameraSetup, sensor: Sensor) -> VirtualCamera:
    copy = Copy(
        seed=seed,
        stray_print_mm=3.0,
        ink_spread=5.0,
        plastic_spread=7.0,
        train_size_mm=edition.train_size_mm,
    )
    return VirtualCamera(load_board(edition.board), copy, view, sensor)


def _make_scorer(
    edition: Edition, seed: int, players: tuple[str, ...] | None = None
) -> PhotoScorer:
    empty = _make_camera(
        edition, seed, CameraSetup((1600, 1200), tilt_deg=3), Sensor(seed=seed)
    ).take(Scene())
    board = load_board(edition.board)
    profile = make_profile(empty.picture, board, empty.corners_px, "drawn", "2026-01-01T00:00:00")
    return PhotoScorer(ReadingPlan(board, edition, profile, players))


def _final_claims(edition: Edition, seed: int) -> dict[str, str]:
    board = load_board(edition.board)
    players = min(PLAYERS, edition.players[1])
    game = play_game(edition, board, players, seed)
    return dict(game.end.claims)


def _parse_options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edition", nargs="+", default=EDITIONS, choices=(*EDITIONS, PLAIN))
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS, help="which copies")
    parser.add_argument("--lights", nargs="+", default=list(LIGHTS), choices=list(LIGHTS))
    parser.add_argument("--players", action="store_true", help="say who plays")
    parser.add_argument("--wrong", action="store_true", help="name routes that were read wrongly")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

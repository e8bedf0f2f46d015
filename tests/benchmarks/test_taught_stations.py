"""Stations for teaching and judging lie as people lay them, and windows know where they stand."""

from pathlib import Path

import numpy as np
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.look.station_net import PLANES, WINDOW_PX, ground_of, see_ground
from railspotter.vision.printed.printed_board import PrintedBoard

from composed.stations import APART_MM, BESIDE_MM, CutStation, lay_stations, paint_stations
from rendered.station_windows import render_windows
from teaching.taught_stations import LOOSE_MM, SeenStations, cut_windows, load, save

EUROPE = load_board("europe")
ABOVE = Viewpoint(397.0, 265.0, 700.0)
PX_PER_MM = 1.0


def cut(colour: str) -> CutStation:
    """A white square that leans as what stands 150 mm from the point under the camera."""
    share = np.zeros((40, 40), np.float32)
    share[13:27, 13:27] = 1.0
    picture = np.full((40, 40, 3), 255, np.uint8)
    return CutStation(colour, "", picture, share, np.zeros(2), np.array([3.0, 0.0]))


def test_stations_are_laid_one_a_city_and_apart() -> None:
    rng = np.random.default_rng(3)
    spaces = {route.id: ["red"] * route.length for route in EUROPE.routes}
    cuts = [cut("blue"), cut("green")]
    laid = lay_stations(EUROPE, ABOVE, spaces, cuts, ("blue", "green"), 3, rng)
    assert len(laid) >= 2
    assert len({station.place for station in laid}) == len(laid)
    feet = np.array([station.foot_mm for station in laid])
    apart = np.linalg.norm(feet[:, None] - feet[None], axis=-1) + 1e3 * np.eye(len(feet))
    assert apart.min() > APART_MM
    for station in laid:
        away = np.hypot(*(station.foot_mm - EUROPE.place_by_id[station.place].xy_mm))
        assert away < BESIDE_MM[1] + 12

    board = np.zeros((530, 795, 3), np.uint8)
    picture, covered = paint_stations(board, PX_PER_MM, ABOVE, laid, rng)
    assert (picture.max(axis=-1)[covered > 0.99] > 240).all()
    assert 150 * len(laid) < covered.sum() < 250 * len(laid)


def test_rendered_windows_tell_where_a_station_stands_and_come_back_from_their_file(
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(5)
    made = [render_windows(rng, [EUROPE]) for _ in range(4)]
    save(tmp_path / "windows.npz", iter(made))
    taught = load([tmp_path / "windows.npz"])
    assert taught.fed.shape[1:] == (PLANES, WINDOW_PX, WINDOW_PX)
    assert 0 < taught.stands.mean() < 1
    assert len(taught.stands) == sum(len(part.stands) for part in made)
    middle = slice(WINDOW_PX // 2 - 3, WINDOW_PX // 2 + 3)
    like = taught.fed[:, 8, middle, middle].astype(np.float32).mean(axis=(1, 2))
    assert like[taught.stands == 1].mean() > 0, "a station has the colour that is looked for"


def test_nobody_can_say_what_lies_about_a_city_whose_station_did_not_come_out() -> None:
    printed = PrintedBoard(EUROPE, draw_board(EUROPE, 1.5), 1.5)
    ground = ground_of(printed)
    photo = ground.reference.copy()
    dot = np.array(EUROPE.place_by_id["moskva"].xy_mm)
    x, y = np.add(dot, (0, 11)).astype(int)
    photo[y - 8 : y + 8, x - 8 : x + 8] = (52, 49, 176)
    seen = see_ground(photo, ground, [TrainColour("red", (45.0, 60.0, 40.0), 11.0)])

    def bare(loose: bool) -> int:
        rng = np.random.default_rng(1)
        windows = cut_windows(seen, SeenStations(dot[None], [0], [loose]), ABOVE, rng)
        return int((windows.stands == 0).sum())

    assert LOOSE_MM > 11
    assert bare(loose=True) < bare(loose=False)

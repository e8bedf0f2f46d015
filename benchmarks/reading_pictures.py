"""Draw the pictures of docs/vision.md: one photo of a drawn board, step by step to its answer.

    python benchmarks/reading_pictures.py [--out DIR]

They hold nothing that the program has not drawn itself, and are the same whenever they are drawn.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Picture
from railspotter.calibration.pose import NotFound
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.pieces import Piece
from railspotter.simulation.virtual_board.placing import push_route
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.set_up.demo import demo_game, demo_scorer
from railspotter.vision.look.evidence import colour_evidence
from railspotter.vision.look.shape_look import plastic_map
from railspotter.vision.reading.annotate import annotate
from railspotter.vision.reading.cue_reader import WeighedBoard, weigh
from railspotter.vision.reading.doubts import reading_of

from contact_sheets import DOCS, MIDDLE, bump, save

PHOTO_WH, CELL_WH = (1600, 1067), (520, 347)
COLUMNS = 2
CAPTION_PX = 28
# Left, top, width and height of the part of the board that the steps show.
PART_MM = (250.0, 250.0, 300.0, 200.0)
COLOUR = "blue"
PLAIN_BGR, TRAIN_BGR = (70, 170, 70), (60, 60, 220)
LAMP = Light(
    gain_bgr=(0.62, 0.85, 1.0), from_deg=215.0, height_deg=38.0, softness=0.02, falloff=0.3
)


def main() -> None:
    """Draw the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DOCS, help="where to (default: docs/)")
    save(parser.parse_args().out / "vision-steps.jpg", steps())


def steps() -> Picture:
    """Return the sheet: every step of one reading."""
    scorer = demo_scorer()
    photo = take()
    found = scorer.find(photo)
    if isinstance(found, NotFound):
        raise SystemExit(found.reason)
    weighed = weigh(found.view)
    whole = photo.copy()
    outline = np.rint(found.corners_px * 16).astype(np.int32)
    cv2.polylines(whole, [outline], True, (255, 0, 255), 3, cv2.LINE_AA, 4)
    small = cv2.resize(whole, CELL_WH, interpolation=cv2.INTER_AREA)
    cells = {
        "1 the photo; the board is found": np.asarray(small, np.uint8),
        "2 from above": part(found.view.rectified, weighed),
        "3 in the light of the reference": part(weighed.first.picture, weighed),
        "4 what the net sees stand: red is a train": part(covered(weighed), weighed),
        "5 where the net sees plastic, near routes": part(plastic(weighed), weighed),
        f"6 evidence for this photo's {COLOUR}, pixel by pixel": part(evidence(weighed), weighed),
        f"7 odds of {COLOUR} for each space": part(odds(weighed), weighed),
        "8 the answer, with what it asks": part(answer(weighed), weighed),
    }
    captioned = [caption(name, cell) for name, cell in cells.items()]
    rows = [np.hstack(captioned[i : i + COLUMNS]) for i in range(0, len(captioned), COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def take() -> Picture:
    """Take the photo: a game half played, in lamp light, after somebody's sleeve."""
    game, board = demo_game(), load_board("usa")
    pieces = game.enactment.pieces_at(MIDDLE * game.duration_s)
    camera = VirtualCamera(
        board, view=CameraSetup(PHOTO_WH, tilt_deg=22.0, heading_deg=6.0, fill=0.95)
    )
    return camera.take(Scene(untidy(pieces), light=LAMP)).picture


def untidy(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return the trains with one route pushed aside, and one train onto the lane beside it."""
    board = load_board("usa")
    taken = {piece.route for piece in pieces}
    for route in sorted(name for name in taken if name and name in board.other_lanes):
        free = board.other_lanes[route] - taken
        if free and board.route_by_id[route].length > 1:
            pushed = push_route(pieces, route, 3.0, 2.0, 5.0)
            return bump(pushed, board, route, 0, min(free))
    raise SystemExit("no double route of the drawn game has a free lane")


def part(picture: Picture, weighed: WeighedBoard) -> Picture:
    """Return the part of the board that the steps show."""
    scale = weighed.view.printed.px_per_mm
    left, top, width, height = (round(mm * scale) for mm in PART_MM)
    cut = picture[top : top + height, left : left + width]
    return np.asarray(cv2.resize(cut, CELL_WH, interpolation=cv2.INTER_AREA), np.uint8)


def evidence(weighed: WeighedBoard) -> Picture:
    """Return the evidence for one colour, brighter for more, where spaces are."""
    view, first = weighed.view, weighed.first
    values = colour_evidence(first.seen, first.colours)[:, view.pieces.colours.index(COLOUR)]
    grey = np.full(view.rectified.shape[:2], 40, np.uint8)
    grey.reshape(-1)[view.printed.seen_pixels] = np.clip(110 + 32 * values, 0, 255)
    filled = cv2.medianBlur(grey, 3)  # windows are looked at more coarsely than pixels lie
    return np.asarray(cv2.cvtColor(filled, cv2.COLOR_GRAY2BGR), np.uint8)


def plastic(weighed: WeighedBoard) -> Picture:
    """Return where plastic is seen, brighter for surer."""
    height, width = weighed.view.rectified.shape[:2]
    seen = plastic_map(weighed.view.printed, weighed.first.shape.plastic)
    grey = np.asarray(cv2.resize(40 + 210 * seen, (width, height)), np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def covered(weighed: WeighedBoard) -> Picture:
    """Return what the net says of each space, from green for bare to red for a train."""
    return marked(weighed, weighed.first.shape.covered, 5.0)


def odds(weighed: WeighedBoard) -> Picture:
    """Return what all cues come to for one colour on each space, green for not to red for yes."""
    return marked(weighed, weighed.odds.spaces[:, weighed.view.pieces.colours.index(COLOUR)], 5.0)


def marked(weighed: WeighedBoard, values: AnyFloats, most: float) -> Picture:
    """Return the faded photo with every space filled by its value, -`most` to `most`."""
    picture, printed = faded(weighed), weighed.view.printed
    share = np.clip(values / most, -1, 1) / 2 + 0.5
    for space, train in enumerate(share):
        along = printed.along[space] * printed.size_mm[space, 0] * 0.38
        across = printed.across[space] * printed.size_mm[space, 1] * 0.3
        corners = printed.xy_mm[space] + np.array(
            [along + across, along - across, -along - across, across - along]
        )
        colour = np.array(PLAIN_BGR) * (1 - train) + np.array(TRAIN_BGR) * train
        outline = np.rint((corners * printed.px_per_mm - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, outline, colour.tolist(), cv2.LINE_AA, 4)
    return picture


def answer(weighed: WeighedBoard) -> Picture:
    """Return the annotated board."""
    reading = reading_of(weighed.view, weighed.first, weighed.odds)
    return annotate(weighed.view, reading)


def faded(weighed: WeighedBoard) -> Picture:
    """Return the photo, pale, for something to be drawn upon."""
    return np.asarray(128 + weighed.first.picture // 2, np.uint8)


def caption(name: str, cell: Picture) -> Picture:
    """Return a picture with its name below it."""
    framed = cv2.copyMakeBorder(cell, 3, CAPTION_PX, 3, 3, cv2.BORDER_CONSTANT, value=(255,) * 3)
    at = 8, framed.shape[0] - 9
    cv2.putText(framed, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.52, (40, 30, 30), 1, cv2.LINE_AA)
    return np.asarray(framed, np.uint8)


if __name__ == "__main__":
    main()

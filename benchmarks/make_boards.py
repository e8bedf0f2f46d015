"""How well board files are made from pictures: `python benchmarks/make_boards.py [--only WORD]`.

Photos of empty boards in ../shared/photos and drawn boards are given with their places alone; what
is proposed is held against the board file. Choices were made on shoot-1 and the drawn boards;
shoot-2 (USA) and shoot-4 (Europe) were held out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.board_making.growing import places_of
from railspotter.calibration.board_making.printed_spaces import FoundSpace, find_spaces
from railspotter.calibration.board_making.proposal import proposal_of
from railspotter.calibration.board_making.proposal_values import (
    BoardProposal,
    ProposedRoute,
    ProposedSpace,
)
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import Pose, rectify
from railspotter.scoring.board import Board, Route, Space, load_board
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.photo_file import load_photo

from photos.labelled import PHOTOS, labelled_photos

CHOSEN_ON = ("shoot-1", "drawn")
DRAWN = ("usa", "newyork", "europe")
PX_PER_MM = 2.0
NEAR_MM, NEAR_DEG = 4.0, 15.0  # how near a found space must be to a printed one to count
# How far from the board file's a route's spaces may be: printings differ by 6 mm, and routes beside
# each other are further apart than that.
SAME_ROUTE_MM = 12.0


@dataclass(frozen=True)
class Shown:
    """A picture of an empty board from straight above."""

    name: str
    shoot: str
    board: Board
    picture: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Judged:
    """How well one board was proposed."""

    recall: float  # recall, precision: Of the spaces in the routes proposed
    precision: float
    found: float  # share of the printed spaces that were found at all, in a route or not
    # routes, right, right_colours: Printed; proposed with the right ends, length and place; of
    # those with the right colour.
    routes: int
    right: int
    right_colours: int
    # rejects, lengths, by_hand, spaces_by_hand: What is to be done: proposals that are no route,
    # routes of a wrong length, routes that are to be made by hand, and the spaces in them.
    rejects: int
    lengths: int
    by_hand: int
    spaces_by_hand: int
    # wrong, untold: Proposals that are wrong, but for their colour, and those of them without a
    # doubt.
    wrong: int
    untold: int
    looks: int  # routes with a doubt
    # doubles, doubles_right: Double routes printed, and those of which every lane was proposed
    # rightly.
    doubles: int
    doubles_right: int
    ratio: float  # time for it in times of a SIFT search on the same picture, here

    @property
    def edits(self) -> int:
        """Everything that a person does to it, looking not counted."""
        colours = self.right - self.right_colours
        return self.rejects + self.lengths + colours + self.by_hand + self.spaces_by_hand


def shown_boards(only: str) -> Iterator[Shown]:
    """Yield the pictures, larger sizes of an exposure where there are several."""
    photos = {p.exposure: p for p in labelled_photos(PHOTOS) if p.is_blank}  # _1920 comes last
    for photo in photos.values():
        name = f"{photo.shoot} {photo.path.stem}"
        if only in name:
            board = load_board(photo.board)
            corners = homography_from_corners(photo.corners_px, board.size_mm)
            pose = Pose(corners, np.zeros((1, 1, 2)), board.size_mm, 0, 1.0)
            picture = rectify(load_photo(photo.path), pose, PX_PER_MM)
            yield Shown(name, photo.shoot, board, picture)
    for kind in DRAWN:
        if only in f"drawn {kind}":
            board = load_board(kind)
            yield Shown(f"drawn {kind}", "drawn", board, draw_board(board, PX_PER_MM, seed=1))


def judge(shown: Shown) -> tuple[Judged, BoardProposal]:
    """Propose a board, and hold it against the truth."""
    board = shown.board
    unit = _seconds_of_sift(shown.picture)
    started = time.perf_counter()
    spaces = find_spaces(shown.picture, board.size_mm)
    proposal = proposal_of(spaces, board.size_mm, places_of(board))
    ratio = (time.perf_counter() - started) / unit
    pairs = pair_routes(board.routes, proposal.routes)
    missed = [r for r in board.routes if r.id not in {truth.id for truth, _ in pairs}]
    taken = {route.number for _, route in pairs}
    wrong = [route for route in proposal.routes if route.number not in taken]
    lengthened = _same_ends(missed, wrong)
    by_hand = [r for r in missed if r.id not in {truth.id for truth, _ in lengthened}]
    printed = [space for route in board.routes for space in route.spaces]
    laid = [space for route in proposal.routes for space in route.spaces]
    hits = _hits(printed, laid)
    right = {truth.id for truth, _ in pairs}
    return (
        Judged(
            hits / len(printed),
            hits / max(len(laid), 1),
            _hits(printed, spaces) / len(printed),
            len(board.routes),
            len(pairs),
            sum(truth.colour == route.colour for truth, route in pairs),
            len(wrong) - len(lengthened),
            len(lengthened),
            len(by_hand),
            sum(route.length for route in by_hand),
            len(wrong),
            sum(not route.doubts for route in wrong),
            sum(bool(route.doubts) for route in proposal.routes),
            len(board.lanes),
            sum(all(lane in right for lane in lanes) for lanes in board.lanes),
            ratio,
        ),
        proposal,
    )


def pair_routes(
    printed: Sequence[Route], proposed: Sequence[ProposedRoute]
) -> list[tuple[Route, ProposedRoute]]:
    """Return the proposals that are a printed route: its ends, its length, where it lies."""
    offers = sorted(
        (
            (_apart_mm(truth, route), i, k)
            for i, truth in enumerate(printed)
            for k, route in enumerate(proposed)
            if route.ends == {truth.a, truth.b} and route.length == truth.length
        ),
    )
    pairs, done_printed, done_proposed = [], set(), set()
    for off_mm, i, k in offers:
        if off_mm < SAME_ROUTE_MM and i not in done_printed and k not in done_proposed:
            pairs.append((printed[i], proposed[k]))
            done_printed.add(i)
            done_proposed.add(k)
    return pairs


def _apart_mm(truth: Route, route: ProposedRoute) -> float:
    spaces = route.spaces if route.a == truth.a else route.spaces[::-1]
    off = np.subtract([s.xy_mm for s in spaces], [s.xy_mm for s in truth.spaces])
    return float(np.hypot(*off.T).max())


def _same_ends(
    missed: Sequence[Route], wrong: Sequence[ProposedRoute]
) -> list[tuple[Route, ProposedRoute]]:
    """Return missed routes that were proposed between the right places in a wrong length."""
    free = list(wrong)
    pairs = []
    for truth in missed:
        for route in free:
            if route.ends == {truth.a, truth.b}:
                pairs.append((truth, route))
                free.remove(route)
                break
    return pairs


def _hits(printed: Sequence[Space], found: Sequence[ProposedSpace] | Sequence[FoundSpace]) -> int:
    """Return how many printed spaces one found space each is near enough to."""
    if not found:
        return 0
    at = np.array([space.xy_mm for space in found])
    angle = np.array([space.angle_deg for space in found])
    free = np.ones(len(found), bool)
    hits = 0
    for space in printed:
        off = np.hypot(*(at - space.xy_mm).T)
        turn = np.abs((angle - space.angle_deg + 90) % 180 - 90)
        near = np.nonzero(free & (off < NEAR_MM) & (turn < NEAR_DEG))[0]
        if len(near):
            free[near[np.argmin(off[near])]] = False
            hits += 1
    return hits


def _seconds_of_sift(picture: npt.NDArray[np.uint8]) -> float:
    started = time.perf_counter()
    cv2.SIFT.create(2000).detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    return time.perf_counter() - started


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORD", help="pictures with it in their name")
    parser.add_argument("--wrong", action="store_true", help="also print what is wrong")
    args = parser.parse_args(argv)
    print(
        f"{'':34s} spaces: found recall precis. routes right colours doubles wrong untold looks"
        " | reject length by hand (spaces) = edits, x SIFT"
    )
    for shown in shown_boards(args.only):
        one, proposal = judge(shown)
        held = " " if shown.shoot in CHOSEN_ON else "*"
        print(
            f"{held}{shown.name:33s} {one.found:13.3f} {one.recall:6.3f} {one.precision:7.3f}"
            f" {one.right:3d} of {one.routes:3d} {one.right_colours:7d}"
            f" {one.doubles_right:2d} of {one.doubles:2d} {one.wrong:5d} {one.untold:6d}"
            f" {one.looks:5d} | {one.rejects:6d} {one.lengths:6d} {one.by_hand:7d}"
            f" {one.spaces_by_hand:8d}   {one.edits:5d} {one.ratio:7.0f}",
            flush=True,
        )
        if args.wrong:
            _print_wrong(shown.board, proposal)
    print("* held out when choices were made")
    return 0


def _print_wrong(board: Board, proposal: BoardProposal) -> None:
    pairs = pair_routes(board.routes, proposal.routes)
    right = {truth.id for truth, _ in pairs}
    taken = {route.number for _, route in pairs}
    print("   missed:", ", ".join(r.id for r in board.routes if r.id not in right))
    for route in proposal.routes:
        if route.number not in taken:
            doubts = "; ".join(route.doubts) or "no doubt"
            print(f"   wrong: {route.a} - {route.b}, {route.length} {route.colour}: {doubts}")


if __name__ == "__main__":
    sys.exit(main())

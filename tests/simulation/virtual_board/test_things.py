"""Hands and what people put down: where they are, what they cover, and that seeds hold."""

import numpy as np
import pytest
from railspotter.simulation.arrays import Mask, Picture
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.solids import draw_mask, paint_solid
from railspotter.simulation.virtual_board.things import HANDS, TABLE_THINGS, Thing, thing_solid

BOARD_MM = (795.0, 525.0)
GROUND = 118
VIEW = CameraSetup((960, 640), tilt_deg=0)
TILTED = CameraSetup((960, 640), tilt_deg=40, heading_deg=20)
SEATS = {"below": -90.0, "above": 90.0, "left": 0.0, "right": 180.0}

any_kind = pytest.mark.parametrize("kind", [*HANDS, *TABLE_THINGS])


def painted(thing: Thing, view: CameraSetup = VIEW) -> Picture:
    picture = np.full((view.size_wh[1], view.size_wh[0], 3), GROUND, np.uint8)
    paint_solid(picture, thing_solid(thing), view.projection(BOARD_MM), Light())
    return picture


def covered(thing: Thing, view: CameraSetup = VIEW) -> Mask:
    mask = np.zeros((view.size_wh[1], view.size_wh[0]), np.uint8)
    draw_mask(mask, thing_solid(thing), view.projection(BOARD_MM))
    return mask > 0


class TestEveryThing:
    @any_kind
    @pytest.mark.parametrize("view", [VIEW, TILTED], ids=["from above", "tilted"])
    def test_covers_what_its_mask_says(self, kind: str, view: CameraSetup) -> None:
        for seed in (0, 1):
            thing = Thing(kind, (420.0, 260.0), -70.0, seed)
            changed = (painted(thing, view) != GROUND).any(axis=2)
            mask = covered(thing, view)
            assert (changed & mask).sum() > 0.97 * (changed | mask).sum()

    @any_kind
    def test_lies_on_the_board_or_as_high_as_it_is_held(self, kind: str) -> None:
        for z_mm in (0.0, 60.0):
            corners = thing_solid(Thing(kind, (0.0, 0.0), z_mm=z_mm)).corners
            assert -4 < corners[:, 2].min() - z_mm < 8


class TestHands:
    @pytest.mark.parametrize("kind", HANDS)
    @pytest.mark.parametrize(("seat", "angle_deg"), SEATS.items(), ids=SEATS.keys())
    def test_reach_from_their_seat_and_no_farther(
        self, kind: str, seat: str, angle_deg: float
    ) -> None:
        """The arm leaves the picture on the player's side only; the rest ends at the fingers."""
        mask = covered(Thing(kind, (400.0, 260.0), angle_deg, seed=3))
        edges = {"below": mask[-1], "above": mask[0], "left": mask[:, 0], "right": mask[:, -1]}
        assert edges[seat].any()
        assert not any(edge.any() for side, edge in edges.items() if side != seat)
        fingertips = VIEW.projection(BOARD_MM).project([(400.0, 260.0, 10.0)])[0]
        ahead = np.array([np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))])
        reach = (np.argwhere(mask)[:, ::-1] - fingertips) @ ahead
        px_per_mm = VIEW.projection(BOARD_MM).px_per_mm((400.0, 260.0))
        assert -6 < reach.max() / px_per_mm < 30

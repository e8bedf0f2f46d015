"""Hands and what people put down: where they are, what they cover, and that seeds hold."""

from __future__ import annotations

import numpy as np
import pytest
from railspotter.simulation.arrays import Mask, Picture
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.solids import cover, joined, paint_solids
from railspotter.simulation.virtual_board.standing import cast_shadows
from railspotter.simulation.virtual_board.things import HANDS, LYING, Thing, thing_solids

BOARD_MM = (795.0, 525.0)
GROUND = 118
VIEW = CameraSetup((960, 640), tilt_deg=0)
TILTED = CameraSetup((960, 640), tilt_deg=40, heading_deg=20)
SEATS = {"below": -90.0, "above": 90.0, "left": 0.0, "right": 180.0}

any_kind = pytest.mark.parametrize("kind", [*HANDS, *LYING])


def painted(thing: Thing, view: CameraSetup = VIEW) -> Picture:
    picture = np.full((view.size_wh[1], view.size_wh[0], 3), GROUND, np.uint8)
    paint_solids(picture, thing_solids(thing), view.projection(BOARD_MM), Light())
    return picture


def covered(thing: Thing, view: CameraSetup = VIEW) -> Mask:
    mask = np.zeros((view.size_wh[1], view.size_wh[0]), np.uint8)
    cover(mask, thing_solids(thing), view.projection(BOARD_MM))
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
            corners = joined(thing_solids(Thing(kind, (0.0, 0.0), z_mm=z_mm))).corners
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

    def test_have_five_fingers(self) -> None:
        """A line across a hand that lies flat crosses four fingers; the thumb is beside them."""
        mask = covered(Thing("flat hand", (400.0, 160.0), -90.0, seed=3))
        tips = VIEW.projection(BOARD_MM).project([(400.0, 160.0 + back, 10.0) for back in (40, 70)])
        across = [int((np.diff(mask[round(y)].astype(int)) == 1).sum()) for _, y in tips]
        assert across == [4, 5] or across[0] in (3, 4)
        assert across[1] >= 2

    def test_show_the_train_they_hold(self) -> None:
        bare, holding = (
            painted(Thing("hand", (400.0, 260.0), -90.0, 2, 40.0, holds=holds))
            for holds in (None, "blue")
        )
        changed = (bare != holding).any(axis=2)
        x, y = VIEW.projection(BOARD_MM).project([(400.0, 260.0, 45.0)])[0]
        assert np.abs(np.argwhere(changed).mean(axis=0) - (y, x)).max() < 15
        assert changed.sum() > 60
        blue, _, red = np.median(holding[changed], axis=0)
        assert blue > red + 50

    def test_throw_a_shadow_beside_them_when_held_up(self) -> None:
        """The lamp is on the left: held 60 mm higher the shadow moves 60 mm to the right."""
        light = Light(from_deg=180, height_deg=45, softness=0.02)
        middles = []
        for z_mm in (0.0, 60.0):
            solids = thing_solids(Thing("hand", (400.0, 160.0), -90.0, 2, z_mm))
            shade = np.zeros((640, 960), np.uint8)
            cast_shadows(shade, solids, VIEW.projection(BOARD_MM), light)
            middles.append(np.argwhere(shade > 127)[:, 1].mean())
        px_per_mm = VIEW.projection(BOARD_MM).px_per_mm((400.0, 260.0))
        assert (middles[1] - middles[0]) / px_per_mm == pytest.approx(60.0, abs=8.0)

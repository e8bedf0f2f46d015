"""Solid bodies: where they are painted, what hides what, and the shadows they cast."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from railspotter.simulation.arrays import Picture
from railspotter.simulation.virtual_board.bodies import box, disc, loft, prism, tube
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.solids import Solid, cover, fused, joined, paint_solids
from railspotter.simulation.virtual_board.standing import bounds_px, cast_shadows

from .pinholes import seen_at

TABLE_MM = (400.0, 300.0)
RED, BLUE = (30.0, 30.0, 220.0), (220.0, 60.0, 30.0)
OVERHEAD = Light(height_deg=90, ambient=0.5, softness=0.0)
VIEWS = {
    "from above": CameraSetup((640, 480), tilt_deg=0),
    "from the chair": CameraSetup((640, 480), tilt_deg=35),
    "from the left, low": CameraSetup((640, 480), tilt_deg=55, heading_deg=-90),
    "from across the table": CameraSetup((640, 480), tilt_deg=20, heading_deg=160, distance_mm=600),
}

any_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())


def blank(view: CameraSetup) -> Picture:
    return np.full((view.size_wh[1], view.size_wh[0], 3), 128, np.uint8)


def block(x: float, y: float, size: float = 30.0, high: float = 40.0) -> Solid:
    half = size / 2
    return box((x - half, y - half, 0.0), (x + half, y + half, high)).dyed(RED, 0.0)


def painted(view: CameraSetup, solids: list[Solid], light: Light = OVERHEAD) -> Picture:
    picture = blank(view)
    paint_solids(picture, solids, view.projection(TABLE_MM), light)
    return picture


def shade_of(view: CameraSetup, solids: list[Solid], light: Light) -> Picture:
    shade = blank(view)[..., 0] * 0
    cast_shadows(shade, solids, view.projection(TABLE_MM), light)
    return shade


class TestPainting:
    @any_view
    def test_corners_are_where_another_pinhole_has_them(self, view: CameraSetup) -> None:
        """The body is found by its colour; its outline is that of the eight corners."""
        solid = block(130.0, 90.0)
        outline = cv2.convexHull(seen_at(view, TABLE_MM, solid.corners).astype(np.float32))[:, 0]
        picture = painted(view, [solid])
        is_red = picture[..., 2].astype(int) > picture[..., 0].astype(int) + 20
        found = np.argwhere(is_red)[:, ::-1]
        assert abs(len(found) - cv2.contourArea(outline)) < 1.5 * cv2.arcLength(outline, True)
        for corner in outline:
            assert np.linalg.norm(found - corner, axis=1).min() < 1.5
        for pixel in found[:: max(1, len(found) // 200)]:
            assert cv2.pointPolygonTest(outline, pixel.astype(float).tolist(), True) > -1.5

    @any_view
    @pytest.mark.parametrize("turned_around", [False, True])
    def test_the_near_one_covers_the_far_one(self, view: CameraSetup, turned_around: bool) -> None:
        first = block(200.0, 150.0, size=8, high=50).dyed(RED, 0)
        way = np.deg2rad(view.heading_deg)
        nearer = 200 + 20 * np.sin(way), 150 + 20 * np.cos(way)
        second = block(*nearer, size=8, high=50).dyed(BLUE, 0)
        picture = painted(view, [second, first] if turned_around else [first, second])
        alone = painted(view, [second])
        is_second = (alone != 128).any(axis=2)
        inside = cv2.erode(is_second.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        assert inside.sum() > 50
        assert (picture[inside] == alone[inside]).all()

    def test_a_level_face_in_the_lamp_has_the_inks_own_tone(self) -> None:
        view = VIEWS["from above"]
        for height_deg in (30, 60, 90):
            light = Light(height_deg=height_deg, ambient=0.3)
            picture = painted(view, [block(200.0, 150.0)], light)
            assert picture[240, 320].tolist() == pytest.approx(list(RED), abs=1)

    def test_the_side_to_the_lamp_is_the_lighter_one(self) -> None:
        view = CameraSetup((640, 480), tilt_deg=50)
        near_side = painted(view, [block(200.0, 150.0)], Light(from_deg=90, height_deg=40))
        away = painted(view, [block(200.0, 150.0)], Light(from_deg=-90, height_deg=40))
        x, y = np.rint(seen_at(view, TABLE_MM, [(200.0, 165.0, 20.0)])[0]).astype(int)
        assert near_side[y, x, 2] > 2 * away[y, x, 2]

    def test_gloss_shines_where_the_lamp_is_mirrored(self) -> None:
        view = VIEWS["from above"]
        plate = block(200.0, 150.0, size=60, high=1).dyed((40.0, 40.0, 40.0), 80.0)
        assert painted(view, [plate], OVERHEAD)[240, 320, 0] > 100
        aside = Light(height_deg=30, ambient=0.5)
        assert painted(view, [plate], aside)[240, 320, 0] < 45

    def test_a_part_of_the_picture_has_the_bytes_of_the_whole(self) -> None:
        view = VIEWS["from the chair"]
        projection = view.projection(TABLE_MM)
        solids = [block(150.0, 120.0), block(190.0, 150.0).dyed(BLUE, 40.0)]
        light = Light(from_deg=200, height_deg=40, softness=0.05)
        left, top, right, bottom = bounds_px(solids, projection, light)
        inside = np.s_[top:bottom, left:right]
        whole, part = painted(view, solids, light), blank(view)[inside].copy()
        paint_solids(part, solids, projection, light, (left, top))
        assert (part == whole[inside]).all()
        mask, piece = np.zeros((480, 640), np.uint8), np.zeros(part.shape[:2], np.uint8)
        cover(mask, solids, projection)
        cover(piece, solids, projection, (left, top))
        assert (piece == mask[inside]).all()

    def test_what_is_behind_the_lens_is_left_out(self) -> None:
        view = CameraSetup((640, 480), tilt_deg=70, distance_mm=700)
        tower = box((180.0, 640.0, 0.0), (220.0, 700.0, 600.0))  # it reaches around the lens
        assert (painted(view, [tower]) == 128).all()
        assert bounds_px([tower], view.projection(TABLE_MM)) == (0, 0, 0, 0)

    def test_nothing_changes_nothing(self) -> None:
        view = VIEWS["from above"]
        assert (painted(view, []) == 128).all()
        assert not shade_of(view, [], OVERHEAD).any()
        assert bounds_px([], view.projection(TABLE_MM)) == (0, 0, 0, 0)


class TestBounds:
    @any_view
    @pytest.mark.parametrize("softness", [0.0, 0.06, 0.3])
    def test_hold_all_that_changes_and_little_else(
        self, view: CameraSetup, softness: float
    ) -> None:
        light = Light(from_deg=20, height_deg=50, softness=softness)
        solids = [block(180.0, 140.0, size=20)]
        changed = (painted(view, solids, light) != 128).any(axis=2)
        changed |= shade_of(view, solids, light) > 0
        rows, columns = np.nonzero(changed)
        left, top, right, bottom = bounds_px(solids, view.projection(TABLE_MM), light)
        assert left <= columns.min()
        assert top <= rows.min()
        assert right > columns.max()
        assert bottom > rows.max()
        slack = 6 if softness == 0 else 40
        assert columns.min() - left < slack
        assert bottom - rows.max() < slack


class TestShadows:
    @pytest.mark.parametrize("from_deg", [0, 75, 180, 290])
    @pytest.mark.parametrize("height_deg", [30, 45, 70])
    def test_fall_away_from_the_lamp_as_far_as_its_height_says(
        self, from_deg: int, height_deg: int
    ) -> None:
        view = CameraSetup((900, 675), tilt_deg=0, distance_mm=2000)
        high = 50.0
        pole = prism([(199.5, 149.5), (200.5, 149.5), (200.5, 150.5), (199.5, 150.5)], 0, high, 2)
        light = Light(from_deg=from_deg, height_deg=height_deg, softness=0.0)
        shade = shade_of(view, [pole], light)
        rows, columns = np.nonzero(shade > 100)
        foot, right = seen_at(view, TABLE_MM, [(200.0, 150.0, 0.0), (300.0, 150.0, 0.0)])
        px_per_mm = (right[0] - foot[0]) / 100
        off_mm = (np.column_stack([columns, rows]) - foot) / px_per_mm
        tip = off_mm[np.argmax(np.hypot(*off_mm.T))]
        length = high / np.tan(np.deg2rad(height_deg))
        assert np.hypot(*tip) == pytest.approx(length, abs=1.5)
        lamp = np.array([np.cos(np.deg2rad(from_deg)), np.sin(np.deg2rad(from_deg))])
        assert tip @ lamp / np.hypot(*tip) < -0.99

    def test_are_the_softer_the_higher_the_part(self) -> None:
        """A plate held up has a wide edge; the same plate near the board a narrow one."""
        view = CameraSetup((900, 675), tilt_deg=0)
        light = Light(height_deg=90, softness=0.1)

        def edge_px(z: float) -> int:
            plate = box((150.0, 100.0, z), (250.0, 200.0, z + 1))
            row = shade_of(view, [plate], light)[337].astype(int)
            return int(((row > 15) & (row < 240)).sum())

        assert edge_px(60.0) > 3 * edge_px(5.0) > 0
        hard = Light(height_deg=90, softness=0.0)
        held_up = box((150.0, 100.0, 60.0), (250.0, 200.0, 61.0))
        row = shade_of(view, [held_up], hard)[337].astype(int)
        assert ((row > 15) & (row < 240)).sum() <= 6

    def test_a_soft_one_keeps_its_middle_and_its_amount(self) -> None:
        view = CameraSetup((900, 675), tilt_deg=0)
        plate = box((150.0, 100.0, 40.0), (250.0, 200.0, 41.0))
        hard, soft = (
            shade_of(view, [plate], Light(height_deg=60, softness=s)) for s in (0.0, 0.15)
        )
        assert soft.astype(float).sum() == pytest.approx(hard.astype(float).sum(), rel=0.02)
        middles = [np.argwhere(one > 127).mean(axis=0) for one in (hard, soft)]
        assert np.abs(middles[0] - middles[1]).max() < 1.0


class TestBodies:
    @pytest.mark.parametrize(
        "solid",
        [
            box((1, 2, 3), (4, 6, 8)),
            prism([(0, 0), (6, 0), (3, 5)], -2, 9, axis=0),
            prism([(0, 0), (6, 0), (3, 5)], -2, 9, axis=1),
            loft([disc((0, 0, 0), 5.0), disc((1, 0, 4), 4.0), disc((2, 0, 6), 1.0)]),
        ],
        ids=["box", "roof along x", "roof along y", "loft"],
    )
    def test_normals_point_out_and_are_right_angled(self, solid: Solid) -> None:
        middle = solid.corners.mean(axis=0)
        assert np.linalg.norm(solid.normals, axis=1) == pytest.approx(1.0)
        for face, normal in zip(solid.faces, solid.normals, strict=True):
            outline = solid.corners[face]
            assert normal @ (outline.mean(axis=0) - middle) > 0
            assert np.abs((outline - outline[0]) @ normal).max() < 0.2

    def test_a_limb_is_as_thick_as_it_says_and_has_no_walls_inside(self) -> None:
        stretches = tube([(0, 0, 20), (50, 0, 20), (100, 0, 20)], [(8, 4), (10, 5), (8, 4)])
        assert len(stretches) == 2
        for stretch in stretches:
            assert np.abs(stretch.normals[:, 0]).max() < 0.5
            assert np.abs(stretch.corners[:, 1]).max() == pytest.approx(10.0)
            assert stretch.corners[:, 2].max() == pytest.approx(25.0)

    def test_joined_bodies_keep_their_order_fused_ones_do_not(self) -> None:
        pair = [block(100.0, 100.0), block(300.0, 100.0)]
        assert joined([joined(pair), pair[0]]).groups.max() == 2
        assert fused(pair).groups.max() == 0
        assert joined(pair).parts == ((0, 8), (8, 16))
        view = VIEWS["from the chair"]
        assert (painted(view, [joined(pair)]) == painted(view, pair)).all()

"""The pieces of every edition: their colours and sizes, and that they are found in the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import ArrayLike
from railspotter.scoring.edition import edition_names, load_edition
from railspotter.simulation.arrays import Points
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.errors import SceneError
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.pieces import (
    KINDS,
    PLASTIC_INKS,
    TRAIN_SIZE_MM,
    Piece,
    piece_solids,
    plastic_ink,
)
from railspotter.simulation.virtual_board.solids import cover, joined, paint_solids
from railspotter.simulation.virtual_board.standing import cast_shadows

from .pinholes import seen_at

TABLE_MM = (300.0, 200.0)
VIEWS = {
    "from above": CameraSetup((900, 600), tilt_deg=0),
    "from the chair": CameraSetup((900, 600), tilt_deg=30),
    "from the right, low": CameraSetup((900, 600), tilt_deg=50, heading_deg=90, distance_mm=600),
}


def corners_of(piece: Piece, size_mm: tuple[float, float, float] = TRAIN_SIZE_MM) -> Points:
    return joined(piece_solids(piece, size_mm)).corners


def chroma(ink: ArrayLike) -> Points:
    """The colour without what a highlight adds to all channels."""
    channels = np.array(ink, dtype=np.float64)
    return np.asarray(channels - channels.min(), np.float64)


class TestEditions:
    @pytest.mark.parametrize("name", edition_names())
    def test_every_colour_is_there_and_like_no_other(self, name: str) -> None:
        colours = load_edition(name).colours
        inks = [np.array(plastic_ink(colour), float) for colour in colours]
        for i, ink in enumerate(inks):
            assert all(np.abs(ink - other).sum() > 60 for other in inks[:i])

    @pytest.mark.parametrize("name", ["usa", "europe", "newyork"])
    def test_a_train_is_as_large_as_the_edition_says(self, name: str) -> None:
        edition = load_edition(name)
        assert edition.train_size_mm is not None
        corners = corners_of(Piece(edition.train_word, "blue", (0.0, 0.0)), edition.train_size_mm)
        length, width, high = np.ptp(corners, axis=0)
        assert (length, width) == pytest.approx(edition.train_size_mm[:2], abs=0.6)
        assert edition.train_size_mm[2] <= high <= edition.train_size_mm[2] + 2  # the chimney

    def test_every_train_word_of_a_board_is_a_kind(self) -> None:
        words = {load_edition(name).train_word for name in edition_names()}
        assert words - {"card"} <= set(KINDS)


class TestSpread:
    def test_games_differ_and_a_game_stays_the_same(self) -> None:
        games = [plastic_ink("green", spread=12.0, seed=seed) for seed in range(40)]
        assert games[3] == plastic_ink("green", spread=12.0, seed=3)
        assert 7 < np.std([green for _, green, _ in games]) < 18
        assert plastic_ink("green", spread=0.0, seed=9) == PLASTIC_INKS["green"]


class TestPosture:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("lean_deg", [0, 12, 90, -90, 180])
    @pytest.mark.parametrize("z_mm", [0, 60])
    def test_stands_on_the_board_or_where_it_is_held(
        self, kind: str, lean_deg: float, z_mm: float
    ) -> None:
        piece = Piece(kind, "red", (40.0, 50.0), 33.0, z_mm=z_mm, lean_deg=lean_deg)
        assert corners_of(piece)[:, 2].min() == pytest.approx(z_mm)

    def test_leans_to_its_right(self) -> None:
        """A train that heads right has the bottom edge of the board, y down, to its right."""
        upright, tipped = (
            corners_of(Piece("train", "red", (0.0, 0.0), 0.0, lean_deg=lean)) for lean in (0, 20)
        )
        top = upright[:, 2].argmax()
        off = tipped[top] - tipped.mean(axis=0)
        assert off[1] > 1
        assert np.ptp(tipped[:, 1]) > np.ptp(upright[:, 1]) + 0.5

    def test_on_its_side_its_height_lies_flat(self) -> None:
        lying = corners_of(Piece("train", "red", (0.0, 0.0), 0.0, lean_deg=90))
        assert lying[:, 2].max() == pytest.approx(TRAIN_SIZE_MM[1], abs=0.1)
        assert np.ptp(lying[:, 1]) > TRAIN_SIZE_MM[2]

    def test_turns_clockwise_from_the_x_axis(self) -> None:
        front = corners_of(Piece("train", "red", (0.0, 0.0), 0.0))
        chimney = front[front[:, 2].argmax()]
        assert chimney[0] > 5
        turned = corners_of(Piece("train", "red", (0.0, 0.0), 90.0))
        assert turned[front[:, 2].argmax()][1] == pytest.approx(chimney[0])


class TestInThePicture:
    @pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
    @pytest.mark.parametrize("colour", PLASTIC_INKS)
    def test_a_train_is_found_by_its_colour_where_another_pinhole_has_it(
        self, view: CameraSetup, colour: str
    ) -> None:
        """Its roof's middle shows its plastic, and the box around it all that changed."""
        ground = (150, 160, 110)
        picture = np.full((600, 900, 3), ground, np.uint8)
        train = Piece("train", colour, (110.0, 70.0), 25.0)
        paint_solids(picture, piece_solids(train), view.projection(TABLE_MM), Light())
        turn = np.deg2rad(25.0)
        along, across = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        length, width, high = TRAIN_SIZE_MM
        foot = [
            (110, 70) + i * along * length / 2 + j * across * width / 2
            for i in (-1, 1)
            for j in (-1, 1)
        ]
        corners = [(*xy, z) for xy in foot for z in (0.0, high + 2)]
        outline = cv2.convexHull(seen_at(view, TABLE_MM, corners).astype(np.float32))
        changed = (picture != ground).any(axis=2)
        for y, x in np.argwhere(changed):
            assert cv2.pointPolygonTest(outline, (float(x), float(y)), True) > -2
        assert changed.sum() > 0.7 * cv2.contourArea(outline)

        roof = seen_at(view, TABLE_MM, [(*((110, 70) + s * along), high) for s in (-3.5, 3.5)])
        for x, y in np.rint(roof).astype(int):
            seen = np.median(picture[y - 1 : y + 2, x - 1 : x + 2], axis=(0, 1))
            off = {
                other: np.abs(chroma(ink) - chroma(seen)).sum() + 0.3 * np.abs(ink - seen).sum()
                for other, ink in PLASTIC_INKS.items()
            }
            assert min(off, key=lambda other: off[other]) == colour

    @pytest.mark.parametrize("kind", KINDS)
    def test_its_mask_is_what_it_paints(self, kind: str) -> None:
        view = VIEWS["from the chair"]
        picture, mask = np.full((600, 900, 3), 90, np.uint8), np.zeros((600, 900), np.uint8)
        solids = piece_solids(Piece(kind, "yellow", (150.0, 100.0), 40.0))
        paint_solids(picture, solids, view.projection(TABLE_MM), Light())
        cover(mask, solids, view.projection(TABLE_MM))
        changed = (picture != 90).any(axis=2)
        assert (changed & (mask > 0)).sum() > 0.95 * (changed | (mask > 0)).sum()

    def test_upside_down_its_roof_is_out_of_sight(self) -> None:
        """From above all that is seen is its flat floor, in one tone but for its buffers."""
        tones = []
        for lean_deg in (0.0, 180.0):
            picture = np.full((600, 900, 3), 90, np.uint8)
            train = Piece("train", "yellow", (150.0, 100.0), lean_deg=lean_deg)
            paint_solids(
                picture, piece_solids(train), VIEWS["from above"].projection(TABLE_MM), Light()
            )
            around = seen_at(VIEWS["from above"], TABLE_MM, [(140, 97.5, 9), (160, 102.5, 9)])
            (left, top), (right, bottom) = np.rint(around).astype(int)
            tones.append(len(np.unique(picture[top:bottom, left:right].reshape(-1, 3), axis=0)))
        assert tones[1] <= 4 < 12 < tones[0]

    def test_its_shadow_is_beside_it_away_from_the_lamp(self) -> None:
        view, light = VIEWS["from above"], Light(from_deg=180, height_deg=30, softness=0.02)
        train = Piece("train", "red", (150.0, 100.0), 90.0)
        shade = np.zeros((600, 900), np.uint8)
        cast_shadows(shade, piece_solids(train), view.projection(TABLE_MM), light)
        beside = seen_at(view, TABLE_MM, [(150 + off, 100, 0) for off in (-9, -6, 9, 16, 25)])
        near_lamp, foot, behind, far, beyond = (
            int(shade[y, x]) for x, y in np.rint(beside).astype(int)
        )
        assert near_lamp == foot == beyond == 0
        assert behind == 255
        assert far > 200  # 9 mm at 30 degrees reach 15.6 mm past its side


class TestRefusals:
    def test_unknown_kind_and_colour(self) -> None:
        with pytest.raises(SceneError, match="no piece is a 'boat'; there are train, taxi"):
            Piece("boat", "red", (0.0, 0.0))
        with pytest.raises(SceneError, match="no train is 'beige'; there are black, blue, green"):
            Piece("train", "beige", (0.0, 0.0))
        with pytest.raises(SceneError, match="no train is 'teal'"):
            plastic_ink("teal")

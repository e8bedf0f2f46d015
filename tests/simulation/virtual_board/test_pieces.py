"""The pieces of every edition: their colours and sizes, and that they are found in the picture."""

from __future__ import annotations

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
    TRAIN_SIZE_MM,
    Piece,
    piece_solids,
    plastic_ink,
)
from railspotter.simulation.virtual_board.solids import cover, joined, paint_solids

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


class TestPosture:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("lean_deg", [0, 12, 90, -90])
    @pytest.mark.parametrize("z_mm", [0, 60])
    def test_stands_on_the_board_or_where_it_is_held(
        self, kind: str, lean_deg: float, z_mm: float
    ) -> None:
        piece = Piece(kind, "red", (40.0, 50.0), 33.0, z_mm=z_mm, lean_deg=lean_deg)
        assert corners_of(piece)[:, 2].min() == pytest.approx(z_mm)


class TestInThePicture:
    @pytest.mark.parametrize("kind", KINDS)
    def test_its_mask_is_what_it_paints(self, kind: str) -> None:
        view = VIEWS["from the chair"]
        picture, mask = np.full((600, 900, 3), 90, np.uint8), np.zeros((600, 900), np.uint8)
        solids = piece_solids(Piece(kind, "yellow", (150.0, 100.0), 40.0))
        paint_solids(picture, solids, view.projection(TABLE_MM), Light())
        cover(mask, solids, view.projection(TABLE_MM))
        changed = (picture != 90).any(axis=2)
        assert (changed & (mask > 0)).sum() > 0.95 * (changed | (mask > 0)).sum()


class TestRefusals:
    def test_unknown_kind_and_colour(self) -> None:
        with pytest.raises(SceneError, match="no piece is a 'boat'; there are train, taxi"):
            Piece("boat", "red", (0.0, 0.0))
        with pytest.raises(SceneError, match="no train is 'beige'; there are black, blue, green"):
            Piece("train", "beige", (0.0, 0.0))
        with pytest.raises(SceneError, match="no train is 'teal'"):
            plastic_ink("teal")

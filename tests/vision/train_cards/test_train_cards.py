"""Train cards in drawn photos: found, named, and in doubt where anybody would be."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from railspotter.simulation.virtual_cards import CARDS, deal, draw_card, print_deck
from railspotter.vision.train_cards import read_cards
from railspotter.vision.train_cards.card_colours import name_cards
from railspotter.vision.train_cards.table_plane import table_planes

from card_photos import judged

ALL_NINE = CARDS
CLEAR = [
    ("grid", "wood"),
    ("touching", "plain"),
    ("overlapping", "flowered"),
    ("scattered", "striped"),
]


@pytest.mark.parametrize(("laying", "cloth"), CLEAR)
def test_cards_in_even_light_are_counted_with_hardly_a_question(laying: str, cloth: str) -> None:
    photo = deal(2003, laying=laying, cloth=cloth, cards=ALL_NINE, is_kind=True, width_px=1200)
    reading = read_cards(photo.picture)
    counted = judged(photo, reading)
    assert counted.is_right, counted
    assert counted.right >= 7, counted
    assert len(reading.cards) == len(ALL_NINE) + counted.needless


def test_nothing_is_wrong_unasked_in_a_lamp_s_light_from_the_side() -> None:
    photo = deal(1004, width_px=1200)
    counted = judged(photo, read_cards(photo.picture))
    assert counted.wrong == counted.invented == counted.missed == 0, counted


def test_outlines_lie_where_the_cards_lie_and_are_told_row_by_row() -> None:
    photo = deal(2003, laying="grid", cloth="wood", cards=ALL_NINE, is_kind=True, width_px=1000)
    cards = [card for card in read_cards(photo.picture).cards if None not in card.alternatives]
    assert sorted(card.card for card in cards) == sorted(photo.cards)
    wide = float(np.hypot(*(photo.corners_px[0][2] - photo.corners_px[0][1])))
    for name, corners in zip(photo.cards, photo.corners_px, strict=True):
        (seen,) = [card for card in cards if card.card == name]
        off = np.linalg.norm(np.array(seen.outline_px)[:, None] - corners[None], axis=2).min(axis=1)
        assert off.max() < 0.15 * wide, name
    # A grid is dealt row by row, and read so.
    assert [card.card for card in cards] == list(photo.cards)


def test_a_card_that_is_partly_under_another_is_counted() -> None:
    photo = deal(
        2011, laying="overlapping", cloth="plain", cards=("green", "yellow", "pink"), is_kind=True
    )
    assert min(photo.shown) < 0.95
    reading = read_cards(photo.picture)
    assert reading.counts == {"green": 1, "yellow": 1, "pink": 1}


@pytest.mark.parametrize(
    "picture",
    [
        np.full((300, 400, 3), 128, np.uint8),
        np.random.default_rng(3).integers(0, 255, (480, 640, 3), dtype=np.uint8),
        np.kron(np.indices((12, 16)).sum(axis=0) % 2, np.ones((40, 40)))[..., None]
        .repeat(3, axis=2)
        .astype(np.uint8)
        * 200,
    ],
    ids=["grey", "noise", "a chequered cloth"],
)
def test_no_cards_are_found_where_there_are_none(picture: np.ndarray) -> None:
    reading = read_cards(picture)
    assert reading.cards == ()
    assert reading.reason is not None
    assert "no cards were found" in reading.reason


def test_a_hand_alone_is_no_card_for_sure() -> None:
    photo = deal(22, width_px=1200)
    without = photo.picture.copy()
    for corners in photo.corners_px:
        box = cv2.boundingRect(np.rint(corners).astype(np.int32))
        x, y, width, height = box
        without[max(0, y - 9) : y + height + 9, max(0, x - 9) : x + width + 9] = photo.picture[5, 5]
    assert [card for card in read_cards(without).cards if card.doubt is None] == []


def test_a_colour_is_named_by_the_light_of_its_own_photo() -> None:
    """The same faces, under a lamp that the camera did not correct."""
    deck = print_deck(91)
    faces = {card: draw_card(deck, card)[30:-30:6, 30:-30:6, :3].reshape(-1, 3) for card in CARDS}
    for gain in ((1.0, 1.0, 1.0), (0.62, 0.86, 1.08), (1.15, 1.02, 0.85)):
        lit = [
            np.clip(face * np.array(gain) * 0.85, 0, 255).astype(np.uint8)
            for face in faces.values()
        ]
        named = name_cards(lit)
        assert [one.card for one in named] == list(faces), gain
        assert all(abs(sum(odds for _, odds in one.odds) - 1) < 1e-6 for one in named)


def test_no_faces_are_no_cards() -> None:
    assert name_cards([]) == []


def test_a_tilted_table_is_seen_from_above() -> None:
    """Rectangles of one size are so again, however the camera was tilted."""
    cards = []
    for x in (0.0, 130.0, 300.0):
        for y, turn in ((0.0, 5.0), (120.0, 80.0)):
            way = cv2.getRotationMatrix2D((0, 0), turn, 1.0)[:, :2]
            box = np.array([(-44, -28.5), (44, -28.5), (44, 28.5), (-44, 28.5)])
            cards.append(box @ way.T + (x + 200, y + 200))
    tilted = np.array([(1.1, 0.12, 20), (-0.05, 0.95, 15), (0.0004, 0.0003, 1)])
    sheets = cv2.perspectiveTransform(np.array(cards).reshape(-1, 1, 2), tilted).reshape(-1, 4, 2)
    (plane, *_) = table_planes(np.asarray(sheets, np.float64), (700, 500))
    assert plane.votes == len(cards)
    above = cv2.perspectiveTransform(sheets.reshape(-1, 1, 2), plane.above_from_photo)
    sides = np.linalg.norm(np.diff(above.reshape(-1, 4, 2), axis=1), axis=2)
    assert np.ptp(sides[:, 0]) / sides[:, 0].mean() < 0.03
    assert np.ptp(sides[:, 1]) / sides[:, 1].mean() < 0.03


def test_a_photo_is_the_same_each_time_and_tells_the_truth() -> None:
    one, again = deal(7, width_px=400), deal(7, width_px=400)
    assert np.array_equal(one.picture, again.picture)
    assert one.cards == again.cards
    assert len(one.cards) == len(one.corners_px) == len(one.shown)
    assert all(0 <= shown <= 1 for shown in one.shown)

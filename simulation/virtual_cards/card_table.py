"""Photos of cards on a table: laid, lit, passed over by hands, and taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Float64s, Picture
from ..virtual_board import (
    CameraSetup,
    Exposure,
    Ground,
    Light,
    OccupiedGround,
    Piece,
    Projection,
    SceneError,
    Sensor,
    SensorRecorder,
    Solid,
    Thing,
    covered,
    darken,
    thing_solids,
)
from .card_print import PX_PER_MM, Deck, draw_card
from .cloths import lay_cloth

CLOTH_VARNISH, CARD_VARNISH = 40, 190
"""How strongly each mirrors a lamp; 255 is all of it."""
THICK_MM = 0.8
"""How high a card's edge stands: its shadow."""


@dataclass(frozen=True)
class LaidCard:
    """One card on the table: its middle, and how far it is turned clockwise from its long side."""

    card: str
    xy_mm: tuple[float, float]
    angle_deg: float


@dataclass(frozen=True)
class CardScene:
    """Cards, the lowest first, on a cloth, and what passes over them.

    Attributes
    ----------
    deck : Deck
    cards : tuple of LaidCard
    size_mm : tuple of float
        The part of the table that the picture is filled with.
    cloth : str
    things : tuple of Thing
    shade : tuple of float, optional
        Somebody's shadow: a point, the direction from it in which it is dark, degrees, and which
        share of the light it takes.
    seed : int
        Of the cloth.
    """

    deck: Deck
    cards: tuple[LaidCard, ...]
    size_mm: tuple[float, float]
    cloth: str = "wood"
    things: tuple[Thing, ...] = ()
    shade: tuple[float, float, float, float] | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class CardPhoto:
    """A photo and what is true of it.

    Attributes
    ----------
    picture : (H, W, 3) uint8 array, BGR
    cards : tuple of str
        What each card is.
    corners_px : (N, 4, 2) float64 array
        Its corners in the photo.
    shown : tuple of float
        Share of each that is neither under another card, nor behind a hand, nor off the picture.
    """

    picture: Picture
    cards: tuple[str, ...]
    corners_px: Float64s
    shown: tuple[float, ...]


def take_photo(scene: CardScene, view: CameraSetup, light: Light, sensor: Sensor) -> CardPhoto:
    """Take a photo of cards on a table."""
    seen = view.projection(scene.size_mm)
    picture = lay_cloth(scene.cloth, scene.seed, seen)
    varnish = np.full(picture.shape[:2], CLOTH_VARNISH, np.uint8)
    corners = [_corners_mm(scene.deck, laid) for laid in scene.cards]
    faces = {laid.card: draw_card(scene.deck, laid.card) for laid in scene.cards}
    top = np.zeros(picture.shape[:2], np.int32)
    for number, (laid, corners_mm) in enumerate(zip(scene.cards, corners, strict=True), 1):
        _lay(picture, faces[laid.card], corners_mm, seen, light)
        outline = covered(seen.size_wh, _project(seen, corners_mm))
        varnish[outline > 127] = CARD_VARNISH
        top[outline > 127] = number
    standing = OccupiedGround(Ground(picture, varnish), seen, light, _solids)
    look = standing.passed_over(scene.things)
    lit = Exposure(seen, light, sensor).expose(look.picture, look.varnish, light)
    if scene.shade is not None:
        _throw_shade(lit, scene.shade, seen)
    top[look.hidden > 127] = 0
    at_px = np.array([_project(seen, corners_mm) for corners_mm in corners]).reshape(-1, 4, 2)
    seen_px = np.bincount(top.ravel(), minlength=len(corners) + 1)[1:]
    shown = tuple(
        float(min(1.0, count / max(cv2.contourArea(one.astype(np.float32)), 1.0)))
        for count, one in zip(seen_px, at_px, strict=True)
    )
    names = tuple(laid.card for laid in scene.cards)
    return CardPhoto(SensorRecorder(sensor).record(lit, 0), names, at_px, shown)


def _solids(item: Piece | Thing) -> Sequence[Solid]:
    if isinstance(item, Thing):
        return thing_solids(item)
    raise SceneError(f"no {item.kind} stands on a table of cards")


def _corners_mm(deck: Deck, laid: LaidCard) -> Float64s:
    turn = np.deg2rad(laid.angle_deg)
    along = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-along[1], along[0]])
    long, wide = deck.size_mm
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    off = signs[:, :1] * long * along + signs[:, 1:] * wide * across
    return np.asarray(np.array(laid.xy_mm) + off, np.float64)


def _project(seen: Projection, points_mm: Float64s) -> Float64s:
    return seen.project(np.column_stack([points_mm, np.zeros(len(points_mm))]))


def _lay(
    picture: Picture, face: Picture, corners_mm: Float64s, seen: Projection, light: Light
) -> None:
    """Lay one card, its shadow first."""
    size_wh = seen.size_wh
    shadow_mm = corners_mm - THICK_MM * light.towards[:2] / max(light.towards[2], 0.3)
    shade = covered(size_wh, _project(seen, shadow_mm))
    px_per_mm = seen.px_per_mm(corners_mm.mean(axis=0))
    soft = cv2.GaussianBlur(shade, (0, 0), max(0.6, 0.8 * px_per_mm))
    darken(picture, np.asarray(soft, np.uint8), 0.4)
    height, width = face.shape[:2]
    # Seen smaller than drawn: smoothed first, or its lines would flicker.
    smooth = cv2.GaussianBlur(face, (0, 0), max(0.3, 0.45 * PX_PER_MM / px_per_mm))
    box = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    way = cv2.getPerspectiveTransform(box, _project(seen, corners_mm).astype(np.float32))
    warped = cv2.warpPerspective(smooth, way, size_wh, flags=cv2.INTER_LINEAR)
    share = warped[..., 3:].astype(np.float32) / 255
    # What is transparent was blurred into the corners; the share says how much.
    picture[:] = np.rint(share * warped[..., :3] + (1 - share) * picture).astype(np.uint8)


def _throw_shade(
    picture: Picture, shade: tuple[float, float, float, float], seen: Projection
) -> None:
    x_mm, y_mm, towards_deg, strength = shade
    height, width = picture.shape[:2]
    x, y = seen.project([(x_mm, y_mm, 0.0)])[0]
    turn = np.deg2rad(towards_deg)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    off = (columns - x) * np.cos(turn) + (rows - y) * np.sin(turn)
    soft = 0.02 * width
    dark = 1 / (1 + np.exp(-np.clip(off / soft, -30, 30)))
    darken(picture, np.rint(255 * dark).astype(np.uint8), strength)

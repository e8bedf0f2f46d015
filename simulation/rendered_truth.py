"""The truth beside a rendered picture, in the form that labelled photos have it."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np

from .virtual_board.frame import RenderedFrame
from .virtual_board.pieces import Piece
from .virtual_game import VirtualGame

# A train that counts nowhere is named by the nearest space, if that is so near: one more space
# would fit between.
STRAY_MM = 30.0


def truth_of(
    photo: str, frame: RenderedFrame, game: VirtualGame, t_s: float, scene: str
) -> dict[str, Any]:
    """Return what is true of a picture.

    Parameters
    ----------
    photo : str
        The picture's file name.
    frame : RenderedFrame
        The frame of that game at that moment.
    scene : str
        The kind of game.

    Returns
    -------
    dict
        `docs/virtual-board.md` says what each entry means.
    """
    edition, camera = game.enactment.played.edition, game.camera
    height, width = frame.picture.shape[:2]
    lens = frame.projection.lens
    now = game.enactment.truth_at(t_s)
    return {
        "photo": photo,
        "board": camera.printed.id,
        "edition": edition.id,
        "shoot": f"rendered-{edition.id}-{scene}-{game.seed}",
        "state": _state(frame),
        "size_px": [width, height],
        "corners_px": _rounded(frame.corners_px, 2),
        "claims": dict(sorted(frame.claims.items())),
        "spaces": {route: list(frame.spaces[route]) for route in sorted(frame.spaces)},
        "half_filled_routes": _half_filled(frame),
        "stray_trains": _stray_trains(frame, game),
        "stations": dict(sorted(now.stations.items())),
        "hidden": {
            route: _rounded(shares, 2)
            for route, shares in sorted(frame.hidden.items())
            if any(shares)
        },
        "frame_from_board": _rounded(frame.frame_from_board, 9),
        "lens": {
            "k1": lens.k1,
            "k2": lens.k2,
            "focal_px": round(lens.focal_px, 4),
            "centre_px": list(lens.centre_px),
        },
        "seed": game.seed,
        "seconds": round(t_s, 3),
        "notes": f"drawn by railspotter, scene {scene}",
    }


def truth_text(truth: dict[str, Any]) -> bytes:
    """Return the content of the file of truth: an entry a line, so that two can be compared."""
    lines = (f" {json.dumps(key)}: {json.dumps(value)}" for key, value in truth.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _state(frame: RenderedFrame) -> str:
    """Return a name that pictures with the same trains share."""
    standing = sorted((route, *map(str, spaces)) for route, spaces in frame.spaces.items())
    return f"{zlib.crc32(repr(standing).encode()):08x}"


def _half_filled(frame: RenderedFrame) -> list[str]:
    """Return the routes with too few trains; one shape is all of its route."""
    shapes = {piece.route for piece in frame.pieces if piece.kind == "shape"}
    return sorted(
        route for route in frame.claims if route not in shapes and None in frame.spaces[route]
    )


def _stray_trains(frame: RenderedFrame, game: VirtualGame) -> list[dict[str, Any]]:
    """Return the spaces nearest to the pieces that lie on the board and count nowhere."""
    board = game.camera.printed
    spaces = [(route.id, i, s) for route in board.routes for i, s in enumerate(route.spaces)]
    middles = np.array([space.xy_mm for _, _, space in spaces])
    found = []
    for piece in filter(_counts_nowhere, frame.pieces):
        off_mm = np.hypot(*(middles - piece.xy_mm).T)
        nearest = int(off_mm.argmin())
        if off_mm[nearest] <= STRAY_MM:
            route, number, _ = spaces[nearest]
            found.append({"route": route, "space": number, "colour": piece.colour})
    return found


def _counts_nowhere(piece: Piece) -> bool:
    return piece.kind not in ("marker", "station") and piece.route is None and piece.place is None


def _rounded(values: Any, digits: int) -> Any:
    return np.round(np.asarray(values, np.float64), digits).tolist()

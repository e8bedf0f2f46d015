"""Triangle meshes of solids and planes, with coordinates in a texture or a palette."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from railspotter.calibration.arrays import Float64s, Indices, Picture
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.solids import Solid, joined

PRINT_LIFT_MM = 0.06  # what is printed on a card lies so far above what was printed before


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with texture coordinates."""

    corners: Float64s  # (N, 3): in the board's millimetres, y down and z up
    faces: Indices  # (F, 3)
    uv: Float64s  # (N, 2): in shares of the texture's width and height
    texture: Picture  # (H, W, 3) uint8, BGR
    roughness: float | None  # of what shines, None for what does not


def solids_mesh(solids: Sequence[Solid], roughness: float | None) -> Mesh:
    """Return solids as triangles; prints are raised above their faces."""
    scene = joined(solids)
    corners = scene.corners.copy()
    of_part = np.zeros(len(corners), bool)
    for start, stop in scene.parts:
        of_part[start:stop] = True
    printed = ~of_part[scene.faces[:, 0]] & (scene.normals[:, 2] > 0.99)
    body, rank = -1, 0
    for face in np.flatnonzero(printed):
        rank = rank + 1 if scene.groups[face] == body else 1
        body = scene.groups[face]
        corners[np.unique(scene.faces[face]), 2] += rank * PRINT_LIFT_MM
    first, *rest = scene.faces.T
    fans = [np.stack([first, a, b], axis=1) for a, b in pairwise(rest)]
    faces, owners = np.vstack(fans), np.tile(np.arange(len(scene.faces)), len(fans))
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2])
    real &= faces[:, 0] != faces[:, 2]
    inks, of_ink = np.unique(np.rint(scene.inks), axis=0, return_inverse=True)
    palette = np.clip(inks, 0, 255).astype(np.uint8)[None]
    across = (of_ink.reshape(-1)[owners[real]] + 0.5) / len(inks)
    uv = np.repeat(np.column_stack([across, np.full(len(across), 0.5)]), 3, axis=0)
    apart = corners[faces[real]].reshape(-1, 3)
    return Mesh(apart, np.arange(len(apart)).reshape(-1, 3), uv, palette, roughness)


def board_mesh(picture: Picture, size_mm: tuple[float, float], copy: Copy, rough: float) -> Mesh:
    """Return the board's face, bent along its folds."""
    columns, rows = 81, 55
    u, v = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    uv = np.column_stack([u.ravel(), v.ravel()])
    flat = uv * size_mm
    corners = np.column_stack([flat, copy.height_mm(flat, size_mm)])
    at = np.arange(columns * rows).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    faces = np.vstack(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    )
    return Mesh(corners, faces, uv, picture, rough)


def plane_mesh(
    low_mm: Sequence[float] | Float64s,
    high_mm: Sequence[float] | Float64s,
    z_mm: float,
    texture: Picture,
    rough: float | None,
) -> Mesh:
    """Return a level rectangle of a repeated, mirrored texture, one millimetre per pixel."""
    outline = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * np.subtract(high_mm, low_mm)
    corners = np.insert(outline + low_mm, 2, z_mm, axis=1)
    uv = outline / np.array(texture.shape[1::-1])
    return Mesh(corners, np.array([(0, 1, 2), (0, 2, 3)]), uv, texture, rough)

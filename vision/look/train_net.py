"""A small net that tells for every space whether a train stands on it, and where plastic is.

Its input is the window of a space in the photo, in the reference's light, the same window of the
reference, masks of the printed spaces, and the lean of trains. It was trained on rendered
neighbourhoods and on real ones relit (`benchmarks/teach.py`; docs/train-net.md), with prints and
plastic of all colours, so it rates differences from the print and knows no colour's name.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Picture, Points

from ..printed.board_cache import cached_per_board
from ..printed.print_windows import grid_along
from ..printed.printed_board import PrintedBoard
from .view import View

# Along and across: fits a train that is pushed and leans, and half of those beside it.
WINDOW_MM = (44.0, 28.0)
WINDOW_PX = (64, 40)
# Cells of a window, along and across, for each of which it predicts plastic.
CELLS = (16, 10)
TALLEST_MM = 9.0  # height for which leans are given
LEAN_UNIT_MM = 10.0
# Most lean of a roof in the training data: some 53 degrees. For more, windows are shifted so that
# the roof is seen where it would be at this lean.
MOST_LEAN_MM = 12.0
# Windows in a batch: with more, layers do not fit the processor's cache, and it takes an eighth
# longer.
AT_ONCE = 16

# The program's net for each shape of piece; benchmarks replace one by a net trained without some
# house.
NETS = {
    shape: Path(__file__).with_name(f"{shape}_net.onnx") for shape in ("train", "taxi", "shape")
}

Level = TypeVar("Level", np.uint8, np.float32)
_FORWARDING = Lock()  # OpenCV's nets hold the values of their layers: one thread at a time


@dataclass(frozen=True, eq=False)
class Windows:
    """Windows around spaces, along their routes; (V, U) is `WINDOW_PX` reversed."""

    # (N, V, U, 3), BGR, 0 to 255: the photo in the light of the reference
    photo: npt.NDArray[np.floating | np.uint8]
    reference: Picture
    others: Picture  # (N, V, U) uint8: 255 where other spaces are printed
    size_mm: AnyFloats  # (N, 2): length and width of the printed space in the middle
    # (N, 2): shift of a train's roof from its foot, along and across
    lean_mm: AnyFloats
    # (N, 2): shift of the windows from their spaces on the board; None for no shift
    aside_mm: Float64s | None = None


def ask_net(
    windows: Windows, printed: PrintedBoard, shape: str = "train"
) -> tuple[Float32s, Float32s]:
    """Return the answer of the net for a shape of piece, one of `NETS`, for all spaces.

    It is the log-odds that a train stands on each space, (N,), half of the training windows being
    covered, and the probability of plastic in each cell of its window, (N, rows, columns), as
    `CELLS` reversed.
    """
    _, _, print_planes = _printed_windows(printed)
    if windows.aside_mm is not None:
        print_planes = print_planes.copy()
        print_planes[:, 0:3] = tones(windows.reference)
    batches = (slice(start, start + AT_ONCE) for start in range(0, len(print_planes), AT_ONCE))
    outputs = ask(
        NETS[shape],
        (_all_planes(windows.photo[b], print_planes[b], windows.lean_mm[b]) for b in batches),
    )
    plastic = 1 / (1 + np.exp(-outputs[:, 1:].reshape(-1, *CELLS[::-1])))
    return outputs[:, 0], np.asarray(plastic, np.float32)


def ask(net: Path, batches: Iterable[Float32s]) -> Float32s:
    """Return the answers of the net in a file for batches of inputs, (N, answers)."""
    with _FORWARDING:
        forwarding = network(net)
        answers = []
        for inputs in batches:
            forwarding.setInput(inputs)
            answers.append(np.asarray(forwarding.forward(), np.float32).reshape(len(inputs), -1))
        return np.concatenate(answers)


def seen_windows(view: View, lit: Picture) -> Windows:
    """Return the windows of all spaces of a view.

    From a lower angle than in training, windows are shifted to the roof, as if the board were
    raised.
    """
    printed = view.printed
    grid, of_board, _ = _printed_windows(printed)
    lean = view.viewpoint.lean_mm(printed.xy_mm, TALLEST_MM)
    far = np.linalg.norm(lean, axis=1, keepdims=True)
    aside = lean * np.maximum(0, 1 - MOST_LEAN_MM / np.maximum(far, MOST_LEAN_MM))
    ways = (printed.along, printed.across)
    lean_mm = np.stack([np.einsum("ni,ni->n", lean - aside, way) for way in ways], axis=-1)
    if not aside.any():
        return replace(of_board, photo=cut(lit, grid), lean_mm=lean_mm)
    grid = np.asarray(grid + aside[:, None, None] * printed.px_per_mm, np.float32)
    photo, reference = cut(lit, grid), cut(printed.reference, grid)
    return replace(of_board, photo=photo, reference=reference, lean_mm=lean_mm, aside_mm=aside)


def planes(windows: Windows) -> Float32s:
    """Return the net's input planes, (N, 10, V, U).

    Three of the photo and three of the reference, with dark tones spread, since black trains lie on
    black prints; masks of the space and of other spaces; the lean along and across.
    """
    print_planes = _print_planes(windows.reference, windows.others, windows.size_mm)
    return _all_planes(windows.photo, print_planes, windows.lean_mm)


def _print_planes(reference: Picture, others: Picture, size_mm: AnyFloats) -> Float32s:
    """Return the planes that do not depend on the photo, (N, 5, V, U)."""
    fixed = np.empty((len(reference), 5, *reference.shape[1:3]), dtype=np.float32)
    fixed[:, 0:3] = tones(reference)
    inside = [
        np.clip((size_mm[:, i, None] / 2 - abs(_steps_mm(i))) / _step_mm(i) + 0.5, 0, 1)
        for i in (0, 1)
    ]
    fixed[:, 3] = inside[0][:, None, :] * inside[1][:, :, None]
    fixed[:, 4] = others / np.float32(255)
    return fixed


def _all_planes(
    photo: npt.NDArray[np.floating | np.uint8], print_planes: Float32s, lean_mm: AnyFloats
) -> Float32s:
    """Return all planes, given those of `_print_planes`."""
    inputs = np.empty((len(photo), 10, *photo.shape[1:3]), dtype=np.float32)
    inputs[:, 0:3] = tones(photo)
    inputs[:, 3:8] = print_planes
    inputs[:, 8:] = (lean_mm / LEAN_UNIT_MM)[:, :, None, None]
    return inputs


def window_grid(xy_mm: Points, along: Points) -> Points:
    """Return the points on the board of all pixels of windows: (..., 2) twice to (..., V, U, 2)."""
    return grid_along(xy_mm, along, _steps_mm(0), _steps_mm(1))


def cut(picture: npt.NDArray[Level], grid_px: Float32s) -> npt.NDArray[Level]:
    """Sample windows of a picture, (N, V, U, 3), at `grid_px`, (N, V, U, 2)."""
    count, rows, columns = grid_px.shape[:3]
    x, y = cv2.split(grid_px.reshape(count * rows, columns, 2))
    taken = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, picture.dtype).reshape(count, rows, columns, 3)


def mark_others(xy_mm: Points, along: Points, size_mm: Points, space: int) -> Picture:
    """Return a mask of the other spaces in one space's window, (V, U): 255 where printed."""
    window = np.zeros(WINDOW_PX[::-1], dtype=np.uint8)
    across = np.stack([-along[:, 1], along[:, 0]], axis=-1)
    apart = xy_mm - xy_mm[space]
    near = np.linalg.norm(apart, axis=1) < (np.hypot(*WINDOW_MM) + np.hypot(*size_mm.T)) / 2
    near[space] = False
    frame = np.stack([along[space], across[space]], axis=-1) / [_step_mm(0), _step_mm(1)]
    middle = (np.array(WINDOW_PX) - 1) / 2
    for other in np.flatnonzero(near):
        half_u, half_v = (
            way[other] * size_mm[other, i] / 2 for i, way in ((0, along), (1, across))
        )
        corners = np.array([half_u + half_v, half_u - half_v, -half_u - half_v, half_v - half_u])
        outline = (corners + apart[other]) @ frame + middle
        cv2.fillConvexPoly(window, np.rint(outline * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return window


def _step_mm(axis: int) -> float:
    return WINDOW_MM[axis] / WINDOW_PX[axis]


def _steps_mm(axis: int) -> Points:
    """Return the offsets of a window's columns (0) or rows (1) from its middle."""
    steps = np.arange(WINDOW_PX[axis]) + 0.5 - WINDOW_PX[axis] / 2
    return np.asarray(steps * _step_mm(axis), np.float64)


def tones(bgr: npt.NDArray[np.floating | np.uint8]) -> Float32s:
    """Return windows as net inputs, with dark tones spread: (N, V, U, 3) to (N, 3, V, U)."""
    if bgr.dtype != np.uint8:
        return _spread_dark(np.moveaxis(bgr, -1, 1))
    levels = _spread_dark(np.arange(256))[None]
    channels = cv2.split(bgr.reshape(-1, *bgr.shape[2:]))
    spread = [cv2.LUT(channel, levels).reshape(bgr.shape[:3]) for channel in channels]
    return np.stack(spread, axis=1, dtype=np.float32)


def _spread_dark(levels: npt.NDArray[np.generic]) -> Float32s:
    return np.asarray(np.sqrt((levels.astype(np.float32) + 2) / 257) * 1.6 - 0.9, np.float32)


@cached_per_board
def _printed_windows(printed: PrintedBoard) -> tuple[Float32s, Windows, Float32s]:
    """Return what does not depend on the photo.

    The grid of windows in pixels of the rectified picture, the windows with the reference as the
    photo, and the planes of `_print_planes`.
    """
    grid_mm = window_grid(printed.xy_mm, printed.along)
    grid = np.asarray(grid_mm * printed.px_per_mm - 0.5, np.float32)
    layout = (printed.xy_mm, printed.along, printed.size_mm)
    others = np.stack([mark_others(*layout, space) for space in range(len(printed.xy_mm))])
    reference = cut(printed.reference, grid)
    still = np.zeros((len(others), 2))
    windows = Windows(reference, reference, others, printed.size_mm, still)
    return grid, windows, _print_planes(reference, others, printed.size_mm)


@cache
def network(path: Path) -> cv2.dnn.Net:
    """Load a net from its file, cached."""
    content = path.read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(content, dtype=np.uint8))

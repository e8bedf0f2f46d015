"""Things beside and over a board: cards, a cup, a phone, trains, a hand."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s
from railspotter.simulation.virtual_board.solids import Solid
from railspotter.simulation.virtual_board.things import Thing

from traced.moulds import Moulds, stand
from traced.room import Room

BOARD_MM = 2.6  # how thick the board is: what lies beside it lies so much lower
REACH_MM = {"cup": 62.0, "phone": 80.0, "card": 48.0, "train": 16.0}


class TableArea:
    """The free parts of the table beside a board."""

    def __init__(self, size_mm: tuple[float, float], room: Room) -> None:
        left, top, right, bottom = room.table_mm
        self.size_mm = size_mm
        self.low = np.array([-left, -top])
        self.high = np.add(size_mm, (right, bottom))

    def has_room(self, xy_mm: Float64s, reach_mm: float) -> bool:
        """Tell whether a thing of that radius fits on the table beside the board."""
        off = np.maximum(np.maximum(-xy_mm, xy_mm - self.size_mm), 0)
        inside = (xy_mm > self.low + 0.7 * reach_mm) & (xy_mm < self.high - 0.7 * reach_mm)
        return bool(inside.all() and np.hypot(*off) > reach_mm + 3)


def choose_things(table: TableArea, rng: Generator) -> list[Thing]:
    """Return random things there: cards, some on each other, a cup, a phone."""
    things: list[Thing] = []
    kinds = ["train card"] * int(rng.integers(0, 14)) + ["ticket card"] * int(rng.integers(0, 5))
    kinds += ["cup"] * int(rng.random() < 0.3) + ["phone"] * int(rng.random() < 0.25)
    for kind in kinds:
        is_card = kind.endswith("card")
        reach = REACH_MM["card" if is_card else kind]
        for _ in range(8):
            at = rng.uniform(table.low, table.high)
            if is_card and things and rng.random() < 0.5:
                at = np.array(things[-1].xy_mm) + rng.normal(0, 30, 2)
            apart = is_card or all(np.hypot(*(at - one.xy_mm)) > 2 * reach for one in things)
            if apart and table.has_room(at, reach):
                xy, z = (float(at[0]), float(at[1])), 1.1 * len(things) * is_card - BOARD_MM
                turn, seed = float(rng.uniform(-180, 180)), int(rng.integers(1000))
                things.append(Thing(kind, xy, turn, seed, z))
                break
    return things


def spare_trains(
    table: TableArea, moulds: Moulds, inks: Sequence[Float64s], rng: Generator
) -> Iterator[Solid]:
    """Yield the players' unused trains, in heaps."""
    for ink in inks:
        middle = rng.uniform(table.low, table.high)
        laid: list[tuple[Float64s, int]] = []
        for _ in range(rng.integers(0, 26)):
            xy = middle + rng.normal(0, 32, 2)
            lean, angle = float(rng.choice([0, 0, 90, -90])), float(rng.uniform(0, 360))
            level = 1 + max((up for at, up in laid if np.hypot(*(xy - at)) < 20), default=-1)
            if level < 3 and table.has_room(xy, REACH_MM["train"]):
                laid.append((xy, level))
                z = 0.95 * moulds.train_size_mm[2] * level - BOARD_MM
                yield stand(moulds.train, xy, angle, z, lean).with_ink(ink, 0.0)


def choose_hand(size_mm: tuple[float, float], rng: Generator) -> Thing:
    """Return a hand over an edge of the board."""
    side = int(rng.integers(4))  # left, top, right, bottom
    share, depth = rng.uniform(0.15, 0.85), rng.uniform(40, 200)
    xy = share * np.array(size_mm)
    xy[side % 2] = depth if side < 2 else size_mm[side % 2] - depth
    angle = 90.0 * side + float(rng.normal(0, 15))
    kind = str(rng.choice(["hand", "flat hand"]))
    return Thing(kind, (float(xy[0]), float(xy[1])), angle, int(rng.integers(1000)))

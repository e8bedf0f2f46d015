"""Lights beside a board that remember what a table told them."""

from collections.abc import Collection

from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.points.standing import Standing
from railspotter.table.display_control import PiecesToLay


class ToldLights:
    """What a display feed speaks to, instead of a bridge."""

    def __init__(self) -> None:
        self.shown: list[tuple[Standing, Edition]] = []
        self.claimants: list[Colour] = []
        self.to_lay: list[tuple[PiecesToLay, ...]] = []
        self.dimmed: list[bool] = []
        self.is_over = False

    def show_standing(
        self,
        standing: Standing,
        edition: Edition,
        claimants: Collection[Colour] = (),
        to_lay: Collection[PiecesToLay] = (),
        *,
        is_over: bool = False,
    ) -> None:
        self.is_over = is_over
        self.shown.append((standing, edition))
        self.claimants += claimants
        self.to_lay.append(tuple(to_lay))

    def show_camera(self, *, is_reading: bool = False, is_blind: bool = False) -> None:
        self.dimmed.append(is_reading)

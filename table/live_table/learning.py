"""Learning while watching: the trains' colours, and parts of the print that trains had hidden.

Claims with high confidence teach the colours of trains; free routes complete a reference that was
taken with trains on the board. The result is a new profile. Nothing is learned from a single frame,
and a claim's lesson is forgotten when the claim is withdrawn.
"""

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace

import numpy as np
from railspotter.calibration.arrays import Lab
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile, space_key
from railspotter.scoring.board import RouteId
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot
from railspotter.vision.colours.learned_colours import (
    is_learnable,
    is_own_plastic,
    with_observation,
    with_own_plastic,
)
from railspotter.vision.reading.train_lessons import easy_spaces, lessons
from railspotter.vision.watching import bare_print
from railspotter.vision.watching.changes import Appeared, Change, Vanished
from railspotter.vision.watching.looks import Look
from railspotter.vision.watching.settling import WatchState

SURE = 0.95  # the least confidence of a camera's claim to learn from
STILL_S = 5.0  # seconds that the board must lie still: after a nudge it is searched within that
# Seconds between two looks at unknown print: after a successful one, and after another.
GAPS_EVERY_S = 4.0, 30.0
SAVE_EVERY_S = 60.0

# A callback that saves a profile atomically. Called in another thread.
SaveProfile = Callable[[Profile], None]


@dataclass(frozen=True)
class ColourLesson:
    """What was learned from a claim: its trains' measured colour, and the light."""

    colour: Colour
    light: str
    lab: Lab
    is_own_plastic: bool = False  # whether it replaces what is known of the colour


class Learning:
    """Learns from one board; called from the watching thread.

    `keep` saves what was learned; without it, it is lost with the table.
    """

    def __init__(self, profile: Profile, work: Executor, keep: SaveProfile | None = None) -> None:
        self.profile, self._work, self._keep = profile, work, keep
        self._saved, self._save_due_s = profile, -np.inf
        self._colours = profile.colours  # before all lessons
        self._to_learn: dict[Spot, Colour] = {}
        self._corrected: set[Spot] = set()
        self._lesson: tuple[Spot, Future[ColourLesson | None]] | None = None
        self._taught: dict[Spot, ColourLesson] = {}
        # Seen parts of the print that the reference does not show.
        self._gaps: dict[RouteId, list[bare_print.BarePrint]] = {}
        self._gaps_due_s = -np.inf
        self._gap_look: Future[tuple[bare_print.BarePrint, ...]] | None = None
        self._pose: Pose | None = None
        self._held_since_s = 0.0

    def on_changes(self, changes: tuple[Change, ...]) -> None:
        """Handle changes that the camera saw."""
        for change in changes:
            if isinstance(change, Vanished):
                self.on_correction(change.spot, None)
            elif isinstance(change, Appeared):
                self._forget(change.spot)
                if change.sure >= SURE and change.spot.kind == "route":
                    self._to_learn[change.spot] = change.colour

    def on_correction(self, spot: Spot, colour: Colour | None) -> None:
        """Handle a person's correction of a spot, or a withdrawn claim."""
        taught = self._taught.get(spot)
        if taught is not None and taught.colour == colour:
            return
        self._forget(spot)
        if colour is not None and spot.kind == "route":
            self._to_learn[spot] = colour
            self._corrected.add(spot)

    def look(
        self,
        look: Look,
        state: WatchState,
        standing: Mapping[Spot, Colour],
        unclear: Collection[Spot] = (),
    ) -> bool:
        """Start and collect lessons from a frame; return whether the profile changed."""
        was = self.profile
        self._collect_lesson()
        self._collect_gaps(look.at_s)
        if look.pose is not self._pose:
            self._pose, self._held_since_s = look.pose, look.at_s
            self._gaps.clear()
        if state not in (WatchState.SEARCHING, WatchState.MOVED):
            self._learn_colour(look, standing, unclear)
            if look.at_s - self._held_since_s >= STILL_S:
                self._look_at_gaps(look, {*standing, *unclear})
        if look.at_s >= self._save_due_s:
            self._save_due_s = look.at_s + SAVE_EVERY_S
            self._work.submit(self.save)
        return self.profile is not was

    def save(self) -> None:
        """Save what was learned since the last time, if anything was."""
        profile = self.profile
        if self._keep is not None and profile is not self._saved:
            self._saved = profile
            self._keep(profile)

    def _learn_colour(
        self, look: Look, standing: Mapping[Spot, Colour], unclear: Collection[Spot]
    ) -> None:
        for spot in [spot for spot in self._to_learn if spot not in unclear]:
            if self._lesson is not None:
                break
            colour = self._to_learn.pop(spot)
            if standing.get(spot) == colour:
                is_correction = spot in self._corrected
                self._lesson = (
                    spot,
                    self._work.submit(learn_colour, look, spot.id, colour, is_correction),
                )

    def _collect_lesson(self) -> None:
        if self._lesson is None or not self._lesson[1].done():
            return
        (spot, future), self._lesson = self._lesson, None
        taught = future.result()
        if taught is not None:
            self._taught[spot] = taught
            self._apply_lessons()

    def _apply_lessons(self) -> None:
        colours = self._colours
        for taught in self._taught.values():
            if taught.is_own_plastic:
                colours = with_own_plastic(colours, taught.colour, taught.lab)
            colours = with_observation(colours, taught.colour, taught.light, taught.lab)
        self.profile = replace(self.profile, colours=colours)

    def _forget(self, spot: Spot) -> None:
        """Revert what was learned from a claim."""
        self._to_learn.pop(spot, None)
        self._corrected.discard(spot)
        if self._lesson is not None and self._lesson[0] == spot:
            self._lesson = None
        if self._taught.pop(spot, None) is not None:
            self._apply_lessons()

    def _look_at_gaps(self, look: Look, hidden: Collection[Spot]) -> None:
        if self._gap_look is not None or look.at_s < self._gaps_due_s:
            return
        free = {
            route
            for route in bare_print.unseen_routes(self.profile, look.printed)
            if Spot("route", route) not in hidden
        }
        if free:
            self._gap_look = self._work.submit(bare_print.bare_prints, look, self.profile, free)

    def _collect_gaps(self, at_s: float) -> None:
        if self._gap_look is None or not self._gap_look.done():
            return
        prints, self._gap_look = self._gap_look.result(), None
        self._gaps_due_s = at_s + GAPS_EVERY_S[0 if prints else 1]
        for bare in prints:
            if not bare.spaces <= self.profile.unseen:
                continue
            seen = self._gaps.setdefault(bare.route, [])
            seen.append(bare)
            whole = bare_print.median_if_alike(seen)
            if whole is not None:
                self.profile = bare_print.with_bare_print(self.profile, whole)
                del self._gaps[bare.route]


def learn_colour(
    look: Look, route: RouteId, colour: Colour, is_correction: bool = False
) -> ColourLesson | None:
    """Measure the colour of a claim's trains; None if it is too unclear to learn from."""
    view = look.view
    lengths = {one.id: len(one.spaces) for one in look.printed.board.routes}
    spaces = {space_key(route, number) for number in range(lengths[route])}
    placed = dict.fromkeys(sorted(spaces & easy_spaces(view, colour)), colour)
    seen = [one for one in lessons(view, placed).values() if one.is_there and one.is_calm]
    if not placed or len(seen) < len(placed) / 2:
        return None
    lightness, a, b = np.median([one.lab for one in seen], axis=0).round(1).tolist()
    lab = lightness, a, b
    if is_learnable(look.pieces.trains, colour, lab):
        return ColourLesson(colour, seen[0].light, lab)
    if is_correction and is_own_plastic(look.pieces.trains, colour, lab):
        return ColourLesson(colour, seen[0].light, lab, is_own_plastic=True)
    return None

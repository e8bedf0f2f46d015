"""Trains of the user's own: names and swatches, and where they are kept."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from railspotter.calibration.errors import ProfileError
from railspotter.calibration.profiles.profile import LearnedColour, Profile, Srgb, with_learned_of
from railspotter.scoring.edition import Colour

from .errors import HomeError
from .home import ProfileStore

NAME = re.compile(r"[a-z][a-z0-9 -]{0,19}")
SWATCH = re.compile(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", re.IGNORECASE)
TRAINS_HELP = (
    "the trains on the table, where they are not the box's: a name, and what they look like, as"
    " red=#b03020 teal=#1a8a8a; a colour of the box needs its name alone"
)

# A colour of trains: its name and what it looks like; None where that is the box's.
TrainColour = tuple[Colour, Srgb | None]


def parse_trains(text: str) -> TrainColour:
    """Read one colour of trains from its text.

    Examples
    --------
    >>> parse_trains("teal=#1a8a8a"), parse_trains("red")
    (('teal', (26, 138, 138)), ('red', None))
    """
    name, given, swatch = text.partition("=")
    name = name.strip().lower()
    found = SWATCH.fullmatch(swatch.strip())
    if not NAME.fullmatch(name) or (given and found is None):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no colour of trains: write a name, or a name and a colour as teal=#1a8a8a"
        )
    if found is None:
        return name, None
    red, green, blue = (int(part, 16) for part in found.groups())
    return name, (red, green, blue)


def with_trains(profile: Profile, trains: Sequence[TrainColour]) -> Profile:
    """Return a profile for a table on which these trains are, and no others.

    What was learned of a colour stays, unless its plastic is another one now.
    """
    if not trains:
        return profile
    colours = {}
    for name, swatch in trains:
        known = profile.colours.get(name, ())
        had = next((one.swatch for one in known if one.swatch is not None), None)
        if not known or (swatch is not None and swatch != had):
            known = (LearnedColour(name, swatch=swatch),)
        colours[name] = known
    return replace(profile, colours=colours)


def saver_of_profile(profiles: ProfileStore, profile: Profile) -> Callable[[Profile], None] | None:
    """Return what saves what was learned of a profile; None where it is not the user's own.

    What has changed in the file meanwhile stays: only colours and print seen since are put in.
    """
    if profile.is_drawn or profile.name not in profiles.names():
        return None

    def keep(learned: Profile) -> None:
        try:
            profiles.change(learned.name, lambda kept: with_learned_of(kept, learned))
        except (HomeError, ProfileError):
            return  # nobody was promised anything: it is learned again

    return keep

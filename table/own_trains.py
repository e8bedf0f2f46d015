"""The user's own trains: names and colour swatches, stored in the profile."""

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

# A train colour's name and swatch; None for a colour of the box.
TrainColour = tuple[Colour, Srgb | None]


def parse_trains(text: str) -> TrainColour:
    """Parse a command line argument for a train colour.

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
    """Return a profile whose own train colours are exactly these.

    What was learned about a colour stays, unless its swatch changed.
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


def learning_saver(profiles: ProfileStore, profile: Profile) -> Callable[[Profile], None] | None:
    """Return a callback that saves what a game learned into the profile's file.

    Only the learned colours and print are updated. None if the profile is not the user's own.
    """
    if profile.is_drawn or profile.name not in profiles.names():
        return None

    def save(learned: Profile) -> None:
        try:
            profiles.change(learned.name, lambda kept: with_learned_of(kept, learned))
        except (HomeError, ProfileError):
            return  # not worth a message: it is learned again

    return save

"""What people said of a copy of a board outlives its reference, which may be made anew."""

from __future__ import annotations

from dataclasses import replace

from .profile import Profile


def with_words_of(profile: Profile, older: Profile) -> Profile:
    """Return a new profile with what people said and cameras told of the older one it replaces.

    Lenses stay, as do nudges where the copy's size is the same, and the user's own trains. What was
    learned of their colours goes: it was learned in the light of the older reference.
    """
    if older.board != profile.board:
        return profile
    colours = {
        name: tuple(
            replace(one, observations=(), count=0) for one in lights if one.swatch or one.title
        )
        for name, lights in older.colours.items()
    }
    return replace(
        profile,
        lenses={**older.lenses, **profile.lenses},
        nudges_mm=older.nudges_mm if older.size_mm == profile.size_mm else {},
        colours={name: lights for name, lights in colours.items() if lights},
    )


def with_learned_of(profile: Profile, learned: Profile) -> Profile:
    """Return a profile with what a game learned while somebody else changed the profile.

    That is its trains' colours and print seen since; of another reference nothing is taken.
    """
    if learned.board != profile.board or learned.made_at != profile.made_at:
        return profile
    profile = replace(profile, colours=learned.colours)
    if learned.unseen < profile.unseen:
        profile = replace(profile, reference=learned.reference, unseen=learned.unseen)
    return profile

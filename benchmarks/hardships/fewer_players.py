"""Photos with fewer players: the trains of all others are taken off the board."""

import zlib
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np

from composed.laid_train import LaidTrain
from composed.library import Library
from composed.source import Source
from composed.stage import make_stage
from composed.table import ComposedTable
from hardships.steps import Shot
from photos.labelled import LabelledPhoto

PLAYERS = "players"  # the hardship that is read with the players' colours named, too
PLAYER_STEPS = (2, 3, 4, 5)
COMPOSED_FROM = "1920"  # the size of the photos that trains are cut from, where there are several


def choose_colours(photo: LabelledPhoto, players: int) -> tuple[str, ...] | None:
    """Return the random colours that stay; None if the photo has too few players.

    Whoever stays with fewer players stays with more.
    """
    there = sorted(set(photo.truth["claims"].values()))
    if len(there) < players:
        return None
    lot = np.random.default_rng(zlib.crc32(photo.exposure.encode())).permutation(len(there))
    return tuple(sorted(there[i] for i in lot[:players]))


def keep_colours(photo: LabelledPhoto, kept: Collection[str], name: str) -> LabelledPhoto:
    """Return a photo's ground truth without all other colours."""
    truth = photo.truth
    spaces: Mapping[str, list[str | None]] = truth["spaces"]
    claims = {route: colour for route, colour in truth["claims"].items() if colour in kept}
    stayed = {
        "claims": claims,
        "spaces": {
            route: [colour if colour in kept else None for colour in row]
            for route, row in spaces.items()
        },
        "half_filled_routes": sorted(photo.half_filled & {*claims}),
    }
    return LabelledPhoto(Path(f"{name}.jpg"), {**truth, **stayed})


def recompose(shot: Shot, kept: Collection[str], library: Library, stage: str) -> Shot:
    """Compose a photo again with the trains of some colours, on its shoot's empty board.

    Ground and camera are the stage's, the trains and what shade they throw on it the photo's.
    Stations would be cut in half: photos with stations are not for this.
    """
    source = sized_source(shot.photo, library)
    trains = [
        LaidTrain(train.route, train.space, source.name, train.colour)
        for train in source.trains
        if train.colour in kept
    ]
    table = ComposedTable(library.board, make_stage(library, stage), [source])
    truth = keep_colours(shot.photo, kept, shot.photo.path.stem)
    return Shot(truth, table.picture(trains), table.stage.corners_px, shot.size_mm)


def sized_source(photo: LabelledPhoto, library: Library) -> Source:
    """Return the photo that trains are cut from: this exposure in the size they are cut in."""
    sized = f"{photo.exposure}_{COMPOSED_FROM}"
    return library.source(sized if sized in library.names else photo.path.stem)

"""Reads several photos of one board together, by adding their log-odds.

A hand, glare or a hard shadow hides other routes from another side or in another light, so that few
routes stay in doubt. Photos in a row from one place repeat their mistakes and count as one.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s
from railspotter.scoring.board import RouteId
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot

from ..look.first_look import visible_spaces
from ..look.stations import SeenStations
from ..readings import Colour, Doubt, PieceReading, Reading
from .doubts import reading_of
from .odds import SURE, Odds, WeighedBoard, shares_of
from .score_markers import agreed, read_markers

Said = tuple[Colour | None, ...]  # photos' answers for one spot; None for free
# Measured on shoot-2: of 40 pairs in different light none had a wrong route without a doubt; pairs
# of one state had 1.8 doubts where their photos alone had 3.1.
# Limit of the log-odds of one photo, or one reading of a stream, so that none overrules another.
MOST = 4.0
# Scale of differences of light. Photos in one light differ by up to .07, in others by .12 to .40.
OTHER_LIGHT = 0.1
# Scale of differences of viewpoint: a train's roof is seen 2 mm further from its foot.
OTHER_ANGLE_DEG = 12.0


@dataclass(frozen=True)
class JointReading:
    """The joint reading of several photos."""

    reading: Reading
    # Weight of each photo: 1 for one unlike all others, half for one of two that are alike.
    counts: tuple[float, ...]
    # Doubts about spots on which photos surely disagree.
    disagreed: tuple[Doubt, ...]
    unseen: tuple[frozenset[RouteId], ...] = ()  # the routes that each photo does not show


def read_together(photos: Sequence[WeighedBoard]) -> JointReading:
    """Read photos of one board with the same trains on it.

    Every route's log-odds are summed over the photos, each photo's capped, less where it is
    hidden, and less where other photos are alike: photo i counts v_i / (1 + sum over j of
    s_ij v_j), v being how much of the route is visible and s how alike two photos are. Alike
    photos then make an average, different ones a sum, and a hidden route is left to the others.
    One photo alone is read as ever.

    Parameters
    ----------
    photos : sequence of WeighedBoard
        At least one, all of the same board and colours, of `covered_spaces.with_things`.
    """
    unseen = tuple(photo.view.unseen for photo in photos)
    markers = agreed(
        [read_markers(photo.view, photo.first.picture, photo.first.colours) for photo in photos]
    )
    if len(photos) == 1:
        reading = replace(reading_of(photos[0]), markers=markers)
        return JointReading(reading, (1.0,), (), unseen)
    alike = np.array([[likeness(a, b) for b in photos] for a in photos])
    np.fill_diagonal(alike, 0)
    of_spaces, of_routes = (np.stack(each) for each in zip(*map(_in_sight, photos), strict=True))

    def weight(visible: AnyFloats) -> AnyFloats:
        return np.asarray(visible / (1 + alike @ visible))

    of_something = [np.column_stack([p.odds.routes, p.odds.nobodys]) for p in photos]
    combined = combine_capped_odds(np.stack(of_something), weight(of_routes))
    routes, nobodys = combined[:, :-1], combined[:, -1]
    spaces = combine_capped_odds(np.stack([p.odds.spaces for p in photos]), weight(of_spaces))
    shapes = np.clip(np.stack([photo.odds.covered for photo in photos]), -MOST, MOST)
    covered = np.asarray(np.einsum("pr,pr->r", weight(of_routes), shapes), np.float32)
    visible = of_routes.max(axis=0).astype(np.float32)
    stations = _stations_together(photos, alike)
    # Where trains stand and where glare lies differs from photo to photo: each raises its doubts.
    odds = Odds(routes, spaces, covered, visible, nobodys, stations)
    readings = (reading_of(replace(photo, odds=odds)) for photo in photos)
    reading = reduce(_with_doubts_of, readings)
    disagreed = _disagreements(photos, of_routes)
    reading = replace(reading, pieces=_doubted(reading.pieces, disagreed), markers=markers)
    return JointReading(
        reading,
        tuple(float(share) for share in 1 / (1 + alike.sum(axis=1))),
        tuple(doubt for doubt in reading.doubts if doubt.spot in disagreed),
        unseen,
    )


def _in_sight(photo: WeighedBoard) -> tuple[AnyFloats, AnyFloats]:
    """Return the visibility of each space and each route; 0 for those not shown."""
    view = photo.view
    visible = visible_spaces(view.printed, photo.first) * view.spaces_shown
    of_routes = view.printed.per_route_mean(visible) * view.routes_shown
    return visible, np.minimum(of_routes, photo.odds.visible)


def combine_capped_odds(odds: Float32s, weight: AnyFloats) -> Float32s:
    """Return the weighted sum of photos' log-odds, (P, n, C) and (P, n) to (n, C).

    In each photo the log-odds that anything stands there are capped, and apart from them the shares
    of colours, so that capping does not take a colour's lead. Where all photos that show something
    say the same, the sum is not less sure than the least sure of them.

    >>> twice = np.array([[[9.0, 5.0]], [[9.0, 5.0]]], np.float32)
    >>> [round(float(value)) for value in combine_capped_odds(twice, np.ones((2, 1)))[0]]
    [8, 0]
    >>> [round(float(value)) for value in combine_capped_odds(twice, np.full((2, 1), 0.4))[0]]
    [9, 5]
    """
    stands = np.logaddexp.reduce(odds, axis=2)
    whose = np.maximum(odds - stands[..., None], -2 * MOST)
    share = np.einsum("pn,pnk->nk", weight, whose)
    share -= np.logaddexp.reduce(share, axis=1)[:, None]
    capped = np.einsum("pn,pn->n", weight, np.clip(stands, -MOST, MOST))
    combined = np.asarray(capped[:, None] + share, np.float32)
    every, in_sight, of_photos = np.arange(weight.shape[1]), weight > 0, shares_of(odds)
    said = of_photos.argmax(axis=2)
    least = np.where(in_sight, of_photos.max(axis=2), 2).argmin(axis=0)
    answer = said[least, every]
    agreed = in_sight.any(axis=0) & ((said == answer) | ~in_sight).all(axis=0)
    is_surer = of_photos[least, every, answer] > shares_of(combined)[every, answer]
    kept = np.flatnonzero(agreed & is_surer)
    combined[kept] = odds[least[kept], kept]
    return combined


def likeness(a: WeighedBoard, b: WeighedBoard) -> float:
    """Return the similarity of two photos' light and viewpoint: 1 the same, 0 quite different."""
    light, angle = _light_apart(a, b) / OTHER_LIGHT, _angle_apart_deg(a, b) / OTHER_ANGLE_DEG
    return float(np.exp(-(light**2) - angle**2))


def _light_apart(a: WeighedBoard, b: WeighedBoard) -> float:
    """Return the standard deviation of the log-ratio of two photos' light.

    Overall brightness does not count: the camera chooses it.
    """
    here, there = (
        cv2.resize(np.log(photo.first.light.gain), (30, 20), interpolation=cv2.INTER_AREA)
        for photo in (a, b)
    )
    return float(np.std(here - there))


def _angle_apart_deg(a: WeighedBoard, b: WeighedBoard) -> float:
    """Return the angle at the middle of the board between the directions to the two cameras."""
    width, height = a.view.printed.board.size_mm
    ways = np.array(
        [
            (v.x_mm - width / 2, v.y_mm - height / 2, v.height_mm)
            for v in (a.view.viewpoint, b.view.viewpoint)
        ]
    )
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return float(np.rad2deg(np.arccos(np.clip(ways[0] @ ways[1], -1, 1))))


def _with_doubts_of(reading: Reading, other: Reading) -> Reading:
    """Return a reading with the notes, and the doubts it lacks, of another photo's reading."""
    notes = tuple(dict.fromkeys((*reading.notes, *other.notes)))
    pieces = {}
    for spot, seen in reading.pieces.items():
        others = other.pieces[spot]
        is_kept = seen.doubt is not None or spot.kind == "station" or others.is_unseen
        pieces[spot] = seen if is_kept and not seen.is_unseen else others
    return replace(reading, pieces=pieces, notes=notes)


def _disagreements(photos: Sequence[WeighedBoard], in_sight: Float64s) -> dict[Spot, Said]:
    """Return the sure answers of photos, for spots on which they disagree."""
    colours, board = photos[0].view.pieces.colours, photos[0].view.printed.board
    odds: dict[Spot, list[Float32s]] = defaultdict(list)
    for photo, seen in zip(photos, in_sight, strict=True):
        for r, spot in enumerate(photo.view.printed.spots):
            odds[spot].append(seen[r] * photo.odds.routes[r])
        stations, shown = photo.odds.stations, photo.view.places_shown
        if stations is not None:
            seen_there = (stations.visible * shown)[:, None] * stations.odds
            for place, of_place in zip(board.places, seen_there, strict=True):
                odds[Spot("station", place.id)].append(of_place)
    disagreed = {}
    for spot, of_photos in odds.items():
        sure = [one for one in of_photos if abs(one.max()) >= SURE]
        said = {colours[int(one.argmax())] if one.max() > 0 else None for one in sure}
        if len(said) > 1:
            disagreed[spot] = tuple(sorted(said, key=lambda colour: colour or ""))
    return disagreed


def _doubted(
    readings: Mapping[Spot, PieceReading], disagreed: Mapping[Spot, Said]
) -> dict[Spot, PieceReading]:
    """Return readings with doubts added where photos disagree."""
    doubted = dict(readings)
    for spot, seen in readings.items():
        if spot not in disagreed:
            continue
        said = disagreed[spot]
        words = (colour or Sentence("free") for colour in said)
        either = reduce(lambda one, more: Sentence("{one} or {more}", one=one, more=more), words)
        why = Sentence("the photos disagree: {answers}", answers=either)
        known = seen.doubt.alternatives if seen.doubt else ()
        others = [colour for colour in (*said, *known) if colour != seen.colour]
        doubt = Doubt(spot, seen.colour, tuple(dict.fromkeys(others)), why)
        doubted[spot] = replace(seen, doubt=doubt)
    return doubted


def _stations_together(photos: Sequence[WeighedBoard], alike: Float64s) -> SeenStations | None:
    """Return the photos' stations combined like routes; None without stations."""
    seen = [photo.odds.stations for photo in photos if photo.odds.stations is not None]
    if len(seen) < len(photos):
        return None
    visible = np.stack(
        [one.visible * photo.view.places_shown for one, photo in zip(seen, photos, strict=True)]
    )
    weight = visible / (1 + alike @ visible)
    # The log-odds of the likeliest colour are capped, its lead is not.
    top = np.stack([stations.odds.max(axis=1) for stations in seen])
    odds = np.stack([stations.odds for stations in seen])
    odds += (np.clip(top, -MOST, MOST) - top)[..., None]
    summed = np.einsum("pi,pic->ic", weight, odds).astype(np.float32)
    mark_shown = np.stack(
        [one.mark_shown * photo.view.places_shown for one, photo in zip(seen, photos, strict=True)]
    ).max(axis=0)
    return replace(seen[0], odds=summed, visible=visible.max(axis=0), mark_shown=mark_shown)

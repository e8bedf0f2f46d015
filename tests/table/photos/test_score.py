"""From a photo to a score, where the command alone does not show it."""

from dataclasses import replace

import cv2
import drawn
import msgspec
import numpy as np
import pytest
from PIL import Image
from railspotter.calibration.finding.finder import NOWHERE
from railspotter.calibration.finding.picture_faults import NO_COLOURS, TOO_DARK
from railspotter.calibration.pose import Grounds, NotFound
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.legality import REFUSED
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import spot_name
from railspotter.table.errors import HomeError
from railspotter.table.photo_file import READ_PX
from railspotter.table.photos.limits import (
    FEW_COLOURS,
    MANY_STATIONS,
    MOST_STATIONS,
    TAKE_ANOTHER,
    UNCLEAR_PRINT,
    limit_questions,
    why_not_scored,
)
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.readings import Doubt, PieceReading, Reading


def test_a_large_photo_is_searched_small_and_its_corners_are_its_own() -> None:
    frame = drawn.game()
    height, width = frame.picture.shape[:2]
    large = np.asarray(cv2.resize(frame.picture, (3 * width, 3 * height)), np.uint8)
    found = drawn.scorer().find(large)
    assert isinstance(found, FoundBoard)
    assert found.shrunk == READ_PX / (3 * width)
    corners_px = (found.corners_px + 0.5) / 3 - 0.5
    assert drawn.corner_error_mm(frame.frame_from_board, corners_px).max() < 0.6


def test_a_profile_of_another_size_of_the_board_is_refused() -> None:
    older = replace(drawn.profile(), size_mm=(790.0, 525.0))
    with pytest.raises(HomeError, match="another size of the board 'usa': calibrate anew"):
        PhotoScorer(ReadingPlan(drawn.usa(), load_edition("usa"), older))


def test_a_board_that_is_not_found_has_a_reason_and_no_score() -> None:
    photo = drawn.scorer().score([("night.jpg", np.zeros((300, 400, 3), np.uint8))])
    assert not photo.found
    assert photo.reason
    assert (photo.claims, photo.standing.players, photo.annotated) == ({}, (), None)
    assert photo.seconds > 0


def test_a_photo_without_colours_is_refused() -> None:
    grey = cv2.cvtColor(drawn.game().picture, cv2.COLOR_BGR2GRAY)
    photo = drawn.scorer().score([("night.jpg", np.asarray(cv2.merge([grey] * 3), np.uint8))])
    assert not photo.found
    assert photo.reason == NO_COLOURS
    assert (photo.claims, photo.standing.players) == ({}, ())


def test_a_mirrored_photo_is_turned_over_and_its_corners_are_its_own() -> None:
    frame = drawn.game()
    mirrored_picture = np.ascontiguousarray(frame.picture[:, ::-1])
    found = drawn.scorer().find(mirrored_picture)
    assert isinstance(found, FoundBoard)
    corners_px = np.array(found.corners)
    corners_px[:, 0] = mirrored_picture.shape[1] - 1 - corners_px[:, 0]
    assert drawn.corner_error_mm(frame.frame_from_board, corners_px).max() < 0.6


@pytest.mark.parametrize("dither", [Image.Dither.NONE, Image.Dither.FLOYDSTEINBERG])
def test_a_photo_of_256_colours_is_refused(dither: Image.Dither) -> None:
    few = Image.fromarray(drawn.game().picture).quantize(256, dither=dither)
    photo = drawn.scorer().score([("small.png", np.asarray(few.convert("RGB")))])
    assert not photo.found
    assert photo.reason == FEW_COLOURS.filled(n=256)


def test_trains_of_another_box_are_told_and_not_counted() -> None:
    instead = {"red": "white", "yellow": "purple"}
    claims = {route: instead.get(colour, colour) for route, colour in drawn.CLAIMS.items()}
    photo = drawn.scorer().score([("mixed.jpg", drawn.photographed(claims))])
    own = {route: colour for route, colour in claims.items() if colour not in instead.values()}
    asked = {doubt.spot.id for doubt in photo.doubts}
    assert {route: c for route, c in photo.claims.items() if route not in asked} == own
    strange = {route: colour for route, colour in claims.items() if route not in own}
    assert photo.uncounted == strange == photo.as_json()["uncounted"]
    (said,) = (remark for remark in photo.remarks if "nobody in this game has" in remark)
    assert "; white 7: Calgary - Helena, Calgary - Seattle, " in said
    assert not asked & claims.keys()
    players = ("blue", "green", "black", "white", "purple")
    named = PhotoScorer(msgspec.structs.replace(drawn.scorer().plan, colours=players))
    played = named.score([("mixed.jpg", drawn.photographed(claims))])
    assert claims.items() <= played.claims.items()
    assert played.uncounted == {}


def test_more_trains_of_a_colour_than_may_be_believed_are_refused_unless_they_are_doubted() -> None:
    found, scorer = drawn.found(drawn.game().picture), drawn.scorer()
    longest = sorted(drawn.usa().routes, key=lambda one: -one.length)[:9]
    spots = [Spot("route", one.id) for one in longest]
    free = {Spot("route", one.id): PieceReading(None, 0.99) for one in drawn.usa().routes}
    pieces = free | {spot: PieceReading("black", 0.99 - i / 100) for i, spot in enumerate(spots)}
    photo = scorer.count([found], Reading(pieces), "dark.jpg")
    assert not photo.found
    names = [spot_name(drawn.usa(), spot) for spot in reversed(spots)]
    first = ", ".join(names[:3])
    assert photo.reason == REFUSED.filled(
        problem="black has used 54 trains, of 45", spots=first, way=TAKE_ANOTHER
    )
    doubt = Doubt(spots[0], "black", (None,), NOTHING)
    doubted = Reading({**pieces, spots[0]: PieceReading("black", 0.6, doubt)})
    assert scorer.count([found], doubted, "dark.jpg").found, "spare trains may be laid"
    said: dict[Spot, str | None] = {spots[0]: None}
    assert scorer.count([found], Reading(pieces), "dark.jpg", said).found, "people outrank it"
    assert not scorer.count([found], doubted, "dark.jpg", {spots[0]: "black"}).found
    little = scorer.count([found], Reading({**pieces, spots[0]: PieceReading(None, 0.9)}), "a.jpg")
    told = f"black has used 48 trains, of 45: not sure of {first}"
    assert told in little.remarks, "the least sure first"
    put_right = little.with_answers({spots[-1]: None})
    assert not any("of 45" in remark for remark in put_right.remarks)
    confirmed = little.with_answers({spots[-1]: "black"})
    assert f"not sure of {', '.join(names[1:4])}" in confirmed.remarks[-1], "as a person said it"


def test_where_stations_are_hard_to_tell_the_likeliest_places_are_asked_about() -> None:
    europe = load_board("europe")
    spots = [Spot("station", place.id) for place in europe.places]
    pieces = {
        spot: PieceReading("red" if n < 2 else None, 0.6 + n / 200, Doubt(spot, None, (), NOTHING))
        for n, spot in enumerate(spots)
    }
    pieces |= {
        spot: replace(pieces[spot], doubt=Doubt(spot, "red", (None,), NOTHING))
        for spot in spots[:2]
    }
    asked = limit_questions(Reading(pieces))
    assert {doubt.spot for doubt in asked.doubts} == set(spots[:MOST_STATIONS])
    assert asked.notes == (MANY_STATIONS,)
    few = Reading({spot: pieces[spot] for spot in spots[:MOST_STATIONS]})
    assert limit_questions(few) == few


@pytest.mark.parametrize(
    ("asked", "unseen", "is_other_print", "is_scored"),
    [(25, 0, True, True), (26, 0, True, False), (20, 24, True, False), (90, 0, False, True)],
)
def test_a_print_that_nobody_knows_is_not_scored_where_a_quarter_is_in_doubt(
    asked: int, unseen: int, is_other_print: bool, is_scored: bool
) -> None:
    usa = drawn.usa()
    routes = [Spot("route", route.id) for route in usa.routes]
    assert len(routes) == 100
    doubts = tuple(Doubt(spot, None, ("red",), Sentence("why")) for spot in routes[:asked])
    photo = ScoredPhoto(
        "x", usa, load_edition("usa"), doubts=doubts, unseen=tuple(routes[len(routes) - unseen :])
    )
    dark = NotFound(TOO_DARK, grounds=Grounds.LOOKS)
    for lost, told in ((None, UNCLEAR_PRINT), (NotFound(NOWHERE), UNCLEAR_PRINT), (dark, TOO_DARK)):
        why = why_not_scored(photo, [lost] * is_other_print)
        assert why == (NOTHING if is_scored else told)

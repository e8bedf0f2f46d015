"""A board that is being made: what a person says of it, what is refused, damage."""

from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from railspotter.calibration.board_making.draft import (
    Draft,
    DraftPlace,
    DraftRoute,
    draft_of,
    finished_board,
)
from railspotter.scoring.sentence import Sentence
from railspotter.table.boards.board_desk import BoardDesk
from railspotter.table.boards.draft_store import MOST_VERSIONS, DraftStore, KeptDraft
from railspotter.table.boards.edits import DraftChange, apply_edit
from railspotter.table.errors import DraftError, HomeError
from small_boards import SIZE, small_board

RED, GREY = 1, 4  # numbers of the small board's routes


def proposed() -> Draft:
    """The small board, of which nobody has accepted a route yet, with a fourth place to put."""
    draft = draft_of(small_board(), SIZE)
    routes = tuple(replace(r, id="", is_accepted=False) for r in draft.routes)
    places = (*draft.places, DraftPlace("zoo", "Zoo", is_placed=False))
    return replace(draft, places=places, routes=routes)


def after(kind: str, *, draft: Draft | None = None, **said: Any) -> Draft:
    change = msgspec.convert({"seen": 0, "kind": kind, **said}, DraftChange)
    return apply_edit(draft or proposed(), change)


def route(draft: Draft, number: int) -> DraftRoute:
    return next(route for route in draft.routes if route.number == number)


def test_what_is_said_of_a_route_accepts_it_and_what_is_certain_is_accepted_at_once() -> None:
    assert route(after("colour", route=RED, colour="orange"), RED).colour == "orange"
    traits = after("traits", route=RED, tunnel=True, ferry_locomotives=2, mode="S")
    assert finished_board(traits)[0].route_by_id["a--b"].mode == "S"
    assert [r.number for r in traits.routes if r.is_accepted] == [RED]
    odd = replace(traits.routes[-1], doubts=(Sentence("odd"),))
    done = after("accept certain", draft=replace(traits, routes=(*traits.routes[:-1], odd)))
    assert [r.number for r in done.routes if not r.is_accepted] == [GREY]
    assert route(after("accept", draft=done, route=GREY), GREY).doubts == ()


def test_a_new_length_lays_spaces_evenly_on_the_same_course() -> None:
    old, new = route(proposed(), RED), route(after("length", route=RED, length=6), RED)
    assert new.length == len(new.spaces) == 6
    at = [space.xy_mm[0] for space in new.spaces]
    assert np.diff(at) == pytest.approx(np.full(5, at[1] - at[0]), abs=0.1)
    assert new.spaces[0].size_mm[0] <= at[1] - at[0] + 0.1
    assert np.mean(at) == pytest.approx(np.mean([s.xy_mm[0] for s in old.spaces]), abs=1)


def test_spaces_are_moved_added_and_taken_out() -> None:
    at: Any = {"x_mm": 99.0, "y_mm": 21.0}
    moved = route(after("move space", route=RED, space=1, angle_deg=3.0, **at), RED)
    assert (moved.spaces[1].xy_mm, moved.spaces[1].angle_deg) == ((99.0, 21.0), 3.0)
    longer = after("add space", route=RED, angle_deg=0.0, space=0, **at)
    assert route(longer, RED).spaces[0].xy_mm == (99.0, 21.0)
    assert route(longer, RED).length == 5
    shorter = after("remove space", draft=longer, route=RED, space=0)
    assert route(shorter, RED).spaces == route(proposed(), RED).spaces


def test_ends_doubles_and_routes_by_hand() -> None:
    spaces = [s.xy_mm for s in route(proposed(), RED).spaces]
    back = route(after("ends", route=RED, place="b", other_place="a"), RED)
    assert [s.xy_mm for s in back.spaces] == spaces[::-1]
    assert {s.angle_deg for s in back.spaces} == {180.0}
    assert route(after("double", route=GREY, other_route=RED), GREY).ends == {"a", "b"}
    by_hand = after("reject", route=RED)
    for number in (5, 6):
        said = {"place": "b", "other_place": "a", "colour": "red", "length": 3}
        by_hand = after("add route", draft=by_hand, **said)
        assert by_hand.routes[-1].number == number
    first, second = by_hand.routes[-2:]
    width = first.spaces[0].size_mm[1]
    for one, other in zip(first.spaces, second.spaces, strict=True):
        assert width < dist(one.xy_mm, other.xy_mm) < 2 * width, "beside, not over it"
    assert all(dist(one.xy_mm, two.xy_mm) > one.size_mm[0] for one, two in pairwise(first.spaces))
    tight = after("add route", place="a", other_place="b", colour="red", length=6).routes[-1].spaces
    places = proposed().place_by_id
    assert sum(s.size_mm[0] for s in tight) < dist(places["a"].xy_mm, places["b"].xy_mm)
    ids = [r.id for r in finished_board(by_hand)[0].routes]
    assert {"a--b--0", "a--b--1"} < set(ids)


def test_places_are_put_named_and_taken_away() -> None:
    at: Any = {"x_mm": 5.0, "y_mm": 6.0}
    put = after("add place", place="zoo", **at)
    assert (put.places[-1], put.unplaced) == (DraftPlace("zoo", "Zoo", (5.0, 6.0)), ())
    again = after("add place", draft=put, name="Zoo", **at)
    assert again.places[-1].id == "zoo-2"
    corner = after("add place", place="zoo", x_mm=0.0, y_mm=0.0)
    assert (corner.placed[-1].id, corner.unplaced) == ("zoo", ())
    assert after("name place", place="a", name="  Ayr ").names["a"] == "Ayr"
    assert "c" not in after("remove place", place="c").names
    table = "name,x_mm,y_mm\nay,41,21\nZoo,7,8\nNew,9,9\n"
    draft = after("all places", table=table)
    assert [place.id for place in draft.places] == ["a", "b", "c", "zoo", "new"]
    assert draft.place_by_id["a"].xy_mm == (41.0, 21.0)


@pytest.mark.parametrize(
    ("kind", "said", "refusal"),
    [
        ("accept", {"route": 99}, "there is no route 99"),
        ("colour", {"route": 1, "colour": "mauve"}, "'mauve' is no colour"),
        ("ends", {"route": 1, "place": "a", "other_place": "a"}, "cannot start and end at 'a'"),
        ("ends", {"route": 1, "place": "a", "other_place": "zoo"}, "there is no place 'zoo'"),
        ("double", {"route": 1, "other_route": 1}, "cannot be a lane beside itself"),
        ("traits", {"route": 1, "ferry_locomotives": 5}, "no more Locomotives than spaces"),
        ("name place", {"place": "a", "name": " "}, "needs a name"),
        ("add place", {"x_mm": 5, "y_mm": 5, "place": "a", "name": "A"}, "is none that waits"),
        ("move space", {"route": 1, "space": 9, "x_mm": 1, "y_mm": 1}, "has no space 9"),
        ("move space", {"route": 1, "space": 0, "x_mm": 1, "y_mm": 201}, "not on the board"),
        ("add place", {"x_mm": 301, "y_mm": 5, "name": "A"}, "not on the board"),
        ("all places", {"table": "name,x_mm,y_mm\nA,1,\n"}, "line 2: y_mm is '', not a number"),
        ("all places", {"table": ""}, "line 1: the columns must be"),
        ("tickets", {"table": "Ay,Nowhere,7\n"}, "line 1: there is no place 'Nowhere'"),
        ("tickets", {"table": "Ay,Bee,0\n"}, "line 1: points are a whole number"),
        ("tickets", {"table": "Ay,Ay,5\n"}, "line 1: a ticket needs two places"),
        ("tickets", {"table": "Ay,Bee,5\nBee,Ay,6\n"}, "line 2: line 1 has it already"),
        ("board", {"name": " "}, "a board needs a title"),
    ],
)
def test_what_cannot_be_said_is_refused_with_a_reason(
    kind: str, said: dict[str, Any], refusal: str
) -> None:
    with pytest.raises(DraftError, match=refusal):
        after(kind, **said)


def test_places_that_something_needs_stay() -> None:
    needed = after("tickets", table="Ay,Bee,5\n")
    with pytest.raises(DraftError, match="the ticket Ay - Bee needs the place 'a'"):
        after("remove place", draft=needed, place="a")
    with pytest.raises(DraftError, match="routes end at Ay"):
        after("remove place", draft=after("accept", route=RED), place="a")


def test_the_oldest_edits_are_forgotten() -> None:
    kept = KeptDraft((proposed(),))
    for number in range(MOST_VERSIONS + 5):
        kept = kept.with_edit(replace(kept.now, title=str(number)))
    assert len(kept.versions) == MOST_VERSIONS
    assert kept.at_version(kept.at - 1).now.title == str(MOST_VERSIONS + 3)
    branch = kept.at_version(kept.at - 1).with_edit(kept.now)
    assert branch.at_version(branch.at + 1) == branch


def test_a_draft_of_a_board_gives_that_board_again(tmp_path: Path) -> None:
    desk = BoardDesk(tmp_path)
    track = tuple((float(5 * n), 5.0) for n in range(10))
    board = replace(small_board(), score_track=track)
    desk.boards.save(board)
    draft = desk.begin("", None, board.id)
    assert desk.check(draft.now).is_saved
    desk.save(board.id, draft.number)
    assert desk.boards.load(board.id) == board


@pytest.mark.parametrize(
    "content", ['"history"', '{"at": 0}', '{"versions": [{"id": "old"}]}', "{"]
)
def test_a_damaged_draft_is_told(tmp_path: Path, content: str) -> None:
    store = DraftStore(tmp_path)
    kept = store.add(proposed())
    assert store.load(kept.now.id) == kept
    store.path(kept.now.id).write_text(content, "utf-8")
    with pytest.raises(HomeError, match="is damaged"):
        store.load(kept.now.id)


def test_proposed_places_are_accepted_or_discarded_together_and_named_one_by_one() -> None:
    draft = after("accept", route=RED)
    guessed = replace(
        draft,
        places=tuple(
            replace(place, name=f"? {n}", is_proposed=True)
            for n, place in enumerate(draft.places, start=1)
        ),
    )
    accepted = after("accept places", draft=guessed)
    assert not any(place.is_proposed for place in accepted.places)
    first = guessed.places[0].id
    named = after("name place", draft=guessed, place=first, name="Upper Darby")
    assert named.places[0].id == "upper-darby"
    assert not named.places[0].is_proposed
    assert [place.is_proposed for place in named.places[1:]] == [True] * (len(named.places) - 1)
    ends = {end for route in named.routes for end in route.ends}
    assert first not in ends
    assert "upper-darby" in ends
    assert len(named.routes) == len(guessed.routes)
    # What was named before keeps its id: tickets of elsewhere may say it.
    again = after("name place", draft=named, place="upper-darby", name="Darby")
    assert again.places[0].id == "upper-darby"
    moved = after("move place", draft=guessed, place=first, x_mm=50, y_mm=30)
    assert not moved.places[0].is_proposed
    discarded = after("discard places", draft=guessed)
    kept = {end for route in guessed.routes if route.is_accepted for end in route.ends}
    assert {place.id for place in discarded.places} == kept
    assert all(route.is_accepted for route in discarded.routes)

"""What the page shows of a scored photo."""

import pytest
from msgspec.structs import replace
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import spots_of
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.pages.result_view import PATTERNED, paint_of, result_view, route_phrase


def test_players_stand_by_points_and_the_longest_path_is_marked(scored: ScoredPhoto) -> None:
    view = result_view(scored, {})
    assert [(row.colour, row.route_points, row.trains_left) for row in view.players] == [
        ("blue", 22, 35),
        ("red", 8, 40),
    ]
    assert [row.longest_path.at_least for row in view.players] == [10, 4]
    assert view.longest == {"blue"}
    assert view.absent == ("black", "green", "yellow")


def test_a_tied_longest_path_is_marked_for_both(scored: ScoredPhoto) -> None:
    claims = {"helena--seattle": "blue", "duluth--helena": "red"}
    tied = replace(scored, held=spots_of("route", claims))
    assert result_view(tied, {}).longest == {"blue", "red"}


def test_an_edition_without_the_bonus_marks_no_longest_path(scored: ScoredPhoto) -> None:
    rules = scored.edition.with_house_rules({"longest_path_bonus": 0})
    assert not result_view(replace(scored, edition=rules), {}).longest


def test_every_point_has_its_line(scored: ScoredPhoto) -> None:
    for row in result_view(scored, {}).players:
        assert sum(line.points for line in row.lines) == row.route_points


def test_a_doubt_is_a_question_with_the_answer_that_counts(scored: ScoredPhoto) -> None:
    (doubt,) = result_view(scored, {}).doubts
    assert doubt.question == "Is the left lane of Portland - Seattle red, empty, or black?"
    assert doubt.why == "Glare lies over it."
    assert doubt.counts_as == "Counted as red for now."


def test_an_empty_board_has_no_players(scored: ScoredPhoto) -> None:
    empty = replace(scored, held={}, doubts=())
    view = result_view(empty, {})
    assert view.players == ()
    assert view.absent == scored.edition.colours


def test_lanes_are_told_apart() -> None:
    usa = load_board("usa")
    names = [route_phrase(usa, route.id) for route in usa.routes]
    assert len(set(names)) == len(names)
    assert route_phrase(usa, "denver--kansas-city--0") != route_phrase(
        usa, "denver--kansas-city--1"
    )


@pytest.mark.parametrize("edition", ["usa", "newyork"])
def test_every_colour_has_a_letter_and_a_pattern_of_its_own(edition: str) -> None:
    paints = [paint_of(colour) for colour in load_edition(edition).colours]
    assert len({letter for letter, _ in paints}) == len(paints)
    assert "other" not in {pattern for _, pattern in paints}
    assert len({paint_of(colour)[0] for colour in PATTERNED}) == len(PATTERNED)

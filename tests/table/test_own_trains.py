"""Names and swatches of one's own trains, and what is kept of them."""

from dataclasses import replace
from pathlib import Path

import drawn
import pytest
from railspotter.scoring.edition import load_edition
from railspotter.table.home import ProfileStore
from railspotter.table.own_trains import learning_saver, parse_trains, with_trains
from railspotter.table.pieces import trains_of
from railspotter.vision.colours.learned_colours import with_observation

TEAL = parse_trains("teal=#1a8a8a")


def test_named_trains_are_those_of_the_table() -> None:
    profile = with_trains(drawn.profile(), [TEAL, ("red", None)])
    assert [t.name for t in trains_of(load_edition("usa"), profile)] == ["teal", "red"]
    assert with_trains(profile, []) is profile


def test_by_names_of_the_box_alone_all_of_the_box_count() -> None:
    profile = with_trains(drawn.profile(), [parse_trains("red=#b03020")])
    box = {train.name for train in trains_of(load_edition("usa"), drawn.profile())}
    assert {train.name for train in trains_of(load_edition("usa"), profile)} == box
    assert [t.name for t in trains_of(load_edition("usa"), profile, ["red"])] == ["red"]


def test_what_was_learned_stays_unless_the_plastic_is_another() -> None:
    profile = with_trains(drawn.profile(), [TEAL])
    lab = (51.0, -28.0, -9.0)
    learned = replace(profile, colours=with_observation(profile.colours, "teal", "", lab))
    assert with_trains(learned, [TEAL]).colours == learned.colours
    assert with_trains(learned, [("teal", None)]).colours == learned.colours
    other = with_trains(learned, [("teal", (0, 60, 60))]).colours["teal"]
    assert [one.observations for one in other] == [()]


def test_what_is_learned_is_kept_and_leaves_the_rest_of_the_file_alone(home: Path) -> None:
    store = ProfileStore(home)
    store.save(drawn.profile())
    keep = learning_saver(store, drawn.profile())
    assert keep is not None
    nudged = replace(store.load("drawn"), nudges_mm={"helena--seattle": (1.0, 0.0)})
    store.save(nudged)
    keep(with_trains(drawn.profile(), [TEAL]))
    kept = store.load("drawn")
    assert set(kept.colours) == {"teal"}
    assert kept.nudges_mm == nudged.nudges_mm


def test_another_calibration_is_not_written_over(home: Path) -> None:
    store = ProfileStore(home)
    store.save(drawn.profile())
    keep = learning_saver(store, drawn.profile())
    assert keep is not None
    store.save(replace(drawn.profile(), made_at="2027-01-01T00:00:00"))
    keep(with_trains(drawn.profile(), [TEAL]))
    assert store.load("drawn").colours == {}


@pytest.mark.parametrize("kind", ["drawn", "unsaved"])
def test_only_the_users_own_profiles_are_kept(home: Path, kind: str) -> None:
    profile = drawn.profile()
    if kind == "drawn":
        ProfileStore(home).save(profile)
        profile = replace(profile, is_drawn=True)
    assert learning_saver(ProfileStore(home), profile) is None

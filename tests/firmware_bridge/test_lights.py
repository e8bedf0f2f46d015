"""Lights show the scoreboard, within what eyes and power supplies bear."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.firmware_bridge.errors import DisplayError
from railspotter.firmware_bridge.lights import (
    ALARM_S,
    BLIND,
    CHASE_S,
    LED_MA,
    DisplayMoment,
    Strip,
    lights,
    palettes,
    segments,
)
from railspotter.firmware_bridge.scoreboard import LAY_S, PlayerScore, Scoreboard
from railspotter.table.display_control import PiecesToLay
from scoreboards import scoreboards

FULL = Strip(100, brightness=1.0, most_ma=1e6)
LAY = PiecesToLay("blue", "Helena - Seattle", 6)


@st.composite
def shown_now(draw: st.DrawFn) -> tuple[Scoreboard, DisplayMoment]:
    """Draw any scoreboard, and a moment soon after its claim and its last turns."""
    moment = draw(st.builds(DisplayMoment, st.floats(0, 1e6), is_reading=st.booleans()))
    times_s = [moment.t_s - draw(st.floats(0, 20)) for _ in range(2)]
    return replace(draw(scoreboards()), claimed_s=times_s[0], last_turns_s=times_s[1]), moment


def lit(player: PlayerScore, strip: Strip = FULL) -> int:
    """How many LEDs of a lone player's score are at least half lit."""
    shown = lights(Scoreboard((player,)), strip, DisplayMoment())
    return int((shown[: strip.leds - strip.leds // 5].max(axis=1) > 127).sum())


@given(shown_now(), st.integers(1, 300))
def test_there_are_always_lights_for_each_led(
    now: tuple[Scoreboard, DisplayMoment], leds: int
) -> None:
    (scoreboard, moment), strip = now, Strip(leds, most_ma=500.0)
    shown = lights(scoreboard, strip, moment)
    assert shown.shape == (leds, 3)
    assert shown.dtype == np.uint8
    assert shown.sum() / 255 * LED_MA <= 500.0 + leds * LED_MA * 3 * 0.5 / 255


@pytest.mark.parametrize("palette", palettes())
@pytest.mark.parametrize(
    "colours",
    [("teal", "brown"), ("teal", "red", "sky blue", "moss"), ("gold", "yellow", "black", "navy")],
)
def test_trains_of_the_house_have_a_light_of_their_own(
    palette: str, colours: tuple[str, ...]
) -> None:
    board = Scoreboard(tuple(PlayerScore(colour, 50) for colour in colours))
    strip = replace(FULL, palette=palette)
    shown = lights(board, strip, DisplayMoment()).astype(int)
    first = [shown[segment.start] for segment in segments(len(colours), strip.leds)]
    for one, other in itertools.combinations(first, 2):
        assert np.linalg.norm(one - other) > 60
    if palette == "plain":
        red, green, blue = first[colours.index("teal")] if "teal" in colours else (0, 255, 255)
        assert min(green, blue) > 2 * red, "as the name says"


@given(shown_now())
def test_a_reversed_strip_is_the_same_backwards(now: tuple[Scoreboard, DisplayMoment]) -> None:
    scoreboard, moment = now
    there = lights(scoreboard, Strip(60), moment)
    back = lights(scoreboard, Strip(60, is_reversed=True), moment)
    assert np.array_equal(there, back[::-1])


@given(st.integers(0, 8), st.integers(1, 300))
def test_segments_are_equal_and_apart(players: int, leds: int) -> None:
    cut = segments(players, leds)
    assert len(cut) == players
    if leds >= players:
        assert len({s.stop - s.start for s in cut}) <= 1
        assert all(s.stop > s.start for s in cut)
    assert all(a.stop <= b.start for a, b in itertools.pairwise(cut))
    assert all(s.stop <= leds for s in cut)


def test_the_bar_grows_with_the_score() -> None:
    bars = [lit(PlayerScore("red", score)) for score in range(0, 101, 5)]
    assert bars == sorted(bars)
    assert bars[0] == 0
    assert bars[-1] == 80


def test_the_second_round_is_white_on_the_colour() -> None:
    shown = lights(Scoreboard((PlayerScore("red", 150),)), FULL, DisplayMoment())[:80]
    assert (shown[:40, 1] > 100).all()
    assert (shown[41:, 1] == 0).all()
    assert (shown[:, 0] == 255).all()


def test_less_than_nothing_is_nothing() -> None:
    assert lit(PlayerScore("red", -20)) == 0


@pytest.mark.parametrize(("left", "at_least_half"), [(45, 20), (0, 0), (23, 10)])
def test_the_last_fifth_is_the_stock(left: int, at_least_half: int) -> None:
    shown = lights(Scoreboard((PlayerScore("red", 0, left),)), FULL, DisplayMoment())
    assert (shown[80:, 0] > 60).sum() == at_least_half


def test_only_the_longest_path_breathes() -> None:
    board = Scoreboard((PlayerScore("red", 50, has_longest_path=True), PlayerScore("blue", 50)))
    frames = np.stack([lights(board, FULL, DisplayMoment(t / 20)) for t in range(40)]).astype(int)
    change = frames.max(axis=0) - frames.min(axis=0)
    red, blue = segments(2, 100)
    assert change[red].max() > 100
    assert change[blue].max() == 0


def test_a_claim_runs_once_along_its_own_segment() -> None:
    board = Scoreboard((PlayerScore("red"), PlayerScore("blue")), newest_claim="blue")
    red, blue = segments(2, 100)
    seen = []
    for age in np.linspace(0.0, CHASE_S, 30, endpoint=False):
        shown = lights(replace(board, claimed_s=0.0), FULL, DisplayMoment(float(age)))
        assert not shown[red, 1].any()
        seen.append(int(shown[blue, 0].argmax()))
    assert seen == sorted(seen)
    assert seen[-1] - seen[0] > 30
    assert np.array_equal(
        lights(replace(board, claimed_s=-CHASE_S), FULL, DisplayMoment()),
        lights(board, FULL, DisplayMoment()),
    )


def test_pieces_to_lay_are_as_many_single_lights_in_turns_with_the_score() -> None:
    board = Scoreboard((PlayerScore("red", 50), PlayerScore("blue", 50, to_lay=(LAY,))))
    score = Scoreboard((PlayerScore("red", 50), PlayerScore("blue", 50)))
    red, blue = segments(2, 100)
    for t_s in np.arange(0.0, 12.0, 0.05):
        shown = lights(board, FULL, DisplayMoment(float(t_s)))
        plain = lights(score, FULL, DisplayMoment(float(t_s)))
        assert np.array_equal(shown[red], plain[red])
        assert np.array_equal(shown[blue][40:], plain[blue][40:]), "the trains left"
        if t_s % (2 * LAY_S) < LAY_S:
            lit = np.flatnonzero(shown[blue][:40, 2] > 127)
            assert lit.tolist() == [1, 3, 5, 7, 9, 11]
        else:
            assert np.array_equal(shown[blue], plain[blue])


@given(st.integers(-20, 300), st.integers(1, 10), st.integers(20, 300), st.booleans())
def test_pieces_to_lay_are_never_taken_for_a_score(
    score: int, pieces: int, leds: int, has_longest_path: bool
) -> None:
    lay = PiecesToLay("red", "Helena - Seattle", pieces)
    player = PlayerScore("red", score, 45, has_longest_path=has_longest_path, to_lay=(lay,))
    strip = Strip(leds, brightness=1.0, most_ma=1e6)
    score_leds = leds - leds // 5
    laying, points = (
        lights(Scoreboard((player,)), strip, DisplayMoment(t_s))[:score_leds, 0] > 60
        for t_s in (0.0, LAY_S)
    )
    assert laying.sum() == min(pieces, score_leds - 1)
    assert laying[1]
    assert not laying[0]
    assert points[0] or not points.any()


def test_the_next_pieces_follow_when_the_first_ones_lie() -> None:
    two = PiecesToLay("blue", "Calgary - Seattle", 2)
    both = Scoreboard((PlayerScore("blue", to_lay=(LAY, two)),))
    one = Scoreboard((PlayerScore("blue", to_lay=(two,)),))
    lit = [(lights(board, FULL, DisplayMoment())[:80, 2] > 127).sum() for board in (both, one)]
    assert lit == [6, 2]


def test_last_turns_flash_everything_then_the_stock() -> None:
    board = Scoreboard((PlayerScore("red", 50), PlayerScore("blue", 50)), is_last_turns=True)

    def change(age_s: float) -> np.ndarray:
        frames = [
            lights(replace(board, last_turns_s=t / 20 - age_s), FULL, DisplayMoment(t / 20))
            for t in range(20)
        ]
        both = np.stack(frames).astype(int)
        return np.asarray((both.max(axis=0) - both.min(axis=0)).max(axis=1))

    red, _ = segments(2, 100)
    score = slice(red.start, red.start + 19)
    assert (change(1.0)[score] > 150).all()
    assert (change(ALARM_S)[score] == 0).all()
    assert change(math.inf)[red.stop - 9 : red.stop].min() > 50


@pytest.mark.parametrize("to_lay", [(), (LAY,)], ids=["nothing to lay", "six to lay"])
@pytest.mark.parametrize("score", [0, 50, 100])
def test_nothing_flashes_three_times_a_second(score: int, to_lay: tuple[PiecesToLay, ...]) -> None:
    player = PlayerScore("red", score, has_longest_path=True, to_lay=to_lay)
    board = Scoreboard((player,), is_last_turns=True, last_turns_s=0.0)
    times = np.arange(0, 4, 0.02)
    light = [lights(board, FULL, DisplayMoment(float(t))).sum() for t in times]
    ups = np.diff(np.asarray(light, dtype=float)) > 0.1 * max(light)
    assert ups.sum() <= 2 * 4


def test_reading_dims() -> None:
    board = Scoreboard((PlayerScore("white", 80),))
    bright = lights(board, FULL, DisplayMoment()).sum(dtype=float)
    dim = lights(board, FULL, DisplayMoment(is_reading=True)).sum(dtype=float)
    assert 0 < dim < 0.2 * bright


@pytest.mark.parametrize(
    "wrong",
    [{"leds": 0}, {"leds": 5000}, {"leds": 9, "brightness": 2}, {"leds": 9, "palette": "x"}],
)
def test_a_wrong_strip_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(DisplayError):
        Strip(**wrong)  # type: ignore[arg-type]


# How a colour looks without one kind of cones: linear RGB, severity 1.0, from the table of
# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", 2009.
SEEN = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
    "no colours": [[0.2126, 0.7152, 0.0722]] * 3,
}  # fmt: skip


def lab(linear: np.ndarray) -> np.ndarray:
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.clip(linear, 0, 1) @ np.transpose(to_xyz) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = f.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def least_difference(name: str, eyes: str | None) -> float:
    """CIE76 between the two most similar colours of a palette; LEDs' values are linear light."""
    rgb = np.array(list(palettes()[name].lights.values())) / 255
    seen = lab(rgb @ np.transpose(SEEN[eyes]) if eyes else rgb)
    apart = np.linalg.norm(seen[:, None] - seen, axis=2)
    return float(apart[~np.eye(len(seen), dtype=bool)].min())


@pytest.mark.parametrize(
    ("name", "eyes", "least"),
    [
        ("plain", None, 25),
        ("red-green", None, 25),
        ("red-green", "protanopia", 15),
        ("red-green", "deuteranopia", 15),
        ("blue-yellow", None, 25),
        ("blue-yellow", "tritanopia", 15),
        ("lightness", "no colours", 8),
    ],
)
def test_a_palettes_colours_are_told_apart(name: str, eyes: str | None, least: float) -> None:
    assert least_difference(name, eyes) >= least


def test_every_palette_has_every_colour() -> None:
    assert len({frozenset(one.lights) for one in palettes().values()}) == 1


def test_a_table_that_sees_nothing_fades_and_blinks_red_at_the_first_light() -> None:
    board = Scoreboard((PlayerScore("blue", 50), PlayerScore("green", 80)))
    plain = lights(board, FULL, DisplayMoment()).astype(int)
    blind = [lights(board, FULL, DisplayMoment(t, is_blind=True)).astype(int) for t in (0.0, 1.0)]
    assert [tuple(shown[0]) for shown in blind] == [BLIND, (0, 0, 0)]
    for shown in blind:
        assert shown[1:].sum() < 0.5 * plain[1:].sum()

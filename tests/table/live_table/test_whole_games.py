"""Stretches of games before the live table, as benchmarks/play_games.py plays whole ones."""

import pytest
from railspotter.scoring.edition import load_edition

from live.games import GameScene
from play_games import parse_options, play_scene

SIZE_WH = (1280, 720)
REST_S = 5.0  # so long nobody moves before a stretch is over: the last claim can be seen


@pytest.mark.long
@pytest.mark.parametrize(
    ("edition", "kind", "seed", "from_s", "least"),
    [
        ("newyork", "lively", 1011, 140.0, 8),
        ("europe", "calm", 1012, 80.0, 3),
    ],
)
def test_a_game_is_written_down_as_it_is_played(
    edition: str, kind: str, seed: int, from_s: float, least: int
) -> None:
    table = GameScene.draw(load_edition(edition), kind, seed, SIZE_WH)
    until_s = rest_after(table, from_s)
    options = parse_options(["--until", str(until_s)])
    played = play_scene(table, "stretch", options)
    assert played.claims >= least
    assert played.wrong == []
    assert played.final == []
    assert len(played.questions) <= 3


def rest_after(table: GameScene, t_s: float) -> float:
    """Return the first end of a rest after some moment."""
    ends = [reach.end_s for reach in table.enactment.hand_movements]
    starts = [float(start) for start in table.movement_starts() if start > t_s]
    return next(
        start for start in starts if max(end for end in ends if end < start) < start - REST_S
    )

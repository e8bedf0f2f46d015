"""A game in words: what happens in it, how it stands, games that are listed."""

from .event_lines import damage_lines, event_lines, lost_lines, time_of
from .game_summary import json_of, line_of, summary_of, text_of
from .score_lines import (
    answer_text,
    colour_text,
    final_lines,
    is_counted,
    player_text,
    problem_text,
    scores,
)

__all__ = [
    "answer_text",
    "colour_text",
    "damage_lines",
    "event_lines",
    "final_lines",
    "is_counted",
    "json_of",
    "line_of",
    "lost_lines",
    "player_text",
    "problem_text",
    "scores",
    "summary_of",
    "text_of",
    "time_of",
]

"""A running game in the terminal: what is printed, and what may be typed."""

from .event_text import (
    answer_text,
    event_lines,
    lost_lines,
    scores,
    time_of,
)
from .game_start import set_up_game, wait_for_picture
from .games_text import damage_lines, json_of, line_of, summary_of, text_of
from .profile_text import picture_json, picture_text, profile_json, quality_text
from .terminal_table import OK, Lights, Page, TypedCommands, watch

__all__ = [
    "OK",
    "Lights",
    "Page",
    "TypedCommands",
    "answer_text",
    "damage_lines",
    "event_lines",
    "json_of",
    "line_of",
    "lost_lines",
    "picture_json",
    "picture_text",
    "profile_json",
    "quality_text",
    "scores",
    "set_up_game",
    "summary_of",
    "text_of",
    "time_of",
    "wait_for_picture",
    "watch",
]

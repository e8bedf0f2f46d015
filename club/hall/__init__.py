"""The hall: what a club's screen knows of all tables, from what they tell a broker."""

from .hall import Hall, HallTable, Heard, Ignored, Missing
from .hall_log import HallLog
from .listening import HallListener, HallNews
from .round_results import TakenResult, entered, new_entrants, result_from, results_of_round
from .tournament_log import Entry, HeldTournament, TournamentLog

__all__ = [
    "Entry",
    "Hall",
    "HallListener",
    "HallLog",
    "HallNews",
    "HallTable",
    "Heard",
    "HeldTournament",
    "Ignored",
    "Missing",
    "TakenResult",
    "TournamentLog",
    "entered",
    "new_entrants",
    "result_from",
    "results_of_round",
]

"""A tournament over many tables: rounds, seating, standings, results; values in, values out.

No clock, file or network, and no chance but a seed that is handed in: who holds a tournament keeps
its facts in a log and folds them. docs/tournament.md tells hosts what follows from which rule.
"""

from .errors import (
    EntrantError,
    ResultError,
    RoundError,
    RulesError,
    SeatingError,
    TournamentError,
    TournamentFactError,
)
from .facts import (
    EntrantAdded,
    EntrantArrived,
    EntrantDroppedOut,
    EntrantRenamed,
    EntrantsSwapped,
    Name,
    Points,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    RoundSeated,
    Rules,
    TableSize,
    TournamentFact,
    TournamentStarted,
    even_points,
    fact_text,
    parse_fact,
)
from .report_match import ReportMatch, match_report
from .seating import repeats, seat_round
from .sheets import pairings_csv, results_csv, standings_csv
from .standings import StandingRow, number_text, standings, table_places, table_points
from .table_sizes import table_sizes
from .tournament import Entrant, Round, TableResult, Tournament, after, fold, plain

__all__ = [
    "Entrant",
    "EntrantAdded",
    "EntrantArrived",
    "EntrantDroppedOut",
    "EntrantError",
    "EntrantRenamed",
    "EntrantsSwapped",
    "Name",
    "Points",
    "ReportMatch",
    "ResultCorrected",
    "ResultEntered",
    "ResultError",
    "ResultWithdrawn",
    "Round",
    "RoundClosed",
    "RoundError",
    "RoundSeated",
    "Rules",
    "RulesError",
    "SeatingError",
    "StandingRow",
    "TableResult",
    "TableSize",
    "Tournament",
    "TournamentError",
    "TournamentFact",
    "TournamentFactError",
    "TournamentStarted",
    "after",
    "even_points",
    "fact_text",
    "fold",
    "match_report",
    "number_text",
    "pairings_csv",
    "parse_fact",
    "plain",
    "repeats",
    "results_csv",
    "seat_round",
    "standings",
    "standings_csv",
    "table_places",
    "table_points",
    "table_sizes",
]

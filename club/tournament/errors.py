"""What a tournament raises.

TournamentError             (a ClubError)
├── TournamentFactError     a text that is no fact of a tournament
├── RulesError              rules that contradict themselves
├── EntrantError            nobody of that name takes part, or somebody already does
├── RoundError              not the round, the table or the moment for it
│   └── SeatingError        nobody can be seated so
└── ResultError             points that are not those of a table's players
"""

from ..errors import ClubError


class TournamentError(ClubError):
    """Anything that a tournament refuses; its text is a sentence for the host."""


class TournamentFactError(TournamentError):
    """A text that is no fact of a tournament, with the path of what is wrong."""


class RulesError(TournamentError):
    """Table sizes or points that contradict themselves."""


class EntrantError(TournamentError):
    """Nobody of that name takes part, or somebody already does."""


class RoundError(TournamentError):
    """There is no such round or table, or this is not the moment for it."""


class SeatingError(RoundError):
    """A seating that leaves somebody out, seats somebody twice or has a table of a wrong size."""


class ResultError(TournamentError):
    """Points that are not those of exactly a table's players."""

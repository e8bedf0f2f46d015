"""A tournament as everybody may see it, for JSON."""

from __future__ import annotations

from railspotter.club.hall import HeldTournament
from railspotter.club.tournament import number_text, standings, table_places, table_points

from ..feed import Json


class ShownTournament:
    """A tournament's JSON, made once for each change: a whole hall asks for it at the same time."""

    def __init__(self) -> None:
        self._last: tuple[HeldTournament | None, Json] = (None, {})

    def of(self, held: HeldTournament) -> Json:
        """Return a tournament's JSON."""
        made_of, shown = self._last
        if made_of is not held:
            shown = tournament_json(held)
            self._last = held, shown
        return shown


def tournament_json(held: HeldTournament) -> Json:
    """Return a tournament as everybody may see it; the standing is the newest."""
    tournament = held.tournament
    rules = tournament.rules
    return {
        "number": held.number,
        "facts": held.facts,
        "name": tournament.name,
        "smallest": rules.smallest,
        "preferred": rules.preferred,
        "largest": rules.largest,
        "players": [
            {"id": one.id, "name": one.name, "club": one.club, "is_present": one.is_present}
            for one in tournament.entrants.values()
        ],
        "rounds": [
            {
                "round": played.number,
                "is_closed": played.is_closed,
                "tables": [
                    {
                        "table": number,
                        "players": list(players),
                        "result": _result_json(held, played.number, number),
                    }
                    for number, players in enumerate(played.tables, 1)
                ],
                "byes": list(played.byes),
            }
            for played in tournament.rounds
        ],
        "standings": [
            {
                "place": row.place,
                "player": row.entrant.id,
                "points": number_text(row.points),
                "share": number_text(row.share),
                "wins": row.wins,
                "opponents": number_text(row.opponents),
                "games": row.games,
                "byes": row.byes,
                "reason": row.reason,
            }
            for row in standings(tournament)
        ],
    }


def _result_json(held: HeldTournament, round_number: int, table: int) -> Json | None:
    result = held.tournament.round(round_number).results.get(table)
    if result is None:
        return None
    points = table_points(held.tournament.rules, result)
    return {
        "points": dict(result.points),
        "winners": list(result.winners),
        "places": table_places(result),
        "tournament_points": {one: number_text(won) for one, won in points.items()},
        "game": held.games.get((round_number, table)),
    }

"""Builds the report of a live table that is published to others."""

from railspotter.scoring.paths.longest_path import longest_holders
from railspotter.scoring.points.standing import PlayerStanding, Standing
from railspotter.scoring.spot_names import spot_name
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.course import likely_turn
from railspotter.table.live_table.table_view import TableView

from .messages import LastClaim, Phase, PlayerReport, Report


def report_of(view: TableView, *, table: str, name: str, game: str, events: int) -> Report:
    """Build the report of a table; the publisher sets its number and time.

    Like everybody's phone it leaves out the points of tickets that are still secret.
    """
    state = view.game.table
    standing = state.score.standing
    players = tuple(
        _player(player, score, state, standing)
        for player, score in zip(state.players, standing.players, strict=True)
    )
    winners = tuple(player.seat for player in players if player.is_winner)
    first = tuple(player.seat for player in players if player.place == 1 and player.points > 0)
    edition = state.edition
    return Report(
        table=table,
        number=1,
        name=name,
        at_s=0.0,
        game=game,
        title=state.name or edition.title,
        edition=edition.id,
        board=state.board.id,
        phase=phase_of(state),
        started_at_s=view.game.events[0].at_s,
        players=players,
        leaders=winners if state.counted and winners else first,
        turn=state.turn if state.dealing is not None else likely_turn(view.game),
        last_turns_by=state.last_turns_by,
        last_claim=_last_claim(view),
        help=_help(view),
        questions=len(view.questions),
        events=events,
    )


def phase_of(state: TableState) -> Phase:
    """Return the phase of a game."""
    if state.counted:
        return "counted"
    if state.ended:
        return "ended"
    if state.packed_away:
        return "packed_away"
    return "paused" if state.paused else "playing"


def _player(
    player: Player, score: PlayerStanding, state: TableState, standing: Standing
) -> PlayerReport:
    players = standing.players
    longest = longest_holders({other.colour: other.longest_path for other in players})
    return PlayerReport(
        seat=player.seat,
        name=player.name or player.colour,
        colour=player.colour,
        place=1 + sum(other.total > score.total for other in players),
        points=score.total,
        route_points=score.route_points,
        trains_left=score.trains_left,
        longest_path=score.longest_path.at_least,
        holds_longest=bool(state.edition.longest_path_bonus) and player.colour in longest.sure,
        is_winner=state.counted and player.colour in standing.winners,
        has_left=player.seat in state.left,
        computer=player.computer,
    )


def _last_claim(view: TableView) -> LastClaim | None:
    state = view.game.table
    held = {spot: one for spot, one in state.spots.items() if one.colour is not None}
    if not held:
        return None
    spot, newest = max(held.items(), key=lambda item: item[1].event)
    colour = newest.colour or ""
    return LastClaim(
        seat=state.seat_of(colour),
        colour=colour,
        kind=spot.kind,
        about=spot.id,
        what=spot_name(state.board, spot),
        at_s=newest.at_s,
    )


def _help(view: TableView) -> tuple[str, ...]:
    """Return the reasons why the table needs help; a paused one needs none."""
    reasons = ["called"] if view.is_called else []
    if view.hindrance is not None and view.hindrance.kind != "paused":
        reasons.append(view.hindrance.kind)
    if view.sight.joining is not None:
        reasons.append("joining")
    if view.questions:
        reasons.append("question")
    return tuple(reasons)

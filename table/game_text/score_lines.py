"""Text for standings, problems and final scores."""

from collections.abc import Iterator

from railspotter.scoring.answer import GameScore
from railspotter.scoring.edition import Colour
from railspotter.scoring.legality import Problem
from railspotter.scoring.paths.longest_path import path_text
from railspotter.scoring.rules_in_words import TIE_BREAKS

from ..game_log.table_state import TableState

MOST_NAMED = 5  # of what is not sure; the JSON and the game have it all
UNDECIDED = (
    "not decided: it depends on the longest path or stations, of which only limits are known"
)
UNDECIDED_TICKETS = "not decided: it depends on which tickets are completed"


def answer_text(said: GameScore, *, is_counted: bool = True) -> str:
    """Format a score: a block for each player, then the problems and the winner.

    `is_counted` is whether everyone's tickets are included; there is no winner before.

    >>> from railspotter.scoring.answer import answer, parse_game
    >>> game = parse_game('{"edition": "usa", "claims": {"helena--seattle": "red"}}')
    >>> print(answer_text(answer(game)))
    red: 15 points, 39 trains left, longest path 6
       15  route Helena - Seattle
    problem: 2 to 5 people play USA (2004), not 1 (For 2 - 5 players)
    """
    lines = []
    players = said.standing.players
    who = {p.colour: f"{p.name} ({p.colour})" if p.name else p.colour for p in players}
    for player in players:
        head = f"{who[player.colour]}: {player.total} points"
        # The Card Game has neither.
        if player.trains_left or player.longest_path.at_least:
            head += f", {player.trains_left} {said.train_word}s left"
            head += f", longest path {path_text(player.longest_path)}"
        lines.append(head)
        lines += [f"{line.points:5}  {line.what}" for line in player.lines]
    for problem in said.problems:
        some = f": look at {', '.join(problem.routes[:MOST_NAMED])}" if problem.routes else ""
        lines.append(problem_text(problem) + some)
    if said.low_stocks and not said.final:
        low = ", ".join(said.low_stocks)
        lines.append(f"the last turns have begun: few {said.train_word}s left for {low}")
    if said.unsure:
        names = ", ".join(list(said.unsure)[:MOST_NAMED])
        more = ", ..." if len(said.unsure) > MOST_NAMED else ""
        lines.append(f"not sure: a photo left {len(said.unsure)} open: {names}{more}")
    if said.last_turns:
        lines.append(f"still to play: {', '.join(said.last_turns)}")
    if said.final:
        place = "winner" if is_counted else "ahead without the tickets that nobody has shown"
        if said.problems:
            place += ", problems aside"
        if said.unsure:
            place += ", if what is not sure is as the game has it"
        winners = " and ".join(who[colour] for colour in said.standing.winners)
        open_tickets = any(
            line.kind == "tickets_undecided" for player in players for line in player.lines
        )
        undecided = UNDECIDED_TICKETS if open_tickets else UNDECIDED if players else ""
        lines.append(f"{place}: {winners or undecided}")
        if ties := said.standing.ties_broken:
            ways = ", then ".join(TIE_BREAKS[tie.by] for tie in ties)
            lines.append(f"equal points, told apart by {ways}")
    return "\n".join(lines)


def problem_text(problem: Problem) -> str:
    """Format a problem with the rulebook's sentence.

    >>> problem_text(Problem("both_lanes", "", "red holds both lanes of Denver - Helena"))
    'problem: red holds both lanes of Denver - Helena'
    """
    return f"problem: {problem.what}" + (f" ({problem.rule})" if problem.rule else "")


def final_lines(table: TableState) -> Iterator[str]:
    """Yield the lines of the public final score, and how many tickets are not counted."""
    yield from answer_text(table.score, is_counted=is_counted(table)).splitlines()
    for seat, hand in table.tickets.items():
        if secret := sum(not held.revealed for held in hand):
            yield f"not counted: {secret} of {table.name_of(seat)}'s tickets"
    if not table.tickets:
        yield "no tickets were entered"


def is_counted(table: TableState, *, with_secrets: bool = False) -> bool:
    """Tell whether everyone's tickets are known, so that there is a winner.

    By the rules every player has a ticket: one without has not entered any.
    """
    seats = {player.seat for player in table.players} - table.left
    is_shown = with_secrets or not table.unrevealed
    return is_shown and all(table.tickets.get(seat) for seat in seats)


def scores(table: TableState) -> str:
    """Format everyone's points and trains left in one line."""
    players = table.score.standing.players
    return "; ".join(
        f"{player_text(p.colour, table)} {p.total} ({p.trains_left} left)" for p in players
    )


def player_text(colour: Colour, table: TableState) -> str:
    """Format a player's name and colour; the colour alone if nobody plays it."""
    name = next((p.name for p in table.players if p.colour == colour), "")
    return f"{name} ({colour})" if name and name != colour else colour

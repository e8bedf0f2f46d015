"""A standing, or a final score, as lines for the terminal."""

from __future__ import annotations

from railspotter.scoring.answer import Answer


def answer_text(said: Answer) -> str:
    """Return an answer for reading: a block for each player, then problems and the end.

    Examples
    --------
    >>> from railspotter.scoring.answer import answer, parse_game
    >>> game = parse_game('{"edition": "usa", "claims": {"helena--seattle": "red"}}')
    >>> print(answer_text(answer(game)))
    red: 15 points, 39 trains left, longest path 6
       15  route Helena - Seattle
    problem: 1 play; 2 to 5 can (For 2 - 5 players)
    """
    lines = []
    players = said.standing.players
    who = {p.colour: f"{p.name} ({p.colour})" if p.name else p.colour for p in players}
    for player in players:
        head = f"{who[player.colour]}: {player.total} points"
        # The Card Game has neither.
        if player.trains_left or player.longest_path.length:
            head += f", {player.trains_left} trains left"
            head += f", longest path {player.longest_path.length}"
        lines.append(head)
        lines += [f"{line.points:5}  {line.what}" for line in player.lines]
    for problem in said.problems:
        lines.append(f"problem: {problem.what}" + (f" ({problem.rule})" if problem.rule else ""))
    if said.low_stocks and not said.final:
        lines.append(f"the last turns have come: {', '.join(said.low_stocks)} is low on trains")
    if said.last_turns:
        lines.append(f"still to play: {', '.join(said.last_turns)}")
    if said.final:
        lines.append(f"winner: {' and '.join(who[colour] for colour in said.standing.winners)}")
    return "\n".join(lines)

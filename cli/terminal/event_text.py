"""A game in lines for the terminal: what happens at a table, the standing, the final score."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

from railspotter.scoring import Colour, Problem, Spot, path_text
from railspotter.scoring.answer import GameScore
from railspotter.scoring.dealing import Pay, PayMore, TakeBack
from railspotter.table.game_log import (
    BoardJoined,
    CardsMoved,
    CardsPutAway,
    Corrected,
    Event,
    GameEnded,
    GamePackedAway,
    GamePaused,
    GameRenamed,
    GameResumed,
    GameState,
    HandPassedOn,
    LastTurnsBegun,
    MarkerCompared,
    PinPlaced,
    Placed,
    PlayerCameIn,
    PlayerHandedOver,
    PlayerLeft,
    PlayerRecoloured,
    PlayerRenamed,
    PointsCounted,
    Redone,
    SeatId,
    SeatsSwapped,
    TableState,
    TakenBack,
    TicketRevealed,
    TurnMarked,
    Undone,
    answer_of,
    is_lost,
    spots_of_problem,
    unrevealed,
)
from railspotter.table.live_table import Difference, Laying, RebuildingView, likely_turn
from railspotter.table.photos import spot_name
from railspotter.vision.readings import Doubt

MOST_WAYS = 2
"""Spots that are named of a problem: the newest, and the one before."""
UNDECIDED = (
    "not decided: it depends on the longest path or stations, of which only limits are known"
)


def answer_text(said: GameScore, *, is_counted: bool = True) -> str:
    """Return an answer for reading: a block for each player, then problems and the end.

    Parameters
    ----------
    is_counted : bool
        Whether everyone's tickets are in it; nobody has won before.

    Examples
    --------
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
    lines += map(problem_text, said.problems)
    if said.low_stocks and not said.final:
        low = ", ".join(said.low_stocks)
        lines.append(f"the last turns have begun: few {said.train_word}s left for {low}")
    if said.last_turns:
        lines.append(f"still to play: {', '.join(said.last_turns)}")
    if said.final:
        place = "winner" if is_counted else "ahead without the tickets that nobody has shown"
        if said.problems:
            place += ", problems aside"
        winners = " and ".join(who[colour] for colour in said.standing.winners)
        lines.append(f"{place}: {winners or (UNDECIDED if players else '')}")
    return "\n".join(lines)


def problem_text(problem: Problem) -> str:
    """Return what is wrong, with the rulebook's sentence.

    Examples
    --------
    >>> problem_text(Problem("both_lanes", "", "red holds both lanes of Denver - Helena"))
    'problem: red holds both lanes of Denver - Helena'
    """
    return f"problem: {problem.what}" + (f" ({problem.rule})" if problem.rule else "")


def problem_lines(problems: Iterable[Problem], table: TableState) -> Iterator[str]:
    """Yield what cannot be on the board, each with the ways to put it right."""
    for problem in problems:
        yield problem_text(problem)
        names = [spot_name(table.board, spot) for spot in spots_of_problem(problem, table)]
        if names:
            ways = " or ".join(f"'set {name} free'" for name in names[:MOST_WAYS])
            yield f"to put it right: {ways}, or say whose it is in the place of 'free'"


def event_lines(event: Event, game: GameState) -> Iterator[str]:
    """Yield what to say of an event; nothing of those that change nothing on the board."""
    table, fact = game.table, event.fact
    match fact:
        case Placed():
            yield f"{player_text(fact.colour, table)}: {spot_name(table.board, fact.spot)}"
        case TakenBack():
            yield f"free again: {spot_name(table.board, fact.spot)} ({fact.why})"
        case Corrected():
            now = "free" if fact.now is None else player_text(fact.now, table)
            yield f"corrected: {spot_name(table.board, fact.spot)} is {now}"
        case BoardJoined():
            yield f"saved what is on the board: {len(fact.found)} claims"
        case Undone(event=seq) | Redone(event=seq):
            done = "undone" if isinstance(fact, Undone) else "redone"
            for line in event_lines(game.event(seq), game):
                yield f"{done}: {line}"
        case GamePackedAway():
            yield "packed away: the game is kept, and rebuilt when somebody goes on with it"
        case GamePaused():
            yield "paused: changes on the board do not count for now"
        case GameResumed():
            yield "watching again"
        case GameEnded():
            yield "the game has ended"
            yield from final_lines(table)
        case PointsCounted():
            yield "the points are counted"
        case CardsMoved():
            yield from _of_cards(fact, table)
        case CardsPutAway():
            yield "the cards are on the table from now on"
        case _:
            yield from _of_people(event, game)


def _of_cards(fact: CardsMoved, table: TableState) -> Iterator[str]:
    """Yield what to lay, and what is not claimed after all; nothing of what anybody holds."""
    match fact.move:
        case Pay(kind=kind, id=name) if (spot := Spot(kind, name)) in table.to_lay:
            yield _to_lay(spot, table)
        case PayMore():
            # Only the last tunnel of a seat can be one that is not laid yet.
            spots = [s for s, paid in table.payments.items() if paid.seat == fact.seat]
            if spots and spots[-1] in table.to_lay:
                yield _to_lay(spots[-1], table)
        case TakeBack(kind=kind, id=name):
            spot = Spot(kind, name)
            yield f"{_name(fact.seat, table)} has cards back: {spot_name(table.board, spot)}"
        case _:
            pass


def _to_lay(spot: Spot, table: TableState) -> str:
    whose = player_text(table.to_lay[spot], table)
    lay = f"lay {table.pieces_on(spot)} of {whose}: {spot_name(table.board, spot)}"
    back = table.pieces_back(spot)
    return f"{lay}; put {back} back in the box" if back else lay


def laying_lines(
    now: Mapping[Spot, Laying], before: Mapping[Spot, Laying], table: TableState
) -> Iterator[str]:
    """Yield what is new of routes that are being laid: how many trains stand, and which is wrong.

    Examples
    --------
    >>> from railspotter.table.game_log import GameStarted, Player
    >>> table = TableState.at_start(GameStarted("usa", (Player("bob", "blue", "Bob"),)))
    >>> seen = {Spot("route", "denver--kansas-city--0"): Laying((0, 1), ((2, "red"),))}
    >>> print(*laying_lines(seen, {}, table))
    Denver - Kansas City (first lane): 2 of 4 stand; red stands on space 3 from Denver
    >>> list(laying_lines(seen, seen, table))
    []
    """
    for spot, laying in now.items():
        if laying == before.get(spot):
            continue
        first = table.board.place_by_id[table.board.route_by_id[spot.id].a].name
        said = [f"{len(laying.standing)} of {table.pieces_on(spot)} stand"]
        said += [
            f"{player_text(colour, table)} stands on space {space + 1} from {first}"
            for space, colour in laying.wrong
        ]
        yield f"{spot_name(table.board, spot)}: {'; '.join(said)}"


def rebuilding_lines(
    now: RebuildingView, before: RebuildingView | None, table: TableState
) -> Iterator[str]:
    """Yield what is new of a board that is laid out again: what to do, and how much is left."""
    known = before.differences if before is not None else ()
    if now.differences == known and before is not None and now.is_read == before.is_read:
        return
    for one in now.differences:
        if one not in known:
            yield _to_mend(one, table)
    plain = sum(one.is_plain for one in now.differences)
    if plain:
        yield f"{plain} left until the board lies as it was ('yes': it is as it should be)"


def _to_mend(one: Difference, table: TableState) -> str:
    board, where = table.board, spot_name(table.board, one.spot)
    whose = "nobody" if one.colour is None else player_text(one.colour, table)
    seen = "nothing" if one.seen is None else player_text(one.seen, table)
    match one.kind:
        case "missing":
            return f"lay {table.pieces_on(one.spot)} of {whose}: {where}"
        case "extra":
            return f"take {seen} off: {where}"
        case "colour":
            return f"{seen} lies there, not {whose}: {where}"
        case "lane" if one.lies_on is not None:
            return f"{whose} lies on {spot_name(board, one.lies_on)}: move it to {where}"
        case _:
            return f"check {where}: it should be {whose}"


def lost_lines(game: GameState) -> Iterator[str]:
    """Yield where events are missing that damage has taken, and what to do; nothing without any."""
    if lost := [event for event in game.events if is_lost(event)]:
        yield (
            f"from event {lost[0].seq} on ({time_of(lost[0].at_s)}) events are damaged and left"
            " out, so the score may be wrong: compare it with the board and the tickets"
        )


def _of_people(event: Event, game: GameState) -> Iterator[str]:
    """Yield what to say of people; a ticket that is not revealed is nobody's business."""
    table, fact = game.table, event.fact
    match fact:
        case TicketRevealed(seat=seat, ticket=ticket):
            place = table.board.place_by_id
            yield f"{_whose(seat, table)} ticket: {place[ticket.a].name} - {place[ticket.b].name}"
        case LastTurnsBegun(seat=seat):
            yield (
                f"last turns: {_name(seat, table)} has few trains left; everyone has one more"
                f" turn, {_name(seat, table)} the last one"
            )
        case TurnMarked(seat=seat):
            yield f"it is {_whose(seat, table)} turn"
        case MarkerCompared(seat=seat, said=said):
            yield f"{_whose(seat, table)} marker is at {said}"
        case PlayerCameIn(player=player):
            yield f"{player_text(player.colour, table)} joins"
        case PlayerHandedOver(seat=seat, computer=computer):
            who = f"a computer ({computer})" if computer else "a person"
            yield f"{who} plays on for {_name(seat, table)}"
        case HandPassedOn(seat=seat, is_new=True):
            yield f"{_name(seat, table)} is dealt a new hand"
        case HandPassedOn(seat=seat, by=by):
            whose = _name(by, table) if by else "the host"
            yield f"{whose} says that the new phone is that of {_name(seat, table)}"
        case PlayerLeft(seat=seat):
            yield f"{_name(seat, table)} has left: no more turns"
        case PlayerRenamed() | PlayerRecoloured() | SeatsSwapped():
            yield f"who plays: {', '.join(player_text(p.colour, table) for p in table.players)}"
        case GameRenamed(name=name):
            yield f"the game is called {name}"
        case PinPlaced(route=route, space=space):
            name = spot_name(table.board, Spot("route", route))
            yield f"{name}: its shape is on space {space + 1}"
        case _:
            pass


def standing_lines(game: GameState) -> Iterator[str]:
    """Yield everyone's points, and whose turn it probably is; the final score of an ended game."""
    if game.table.ended:
        yield from final_lines(game.table)
        return
    yield scores(game.table)
    yield from problem_lines(answer_of(game.table, with_secrets=False).problems, game.table)
    if (turn := likely_turn(game)) is not None:
        yield f"probably {_whose(turn, game.table)} turn (a guess: nobody sees cards being drawn)"


def final_lines(table: TableState) -> Iterator[str]:
    """Yield every point of the final score, tickets that nobody revealed left out."""
    said = answer_of(table, with_secrets=False)
    yield from answer_text(said, is_counted=is_counted(table)).splitlines()
    for seat, hand in table.tickets.items():
        if secret := sum(not held.revealed for held in hand):
            yield f"not counted: {secret} of {_whose(seat, table)} tickets ('reveal {seat}')"
    if not table.tickets:
        yield "no tickets were entered: 'ticket ann a-city b-city', then 'reveal all'"


def is_counted(table: TableState, *, with_secrets: bool = False) -> bool:
    """Tell whether everyone's tickets count, so that there is a winner to name.

    Everyone keeps a ticket by the rules: who has none here has not shown any.
    """
    seats = {player.seat for player in table.players} - table.left
    is_shown = with_secrets or not unrevealed(table)
    return is_shown and all(table.tickets.get(seat) for seat in seats)


def scores(table: TableState) -> str:
    """Return everyone's points and trains left in one line."""
    players = answer_of(table, with_secrets=False).standing.players
    return "; ".join(
        f"{player_text(p.colour, table)} {p.total} ({p.trains_left} left)" for p in players
    )


def question(number: int, doubt: Doubt, table: TableState) -> str:
    """Return a question with the answers that are likely."""
    likely = [colour_text(doubt.said), *(colour_text(other) for other in doubt.alternatives)]
    about = spot_name(table.board, doubt.spot)
    why = f"{doubt.why}; " if doubt.why else ""
    return (
        f"question {number}: {about}: {' or '.join(dict.fromkeys(likely))}?"
        f" ({why}answer: {number} {likely[0]})"
    )


def player_text(colour: Colour, table: TableState) -> str:
    """Return a player's name with the colour.

    A colour of nobody's is called by itself.
    """
    name = next((p.name for p in table.players if p.colour == colour), "")
    return f"{name} ({colour})" if name and name != colour else colour


def _name(seat: SeatId, table: TableState) -> str:
    player = table.player(seat)
    return seat if player is None else player.name or player.colour


def _whose(seat: SeatId, table: TableState) -> str:
    return f"{_name(seat, table)}'s"


def time_of(at_s: float) -> str:
    """Return the time of day of an event, by this computer's zone."""
    try:
        return time.strftime("%H:%M:%S", time.localtime(at_s))
    except (ValueError, OverflowError, OSError):
        return "--:--:--"  # a clock may have said anything


def colour_text(colour: Colour | None) -> str:
    """Return how a person says a colour, or that a spot is free."""
    return "free" if colour is None else colour

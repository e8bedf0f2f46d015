"""The course of a game: what follows from the trains that are left, without anybody saying it."""

from __future__ import annotations

from ..game_log import AnyFact, Event, GameState, LastTurnsBegun, Undone, answer_of


def follows(game: GameState) -> tuple[AnyFact, ...]:
    """Return what is to be written down after the facts that stand: the last turns, or no more.

    They begin when a player's stock is as low as the edition says. They are taken back when no
    stock is that low any more: the claim was withdrawn, corrected or undone.
    """
    table = game.table
    if table.ended:
        return ()
    low = answer_of(table, with_secrets=False).low_stocks
    begun = _begun(game)
    if begun is not None and not low:
        return (Undone(begun.seq),)
    if begun is None and low:
        seats = {player.colour: player.seat for player in table.players}
        return (LastTurnsBegun(seats[_first(game, low)]),)
    return ()


def undone_for(game: GameState, seq: int | None = None) -> Undone:
    """Return the fact that takes back an event, the newest one that stands without its number.

    Of the last turns, it is what was said before them: alone they would begin again at once.

    Raises
    ------
    EventError
        When there is nothing to take back.
    """
    found = game.undo(seq)
    if isinstance(game.event(found.event).fact, LastTurnsBegun):
        earlier = [one for one in game.undoable if one < found.event]
        return game.undo(earlier[0]) if earlier else found
    return found


def _begun(game: GameState) -> Event | None:
    """Return the event that says that the last turns have begun, if it stands."""
    return next(
        (
            event
            for event in reversed(game.events)
            if isinstance(event.fact, LastTurnsBegun) and event.seq not in game.undone
        ),
        None,
    )


def _first(game: GameState, low: tuple[str, ...]) -> str:
    """Return who of those that are low on trains claimed last: that claim brought it."""
    newest = sorted(
        (held.event, held.colour)
        for held in game.table.spots.values()
        if held.colour is not None and held.colour in low
    )
    return newest[-1][1] if newest else low[0]

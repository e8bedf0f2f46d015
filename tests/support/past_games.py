"""Past games in a folder: computers' games written down, with tickets that nobody has shown."""

from collections.abc import Iterable, Sequence

from logged_games import end_of, played, start_of, steps_of
from railspotter.simulation.played_game import PlayedGame
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.game_log.game_store import GameStore

DAY_S = 86_400.0


def id_of(number: int) -> str:
    return f"{number:032x}"


def facts_of(game: PlayedGame, *, is_shown: bool = True) -> list[Fact]:
    """All that happened; at the end the tickets are shown, or the game is left in the middle."""
    facts: list[Fact] = [start_of(game)]
    for step, _ in steps_of(game):
        facts += step
    return [*facts, *end_of(state_of(facts))] if is_shown else facts


def events_of(facts: Iterable[Fact], began_s: float = 0.0) -> list[Event]:
    return [Event(seq, began_s + seq, fact) for seq, fact in enumerate(facts, 1)]


def state_of(facts: Sequence[Fact]) -> GameState:
    first, *others = events_of(facts)
    state = begin(first)
    for event in others:
        state = state.after(event)
    return state


def put(store: GameStore, number: int, facts: Iterable[Fact], began_s: float = 0.0) -> str:
    """Put a game into a folder; return its id."""
    name = id_of(number)
    store.add(name, [(event, ()) for event in events_of(facts, began_s)])
    return name


def some_games(store: GameStore) -> dict[str, str]:
    """Put a finished game of three editions into a folder, and an unfinished one."""
    return {
        "usa": put(store, 1, facts_of(played("usa", 3)), DAY_S),
        "europe": put(store, 2, facts_of(played("europe", 2)), 2 * DAY_S),
        "philly": put(store, 3, facts_of(played("own-philly", 2)), 3 * DAY_S),
        "unfinished": put(store, 4, facts_of(played("usa", 2), is_shown=False), 4 * DAY_S),
    }

"""The beginnings of demo games, which a table reads within seconds."""

from dataclasses import replace
from functools import cache
from itertools import takewhile

from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot, spots_of
from railspotter.simulation.enactment.director import enact
from railspotter.simulation.played_game import PlayedGame
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.table.set_up.demo import HABITS, LIVE_SEED, demo_game


@cache
def game_of(claims: int) -> VirtualGame:
    """A demo game up to so many claims, a turn at least, before a smaller camera."""
    whole = demo_game(LIVE_SEED, size_wh=(960, 640))
    played = whole.enactment.played
    before = takewhile(
        lambda made: made.is_first or len(made.position.claims) < claims, played.moves
    )
    moves = played.moves[: len(list(before)) + 1]
    short = enact(PlayedGame(played.start, moves), whole.camera.printed, LIVE_SEED, HABITS)
    return replace(whole, enactment=short)


def truth(game: VirtualGame) -> dict[Spot, Colour]:
    """What lies on a game's board at its end."""
    return spots_of("route", game.enactment.played.end.claims)

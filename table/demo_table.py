"""A live table without a table: a drawn game before a drawn camera, to try `railspotter play`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from railspotter.calibration.profile import Profile
from railspotter.calibration.reference import make_profile
from railspotter.scoring import Edition, load_edition
from railspotter.scoring.game import TicketText
from railspotter.vision.sources import Source, VirtualBoard
from railspotter.vision.virtual_board import Scene

from .demo import LIVE_SEED, demo_game
from .game_log import Player, SeatId

PER_S = 5.0


@dataclass(frozen=True, eq=False)
class DemoTable:
    """What is before the camera, and what is known of it beforehand.

    Attributes
    ----------
    tickets : mapping of str to tuple of TicketText
        What each seat holds at the end.
    """

    edition: Edition
    players: tuple[Player, ...]
    source: Source
    profile: Profile
    tickets: Mapping[SeatId, tuple[TicketText, ...]]


def demo_table(seed: int = LIVE_SEED) -> DemoTable:
    """Return a drawn game as a source; its profile is made from a picture of the board empty."""
    game = demo_game(seed)
    played = game.enactment.played
    blank = game.camera.take(Scene(light=game.enactment.timeline.lamps[0].light))
    profile = make_profile(blank.picture, played.board, blank.corners_px, "demo", "")
    players = tuple(Player(seat.colour, seat.colour) for seat in played.seats)
    tickets = dict(played.final.tickets)  # a drawn player's seat is called by its colour
    source = VirtualBoard(
        lambda t_s: game.frame_at(t_s).picture,
        duration_s=game.duration_s,
        per_s=PER_S,
        name="the drawn game",
    )
    return DemoTable(load_edition(played.edition.id), players, source, profile, tickets)

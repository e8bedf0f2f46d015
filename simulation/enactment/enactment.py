"""A played game as people's hands do it on a real table: a function of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import pi, sin

from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId
from railspotter.scoring.edition import Colour

from ..played_game import PlayedGame
from ..virtual_board.light import Light
from ..virtual_board.pieces import Piece
from ..virtual_board.scene import BoardShift, Scene
from ..virtual_board.things import Thing
from .director import Director
from .habits import Habits
from .script import board_from_table
from .timeline import EnactedEvent, HandAt, Timeline

DRIFT_S = (97.0, 41.0, 63.0)  # periods of the light's drift: strength, blue and red


@dataclass(frozen=True)
class Truth:
    """What is true at one moment."""

    claims: Mapping[RouteId, Colour]  # the routes that are laid from end to end
    # For every route what stands on each space from `a` to `b`; None for empty. Of the accessible
    # edition's shapes there is one a route, on its pin's space.
    spaces: Mapping[RouteId, tuple[Colour | None, ...]]
    stations: Mapping[PlaceId, Colour]  # by place and site, whose piece stands there
    sites: Mapping[SiteId, Colour]
    hands: tuple[HandAt, ...]  # the hands that are over the board, in the board's millimetres


@dataclass(frozen=True)
class Enactment:
    """A played game on a table."""

    played: PlayedGame = field(repr=False)
    board: Board = field(repr=False)  # as its copy prints it
    habits: Habits
    timeline: Timeline  # which piece is where when, and which hand: everything but the rendering

    @property
    def duration_s(self) -> float:
        """How long it takes."""
        return self.timeline.duration_s

    @property
    def events(self) -> tuple[EnactedEvent, ...]:
        """What happened, in order."""
        return self.timeline.events

    def pieces_at(self, t_s: float) -> tuple[Piece, ...]:
        """Return what stands on the table."""
        return self.timeline.stage_at(t_s).pieces

    def hands_at(self, t_s: float) -> tuple[HandAt, ...]:
        """Return the hands on their way, in the board's millimetres."""
        nudge = self.timeline.nudge_at(t_s)
        return tuple(self._on_board(hand, nudge) for hand in self.timeline.hands_at(t_s))

    def scene_at(self, t_s: float) -> Scene:
        """Return what a camera sees."""
        timeline = self.timeline
        nudge = timeline.nudge_at(t_s)
        hands = tuple(self._thing(hand, nudge) for hand in timeline.hands_at(t_s))
        return Scene(
            self.pieces_at(t_s),
            (*timeline.things_at(t_s), *hands),
            self._light_at(t_s),
            nudge,
            moment=round(max(t_s, 0.0) * 1000),
        )

    def truth_at(self, t_s: float) -> Truth:
        """Return what is true."""
        stage = self.timeline.stage_at(t_s)
        spaces: dict[RouteId, list[Colour | None]] = {
            route.id: [None] * route.length for route in self.board.routes
        }
        stations, sites = {}, {}
        for piece in stage.pieces:
            if piece.route is not None and piece.space is not None:
                spaces[piece.route][piece.space] = piece.colour
            elif piece.place in self.board.site_by_id:
                sites[str(piece.place)] = piece.colour
            elif piece.place is not None:
                stations[piece.place] = piece.colour
        hands = tuple(hand for hand in self.hands_at(t_s) if self._is_over_board(hand))
        return Truth(
            stage.claims,
            {route: tuple(colours) for route, colours in spaces.items()},
            stations,
            sites,
            hands,
        )

    def _thing(self, hand: HandAt, nudge: BoardShift) -> Thing:
        at = self._on_board(hand, nudge)
        kind = "flat hand" if hand.is_flat else "hand"
        return Thing(kind, at.xy_mm, at.angle_deg, hand.seed, at.z_mm, None, at.holds)

    def _on_board(self, hand: HandAt, nudge: BoardShift) -> HandAt:
        """Return a hand in the board's millimetres."""
        xy_mm = board_from_table(hand.xy_mm, nudge, self.board.size_mm)
        return replace(hand, xy_mm=xy_mm, angle_deg=hand.angle_deg - nudge.turn_deg)

    def _is_over_board(self, hand: HandAt) -> bool:
        (x, y), (width, height) = hand.xy_mm, self.board.size_mm
        return 0 <= x <= width and 0 <= y <= height

    def _light_at(self, t_s: float) -> Light:
        """Return the light: lamps are switched, and clouds pass."""
        light, drift = self.timeline.lamp_at(t_s), self.habits.light_drift
        if not drift:
            return light
        waves = [drift * sin(2 * pi * t_s / period) for period in DRIFT_S]
        strength, blue, red = 1 + waves[0], 1 + waves[1] / 2, 1 + waves[2] / 2
        gains = light.gain_bgr
        return replace(
            light,
            strength=min(light.strength * strength, 3.0),
            gain_bgr=(min(gains[0] * blue, 3.0), gains[1], min(gains[2] * red, 3.0)),
        )


def enact(
    played: PlayedGame,
    board: Board | None = None,
    seed: int = 0,
    habits: Habits | None = None,
    light: Light | None = None,
) -> Enactment:
    """Return a played game as people's hands do it.

    Parameters
    ----------
    board : Board
        As its copy prints it (`Copy.printed`); without one, as the board file has it.
    habits : Habits
        How fast and how neat; `CALM` for a game in which nothing goes wrong.
    light : Light
        In which the game begins.

    Raises
    ------
    SceneError
        For a board that nobody measured.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.simulation.played_game import play_game
    >>> game = play_game(load_edition("newyork"), load_board("newyork"), 2, seed=5)
    >>> table = enact(game, seed=1)
    >>> len(table.pieces_at(0.0)), table.truth_at(table.duration_s).claims == game.end.claims
    (0, True)
    """
    board, habits = board or played.board, habits or Habits()
    timeline = Director(played, board, seed, habits, light or Light()).direct()
    return Enactment(played, board, habits, timeline)

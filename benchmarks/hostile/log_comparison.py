"""Compares the log of an attacked game with the game."""

from dataclasses import dataclass, field

from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.game_state import GameState
from railspotter.table.photos.scored_photo import ScoredPhoto

from live.games import GameScene


@dataclass
class Comparison:
    """The result of the comparison."""

    # Of each claim when the hand had left it, in seconds of the game, and how much later it was
    # written down; None if it was not.
    claims: list[tuple[float, float | None]] = field(default_factory=list)
    # Facts of the camera that were not true when they were written down.
    wrong: list[str] = field(default_factory=list)
    # What the log has otherwise than the board at the end.
    final: list[str] = field(default_factory=list)
    has_true_score: bool = False

    def delays_between(self, start_s: float, end_s: float) -> list[float | None]:
        """Return the delays of the claims between two moments."""
        return [delay_s for left_s, delay_s in self.claims if start_s <= left_s < end_s]


def compare(scene: GameScene, state: GameState, begun_s: float, until_s: float) -> Comparison:
    """Compare a log with the game that was shown from `begun_s` on, up to `until_s` of it."""
    comparison = Comparison()
    written: list[tuple[float, str]] = []
    for event in state.events:
        t_s = event.at_s - begun_s
        match event.fact:
            case Placed(by="camera", colour=colour) as fact:
                written.append((t_s, fact.spot.id))
                if not scene.is_true(fact.spot, colour, min(t_s, until_s)):
                    comparison.wrong.append(f"{t_s:.1f} s: {fact.spot.id} {colour}")
            case Corrected() as fact:
                written.append((t_s, fact.spot.id))
    for name, since_s, left_s in scene.claims(until_s):
        seen = [max(0.0, t_s - left_s) for t_s, of in written if of == name and t_s >= since_s]
        comparison.claims.append((left_s, next(iter(seen), None)))
    real, logged = scene.truth(until_s), state.table.held
    spots: list[Spot] = sorted(real.keys() | logged.keys())
    comparison.final = [
        f"{spot.id}: {logged.get(spot)}, is {real.get(spot)}"
        for spot in spots
        if real.get(spot) != logged.get(spot)
    ]
    edition, board, colours = state.table.edition, state.table.board, scene.colours
    true, ours = (ScoredPhoto("", board, edition, colours, held=held) for held in (real, logged))
    comparison.has_true_score = true.standing == ours.standing
    return comparison

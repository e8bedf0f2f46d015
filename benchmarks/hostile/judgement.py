"""What the log of an attacked game has, against what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.game_state import GameState
from railspotter.table.photos.scored_photo import ScoredPhoto


@dataclass(frozen=True)
class Claim:
    """A claim of the drawn game."""

    spot: Spot
    left_s: float  # when the hand had left it, in seconds of the game
    delay_s: float | None  # how much later it was written down; None if it was not


@dataclass
class Verdict:
    """What the log came to."""

    claims: list[Claim] = field(default_factory=list)
    # Facts of the camera that were not true when they were written down.
    wrong: list[str] = field(default_factory=list)
    # What the log has otherwise than the board at the end.
    final: list[str] = field(default_factory=list)
    events: int = 0
    has_true_score: bool = False

    def between(self, start_s: float, end_s: float) -> list[Claim]:
        """Return the claims that were made between two moments."""
        return [claim for claim in self.claims if start_s <= claim.left_s < end_s]


def truth(game: VirtualGame, t_s: float) -> dict[Spot, Colour]:
    """Return what stands on the board."""
    claims = game.enactment.stage_at(t_s).claims
    return {Spot("route", route): colour for route, colour in claims.items()}


def judge(game: VirtualGame, state: GameState, begun_s: float, until_s: float) -> Verdict:
    """Compare a log with the game that was shown from `begun_s` on, up to `until_s` of it."""
    verdict = Verdict(events=len(state.events))
    written: list[tuple[float, Spot]] = []
    for event in state.events:
        t_s = event.at_s - begun_s
        match event.fact:
            case Placed(by="camera", colour=colour) as fact:
                written.append((t_s, fact.spot))
                if truth(game, min(t_s, until_s)).get(fact.spot) != colour:
                    verdict.wrong.append(f"{t_s:.1f} s: {fact.spot.id} {colour}")
            case Corrected() as fact:
                written.append((t_s, fact.spot))
    claimed: dict[str, float] = {}
    for enacted in game.enactment.events:
        name, at_s = enacted.name, enacted.t_s
        if at_s >= until_s:
            break
        if enacted.kind == "claimed":
            claimed[name] = at_s
        elif enacted.kind == "hand left" and name in claimed:
            spot, since_s = Spot("route", name), claimed.pop(name)
            verdict.claims.append(Claim(spot, at_s, _delay(written, spot, since_s, at_s)))
    is_, has = truth(game, until_s), state.table.held
    verdict.final = [
        f"{spot.id}: {has.get(spot)}, is {is_.get(spot)}"
        for spot in sorted(is_.keys() | has.keys())
        if is_.get(spot) != has.get(spot)
    ]
    edition, board = state.table.edition, state.table.board
    colours = tuple(player.colour for player in state.table.players)
    true, said = (ScoredPhoto("", board, edition, colours, held=held) for held in (is_, has))
    verdict.has_true_score = true.standing == said.standing
    return verdict


def _delay(
    written: Sequence[tuple[float, Spot]], spot: Spot, since_s: float, left_s: float
) -> float | None:
    seen = [t_s for t_s, of in written if of == spot and t_s >= since_s]
    return max(0.0, seen[0] - left_s) if seen else None

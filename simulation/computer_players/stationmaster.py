"""The stationmaster: hard. Has the whole network and the clock in view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from railspotter.scoring.dealing.claim_rules import may_claim
from railspotter.scoring.dealing.moves import DrawTickets, Move, Pay
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Ticket

from .cards import Target, payment
from .computer_player import ComputerPlayer, can_draw_any, choices
from .judgement import Judgement
from .last_turn import best_last_move
from .prospect import Prospect
from .quick_game import can_rehearse
from .rehearsal import Rehearsal
from .rivals import USEFUL_CARDS

# So many of the claims that the prospect holds most of are rehearsed in a short game. Chosen.
REHEARSED_CLAIMS = 4


class Stationmaster(ComputerPlayer):
    """Hard: calm, counts everybody's trains and wastes no turn.

    Plans all tickets as one network, cheap in turns and cards, and lets long routes pay for it.
    Claims first what others may take and what would be dear to go around; keeps the cards that
    other routes need; gives up what the end comes too early for; draws tickets where the network
    very likely holds most of the way already. A short game is rehearsed instead: see `Rehearsal`.
    """

    def __init__(self, seed: int = 0, judgement: Judgement | None = None) -> None:
        super().__init__(seed)
        self.judgement = judgement or Judgement()

    def keep(self, view: SeatView) -> Sequence[Ticket]:
        """Keep the tickets that are worth most together with those held."""
        if can_rehearse(view.position):
            game = Rehearsal(view, self.chance(view)).game
            return game.keep(game.seat, view.offered, view.at_least)
        prospect = Prospect(view, self.judgement)
        return max(choices(view), key=prospect.worth_of)

    def targets(self, view: SeatView) -> Sequence[Target]:
        """Return the routes of the plan, then those that pay best by themselves."""
        return Prospect(view, self.judgement).targets

    def draw(self, view: SeatView) -> Move:
        """Draw the card that helps most; in a short game the usual one."""
        if can_rehearse(view.position):
            usual = Rehearsal(view, self.chance(view)).game.card_habit()
            if usual is not None and view.can_draw(usual.place):
                return usual
        return super().draw(view)

    def begin_turn(self, view: SeatView) -> Move | None:
        """Do what is worth more than a usual turn, or else draw cards."""
        if view.turns_left is not None:
            return best_last_move(view)
        prospect = Prospect(view, self.judgement)
        if can_rehearse(view.position):
            return self._rehearsed(view, prospect)
        best, most = self._best_claim(view, prospect)
        may_draw_tickets = view.can_draw_tickets and most < self.judgement.no_tickets_from
        if may_draw_tickets and prospect.worth_of_drawing_tickets() > most:
            return DrawTickets()
        if best is None and can_draw_any(view):
            return self.draw_for(view, prospect.targets)
        return best

    def _rehearsed(self, view: SeatView, prospect: Prospect) -> Move | None:
        """Rehearse what is usual, the most valuable claims and drawing a card."""
        rehearsal = Rehearsal(view, self.chance(view))
        usual, card = rehearsal.game.habit(), rehearsal.game.card_habit()
        claims = islice(self._payable(view, prospect), REHEARSED_CLAIMS)
        moves = [usual] if usual is not None else []
        moves += [claim for claim, _, _ in claims if claim not in moves]
        if card is not None and card not in moves:
            moves.append(card)
        return rehearsal.best(moves) if moves else None

    def _best_claim(self, view: SeatView, prospect: Prospect) -> tuple[Pay | None, float]:
        """Return the claim that is worth most, the cards that it takes from others counted."""
        best: Pay | None = None
        most = 0.0
        for claim, worth, harm in self._payable(view, prospect):
            if worth <= most:
                break
            worth -= harm * prospect.turn_worth / USEFUL_CARDS
            if worth > most:
                best, most = claim, worth
        return best, most

    def _payable(self, view: SeatView, prospect: Prospect) -> Iterator[tuple[Pay, float, float]]:
        """Yield claims, the most valuable first, with what others miss for their cards."""
        for spot, worth in sorted(prospect.claims(), key=lambda claim: -claim[1]):
            others = [target for target in prospect.targets if target.spot != spot]
            paid = payment(view.position, view.colour, view.hand, spot, others)
            if paid is not None and may_claim(view.position, view.colour, spot):
                yield Pay(spot.kind, spot.id, dict(paid[1])), worth, paid[0]

"""Train cards and tickets while a board game is played: who holds what, and which move is right.

For bots and for people whose cards are on their phones. The cards of The Card Game are counted in
`scoring/card_game.py`.
"""

from .claim_rules import claim_problems, may_claim
from .dealing import Dealing, Tunnel, first_dealing
from .moves import (
    ComeIn,
    DealAnew,
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Move,
    MoveError,
    PassTurn,
    Pay,
    PayMore,
    TakeBack,
    ticket_texts,
)
from .payments import payments, price_of, tunnel_additions
from .rules import (
    can_draw,
    can_move,
    claimable,
    ends_turn,
    every_spot,
    is_busy,
    legal_payments,
    play,
)
from .seat_view import SeatView, view_of
from .stacks import Luck, Stacks, cards_of

__all__ = [
    "ComeIn",
    "DealAnew",
    "Dealing",
    "DrawCard",
    "DrawTickets",
    "KeepTickets",
    "LeaveTunnel",
    "Luck",
    "Move",
    "MoveError",
    "PassTurn",
    "Pay",
    "PayMore",
    "SeatView",
    "Stacks",
    "TakeBack",
    "Tunnel",
    "can_draw",
    "can_move",
    "cards_of",
    "claim_problems",
    "claimable",
    "ends_turn",
    "every_spot",
    "first_dealing",
    "is_busy",
    "legal_payments",
    "may_claim",
    "payments",
    "play",
    "price_of",
    "ticket_texts",
    "tunnel_additions",
    "view_of",
]

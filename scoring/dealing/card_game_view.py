"""What one player sees of The Card Game while it is played: all that leaves the game's file."""

import msgspec

from ..card_game.tickets import CardTicket
from ..card_game.turns import Draw, Row
from ..edition import Colour
from .card_game_turns import can_move
from .dealt_card_game import Completed, DealtCardGame, Happened


class CardPlayerView(msgspec.Struct, frozen=True):
    """What everybody sees of a player."""

    colour: Colour
    name: str
    railyard: dict[str, Row]  # by colour
    hand: int  # how many train cards are in it
    track: int  # how many are on the On-the-Track stack
    tickets: int  # how many are held, and not completed
    is_choosing: bool  # whether tickets to keep, or to complete, are chosen just now
    completed: tuple[Completed, ...]  # since a deck ran out
    missed: tuple[CardTicket, ...]  # tickets that were not completed, once the game is over
    is_proved: bool  # once it is over, whether no other tickets would have been better


class OwnCards(msgspec.Struct, frozen=True):
    """What a player alone sees."""

    colour: Colour
    hand: dict[str, int]
    tickets: tuple[CardTicket, ...]
    offered: tuple[CardTicket, ...]  # from which some are to be kept
    at_least: int  # how many of them
    # Where the house rule lets everyone look at the own one, and as tickets are completed.
    track: dict[str, int] | None
    drawn: tuple[Draw, ...]  # in this turn
    is_on_turn: bool
    # What may be done now.
    can_draw_deck: bool
    can_draw_places: tuple[bool, ...]
    can_draw_tickets: bool
    can_place: bool
    can_pass: bool
    # Where it is to be chosen now which tickets to complete, positions of those that are proposed.
    to_complete: tuple[int, ...] | None
    is_proved: bool  # whether no others are better; else they are the best that were found


class CardGameView(msgspec.Struct, frozen=True):
    """A game as it is seen from one seat, or by who has none."""

    players: tuple[CardPlayerView, ...]  # in turn order
    face_up: tuple[str, ...]
    in_deck: int
    discards: int
    tickets_left: int
    city_bonuses: dict[str, int]
    turn: Colour | None  # None while the first tickets are chosen, and in the end
    moved: int  # how many cards went on the track at the beginning of this turn
    turns_left: int | None
    round: int
    final: bool
    may_look: bool
    moves: int
    events: tuple[Happened, ...]
    own: OwnCards | None


def card_game_view(game: DealtCardGame, colour: Colour | None) -> CardGameView:
    """Return what the player of a colour sees; without one, what everybody does."""
    return CardGameView(
        tuple(
            CardPlayerView(
                player.colour,
                player.name,
                game.railyards.get(player.colour, {}),
                sum(game.hands.get(player.colour, {}).values()),
                sum(game.tracks.get(player.colour, {}).values()),
                len(game.tickets.get(player.colour, ())),
                player.colour in game.offered or player.colour in game.choosing,
                game.completed.get(player.colour, ()),
                game.tickets.get(player.colour, ()) if game.final else (),
                not (game.final and player.colour in game.unproved),
            )
            for player in game.players
        ),
        game.face_up,
        game.stacks.in_deck,
        sum(game.discards.values()),
        len(game.ticket_deck) + len(game.beneath),
        game.city_bonuses,
        None if game.is_first or game.choosing or game.final else game.turn,
        game.moved,
        game.turns_left,
        game.round,
        game.final,
        game.may_look,
        game.moves,
        game.events,
        None if colour is None else _own_cards(game, colour),
    )


def _own_cards(game: DealtCardGame, colour: Colour) -> OwnCards:
    is_completing = colour in game.choosing
    is_on_turn = colour == game.turn and not (game.is_first or game.choosing or game.final)
    may_begin = is_on_turn and not game.offered
    is_at_start = may_begin and not game.drawn
    drawable = game.drawable if may_begin else ()
    return OwnCards(
        colour,
        game.hands.get(colour, {}),
        game.tickets.get(colour, ()),
        game.offered.get(colour, ()),
        game.edition.first_tickets[1] if game.is_first else game.edition.later_tickets[1],
        game.tracks.get(colour, {}) if game.may_look or is_completing else None,
        game.drawn if is_on_turn else (),
        is_on_turn,
        None in drawable,
        tuple(place in drawable for place in range(len(game.face_up))),
        is_at_start and bool(game.ticket_deck or game.beneath),
        is_at_start,
        may_begin and (bool(game.drawn) or not can_move(game)),
        game.to_complete[colour] if is_completing else None,
        colour not in game.unproved,
    )

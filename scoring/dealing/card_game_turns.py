"""Plays moves of The Card Game, with everything that follows by the rules.

A turn begins with one card of each row of the railyard on the On-the-Track stack. That leaves no
choice, so it is done for the next player as soon as a turn is over.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace as with_fields

from msgspec.structs import replace

from ..card_game import turns
from ..card_game.rules import CARDS_AT_SECOND_DECK, completed, decks
from ..card_game.tickets import LOCOMOTIVE, Cards, can_complete
from ..edition import Colour
from ..sentence import together
from . import moves
from .dealt_card_game import (
    CardGameLuck,
    Completed,
    DealtCardGame,
    Happened,
    cards_of_rows,
    with_event,
    with_offer,
    with_stacks,
)
from .moves import MoveError
from .stacks import TrainCardStacks, cards_of, draw_from_deck, every_card

HIDDEN = "hidden"  # a card from the deck, as others see it


def play_card_game(
    game: DealtCardGame, colour: Colour, move: moves.CardGameMove, luck: CardGameLuck
) -> DealtCardGame:
    """Return the game after a player's move, with everything that follows by the rules.

    Raises `MoveError` with every reason for which the move is refused.
    """
    _require_in_order(game, colour, move)
    counted = replace(game, moves=game.moves + 1)
    match move:
        case moves.KeepOffered(places=places):
            return _keep_tickets(counted, colour, places, luck)
        case moves.CompleteTickets(places=places):
            return _choose_completed(counted, colour, places, luck)
        case moves.DrawCard(place=place):
            return _draw_card(counted, place, luck)
        case moves.DrawTickets():
            if not (game.ticket_deck or game.beneath):
                raise MoveError("no ticket is left in the deck")
            return with_offer(counted, colour, game.edition.later_tickets[0], luck)
        case moves.PlaceCards(cards=cards):
            return _place_cards(counted, cards, luck)
        case moves.PassTurn():
            if not game.drawn and can_move(game):
                raise MoveError("there is something to do: nobody passes as long as they can play")
            return _end_turn(counted, luck)


def with_hand_dealt_anew(game: DealtCardGame, colour: Colour, luck: CardGameLuck) -> DealtCardGame:
    """Return the game with a player's hand and tickets dealt anew, as many as before.

    The old ones go back when the new ones are dealt, so that none of them is seen again: cards into
    the deck, or on the discards where it has run out; tickets under theirs. Where the deck is too
    small, the discards make up for it, and while tickets are completed also what is out of play
    then, face up and in railyards; what is `missing` all the same is told. Nothing that was decided
    over the old hand stays: what it completes is chosen again, and which cards it drew from the
    deck is forgotten.
    """
    if game.final:
        raise MoveError("the game is over")
    if game.choosing:
        rows = (cards_of_rows(railyard) for railyard in game.railyards.values())
        discards = dict(every_card(game.discards, Counter(game.face_up), *rows))
        game = replace(game, discards=discards, face_up=(), railyards={})
    hand, held = game.hands.get(colour, {}), game.tickets.get(colour, ())
    offered, count = game.offered.get(colour, ()), sum(hand.values())
    stacks, dealt = game.stacks.deal(count, luck)
    pile, more = TrainCardStacks(game.edition, game.discards, reshuffles=False).deal(
        count - len(dealt), luck
    )
    goes_to_deck = game.stacks.can_draw_blind
    tickets, deck, beneath = draw_from_deck(
        game.ticket_deck, game.beneath, len(held) + len(offered), luck.draw_ticket
    )
    missing = count - len(dealt) - len(more) + len(held) + len(offered) - len(tickets)
    after = replace(
        game,
        deck=dict(every_card(stacks.deck, hand if goes_to_deck else {})),
        discards=dict(every_card(pile.deck, {} if goes_to_deck else hand)),
        hands={**game.hands, colour: dict(Counter((*dealt, *more)))},
        tickets={**game.tickets, colour: tickets[: len(held)]},
        ticket_deck=deck,
        beneath=(*beneath, *held, *offered),
        moves=game.moves + 1,
    )
    after = with_event(after, Happened("dealt anew", colour, missing=missing))
    if colour == game.turn:
        after = replace(after, drawn=tuple(d if d.face_up else turns.BLIND for d in game.drawn))
    if offered:
        after = replace(after, offered={**game.offered, colour: tickets[len(held) :]})
        return after if after.offered[colour] else _keep_tickets(after, colour, (), luck)
    return _with_choice_of(after, (colour,), luck) if game.choosing else after


def can_move(game: DealtCardGame) -> bool:
    """Tell whether the player on turn can do anything but pass."""
    can_draw_tickets = bool(game.ticket_deck or game.beneath)
    return (
        can_draw_tickets
        or bool(game.drawable)
        or any(True for _ in turns.placings(game.edition, *_hand_and_railyards(game, game.turn)))
    )


def _require_in_order(game: DealtCardGame, colour: Colour, move: moves.CardGameMove) -> None:
    """Raise `MoveError` if another move has to come first."""
    if game.final:
        raise MoveError("the game is over")
    if isinstance(move, moves.KeepOffered) and colour not in game.offered:
        raise MoveError("there are no tickets to choose from")
    if not isinstance(move, moves.KeepOffered) and colour in game.offered:
        raise MoveError("choose from the tickets that were drawn first")
    if isinstance(move, moves.CompleteTickets) != (colour in game.choosing):
        if colour in game.choosing:
            raise MoveError("choose first which tickets to complete")
        raise MoveError("there are no tickets to complete now")
    if game.choosing and colour not in game.choosing:
        raise MoveError("wait until everyone has chosen which tickets to complete")
    if game.is_first and game.offered and colour not in game.offered:
        raise MoveError("wait until the tickets are chosen")
    if not (game.is_first or game.choosing) and colour != game.turn:
        raise MoveError("wait until it is your turn")
    if game.drawn and not isinstance(move, moves.DrawCard | moves.PassTurn):
        raise MoveError("draw a second card, or end the turn")


def _hand_and_railyards(
    game: DealtCardGame, colour: Colour
) -> tuple[Cards, dict[str, turns.Row], dict[Colour, dict[str, turns.Row]]]:
    """Return a player's hand and railyard, and the railyards of the others."""
    others = {c: game.railyards.get(c, {}) for c in game.colours if c != colour}
    return game.hands.get(colour, {}), game.railyards.get(colour, {}), others


def _draw_card(game: DealtCardGame, place: int | None, luck: CardGameLuck) -> DealtCardGame:
    stacks, draw, refilled = game.stacks.draw(place, game.drawn, game.refilled, luck)
    hand = every_card(game.hands[game.turn], {draw.card: 1})
    after = replace(
        with_stacks(game, stacks),
        hands={**game.hands, game.turn: dict(hand)},
        drawn=(*game.drawn, draw),
        refilled=refilled,
    )
    return after if after.drawable else _end_turn(after, luck)


def _place_cards(game: DealtCardGame, cards: Cards, luck: CardGameLuck) -> DealtCardGame:
    hand, own, others = _hand_and_railyards(game, game.turn)
    if found := turns.placing_problems(game.edition, hand, cards, own, others):
        raise MoveError(together([problem.what for problem in found]))
    railyard, after = turns.after_placing(cards, own, others)
    robbed: dict[Colour, int] = {}
    discards = Counter(game.discards)
    for other, rows in others.items():
        lost = cards_of_rows({c: row for c, row in rows.items() if c not in after[other]})
        discards.update(lost)
        if lost:
            robbed[other] = lost.total()
    placed = replace(
        game,
        hands={**game.hands, game.turn: dict(Counter(hand) - Counter(cards))},
        railyards={**after, game.turn: railyard},
        discards=dict(discards),
    )
    said = Happened("placed", game.turn, tuple(Counter(cards).elements()), robbed, moved=game.moved)
    return _end_turn(placed, luck, said)


def _keep_tickets(
    game: DealtCardGame, colour: Colour, places: tuple[int, ...], luck: CardGameLuck
) -> DealtCardGame:
    offered = game.offered[colour]
    if len(set(places)) < len(places) or not set(places) <= set(range(len(offered))):
        raise MoveError("only tickets that were drawn can be kept, each of them once")
    least = (game.edition.first_tickets if game.is_first else game.edition.later_tickets)[1]
    if len(places) < min(least, len(offered)):
        raise MoveError("keep at least {n} of these tickets", n=least)
    back = tuple(ticket for i, ticket in enumerate(offered) if i not in places)
    kept = tuple(offered[i] for i in sorted(places))
    after = replace(
        game,
        offered={c: tickets for c, tickets in game.offered.items() if c != colour},
        tickets={**game.tickets, colour: (*game.tickets.get(colour, ()), *kept)},
    )
    said = Happened("kept", colour, tickets=len(kept), moved=game.moved)
    if not game.is_first:
        return _end_turn(replace(after, beneath=(*game.beneath, *back)), luck, said)
    # "Unwanted Tickets are shuffled back into the Ticket deck."
    after = with_event(replace(after, ticket_deck=(*game.ticket_deck, *back)), said)
    return after if after.offered else replace(after, is_first=False)


def _end_turn(
    game: DealtCardGame, luck: CardGameLuck, said: Happened | None = None
) -> DealtCardGame:
    """Return the game after a turn: the next turn or deck has begun, or it is over.

    "When the last card is drawn from the Train deck, each player gets 1 more turn, including the
    player who drew the last card from the deck."
    """
    if said is None:
        drawn = tuple(draw.card if draw.face_up else HIDDEN for draw in game.drawn)
        said = Happened("drew" if drawn else "passed", game.turn, drawn, moved=game.moved)
    game = replace(with_event(game, said), drawn=(), refilled=None, moved=0)
    if game.turns_left is not None:
        game = replace(game, turns_left=game.turns_left - 1)
        if game.turns_left == 0:
            return _with_choice_of(game, game.colours, luck)
    return _begin_turn(game, game.following)


def _begin_turn(game: DealtCardGame, colour: Colour) -> DealtCardGame:
    """Begin a turn: "he must take 1 card from each colored row of Train cards in his Railyard"."""
    if game.turns_left is None and not game.stacks.can_draw_blind:
        game = replace(game, turns_left=len(game.colours))
        game = with_event(game, Happened("last turns", game.turn))
    left, moved = turns.move_on_track(game.railyards.get(colour, {}))
    track = every_card(game.tracks.get(colour, {}), moved)
    return replace(
        game,
        turn=colour,
        railyards={**game.railyards, colour: left},
        tracks={**game.tracks, colour: dict(track)},
        moved=sum(moved.values()),
    )


def _with_choice_of(
    game: DealtCardGame, colours: Collection[Colour], luck: CardGameLuck
) -> DealtCardGame:
    """Propose to players what a deck's end completes, and ask them; others' choices stay.

    Before a second deck each player chooses, for what is not completed is kept for it. In the end
    the best tickets are completed, and nobody is asked, unless the choices go round in a circle.
    What is proposed depends on the own tickets alone, for the others' are secret still. Who can
    complete all, or none, is not asked: everybody will see that, and nobody learns more by who is.
    """
    is_last = game.round >= decks(len(game.players))
    stays = {
        c: places
        for c, places in game.to_complete.items()
        if c not in colours and _is_paid_for(game, c, places)
    }
    position = with_fields(game.position, chosen=stays)
    best = completed(with_fields(position, final=is_last))
    is_asked = not is_last or bool(stays) or not all(one.is_settled for one in best.values())
    if is_asked:
        best = completed(position)
    asked = {c for c in game.choosing if c in stays}
    asked |= {c for c in best if c not in stays and is_asked and _has_choice(game, c)}
    unproved = {c for c in game.unproved if c in stays}
    unproved |= {c for c in asked if c not in stays and is_last}
    unproved |= {c for c in best if not best[c].is_proved}
    game = replace(
        game,
        to_complete={c: choice.tickets for c, choice in best.items()},
        choosing=tuple(c for c in game.colours if c in asked),
        unproved=tuple(c for c in game.colours if c in unproved),
    )
    return game if game.choosing else _complete(game, luck)


def _has_choice(game: DealtCardGame, colour: Colour) -> bool:
    tickets, stack = game.tickets.get(colour, ()), game.tracks.get(colour, {})
    is_any = any(can_complete((ticket,), stack) for ticket in tickets)
    return is_any and not can_complete(tickets, stack)


def _choose_completed(
    game: DealtCardGame, colour: Colour, places: tuple[int, ...], luck: CardGameLuck
) -> DealtCardGame:
    if len(set(places)) < len(places) or not _are_held(game, colour, places):
        raise MoveError("only tickets that are held can be completed, each of them once")
    if not _is_paid_for(game, colour, places):
        raise MoveError("these cards do not complete all of these tickets")
    game = replace(
        game,
        to_complete={**game.to_complete, colour: tuple(sorted(places))},
        choosing=tuple(other for other in game.choosing if other != colour),
        unproved=tuple(other for other in game.unproved if other != colour),
    )
    return game if game.choosing else _complete(game, luck)


def _are_held(game: DealtCardGame, colour: Colour, places: Collection[int]) -> bool:
    return set(places) <= set(range(len(game.tickets.get(colour, ()))))


def _is_paid_for(game: DealtCardGame, colour: Colour, places: Collection[int]) -> bool:
    tickets = game.tickets.get(colour, ())
    return _are_held(game, colour, places) and can_complete(
        (tickets[i] for i in places), game.tracks.get(colour, {})
    )


def _complete(game: DealtCardGame, luck: CardGameLuck) -> DealtCardGame:
    """Complete the chosen tickets; then the game is over, or four players begin the second deck.

    "All other Train cards, including those used for just-completed Tickets, and any unused cards
    left in the players' On-the-Track stack or Railyard, are discarded. The discards are thoroughly
    reshuffled and form a new Train deck. Deal each player 4 Train cards."

    Older programs kept a choice when its hand was dealt anew: what these cards do not pay for is
    chosen again.
    """
    done = game.to_complete
    if not all(_is_paid_for(game, c, places) for c, places in done.items()):
        return _with_choice_of(game, (), luck)
    game = replace(
        game,
        completed={
            c: (*game.completed.get(c, ()), *_with_payment(game, c, indices))
            for c, indices in done.items()
        },
        tickets={
            c: tuple(t for i, t in enumerate(game.tickets.get(c, ())) if i not in indices)
            for c, indices in done.items()
        },
        to_complete={},
    )
    if game.round >= decks(len(game.players)):
        return with_event(replace(game, final=True, turns_left=0), Happened("end", game.turn))
    deck = cards_of(game.edition) - every_card(*game.hands.values())
    stacks = TrainCardStacks(game.edition, dict(deck), reshuffles=False)
    hands, following = dict(game.hands), game.following
    at = game.colours.index(following)
    for colour in (*game.colours[at:], *game.colours[:at]):
        stacks, dealt = stacks.deal(CARDS_AT_SECOND_DECK, luck)
        hands[colour] = dict(every_card(hands[colour], Counter(dealt)))
    game = replace(
        with_stacks(game, stacks.turned_up(luck)),
        hands=hands,
        railyards={},
        tracks={},
        round=game.round + 1,
        unproved=(),
        turns_left=None,
    )
    return _begin_turn(with_event(game, Happened("second deck", game.turn)), following)


def _with_payment(
    game: DealtCardGame, colour: Colour, indices: Sequence[int]
) -> Iterator[Completed]:
    """Yield tickets with the cards that pay for them: Locomotives where a colour has run out."""
    stack = Counter(game.tracks.get(colour, {}))
    for i in indices:
        ticket = game.tickets[colour][i]
        paid = Counter(ticket.circles) & stack
        if missing := sum(ticket.circles.values()) - paid.total():
            paid[LOCOMOTIVE] += missing
        stack -= paid
        yield Completed(ticket, dict(paid))

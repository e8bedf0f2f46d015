"""The pieces that the reader looks for: an edition's, in the colours that a profile learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.position import Position
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.vision.colours.learned_colours import trains_named
from railspotter.vision.colours.train_colours import TrainColour, other_plastic, plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard

# Spare trains of each colour in a box, which players may have laid: the labelled photos show up to
# 48 where the rules have 45.
SPARE_TRAINS = 3
TOO_MANY_TRAINS = Sentence(
    "{colour}'s routes seem to take {count} pieces, but a player has only {most}: it takes"
    " another look in better light"
)


def impossible_stock(position: Position) -> Sentence:
    """Return a warning about a player with more pieces than a box has, if there is one."""
    most = position.edition.trains
    for colour in position.colours:
        used = most - position.trains_left(colour)
        if used > most + SPARE_TRAINS:
            return TOO_MANY_TRAINS.filled(colour=colour, count=used, most=most)
    return NOTHING


def pieces_of_edition(
    edition: Edition,
    board: Board,
    profile: Profile,
    colours: Sequence[Colour] | None = None,
    printed: PrintedBoard | None = None,
    *,
    with_markers: bool = True,
) -> Pieces:
    """Return the pieces of a game.

    `colours` is the players', None for all. `printed` is the board's print from the profile.
    `with_markers` is whether score markers are on the track; those of editions with single pieces
    are not read. Raises `ReaderError` for an unknown colour.
    """
    return Pieces(
        trains=trains_of(edition, profile, colours, printed),
        train_size_mm=edition.train_size_mm,
        net="taxi" if edition.train_word == "taxi" else "train",
        one_piece_a_route=edition.one_piece_a_route,
        exclusive=board.lanes,
        station_size_mm=edition.station_size_mm if edition.stations else None,
        stations_each=edition.stations,
        markers=with_markers and not edition.one_piece_a_route,
        learned=profile.colours,
    )


def trains_of(
    edition: Edition,
    profile: Profile,
    colours: Sequence[Colour] | None = None,
    printed: PrintedBoard | None = None,
) -> tuple[TrainColour, ...]:
    """Return the train colours of the edition and the profile.

    Colours of other boxes are included only if named in `colours`.
    """
    box = plastic(edition.plastic)
    if colours:
        box = (*box, *(one for one in other_plastic(edition.plastic) if one.name in colours))
    return trains_named(colours, box, profile.colours, printed)


def trains_of_others(
    edition: Edition,
    profile: Profile,
    colours: Sequence[Colour],
    printed: PrintedBoard | None = None,
) -> dict[Colour, TrainColour]:
    """Return all other known train colours: of the box, the profile and other boxes."""
    known = (*other_plastic(edition.plastic), *trains_of(edition, profile, None, printed))
    return {one.name: one for one in known if one.name not in colours}


def pieces_of_table(
    edition: Edition,
    board: Board,
    profile: Profile,
    players: Sequence[Colour],
    whose: Mapping[Colour, Colour | None],
    printed: PrintedBoard | None = None,
) -> Pieces:
    """Return the pieces of a watched game, including trains of colours that no player has.

    `whose` maps such a colour to the player who was said to use it; None for nobody.
    """
    pieces = pieces_of_edition(edition, board, profile, players, printed)
    others = trains_of_others(edition, profile, players, printed)
    whose = {colour: player for colour, player in whose.items() if colour in others}
    return replace(
        pieces,
        trains=(*pieces.trains, *(others[colour] for colour in whose)),
        whose=whose,
        others=tuple(train for colour, train in others.items() if colour not in whose),
    )

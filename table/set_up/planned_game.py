"""The game that is planned: which board, which rules, who plays, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from railspotter.calibration.profiles import Profile
from railspotter.scoring import Board, Colour, Edition, board_names, load_edition
from railspotter.vision.colours import is_own
from railspotter.vision.errors import ReaderError

from ..game_log import GameStarted, Player, TableState, free_seat
from ..pieces import trains_of
from .choices import ChosenPlayer


@dataclass(frozen=True, eq=False)
class PlannedGame:
    """What is to be played, as far as it is chosen.

    Attributes
    ----------
    game : str
        The id of the game that goes on; empty for a new one.
    """

    board: Board
    edition: Edition
    players: tuple[ChosenPlayer, ...] = ()
    house_rules: dict[str, int] = field(default_factory=dict)
    game: str = ""

    @staticmethod
    def going_on(game: str, table: TableState) -> PlannedGame:
        """Return a game that was begun before."""
        players = tuple(ChosenPlayer(one.name, one.colour) for one in table.players)
        started = table.started
        edition = load_edition(started.edition)
        return PlannedGame(table.board, edition, players, started.house_rules, game)

    @property
    def colours(self) -> list[Colour]:
        """The players'."""
        return [player.colour for player in self.players]

    def started(self, name: str) -> GameStarted:
        """Return a new game's first fact."""
        own = None if self.board.id in board_names() else self.board
        return GameStarted(self.edition.id, seated(self.players), name, own, dict(self.house_rules))

    def faults(self, profile: Profile | None, known: tuple[Colour, ...]) -> Iterator[str]:
        """Yield what is wrong with the players, in sentences.

        Parameters
        ----------
        profile : Profile or None
            What the board is read with.
        known : tuple of str
            The colours that are offered.
        """
        least, most = self.edition.players
        count, colours = len(self.players), self.colours
        if self.players and not least <= count <= most and not self.game:
            yield f"{least} to {most} people play {self.edition.title}, not {count}"
        twice = sorted({colour for colour in colours if colours.count(colour) > 1})
        if twice:
            yield f"two people cannot both play {' and '.join(twice)}"
        unknown = sorted({colour for colour in colours if colour not in known})
        if unknown:
            there = ", ".join(known)
            yield f"{self.edition.title} has no {' and no '.join(unknown)}: it has {there}"
        elif profile is not None and colours:
            try:
                trains_of(self.edition, profile, colours)
            except ReaderError as error:
                yield str(error)


def seated(chosen: Iterable[ChosenPlayer]) -> tuple[Player, ...]:
    """Return the players of a new game: each gets a seat, called by the name or else the colour.

    Examples
    --------
    >>> [player.seat for player in seated([ChosenPlayer("Ann", "red"), ChosenPlayer("", "blue")])]
    ['ann', 'blue']
    """
    players: list[Player] = []
    for one in chosen:
        seat = free_seat(one.name or one.colour, [player.seat for player in players])
        players.append(Player(seat, one.colour, one.name))
    return tuple(players)


def own_trains(profile: Profile | None) -> tuple[Colour, ...]:
    """Return the colours of the user's own trains, that a profile has."""
    if profile is None:
        return ()
    return tuple(name for name, lights in profile.colours.items() if is_own(lights))

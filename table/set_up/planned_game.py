"""The game that is planned: board, rules and players, looked up, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from railspotter.calibration.errors import CalibrationError
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board, board_names
from railspotter.scoring.edition import Colour, Edition, load_edition
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.legality import number_problem, number_rule
from railspotter.scoring.sentence import Sentence
from railspotter.vision.colours.learned_colours import is_own
from railspotter.vision.errors import ReaderError

from ..boards.board_choice import edition_on, profile_for, readable_board
from ..errors import NoProfileError, TableError
from ..game_log.course_facts import GameStarted
from ..game_log.game_store import GameStore
from ..game_log.people_facts import Player, free_seat
from ..game_log.table_state import TableState
from ..home import ProfileStore
from ..own_trains import TrainColour, with_trains
from ..pieces import trains_of
from .choices import Cards, Choices, ChosenPlayer
from .demo import DemoTable
from .errors import SetUpError
from .offers import checked_rules, rules_for, rules_offered


@dataclass(frozen=True, eq=False)
class PlannedGame:
    """What is to be played, as far as it is chosen."""

    board: Board
    edition: Edition
    players: tuple[ChosenPlayer, ...] = ()
    house_rules: dict[str, int] = field(default_factory=dict)
    game: str = ""  # the id of the game that goes on; empty for a new one
    # Where the cards are; computers are dealt theirs, so with one they are on phones.
    cards: Cards = "table"
    any_number: bool = False  # whether so many play though the box says otherwise

    @staticmethod
    def going_on(game: str, table: TableState) -> PlannedGame:
        """Return a game that was begun before."""
        players = tuple(
            msgspec.convert(
                {"name": one.name, "colour": one.colour, "computer": one.computer}, ChosenPlayer
            )
            for one in table.players
        )
        started = table.started
        edition = load_edition(started.edition)
        cards: Cards = "phones" if table.dealing is not None else "table"
        return PlannedGame(table.board, edition, players, started.house_rules, game, cards)

    @staticmethod
    def drawn(demo: DemoTable) -> PlannedGame:
        """Return the drawn game: its players are drawn too."""
        players = tuple(ChosenPlayer(one.name, one.colour) for one in demo.players)
        return PlannedGame(readable_board(demo.edition.board), demo.edition, players)

    @property
    def colours(self) -> list[Colour]:
        """The players'."""
        return [player.colour for player in self.players]

    @property
    def is_number_house_rule(self) -> bool:
        """Whether so many play though the box says otherwise."""
        return self.any_number and bool(number_problem(self.edition, len(self.players)))

    def started(self, name: str) -> GameStarted:
        """Return a new game's first fact."""
        own = None if self.board.id in board_names() else self.board
        rules = self.house_rules | number_rule(self.edition, len(self.players))
        return GameStarted(
            self.edition.id, seated(self.players), name, own, rules, where_cards_are(self)
        )

    def faults(self, profile: Profile | None, known: tuple[Colour, ...]) -> Iterator[Sentence]:
        """Yield what is wrong with the players, in sentences.

        Parameters
        ----------
        profile : Profile or None
            What the board is read with.
        known : tuple of str
            The colours that are offered.
        """
        colours = self.colours
        number = number_problem(self.edition, len(colours))
        if number and colours and not (self.any_number or self.game):
            yield number
        twice = sorted({colour for colour in colours if colours.count(colour) > 1})
        if twice:
            yield Sentence("two people cannot both play {colours}", colours=" and ".join(twice))
        unknown = sorted({colour for colour in colours if colour not in known})
        if unknown:
            there = ", ".join(known)
            yield Sentence(
                "{title} has no {colours}: it has {known}",
                title=self.edition.title,
                colours=" and no ".join(unknown),
                known=there,
            )
        elif profile is not None and colours:
            try:
                trains_of(self.edition, profile, colours)
            except ReaderError as error:
                yield error.sentence


def where_cards_are(plan: PlannedGame) -> Cards:
    """Return where the cards of a game are: on phones, where a computer plays along."""
    return "phones" if any(player.computer for player in plan.players) else plan.cards


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
        players.append(Player(seat, one.colour, one.name, computer=one.computer))
    return tuple(players)


def own_trains(profile: Profile | None) -> tuple[Colour, ...]:
    """Return the colours of the user's own trains, that a profile has."""
    if profile is None:
        return ()
    return tuple(name for name, lights in profile.colours.items() if is_own(lights))


@dataclass(frozen=True, eq=False)
class Preset:
    """What the command line sets beforehand: it goes before what was chosen the last time."""

    choices: Choices = field(default_factory=Choices)  # the board may be a file, and the source too
    profile: str | None = None  # profile, trains, name: As `railspotter play` has them
    trains: Sequence[TrainColour] = ()
    name: str = ""
    game: str = ""  # the id of a game that is to go on
    # The addresses of cameras that pages may choose, beside that of `choices.source`.
    cameras: Sequence[str] = ()


class Plans:
    """Looks up what choices name."""

    def __init__(self, folder: Path, given: Preset) -> None:
        self._given = given
        self._games, self._profiles = GameStore(folder), ProfileStore(folder)

    def first(self, kept: Choices) -> Choices:
        """Return what holds at first: what was chosen the last time, under the command line."""
        given = self._given.choices
        if given.edition or given.board:
            kept = msgspec.structs.replace(
                kept, edition=given.edition, board=given.board, house_rules={}, any_number=False
            )
        return msgspec.structs.replace(
            kept,
            players=given.players or kept.players,
            any_number=given.any_number or (kept.any_number and not given.players),
            source=given.source or kept.source,
            cards="phones" if given.cards == "phones" else kept.cards,
        )

    def edition_and_board(self, edition: str, board: str) -> tuple[Edition, Board]:
        """Return an edition and its board; of one that is not named, the one that fits."""
        try:
            if not board:
                found = edition_on_its_board(edition)
                return found, readable_board(found.board)
            on = readable_board(board)
            if not edition and on.id not in board_names():
                return rules_for(on), on
            return edition_on(on, edition or None), on
        except (ScoringError, TableError) as error:
            raise SetUpError(str(error)) from error

    def of(self, choices: Choices) -> PlannedGame | None:
        """Return the game that is chosen; None where no edition is, or it is there no more.

        House rules that the edition does not have are passed over: a file may be old.
        """
        if not (choices.edition or choices.board):
            return None
        try:
            edition, board = self.edition_and_board(choices.edition, choices.board)
        except SetUpError:
            return None
        try:
            rules = checked_rules(choices.house_rules, rules_offered(edition, board))
        except SetUpError:
            rules = {}
        return PlannedGame(
            board,
            edition,
            choices.players,
            rules,
            cards=choices.cards,
            any_number=choices.any_number,
        )

    def going_on(self, game: str) -> PlannedGame:
        """Return a game that was begun before."""
        table = self._games.read(game).table
        if table.ended:
            raise SetUpError("this game has ended: begin a new one")
        if not table.board.measured:
            raise SetUpError("the board {board!r} can be scored, not watched", board=table.board.id)
        return PlannedGame.going_on(game, table)

    def profile(self, board: Board) -> Profile | None:
        """Return what a board is read with; None where there is nothing yet."""
        try:
            named = self._given.profile
            if named is not None and self._profiles.load(named).board != board.id:
                named = None
            return with_trains(profile_for(board, self._profiles, named), self._given.trains)
        except NoProfileError:
            return None
        except (TableError, CalibrationError) as error:
            raise SetUpError(str(error)) from error

    def for_game(self, profile: Profile) -> Profile:
        """Return a profile with the trains that the command line says lie on the table."""
        return with_trains(profile, self._given.trains)


def edition_on_its_board(name: str) -> Edition:
    """Return an edition that is played on a board; raises `TableError` for The Card Game."""
    edition = load_edition(name)
    if not edition.board:
        raise SetUpError("{title} has no board: it is counted on its own page", title=edition.title)
    return edition

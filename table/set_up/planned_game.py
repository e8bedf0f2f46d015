"""The game that is planned: what is chosen, kept for the next time; what is wrong; it begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board, board_names
from railspotter.scoring.edition import Edition, load_edition
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.legality import number_problem, number_rule
from railspotter.scoring.sentence import Sentence
from railspotter.vision.errors import ReaderError
from railspotter.vision.sources.grabber import Grabber

from ..boards.board_choice import edition_on, readable_board, rules_for
from ..boards.own_boards import load_board_by_name
from ..errors import SetUpError, TableError
from ..game_log.course_facts import GameStarted
from ..game_log.facts import ONE_LINE, Colour, Title
from ..game_log.game_store import GameStore
from ..game_log.people_facts import Player, free_seat
from ..game_log.table_state import TableState
from ..live_table.live_table import LiveTable
from ..own_trains import TrainColour
from ..pieces import trains_of
from ..whole_file import KeptFile
from .demo import DemoTable
from .offers import RuleValue, checked_rules, rules_offered

FILE = "set-up.json"
MOST_PLAYERS = 12  # as a game's log has it
MOST_LETTERS = 500  # the longest source: an address with a password in it

SourceText = Annotated[str, msgspec.Meta(max_length=MOST_LETTERS, pattern=ONE_LINE)]
RuleName = Annotated[str, msgspec.Meta(pattern="^[a-z_]{1,40}$")]
Cards = Literal["table", "phones"]
Rules = Annotated[dict[RuleName, RuleValue], msgspec.Meta(max_length=20)]


class ChosenPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody who is to play; without a name, known by the colour."""

    name: Title
    colour: Colour
    # How strong a computer plays in this seat; empty for a person.
    computer: Literal["", "easy", "medium", "hard"] = ""


def parse_player(text: str) -> ChosenPlayer:
    """Read somebody who is to play from `NAME:COLOUR`, or from the colour alone.

    Examples
    --------
    >>> parse_player("Ann:red")
    ChosenPlayer(name='Ann', colour='red', computer='')
    >>> parse_player("blue").colour
    'blue'
    """
    name, _, colour = text.rpartition(":")
    return ChosenPlayer(name, colour)


def parse_computer(text: str) -> ChosenPlayer:
    """Read a computer that is to play from `STRENGTH:COLOUR`; raises `SetUpError`.

    Examples
    --------
    >>> parse_computer("hard:blue").computer
    'hard'
    """
    strength, _, colour = text.rpartition(":")
    try:
        return msgspec.convert({"name": "", "colour": colour, "computer": strength}, ChosenPlayer)
    except msgspec.ValidationError as error:
        raise SetUpError(
            "{text!r} is no computer player: say easy:COLOUR, medium:COLOUR or hard:COLOUR",
            text=text,
        ) from error


def parse_rule(text: str) -> tuple[str, RuleValue]:
    """Read a house rule from `NAME=VALUE`; raises `SetUpError`.

    Examples
    --------
    >>> parse_rule("trains=30"), parse_rule("site_points=4,4,5")
    (('trains', 30), ('site_points', (4, 4, 5)))
    >>> parse_rule("replaced_locomotive=on")
    ('replaced_locomotive', True)
    """
    name, _, said = text.partition("=")
    if said in ("on", "off"):
        return name, said == "on"
    try:
        numbers = tuple(map(int, said.split(",")))
    except ValueError as error:
        raise SetUpError(
            "{text!r} is no house rule: say NAME=NUMBER, NAME=NUMBER,NUMBER,... or NAME=on",
            text=text,
        ) from error
    return name, numbers if len(numbers) > 1 else numbers[0]


Players = Annotated[tuple[ChosenPlayer, ...], msgspec.Meta(max_length=MOST_PLAYERS)]


class Choices(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that is chosen; what is empty was not."""

    # edition, board: The rules, and the board that is played on: the edition's, or one of the
    # user's own.
    edition: str = ""
    board: str = ""
    players: Players = ()  # in turn order
    # As behind `--source`; a camera in the network by the name that pages know it by.
    source: SourceText = ""
    house_rules: Rules = {}  # rules of that edition by name, with other values than the rulebook's
    # Where the train cards and tickets are: on the table, or dealt to phones.
    cards: Cards = "table"
    any_number: bool = False  # whether so many play though the box says otherwise


def kept_choices(folder: Path) -> KeptFile[Choices]:
    """Return the file of a data directory that holds the choices for the next set-up.

    Nobody but its owner may read it: older ones have a camera's address with its password in it.
    """
    return KeptFile(folder / FILE, Choices(), is_private=True)


@dataclass(frozen=True, eq=False)
class PlannedGame:
    """What is to be played, as far as it is chosen."""

    board: Board
    edition: Edition
    players: tuple[ChosenPlayer, ...] = ()
    house_rules: dict[str, RuleValue] = field(default_factory=dict)
    game: str = ""  # the id of the game that goes on; empty for a new one
    # Where the cards are; computers are dealt theirs, so with one they are on phones.
    cards: Cards = "table"
    any_number: bool = False  # whether so many play though the box says otherwise

    @staticmethod
    def going_on(game: str, table: TableState) -> PlannedGame:
        """Return a game that was begun before."""
        players = msgspec.convert(table.players, Players, from_attributes=True)
        started = table.started
        cards: Cards = "phones" if table.dealing is not None else "table"
        edition = load_edition(started.edition)
        return PlannedGame(table.board, edition, players, started.house_rules, game, cards)

    @staticmethod
    def drawn(demo: DemoTable) -> PlannedGame:
        """Return the drawn game: its players are drawn too."""
        players = tuple(ChosenPlayer(one.name, one.colour) for one in demo.players)
        return PlannedGame(readable_board(demo.edition.board), demo.edition, players)

    @property
    def where_cards(self) -> Cards:
        """Where the cards are: on phones, where a computer plays along."""
        return "phones" if any(player.computer for player in self.players) else self.cards

    @property
    def is_number_house_rule(self) -> bool:
        """Whether so many play though the box says otherwise."""
        return self.any_number and bool(number_problem(self.edition, len(self.players)))

    def started(self, name: str) -> GameStarted:
        """Return a new game's first fact."""
        players: list[Player] = []  # each gets a seat, called by the name or else the colour
        for one in self.players:
            seat = free_seat(one.name or one.colour, [player.seat for player in players])
            players.append(Player(seat, one.colour, one.name, computer=one.computer))
        own = None if self.board.id in board_names() else self.board
        rules = self.house_rules | number_rule(self.edition, len(players))
        return GameStarted(self.edition.id, tuple(players), name, own, rules, self.where_cards)

    def faults(self, profile: Profile | None, known: tuple[Colour, ...]) -> Iterator[Sentence]:
        """Yield what is wrong with the players, in sentences.

        `profile` is what the board is read with, and `known` are the colours that there are.
        """
        colours = [player.colour for player in self.players]
        number = number_problem(self.edition, len(colours))
        if number and colours and not (self.any_number or self.game):
            yield number
        twice = sorted({colour for colour in colours if colours.count(colour) > 1})
        if twice:
            yield Sentence("two people cannot both play {colours}", colours=" and ".join(twice))
        unknown = sorted({colour for colour in colours if colour not in known})
        if unknown:
            yield Sentence(
                "{title} has no {colours}: it has {known}",
                title=self.edition.title,
                colours=" and no ".join(unknown),
                known=", ".join(known),
            )
        elif profile is not None and colours:
            try:
                trains_of(self.edition, profile, colours)
            except ReaderError as error:
                yield error.sentence


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


def edition_and_board(edition: str, board: str) -> tuple[Edition, Board]:
    """Return an edition and its board; of one that is not named, the one that fits.

    Raises `SetUpError` where there is none such.
    """
    try:
        if not board:
            found = load_edition(edition)
            if not found.board:
                raise SetUpError(
                    "{title} has no board: it is counted on its own page", title=found.title
                )
            return found, readable_board(found.board)
        on = load_board_by_name(board)
        return edition_on(on, edition or rules_for(on).id), on
    except (ScoringError, TableError) as error:
        raise SetUpError(str(error)) from error


def chosen_game(choices: Choices) -> PlannedGame | None:
    """Return the game that is chosen; None where no edition is, or it is there no more.

    House rules that the edition does not have are passed over: a file may be old.
    """
    if not (choices.edition or choices.board):
        return None
    try:
        edition, board = edition_and_board(choices.edition, choices.board)
    except SetUpError:
        return None
    plan = PlannedGame(
        board, edition, choices.players, cards=choices.cards, any_number=choices.any_number
    )
    try:
        rules = checked_rules(choices.house_rules, rules_offered(edition, board))
        return replace(plan, house_rules=rules)
    except SetUpError:
        return plan


def unfinished_game(store: GameStore, game: str) -> PlannedGame:
    """Return a game that was begun before; raises `TableError` where it cannot be gone on with."""
    table = store.read(game).table
    if table.ended:
        raise SetUpError("this game has ended: begin a new one")
    return PlannedGame.going_on(game, table)


def begin_game(
    store: GameStore,
    plan: PlannedGame,
    name: str = "",
    prepare: Callable[[Path], None] = lambda path: None,
) -> str:
    """Begin a game's log, or see that it can be gone on with; return its id.

    `name` is what a new game is called, and `prepare` is handed the game's file; where it fails
    there is no new game.
    """
    if plan.game:
        with store.open(plan.game) as log:
            prepare(log.path)
        return plan.game
    with store.create(plan.started(name), time.time()) as log:
        game = log.id
    try:
        prepare(store.path(game))
    except BaseException:
        store.delete(game)
        raise
    return game


@dataclass(frozen=True, eq=False)
class GameHandover:
    """A game that has begun, handed over to whoever plays it, who stops its grabber in the end."""

    game: str
    is_new: bool  # whether nothing but its beginning is in its log
    grabber: Grabber
    profile: Profile | None  # None without a camera
    set_up: Callable[[LiveTable], None]  # is to be handed the table before it begins to watch

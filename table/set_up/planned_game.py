"""The planned game: choices saved for the next time, their validation, and the game's start."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board, board_names
from railspotter.scoring.edition import Edition, load_edition
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.legality import number_problem, number_rule
from railspotter.scoring.names import ONE_LINE, Name, Title
from railspotter.scoring.sentence import Sentence, raised_as
from railspotter.vision.errors import ReaderError
from railspotter.vision.sources.grabber import Grabber

from ..boards.board_choice import edition_on, readable_board, rules_for
from ..boards.own_boards import load_board_by_name
from ..errors import SetUpError, TableError
from ..game_log.course_facts import GameStarted
from ..game_log.errors import GameLogError
from ..game_log.game_store import GameStore
from ..game_log.people_facts import Player, free_seat
from ..game_log.table_state import TableState
from ..own_trains import TrainColour
from ..past_games.people import People, people_file
from ..pieces import trains_of
from ..whole_file import KeptFile
from .demo import LIVE_SEED, DemoTable, demo_table
from .offers import RuleValue, checked_rules, rules_offered

FILE = "set-up.json"
MOST_PLAYERS = 12  # as in `GameStarted`
MOST_LETTERS = 500  # of a source: an address with a password

SourceText = Annotated[str, msgspec.Meta(max_length=MOST_LETTERS, pattern=ONE_LINE)]
RuleName = Annotated[str, msgspec.Meta(pattern="^[a-z_]{1,40}$")]
Cards = Literal["table", "phones"]
Rules = Annotated[dict[RuleName, RuleValue], msgspec.Meta(max_length=20)]


class ChosenPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A chosen player; an empty name means the colour."""

    name: Title
    colour: Name
    # The computer player's strength; empty for a person.
    computer: Literal["", "easy", "medium", "hard"] = ""


def parse_player(text: str) -> ChosenPlayer:
    """Parse a player from `NAME:COLOUR`, or from the colour alone.

    >>> parse_player("Ann:red")
    ChosenPlayer(name='Ann', colour='red', computer='')
    >>> parse_player("blue").colour
    'blue'
    """
    name, _, colour = text.rpartition(":")
    return ChosenPlayer(name, colour)


def parse_computer(text: str) -> ChosenPlayer:
    """Parse a computer player from `STRENGTH:COLOUR`; raises `SetUpError`.

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
    """Parse a house rule from `NAME=VALUE`; raises `SetUpError`.

    >>> parse_rule("trains=30"), parse_rule("site_points=4,4,5")
    (('trains', 30), ('site_points', (4, 4, 5)))
    >>> parse_rule("replaced_locomotive=on")
    ('replaced_locomotive', True)
    """
    name, _, value = text.partition("=")
    if value in ("on", "off"):
        return name, value == "on"
    try:
        numbers = tuple(map(int, value.split(",")))
    except ValueError as error:
        raise SetUpError(
            "{text!r} is no house rule: say NAME=NUMBER, NAME=NUMBER,NUMBER,... or NAME=on",
            text=text,
        ) from error
    return name, numbers if len(numbers) > 1 else numbers[0]


Players = Annotated[tuple[ChosenPlayer, ...], msgspec.Meta(max_length=MOST_PLAYERS)]


class Choices(msgspec.Struct, frozen=True, omit_defaults=True):
    """The choices of a set-up; empty fields were not chosen."""

    edition: str = ""
    board: str = ""  # the edition's, or one of the user's own
    players: Players = ()  # in turn order
    source: SourceText = ""  # as behind `--source`; network cameras by name, without password
    house_rules: Rules = {}  # the edition's rules with changed values, by name
    cards: Cards = "table"  # where the train cards and tickets are
    any_number: bool = False  # whether a number of players beyond the rules is allowed


def choices_file(folder: Path) -> KeptFile[Choices]:
    """Return the file of a data directory with the choices for the next set-up.

    It is private: older versions may contain a camera's password.
    """
    return KeptFile(folder / FILE, Choices(), is_private=True)


def keep_names(folder: Path, table: TableState) -> None:
    """Keep the names that people gave at their seats, for the next game of the same colours."""
    kept, names = choices_file(folder), {one.colour: one.name for one in table.players}
    choices = kept.load_or_default()
    same = {one.colour for one in choices.players} == names.keys()
    if same and all(one.name in ("", names[one.colour]) for one in choices.players):
        named = (msgspec.structs.replace(p, name=names[p.colour]) for p in choices.players)
        kept.save(msgspec.structs.replace(choices, players=tuple(named)))


@dataclass(frozen=True, eq=False)
class PlannedGame:
    """The game to be played, as chosen so far."""

    board: Board
    edition: Edition
    players: tuple[ChosenPlayer, ...] = ()
    house_rules: dict[str, RuleValue] = field(default_factory=dict)
    game: str = ""  # the id of the game to resume; empty for a new one
    cards: Cards = "table"  # where the cards were chosen to be, see `where_cards`
    any_number: bool = False  # whether a number of players beyond the rules is allowed
    is_counted: bool = False  # whether only its result is left to show

    @staticmethod
    def resumed(game: str, table: TableState) -> "PlannedGame":
        """Return the plan to resume a game."""
        players = msgspec.convert(table.players, Players, from_attributes=True)
        started = table.started
        cards: Cards = "phones" if table.dealing is not None else "table"
        edition = load_edition(started.edition)
        rules, is_counted = started.house_rules, table.counted
        return PlannedGame(table.board, edition, players, rules, game, cards, is_counted=is_counted)

    @staticmethod
    def drawn(demo: DemoTable) -> "PlannedGame":
        """Return the plan of a demo game."""
        players = tuple(ChosenPlayer(one.name, one.colour) for one in demo.players)
        return PlannedGame(readable_board(demo.edition.board), demo.edition, players)

    @property
    def where_cards(self) -> Cards:
        """Where the cards are: always on phones with computer players."""
        return "phones" if any(player.computer for player in self.players) else self.cards

    @property
    def is_number_house_rule(self) -> bool:
        """Whether the number of players is beyond the rules, and allowed."""
        return self.any_number and bool(number_problem(self.edition, len(self.players)))

    def started(self, name: str, people: People | None = None) -> GameStarted:
        """Return the first fact of a new game; `people` tells who comes by a name."""
        players: list[Player] = []
        for one in self.players:
            seat = free_seat(one.name or one.colour, [player.seat for player in players])
            person = people.id_for(one.name) if people else ""
            players.append(Player(seat, one.colour, one.name, "", one.computer, person))
        own = None if self.board.id in board_names() else self.board
        rules = self.house_rules | number_rule(self.edition, len(players))
        return GameStarted(self.edition.id, tuple(players), name, own, rules, self.where_cards)

    def faults(self, profile: Profile | None, known: tuple[Name, ...]) -> Iterator[Sentence]:
        """Yield what is wrong with the players; `known` are the available colours."""
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
    """Presets of the command line, which take precedence over saved choices."""

    choices: Choices = field(default_factory=Choices)  # board and source may be files
    profile: str | None = None  # the profile's name
    trains: Sequence[TrainColour] = ()
    name: str = ""  # of the game
    game: str = ""  # the id of a game to resume
    cameras: Sequence[str] = ()  # addresses of network cameras that the page may choose


def edition_and_board(edition: str, board: str) -> tuple[Edition, Board]:
    """Load an edition and its board; an empty name means the one that fits the other.

    Raises `SetUpError`.
    """
    with raised_as(SetUpError, (ScoringError, TableError)):
        if not board:
            found = load_edition(edition)
            if not found.board:
                raise SetUpError(
                    "{title} has no board: it is counted on its own page", title=found.title
                )
            return found, readable_board(found.board)
        on = load_board_by_name(board)
        return edition_on(on, edition or rules_for(on).id), on


def chosen_game(choices: Choices) -> PlannedGame | None:
    """Plan the chosen game; None without an edition, or if it no longer exists.

    Invalid house rules are ignored, since saved choices may be outdated.
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
    """Plan to resume a game whose points are not counted; raises `TableError` if that fails."""
    table = store.read(game).table
    if table.counted:
        raise SetUpError("this game has ended: begin a new one")
    return PlannedGame.resumed(game, table)


def begin_game(store: GameStore, plan: PlannedGame, name: str = "") -> str:
    """Create a game's log, or check that it can be resumed; return its id.

    `name` is for a new game.
    """
    if plan.game:
        with store.open(plan.game):
            return plan.game
    people = people_file(store.folder.parent).load_or_default()
    with store.create(plan.started(name, people), time.time()) as log:
        return log.id


@dataclass(frozen=True, eq=False)
class GameHandover:
    """A game that has begun, for its table, which stops the grabber at the end."""

    store: GameStore  # the one that keeps it
    game: str
    is_new: bool  # whether its log contains only the start
    grabber: Grabber
    profile: Profile | None  # None without a camera
    demo: DemoTable | None = None  # the drawn game, if it is one

    def next_game(self, table: TableState, profile: Profile | None) -> "GameHandover":
        """Begin a game with the same remaining players, their colours and rules, or another demo.

        `table` is this one's end, and `profile` what is known of the board by then. Raises
        `TableError` if this game has not ended, or the next one cannot be written.
        """
        if not table.ended:
            raise TableError("this game is still going: end it first")
        if self.demo is not None:
            return demo_handover(self.store, self.demo.seed + 1)
        there = tuple(p for p in table.players if p.seat not in table.left) or table.players
        started = msgspec.structs.replace(table.started, players=there, name=table.name)
        with self.store.create(started, time.time()) as log:
            return replace(self, game=log.id, is_new=True, profile=profile)


def demo_games(folder: Path) -> GameStore:
    """Return the store of a data directory for the demo game, which is in no list of games.

    Earlier ones are deleted.
    """
    store = GameStore(folder / "demo")
    for game in store.ids():
        with suppress(GameLogError):  # one that is still shown
            store.delete(game)
    return store


def demo_handover(store: GameStore, seed: int = LIVE_SEED) -> GameHandover:
    """Begin a demo game."""
    demo = demo_table(seed)
    with store.create(GameStarted(demo.edition.id, demo.players), time.time()) as log:
        game = log.id
    grabber = Grabber(demo.source)
    grabber.start()
    return GameHandover(store, game, True, grabber, demo.profile, demo)

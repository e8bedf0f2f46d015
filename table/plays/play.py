"""Exporting a finished game as a "play" for BoardGameGeek and BG Stats.

It contains public information only. For BoardGameGeek it is a text to fill the site's form from,
since the site has no documented API for writing. For BG Stats it is a link with the play as JSON,
which opens the app or its page; before somebody taps it nothing is sent.

References
----------
BG Stats, "Push plays to BG Stats from other apps or websites", bgstatsapp.com/support: required are
`sourceName`, `sourcePlayId`, `playDate` (the end, UTC), the game's `name` and `sourceGameId`, and
each player's `name`, `sourcePlayerId`, `startPlayer` and `winner`. By its `source...` ids the app
remembers which game and whom of its own they mean.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from railspotter.scoring.answer import GameScore
from railspotter.scoring.card_game.text import CardGame
from railspotter.scoring.edition import load_edition
from railspotter.scoring.points.standing import PlayerStanding, Standing
from railspotter.scoring.sentence import NOTHING, Sentence, together

from ..errors import TableError
from ..game_log.course_facts import GameEnded, GamePackedAway, GamePaused, GameResumed
from ..game_log.facts import Event
from ..game_log.game_state import GameState
from ..game_log.people_facts import Player
from ..game_log.public_log import public_events
from ..past_games.people import has_name, person_key

SOURCE = "Railspotter"
COMPUTER = Sentence("computer")
BG_STATS = "https://app.bgstatsapp.com/createPlay.html"  # its page that takes a play
# Longer gaps between events do not count: the program was off, or a clock was set.
LONGEST_GAP_S = 3600.0

Translate = Callable[[str], str]  # translates a sentence or a colour's name
USA = ("Ticket to Ride", 9209)
# BoardGameGeek's names and ids of games, by edition. Without an id BG Stats asks which game it is:
# The Card Game's could not be verified, and fans' maps have none.
GAMES: Mapping[str, tuple[str, int | None]] = {
    "usa": USA,
    "usa-accessible": USA,
    "usa-1910": USA,  # an expansion; the site counts its plays as the game's
    "usa-big-cities": USA,
    "usa-mega": USA,
    "usa-10th": ("Ticket to Ride: 10th Anniversary", 160069),
    "europe": ("Ticket to Ride: Europe", 14996),
    "newyork": ("Ticket to Ride: New York", 253284),
    "card-game": ("Ticket to Ride: The Card Game", None),
}


class PlayError(TableError):
    """A game cannot be exported as a play: it is not over."""


@dataclass(frozen=True)
class Play:
    """A game's public information, for export."""

    id: str  # the game's
    edition: str  # the edition's id
    title: str  # the edition's, or that of the user's own board
    is_own_board: bool
    name: str  # the game's; may be empty
    ended_at_s: float  # the end, else the last event; seconds since 1970-01-01 UTC
    minutes: int | None  # the duration without pauses; None if unknown
    is_over: bool
    players: tuple[Player, ...]  # in turn order, as in `standing`
    standing: Standing
    problem: Sentence = NOTHING  # its rule violations; empty if there are none

    @property
    def scores(self) -> Iterator[tuple[Player, PlayerStanding]]:
        """The players with their points, in turn order."""
        return zip(self.players, self.standing.players, strict=True)

    def is_won_by(self, player: Player) -> bool:
        """Tell whether a player has won, perhaps with others."""
        return self.is_over and player.colour in self.standing.winners

    def at(self, utc: bool = False) -> datetime:
        """Return the end as local time or UTC; 1970 for an impossible timestamp."""
        try:
            return datetime.fromtimestamp(self.ended_at_s, UTC if utc else None)
        except (ValueError, OverflowError, OSError):
            return datetime.fromtimestamp(0.0, UTC)

    def require_over(self) -> None:
        """Raise `PlayError` for a game that is not over."""
        if not self.is_over:
            raise PlayError("the game is not over yet: it can be passed on when it has ended")


def play_of(id: str, state: GameState, score: GameScore) -> Play:
    """Convert a logged game to a play; `score` must be the public one."""
    table = state.table
    own = table.started.board
    events = [event for event in public_events(state) if event.seq not in state.undone]
    return Play(
        id,
        table.started.edition,
        table.edition.title if own is None else own.title,
        own is not None,
        table.name,
        next((one.at_s for one in events if isinstance(one.fact, GameEnded)), events[-1].at_s),
        _minutes(events),
        table.ended,
        table.players,
        score.standing,
        _problem(score),
    )


def card_play_of(id: str, game: CardGame, changed_at_s: float, score: GameScore) -> Play:
    """Convert a Card Game to a play, without a duration."""
    edition = load_edition(game.edition)
    players = tuple(Player(one.colour, one.colour, one.name) for one in game.players)
    return Play(
        id,
        edition.id,
        edition.title,
        False,
        "",
        changed_at_s,
        None,
        game.final,
        players,
        score.standing,
        _problem(score),
    )


def display_name(player: Player, say: Translate = str) -> str:
    """Return a player's name, else the colour.

    >>> display_name(Player("ann", "red", "Ann")), display_name(Player("seat", "red"))
    ('Ann', 'Red')
    """
    if has_name(player.name, player.colour):
        return player.name
    colour = say(player.colour)
    return colour[:1].upper() + colour[1:]


def _problem(score: GameScore) -> Sentence:
    if score.problems:
        found = together(problem.what for problem in score.problems)
        return Sentence("something is wrong: {problems}", problems=found)
    return (
        Sentence("nobody has won yet: that is not decided")
        if not score.standing.winners
        else NOTHING
    )


def _minutes(events: list[Event]) -> int | None:
    """Return the duration of a game without pauses; None for less than a minute."""
    seconds, is_paused = 0.0, False
    for before, event in pairwise(events):
        if isinstance(before.fact, GamePaused | GamePackedAway):
            is_paused = True
        elif isinstance(before.fact, GameResumed):
            is_paused = False
        elif isinstance(before.fact, GameEnded):
            break
        gap_s = event.at_s - before.at_s
        if not is_paused and 0 < gap_s < LONGEST_GAP_S:
            seconds += gap_s
    return round(seconds / 60) or None


def listed_game(play: Play) -> tuple[str, int | None]:
    """Return BoardGameGeek's name and id of the game; the id is None for unlisted ones."""
    if play.is_own_board:
        return play.title, None
    return GAMES.get(play.edition, (play.title, None))


def play_text(play: Play, say: Translate = str) -> str:
    """Format a play for BoardGameGeek's form; raises `PlayError` if it is not over."""
    play.require_over()
    name, number = listed_game(play)
    lines = [
        f"Game: {name}",
        *([f"https://boardgamegeek.com/boardgame/{number}"] if number else []),
        f"Date: {play.at():%Y-%m-%d}",
        f"Length: {play.minutes} minutes" if play.minutes else "Length:",
        "Location:",
        "",
        "Players:",
    ]
    for place, (player, score) in enumerate(play.scores, start=1):
        fields = [
            display_name(player, say),
            f"color {say(player.colour)}",
            f"position {place}",
            f"score {score.total}",
            *(["win"] if play.is_won_by(player) else []),
            *(["a computer"] if player.computer else []),
        ]
        lines.append(f"{place}. {', '.join(fields)}")
    if comment := comment_of(play, say):
        lines += ["", f"Comments: {comment}"]
    return "\n".join(lines) + "\n"


def comment_of(play: Play, say: Translate = str) -> str:
    """Return a play's comment: the edition if BoardGameGeek does not list it, name and problem."""
    is_other = listed_game(play) == USA and play.edition != "usa"
    parts = (play.title if is_other else "", play.name, say(play.problem))
    return ", ".join(part for part in parts if part)


def play_link(play: Play, say: Translate = str) -> str:
    """Return the link that opens a play in BG Stats; raises `PlayError` if it is not over."""
    text = json.dumps(_play_data(play, say), ensure_ascii=False, separators=(",", ":"))
    return f"{BG_STATS}?data={quote(text, safe='')}"


def _play_data(play: Play, say: Translate) -> dict[str, Any]:
    play.require_over()
    (name, number), comment = listed_game(play), comment_of(play, say)
    return {
        "sourceName": SOURCE,
        "sourcePlayId": play.id,
        "playDate": f"{play.at(utc=True):%Y-%m-%d %H:%M:%S}",
        **({"durationMin": play.minutes} if play.minutes else {}),
        **({"comments": comment} if comment else {}),
        "game": {
            "name": name,
            "sourceGameId": f"board:{play.title}" if play.is_own_board else play.edition,
            **({"bggId": number} if number else {}),
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": display_name(player, say),
                "sourcePlayerId": _person(play, player),
                "startPlayer": False,  # who took the first turn is not known
                "winner": play.is_won_by(player),
                "score": score.total,
                **({"role": say(COMPUTER)} if player.computer else {}),
            }
            for player, score in play.scores
        ],
    }


def _person(play: Play, player: Player) -> str:
    """Return a person's id for BG Stats; without a name it is unique for each play."""
    is_person = has_name(player.name, player.colour)
    return person_key(player.name) if is_person else f"{play.id}/{player.colour}"


# The export formats; none contains secrets.
PLAYS: Mapping[str, Callable[[Play, Translate], str]] = {"bgstats": play_link, "bgg": play_text}

"""A game as others keep it: what was played, when and for how long, and everyone's points.

It is made of what everyone may see alone: of a ticket that nobody has shown it knows nothing. From
it come a text to fill BoardGameGeek's form from, and a link that BG Stats opens. The site documents
how plays are read (its XML API), and no way in but the form of its pages; what programs post to
without asking changes as the site likes, and wants a password. So people type it. In the link all
of the play stands as JSON: whoever taps it opens BG Stats, or its page where the app is not
installed; until then nothing has left the house.

References
----------
BG Stats, "Push plays to BG Stats from other apps or websites", bgstatsapp.com/support: required are
`sourceName`, `sourcePlayId`, `playDate` (the end, UTC), the game's `name` and `sourceGameId`, and
each player's `name`, `sourcePlayerId`, `startPlayer` and `winner`. By its `source...` ids the app
remembers which game and whom of its own they mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from railspotter.scoring.answer import GameScore
from railspotter.scoring.card_game.text import CardGame
from railspotter.scoring.edition import Colour, load_edition
from railspotter.scoring.points.standing import PlayerStanding, Standing
from railspotter.scoring.sentence import NOTHING, Sentence, together

from ..errors import TableError
from ..game_log.course_facts import GameEnded, GamePackedAway, GamePaused, GameResumed
from ..game_log.facts import Event
from ..game_log.game_state import GameState
from ..game_log.public_log import public_events
from ..past_games.summaries import person_key

SOURCE = "Railspotter"
COMPUTER = Sentence("computer")
BG_STATS = "https://app.bgstatsapp.com/createPlay.html"  # its page that takes a play
# Nothing happens for so long only where the program was off meanwhile, or a clock was set.
LONGEST_GAP_S = 3600.0

Say = Callable[[str], str]  # returns a sentence, or a colour's name, in somebody's language
USA = ("Ticket to Ride", 9209)
# By edition, the games as BoardGameGeek has them: names, and numbers in their pages' addresses.
# A fan's map has no page, and The Card Game's number could not be made sure of: BG Stats then asks
# which game it is.
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
    """A game cannot leave as a play: it is not over."""


@dataclass(frozen=True)
class PlayPlayer:
    """Somebody who played; `name` is empty for who has none, `computer` for a person."""

    colour: Colour
    name: str = ""
    computer: str = ""

    @property
    def is_named(self) -> bool:
        """Whether it is known who that is, and not the colour alone."""
        return person_key(self.name) not in ("", self.colour)

    def called(self, say: Say = str) -> str:
        """Return the name; who has none is called by the colour.

        Examples
        --------
        >>> PlayPlayer("red", "Ann").called(), PlayPlayer("red").called()
        ('Ann', 'Red')
        """
        if self.is_named:
            return self.name
        colour = say(self.colour)
        return colour[:1].upper() + colour[1:]


@dataclass(frozen=True)
class Play:
    """A game of which everything is public."""

    id: str  # the game's
    edition: str  # the id of its rules
    title: str  # what was played: the edition's title, or that of a board of one's own
    is_own_board: bool  # whether it was played on a board of one's own
    name: str  # what the players call the game; may be empty
    # When it ended, or when the last thing happened; in seconds since 1970-01-01 UTC.
    ended_at_s: float
    minutes: int | None  # how long it was played, pauses left out; None where nobody knows
    is_over: bool  # whether it was played to its end
    players: tuple[PlayPlayer, ...]  # in turn order, as those of the standing
    standing: Standing
    problem: Sentence = NOTHING  # what is wrong with it; empty where all is well

    @property
    def scores(self) -> Iterator[tuple[PlayPlayer, PlayerStanding]]:
        """Everyone with the points, in turn order."""
        return zip(self.players, self.standing.players, strict=True)

    def is_won_by(self, player: PlayPlayer) -> bool:
        """Tell whether somebody has won, perhaps with others."""
        return self.is_over and player.colour in self.standing.winners

    def at(self, utc: bool = False) -> datetime:
        """Return when it ended, by this computer's clock or in UTC; 1970 for a clock gone mad."""
        try:
            return datetime.fromtimestamp(self.ended_at_s, UTC if utc else None)
        except (ValueError, OverflowError, OSError):
            return datetime.fromtimestamp(0.0, UTC)

    def require_over(self) -> None:
        """Refuse a game that goes on."""
        if not self.is_over:
            raise PlayError("the game is not over yet: it can be passed on when it has ended")


def play_of(id: str, state: GameState, score: GameScore) -> Play:
    """Return a game of the log as a play; its score is without tickets that nobody has shown."""
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
        tuple(PlayPlayer(one.colour, one.name, one.computer) for one in table.players),
        score.standing,
        _problem(score),
    )


def card_play_of(id: str, game: CardGame, changed_at_s: float, score: GameScore) -> Play:
    """Return a Card Game as a play: when it began nobody wrote down."""
    edition = load_edition(game.edition)
    players = tuple(PlayPlayer(one.colour, one.name) for one in game.players)
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


def _problem(score: GameScore) -> Sentence:
    if not score.problems:
        return NOTHING
    found = together(problem.what for problem in score.problems)
    return Sentence("something is wrong: {problems}", problems=found)


def _minutes(events: list[Event]) -> int | None:
    """Return how long a game was played up to its end; None for less than a minute."""
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
    """Return which game was played; a board of one's own is a game that nobody lists."""
    if play.is_own_board:
        return play.title, None
    return GAMES.get(play.edition, (play.title, None))


def play_text(play: Play, say: Say = str) -> str:
    """Return a play as the site's form asks for it; raises `PlayError` for one that is not over.

    `say` says colours in the language of who asks.
    """
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
        told = [
            player.called(say),
            f"color {say(player.colour)}",
            f"position {place}",
            f"score {score.total}",
            *(["win"] if play.is_won_by(player) else []),
            *(["a computer"] if player.computer else []),
        ]
        lines.append(f"{place}. {', '.join(told)}")
    if comment := comment_of(play, say):
        lines += ["", f"Comments: {comment}"]
    return "\n".join(lines) + "\n"


def comment_of(play: Play, say: Say = str) -> str:
    """Return what else there is to say.

    That is the edition where several are one game there, the game's name, and what is wrong.
    """
    is_other = listed_game(play) == USA and play.edition != "usa"
    parts = (play.title if is_other else "", play.name, say(play.problem))
    return ", ".join(part for part in parts if part)


def play_link(play: Play, say: Say = str) -> str:
    """Return the link; raises `PlayError` for a game that is not over.

    `say` says colours in the language of who asks: who has no name is called by one.
    """
    text = json.dumps(_play_data(play, say), ensure_ascii=False, separators=(",", ":"))
    return f"{BG_STATS}?data={quote(text, safe='')}"


def _play_data(play: Play, say: Say) -> dict[str, Any]:
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
                "name": player.called(say),
                "sourcePlayerId": _person(play, player),
                "startPlayer": False,  # who took the first turn is not known
                "winner": play.is_won_by(player),
                "score": score.total,
                **({"role": say(COMPUTER)} if player.computer else {}),
            }
            for player, score in play.scores
        ],
    }


def _person(play: Play, player: PlayPlayer) -> str:
    """Return what tells a person from others, from play to play.

    Who has no name is somebody else each time: BG Stats must not remember whom Red was.
    """
    return person_key(player.name) if player.is_named else f"{play.id}/{player.colour}"


# What writes a game for elsewhere; all of them leave secrets out.
PLAYS: Mapping[str, Callable[[Play, Say], str]] = {"bgstats": play_link, "bgg": play_text}

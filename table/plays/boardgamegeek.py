"""A play for BoardGameGeek: which game it is there, and a text to fill its form from.

The site documents how plays are read (its XML API), and no way in but the form of its pages; what
programs post to without asking changes as the site likes, and wants a password. So people type it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .play import Play, Say


@dataclass(frozen=True)
class ListedGame:
    """A game as BoardGameGeek has it."""

    name: str
    id: int | None = None

    @property
    def url(self) -> str | None:
        """Its page there."""
        return None if self.id is None else f"https://boardgamegeek.com/boardgame/{self.id}"


USA = ListedGame("Ticket to Ride", 9209)
# By edition, the numbers in the addresses of the games' pages. A fan's map has no page, and The
# Card Game's number could not be made sure of: BG Stats then asks which game it is.
GAMES = {
    "usa": USA,
    "usa-accessible": USA,
    "usa-1910": USA,  # an expansion; the site counts its plays as the game's
    "usa-big-cities": USA,
    "usa-mega": USA,
    "usa-10th": ListedGame("Ticket to Ride: 10th Anniversary", 160069),
    "europe": ListedGame("Ticket to Ride: Europe", 14996),
    "newyork": ListedGame("Ticket to Ride: New York", 253284),
    "card-game": ListedGame("Ticket to Ride: The Card Game"),
}


def listed_game(play: Play) -> ListedGame:
    """Return which game was played; a board of one's own is a game that nobody lists."""
    if play.is_own_board:
        return ListedGame(play.title)
    return GAMES.get(play.edition, ListedGame(play.title))


def play_text(play: Play, say: Say = str) -> str:
    """Return a play as the site's form asks for it, in its words.

    Parameters
    ----------
    say : callable
        Says colours in the language of who asks.

    Raises
    ------
    PlayError
        For a game that is not over.
    """
    play.require_over()
    game = listed_game(play)
    lines = [
        f"Game: {game.name}",
        *([game.url] if game.url else []),
        f"Date: {play.at():%Y-%m-%d}",
        f"Length: {play.minutes} minutes" if play.minutes else "Length:",
        "Location:",
        "",
        "Players:",
    ]
    for number, (player, score) in enumerate(play.scores, start=1):
        told = [
            player.called(say),
            f"color {say(player.colour)}",
            f"position {number}",
            f"score {score.total}",
            *(["win"] if play.is_won_by(player) else []),
            *(["a computer"] if player.computer else []),
        ]
        lines.append(f"{number}. {', '.join(told)}")
    if comment := comment_of(play, say):
        lines += ["", f"Comments: {comment}"]
    return "\n".join(lines) + "\n"


def comment_of(play: Play, say: Say = str) -> str:
    """Return what else there is to say.

    That is the edition where several are one game there, the game's name, and what is wrong.
    """
    is_other = listed_game(play) is USA and play.edition != "usa"
    parts = (play.title if is_other else "", play.name, say(play.problem))
    return ", ".join(part for part in parts if part)

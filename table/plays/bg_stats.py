"""A play as a link that BG Stats opens: it shows what it would add, and adds it when told to.

All of the play stands in the link, as JSON. Whoever taps it opens BG Stats, or its page where the
app is not installed; until then nothing has left the house.

References
----------
BG Stats, "Push plays to BG Stats from other apps or websites", bgstatsapp.com/support: required are
`sourceName`, `sourcePlayId`, `playDate` (the end, UTC), the game's `name` and `sourceGameId`, and
each player's `name`, `sourcePlayerId`, `startPlayer` and `winner`. By its `source...` ids the app
remembers which game and whom of its own they mean.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from railspotter.scoring.sentence import Sentence

from ..past_games.summaries import key_of
from .boardgamegeek import comment_of, listed_game
from .play import SOURCE, Play, PlayPlayer, Say

COMPUTER = Sentence("computer")
PAGE = "https://app.bgstatsapp.com/createPlay.html"


def play_link(play: Play, say: Say = str) -> str:
    """Return the link.

    Parameters
    ----------
    say : callable
        Says colours in the language of who asks: who has no name is called by one.

    Raises
    ------
    PlayError
        For a game that is not over.
    """
    text = json.dumps(_play_data(play, say), ensure_ascii=False, separators=(",", ":"))
    return f"{PAGE}?data={quote(text, safe='')}"


def _play_data(play: Play, say: Say) -> dict[str, Any]:
    play.require_over()
    game, comment = listed_game(play), comment_of(play, say)
    return {
        "sourceName": SOURCE,
        "sourcePlayId": play.id,
        "playDate": f"{play.at(utc=True):%Y-%m-%d %H:%M:%S}",
        **({"durationMin": play.minutes} if play.minutes else {}),
        **({"comments": comment} if comment else {}),
        "game": {
            "name": game.name,
            "sourceGameId": f"board:{play.title}" if play.is_own_board else play.edition,
            **({"bggId": game.id} if game.id else {}),
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
    return key_of(player.name) if player.is_named else f"{play.id}/{player.colour}"

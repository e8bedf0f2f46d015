"""Games that leave the house: as BG Stats documents its link, as a text."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jsonschema
import msgspec
import pytest
from logged_games import BOTH_LANES, IMPOSSIBLE, NEW_YORK, TOO_MANY, after, own_philly, played
from past_games import events_of, facts_of, state_of
from railspotter.scoring.card_game.text import CardGame
from railspotter.scoring.edition import load_edition
from railspotter.scoring.errors import GameError
from railspotter.scoring.json_text import parse_json
from railspotter.table.card_games.changes import card_score
from railspotter.table.game_log.course_facts import GameEnded, GamePaused, GameResumed, GameStarted
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState, begin, fold
from railspotter.table.game_log.people_facts import Player, TicketTaken
from railspotter.table.plays.play import (
    GAMES,
    Play,
    PlayError,
    card_play_of,
    display_name,
    play_link,
    play_of,
    play_text,
)
from railspotter.webui.words.translation import translator_to

ID = "0" * 31 + "1"
TEXT = {"type": "string", "minLength": 1}
# What BG Stats documents of a play that another program pushes (bgstatsapp.com/support).
BG_STATS = {
    "type": "object",
    "additionalProperties": False,
    "required": ["sourceName", "sourcePlayId", "playDate", "game", "players"],
    "properties": {
        "sourceName": TEXT,
        "sourcePlayId": TEXT,
        "playDate": {
            "type": "string",
            "pattern": r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$",
        },
        "durationMin": {"type": "integer", "minimum": 1},
        "location": TEXT,
        "board": TEXT,
        "comments": TEXT,
        "game": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name", "sourceGameId"],
            "properties": {
                "name": TEXT,
                "sourceGameId": TEXT,
                "bggId": {"type": "integer", "minimum": 1},
                "highestWins": {"type": "boolean"},
                "noPoints": {"type": "boolean"},
            },
        },
        "players": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "sourcePlayerId", "startPlayer", "winner"],
                "properties": {
                    "name": TEXT,
                    "sourcePlayerId": TEXT,
                    "startPlayer": {"type": "boolean"},
                    "winner": {"type": "boolean"},
                    "score": {"type": "integer"},
                    "rank": {"type": "integer"},
                    "role": TEXT,
                    "team": TEXT,
                },
            },
        },
    },
}


def play(state: GameState) -> Play:
    return play_of(ID, state, state.table.score)


def pushed(one: Play) -> dict[str, Any]:
    """What BG Stats reads of a link, checked by what it documents."""
    link = urlsplit(play_link(one))
    assert link._replace(query="").geturl() == "https://app.bgstatsapp.com/createPlay.html"
    query = parse_qs(link.query, strict_parsing=True, max_num_fields=1)
    data: dict[str, Any] = json.loads(query["data"][0])
    jsonschema.validate(data, BG_STATS)
    return data


def at(times: Sequence[tuple[float, Fact]]) -> GameState:
    """A game whose facts happened at these times."""
    events = [
        msgspec.structs.replace(event, at_s=at_s)
        for event, (at_s, _) in zip(events_of([fact for _, fact in times]), times, strict=True)
    ]
    return fold(events)


def started(*players: Player, edition: str = "usa") -> GameStarted:
    return GameStarted(edition=edition, players=players)


@pytest.mark.parametrize("name", ["usa", "europe", "own-philly"])
def test_bg_stats_and_the_site_get_what_the_page_shows(name: str) -> None:
    state = state_of(facts_of(played(name, 3)))
    standing = state.table.full_score.standing
    data = pushed(play(state))
    assert [one["score"] for one in data["players"]] == [one.total for one in standing.players]
    assert [one["name"] for one in data["players"]] == ["Ann", "Bob", "Cleo"]
    won = [one.colour in standing.winners for one in standing.players]
    assert [one["winner"] for one in data["players"]] == won
    text = play_text(play(state))
    for one in standing.players:
        end = ", win" if one.colour in standing.winners else ""
        assert f"color {one.colour}, " in text
        assert f", score {one.total}{end}\n" in text


def test_games_have_the_numbers_of_their_pages() -> None:
    assert pushed(play(state_of(facts_of(played("europe", 2)))))["game"] == {
        "name": "Ticket to Ride: Europe",
        "sourceGameId": "europe",
        "bggId": 14996,
        "highestWins": True,
        "noPoints": False,
    }
    for edition in GAMES:
        load_edition(edition)


def test_a_board_of_ones_own_is_a_game_that_nobody_lists() -> None:
    one = play(state_of(facts_of(played("own-philly", 2))))
    assert one.title == own_philly()[1].title
    assert "bggId" not in pushed(one)["game"]
    assert "boardgamegeek.com" not in play_text(one)


def test_when_and_how_long_pauses_left_out() -> None:
    ann = Player("ann", "red", "Ann")
    facts: list[tuple[float, Fact]] = [
        (1_000_000_000.0, started(ann, Player("bob", "blue"))),
        (1_000_000_600.0, GamePaused()),
        (1_000_005_000.0, GameResumed()),
        (1_000_050_000.0, GamePaused()),  # the program was off: nobody played for half a day
        (1_000_050_060.0, GameResumed()),
        (1_000_051_800.0, GameEnded()),
    ]
    one = play(at(facts))
    assert one.minutes == 10 + 29
    assert pushed(one)["playDate"] == "2001-09-09 16:10:00"
    assert "Length: 39 minutes\n" in play_text(one)


def test_who_has_no_name_is_called_by_the_colour_and_is_nobody_the_next_time() -> None:
    facts: list[tuple[float, Fact]] = [
        (0.0, started(Player("red", "red"), Player("b", "blue", " BOB  lee "))),
        (9.0, GameEnded()),
    ]
    data = pushed(play(at(facts)))
    assert [one["name"] for one in data["players"]] == ["Red", " BOB  lee "]
    assert [one["sourcePlayerId"] for one in data["players"]] == [f"{ID}/red", "bob lee"]
    assert "durationMin" not in data
    assert display_name(play(at(facts)).players[0], {"red": "rot"}.__getitem__) == "Rot"


def test_a_computer_is_one_and_a_tie_has_several_winners() -> None:
    facts: list[tuple[float, Fact]] = [
        (0.0, started(Player("ann", "red", "Ann"), Player("c", "blue", "", "", "hard"))),
        (9.0, GameEnded()),
    ]
    players = pushed(play(at(facts)))["players"]
    assert [one["winner"] for one in players] == [True, True]
    assert [one.get("role") for one in players] == [None, "computer"]
    assert "win, a computer\n" in play_text(play(at(facts)))


def test_what_nobody_has_shown_is_in_none_of_it() -> None:
    """The game is the same one, once with tickets that stay secret and once without any."""
    facts = [*facts_of(played("usa", 3), is_shown=False), GameEnded()]
    kept, none = (
        play(state_of(of))
        for of in (facts, [fact for fact in facts if not isinstance(fact, TicketTaken)])
    )
    for write in (play_text, play_link):
        assert write(replace(kept, ended_at_s=0.0, minutes=9)) == write(
            replace(none, ended_at_s=0.0, minutes=9)
        )


def test_a_game_that_goes_on_is_no_play() -> None:
    one = play(state_of(facts_of(played("usa", 2), is_shown=False)))
    for write in (play_link, play_text):
        with pytest.raises(PlayError, match="not over yet"):
            write(one)


def test_the_card_game_leaves_too() -> None:
    text = {
        "edition": "card-game",
        "players": [{"colour": "red", "name": "Ann"}, {"colour": "blue"}],
        "final": True,
    }
    game = parse_json(json.dumps(text), CardGame, GameError)
    one = card_play_of(ID, game, 1_000_000_000.0, card_score(game).answer)
    data = pushed(one)
    assert data["game"]["name"] == "Ticket to Ride: The Card Game"
    assert "durationMin" not in data
    assert "Length:\n" in play_text(one)


def test_what_cannot_be_stands_in_every_play() -> None:
    state = after(begin(Event(1, 0.0, NEW_YORK)), *IMPOSSIBLE, GameEnded())
    one = play(state)
    for told in (
        play_text(one),
        pushed(one)["comments"],
    ):
        assert BOTH_LANES in told
        assert TOO_MANY in told
    german = play_text(one, translator_to("de"))
    assert "etwas stimmt nicht: beide Spuren von Brooklyn - Chinatown" in german
    assert "something is wrong" not in play_text(play(state_of(facts_of(played("usa", 2)))))

"""Whole games, logged turn by turn: at every step the score is the truth's."""

from dataclasses import replace
from pathlib import Path

import pytest
from logged_games import after, end_of, played, start_of, steps_of
from past_games import facts_of, state_of
from railspotter.scoring.game import position_of
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.points.standing import position_standing
from railspotter.scoring.position import LastTurns, last_turns
from railspotter.table.game_log.course_facts import GameEnded, GameStarted
from railspotter.table.game_log.game_state import fold
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import read_log
from railspotter.table.game_log.people_facts import Player, TicketRevealed
from railspotter.table.game_log.table_state import TableState

GAMES = [
    *(("usa", 2), ("usa-accessible", 3), ("usa-10th", 5), ("usa-mega", 3), ("europe", 4)),
    *(("newyork", 3), ("philly", 2), ("own-philly", 3)),
]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_score_is_the_truths_at_every_step(name: str, players: int, tmp_path: Path) -> None:
    game = played(name, players)
    order = [seat.colour for seat in game.start.seats]
    last = 0
    with GameStore(tmp_path).create(start_of(game), 1e9) as log:
        for number, (facts, truth) in enumerate(steps_of(game)):
            log.append(facts, 1e9 + 30 * number)
            table = log.state.table
            assert table.claims == truth.claims
            assert table.sites == truth.sites
            said = table.full_score
            assert said.standing == position_standing(truth)
            assert said.problems == ()
            held = position_of(table.as_game(), table.board).tickets
            assert held == {colour: hand for colour, hand in truth.tickets.items() if hand}
            if number and (begun := game.turns[number - 1].position.last_turns):
                assert said.last_turns == last_turns(order, begun.by, last)
                last += 1
        assert table.unrevealed == sum(map(len, truth.tickets.values()))
        log.append(end_of(log.state), 1e9 + 9999)
        assert log.state.table.unrevealed == 0
        path = log.path
    ended = read_log(path)
    assert ended == log.state == fold(ended.events)
    assert ended.table.score.standing == final_score(game.end)
    said_at_the_end = ended.table.as_game()
    assert said_at_the_end.claims == game.end.claims
    if game.end.last_turns is not None:
        last_turns_of = LastTurns(game.end.last_turns.by, len(game.start.seats))
        assert said_at_the_end.last_turns == last_turns_of
    assert said_at_the_end.final


def test_who_has_shown_some_tickets_has_not_kept_too_few() -> None:
    state = state_of(facts_of(played("usa", 2), is_shown=False))
    one_each = [TicketRevealed(seat, hand[0].ticket) for seat, hand in state.table.tickets.items()]
    ended = after(state, *one_each, GameEnded())
    assert ended.table.score.problems == ()


def test_as_many_as_a_game_takes_have_their_last_turns() -> None:
    players = tuple(Player(f"seat-{n}", f"colour-{n}") for n in range(12))
    ended = TableState(GameStarted("usa", players), "", players, ended=True)
    last = replace(ended, last_turns_by="seat-10").position
    assert last.last_turns == LastTurns("colour-10", 12)
    assert last.waiting == ()

"""Facts fold into a tournament; what does not fit is refused with a sentence."""

from __future__ import annotations

import pytest
from made_up_tournaments import entered, played
from railspotter.club import ClubError
from railspotter.club.tournament import (
    EntrantAdded,
    EntrantArrived,
    EntrantDroppedOut,
    EntrantRenamed,
    EntrantsSwapped,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    RoundSeated,
    Rules,
    TournamentFact,
    TournamentFactError,
    TournamentStarted,
    after,
    fact_text,
    fold,
    parse_fact,
    standings,
)

STARTED: list[TournamentFact] = [
    TournamentStarted("Friday", Rules(preferred=2, largest=3)),
    EntrantAdded("ann", "Ann", club="Bern"),
    EntrantAdded("bob", "Bob"),
    EntrantAdded("cem", "Cem"),
    EntrantAdded("dan", "Dan"),
    EntrantAdded("eve", "Eve", present=False),
]
SEATED = [*STARTED, RoundSeated(1, (("ann", "bob"), ("cem", "dan")))]
PLAYED = [
    *SEATED,
    ResultEntered(1, 1, {"ann": 9, "bob": 5}),
    ResultEntered(1, 2, {"cem": 5, "dan": 5}, winners=("dan",)),
]
CLOSED = [*PLAYED, RoundClosed(1)]


def test_a_log_is_text_and_comes_back() -> None:
    facts = [
        *CLOSED,
        EntrantRenamed("bob", "Robert", "Thun"),
        EntrantDroppedOut("cem"),
        EntrantArrived("eve"),
        RoundSeated(2, (("eve", "ann"),), ("dan", "bob")),
        EntrantsSwapped(2, "eve", "bob"),
        ResultEntered(2, 1, {"ann": 1, "bob": 2}),
        ResultWithdrawn(2, 1),
        ResultCorrected(1, 1, {"ann": 5, "bob": 9}),
    ]
    again = [parse_fact(fact_text(fact)) for fact in facts]
    assert again == facts
    held = fold(again)
    assert held == fold(facts)
    assert held.rounds[1].tables == (("bob", "ann"),)
    assert held.rounds[1].byes == ("dan", "eve")
    assert held.rounds[1].missing == (1,)
    assert [one.id for one in held.present] == ["ann", "bob", "dan", "eve"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"kind": "tournament_won"}',
        '{"kind": "entrant_arrived", "entrant": "Ann!"}',
        '{"kind": "entrant_arrived", "entrant": "ann", "more": 1}',
        '{"kind": "entrant_added", "entrant": "ann", "name": "two\\nlines"}',
        '{"kind": "round_closed", "round": 0}',
        b"\xff",
    ],
)
def test_what_is_no_fact_is_refused(text: str | bytes) -> None:
    with pytest.raises(TournamentFactError, match="this is no fact of a tournament"):
        parse_fact(text)


@pytest.mark.parametrize(
    ("facts", "fact", "why"),
    [
        ([], EntrantAdded("ann", "Ann"), "begins with its start"),
        (STARTED, TournamentStarted("Again"), "'Friday' has already begun"),
        ([], TournamentStarted("x", Rules(preferred=2, largest=2, smallest=3)), "of 2 are prefer"),
        ([], TournamentStarted("x", Rules(place_points={2: (5, 1)})), "table of 3 needs 3 points"),
        ([], TournamentStarted("x", Rules(largest=4, place_points={})), "table of 2 needs 2"),
        ([], TournamentStarted("x", Rules(tie_breaks=("wins", "wins"))), "named twice"),
        (STARTED, EntrantAdded("ann", "Anna"), "the id 'ann' already"),
        (STARTED, EntrantAdded("ann-2", "ANN "), "add what tells them apart"),
        (STARTED, EntrantRenamed("ann", "bob"), "there is a bob already"),
        (STARTED, EntrantRenamed("zoe", "Zoe"), "the id 'zoe'"),
        (STARTED, EntrantArrived("ann"), "Ann is here already"),
        (STARTED, EntrantDroppedOut("eve"), "Eve has gone already"),
        (STARTED, RoundSeated(2, ()), "the next round is 1"),
        (STARTED, RoundSeated(1, (("ann",), ("bob", "cem", "dan"))), "table 1 has 1 players"),
        (STARTED, RoundSeated(1, (("ann", "bob"), ("ann", "cem"))), "Ann is seated twice"),
        (STARTED, RoundSeated(1, (("ann", "bob"), ("cem", "eve"))), "Eve is not here"),
        (STARTED, RoundSeated(1, (("ann", "bob"),), ("cem",)), "Dan has neither a table nor"),
        (STARTED, RoundSeated(1, (("ann", "zoe"),)), "the id 'zoe'"),
        (STARTED, RoundClosed(1), "round 1 has not been seated"),
        (PLAYED, RoundSeated(1, (("ann", "bob"), ("cem", "dan"))), "round 1 is still being"),
        (SEATED, ResultEntered(1, 3, {}), "there is no table 3 in round 1"),
        (SEATED, ResultEntered(1, 1, {"ann": 9}), "Bob's points are missing"),
        (SEATED, ResultEntered(1, 1, {"ann": 9, "bob": 1, "cem": 1}), "Cem does not play at"),
        (SEATED, ResultEntered(1, 1, {"ann": 9, "bob": 1}, ("cem",)), "Cem does not play at"),
        (SEATED, ResultCorrected(1, 1, {"ann": 9, "bob": 1}), "no result to correct"),
        (PLAYED, ResultEntered(1, 1, {"ann": 9, "bob": 1}), "correct that one"),
        (SEATED, RoundClosed(1), "table 1 has no result yet"),
        (SEATED, EntrantsSwapped(1, "ann", "eve"), "Eve is not seated in round 1"),
        (PLAYED, EntrantsSwapped(1, "ann", "dan"), "table 1 has a result already"),
        (CLOSED, EntrantsSwapped(1, "ann", "bob"), "round 1 is closed"),
        (CLOSED, ResultWithdrawn(1, 1), "round 1 is closed"),
        (CLOSED, RoundClosed(1), "round 1 is closed"),
    ],
)
def test_what_does_not_fit_is_refused(
    facts: list[TournamentFact], fact: TournamentFact, why: str
) -> None:
    held = fold(facts) if facts else None
    with pytest.raises(ClubError, match=why):
        after(held, fact)


def test_an_empty_log_is_no_tournament() -> None:
    with pytest.raises(ClubError, match="empty log"):
        fold([])


def test_an_earlier_round_can_be_corrected() -> None:
    held = fold(CLOSED)
    assert [row.entrant.id for row in standings(held)[:2]] == ["ann", "dan"]
    held = after(held, RoundSeated(2, (("ann", "cem"), ("bob", "dan"))))
    held = after(held, ResultCorrected(1, 1, {"ann": 5, "bob": 9}))
    assert [row.entrant.id for row in standings(held)[:2]] == ["bob", "dan"]


def test_players_of_one_table_change_seats_also_after_its_result() -> None:
    held = after(fold(PLAYED), EntrantsSwapped(1, "ann", "bob"))
    assert held.rounds[0].tables[0] == ("bob", "ann")
    assert held.rounds[0].results[1].points == {"ann": 9, "bob": 5}


def test_a_withdrawn_result_lets_players_of_two_tables_change() -> None:
    held = after(fold(PLAYED), ResultWithdrawn(1, 1))
    held = after(held, ResultWithdrawn(1, 2))
    held = after(held, EntrantsSwapped(1, "ann", "dan"))
    assert held.rounds[0].tables == (("dan", "bob"), ("cem", "ann"))


def test_who_drops_out_in_the_middle_of_a_round_still_has_a_result() -> None:
    held = after(fold(SEATED), EntrantDroppedOut("bob"))
    held = after(held, ResultEntered(1, 1, {"ann": 9, "bob": 0}))
    assert held.rounds[0].missing == (2,)


def test_what_was_folded_is_not_changed_by_what_follows() -> None:
    held = entered(("ann", "bob"))
    played(held, {"ann": 9, "bob": 1})
    assert held.rounds == ()

"""The card rules of every edition, as tables: oracles/*.txt, each block under its sentence.

A block, ended by an empty line:

    > The rule's sentence; one in our words begins with (In our words:).
    case what it shows
    edition usa                     a line of these for what the game holds; of several
                                    editions the first one's rulebook says it, each is a test
    board toy-philly.json           another board than the edition's
    players red blue
    rule replaced_locomotive true   a house rule
    deck red=5 locomotive=1         train cards face down, in no order
    discards green=2
    row red blue green white pink   those that lie face up
    hand red blue=4 locomotive=1
    tickets boston--miami           the ticket deck, in no order
    claim red helena--seattle       what stands on the board
    station red paris
    site red zoo
    dealt                           or else: all cards are dealt, by the script
    comes red locomotive            the script: what comes off the deck of train cards,
    brings boston--miami            and what comes off the ticket deck
    do red draw                     moves: from the deck,
    do red draw 0                   from that place of the row,
    do red tickets
    do red keep boston--miami
    do red pay route helena--seattle yellow=6
    do red more yellow=1            for a tunnel
    do red leave
    do red pass
    = refused the ferry needs       of the last move; without this line every move is right
    = turn over                     after the last move, or: turn open
    = row red blue                  what must come out
    = deck red=4                    and in the same way: discards, hand red ...
    = cards red=12 ...              every train card of the game
    = offered red boston--miami
    = keeps 2                       so many tickets at least
    = beneath boston--miami         under the deck, uppermost first
    = tickets 27                    how many can be drawn
    = more 1                        additional cards that the tunnel asks for
    = payments red route helena--seattle yellow=6, yellow=5 locomotive=1
"""

import json
from collections import Counter, defaultdict
from functools import cached_property
from pathlib import Path
from typing import cast

import oracle_tables
import pytest
from oracle_tables import RULEBOOK_OF, SCORES, card_counts, letters, read_cases, rulebook
from railspotter.scoring.board import load_board
from railspotter.scoring.dealing.dealing import Dealing, first_dealing
from railspotter.scoring.dealing.moves import (
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Move,
    MoveError,
    PassTurn,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.rules import ends_turn, legal_payments, play
from railspotter.scoring.dealing.stacks import TrainCardStacks
from railspotter.scoring.edition import Ticket, load_edition, ticket_by_ends
from railspotter.scoring.position import Position, Seat
from railspotter.scoring.spot import Kind, Spot
from scripted_luck import ScriptedLuck

TABLES = Path(__file__).with_name("oracles")
OUR_WORDS = "(In our words:)"


class Case(oracle_tables.Case):
    """Moves with cards."""

    @cached_property
    def lines(self) -> dict[str, list[list[str]]]:
        """What is given, by the first word."""
        lines = defaultdict[str, list[list[str]]](list)
        for what, *words in self.given:
            lines[what].append(words)
        return lines

    def one(self, what: str, default: str = "") -> str:
        """Return the line of that name."""
        return " ".join(self.lines.get(what, [[default]])[0])

    def run(self) -> list[str]:
        position, dealing = self._position(), self._dealing()
        luck, refusal, is_over = self._luck(), "", False
        if "dealt" in self.lines:
            holders = position.colours
            dealing = first_dealing(position.edition, position.board, holders, luck)
        moves = [(who, self._move(words)) for who, *words in self.lines["do"]]
        for who, move in moves:
            assert not refusal, f"refused before the last move: {refusal}"
            try:
                after = play(position, dealing, who, who, move, luck)
            except MoveError as error:
                refusal = str(error)
                continue
            is_over, dealing = ends_turn(dealing, move, after), after
        luck.assert_done()
        wrong = [
            f"{line}; it is {found}"
            for line in self.expected
            if not line.startswith("refused")
            and (found := _found(line, position, dealing, is_over).strip()) != _normal(line).strip()
        ]
        reasons = [line[8:] for line in self.expected if line.startswith("refused")]
        if any(reason not in refusal for reason in reasons) or bool(reasons) != bool(refusal):
            wrong.append(f"refused: {refusal or 'nothing'}")
        return wrong

    def _position(self) -> Position:
        edition = load_edition(self.one("edition"))
        rules = {name: json.loads(" ".join(value)) for name, *value in self.lines["rule"]}
        board = self.one("board")
        stations = {who: tuple(places) for who, *places in self.lines["station"]}
        return Position(
            edition.with_house_rules(rules),
            load_board(SCORES / board if board else edition.board),
            tuple(map(Seat, self.one("players").split())),
            {route: who for who, *routes in self.lines["claim"] for route in routes},
            stations=stations,
            sites={name: who for who, *names in self.lines["site"] for name in names},
        )

    def _dealing(self) -> Dealing:
        position = self._position()
        stacks = TrainCardStacks(
            position.edition,
            card_counts(self.one("deck").split()),
            tuple(self.one("row").split()),
            card_counts(self.one("discards").split()),
        )
        hands = {who: card_counts(cards) for who, *cards in self.lines["hand"]}
        hands = {colour: hands.get(colour, {}) for colour in position.colours}
        return Dealing(stacks, hands, self._tickets(self.one("tickets").split()))

    def _tickets(self, names: list[str]) -> tuple[Ticket, ...]:
        position = self._position()
        known = ticket_by_ends(position.edition, position.board)
        return tuple(known[frozenset(name.split("--"))] for name in names)

    def _luck(self) -> ScriptedLuck:
        cards = [card for line in self.lines["comes"] for card in line]
        return ScriptedLuck(cards, [name for line in self.lines["brings"] for name in line])

    def _move(self, words: list[str]) -> Move:
        match words:
            case ["draw"]:
                return DrawCard()
            case ["draw", place]:
                return DrawCard(int(place))
            case ["tickets"]:
                return DrawTickets()
            case ["keep", *names]:
                return KeepTickets(ticket_texts(self._tickets(names)))
            case ["pay", kind, name, *cards]:
                return Pay(cast(Kind, kind), name, card_counts(cards))
            case ["more", *cards]:
                return PayMore(card_counts(cards))
            case ["leave"]:
                return LeaveTunnel()
            case ["pass"]:
                return PassTurn()
        raise ValueError(f"no such move: {' '.join(words)}")


def _text(cards: object) -> str:
    counts = cast("dict[str, int]", cards)
    return " ".join(f"{card}={counts[card]}" for card in sorted(counts) if counts[card])


def _names(tickets: tuple[Ticket, ...]) -> str:
    return " ".join(f"{ticket.a}--{ticket.b}" for ticket in tickets)


def _normal(line: str) -> str:
    """What a table says, with its cards in the order in which they are compared."""
    what, *words = line.split()
    if what == "payments":
        _, who, kind, name, *rest = line.split()
        ways = [_text(card_counts(way.split())) for way in " ".join(rest).split(",")]
        return f"payments {who} {kind} {name} {', '.join(ways)}"
    if what in ("deck", "discards", "cards"):
        return f"{what} {_text(card_counts(words))}"
    if what == "hand":
        return f"hand {words[0]} {_text(card_counts(words[1:]))}"
    return line


def _found(line: str, position: Position, dealing: Dealing, is_over: bool) -> str:
    """What came out, as a table would say it."""
    match line.split():
        case ["turn", _]:
            return f"turn {'over' if is_over else 'open'}"
        case ["row", *_]:
            return " ".join(("row", *dealing.stacks.face_up))
        case ["deck", *_]:
            return f"deck {_text(dealing.stacks.deck)}"
        case ["discards", *_]:
            return f"discards {_text(dealing.stacks.discards)}"
        case ["cards", *_]:
            return f"cards {_text(dealing.all_cards)}"
        case ["hand", who, *_]:
            return f"hand {who} {_text(dealing.hand(who))}"
        case ["offered", who, *_]:
            return f"offered {who} {_names(dealing.offered.get(who, ()))}"
        case ["keeps", _]:
            (least,) = {dealing.least_kept(who) for who in dealing.offered}
            return f"keeps {least}"
        case ["beneath", *_]:
            return f"beneath {_names(dealing.beneath)}"
        case ["tickets", _]:
            return f"tickets {dealing.tickets_left}"
        case ["more", _]:
            return f"more {dealing.tunnel.more if dealing.tunnel else 0}"
        case ["payments", who, kind, name, *_]:
            spot = Spot(cast(Kind, kind), name)
            ways = legal_payments(position, dealing.hand(who), who, spot)
            return f"payments {who} {kind} {name} {', '.join(map(_text, ways))}"
    raise ValueError(f"no such expectation: {line}")


CASES = tuple(read_cases(TABLES, Case))
EDITIONS = {case.one("edition") for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_rule_holds(case: Case) -> None:
    case.check()


def test_every_edition_with_a_rulebook_has_cases() -> None:
    counts = Counter(case.one("edition") for case in CASES)
    assert all(counts[name] >= 5 for name in ("usa", "usa-10th", "newyork", "europe", "philly"))


@pytest.mark.parametrize("edition", [name for name in RULEBOOK_OF if name in EDITIONS])
def test_each_sentence_is_the_rulebooks(edition: str) -> None:
    text = rulebook(edition)
    for case in CASES:
        if case.editions[0] == edition and not case.rule.startswith(OUR_WORDS):
            assert letters(case.rule) in text, case.rule

"""Do answers reveal others' cards? `python benchmarks/card_secrets.py [--games 100]`.

Each game with cards on phones is played twice at once, before two servers. All that everyone may
see is the same in both: moves, payments, cards that lie open, how many each holds. Only what one
seat holds is not: it is dealt other first cards and tickets, and draws others from the decks. So
whatever a guest, another player or the host can ask for must be the same text in both games, but
for times, ids and tokens: every GET call of the program's own description is compared, for each
role, with all that paths can name, and what the terminal prints. This finds every way to tell a
secret, also one that nobody thought of, such as a number or an order that follows from it; looking
for the names of cards would not.

Moves are written by the table as the call for them does, for chance has to be told what comes off
the decks. Between them, and before the first tickets are chosen, people call in both games alike
what opens and closes hands: the game ends, hands are shown, and the end is undone; seats are freed,
left to computers and taken by another phone, which is compared too until another player vouches for
it or the hand is dealt anew. What was shown because the game was over may differ then, and not a
byte once it goes on. Games have 20 trains, by a house rule, and three seats: one secret, one that
another phone has, and one whose hand the host's phone keeps. What both games need not share is left
out: pictures, codes to join by, and the log's bundle, which is the host's and not given while it is
played.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from every_answer import EveryAnswer, differences
from phones import Phone, Table, table
from railspotter.scoring.dealing.claims import tunnel_additions
from railspotter.scoring.dealing.moves import (
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Move,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.rules import claimable, legal_payments
from railspotter.scoring.edition import Ticket, load_edition, ticket_deck
from railspotter.table.game_log.card_facts import CardsDealt, RecordingChance
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_text.event_lines import event_lines
from railspotter.table.game_text.score_lines import scores
from railspotter.table.live_table import card_play
from railspotter.table.live_table.card_play import dealing_facts, move_facts, seat_view
from railspotter.table.live_table.commands import AddFacts

SEATS = ("secret", "other", "kept")
SECRET, OTHER, KEPT = SEATS
LONG_SERIES = "long"
CALLS_SHARE = 0.04  # of the moves, after which people call something; chosen


class NoCommonCardsError(Exception):
    """The two games' decks have no card in common any more."""


@dataclass
class GamePair:
    """The same game twice, with different cards in one seat."""

    games: list[GameState]
    rng: random.Random

    @staticmethod
    def deal(started: GameStarted, rng: random.Random) -> tuple[GamePair, list[Sequence[Fact]]]:
        """Deal two games that differ in what the first seat holds; return also their facts."""
        bare = begin(Event(1, 0.0, started))
        edition = bare.table.edition
        cards, tickets = list[str](), list[Ticket]()

        def first(several: Sequence[Any]) -> Any:
            # What the other game's seat holds stays in the deck of this one.
            if isinstance(several[0], str):
                return rng.choice(_subtract(several, cards))
            rest = [ticket for ticket in several if ticket not in tickets]
            return rng.choice(rest or several)

        hands: list[list[str]] = [[], []]
        while sorted(hands[0]) == sorted(hands[1]):
            hands = [rng.choices(edition.card_colours, k=edition.first_hand) for _ in range(2)]
        cards.extend(hands[1])
        one = _scripted_choice(hands[0], first)
        facts = dealing_facts(bare.table, RecordingChance(one))
        dealt = facts[0]
        assert isinstance(dealt, CardsDealt)
        count = edition.first_tickets[0]
        used = {frozenset((ticket.a, ticket.b)) for ticket in dealt.drawn}
        free = [ticket for ticket in _ticket_deck(bare) if ticket.ends not in used]
        long = rng.sample([t for t in free if t.series == LONG_SERIES], 1) if has_long(bare) else []
        rest = rng.sample([t for t in free if t.series != LONG_SERIES], count - len(long))
        drawn = ticket_texts([*long, *rest])
        other = CardsDealt(
            dealt.seats,
            (*hands[1], *dealt.turned[edition.first_hand :]),
            (*drawn, *dealt.drawn[count:]),
        )
        both: list[Sequence[Fact]] = [facts, (other, *facts[1:])]
        pair = GamePair([bare, bare], rng)
        pair.append(both)
        return pair, both

    def append(self, facts: Sequence[Sequence[Fact]]) -> None:
        """Log facts in both games."""
        for number, new_facts in enumerate(facts):
            for fact in new_facts:
                game = self.games[number]
                self.games[number] = game.after(Event(len(game.events) + 1, 0.0, fact))

    @property
    def colour_to_move(self) -> str | None:
        """Return the colour that has to move; None if the game is over."""
        dealing = self.games[0].table.dealing
        if dealing is None or self.games[0].table.ended:
            return None
        return next(iter(dealing.offered), self.games[0].table.turn)

    def next_facts(self) -> list[Sequence[Fact]]:
        """Return the facts of the next move, for both games."""
        seat = self.colour_to_move or ""
        moves = self._equal_moves(seat)
        is_hidden = seat == SECRET and isinstance(moves[0], DrawCard) and moves[0].place is None
        is_hidden = is_hidden or (seat == SECRET and isinstance(moves[0], DrawTickets))
        came: list[Any] = []

        def draw_first(several: Sequence[Any]) -> Any:
            came.append(self.rng.choice(self._common(several)))
            return came[-1]

        def draw_again(several: Sequence[Any]) -> Any:
            if not is_hidden:
                return came.pop(0)
            taken = came.pop(0)
            common = [one for one in self._common(several, 1) if one != taken and one not in came]
            return self.rng.choice(common) if common else taken

        first = move_facts(
            self.games[0], seat, moves[0], lies_there=True, luck=RecordingChance(draw_first)
        )
        second = move_facts(
            self.games[1], seat, moves[1], lies_there=True, luck=RecordingChance(draw_again)
        )
        return [first, second]

    def dealt_anew(self, seat: str, number: int, came: list[Any]) -> RecordingChance:
        """Return the chance of dealing a seat anew in one of the games, the first one first.

        `came` has what came off the decks of the first game, and comes off those of the second.
        """

        def draw(several: Sequence[Any]) -> Any:
            if seat == SECRET:
                return self.rng.choice(several)
            if number == 0:
                came.append(self.rng.choice(self._common(several)))
                return came[-1]
            return came.pop(0)

        return RecordingChance(draw)

    def _common(self, several: Sequence[Any], number: int = 0) -> list[Any]:
        """Return the cards of this deck that the other game can draw as well."""
        here, there = (self.games[i].table.dealing for i in (number, 1 - number))
        assert here is not None
        assert there is not None
        if isinstance(several[0], str):
            more = there.hand(SECRET) - here.hand(SECRET)
            common = _subtract(several, list(more.elements()))
        else:
            common = [ticket for ticket in several if ticket in there.tickets]
        if not common:
            raise NoCommonCardsError
        return common

    def _equal_moves(self, seat: str) -> tuple[Move, Move]:
        """Return a move that looks the same in both games."""
        views = [seat_view(game.table, seat) for game in self.games]
        one = views[0]
        if one.offered:
            count = self.rng.randint(one.at_least, len(one.offered))
            kept = [KeepTickets(ticket_texts(view.offered[:count])) for view in views]
            return kept[0], kept[1]
        if one.tunnel is not None:
            more = [list(tunnel_additions(v.tunnel.cards, v.hand, v.tunnel.more)) for v in views]  # type: ignore[union-attr]
            found = [cards for cards in more[0] if cards in more[1]]
            leave: Move = PayMore(dict(found[0])) if found else LeaveTunnel()
            return leave, leave
        if not one.drawn and self.rng.random() < 0.5:
            spots = list(claimable(one.position, one.hand, one.colour))
            self.rng.shuffle(spots)
            for spot in spots[:8]:
                paid = [list(legal_payments(v.position, v.hand, v.colour, spot)) for v in views]
                if found := [cards for cards in paid[0] if cards in paid[1]]:
                    pay = Pay(spot.kind, spot.id, dict(self.rng.choice(found)))
                    return pay, pay
        if not one.drawn and one.tickets_left > 6 and self.rng.random() < 0.1:
            return DrawTickets(), DrawTickets()
        places = [place for place in one.drawable if all(place in v.drawable for v in views)]
        if not places:
            raise NoCommonCardsError
        draw: Move = DrawCard(self.rng.choice(places))
        return draw, draw


def has_long(game: GameState) -> bool:
    """Tell whether long tickets are dealt."""
    return any(ticket.series == LONG_SERIES for ticket in _ticket_deck(game))


def _subtract(several: Sequence[str], cards: Sequence[str]) -> list[str]:
    return list((Counter(several) - Counter(cards)).elements())


def _scripted_choice(script: Sequence[Any], then: Any) -> Any:
    rest = list(script)
    return lambda several: rest.pop(0) if rest else then(several)


def _ticket_deck(game: GameState) -> tuple[Ticket, ...]:
    return tuple(ticket_deck(game.table.edition, game.table.board))


@dataclass
class ComparedGame:
    """One of the games at its server, with the phones that must not see the secret."""

    answers: EveryAnswer
    phones: dict[str, Phone]
    secret: Phone  # the phone that sees the secret

    @staticmethod
    def connect(running: Table) -> ComparedGame:
        """Connect a guest, another player and the host, and the player with the secret."""
        host, secret = running.host(), running.player(SECRET)
        phones = {"guest": running.phone(), "player": running.player(OTHER), "host": host}
        host.get(f"/players/{KEPT}/cards")
        return ComparedGame(EveryAnswer.of(running, SEATS), phones, secret)

    def call(self, role: str, method: str, path: str, body: Any = None) -> int:
        """Make a call as somebody; return its status."""
        if role == "taker":  # another phone sits down, with the code that is shown now
            self.phones[role] = self.answers.running.joined()
        phone = self.secret if role == SECRET else self.phones[role]
        if body == "newest":
            log = phone.state()["log"]
            kind = "ticket_revealed" if role == SECRET else "game_ended"
            body = {"event": next((e["seq"] for e in reversed(log) if e["kind"] == kind), 1)}
        status = phone.ask(method, path, body).status
        if path == "/cards/vouch" or path.endswith("/deal-anew"):
            self.secret = self.phones.pop("taker", self.secret)
        self.answers.running.page.session.feed.now()
        return status

    def fetch_answers(self) -> dict[str, str]:
        """Return all answers by phone and path, without times and ids."""
        found = {}
        for role, phone in self.phones.items():
            found |= self.answers.to(role, phone)
        game = self.answers.running.log.state
        lines = [line for event in game.events for line in event_lines(event, game)]
        if not game.table.ended:  # then the terminal counts
            lines.append(scores(game.table))
        found["the terminal"] = "\n".join(lines)
        return found


Request = tuple[str, str, str, Any]  # a call: by whom, its method, path and body
# What opens hands and closes them, each step followed by how it has to be answered. The secret is
# shown to all where a step says so, and nothing is compared until it is hidden again.
FREED: Request = ("host", "DELETE", f"/seat/{SECRET}", None)
TAKEN: Request = ("taker", "POST", "/seat", {"seat": SECRET})
VOUCHED: Request = ("player", "POST", "/cards/vouch", {"seat": SECRET})
ENDED: Request = ("host", "POST", "/end", None)
GOES_ON: Request = ("host", "POST", "/undo", "newest")
TAKEN_BACK: Request = (SECRET, "POST", "/undo", "newest")
SCRIPTS: tuple[tuple[tuple[Request, int], ...], ...] = (
    ((ENDED, 200), (GOES_ON, 200)),
    (
        (ENDED, 200),
        ((SECRET, "POST", "/hand/reveal", None), 200),
        (GOES_ON, 409),
        (TAKEN_BACK, 200),
        (GOES_ON, 200),
    ),
    (
        (FREED, 200),
        (ENDED, 200),
        (("host", "POST", f"/players/{SECRET}/hand/reveal", None), 200),
        (GOES_ON, 409),
        (TAKEN, 200),
        (VOUCHED, 200),
        (TAKEN_BACK, 200),
        (GOES_ON, 200),
    ),
    (
        (("host", "PUT", f"/players/{SECRET}/computer", {"strength": "easy"}), 200),
        (ENDED, 200),
        (GOES_ON, 200),
        (("host", "DELETE", f"/players/{SECRET}/computer", None), 200),
        (TAKEN, 200),
        (VOUCHED, 200),
    ),
    ((FREED, 200), (TAKEN, 200), (VOUCHED, 200)),
    ((FREED, 200), (TAKEN, 200), (("host", "POST", f"/players/{SECRET}/deal-anew", None), 200)),
    (((SECRET, "DELETE", f"/seat/{SECRET}", None), 200), (TAKEN, 200), (VOUCHED, 200)),
)


class BothGames:
    """The two games at their servers, and what differs between their answers."""

    def __init__(self, pair: GamePair, compared_games: Sequence[ComparedGame]) -> None:
        self.pair, self.games = pair, compared_games
        self.found, self.compared, self.is_hidden = list[str](), 0, False

    def move(self) -> bool:
        """Make the next move in both; return whether there is one."""
        if self.pair.colour_to_move is None:
            return False
        try:
            both = self.pair.next_facts()
        except NoCommonCardsError:
            return False
        for one, facts in zip(self.games, both, strict=True):
            one.answers.running.live.execute(AddFacts(facts))
            one.answers.running.page.session.feed.now()  # a number for each change, not for two
        self._follow()
        return True

    def call(self, where: str, script: Sequence[tuple[Request, int]]) -> None:
        """Make these calls in both games, and compare all answers where they may differ."""
        is_shown = False
        for request, wanted in script:
            role, method, path, _ = request
            came: list[Any] = []
            for number, one in enumerate(self.games):
                luck = self.pair.dealt_anew(SECRET, number, came)
                with patch.object(card_play, "chance", lambda luck=luck: luck):
                    status = one.call(*request)
                # What nobody can do now, as in the middle of a turn, is done in neither game.
                if status != wanted:
                    self.found.append(f"{where}, {role}: {method} {path} was answered {status}")
            self._follow()
            is_shown = path.endswith("/reveal") or (is_shown and request != TAKEN_BACK)
            if not is_shown and request in (ENDED, TAKEN, script[-1][0]):
                self.compare(f"{where}, after {role}: {method} {path}")

    def compare(self, where: str) -> None:
        """Compare all answers of both games."""
        hands = [game.table.dealing.hand(SECRET) for game in self.pair.games if game.table.dealing]
        self.is_hidden = self.is_hidden or hands[0] != hands[1]
        here, there = (one.fetch_answers() for one in self.games)
        self.compared += len(here)
        self.found += [f"{where}, {what}" for what in differences(here, there)]

    def _follow(self) -> None:
        self.pair.games = [one.answers.running.log.state for one in self.games]


def play_twice(
    folder: Path,
    edition: str,
    seed: int,
    *,
    every: int = 15,
    moves: int = 400,
    trains: int = 20,
) -> tuple[list[str], int]:
    """Play a game twice; return the differing answers, and the number of compared ones."""
    rng = random.Random(seed)
    colours = load_edition(edition).colours
    players = tuple(Player(s, c, s.title()) for s, c in zip(SEATS, colours, strict=False))
    started = GameStarted(
        edition, players, name="Friday", house_rules={"trains": trains}, cards="phones"
    )
    pair, dealt = GamePair.deal(started, rng)
    with ExitStack() as stack:
        compared_games = []
        for number, facts in enumerate(dealt):
            home = folder / f"{seed}-{number}"
            with GameStore(home).create(started, 1.0) as log:
                log.append(facts, 1.0)
            compared_games.append(ComparedGame.connect(stack.enter_context(table(home, log.id))))
        both = BothGames(pair, compared_games)
        # In every phase: before the first tickets are chosen, and between moves.
        for count in range(1, moves + 1):
            is_over = pair.colour_to_move is None
            if not is_over and (count == 1 or rng.random() < CALLS_SHARE):
                both.call(f"move {count}", _script_for(pair, rng))
            has_moved = both.move()
            if not has_moved or count % every == 0 or count == moves:
                both.compare(f"move {count}")
            if not has_moved:
                break
        if not both.is_hidden:
            raise AssertionError("the hands were the same: nothing was tried")
    return both.found, both.compared


def _script_for(pair: GamePair, rng: random.Random) -> Sequence[tuple[Request, int]]:
    """Return calls that are possible now: tickets are shown once there are any."""
    table = pair.games[0].table
    has_tickets = bool(table.tickets.get(SECRET))
    is_at_rest = table.turn in (None, SECRET) or not _is_in_turn(pair)
    able = [
        script
        for script in SCRIPTS
        if (has_tickets or not any(path.endswith("/reveal") for (_, _, path, _), _ in script))
        and (is_at_rest or not any("deal-anew" in path for (_, _, path, _), _ in script))
    ]
    return rng.choice(able)


def _is_in_turn(pair: GamePair) -> bool:
    """Tell whether somebody is in the middle of a turn."""
    dealing = pair.games[0].table.dealing
    return dealing is not None and bool(dealing.drawn or dealing.tunnel or dealing.offered)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="(%(default)s)")
    parser.add_argument("--every", type=int, default=15, help="moves between looks (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    args = parser.parse_args(argv)
    found, compared = list[str](), 0
    editions = ("usa", "europe", "newyork")
    for number in range(args.games):
        with tempfile.TemporaryDirectory() as folder:
            seed, edition = args.seed + number, editions[number % len(editions)]
            trains = 12 if edition == "newyork" else 20
            more, count = play_twice(Path(folder), edition, seed, every=args.every, trains=trains)
        compared += count
        found += [f"{edition} {seed}: {what}" for what in more]
        for what in more:
            print(f"{edition} {seed}: {what}", flush=True)
        print(f"{number + 1} of {args.games} games", end="\r", file=sys.stderr)
    print(f"{args.games} games, {compared} answers compared, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

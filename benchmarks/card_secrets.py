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

import argparse
import random
import sys
import tempfile
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
from railspotter.scoring.edition import load_edition
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_text.event_lines import event_lines
from railspotter.table.game_text.score_lines import scores
from railspotter.table.live_table import card_play
from railspotter.table.live_table.commands import AddFacts

from card_tables.game_pair import KEPT, OTHER, SEATS, SECRET, GamePair, NoCommonCardsError

CALLS_SHARE = 0.04  # of the moves, after which people call something; chosen


@dataclass
class ComparedGame:
    """One of the games at its server, with the phones that must not see the secret."""

    answers: EveryAnswer
    phones: dict[str, Phone]
    secret: Phone  # the phone that sees the secret

    @staticmethod
    def connect(running: Table) -> "ComparedGame":
        """Connect a guest, another player and the host, and the player with the secret."""
        host, secret = running.host(), running.player(SECRET)
        phones = {"guest": running.phone(), "player": running.player(OTHER), "host": host}
        # Its thread would count a call's changes one by one, or all at once, as it is scheduled.
        running.session.feed._step = lambda: None  # type: ignore[method-assign]
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
        self.answers.running.session.feed.now()
        return status

    def fetch_answers(self) -> dict[str, str]:
        """Return all answers by phone and path, without times and ids."""
        found: dict[str, str] = {}
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
            one.answers.running.session.feed.now()  # a number for each change, not for two
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

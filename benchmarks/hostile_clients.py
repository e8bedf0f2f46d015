"""What do clients do to the page that mean it no good? `python benchmarks/hostile_clients.py`.

A drawn game is played before `railspotter play`, in a process of its own with 1,024 file
descriptors; what it watches is a camera of the net, in another. One attack after the other goes
against its page, and now and then none: that is what they are compared with. Attackers come from
other addresses of the loopback interface, which the page trusts more than others: of those no
address has a limit of its own for connections and streams.

In each stretch a polite phone opens a connection of its own four times a second and asks for a
page. Told are the pictures a second that the table looked at, and their share of what it looks at
undisturbed; how many claims were written down, and how late the latest; the polite phone's longest
wait and how often it got no answer in 10 s; the most memory of the table's process, and of the one
beside it that reads photos; the cores that the program, its attackers and all other programs took.
Attackers are at home on the table's own computer here, so their process is niced: a stranger's
phone would take no processor time of it. `busy` is such a process too, with the same threads, that
attacks nobody. Below the table stands what the game came to: whether the log is whole and says what
lies on the board.

A game with 9,800 events in its log (`late`), the page for photos (`serve`) and the one that tells
how to trust (`trust`) are attacked without a drawn game, in processes of their own. An attack ends
when a process holds more than 600 MB; what has to go on working afterwards and does not is told as
unanswered.

A hall (`hall-...`) is flooded by what a table tells its broker, while an honest table tells a
report and waits until a page shows it. Told are its longest wait, the reports that no page showed
within a minute, the hall's most memory, its file, and how long its next start takes.

Pictures are drawn before, which takes minutes; with `--pictures` they are kept for the
next time.
"""

import argparse
import contextlib
import http.client
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from phones import Table, never, table
from railspotter.table.game_log.course_facts import GameRenamed, GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.webui.access.limits import Limits
from railspotter.webui.serving.https import Https
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoReading
from resting_pages import photo_app

from hostile.attacks import ATTACKS, NO_ATTACK, Attack, Target, run_attack
from hostile.broadcast import make_game, render_pictures, serve_camera
from hostile.hall_floods import FLOODS, attack_hall
from hostile.log_comparison import Comparison, compare
from hostile.running_game import (
    RunningGame,
    all_processors_s,
    child_processes,
    memory_mb,
    processor_s,
    run_game,
    run_play_with_times,
)
from live.games import GameScene

MOST_MB = 600
DESCRIPTORS = 1024
TIMEOUT_S = 10.0
ALL_ATTACKS = (*ATTACKS, *FLOODS)
PAUSE_S = 2.0  # between two stretches, so that connections of the first have gone
SETTLING_S = 8.0  # after the last stretch, until the game is looked at
# What the polite phone asks each page for.
POLITE_PATHS = {"play": "/api/v1/state", "late": "/api/v1/state", "serve": "/", "trust": "/trust"}


def serve_page(which: str) -> None:
    """Serve a page without a drawn game until standard input ends; print its port and codes."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        if which == "late":
            running = stack.enter_context(_late_table(Path(folder)))
            page, codes = running.page, running.codes
            print(page.server.port, codes.join, codes.host, flush=True)
        else:
            server = (
                Server(photo_app(PhotoReading(never)), "127.0.0.1", 0)
                if which == "serve"
                else Https(Path(folder), 0).trust_server("127.0.0.1", 443)
            )
            print(stack.enter_context(server).port, flush=True)
        sys.stdin.read()


@contextlib.contextmanager
def _late_table(folder: Path) -> Iterator[Table]:
    players = tuple(Player(c, c, c.title()) for c in ("red", "blue"))
    with GameStore(folder).create(GameStarted("usa", players), time.time()) as log:
        log.append([GameRenamed("Friday")] * 9800, time.time())
    with table(folder, log.id, limits=Limits()) as running:
        yield running


class AttackProcess:
    """An attack in its own process, with low priority."""

    def __init__(self, name: str, target: Target) -> None:
        arguments = [name, str(target.port), str(target.number), *target.codes]
        command = [sys.executable, __file__, "--attack", *arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE)

    def processor_s(self) -> float:
        """Return its processor time."""
        return processor_s(self._process.pid)

    def end(self) -> None:
        """Stop it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@dataclass
class Measurement:
    """A part of the game during one attack."""

    attack: Attack
    start_s: float
    end_s: float = 0.0
    # How long the polite phone waited for each answer.
    waits_s: list[float] = field(default_factory=list)
    failed: int = 0
    most_mb: float = 0.0
    photo_mb: float = 0.0
    cores: Sequence[float] = ()  # of the program, its attackers, and all others

    def pictures_per_s(self, pictures: Sequence[float]) -> float:
        """Return the number of processed pictures per second."""
        taken = sum(self.start_s <= at_s < self.end_s for at_s in pictures)
        return taken / (self.end_s - self.start_s)


def measure_attack(
    attack: Attack, target: Target, seconds: float, process: int, others: Sequence[int] = ()
) -> Measurement:
    """Attack a page while an honest phone uses it; return the measurements."""
    attackers, result = AttackProcess(attack.name, target), Measurement(attack, time.time())

    def cpu_times() -> tuple[float, float, float]:
        own = sum(map(processor_s, (process, *child_processes(process)))), attackers.processor_s()
        ours = sum(own) + sum(map(processor_s, others)) + time.process_time()
        return *own, all_processors_s() - ours

    before = cpu_times()
    while time.time() - result.start_s < seconds and result.most_mb < MOST_MB:
        # That a stream has ended is known when something is next said: each asks from elsewhere.
        here = f"127.0.1.{1 + (len(result.waits_s) + result.failed) % 250}"
        asked_s = time.monotonic()
        if _is_answered(target.port, attack.path or POLITE_PATHS[attack.page], here):
            result.waits_s.append(time.monotonic() - asked_s)
        else:
            result.failed += 1
        result.most_mb = max(result.most_mb, memory_mb(process))
        result.photo_mb = max(result.photo_mb, sum(map(memory_mb, child_processes(process))))
        time.sleep(0.25)
    result.end_s = time.time()
    took_s = result.end_s - result.start_s
    result.cores = [(now - then) / took_s for now, then in zip(cpu_times(), before, strict=True)]
    attackers.end()
    result.failed += not attack.still_works(target)
    return result


def attack_running_game(attacks: Sequence[Attack], seconds: float, pictures: Path) -> None:
    """Play a game under one attack after the other, and print the results."""
    drawn = make_game()
    length_s = len(attacks) * (seconds + PAUSE_S + 1) + SETTLING_S
    if length_s > drawn.duration_s:
        raise SystemExit(f"the drawn game takes {drawn.duration_s:.0f} s, not {length_s:.0f}")
    print(f"drawing {length_s:.0f} s of a game ...", file=sys.stderr, flush=True)
    until_s = render_pictures(pictures, length_s)
    scene = GameScene.from_game(drawn, drawn.enactment.played.start.edition)
    with run_game(drawn, __file__, pictures, until_s, DESCRIPTORS) as played:
        is_over = threading.Event()
        helper = threading.Thread(target=_answer_questions, args=(scene, played, is_over))
        helper.start()
        results = []
        for number, attack in enumerate(attacks):
            target = Target(played.port, number, played.codes)
            pid, camera = played.process.pid, played.camera.pid
            results.append(measure_attack(attack, target, seconds, pid, [camera]))
            print(attack.name, end=" ", file=sys.stderr, flush=True)
            time.sleep(PAUSE_S)
        time.sleep(max(0.0, played.begun_s + until_s + SETTLING_S - time.time()))
        is_over.set()
        helper.join()
        most_mb, times = memory_mb(played.process.pid, "VmHWM"), played.picture_times()
        code, state = played.end()
        verdict = compare(scene, state, played.begun_s, until_s)
        _print_table(results, times, verdict, played.begun_s)
        complaints = played.error_lines()
    late = [delay_s for _, delay_s in verdict.claims if delay_s is not None]
    print(f"\n- Claims written down: {len(late)} of {len(verdict.claims)}", end=", ")
    print(f"the latest after {max(late, default=0):.1f} s.")
    print(f"- Wrong when written down: {len(verdict.wrong)} {verdict.wrong or ''}")
    print(f"- Questions that somebody answered: {len(played.answered)}.")
    print(f"- In the log otherwise than on the board: {len(verdict.final)} {verdict.final or ''}")
    events = len(state.events)
    print(f"- The log: {events} events, its score is the board's: {verdict.has_true_score}.")
    beside_mb = max(one.photo_mb for one in results)
    print(f"- Most memory: {most_mb:.0f} MB, for photos {beside_mb:.0f} MB. Exit code {code}.")
    print(f"- Lines on standard error: {len(complaints)}; of tracebacks:", end=" ")
    print(sum("Traceback" in line for line in complaints))
    for line, count in sorted({line: complaints.count(line) for line in complaints}.items())[:20]:
        print(f"    {count} x {line[:200]}")


def _answer_questions(scene: GameScene, played: RunningGame, is_over: threading.Event) -> None:
    """Answer the table's open questions truthfully."""
    while not is_over.wait(2.0):
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError, KeyError):
            now = scene.truth(time.time() - played.begun_s)
            played.answer_questions(now)


def _print_table(
    results: Sequence[Measurement], pictures: Sequence[float], verdict: Comparison, begun_s: float
) -> None:
    rates = [one.pictures_per_s(pictures) for one in results if one.attack.name == NO_ATTACK]
    usual = statistics.mean(rates)
    print(
        "| attack | what | pictures a s | of undisturbed | claims | latest, s | longest wait, s"
        " | unanswered | most MB | for photos | cores: program | attackers | others |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for one in results:
        claims = verdict.delays_between(one.start_s - begun_s, one.end_s - begun_s)
        late = [delay_s for delay_s in claims if delay_s is not None]
        rate = one.pictures_per_s(pictures)
        cells = [
            one.attack.name,
            one.attack.description,
            f"{rate:.1f}",
            f"{100 * rate / usual:.0f} %",
            f"{len(late)} of {len(claims)}",
            f"{max(late):.1f}" if late else "",
            f"{max(one.waits_s, default=TIMEOUT_S):.2f}",
            str(one.failed),
            f"{one.most_mb:.0f}",
            f"{one.photo_mb:.0f}",
            *(f"{cores:.2f}" for cores in one.cores),
        ]
        print("| " + " | ".join(cells) + " |", flush=True)


def attack_page(attack: Attack, seconds: float) -> None:
    """Attack a page without a game, and print a row of the table."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, __file__, "--page", attack.page],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        port, *codes = process.stdout.readline().split()
        result = measure_attack(attack, Target(int(port), 0, tuple(codes)), seconds, process.pid)
        process.stdin.close()
        try:
            process.wait(20.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        errors.seek(0)
        lines = errors.read().splitlines()
    cells = [
        attack.name,
        attack.description,
        f"{max(result.waits_s, default=TIMEOUT_S):.2f}",
        str(result.failed),
        f"{result.most_mb:.0f}",
        str(len(lines)),
    ]
    print("| " + " | ".join(cells) + " |", flush=True)


def _is_answered(port: int, path: str, here: str) -> bool:
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=TIMEOUT_S, source_address=(here, 0)
    )
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read(20)
    except (OSError, http.client.HTTPException):
        return False
    else:
        return answer.status == 200
    finally:
        connection.close()


def with_pauses(attacks: Sequence[Attack]) -> Iterator[Attack]:
    """Yield the attacks with parts without attack before, between and after them."""
    nothing = next(attack for attack in ATTACKS if attack.name == NO_ATTACK)
    yield nothing
    for number, attack in enumerate(attacks, 1):
        yield attack
        if number % 8 == 0 and number < len(attacks):
            yield nothing
    yield nothing


@contextlib.contextmanager
def picture_folder(folder: str | None) -> Iterator[Path]:
    """Yield the folder for pictures, by default a temporary one."""
    with tempfile.TemporaryDirectory() as otherwise:
        path = Path(folder or otherwise)
        path.mkdir(parents=True, exist_ok=True)
        yield path


def main() -> int:
    """Make all attacks, or the named ones."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help="without any: all of them")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each goes on")
    parser.add_argument("--list", action="store_true", help="tell what each attack does")
    parser.add_argument("--pictures", metavar="FOLDER", help="where drawn pictures are kept")
    # What this script is in processes of its own.
    parser.add_argument("--page", choices=("late", "serve", "trust"), help=argparse.SUPPRESS)
    parser.add_argument("--attack", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--camera", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--play", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.page:
        serve_page(asked.page)
    elif asked.attack:
        name, port, number, *codes = asked.attack
        does = next(attack.run for attack in ALL_ATTACKS if attack.name == name)
        run_attack(does, Target(int(port), int(number), tuple(codes)))
    elif asked.camera:
        serve_camera(Path(asked.camera[0]), float(asked.camera[1]))
    elif asked.play:
        return run_play_with_times(asked.play[0], int(asked.play[1]), asked.play[2:])
    elif asked.list:
        for attack in ALL_ATTACKS:
            print(f"{attack.name:14} {attack.page:6} {attack.description}")
    else:
        if unknown := sorted(set(asked.attacks) - {attack.name for attack in ALL_ATTACKS}):
            parser.error(f"there is no attack {unknown[0]!r}: --list tells all")
        chosen = [one for one in ALL_ATTACKS if not asked.attacks or one.name in asked.attacks]
        attack_all([one for one in chosen if one.name != NO_ATTACK], asked.seconds, asked.pictures)
    return 0


def attack_all(attacks: Sequence[Attack], seconds: float, pictures: str | None) -> None:
    """Make attacks, first those on a game."""
    print(f"load at the beginning: {os.getloadavg()[0]:.1f}", file=sys.stderr)
    played = [attack for attack in attacks if attack.page == "play"]
    alone = [attack for attack in attacks if attack.page not in ("play", "hall")]
    floods = [attack for attack in attacks if attack.page == "hall"]
    if played:
        with picture_folder(pictures) as folder:
            attack_running_game([*with_pauses(played)], seconds, folder)
    if alone:
        print("\n| attack | what | longest wait, s | unanswered | most MB | lines said |")
        print("|---|---|---|---|---|---|")
        for attack in alone:
            attack_page(attack, seconds)
    if floods:
        print(
            "\n| flood | what | longest wait, s | unseen | most MB | its file, MB | next start, s |"
        )
        print("|---|---|---|---|---|---|---|")
        for flood in floods:
            attack_hall(flood, seconds, partial(AttackProcess, flood.name))


if __name__ == "__main__":
    sys.exit(main())

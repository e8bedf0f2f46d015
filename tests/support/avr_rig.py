"""The display's firmware, built and run: on a simulated chip, and its decoder on this computer."""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from house.project import ROOT
from railspotter.firmware_bridge.lights import Lights
from terminals import missing_terminals

FIRMWARE = ROOT / "firmware_bridge" / "firmware"
HERE = ROOT / "tests" / "firmware_bridge"
PACKAGES = "gcc make gcc-avr avr-libc libsimavr-dev libelf-dev"


def missing_tools() -> str | None:
    """Say what must be installed before firmware can be built and run here."""
    needed = [Path("/usr/include/simavr/sim_avr.h"), Path("/usr/include/libelf.h")]
    programs = ("gcc", "make", "avr-gcc", "avr-objcopy")
    if all(map(shutil.which, programs)) and all(path.exists() for path in needed):
        return missing_terminals()
    return f"needs: apt install {PACKAGES}"


@dataclass(frozen=True)
class Built:
    """What was built: the firmware, the program that runs it, and what it takes of the chip."""

    elf: Path
    runner: Path
    flash: int
    static_ram: int


def build(folder: Path) -> Built:
    """Build the firmware for 100 LEDs and five modules, and the simulator that runs it."""
    elf = build_firmware(folder, leds=100, modules=5)
    runner = folder / "avr_runner"
    source = str(HERE / "avr_runner.c")
    _run(
        *("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-I/usr/include/simavr"),
        *("-o", str(runner), source, "-lsimavr", "-lelf"),
    )
    flash, static_ram = sizes(elf)
    return Built(elf, runner, flash, static_ram)


def build_firmware(folder: Path, leds: int, modules: int) -> Path:
    """Build the firmware for what is soldered on."""
    options = f"BUILD={folder}", f"LEDS={leds}", f"MODULES={modules}"
    _run("make", "-s", "-C", str(FIRMWARE), *options)
    return folder / "display.elf"


def sizes(elf: Path) -> tuple[int, int]:
    """Return the bytes of flash and of static RAM that a firmware takes."""
    text, data, bss, *_ = map(int, _run("avr-size", str(elf)).splitlines()[1].split()[:3])
    return text + data, data + bss


def build_decoder(folder: Path) -> Path:
    """Build the firmware's decoder for this computer, with the compiler's checks for mistakes."""
    program = folder / "decoder"
    sources = [HERE / "decoder_runner.c", FIRMWARE / "frame_decoder.c", FIRMWARE / "crc32.c"]
    _run(
        *("gcc", "-O1", "-g", "-Wall", "-Wextra", "-Werror", f"-I{FIRMWARE}"),
        *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
        *("-o", str(program), *map(str, sources)),
    )
    return program


def decoded_by_c(program: Path, stream: bytes) -> list[bytes]:
    """Return the bodies that the firmware's decoder finds in a stream."""
    ran = subprocess.run([program], input=stream, capture_output=True, check=True, timeout=300)
    return [bytes.fromhex(line) for line in ran.stdout.decode("ascii").split()]


def _run(*command: str) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


@dataclass(frozen=True)
class Pulses:
    """Least and most cycles of 62.5 ns of one kind of a strip's pulses."""

    least: int
    most: int


@dataclass
class Seen:
    """What the pins showed so far; `at_s` beside each strip is when it was seen, by the clock."""

    strips: list[bytes] = field(default_factory=list)
    strips_at_s: list[float] = field(default_factory=list)
    pulses: dict[str, list[Pulses]] = field(default_factory=dict)
    modules: list[bytearray] = field(default_factory=lambda: [bytearray(16) for _ in range(5)])
    words: int = 0
    lost: int = 0
    stack: int = 0


class SimulatedBoard:
    """An Arduino with a strip and modules, running while its `with` block does.

    `pace` is one of `avr_runner.c`'s options.
    """

    def __init__(self, built: Built, *pace: str) -> None:
        self._command = [str(built.runner), str(built.elf), *pace]
        self.seen = Seen()
        self.port = ""
        self._news = threading.Condition()
        self._has_port = threading.Event()

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._thread = threading.Thread(target=self._watch, name="simulated board")
        self._thread.start()
        assert self._has_port.wait(20), "the simulator does not start"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._thread.join()
        self._process.stdout.close()

    def wait_for(self, lights: Lights | bytes, timeout_s: float = 20.0) -> bool:
        """Wait until the strip shows these lights."""
        wanted = bytes(lights) if isinstance(lights, bytes) else lights.tobytes()
        return self.wait_until(
            lambda seen: bool(seen.strips) and seen.strips[-1] == wanted, timeout_s
        )

    def wait_until(self, is_so: Callable[[Seen], bool], timeout_s: float = 20.0) -> bool:
        """Wait until what was seen is so."""
        with self._news:
            return self._news.wait_for(lambda: is_so(self.seen), timeout_s)

    def _watch(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            with self._news:
                self._take(*line.split())
                self._news.notify_all()

    def _take(self, what: str, *said: str) -> None:
        seen = self.seen
        if what == "port":
            self.port = said[0]
            self._has_port.set()
        elif what == "strip":
            seen.strips.append(bytes.fromhex(said[1]))
            seen.strips_at_s.append(time.monotonic())
        elif what == "times":
            for name, cycles in zip(("T0H", "T1H", "T0L", "T1L"), said, strict=True):
                if cycles != "-":
                    least, most = map(int, cycles.split("-"))
                    seen.pulses.setdefault(name, []).append(Pulses(least, most))
        elif what == "word":
            self._shift(bytes.fromhex(said[1]))
        elif what == "lost":
            seen.lost = int(said[0])
        elif what == "stack":
            seen.stack = int(said[0])

    def _shift(self, words: bytes) -> None:
        """Let each module take its word: what was sent first has gone furthest."""
        pairs = [(words[i] & 15, words[i + 1]) for i in range(0, len(words), 2)][::-1]
        for module, (register, value) in zip(self.seen.modules, pairs, strict=False):
            module[register] = value
        self.seen.words += 1


def shown_digits(modules: Iterable[bytearray]) -> list[bytes]:
    """Return the lit segments of modules as they hang there: digit register 8 is leftmost."""
    return [bytes(module[8:0:-1]) for module in modules]

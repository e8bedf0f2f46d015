"""Noise on a wire: streams of frames, damaged ones and bytes from nowhere."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from railspotter.firmware_bridge.framing import frame

LONGEST = 310  # bytes of a body: the firmware for 100 LEDs takes as many


@dataclass(frozen=True)
class NoisyStream:
    """What came over a wire, and the bodies that were sent undamaged, in their order."""

    data: bytes
    whole: tuple[bytes, ...]
    damaged: int


def noisy_stream(rng: random.Random, frames: int, wholes: float = 0.1) -> NoisyStream:
    """Return so many frames: a few whole ones among damaged ones and plain noise."""
    data, whole = bytearray(), []
    for _ in range(frames):
        body = _body(rng)
        sent = frame(body)
        if rng.random() < wholes:
            whole.append(body)
        else:
            sent = rng.choice(DAMAGES)(rng, sent)
        data += sent
    return NoisyStream(bytes(data), tuple(whole), frames - len(whole))


def _body(rng: random.Random) -> bytes:
    length = rng.choice((2, 3, 9, 43, 254, 302, rng.randint(2, LONGEST)))
    zeros = rng.choice((0.0, 0.1, 0.9))
    return bytes(0 if rng.random() < zeros else rng.randrange(256) for _ in range(length))


def _flipped(rng: random.Random, sent: bytes) -> bytes:
    damaged = bytearray(sent)
    for _ in range(rng.choice((1, 1, 2, 3, 20))):
        at = rng.randrange(1, len(sent) - 1)
        damaged[at] ^= 1 << rng.randrange(8)
    return bytes(damaged) if damaged != sent else sent[:-3] + sent[-1:]


def _cut(rng: random.Random, sent: bytes) -> bytes:
    start = rng.randrange(1, len(sent) - 1)
    return sent[:start] + sent[rng.randrange(start + 1, len(sent)) :]


def _doubled(rng: random.Random, sent: bytes) -> bytes:
    at = rng.randrange(1, len(sent) - 1)
    return sent[:at] + sent[at : at + 1] + sent[at:]


def _burst(rng: random.Random, sent: bytes) -> bytes:
    at = rng.randrange(1, len(sent) - 1)
    length = rng.randrange(1, 40)
    burst = rng.randbytes(length)
    damaged = sent[:at] + burst + sent[at + length :]
    return damaged if damaged != sent else sent[:-3] + sent[-1:]


def _nothing_of_it(rng: random.Random, sent: bytes) -> bytes:
    return rng.randbytes(len(sent))


def _endless(rng: random.Random, sent: bytes) -> bytes:
    return sent[:-1] + bytes(rng.randrange(1, 256) for _ in range(600))


DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _flipped,
    _cut,
    _doubled,
    _burst,
    _nothing_of_it,
    _endless,
)

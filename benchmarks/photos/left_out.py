"""Reading with what was taught and fitted without some house: the honest figure for that house.

`benchmarks/teach.py` makes such nets and such weights.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from railspotter.vision.look import train_net
from railspotter.vision.reading import cues


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let a benchmark be told what to read with."""
    parser.add_argument(
        "--net", type=Path, metavar="ONNX", help="a net in place of the program's own"
    )
    parser.add_argument(
        "--weights", type=Path, metavar="JSON", help="weights in place of the program's own"
    )


def read_with(options: argparse.Namespace) -> None:
    """Have everything in this process read with what the options name."""
    use(options.net, options.weights)


def use(net: Path | None, weights: Path | None) -> None:
    """Have everything in this process read with a net and weights; None for the program's own."""
    if net is not None:
        train_net.NET = net
    if weights is not None:
        cues.WEIGHTS = weights

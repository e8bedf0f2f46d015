"""What both nets are made of, and the file in which the program reads one."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any


def layer(width: int, wider: int, stride: int) -> Any:
    """Return a convolution over 3 x 3 pixels, its mean and scatter taken out, without negatives."""
    nn = importlib.import_module("torch").nn
    convolution = nn.Conv2d(width, wider, 3, stride, padding=1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(wider), nn.ReLU())


def write(student: Any, planes: int, window_wh: tuple[int, int], path: Path) -> None:
    """Write a net as the program reads it: any number of windows in, their answers out."""
    torch = importlib.import_module("torch")
    columns, rows = window_wh
    torch.onnx.export(
        student,
        torch.zeros(1, planes, rows, columns),
        path,
        input_names=["planes"],
        output_names=["logits"],
        dynamic_axes={"planes": {0: "windows"}, "logits": {0: "windows"}},
        opset_version=13,
        dynamo=False,
    )

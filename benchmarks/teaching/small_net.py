"""The layers and the training of both nets, and their file format."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from railspotter.calibration.arrays import Float32s

RATE = 3e-3  # what is learned of a step, falling as a cosine
WARM = 200  # steps until so much is


def layer(width: int, wider: int, stride: int) -> Any:
    """Return a 3 x 3 convolution with batch normalisation and ReLU."""
    nn = importlib.import_module("torch").nn
    convolution = nn.Conv2d(width, wider, 3, stride, padding=1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(wider), nn.ReLU())


def answer(width: int, cells: int, wide: int) -> Any:
    """Return the two layers that make one output of the convolutions' values in some cells."""
    nn = importlib.import_module("torch").nn
    found = nn.Conv2d(width, 16, 1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2)
    return nn.Sequential(*found, nn.Linear(16 * cells, wide), nn.ReLU(), nn.Linear(wide, 1))


def teach(
    student: Any,
    batches: Iterable[tuple[Float32s, ...]],
    steps: int,
    wrong: Callable[..., tuple[Any, ...]],
    rate: float = RATE,
) -> None:
    """Train a net on batches: the inputs first, then the truth.

    `wrong` is of what a net says and what is true, and returns the parts of a sum. Products are of
    8 bits' precision (bfloat16) and what is between layers lies pixel by pixel: half the time.
    """
    torch = importlib.import_module("torch")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pixelwise = {"memory_format": torch.channels_last}
    student = student.to(device, **pixelwise)
    print(f"{sum(p.numel() for p in student.parameters())} numbers, {device}", flush=True)
    teacher = torch.optim.AdamW(student.parameters(), lr=rate, weight_decay=1e-3)
    so_far: Any = None
    for step, batch in enumerate(batches):
        for group in teacher.param_groups:
            fallen = 0.5 + 0.5 * np.cos(np.pi * step / steps)
            group["lr"] = rate * min(1.0, step / WARM) * fallen
        fed, *true = (torch.from_numpy(np.ascontiguousarray(part)).to(device) for part in batch)
        with torch.autocast(device, torch.bfloat16):
            said = student(fed.to(**pixelwise))
        parts = torch.stack(wrong(said.float(), *true))
        teacher.zero_grad()
        parts.sum().backward()
        teacher.step()
        so_far = parts.detach() if so_far is None else so_far + 0.01 * (parts.detach() - so_far)
        if step % 500 == 499:
            print(f"step {step + 1}:", *(f"{part:.4f}" for part in so_far), flush=True)
    student.to("cpu", memory_format=torch.contiguous_format).eval()


def said_of(student: Any, fed: Iterable[Float32s]) -> Float32s:
    """Return a trained net's first output for each window of some batches."""
    torch = importlib.import_module("torch")
    with torch.no_grad():
        said = [student(torch.from_numpy(batch)).numpy()[:, 0] for batch in fed]
    return np.concatenate(said, dtype=np.float32)


def begin_with(parts: Iterable[Any], path: Path) -> None:
    """Initialise a net's layers, in their order, from a file of `write`.

    There the means and scatters of `layer` are part of its convolution; they stay as they are while
    the net is taught on.
    """
    torch = importlib.import_module("torch")
    onnx: Any = importlib.import_module("onnx")
    graph = onnx.load(path).graph
    stored = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    weighing = [node for node in graph.node if node.op_type in ("Conv", "ConvTranspose", "Gemm")]
    of_layers = [module for part in parts for module in part.modules() if not [*module.children()]]
    weighed = [each for each in of_layers if hasattr(each, "weight")]
    nodes = iter(weighing)
    bias: Any = None
    with torch.no_grad():
        for each in weighed:
            if isinstance(each, torch.nn.BatchNorm2d):
                each.weight.copy_(torch.sqrt(each.running_var + each.eps))
                each.bias.copy_(bias)
                each.eval()
                continue
            node = next(nodes)
            weight, bias = (torch.from_numpy(stored[name].copy()) for name in node.input[1:3])
            each.weight.copy_(weight)
            if each.bias is not None:
                each.bias.copy_(bias)


def write(student: Any, planes: int, window_wh: tuple[int, int], path: Path) -> None:
    """Write a net in the program's format: any number of windows in, their outputs out."""
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

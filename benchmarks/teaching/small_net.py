"""The layers and the training of both nets, and their file format."""

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from railspotter.calibration.arrays import Float32s

RATE = 3e-3  # what is learned of a step, falling as a cosine
WARM_UP_STEPS = 200  # steps until so much is


def conv(width: int, wider: int, stride: int) -> Any:
    """Return a 3 x 3 convolution with batch normalisation and ReLU."""
    nn = importlib.import_module("torch").nn
    convolution = nn.Conv2d(width, wider, 3, stride, padding=1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(wider), nn.ReLU())


def head(width: int, cells: int, hidden: int) -> Any:
    """Return the two layers that make one output of the convolutions' values in some cells."""
    nn = importlib.import_module("torch").nn
    found = nn.Conv2d(width, 16, 1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2)
    return nn.Sequential(*found, nn.Linear(16 * cells, hidden), nn.ReLU(), nn.Linear(hidden, 1))


def train(
    net: Any,
    batches: Iterable[tuple[Float32s, ...]],
    steps: int,
    losses: Callable[..., tuple[Any, ...]],
    rate: float = RATE,
) -> None:
    """Train a net on batches: the inputs first, then the truth.

    `losses` is of what a net says and what is true, and returns the parts of a sum. Products are of
    8 bits' precision (bfloat16) and what is between layers lies pixel by pixel: half the time.
    """
    torch = importlib.import_module("torch")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pixelwise = {"memory_format": torch.channels_last}
    net = net.to(device, **pixelwise)
    print(f"{sum(p.numel() for p in net.parameters())} numbers, {device}", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    means: Any = None
    for step, batch in enumerate(batches):
        for group in optimiser.param_groups:
            fallen = 0.5 + 0.5 * np.cos(np.pi * step / steps)
            group["lr"] = rate * min(1.0, step / WARM_UP_STEPS) * fallen
        inputs, *truth = (torch.from_numpy(np.ascontiguousarray(part)).to(device) for part in batch)
        with torch.autocast(device, torch.bfloat16):
            outputs = net(inputs.to(**pixelwise))
        parts = torch.stack(losses(outputs.float(), *truth))
        optimiser.zero_grad()
        parts.sum().backward()
        optimiser.step()
        means = parts.detach() if means is None else means + 0.01 * (parts.detach() - means)
        if step % 500 == 499:
            print(f"step {step + 1}:", *(f"{part:.4f}" for part in means), flush=True)
    net.to("cpu", memory_format=torch.contiguous_format).eval()


def first_outputs(net: Any, batches: Iterable[Float32s]) -> Float32s:
    """Return a trained net's first output for each window of some batches."""
    torch = importlib.import_module("torch")
    with torch.no_grad():
        outputs = [net(torch.from_numpy(batch)).numpy()[:, 0] for batch in batches]
    return np.concatenate(outputs, dtype=np.float32)


def load_weights(parts: Iterable[Any], path: Path) -> None:
    """Initialise a net's layers, in their order, from a file of `export`.

    There the means and spreads of `conv` are part of its convolution; they stay as they are while
    the net is taught on.
    """
    torch = importlib.import_module("torch")
    onnx: Any = importlib.import_module("onnx")
    graph = onnx.load(path).graph
    stored = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    weighted = [node for node in graph.node if node.op_type in ("Conv", "ConvTranspose", "Gemm")]
    modules = [module for part in parts for module in part.modules() if not [*module.children()]]
    layers = [each for each in modules if hasattr(each, "weight")]
    nodes = iter(weighted)
    bias: Any = None
    with torch.no_grad():
        for each in layers:
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


def export(net: Any, planes: int, window_wh: tuple[int, int], path: Path) -> None:
    """Write a net in the program's format: any number of windows in, their outputs out."""
    torch = importlib.import_module("torch")
    columns, rows = window_wh
    torch.onnx.export(
        net,
        torch.zeros(1, planes, rows, columns),
        path,
        input_names=["planes"],
        output_names=["logits"],
        dynamic_axes={"planes": {0: "windows"}, "logits": {0: "windows"}},
        opset_version=13,
        dynamo=False,
    )

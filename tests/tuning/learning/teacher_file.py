"""A small net of KataGo of random numbers, and its file."""

import gzip
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHANNELS, HIDDEN = 6, 5


def random_layers(seed: int) -> dict[str, Any]:
    """Return the layers of a net of an ordinary block and one that pools; arrays as the file has them."""
    generator = np.random.default_rng(seed)

    def drawn(*shape: int) -> NDArray[np.float32]:
        inputs = int(np.prod(shape[:-1]) or 1)
        return (generator.normal(size=shape) / np.sqrt(inputs)).astype(np.float32)

    def norm(channels: int) -> dict[str, Any]:
        row = {name: drawn(channels) * 0.3 for name in ("mean", "bias")}
        more = {name: 0.5 + abs(drawn(channels)) for name in ("variance", "scale")}
        return {**row, **more, "epsilon": 1e-3}

    def block(pools: bool) -> dict[str, Any]:
        pooling = {"seen": drawn(3, 3, CHANNELS, 3), "scale": norm(3), "pooled": drawn(9, CHANNELS)}
        return {
            "before": norm(CHANNELS),
            "first": drawn(3, 3, CHANNELS, CHANNELS),
            **(pooling if pools else {}),
            "between": norm(CHANNELS),
            "second": drawn(3, 3, CHANNELS, CHANNELS),
        }

    return {
        "stem": drawn(5, 5, 22, CHANNELS),
        "globals": drawn(19, CHANNELS),
        "blocks": [block(False), block(True)],
        "tip": norm(CHANNELS),
        "policy": {
            "points": drawn(1, 1, CHANNELS, 4),
            "global": drawn(1, 1, CHANNELS, 4),
            "scale": norm(4),
            "biases": drawn(12, 4),
            "after": norm(4),
            "last": drawn(1, 1, 4, 1),
            "passing": drawn(12, 1),
        },
        "value": {
            "first": drawn(1, 1, CHANNELS, 4),
            "scale": norm(4),
            "second": drawn(12, HIDDEN),
            "second_bias": drawn(HIDDEN),
            "third": drawn(HIDDEN, 3),
            "third_bias": drawn(3),
            "scores": drawn(HIDDEN, 4) * np.float32(0.1),
            "scores_bias": drawn(4) * np.float32(0.1),
            "owners": drawn(1, 1, 4, 1),
        },
    }


def packed(layers: dict[str, Any], version: int = 8) -> bytes:
    """Return the file of a net."""
    parts: list[bytes] = [f"small {version} 22 19\ntrunk {len(layers['blocks'])} 6 6 6 0 3\n".encode()]

    def write(words: str, *arrays: NDArray[np.float32]) -> None:
        binary = (b"@BIN@" + array.astype("<f4").tobytes() + b"\n" for array in arrays)
        parts.extend([words.encode() + b"\n", *binary])

    def convolution(weights: NDArray[np.float32]) -> None:
        write(f"conv {' '.join(map(str, weights.shape))} 1 1", weights)

    def matrix(weights: NDArray[np.float32]) -> None:
        write(f"matmul {weights.shape[0]} {weights.shape[1]}", weights)

    def norm(each: dict[str, Any], activated: bool = True) -> None:
        arrays = [each[name] for name in ("mean", "variance", "scale", "bias")]
        write(f"norm {len(each['mean'])} {each['epsilon']} 1 1", *arrays)
        if activated:
            write("relu")

    convolution(layers["stem"])
    matrix(layers["globals"])
    for block in layers["blocks"]:
        write(("gpool_block" if "pooled" in block else "ordinary_block") + " block")
        norm(block["before"])
        convolution(block["first"])
        if "pooled" in block:
            convolution(block["seen"])
            norm(block["scale"])
            matrix(block["pooled"])
        norm(block["between"])
        convolution(block["second"])
    norm(layers["tip"])
    policy, value = layers["policy"], layers["value"]
    write("policy")
    convolution(policy["points"])
    convolution(policy["global"])
    norm(policy["scale"])
    matrix(policy["biases"])
    norm(policy["after"])
    convolution(policy["last"])
    matrix(policy["passing"])
    write("value")
    convolution(value["first"])
    norm(value["scale"])
    for name in ("second", "third", "scores"):
        matrix(value[name])
        write(f"bias {len(value[f'{name}_bias'])}", value[f"{name}_bias"])
        if name == "second":
            write("relu")
    convolution(value["owners"])
    return gzip.compress(b"".join(parts))

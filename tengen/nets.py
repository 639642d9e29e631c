"""The nets of the games in ONNX, for programs that run them without tengen."""

import os
from collections.abc import Sequence
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen import __version__
from tengen.engine.errors import OptionError, file_errors, quoted, require_path
from tengen.engine.extras import missing
from tengen.engine.game import Game
from tengen.engine.nets import correction, patterns
from tengen.engine.nets.convolution import ConvolutionShape
from tengen.engine.nets.correction import NetShape, Numbers, Shape
from tengen.engine.nets.patterns import PatternShape
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import replace_file
from tengen.engine.weights import Weights, read_weights
from tengen.search.batch import Batch
from tengen.search.binding import bound

OPERATORS, FORMAT = 18, 8  # versions of ONNX, which runtimes of 2023 know


def export_onnx(
    spec: GameSpec | Game | str,
    path: str | os.PathLike[str],
    *,
    weights: str | os.PathLike[str] | None = None,
) -> None:
    """Write the net of a game as an ONNX file.

    It takes what `net_inputs` returns, for any number of positions; docs/nets.md tells what all inputs and
    outputs are. The same net gives the same bytes. It needs the extra ``onnx``.

    Parameters
    ----------
    spec : GameSpec, Game or str
        Its options choose among several nets that tengen comes with.
    path : path
        The file to write.
    weights : path, optional
        A file of weights with a net; by default those that tengen comes with.

    Raises
    ------
    MissingPackageError
        Without the package onnx.
    OptionError
        If there is no net for the game, or none in the file of weights.
    WeightsError
        If the file is not one of weights of the game.
    FileError
        If a file cannot be read or written.
    """
    try:
        import onnx
    except ImportError:
        raise missing("tengen.export_onnx needs onnx", "onnx") from None
    game, file = GameSpec.of(spec), Path(require_path(path, "path"))
    shape, chosen = _net_of(game, weights)
    assert chosen.net
    graph = _Graph(onnx)
    if isinstance(shape, ConvolutionShape):
        _convolve(graph, shape, chosen.net.numbers)
    elif isinstance(shape, PatternShape):
        _add_patterns(graph, shape, chosen.net.numbers)
    elif isinstance(shape, NetShape):
        _add_rows(graph, shape, chosen.net.numbers)
    else:
        raise OptionError(f"game: expected one whose net ONNX can express, got {game.game.name}")
    data = graph.model(game.game.name, chosen.fingerprint)
    with file_errors(f"path: {str(file)!r}"):
        replace_file(file, data)


def net_inputs(
    positions: Sequence[Position], *, weights: str | os.PathLike[str] | None = None
) -> dict[str, NDArray[Any]]:
    """Return what the net of a game sees of positions: the inputs of the model that `export_onnx` writes.

    Parameters
    ----------
    positions : sequence of Position
        At least one, all of one spec without challenges.
    weights : path, optional
        As for `export_onnx`.

    Returns
    -------
    dict of ndarray
        By name, with the positions as first axis.

    Raises
    ------
    OptionError
        If the positions are of different specs, or there is no net for them.
    """
    from tengen.tuning.learn.features import inputs_of

    batch = Batch.of(positions, threads=1)
    game, states, size = batch.spec.game, batch.states, batch.observation().shape[-1]
    shape, chosen = _net_of(batch.spec, weights)
    if isinstance(shape, ConvolutionShape):
        return _planes(game, shape, states, size)
    inputs, linear, _ = inputs_of(game, chosen, states)
    found = {
        "linear": linear.astype(np.int64),
        "bucket": np.array([bound(game).bucket(state) for state in states], np.int64),
    }
    if isinstance(shape, PatternShape):
        boards = inputs.reshape(len(states), isqrt(shape.most), -1)
        return {"contents": boards[:, :size, :size].astype(np.int64)} | found
    return {"active": inputs.astype(np.int64)} | found


def _planes(game: Game, shape: ConvolutionShape, states: NDArray[Any], size: int) -> dict[str, NDArray[Any]]:
    """Return the inputs of a convolutional net on boards of a size."""
    module = game.module("planes")
    bits = np.zeros((len(states), size * size), np.int16)
    about = np.zeros((len(states), shape.globals), np.float32)
    for state, its_bits, its_about in zip(states, bits, about, strict=True):
        module.write_bits(state, its_bits)
        module.write_about(state, its_about)
    planes = (bits[:, None] >> np.arange(shape.planes)[:, None]) & 1
    return {"planes": planes.reshape(-1, shape.planes, size, size).astype(np.float32), "about": about}


def _net_of(spec: GameSpec, file: str | os.PathLike[str] | None) -> tuple[Shape, Weights]:
    """Return the net for a spec: its shape, and the weights of `file`, or shipped ones, that have it."""
    evaluation = spec.game.evaluation
    if evaluation is None or evaluation.net is None:
        raise OptionError(f"game: expected one with a net, got {spec.game.name}")
    path = None if file is None else require_path(file, "weights")
    if given := read_weights(spec.game, path):
        if given.net is None:
            raise OptionError(f"weights: expected a file with a net, got {quoted(str(path), 200)}")
        return evaluation.net.fitted(given.net.size), given
    found = [weights for weights in evaluation.all_shipped() if weights.net]
    if isinstance(evaluation.net, ConvolutionShape):
        start, knows = Position(spec).state, bound(spec.game).net_knows
        found = [weights for weights in found if knows(start, evaluation.net.record(weights.net))]
    if not found:
        raise OptionError(f"game: expected one that a net of tengen knows, got {spec}")
    chosen = found[0]
    assert chosen.net
    return evaluation.net.fitted(chosen.net.size), chosen


class _Graph:
    """A model of ONNX that is being built: calls add operators."""

    def __init__(self, onnx: Any) -> None:
        self._onnx = onnx
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def __call__(self, operator: str, *operands: Any, output: str = "", **attributes: Any) -> str:
        """Add an operator and return the name of its result; operands are names, or numbers."""
        names = [operand if isinstance(operand, str) else self._constant(operand) for operand in operands]
        output = output or f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(operator, names, [output], **attributes))
        return output

    def _constant(self, value: Any) -> str:
        array, name = np.ascontiguousarray(value), f"constant_{len(self._constants)}"
        array = array.reshape(np.shape(value))  # a number stays one
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def input(self, name: str, kind: str, *shape: int | str) -> str:
        """Add an input of the model; sizes that may vary have names."""
        self._inputs.append(self._value(name, kind, *shape))
        return name

    def output(self, name: str, source: str, kind: str, *shape: int | str) -> None:
        """Add an output of the model, of this `kind`."""
        self("Cast", source, output=name, to=self._type(kind))
        self._outputs.append(self._value(name, kind, *shape))

    def cast(self, source: str, kind: str) -> str:
        """Return the same numbers as another type."""
        return self("Cast", source, to=self._type(kind))

    def _type(self, kind: str) -> int:
        return int(self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind)))

    def _value(self, name: str, kind: str, *shape: int | str) -> Any:
        return self._onnx.helper.make_tensor_value_info(name, self._type(kind), ["positions", *shape])

    def model(self, game: str, fingerprint: str) -> bytes:
        """Return the contents of the file."""
        helper = self._onnx.helper
        made = helper.make_model(
            helper.make_graph(self._nodes, game, self._inputs, self._outputs, self._constants),
            producer_name="tengen",
            producer_version=__version__,
            ir_version=FORMAT,
            opset_imports=[helper.make_opsetid("", OPERATORS)],
        )
        helper.set_model_props(made, {"game": game, "weights": fingerprint})
        self._onnx.checker.check_model(made, full_check=True)
        return bytes(made.SerializeToString(deterministic=True))

    # The nets in whole numbers calculate in float64, which holds all their sums exactly.

    def rows(self, table: NDArray[Any], index: str) -> str:
        """Return rows of a table of whole numbers."""
        return self.cast(self("Gather", table, index), "f8")

    def shifted(self, number: str, bits: int) -> str:
        """Return a number divided by a power of two and rounded down."""
        return self("Floor", self("Mul", number, 2.0**-bits))

    def clipped(self, number: str, low: float, high: float) -> str:
        """Return a number within bounds."""
        return self("Clip", number, np.float64(low), np.float64(high))

    def products(self, weights: str, vectors: str) -> str:
        """Return the inner products of each position's weights, (n, k, m), and vector, (n, m)."""
        return self("ReduceSum", self("Mul", weights, self("Unsqueeze", vectors, [1])), [2], keepdims=0)

    def corrected(self, linear: str, bucket: str, share: NDArray[Any], total: str) -> str:
        """Return the linear values as far as they count, plus what the net says."""
        part = self("Mul", self.cast(linear, "f8"), self.rows(share, bucket))
        return self("Add", self.shifted(part, correction.SHARE_BITS), total)


def _add_rows(g: _Graph, shape: NetShape, numbers: Numbers) -> None:
    """Build the net of `engine.nets.correction`."""
    active, linear = g.input("active", "i8", shape.most), g.input("linear", "i8")
    bucket = g.input("bucket", "i8")
    phase, width = g("Max", bucket, np.int64(0)), correction.DIRECT
    first = np.pad(numbers["first"], ((0, 1), (0, 0)))  # the last one adds nothing
    sums = g("ReduceSum", g.rows(first, active), [1], keepdims=0)
    sums = g("Add", sums, numbers["bias"].astype("f8"))
    hidden = g.clipped(g("Slice", sums, [0], [width], [1]), 0, correction.ONE_ACTIVATION)
    direct = g("Gather", sums, np.int64(width), axis=1)
    inner = g.products(g.rows(numbers["second"][:, :, :width], phase), hidden)
    inner = g.shifted(g("Add", inner, g.rows(numbers["second_bias"], phase)), correction.SECOND_BITS)
    second = g.clipped(inner, 0, correction.ONE_ACTIVATION)
    total = g("ReduceSum", g("Mul", g.rows(numbers["output"], phase), second), [1], keepdims=0)
    total = g("Add", g.shifted(total, correction.OUTPUT_BITS), g.rows(numbers["output_bias"], phase))
    total = g("Add", total, g.shifted(direct, -correction.DIRECT_BITS))
    value = g.corrected(linear, phase, numbers["share"], g.shifted(total, correction.VALUE_BITS))
    unknown = g("Less", bucket, np.int64(0))
    g.output("value", g("Where", unknown, g.cast(linear, "f8"), value), "i8")


def _add_patterns(g: _Graph, shape: PatternShape, numbers: Numbers) -> None:
    """Build the net of `engine.nets.patterns`."""
    size, channels = ("rows", "columns"), patterns.CHANNELS
    contents, linear = g.input("contents", "i8", *size), g.input("linear", "i8")
    bucket = g.input("bucket", "i8")
    windows, reach = shape.windows, shape.windows.weights.shape[1] // 2
    rows, bias = numbers["rows"], numbers["bias"].astype("f8")
    around = g("Pad", contents, [0, reach, reach, 0, reach, reach], np.int64(patterns.OUTSIDE))
    sums = []
    for digits, own in zip(windows.digits, (True, False), strict=True):
        planes = g("Unsqueeze", g("Gather", digits.astype("f4"), around), [1])
        found = g.cast(g("Conv", planes, windows.weights[:, None].astype("f4")), "i8")  # numbers of windows
        half = rows[:, :channels] if own else rows[:, channels:]
        by_line = g.rows(half, g.cast(g("Gather", windows.patterns.astype("i4"), found), "i8"))
        sums.append(g("ReduceSum", by_line, [1], keepdims=0))
    meanings = g.clipped(g("Add", g("Add", *sums), bias), 0, patterns.MAX_MEANING)
    empty = g.cast(g("Equal", contents, np.int64(patterns.VACANT)), "f8")
    told = g("Sub", meanings, np.clip(bias, 0, patterns.MAX_MEANING))
    totals = g("ReduceSum", g("Mul", told, g("Unsqueeze", empty, [3])), [1, 2], keepdims=0)
    means = g.clipped(g.shifted(totals, patterns.MEAN_BITS), -patterns.MAX_MEAN, patterns.MAX_MEAN)
    inner = g.products(g.rows(numbers["layer"], bucket), means)
    inner = g("Add", inner, g.rows(numbers["layer_bias"], bucket))
    hidden = g("Relu", g.shifted(inner, patterns.LAYER_BITS))
    total = g("ReduceSum", g("Mul", g.rows(numbers["output"], bucket), hidden), [1], keepdims=0)
    total = g.shifted(g("Add", total, g.rows(numbers["output_bias"], bucket)), patterns.OUTPUT_BITS)
    value = g.corrected(linear, bucket, numbers["share"], total)
    g.output("value", g.clipped(value, -patterns.MAX_VALUE, patterns.MAX_VALUE), "i8")
    weights = g("Unsqueeze", g.rows(numbers["policy"], bucket), [1, 2])
    policy = g("ReduceSum", g("Mul", meanings, weights), [3], keepdims=0)
    g.output("policy", g.shifted(policy, patterns.POLICY_BITS), "i8", *size)


def _convolve(g: _Graph, shape: ConvolutionShape, numbers: Numbers) -> None:
    """Build the net of `engine.nets.convolution`."""
    size = ("rows", "columns")
    planes, about = g.input("planes", "f4", shape.planes, *size), g.input("about", "f4", shape.globals)

    def convolved(x: str, weights: NDArray[Any]) -> str:
        reach = len(weights) // 2
        return g("Conv", x, weights.transpose(3, 2, 0, 1), pads=[reach] * 4)

    def pooled(x: str) -> str:
        parts = (g(reduce, x, [2, 3], keepdims=0) for reduce in ("ReduceMean", "ReduceMax"))
        return g("Concat", *parts, axis=1)

    def product(vector: str, name: str, bias: str = "") -> str:
        made = g("MatMul", vector, numbers[name])
        return g("Add", made, numbers[bias]) if bias else made

    def everywhere(vector: str) -> str:
        return g("Unsqueeze", vector, [2, 3])

    def by_point(array: NDArray[Any]) -> NDArray[Any]:
        return array.reshape(1, 1, *array.shape[:1], -1)  # the weights of a convolution of single points

    start = everywhere(g("Add", g("MatMul", about, numbers["stem_globals"]), numbers["stem_bias"]))
    x = g("Relu", g("Add", convolved(planes, numbers["stem"]), start))
    for b in range(shape.blocks):
        bias = numbers["first_bias"][b][:, None, None]
        h = g("Relu", g("Add", convolved(x, numbers["first"][b]), bias))
        if b % 2:
            h = g("Add", h, everywhere(g("MatMul", pooled(h), numbers["pooled"][b // 2])))
        bias = numbers["second_bias"][b][:, None, None]
        x = g("Relu", g("Add", g("Add", x, convolved(h, numbers["second"][b])), bias))
    summary = pooled(x)
    head = everywhere(product(summary, "policy_pooled", "policy_bias"))
    head = g("Relu", g("Add", convolved(x, by_point(numbers["policy"][0])), head))
    points = g("Flatten", convolved(head, by_point(numbers["policy_output"])))
    passing = g("Add", g("MatMul", summary, numbers["passing"][:, None]), numbers["passing_bias"])
    g.output("policy", g("Concat", points, passing, axis=1), "f4", "actions")
    v = g("Relu", product(g("Concat", summary, about, axis=1), "value", "value_bias"))
    values = product(v, "value_output", "value_output_bias")
    for i, name in enumerate(("win", "score")):
        g.output(name, g("Gather", values, np.int64(i), axis=1), "f4")
    owner = g("Squeeze", convolved(x, by_point(numbers["ownership"])), [1])
    g.output("ownership", g("Tanh", g("Add", owner, numbers["ownership_bias"])), "f4", *size)

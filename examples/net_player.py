"""Let a net of one's own play: it learns from random games, and two searches of tengen play with it.

    python examples/net_player.py --out net.npz

learns, and plays a match between both searches. Then the net is a player wherever players are named:

    tengen match --game gomoku,size=7 --first python:examples/net_player.py:Valued --second greedy --depth 2
    tengen serve --player python:examples/net_player.py:Guided
"""

import argparse
import os

import numpy as np

import tengen

SPEC = "gomoku,size=7"
HIDDEN = 32
FILE = os.environ.get("NET", "net.npz")  # that the players below read


class Net:
    """A value net with one hidden layer, and a policy that knows nothing.

    Attributes
    ----------
    weights : dict of str to ndarray
        ``hidden`` (squares, hidden), ``out`` (hidden,).
    """

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.weights = weights

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return logits and values, as searches ask for them."""
        return np.zeros(masks.shape, np.float32), self.forward(stones(observations))[1]

    def forward(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the hidden layer and the values."""
        hidden = np.tanh(inputs @ self.weights["hidden"])
        return hidden, np.tanh(hidden @ self.weights["out"])

    def learn(self, inputs: np.ndarray, results: np.ndarray, rate: float) -> float:
        """Go a step down the gradient; return the mean squared error."""
        hidden, values = self.forward(inputs)
        errors = values - results
        outer = errors * (1 - values**2) / len(inputs)
        inner = np.outer(outer, self.weights["out"]) * (1 - hidden**2)
        self.weights["out"] -= rate * hidden.T @ outer
        self.weights["hidden"] -= rate * inputs.T @ inner
        return float((errors**2).mean())


class Guided(tengen.GuidedSearch):
    """Monte-Carlo tree search with the net in `FILE`."""

    def __init__(self) -> None:
        super().__init__(SPEC, Net(dict(np.load(FILE))))


class Valued(tengen.ValueSearch):
    """Alpha-beta with the net in `FILE`."""

    def __init__(self) -> None:
        super().__init__(SPEC, Net(dict(np.load(FILE))))


def stones(observations: np.ndarray) -> np.ndarray:
    """Return the stones as 1, those of the opponent as -1, shape (n, squares)."""
    return (observations[:, 0] - observations[:, 1]).reshape(len(observations), -1)


def random_games(games: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of random games, and how each has ended for its side to move: 1, 0 or -1."""
    batch, inputs, sides, numbers = tengen.Batch(SPEC, games, seed=1), [], [], []
    while (going := batch.outcomes == 0).any():
        inputs.append(stones(batch.observation())[going])
        sides.append(batch.side_to_move[going])
        numbers.append(np.flatnonzero(going))
        batch.step(batch.sample())
    won = np.array([0, 1, -1, 0])[batch.outcomes]  # for the first side, by Outcome
    results = won[np.concatenate(numbers)] * np.where(np.concatenate(sides) == 0, 1, -1)
    return np.concatenate(inputs), results.astype(np.float32)


def learn(games: int, steps: int) -> tuple[Net, float]:
    """Return a net that has learned from random games, and its error at last."""
    inputs, results = random_games(games)
    random = np.random.default_rng(1)
    shapes = {"hidden": (inputs.shape[1], HIDDEN), "out": (HIDDEN,)}
    net = Net({name: 0.1 * random.standard_normal(shape, np.float32) for name, shape in shapes.items()})
    errors = []
    for _ in range(steps):
        chosen = random.integers(len(inputs), size=512)
        errors.append(net.learn(inputs[chosen], results[chosen], rate=0.5))
    return net, float(np.mean(errors[-100:]))


def main() -> None:
    """Learn, and play a match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", default=FILE, help="file of the net")
    parser.add_argument("--games", type=int, default=4000, help="random games to learn from")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--matches", type=int, default=10, help="games between both searches")
    options = parser.parse_args()
    net, error = learn(options.games, options.steps)
    np.savez(options.out, **net.weights)
    print(f"mean squared error {error:.3f}, kept in {options.out}")
    searches = tengen.ValueSearch(SPEC, net), tengen.GuidedSearch(SPEC, net)
    print(tengen.match(*searches, game=SPEC, games=options.matches, limit=tengen.Limit(nodes=400, depth=3)))


if __name__ == "__main__":
    main()

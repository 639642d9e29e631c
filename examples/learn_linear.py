"""Learn to play five in a row on a small board, from games against itself: a linear policy and REINFORCE.

The policy scores every point by what lies around it: own stones, the opponent's, the edge. The score is a sum
of weights, one for each place of a 9 by 9 window and kind. Games are played in a `tengen.Batch`, all at once.
It begins at half of the points against random turns, and makes more than 95% after some thousand games, which
take less than a minute:

    python examples/learn_linear.py --out policy.npy
"""

import argparse
import time

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import tengen

SIZE, REACH = 7, 4
WINDOW = 2 * REACH + 1
SPEC = f"gomoku,size={SIZE}"
KINDS = 3  # own stones, opponent's stones, off the board


def features(observations: np.ndarray) -> np.ndarray:
    """Return what lies around every point, shape (n, points, KINDS * WINDOW * WINDOW)."""
    count = len(observations)
    off = np.zeros((count, 1, SIZE, SIZE), np.float32)
    planes = np.concatenate([observations[:, :2], off], axis=1)
    padding = ((0, 0), (0, 0), (REACH, REACH), (REACH, REACH))
    padded = np.pad(planes, padding)
    padded[:, 2] = np.pad(off[:, 0], padding[1:], constant_values=1)
    windows = sliding_window_view(padded, (WINDOW, WINDOW), axis=(2, 3))
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(count, SIZE * SIZE, -1)


def policy(weights: np.ndarray, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Return the probabilities of all actions; those of illegal ones are 0."""
    scores = np.where(masks, seen @ weights, -np.inf)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def draw(shares: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return an action for each row of probabilities."""
    return (shares.cumsum(axis=1) > generator.random((len(shares), 1))).argmax(axis=1)


def improve(weights: np.ndarray, games: int, rate: float, generator: np.random.Generator) -> np.ndarray:
    """Play games against itself and return weights that make the winners' actions likelier."""
    batch = tengen.Batch(SPEC, games)
    gradients = np.zeros((2, games, len(weights)), np.float32)  # by side
    actions = np.zeros((2, games), np.float32)
    while (going := np.flatnonzero(batch.outcomes == 0)).size:
        masks, seen = batch.legal_mask()[going], features(batch.observation()[going])
        shares = policy(weights, seen, masks)
        chosen = draw(shares, generator)
        side = batch.side_to_move[going]
        played = seen[np.arange(len(going)), chosen]
        gradients[side, going] += played - np.einsum("na,naf->nf", shares, seen)
        actions[side, going] += 1
        steps = np.full(games, -1)
        steps[going] = chosen
        batch.step(steps)
    result = np.select([batch.outcomes == 1, batch.outcomes == 2], [1.0, -1.0], 0.0).astype(np.float32)
    scaled = gradients / np.maximum(actions, 1)[..., None]
    return weights + rate * (result[:, None] * (scaled[0] - scaled[1])).mean(axis=0)


def score_against_random(weights: np.ndarray, games: int, generator: np.random.Generator) -> float:
    """Return the share of points against random turns; each side begins half of the games."""
    batch = tengen.Batch(SPEC, games, seed=int(generator.integers(1 << 30)))
    ours = np.arange(games) % 2
    while not batch.outcomes.all():
        steps = batch.sample()
        turn = np.flatnonzero((batch.outcomes == 0) & (batch.side_to_move == ours))
        if turn.size:
            seen, masks = features(batch.observation()[turn]), batch.legal_mask()[turn]
            steps[turn] = draw(policy(weights, seen, masks), generator)
        batch.step(steps)
    return float(np.mean((batch.outcomes == 1 + ours) + 0.5 * (batch.outcomes == 3)))


def learn(iterations: int, games: int, rate: float = 10.0, seed: int = 1, report: bool = True) -> np.ndarray:
    """Return the weights after so many rounds of games."""
    generator = np.random.default_rng(seed)
    weights = np.zeros(KINDS * WINDOW * WINDOW, np.float32)
    began = time.perf_counter()
    for number in range(1, iterations + 1):
        weights = improve(weights, games, rate, generator)
        if report and (number % 20 == 0 or number == iterations):
            share = score_against_random(weights, 400, generator)
            print(
                f"{time.perf_counter() - began:5.0f} s  {number * games:6} games  {share:.1%} against random"
            )
    return weights


def main() -> None:
    """Learn, and keep the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--games", type=int, default=128, help="games of an iteration")
    parser.add_argument("--out", help="file to write the weights to")
    options = parser.parse_args()
    weights = learn(options.iterations, options.games)
    if options.out:
        np.save(options.out, weights)


if __name__ == "__main__":
    main()

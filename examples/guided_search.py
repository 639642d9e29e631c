"""Plug a policy of one's own into tengen's tree search, and let both play: the policy alone, and with search.

The policy is the one that ``learn_linear.py`` has learned. `tengen.GuidedSearch` asks it in batches:

    python examples/learn_linear.py --out policy.npy
    python examples/guided_search.py policy.npy
"""

import argparse

import numpy as np
from learn_linear import SPEC, draw, features, policy

import tengen


class Net:
    """A policy and values from linear weights, as `tengen.GuidedSearch` asks for them.

    Attributes
    ----------
    asked : list of int
        The sizes of the batches.
    """

    def __init__(self, weights: np.ndarray) -> None:
        self._weights = weights
        self.asked: list[int] = []

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return logits and values: this net knows of no value but what the search finds."""
        self.asked.append(len(masks))
        return features(observations) @ self._weights, np.zeros(len(masks), np.float32)


def play(weights: np.ndarray, games: int, simulations: int, seed: int = 1) -> tuple[float, float]:
    """Return the share of points of the search against the policy alone, and the mean size of a batch."""
    net, generator = Net(weights), np.random.default_rng(seed)
    search = tengen.GuidedSearch(SPEC, net, batch_size=16)
    points = 0.0
    for number in range(games):
        position = tengen.Position(SPEC)
        while not position.is_over():
            if position.side_to_move == number % 2:
                action = search.run(position, simulations).action
            else:
                seen, mask = features(position.observation()[None]), position.legal_mask()[None]
                action = int(draw(policy(weights, seen, mask), generator)[0])
            position.step(action)
        winner = position.winner()
        points += 0.5 if winner == "draw" else winner == position.game.sides[number % 2]
    return points / games, float(np.mean(net.asked))


def main() -> None:
    """Play some games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", help="file that learn_linear.py has written")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=400)
    options = parser.parse_args()
    share, batch = play(np.load(options.weights), options.games, options.simulations)
    print(f"search with the policy: {share:.0%} against the policy alone; {batch:.1f} positions a batch")


if __name__ == "__main__":
    main()

"""Learn Gomoku on a board of 7 by 7 from its rules alone, as AlphaZero does: games against itself, and a net.

Searches play many games side by side, and each call of the net has leaves of all of them. The net learns what
the searches preferred and how the games ended. This takes 15 minutes, and needs PyTorch (the extra `nets`);
the same command resumes from the checkpoint. At the end it plays a match against a level:

    python examples/alphazero.py --out alphazero.pt

Source: Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play", 2018.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

import tengen

SIZE = 7
SPEC = f"gomoku,size={SIZE}"
POINTS = SIZE * SIZE
PLANES = 3  # own stones, the opponent's, Black to move; the others are for games with captures
KEPT = 40_000  # positions to learn from, the latest ones
BATCH = 256
USES = 4  # of a position, on average, for learning
DRAWN = 8  # first turns of a game that are drawn in proportion to visits
RATE, LAST_RATE = 2e-3, 2e-4  # of learning, at the beginning and at the end


class Net(torch.nn.Module):
    """A residual net: logits of a policy over all points, and a value for the side to move."""

    def __init__(self, channels: int = 32, blocks: int = 3) -> None:
        super().__init__()

        def convolution(inputs: int, outputs: int = channels) -> torch.nn.Module:
            return torch.nn.Conv2d(inputs, outputs, 3, padding=1)

        self.stem = convolution(PLANES)
        self.first = torch.nn.ModuleList(convolution(channels) for _ in range(blocks))
        self.second = torch.nn.ModuleList(convolution(channels) for _ in range(blocks))
        self.policy = convolution(channels, 1)
        self.value = torch.nn.Sequential(
            torch.nn.Conv2d(channels, 4, 1),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
            torch.nn.Linear(4 * POINTS, 64),
            torch.nn.ReLU(),
            torch.nn.Linear(64, 1),
            torch.nn.Tanh(),
        )

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits, shape (n, points), and values, shape (n,)."""
        x = self.stem(planes).relu()
        for first, second in zip(self.first, self.second, strict=True):
            x = (x + second(first(x).relu())).relu()
        return self.policy(x).flatten(1), self.value(x)[:, 0]

    @torch.inference_mode()
    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what `tengen.GuidedSearch` asks for; it looks at legal actions only."""
        logits, values = self(torch.from_numpy(observations[:, :PLANES]))
        return logits.numpy(), values.numpy()


def images(planes: np.ndarray, policies: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return positions and policies, each turned and mirrored at random."""
    number, boards = random.integers(8, size=len(planes)), policies.reshape(-1, SIZE, SIZE)
    for array in (planes, boards):
        for image in range(8):
            turned = np.rot90(array[number == image], image, axes=(-2, -1))
            array[number == image] = turned[..., ::-1] if image >= 4 else turned
    return planes, boards.reshape(-1, POINTS)


class Run:
    """A net that learns, the positions that it learns from, and what both have taken."""

    def __init__(self, path: Path, games: int, simulations: int, seed: int = 1) -> None:
        torch.manual_seed(seed)
        self.path, self.random, self.simulations = path, np.random.default_rng(seed), simulations
        self.net = Net()
        self.optimizer = torch.optim.AdamW(self.net.parameters(), RATE, weight_decay=1e-4)
        shapes = {"planes": (0, PLANES, SIZE, SIZE), "policies": (0, POINTS), "values": (0,)}
        self.positions = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        self.counts = {"seconds": 0.0, "games": 0, "positions": 0}
        self.search = tengen.GuidedSearch(SPEC, self.net.evaluate, batch_size=4, noise=(0.3, 0.25), seed=seed)
        self.going = [tengen.Position(SPEC) for _ in range(games)]
        self.played: list[list[tuple[np.ndarray, np.ndarray, float]]] = [[] for _ in range(games)]
        if path.exists():  # go on; games that had not ended are lost
            kept = torch.load(path)
            self.net.load_state_dict(kept["net"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.counts = kept["counts"]
            self.positions = {name: array.numpy() for name, array in kept["positions"].items()}

    def save(self) -> None:
        """Write the checkpoint; an interruption leaves the one before."""
        kept = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "counts": self.counts}
        kept["positions"] = {name: torch.from_numpy(array) for name, array in self.positions.items()}
        torch.save(kept, written := self.path.with_suffix(".new"))
        written.replace(self.path)

    def play(self) -> int:
        """Play one turn in each game, and return the number of new positions, those of games that end."""
        observations = tengen.Batch.of(self.going).observation()[:, :PLANES]
        new: list[tuple[np.ndarray, np.ndarray, float]] = []
        for number, found in enumerate(self.search.run_many(self.going, self.simulations)):
            game = self.going[number]
            assert found  # none of these games is over
            self.played[number].append((observations[number], found.policy, found.value))
            game.step(found.sample(self.random, 1.0 if game.ply < DRAWN else 0.2))
            if game.is_over():
                winner = game.winner()
                results = [
                    0 if winner == "draw" else 1 if side == winner else -1 for side in game.sides_played
                ]
                played = zip(self.played[number], results, strict=True)
                new += [(planes, policy, (value + result) / 2) for (planes, policy, value), result in played]
                self.going[number], self.played[number] = tengen.Position(SPEC), []
                self.counts["games"] += 1
        for name, added in zip(self.positions, zip(*new, strict=True), strict=bool(new)):
            array = np.array(added, np.float32)
            self.positions[name] = np.concatenate([self.positions[name], array])[-KEPT:]
        self.counts["positions"] += len(new)
        return len(new)

    def learn(self, steps: int, rate: float) -> np.ndarray:
        """Learn from so many batches, and return the mean losses of policy and value."""
        losses = np.zeros(2)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        for _ in range(steps):
            chosen = self.random.integers(len(self.positions["values"]), size=BATCH)
            planes, policies, values = (array[chosen] for array in self.positions.values())
            planes, policies = images(planes, policies, self.random)
            logits, expected = self.net(torch.from_numpy(planes))
            policy_loss = functional.cross_entropy(logits, torch.from_numpy(policies))
            value_loss = functional.mse_loss(expected, torch.from_numpy(values))
            self.optimizer.zero_grad()
            (policy_loss + value_loss).backward()
            self.optimizer.step()
            losses += (policy_loss.item(), value_loss.item())
        return losses / steps

    def train(self, minutes: float, report: float = 60.0) -> None:
        """Play and learn until the run has taken so long; each `report` seconds, tell of it and save."""
        end, due, waiting = 60 * minutes, self.counts["seconds"] + report, 0
        last, losses = time.perf_counter(), np.full(2, np.nan)
        while self.counts["seconds"] < end:
            waiting += self.play()
            if steps := waiting * USES // BATCH:
                waiting -= steps * BATCH // USES
                share = self.counts["seconds"] / end
                losses = self.learn(steps, RATE * (LAST_RATE / RATE) ** share)
            now = time.perf_counter()
            self.counts["seconds"], last = self.counts["seconds"] + now - last, now
            if self.counts["seconds"] >= min(due, end):
                due += report
                self.save()
                told = "{seconds:5.0f} s  {games:6} games  {positions:7} positions".format(**self.counts)
                print(f"{told}  loss {losses[0]:.2f} + {losses[1]:.3f}", flush=True)


def against(net: Net, level: int, games: int, simulations: int) -> tengen.MatchResult:
    """Return a match of a search with the net against a level of tengen."""
    search = tengen.GuidedSearch(SPEC, net.evaluate, batch_size=8)

    def alphazero(position: tengen.Position) -> str:
        return search.play(position, tengen.Limit(nodes=simulations))

    limit = tengen.Limit(nodes=1_000_000)  # levels have less of their own
    with tengen.Engine(level=level, threads=1) as engine:
        return tengen.match(alphazero, engine, game=SPEC, games=games, limit=limit)


def main() -> None:
    """Learn, and play a match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("alphazero.pt"), help="the checkpoint")
    parser.add_argument("--minutes", type=float, default=15, help="in all, those before the checkpoint too")
    parser.add_argument("--games", type=int, default=64, help="games side by side")
    parser.add_argument("--simulations", type=int, default=64, help="simulations a turn")
    parser.add_argument("--level", type=int, default=3, help="of the opponent in the match")
    parser.add_argument("--match", type=int, default=100, help="games of the match")
    options = parser.parse_args()
    run = Run(options.out, options.games, options.simulations)
    run.train(options.minutes)
    print(against(run.net, options.level, options.match, 200))


if __name__ == "__main__":
    main()

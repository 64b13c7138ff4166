"""Learns a task by an evolution strategy, or by PPO of Stable-Baselines3, and tries what was learnt on new episodes.

    python3 -m softrods.learn softrods/ArmReaching-v0 --success -0.05 --curve reaching.png

The evolution strategy needs numpy alone. It tries networks around the present one, in pairs on both sides of it, in the same
episodes, and moves to the mean of the better half, the best of which count most, while it looks less and less far.
"""

import argparse
import csv
import time
from pathlib import Path

import gymnasium
import numpy as np

import softrods.gym

CANDIDATES, EPISODES, HIDDEN = 64, 8, 16  # of a generation; episodes of each; units of a network
SPREADS = 0.3, 0.005  # of weights that are tried, at first and at last
MEMBERS = 64  # that PPO acts in


class Networks:
    """Networks of a hidden layer, tanh, that act by observations, which they see less their mean and over their spread."""

    def __init__(self, seen: np.ndarray, actions: int):
        self.middle, self.scale = seen.mean(axis=0), seen.std(axis=0) + 1e-6
        self.shapes = ((HIDDEN, seen.shape[1]), (HIDDEN,), (actions, HIDDEN), (actions,))
        self.weights = sum(int(np.prod(shape)) for shape in self.shapes)

    def act(self, weights: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """Actions [networks, episodes, actions] by weights [networks, weights] and observations [networks, episodes, numbers]."""
        parts = np.split(weights, np.cumsum([np.prod(shape) for shape in self.shapes])[:-1], axis=1)
        first, bias, last, offset = (part.reshape(-1, *shape) for part, shape in zip(parts, self.shapes))
        hidden = np.tanh((seen - self.middle) / self.scale @ first.swapaxes(1, 2) + bias[:, None])
        return np.tanh(hidden @ last.swapaxes(1, 2) + offset[:, None])


def make(task: str, members: int, **options) -> softrods.gym.VectorEnv:
    return gymnasium.make_vec(task, members, rescale=True, **options).unwrapped


def rows(seen) -> np.ndarray:
    """Observations as an array [members, numbers], also those with goals."""
    return np.concatenate(list(seen.values()), axis=1) if isinstance(seen, dict) else seen


def episodes(environments, act, seed: int, networks: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Returns of an episode of each member, and its last reward. Those of all networks have the same seeds."""
    count = environments.num_envs
    seen, _ = environments.reset(seed=[seed + k % (count // networks) for k in range(count)])
    returns, last, goes_on = np.zeros(count), np.zeros(count), np.ones(count, dtype=bool)
    while goes_on.any():  # those that have ended begin anew, for nothing
        seen, rewards, terminated, truncated, _ = environments.step(act(seen))
        returns[goes_on] += rewards[goes_on]
        last[goes_on] = rewards[goes_on]
        goes_on &= ~(terminated | truncated)
    return returns, last


def evolve(task: str, most_steps: int, seed: int):
    """Yields steps so far, the mean return of a generation, and how the mean network acts."""
    environments, random = make(task, CANDIDATES * EPISODES), np.random.default_rng(seed)
    seen = [rows(environments.reset(seed=seed)[0])]
    environments.action_space.seed(seed)
    seen += [rows(environments.step(environments.action_space.sample())[0]) for _ in range(10)]
    networks = Networks(np.concatenate(seen), environments.single_action_space.shape[0])
    shares = np.maximum(0, np.log(CANDIDATES / 2 + 0.5) - np.log(np.arange(1, CANDIDATES + 1)))
    shares /= shares.sum()
    mean, steps, generation = np.zeros(networks.weights), 0, 0
    while steps < most_steps:
        spread = SPREADS[0] * (SPREADS[1] / SPREADS[0]) ** (steps / most_steps)
        tried = random.standard_normal((CANDIDATES // 2, networks.weights))
        tried = mean + spread * np.concatenate([tried, -tried])

        def act(seen, weights=tried):
            nonlocal steps
            steps += environments.num_envs
            return networks.act(weights, rows(seen).reshape(CANDIDATES, EPISODES, -1)).reshape(environments.num_envs, -1)

        generation += 1
        returns, _ = episodes(environments, act, seed + generation * EPISODES, CANDIDATES)
        mean = shares @ tried[np.argsort(-returns.reshape(CANDIDATES, -1).mean(axis=1))]
        yield steps, returns.mean(), lambda seen, mean=mean: networks.act(mean[None], rows(seen)[None])[0]


def train_ppo(task: str, most_steps: int, seed: int):
    """The same by PPO of Stable-Baselines3."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecMonitor

    from .adapters.baselines import Baselines

    environments = VecMonitor(Baselines(make(task, MEMBERS, autoreset_mode="SameStep", dtype="float32")))
    policy = "MlpPolicy" if environments.observation_space.shape else "MultiInputPolicy"
    model = PPO(policy, environments, n_steps=32, batch_size=512, learning_rate=1e-3, gamma=0.95, seed=seed, device="cpu")
    while model.num_timesteps < most_steps:
        model.learn(model.n_steps * MEMBERS, reset_num_timesteps=False)
        mean = np.mean([one["r"] for one in model.ep_info_buffer])
        yield model.num_timesteps, mean, lambda seen: model.predict(seen, deterministic=True)[0]


def draw(curve, file: Path, task: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure((6, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([steps for _, steps, _ in curve], [mean for *_, mean in curve])
    axes.set(xlabel="steps of environments", ylabel="mean return of an episode", title=task)
    figure.savefig(file, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m softrods.learn", description=__doc__.partition("\n")[0])
    parser.add_argument("task", help="a task that Gymnasium knows, as softrods/ArmReaching-v0")
    parser.add_argument("--by", choices=("evolution", "ppo"), default="evolution")
    parser.add_argument("--steps", type=lambda text: int(float(text)), default=1_000_000, help="of environments, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--success", type=float, help="the last reward from which an episode counts as a success")
    parser.add_argument("--curve", type=Path, help="what is learnt over time, as a picture or a .csv")
    arguments = parser.parse_args()
    learn, curve, shown = evolve if arguments.by == "evolution" else train_ppo, [], 0.0
    begun = time.process_time()
    for steps, mean, act in learn(arguments.task, arguments.steps, arguments.seed):
        curve.append((time.process_time() - begun, steps, float(mean)))
        if curve[-1][0] > shown + 5:
            shown = curve[-1][0]
            print("{:6.1f} s of processors, {:9} steps: {:.4g} an episode".format(*curve[-1]), flush=True)
    returns, last = episodes(make(arguments.task, 100), act, seed=10**9)
    print(f"100 new episodes: {returns.mean():.4g} each, {last.mean():.4g} at last")
    if arguments.success is not None:
        print(f"{np.count_nonzero(last >= arguments.success)} of them end with {arguments.success:g} at least")
    if arguments.curve and arguments.curve.suffix == ".csv":
        with arguments.curve.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("processor_seconds", "steps", "mean_return"), *curve])
    elif arguments.curve:
        draw(curve, arguments.curve, arguments.task)


if __name__ == "__main__":
    main()

"""Tasks of control whose decks the package has, as environments: gymnasium.make("softrods.gym:softrods/ArmReaching-v0")."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np

DECKS = pathlib.Path(__file__).with_name("decks")


def nearness(achieved, desired):
    """How far what was achieved is from what was desired, below 0."""
    return -np.linalg.norm(np.subtract(achieved, desired), axis=-1)


def _task(deck: str, bounds: dict[str, tuple[float, float]], goal: tuple[str, ...] = (), **options) -> dict[str, Any]:
    """Options of softrods.gym.Env. What has bounds is observed."""
    return {"deck": str(DECKS / f"{deck}.ini"), "observations": [name for name in bounds if name not in goal], "bounds": bounds,
            "reward": "reward", "dtype": "float32"} | ({"goal": goal} if goal else {}) | options


ARM = {"to_goal": (-1.0, 1.0), "pace": (-10.0, 10.0), "curved": (-50.0, 50.0)}
TASKS: dict[str, dict[str, Any]] = {
    "ArmReaching": _task("arm_reaching", {"aim": (0, 1)} | ARM,
                         randomise={"variable.goal[0]": (0.15, 0.35), "variable.goal[1]": (0.1, 0.3)}),
    "ArmObstacles": _task("arm_obstacles", ARM | {"felt": (0, 100)},
                          randomise={"variable.goal[0]": (0.15, 0.25), "variable.goal[1]": (0.24, 0.3)}),
    "ArmTracking": _task("arm_tracking", {"bend_1": (-10, 10), "bend_2": (-10, 10), "tip": (-1.1, 1.1), "target": (-1.1, 1.1)},
                         goal=("tip", "target"), reward=nearness, randomise={"variable.phase": (0, 3600)}),
    "PendulumSwingUp": _task("pendulum_control", {"cosine": (-1, 1), "sine": (-1, 1), "turning": (-50, 50)}),
    "Snake": _task("snake_control", {"heading": (-1, 1)}),
    "Swimmer": _task("swimmer_control", {"place": (-1, 1)}),
}

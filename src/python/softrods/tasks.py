"""Tasks of control whose decks the package has, as environments: gymnasium.make("softrods.gym:softrods/ArmReaching-v0")."""

from __future__ import annotations

import pathlib
from typing import Any

DECKS = pathlib.Path(__file__).with_name("decks")


def _task(deck: str, bounds: dict[str, tuple[float, float]], **options) -> dict[str, Any]:
    """Options of softrods.gym.Env. What has bounds is observed."""
    seen = [name for name in bounds if name not in options.get("goal", ())]
    by = {} if "goal" in options else {"reward": "reward"}
    return {"deck": str(DECKS / f"{deck}.ini"), "observations": seen, "bounds": bounds, "dtype": "float32"} | by | options


ARM = {"to_goal": (-1.0, 1.0), "pace": (-10.0, 10.0), "curved": (-50.0, 50.0)}
TASKS: dict[str, dict[str, Any]] = {
    "ArmReaching": _task("arm_reaching", {"aim": (0, 1)} | ARM,
                         randomise={"variable.goal[0]": (0.15, 0.35), "variable.goal[1]": (0.1, 0.3)}),
    "ArmObstacles": _task("arm_obstacles", ARM | {"felt": (0, 100)},
                          randomise={"variable.goal[0]": (0.15, 0.25), "variable.goal[1]": (0.24, 0.3)}),
    "ArmTracking": _task("arm_tracking", {"bend_1": (-10, 10), "bend_2": (-10, 10), "tip": (-1.1, 1.1), "target": (-1.1, 1.1)},
                         goal=("tip", "target"), randomise={"variable.phase": (0, 3600)}),
    "PendulumSwingUp": _task("pendulum_control", {"cosine": (-1, 1), "sine": (-1, 1), "turning": (-50, 50)}),
    "Snake": _task("snake_control", {"heading": (-1, 1)}),
    "Swimmer": _task("swimmer_control", {"place": (-1, 1)}),
}

"""Decks as vectors of environments of Stable-Baselines3: PPO("MlpPolicy", Baselines(softrods.gym.VectorEnv(...)))."""

from __future__ import annotations

from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from ..gym import VectorEnv


class Baselines(VecEnv):
    """The members of a VectorEnv, which begin anew in the step that ends them (autoreset_mode="SameStep")."""

    def __init__(self, environments: VectorEnv):
        if environments.autoreset_mode.value != "SameStep":
            raise ValueError("Stable-Baselines3 has episodes begin anew in the step that ends them: autoreset_mode='SameStep'.")
        self.environments = environments
        super().__init__(environments.num_envs, environments.single_observation_space, environments.single_action_space)

    def reset(self):
        seen, _ = self.environments.reset(seed=None if self._seeds[0] is None else self._seeds)
        self._reset_seeds()
        return seen

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self):
        seen, rewards, terminated, truncated, infos = self.environments.step(self._actions)
        ended = terminated | truncated
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for k in np.flatnonzero(ended):
            final = infos["final_info"]
            told[k] = {name: final[name][k] for name in final if f"_{name}" in final and final[f"_{name}"][k]}
            told[k] |= {"terminal_observation": infos["final_obs"][k],
                        "TimeLimit.truncated": bool(truncated[k] and not terminated[k])}
        return seen, rewards, ended, told

    def close(self) -> None:
        self.environments.close()

    def get_images(self):
        return self.environments.render()

    def get_attr(self, attr_name: str, indices=None) -> list[Any]:
        return [getattr(self.environments, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices=None) -> None:
        setattr(self.environments, attr_name, value)

    def env_method(self, method_name: str, *arguments, indices=None, **options) -> list[Any]:
        return [getattr(self.environments, method_name)(*arguments, **options) for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class, indices=None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

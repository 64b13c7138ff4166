"""Decks as environments of Gymnasium: actions are inputs of the deck's [control], observations its signals.

    environment = softrods.gym.Env("arm.ini", reward="reward", terminated="reached")
    environments = softrods.gym.VectorEnv("arm.ini", 64, reward="reward")

Gymnasium makes the same by name, and tasks whose decks the package has (softrods.tasks), once this module is imported, or by
"softrods.gym:softrods/Deck-v0", which imports it:

    environment = gymnasium.make("softrods/Deck-v0", deck="arm.ini", reward="reward", terminated="reached")
    environments = gymnasium.make_vec("softrods/ArmReaching-v0", 64)

pip install "softrods[gym]" brings Gymnasium. One VectorEnv is faster than many Env: its members run side by side, on all
threads. Processes that use either are spawned, not forked: AsyncVectorEnv(..., context="spawn").
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode

from .deck import Deck
from .ensemble import STATUS_NAMES
from .errors import RodeoError, whole_number
from .simulation import Simulation
from .tasks import TASKS

Judge = Callable[[np.ndarray, np.ndarray], np.ndarray]
Draw = Callable[[np.random.Generator], Any] | tuple[float, float]

GOAL_PARTS = ("achieved_goal", "desired_goal", "observation")  # as Gymnasium-Robotics names them, and as Gymnasium sorts them
RUNNING = STATUS_NAMES.index("pending")
DONE = STATUS_NAMES.index("done")
ONLY = np.array([0])  # the member of an Env
PICTURE = (6.4, 4.8)  # inches of 100 pixels
SHARE_AROUND = 0.1  # of a scene's size, between the rods and the edge of their picture


def _places(wanted: Sequence[str] | str | None, names: list[str], what: str) -> np.ndarray:
    """Where names stand among all; the name of an array stands for all its entries."""
    if wanted is None:
        return np.arange(len(names))
    places = []
    for name in [wanted] if isinstance(wanted, str) else wanted:
        found = [place for place, own in enumerate(names) if name in (own, own.partition("[")[0])]
        if not found:
            raise RodeoError(f"The deck has no {what} {name}; it has {', '.join(names) or 'none'}.")
        places += found
    return np.array(places, dtype=int)


def _run_of(places: np.ndarray) -> slice | np.ndarray:
    """Places as a slice, which takes a view, where they follow each other."""
    if len(places) and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def _given(options: Mapping[str, Any] | None, *others: str) -> dict[str, Any]:
    """The points and inputs that options of reset() give; those that there are not are refused, rather than passed over."""
    known = ("points", "inputs", *others)
    for name in options or {}:
        if name not in known:
            raise RodeoError(f"reset() has no option {name!r}; it has {', '.join(known)}.")
    return {key: value for name in known[:2] for key, value in ((options or {}).get(name) or {}).items()}


def _nearness(achieved: np.ndarray, desired: np.ndarray) -> np.ndarray:
    return -np.linalg.norm(np.subtract(achieved, desired), axis=-1)


def _of_shape(actions, shape: tuple[int, ...]) -> np.ndarray:
    actions = np.asarray(actions, dtype=np.float64)
    if actions.shape != shape:
        raise RodeoError(f"Actions are an array of shape {shape}, not {actions.shape}.")
    return actions


class _Uniform:
    """Draws from a range in a third of the time of Generator.uniform, and pickles."""

    def __init__(self, low: float, high: float):
        self.low, self.range = low, high - low

    def __call__(self, generator: np.random.Generator) -> float:
        return self.low + self.range * generator.random()


class _Episodes:
    """Members that are driven by actions and judged, and begin anew with random numbers of their own: what an Env and a
    VectorEnv are made of."""

    def __init__(self, members: int, deck, *, reward: str | Judge | None = None, terminated: str | Judge | None = None,
                 actions: Sequence[str] | str | None = None, observations: Sequence[str] | str | None = None,
                 rescale: bool = False, intervals: int = 1, max_episode_steps: int | None = None,
                 randomise: Mapping[str, Draw] | None = None, reseed: bool | None = None, failure_reward: float = -100.0,
                 sum_reward: bool = False, goal: tuple[str, str] | None = None,
                 bounds: Mapping[str, tuple[float, float]] | None = None, dtype: type = np.float64,
                 overrides: Mapping[str, Any] | None = None, render_mode: str | None = None):
        if render_mode not in (None, "rgb_array"):
            raise RodeoError(f"render_mode is None or 'rgb_array', not {render_mode!r}.")
        if reward is None and goal is None:
            raise RodeoError("reward is the name of a signal, or a function; with a goal alone it may be left out.")
        reward = reward or _nearness
        whole_number(intervals, "intervals", 1)
        if max_episode_steps is not None:
            whole_number(max_episode_steps, "max_episode_steps", 1)
        self.render_mode, self.failure_reward, self.rescale = render_mode, failure_reward, rescale
        self.max_episode_steps = max_episode_steps
        self.randomise = dict(randomise or {})
        for key, draw in self.randomise.items():
            if callable(draw):
                continue
            if np.shape(draw) != (2,):
                raise RodeoError(f"randomise takes (low, high) or a function of a generator for {key}, not {draw!r}.")
            self.randomise[key] = _Uniform(*draw)
        self.generators = [np.random.default_rng(0) for _ in range(members)]  # until a reset gives them seeds
        keys = [key for key in self.randomise if "." in key]  # others are inputs
        points = {key: values for key, values in self._drawn(range(members)).items() if key in keys}
        self.simulation = live = Simulation(deck, points, members=1 if points else members, overrides=overrides)
        if live.interval == 0:
            raise RodeoError("The deck has no [control], and so nothing to observe and to act on.")
        self.intervals, self.seconds = intervals, intervals * live.interval
        inputs, signals = [one.name for one in live.input_numbers], [one.name for one in live.signal_numbers]
        self.keys, self.inputs, self.starts = keys, inputs, [one.start for one in live.input_numbers]
        _places([key for key in self.randomise if key not in keys], inputs, "input")
        judged = [name for name in (reward, terminated) if isinstance(name, str)]
        acted = _places(actions, inputs, "input")
        seen = _places(observations, signals, "signal")
        if observations is None:  # what judges is no observation, unless it is asked for
            seen = np.setdiff1d(seen, _places([*judged, *(goal or ())], signals, "signal"))
        parts = [*(_places(name, signals, "signal") for name in goal or ()), seen]
        ends = np.cumsum([len(part) for part in parts])
        if goal is not None and len(parts[0]) != len(parts[1]):
            raise RodeoError(f"{goal[0]} is {len(parts[0])} signals, and {goal[1]}, which it is to come to, {len(parts[1])}.")
        self.parts = {name: slice(end - len(part), end) for name, part, end in zip(GOAL_PARTS, parts, ends)} if goal else None
        seen = np.concatenate(parts)
        self.acted, self.seen = _run_of(acted), _run_of(seen)
        self.reward, self.terminated = (self._judge(by, signals) for by in (reward, terminated))
        numbers = [live.input_numbers[place] for place in acted]
        self.low, self.high = (np.array([getattr(one, end) for one in numbers]) for end in ("low", "high"))
        if rescale and not np.isfinite(self.high - self.low).all():
            raise RodeoError("Only inputs with finite ranges are rescaled to [-1, 1].")
        if rescale:
            self.middle, self.half = 0.5 * (self.low + self.high), 0.5 * (self.high - self.low)
            self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(acted),), dtype)
        else:
            self.action_space = gymnasium.spaces.Box(self.low.astype(dtype), self.high.astype(dtype), dtype=dtype)
        floor, ceiling = np.full(len(signals), -np.inf), np.full(len(signals), np.inf)
        for name, ends in (bounds or {}).items():
            floor[_places(name, signals, "signal")], ceiling[_places(name, signals, "signal")] = ends
        self.floor, self.ceiling = floor[seen].astype(dtype), ceiling[seen].astype(dtype)
        self.observation_space = gymnasium.spaces.Box(self.floor, self.ceiling, dtype=dtype)
        if goal:
            self.observation_space = gymnasium.spaces.Dict({
                name: gymnasium.spaces.Box(self.floor[part], self.ceiling[part], dtype=dtype) for name, part in self.parts.items()})
        self.reseed = reseed if reseed is not None else self._has_noise(deck, overrides)
        self.steps = np.zeros(members, dtype=np.int64)
        self.ended = np.ones(members, dtype=bool)
        self.observations = np.zeros((members, len(seen)), dtype)
        self.shown_as_they_are = isinstance(self.seen, slice) and dtype == np.float64 and not bounds
        self._take_views()
        # Of the same shape as actions: numpy takes twice as long to spread numbers over an array.
        self._actions = np.zeros((members, len(acted)))
        self._least, self._most = (self._actions + end for end in ((-1.0, 1.0) if rescale else (self.low, self.high)))
        self._gained = np.zeros(members) if sum_reward else None
        self._figure = None

    def _take_views(self) -> None:
        self.status, self._signals = self.simulation.status, self.simulation.signals
        if self.shown_as_they_are:
            self.observations = self._signals[:, self.seen]

    def __getstate__(self) -> dict[str, Any]:
        views = ["status", "_signals", "_figure", *(["observations"] if self.shown_as_they_are else [])]
        return self.__dict__ | dict.fromkeys(views)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._take_views()

    @staticmethod
    def _has_noise(deck, overrides) -> bool:
        lines = (deck if isinstance(deck, Deck) else Deck.read(deck)).get("control.signal", ())
        lines = [lines] if isinstance(lines, str) else list(lines)
        return any(" noise " in f"{line} " for line in [*lines, *(str(value) for value in (overrides or {}).values())])

    @staticmethod
    def _judge(by, signals):
        if not isinstance(by, str):
            return by
        places = _places(by, signals, "signal")
        if len(places) > 1:
            raise RodeoError(f"{by} is {len(places)} signals, and one judges: {signals[places[0]]} or another of them.")
        return int(places[0])

    def _drawn(self, which) -> dict[str, list]:
        """New values of what is random, drawn by each member for itself, in the order of the keys."""
        return {key: [draw(self.generators[k]) for k in which] for key, draw in self.randomise.items()}

    def seed(self, k: int, seed: int | None) -> None:
        self.generators[k], _ = seeding.np_random(seed)

    def reset(self, which: np.ndarray, given: Mapping[str, Any]) -> None:
        """Has members, which are told by their numbers, begin anew, where points and inputs are drawn or given."""
        seeds = [self.generators[k].integers(2**63) for k in which] if self.reseed else None
        drawn = self._drawn(which)
        for key, values in given.items():
            if "." in key and key not in self.keys:
                raise RodeoError(f"reset() takes points of keys that randomise has, {', '.join(self.keys) or 'none'}, not {key}.")
            drawn[key] = np.broadcast_to(values, len(self.steps))[which]
        points = {key: drawn.pop(key) for key in self.keys} or None
        inputs = np.tile(self.starts, (len(which), 1)) if drawn else None
        for name, values in drawn.items():
            inputs[:, _places(name, self.inputs, "input")] = np.reshape(values, (-1, 1))
        self.simulation.reset(None if len(which) == len(self.steps) else which, points, seeds, inputs)
        self.steps[which] = 0
        self.ended[which] = False
        self._look()

    def _look(self) -> None:
        if not self.shown_as_they_are:
            np.maximum(self._signals[:, self.seen], self.floor, out=self.observations, casting="same_kind")
            np.minimum(self.observations, self.ceiling, out=self.observations)  # together in half the time of numpy.clip

    def drive(self, actions: np.ndarray, mask: np.ndarray | None = None) -> None:
        """Has members take a step under actions [members, actions]."""
        live = self.simulation
        np.maximum(actions, self._least, out=self._actions)
        np.minimum(self._actions, self._most, out=self._actions)
        live.inputs[:, self.acted] = self._actions * self.half + self.middle if self.rescale else self._actions
        if self._gained is None:
            live.advance(self.seconds, mask)
            self._look()
            return
        self._gained[:] = 0
        for _ in range(self.intervals):
            running = self.status == RUNNING
            live.advance(live.interval, mask)
            self._look()
            self._gained += np.where(running, self._judged(self.reward), 0)

    def judge(self, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rewards, terminations and truncations of all members after a step of those of a mask."""
        self.steps += 1 if mask is None else mask
        status = self.status
        reward = self._judged(self.reward) if self._gained is None else self._gained.copy()
        if self.terminated is None:
            terminated = np.zeros(len(status), dtype=bool)
        else:
            terminated = np.asarray(self._judged(self.terminated) > 0)
        truncated = status == DONE
        if self.max_episode_steps is not None:
            truncated |= self.steps >= self.max_episode_steps
        failed = (status != RUNNING) & (status != DONE)
        if failed.any():
            reward[failed] = self.failure_reward
            terminated |= failed
        if mask is not None:
            reward[~mask], terminated[~mask], truncated[~mask] = 0.0, False, False
        np.logical_or(terminated, truncated, out=self.ended)
        return reward, terminated, truncated

    def judge_the_only(self) -> tuple[float, bool, bool]:
        """As judge() of a single member, in a fraction of the time."""
        status = self.status.item(0)
        if status not in (RUNNING, DONE):
            reward, terminated, truncated = self.judge()
            return reward.item(0), terminated.item(0), truncated.item(0)
        self.steps[0] += 1
        terminated = self.terminated is not None and self._judged_the_only(self.terminated) > 0
        truncated = status == DONE or (self.max_episode_steps is not None and self.steps.item(0) >= self.max_episode_steps)
        if terminated or truncated:
            self.ended[0] = True
        return self._judged_the_only(self.reward) if self._gained is None else self._gained.item(0), terminated, truncated

    def _judged_the_only(self, by) -> float:
        return self._signals.item(0, by) if isinstance(by, int) else self._judged(by).item(0)

    def _judged(self, by) -> np.ndarray:
        if isinstance(by, int):
            return self._signals[:, by].copy()
        given = (self.observations, self._actions)
        if self.parts is not None:
            given = tuple(self.observations[:, self.parts[name]] for name in GOAL_PARTS[:2])
        judged = np.array(by(*given), dtype=np.float64)
        if judged.shape != self.steps.shape:
            raise RodeoError(f"A function that judges gives a number for each of {len(self.steps)} members, not an array of shape "
                             f"{judged.shape}: it is given arrays [members, numbers].")
        return judged

    def observed(self, copy: bool = True) -> np.ndarray:
        """What is seen; numbers of failed members that are none are 0."""
        if self.status.any() and ((self.status != RUNNING) & (self.status != DONE)).any():
            return np.nan_to_num(self.observations, nan=0.0, posinf=0.0, neginf=0.0).clip(self.floor, self.ceiling)
        return self.observations.copy() if copy else self.observations

    def split(self, observations: np.ndarray) -> np.ndarray | dict[str, np.ndarray]:
        """Observations as their space has them."""
        return observations if self.parts is None else {name: observations[..., part] for name, part in self.parts.items()}

    def info(self, k: int) -> dict[str, Any]:
        status = self.status[k]
        if status in (RUNNING, DONE):
            return {}
        problem = self.simulation.problem(k)
        return {"status": STATUS_NAMES[status]} | ({"problem": problem} if problem else {})

    def render(self, k: int) -> np.ndarray | None:
        """A picture of a member's nodes, the same scale along all axes, which are those of the first picture."""
        if self.render_mode is None:
            return None
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        rods = self.simulation.rods(k)
        nodes = np.concatenate(rods)
        if self._figure is None:
            figure = Figure(PICTURE, dpi=100)
            canvas = FigureCanvasAgg(figure)
            axes = figure.add_subplot(projection="3d")
            around = nodes[0] if len(rods) == 1 else nodes.mean(axis=0)
            reach = max(np.linalg.norm(rod[0] - around) + np.linalg.norm(np.diff(rod, axis=0), axis=1).sum() for rod in rods)
            length = (1 + SHARE_AROUND) * max(reach, 1e-300)
            for axis, middle in zip("xyz", around):
                getattr(axes, f"set_{axis}lim")(middle - length, middle + length)
                getattr(axes, f"set_{axis}label")(f"{axis} (m)")
            axes.set_box_aspect((1, 1, 1))
            self._figure = canvas, [axes.plot(*rod.T, marker="o", markersize=3)[0] for rod in rods], axes
        canvas, lines, axes = self._figure
        for line, rod in zip(lines, rods):
            line.set_data_3d(*rod.T)
        axes.set_title(f"{self.simulation.time[k]:.3g} s")
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()


_OPTIONS = """
    `actions` and `observations` name inputs and signals of the deck, all if not given; the name of an array stands for its
    entries. Signals that judge are observed only if they are named. `reward` and `terminated` are names of signals (terminated
    where it is > 0), or functions of observations [members, signals] and actions [members, inputs], which give an array of
    [members]. With `rescale` actions are from -1 to 1, else they have the ranges of their inputs; what is beyond is cut.

    A step takes so many `intervals` of the control. An episode is truncated at time.end of the deck, or after `max_episode_steps`.
    A member that fails (diverged, ...) is terminated with `failure_reward`; info["status"] says how. One fails, alone, whose action
    is no number: info["problem"] says so. With `sum_reward` a step gives the sum of the rewards after each of its intervals.

    `bounds` maps signals to ranges, to which they are cut as they are observed; `dtype` is that of observations and actions. With
    `goal`, two names of signals such as ("tip", "target"), observations are a dictionary of what else is observed, the goal that
    is achieved and the one that is desired, and functions that judge are given these two goals, as is compute_reward(). The reward
    is then the distance of both, below 0, if it is not given.

    `randomise` maps keys of the deck ("variable.goal[0]", "rod.radius"), and inputs by name, with which episodes begin, to what
    they are in each episode: (low, high), or a function of a numpy generator. reset(options={"points": {key: value}, "inputs":
    {...}}) says them instead, for all members or [members]. reset(seed=) seeds these, and the noise of signals, if `reseed`; if not
    given, where the deck has noise. Members without either begin anew at once, and so do those with random inputs, and variables
    that only signals, states, outputs and measures name, such as goals; others are built anew, which takes a hundred times as long.
    """


class _OfMembers:
    """What an Env and a VectorEnv have in common."""

    _own: _Episodes

    @property
    def simulation(self) -> Simulation:
        """The members that run."""
        return self._own.simulation

    @property
    def compute_reward(self) -> Callable[..., np.ndarray]:
        """A function of achieved and desired goals, arrays [..., numbers], and of infos, for those who learn in hindsight: what is
        given where one goal was to be reached and another was. Environments without goals have none, by which these are told."""
        reward = self._own.reward
        if self._own.parts is None or not callable(reward):
            raise AttributeError("compute_reward() takes a goal, and a reward that is a function of achieved and desired goals.")
        return lambda achieved, desired, info: reward(achieved, desired)


class Env(_OfMembers, gymnasium.Env):
    __doc__ = "A member of a deck as an environment.\n" + _OPTIONS
    metadata = {"render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(self, deck: Deck | str | os.PathLike, **options):
        self._own = _Episodes(1, deck, **options)
        self.action_space, self.observation_space = self._own.action_space, self._own.observation_space
        self.render_mode = self._own.render_mode
        self.metadata = self.metadata | {"render_fps": max(1, round(1 / self._own.seconds))}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        given = _given(options)
        super().reset(seed=seed)
        self._own.generators[0] = self.np_random
        self._own.reset(ONLY, given)
        return self._own.split(self._own.observed()[0]), {}

    def step(self, action):
        own = self._own
        if own.ended[0]:
            raise RodeoError("The episode has ended, or not begun: call reset().")
        own.drive(_of_shape(action, self.action_space.shape).reshape(1, -1))
        reward, terminated, truncated = own.judge_the_only()
        if terminated or truncated:
            return own.split(own.observed()[0]), reward, terminated, truncated, own.info(0)
        return own.split(own.observations[0].copy()), reward, terminated, truncated, {}

    def render(self):
        return self._own.render(0)


class VectorEnv(_OfMembers, gymnasium.vector.VectorEnv):
    __doc__ = ("Members of a deck, side by side, as a vector of environments.\n" + _OPTIONS + """
    `autoreset_mode`: members that have ended begin anew in the next step ("NextStep"), in the same one ("SameStep", with
    final_obs and final_info in infos), or by reset(options={"reset_mask": ...}) alone ("Disabled"). Observations are copies; with
    copy=False they are views, which change with the next step.
    """)

    def __init__(self, deck: Deck | str | os.PathLike, num_envs: int, *,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, copy: bool = True, **options):
        super().__init__()
        self._own = _Episodes(num_envs, deck, **options)
        self.num_envs, self.copy, self.autoreset_mode = num_envs, copy, AutoresetMode(autoreset_mode)
        self.single_action_space, self.single_observation_space = self._own.action_space, self._own.observation_space
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.render_mode = self._own.render_mode
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": max(1, round(1 / self._own.seconds)),
                         "autoreset_mode": self.autoreset_mode}
        self._all = np.arange(num_envs)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None):
        seeds = [None if seed is None else seed + k for k in self._all.tolist()] if not isinstance(seed, Sequence) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"There are {len(seeds)} seeds for {self.num_envs} environments.")
        which, mask = self._all, (options or {}).get("reset_mask")
        given = _given(options, "reset_mask")
        if mask is not None:
            mask = np.asarray(mask)
            if mask.dtype != bool or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(f"reset_mask has {self.num_envs} booleans, one of them true at least.")
            which = np.flatnonzero(mask)
        for k in which:
            if seeds[k] is not None or self._np_random is None:
                self._own.seed(k, seeds[k])
        if mask is None or self._np_random is None:
            self._np_random, self._np_random_seed = self._own.generators[0], seeds[0]
        self._own.reset(which, given)
        return self._own.split(self._own.observed(self.copy)), {}

    def step(self, actions):
        own = self._own
        infos: dict[str, Any] = {}
        begin = own.ended if own.ended.any() else None
        if begin is not None and (self.autoreset_mode != AutoresetMode.NEXT_STEP or self._np_random is None):
            raise RodeoError("Episodes have ended, or not begun: call reset().")
        mask = None
        if begin is not None:
            mask = ~begin
            own.reset(np.flatnonzero(begin), {})
        own.drive(_of_shape(actions, self.action_space.shape), mask)
        rewards, terminated, truncated = own.judge(mask)
        if own.ended.any():
            infos = self._of_the_ended(infos)
        return own.split(own.observed(self.copy)), rewards, terminated, truncated, infos

    def _of_the_ended(self, infos: dict[str, Any]) -> dict[str, Any]:
        own = self._own
        which = np.flatnonzero(own.ended)
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            for k in which:
                infos = self._add_info(infos, own.info(k), k)
            return infos
        last = own.observed()
        for k in which:
            infos = self._add_info(infos, {"final_obs": own.split(last[k]), "final_info": own.info(k)}, k)
        own.reset(which, {})
        return infos

    def render(self) -> tuple[np.ndarray, ...] | None:
        return None if self.render_mode is None else tuple(self._own.render(k) for k in self._all)


for _name, _kwargs in {"Deck": {}, **TASKS}.items():
    gymnasium.register(f"softrods/{_name}-v0", kwargs=_kwargs, entry_point="softrods.gym:Env",
                       vector_entry_point="softrods.gym:VectorEnv")

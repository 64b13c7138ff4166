"""Decks as environments of Gymnasium."""

import contextlib
import functools
import importlib.util
import pickle
import re
import unittest
import unittest.mock
import warnings

import numpy as np

from package_test_case import ROOT, PackageTest, softrods
from simulation_test import CONTROL, HAS_MODULE, driven

HAS_GYMNASIUM = importlib.util.find_spec("gymnasium") is not None
if HAS_MODULE and HAS_GYMNASIUM:
    import gymnasium
    import softrods.gym
    import softrods.learn
    import softrods.tasks
    from gymnasium.utils.env_checker import check_env

# A cord that is to lift its tip: 10 steps of it.
LIFT = CONTROL | {"interval": 3e-3, "signal": [*CONTROL["signal"], "height : z(end) / rod.length", "high : z(end) > 0.01 ? 1 : 0"]}
QUIET = LIFT | {"signal": [line for line in LIFT["signal"] if "noise" not in line]}


def lifted(control=LIFT):
    return driven(control=control)


def one(**options):
    return softrods.gym.Env(lifted(), **{"reward": "height", "terminated": "high"} | options)


def many(count=3, **options):
    return softrods.gym.VectorEnv(lifted(), count, **{"reward": "height", "terminated": "high"} | options)


def actions(count=3, steps=15):
    return np.random.default_rng(3).uniform(-20, 20, (steps, count, 1))


@unittest.skipUnless(HAS_MODULE, "the package was built without its native module")
@unittest.skipUnless(HAS_GYMNASIUM, "Gymnasium is not installed: pip install gymnasium")
class Gym(PackageTest):
    def test_gymnasium_accepts_it(self):
        for options in ({}, {"rescale": True, "render_mode": "rgb_array", "randomise": {"rod.radius": (0.003, 0.005)}}):
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*(Box|symmetric|infinity|different from unwrapped|spec).*")
                check_env(one(**options), skip_render_check=True)

    def test_gymnasium_makes_it_by_name(self):
        options = {"deck": lifted(), "reward": "height", "terminated": "high", "rescale": True}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = gymnasium.make("softrods.gym:softrods/Deck-v0", max_episode_steps=3, **options)
            vector = gymnasium.make_vec("softrods/Deck-v0", 3, autoreset_mode="SameStep", max_episode_steps=2, **options)
        self.assertIsInstance(made.unwrapped, softrods.gym.Env)
        self.assertIsInstance(vector.unwrapped, softrods.gym.VectorEnv)
        self.assertEqual((made.spec.id, vector.num_envs), ("softrods/Deck-v0", 3))
        self.assertEqual(vector.metadata["autoreset_mode"].value, "SameStep")
        by_hand = one(rescale=True)
        for environment in (made, by_hand):
            environment.reset(seed=4)
        for action in actions(steps=3):
            seen, own = made.step(action[0] / 20), by_hand.step(action[0] / 20)
            self.assertEqual(seen[0].tobytes(), own[0].tobytes())
        self.assertTrue(seen[3])
        vector.reset(seed=4)
        truncated = [vector.step(np.zeros((3, 1)))[3].tolist() for _ in range(4)]
        self.assertEqual(truncated, [[False] * 3, [True] * 3] * 2)

    def test_options_of_resets_that_there_are_not_are_refused(self):
        for environment, known in ((one(), "inputs"), (many(), "inputs, reset_mask")):
            environment.reset(seed=1, options={})
            for options, text in (({"goal": (0.1, 0.2)}, f"no option 'goal'; it has points, {known}"),
                                  ({"points": {"rod.radius": 0.1}}, "has, none, not rod.radius"),
                                  ({"inputs": {"pull": 0.1}}, "no input pull"), ({"inputs": {"bend": np.nan}}, "finite")):
                with self.assertRaisesRegex(softrods.RodeoError, text):
                    environment.reset(options=options)

    def test_resets_take_points_and_inputs_that_are_given(self):
        deck = driven(control=QUIET | {"signal": [*QUIET["signal"], "bent : bend"]})
        drawn = {"rod.radius": (0.003, 0.005), "bend": (-3, 3)}
        environment = softrods.gym.VectorEnv(deck, 3, reward="height", observations=["bent", "height"], randomise=drawn)
        seen = environment.reset(seed=1)[0][:, 0]
        self.assertTrue((np.abs(seen) <= 3).all() and len(set(seen)) == 3, seen)
        given = {"points": {"rod.radius": [0.0031, 0.0032, 0.0033]}, "inputs": {"bend": 7}}
        self.assertEqual(environment.reset(seed=1, options=given)[0][:, 0].tolist(), [7, 7, 7])
        for k, step in enumerate(environment.step(np.full((3, 1), 5.0))[0]):
            alone = softrods.Simulation(deck, overrides={"rod.radius": given["points"]["rod.radius"][k]})
            alone.inputs[:] = 5
            alone.advance()
            self.assertEqual(step[1], alone.signals[0, 3], k)
        mask = np.array([False, True, False])
        again = environment.reset(options=given | {"reset_mask": mask, "inputs": {"bend": [1, 2, 3]}})[0]
        self.assertEqual(again[:, 0].tolist(), [5, 2, 5])
        single = softrods.gym.Env(deck, reward="height", observations="bent")
        self.assertEqual(single.reset(options={"inputs": {"bend": -4}})[0], [-4])
        self.assertEqual(single.reset()[0], [0])

    def test_observations_have_bounds_and_a_dtype(self):
        environment, exact = one(bounds={"tip[0]": (0, 0.1), "rough": (-1, 1)}, dtype="float32"), one()
        space = environment.observation_space
        self.assertEqual((space.dtype, environment.action_space.dtype), (np.float32, np.float32))
        self.assertEqual((space.low[0], space.high[0], space.high[1]), (0, np.float32(0.1), np.inf))
        for both in (environment, exact):
            both.reset(seed=1)
        for action in actions(1, 5):
            seen, right = environment.step(action[0].astype(np.float32))[0], exact.step(action[0].astype(np.float32))[0]
            self.assertTrue(space.contains(seen))
            np.testing.assert_array_equal(seen, np.clip(right, space.low, space.high).astype(np.float32))
        self.assertEqual(seen[0], np.float32(0.1))

    def test_rewards_of_a_step_are_summed_up(self):
        for judge in ("height", lambda seen, acted: seen[:, 2] - acted[:, 0]):
            single, summed = many(reward=judge, terminated=None), many(reward=judge, terminated=None, intervals=4, sum_reward=True)
            for both in (summed, single):
                both.reset(seed=1)
            for action in actions(steps=3):
                ended, wanted = np.zeros(3, dtype=bool), np.zeros(3)
                for _ in range(4):
                    if not ended.any():  # after 10 intervals
                        _, reward, _, ended, _ = single.step(action)
                        wanted += reward
                self.assertEqual(summed.step(action)[1].tolist(), wanted.tolist())
            self.assertTrue(ended.all())

    def test_goals_are_dictionaries(self):
        deck = driven(variable={"wish": (0.19, 0, 0.02)}, control=QUIET | {"signal": [*QUIET["signal"], "aim[3] : wish[k]"]})
        options = {"goal": ("tip", "aim"), "observations": ["height"], "rescale": True,
                   "randomise": {"variable.wish[2]": (0.01, 0.03)}}
        single = functools.partial(softrods.gym.Env, deck, **options)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*(Box|symmetric|infinity|different from unwrapped|spec).*")
            check_env(single(), skip_render_check=True)
        for mode in gymnasium.vector.AutoresetMode:
            theirs = gymnasium.vector.SyncVectorEnv([single] * 3, autoreset_mode=mode)
            ours = softrods.gym.VectorEnv(deck, 3, autoreset_mode=mode, **options)
            rows = [(env.reset(seed=4), [env.step(action / 20) for action in actions(steps=9)], env.step(actions()[0]))
                    for env in (ours, theirs)]
            flat = [str([row[0][0], [step[:4] for step in row[1]], row[2][0], row[2][4].get("final_obs")]) for row in rows]
            self.assertEqual(*flat, mode)
        seen, reward, *_ = ours.step(actions()[1]) if mode != gymnasium.vector.AutoresetMode.DISABLED else rows[0][1][-1]
        np.testing.assert_array_equal(ours.compute_reward(seen["achieved_goal"], seen["desired_goal"], {}), reward)
        self.assertEqual(seen["observation"].shape, (3, 1))
        np.testing.assert_array_equal(reward, -np.hypot(*(seen["achieved_goal"] - seen["desired_goal"])[:, [0, 2]].T))
        with self.assertRaisesRegex(AttributeError, "a goal, and a reward that is a function"):
            one().compute_reward
        with self.assertRaisesRegex(softrods.RodeoError, "tip is 3 signals, and height, which it is to come to, 1"):
            one(goal=("tip", "height"))

    def test_environments_are_pickled_with_their_members(self):
        for make in (one, many, functools.partial(many, observations="tip", dtype="float32", rescale=True)):
            environment = make()
            environment.reset(seed=3)
            for action in actions(environment.simulation.signals.shape[0], 3):
                environment.step(action.reshape(environment.action_space.shape))
            copy = pickle.loads(pickle.dumps(environment))
            for action in actions(environment.simulation.signals.shape[0], 6):
                a, b = (one_of.step(action.reshape(environment.action_space.shape) / 3) for one_of in (environment, copy))
                self.assertEqual(str(a), str(b))
            self.assertEqual(environment.reset()[0].tobytes(), copy.reset()[0].tobytes())

    def test_spaces_are_those_of_the_deck(self):
        environment = one()
        self.assertEqual((environment.action_space.low[0], environment.action_space.high[0]), (-20, 20))
        self.assertEqual(environment.observation_space.shape, (4,))  # without what judges
        self.assertEqual(one(observations=["tip", "height"]).observation_space.shape, (4,))
        self.assertEqual(one(rescale=True).action_space.low[0], -1)
        seen = one(observations=["height", "tip[2]"])
        seen.reset()
        observation, reward, *_ = seen.step([1.0])
        self.assertEqual(observation[0], reward)
        self.assertAlmostEqual(observation[0] * 0.2, observation[1], 18)
        for options, text in (({"reward": "joy"}, "no signal joy"), ({"reward": None}, "may be left out"),
                              ({"actions": "pull"}, "no input pull; it has bend"),
                              ({"render_mode": "human"}, "render_mode"), ({"randomise": {"rod.colour": (0, 1)}}, "rod.colour"),
                              ({"reward": "tip"}, r"tip is 3 signals, and one judges: tip\[0\]"), ({"intervals": 2.5}, "not 2.5"),
                              ({"intervals": 0}, "not 0"), ({"max_episode_steps": 0}, "max_episode_steps is a whole number from 1 up, not 0"),
                              ({"randomise": {"rod.radius": 0.004}}, "for rod.radius, not 0.004")):
            with self.assertRaisesRegex(softrods.RodeoError, text):
                one(**options)

    def test_actions_of_another_shape_are_refused(self):
        for environment, wrong in ((one(), (1.0, [[1.0]], [1.0, 2.0])), (many(), (1.0, [[1.0]], [[1.0, 1.0, 1.0]]))):
            environment.reset(seed=1)
            for action in wrong:
                with self.assertRaisesRegex(softrods.RodeoError, "Actions are an array of shape"):
                    environment.step(action)

    def test_steps_are_those_of_the_simulation(self):
        environment, live = one(rescale=True, intervals=2), softrods.Simulation(lifted())
        environment.reset(seed=1)
        live.reset(seeds=[np.random.Generator(np.random.PCG64(np.random.SeedSequence(1))).integers(2**63)])
        for action in (0.5, -1.0, 3.0):
            observation, reward, terminated, truncated, info = environment.step(np.array([action]))
            live.inputs[:] = 20 * min(action, 1)
            live.advance(2 * live.interval)
            self.assertEqual(observation.tobytes(), live.signals[0, :4].tobytes())
            self.assertEqual((reward, terminated, truncated, info), (live.signals[0, 4], live.signals[0, 5] > 0, False, {}))

    def test_episodes_end_in_time_and_by_steps(self):
        for options, steps in (({}, 10), ({"max_episode_steps": 4}, 4), ({"intervals": 5}, 2)):
            environment = one(terminated=None, **options)
            environment.reset()
            ends = [environment.step(np.array([0.0]))[2:4] for _ in range(steps)]
            self.assertEqual(ends, [(False, False)] * (steps - 1) + [(False, True)])
            with self.assertRaisesRegex(softrods.RodeoError, "call reset"):
                environment.step(np.array([0.0]))

    def test_seeds_give_the_same_bits(self):
        randomise = {"rod.radius": (0.003, 0.005), "gravity.acceleration[2]": lambda random: -random.exponential(9.81)}

        def seen(environment, seed):
            first, _ = environment.reset(seed=seed)
            return np.array([first, *(environment.step(action[0])[0] for action in actions(steps=5))]).tobytes()

        self.assertEqual(seen(one(randomise=randomise), 5), seen(one(randomise=randomise), 5))
        environment = one(randomise=randomise)
        before = seen(environment, 5)
        self.assertNotEqual(before, seen(environment, 6))
        self.assertNotEqual(before, seen(environment, None))
        self.assertEqual(before, seen(environment, 5))

    def test_a_vector_is_single_environments(self):
        for options in ({}, {"randomise": {"rod.radius": (0.003, 0.005)}, "rescale": True}):
            vector, single = many(**options), [one(**options) for _ in range(3)]
            seen = [vector.reset(seed=10)[0], *(vector.step(action)[0] for action in actions(steps=8))]
            for k, environment in enumerate(single):
                own = [environment.reset(seed=10 + k)[0]]
                for action in actions(steps=8):
                    observation, _, terminated, truncated, _ = environment.step(action[k])
                    own.append(observation)
                    if terminated or truncated:
                        break
                self.assertEqual(np.array(own).tobytes(), np.array([row[k] for row in seen[:len(own)]]).tobytes())

    def test_members_begin_anew_as_gymnasium_has_it(self):
        """What its own vector of single environments gives in each mode, bit by bit."""
        for mode in gymnasium.vector.AutoresetMode:
            theirs = gymnasium.vector.SyncVectorEnv([one] * 3, autoreset_mode=mode)
            ours = many(autoreset_mode=mode)
            self.assertEqual(ours.metadata["autoreset_mode"], mode)
            for a, b in zip(ours.reset(seed=4)[0], theirs.reset(seed=4)[0]):
                self.assertEqual(a.tobytes(), b.tobytes())
            begun = 0
            for action in actions(steps=25):
                a, b = ours.step(action), theirs.step(action)
                for mine, other in zip(a[:4], b[:4]):
                    self.assertEqual(mine.tolist(), other.tolist(), mode)
                self.assertEqual(sorted(a[4]), sorted(b[4]))
                ended = a[2] | a[3]
                begun += ended.sum()
                if ended.any() and mode == gymnasium.vector.AutoresetMode.SAME_STEP:
                    for k in np.flatnonzero(ended):
                        self.assertEqual(a[4]["final_obs"][k].tolist(), b[4]["final_obs"][k].tolist())
                if ended.any() and mode == gymnasium.vector.AutoresetMode.DISABLED:
                    with self.assertRaisesRegex(softrods.RodeoError, "call reset"):
                        ours.step(action)
                    a, b = (env.reset(options={"reset_mask": ended})[0] for env in (ours, theirs))
                    self.assertEqual(a.tolist(), b.tolist())
            self.assertGreater(begun, 5, mode)

    def test_views_on_request(self):
        copies, views = many(), many(copy=False, observations="tip")
        for environment, stays in ((copies, True), (views, False)):
            first = environment.reset(seed=1)[0]
            before = first.copy()
            environment.step(np.full((3, 1), 20.0))
            self.assertEqual(np.array_equal(first, before), stays)

    def test_functions_judge_all_members_at_once(self):
        shapes = []

        def reward(observations, acted):
            shapes.append((observations.shape, acted.shape))
            return observations[:, 2] - 0.001 * acted[:, 0] ** 2

        environment = many(reward=reward, terminated=lambda observations, acted: observations[:, 2] < -1e9)
        environment.reset(seed=1)
        observations, rewards, terminated, *_ = environment.step(np.array([[1.0], [2.0], [30.0]]))
        np.testing.assert_array_equal(rewards, observations[:, 2] - 0.001 * np.array([1.0, 4.0, 400.0]))
        self.assertEqual((shapes, terminated.any()), ([((3, 6), (3, 1))], False))  # with the signals that judge no more
        environment = one(reward=lambda observations, acted: 1.0)
        environment.reset()
        with self.assertRaisesRegex(softrods.RodeoError, "gives a number for each of 1 members"):
            environment.step(np.array([1.0]))

    def test_members_that_fail_are_terminated(self):
        # Steps of 2 ms are beyond the stable ones.
        deck = driven(control=QUIET | {"interval": 2e-3}, time={"step": 2e-3, "end": 2}, rod={"young_modulus": 1e9})
        environment = softrods.gym.VectorEnv(deck, 2, reward="height", failure_reward=-7, autoreset_mode="Disabled")
        environment.reset(seed=1)
        for _ in range(1000):
            observations, rewards, terminated, truncated, infos = environment.step(np.full((2, 1), 20.0))
            if terminated.any():
                break
        self.assertEqual((rewards.tolist(), terminated.tolist(), truncated.tolist()), ([-7, -7], [True, True], [False, False]))
        self.assertIn(infos["status"][0], ("diverged", "gained energy"))
        self.assertTrue(np.isfinite(observations).all())

    def test_an_action_that_is_no_number_ends_its_member_alone(self):
        environment, other = (many(autoreset_mode="Disabled", failure_reward=-7) for _ in range(2))
        for both in (environment, other):
            both.reset(seed=1)
        observations, rewards, terminated, _, infos = environment.step(np.array([[1.0], [np.nan], [2.0]]))
        wanted, others, *_ = other.step(np.array([[1.0], [0.0], [2.0]]))
        self.assertEqual((terminated.tolist(), rewards[1]), ([False, True, False], -7))
        self.assertEqual((infos["status"][1], infos["problem"][1]), ("failed", "input bend is no finite number"))
        np.testing.assert_array_equal(observations[[0, 2]], wanted[[0, 2]])
        np.testing.assert_array_equal(rewards[[0, 2]], others[[0, 2]])
        environment.reset(options={"reset_mask": np.array([False, True, False])})
        self.assertFalse(environment.step(np.ones((3, 1)))[2].any())

    def test_the_page_of_the_manual_runs(self):
        page = ROOT / "src" / "manual" / "python" / "environments.md"
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        names = {}
        with contextlib.chdir(ROOT):
            for block in blocks[:2]:  # the third trains by Stable-Baselines3
                exec(compile(block, page, "exec"), names)
        self.assertTrue((names["reward"] < 0).all() and names["reward"].shape == (64,))
        self.assertEqual(names["seen"][:2].tolist(), np.float32([0.3, 0.1]).tolist())

    def test_pictures(self):
        environment = many(2, render_mode="rgb_array")
        environment.reset(seed=1)
        first = environment.render()
        environment.step(np.full((2, 1), 20.0))
        self.assertEqual((len(first), first[0].shape, first[0].dtype), (2, (480, 640, 3), np.uint8))
        self.assertTrue((first[0] != environment.render()[0]).any())

    def test_pictures_have_a_line_for_each_rod(self):
        two = driven(rod={"lattice": (2, 1, 1), "lattice_spacing": (0.1, 0.1, 0), "placement": "lattice"},
                     control=QUIET | {"signal": ["height : mean_along(z)"]})
        environment = softrods.gym.Env(two, reward="height", render_mode="rgb_array")
        environment.reset(seed=1)
        picture = environment.render()
        lines = environment._own._figure[2].lines
        self.assertEqual([len(line.get_data_3d()[0]) for line in lines], [6, 6])
        nodes = np.concatenate([np.transpose(line.get_data_3d()) for line in lines])
        np.testing.assert_array_equal(nodes, environment.simulation.position())
        self.assertLess(picture.min(), 200)

    def test_processes_of_their_own(self):
        file = self.folder / "cord.ini"
        lifted().write(file)
        make = functools.partial(softrods.gym.Env, str(file), reward="height")
        apart = gymnasium.vector.AsyncVectorEnv([make] * 2, context="spawn")
        try:
            seen = [apart.reset(seed=2)[0], *(apart.step(action)[0] for action in actions(2, 3))]
        finally:
            apart.close()
        here = softrods.gym.VectorEnv(file, 2, reward="height")
        mine = [here.reset(seed=2)[0], *(here.step(action)[0] for action in actions(2, 3))]
        self.assertEqual(np.array(seen).tobytes(), np.array(mine).tobytes())

    def test_tasks_are_made_by_name(self):
        self.assertEqual(len(softrods.tasks.TASKS), 6)
        for name in softrods.tasks.TASKS:
            with self.subTest(name):
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", message=".*(symmetric|different from unwrapped).*")
                    check_env(gymnasium.make(f"softrods/{name}-v0").unwrapped, skip_render_check=True)
                self.assertEqual(gymnasium.spec(f"softrods/{name}-v0").to_json(), gymnasium.make(f"softrods/{name}-v0").spec.to_json())
                environments = gymnasium.make_vec(f"softrods/{name}-v0", 2, rescale=True)
                environments.reset(seed=1)
                environments.action_space.seed(1)
                for _ in range(5):
                    seen, rewards, terminated, *_ = environments.step(environments.action_space.sample())
                self.assertTrue(environments.observation_space.contains(seen))
                self.assertTrue(np.isfinite(rewards).all() and not terminated.any())

    def test_an_evolution_strategy_learns_to_reach(self):
        task = "softrods/ArmReaching-v0"
        with unittest.mock.patch.multiple(softrods.learn, CANDIDATES=16, EPISODES=4):
            curve = [(mean, act) for _, mean, act in softrods.learn.evolve(task, 40_000, 1)]
        environments = softrods.learn.make(task, 16)
        returns, last = softrods.learn.episodes(environments, curve[-1][1], seed=100)
        self.assertGreater(returns.mean(), 0.6 * curve[0][0])  # both are negative
        np.testing.assert_array_equal(softrods.learn.episodes(environments, curve[-1][1], seed=100), (returns, last))
        with unittest.mock.patch.multiple(softrods.learn, CANDIDATES=4, EPISODES=2):
            ((steps, mean, act),) = softrods.learn.evolve("softrods/ArmTracking-v0", 1, 1)
        self.assertEqual(steps, 8 * 500)
        self.assertLess(mean, 0)
        self.assertEqual(act(softrods.learn.make("softrods/ArmTracking-v0", 3).reset(seed=1)[0]).shape, (3, 12))

    @unittest.skipUnless(importlib.util.find_spec("stable_baselines3"), "Stable-Baselines3 is not installed: it brings torch, of "
                         "hundreds of MB; pip install stable-baselines3")
    def test_stable_baselines_runs_on_it(self):
        from stable_baselines3 import PPO
        from stable_baselines3.common.env_checker import check_env as check_for_it

        environment = one(rescale=True)
        check_for_it(environment)
        model = PPO("MlpPolicy", environment, n_steps=64, batch_size=32, seed=1, device="cpu").learn(320)
        self.assertEqual(model.num_timesteps, 320)
        action, _ = model.predict(environment.reset(seed=1)[0], deterministic=True)
        self.assertTrue(environment.action_space.contains(action.astype(np.float64)))

    @unittest.skipUnless(importlib.util.find_spec("stable_baselines3"), "Stable-Baselines3 is not installed: it brings torch")
    def test_vectors_are_those_of_stable_baselines(self):
        from softrods.adapters.baselines import Baselines
        from stable_baselines3 import HerReplayBuffer, SAC
        from stable_baselines3.common.vec_env import DummyVecEnv

        ours = Baselines(many(autoreset_mode="SameStep", rescale=True))
        theirs = DummyVecEnv([functools.partial(one, rescale=True)] * 3)
        for environment in (ours, theirs):
            environment.seed(4)
        self.assertEqual(ours.reset().tobytes(), np.float64(theirs.reset()).tobytes())
        for action in actions(steps=25):
            (a, *mine), (b, *other) = ours.step(action / 20), theirs.step(action / 20)
            np.testing.assert_array_equal(a, b)
            for k in (0, 1):
                np.testing.assert_array_equal(np.float32(mine[k]), other[k])
            for info, their_info in zip(mine[2], other[2]):
                self.assertEqual(sorted(info), sorted(name for name in their_info if info or name != "TimeLimit.truncated"))
                np.testing.assert_array_equal(info.get("terminal_observation", 0), their_info.get("terminal_observation", 0))
        with self.assertRaisesRegex(ValueError, "SameStep"):
            Baselines(many())
        goals = Baselines(softrods.learn.make("softrods/ArmTracking-v0", 2, autoreset_mode="SameStep", max_episode_steps=5))
        model = SAC("MultiInputPolicy", goals, replay_buffer_class=HerReplayBuffer, learning_starts=20, batch_size=8, device="cpu")
        model.learn(40)
        self.assertEqual(model.num_timesteps, 40)


if __name__ == "__main__":
    unittest.main()

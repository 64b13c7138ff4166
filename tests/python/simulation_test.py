"""Members that are advanced step by step, watched and driven."""

import contextlib
import importlib.util
import io
import os
import pickle
import re
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

from package_test_case import PACKAGES, ROOT, PackageTest, cord, interrupt_what_works, softrods

HAS_MODULE = importlib.util.find_spec("softrods._native") is not None
CONTROL = {
    "interval": 1e-3,
    "input": ["bend : 0 in [-20, 20]"],
    "signal": ["tip[3] [m] : k == 0 ? x(end) : k == 1 ? y(end) : z(end)", "rough [m] : z(end) noise 0.01"],
}


def driven(**sections):
    """The cord, bent by an input and watched at its tip; 20 steps an interval, 30 intervals."""
    sections = {"actuation": {"curvature": ["d1 : bend * (1 - s)"]}, "control": CONTROL} | sections
    return cord(**sections)


def drive(simulation, intervals):
    """Drives members by what is seen of them; gives all that was seen."""
    seen = []
    for _ in range(intervals):
        simulation.inputs[:, 0] = 4 - 30 * simulation.signals[:, 2] + simulation.signals[:, 3]
        simulation.advance()
        seen.append(simulation.signals.copy())
    return np.array(seen)


@unittest.skipUnless(HAS_MODULE, "the package was built without its native module")
class Simulation(PackageTest):
    def test_views_stay_and_show_what_is_there_now(self):
        simulation = softrods.Simulation(driven(), {"rod.radius": [0.004, 0.005]}, members=2)
        self.assertEqual(len(simulation), 4)
        inputs, signals, now = simulation.inputs, simulation.signals, simulation.time
        self.assertEqual((inputs.shape, signals.shape, now.shape), ((4, 1), (4, 4), (4,)))
        self.assertEqual([one.name for one in simulation.signal_numbers], ["tip[0]", "tip[1]", "tip[2]", "rough"])
        self.assertEqual([one.unit for one in simulation.signal_numbers], ["m"] * 4)
        bend = simulation.input_numbers[0]
        self.assertEqual((bend.name, bend.start, bend.low, bend.high), ("bend", 0, -20, 20))
        np.testing.assert_allclose(signals[:, 0], 0.2)
        inputs[:] = 5
        simulation.advance(0.01)
        np.testing.assert_allclose(now, 0.01)
        np.testing.assert_array_equal(signals[:, :3], [simulation.position(member)[-1] for member in range(4)])
        self.assertNotEqual(signals[0, 2], signals[2, 2])  # of other radii
        self.assertNotEqual(signals[0, 3], signals[1, 3])  # noise tells members of a point apart
        for view in (signals, now, simulation.status):
            with self.assertRaises(ValueError):
                view[0] = 0
        del simulation  # views keep the memory that they show
        self.assertTrue(np.isfinite(signals).all())

    def test_equal_cuts_have_the_bits_of_a_run(self):
        deck = driven(control=CONTROL | {"input": ["bend : 3 in [-20, 20]"]})
        file = self.run_alone(deck)
        whole = softrods.evaluate(deck)
        simulation = softrods.Simulation(deck)
        while simulation.running.any():
            simulation.advance()
        self.assertEqual(simulation.status_texts, ["done"])
        found = simulation.observables()
        self.assertLessEqual(set(file.observables), set(found))
        for name, value in found.items():
            if name in file.observables:
                self.assertEqual(np.float64(value).tobytes(), file.observables[name][:1].tobytes(), name)
            else:
                self.assertTrue(np.isnan(value), f"{name}, for which the file has no column")
            self.assertEqual(np.float64(value).tobytes(), whole.observables[name][:1].tobytes(), name)

    def test_members_go_on_from_saved_states_and_as_clones(self):
        simulation = softrods.Simulation(driven())
        drive(simulation, 5)
        state = simulation.save()
        clones = simulation.clone(0, 3)
        rest = drive(simulation, 10)
        self.assertEqual(drive(clones, 10).tobytes(), np.repeat(rest, 3, axis=1).tobytes())
        simulation.restore(0, state)
        self.assertAlmostEqual(simulation.time[0], 0.005)
        self.assertEqual(drive(simulation, 10).tobytes(), rest.tobytes())

    def test_members_are_reset(self):
        simulation = softrods.Simulation(driven(), {"rod.radius": [0.004, 0.004, 0.004]})
        first = drive(simulation, 4)
        simulation.reset()
        self.assertEqual(drive(simulation, 4).tobytes(), first.tobytes())
        simulation.reset(mask=[2], points={"rod.radius": [0.006]})
        np.testing.assert_array_equal(simulation.time == 0, [False, False, True])
        simulation.reset([True, True, False], seeds=[7, 7])
        again = drive(simulation, 4)
        self.assertEqual(again[:, 0].tobytes(), again[:, 1].tobytes())
        self.assertNotEqual(again[-1, 0, 3], first[-1, 0, 3])
        self.assertNotEqual(again[-1, 2, 2], first[-1, 2, 2])
        with self.assertRaisesRegex(softrods.RodeoError, "points are of rod.radius"):
            simulation.reset(points={"rod.length": [1, 1, 1]})

    def test_members_that_begin_anew_one_by_one_go_on_as_they_would(self):
        radii = np.linspace(0.003, 0.006, 8)
        together = softrods.Simulation(driven(), {"rod.radius": radii})
        alone = [softrods.Simulation(driven(), {"rod.radius": [radius]}) for radius in radii]
        seeds = [together._own.seed(k) for k in range(8)]
        for live, seed in zip(alone, seeds):
            live.reset(seeds=[seed])
        for k in [None, 5, 2, 7, 5, 0, 1, 3]:
            if k is not None:
                bend = together.inputs.copy()
                together.reset([k], {"rod.radius": [0.001 * (k + 3)]}, seeds=[k])
                alone[k].reset(None, {"rod.radius": [0.001 * (k + 3)]}, seeds=[k])
                others = np.arange(8) != k
                np.testing.assert_array_equal(together.inputs[others], bend[others])
            seen = drive(together, 2)
            self.assertEqual(seen.tobytes(), np.concatenate([drive(live, 2) for live in alone], axis=1).tobytes())
            together.inputs[:, 0] = np.arange(8)  # nobody has taken these when the next one begins anew
            for j, live in enumerate(alone):
                live.inputs[:] = j
            together.advance()
            for live in alone:
                live.advance()
        for live in (together, *alone):
            live.inputs[:] = 3
            live.advance(0.03)
        self.assertEqual(together.status_texts, ["done"] * 8)
        for k, live in enumerate(alone):
            np.testing.assert_array_equal(list(together.observables(k).values()), list(live.observables().values()))

    def test_masks_say_who_is_advanced(self):
        simulation = softrods.Simulation(driven(), members=3)
        simulation.advance(0.002, mask=[True, False, True])
        simulation.advance(0.001, mask=[2])
        np.testing.assert_allclose(simulation.time, [0.002, 0, 0.003])

    def test_functions_are_called_at_samples(self):
        by_hand = drive(softrods.Simulation(driven()), 6)
        simulation = softrods.Simulation(driven())
        times = []

        @simulation.on_sample
        def _(live):
            times.append(live.time[0])
            live.inputs[:, 0] = 4 - 30 * live.signals[:, 2] + live.signals[:, 3]

        simulation.advance(0.006)
        np.testing.assert_allclose(times, 1e-3 * np.arange(6), atol=1e-12)
        self.assertEqual(simulation.signals.tobytes(), by_hand[-1].tobytes())
        with self.assertRaisesRegex(softrods.RodeoError, "no whole number of intervals"):
            simulation.advance(5e-4)

    def test_seconds_beyond_the_end_go_to_the_end(self):
        for seconds in (1.0, 1e16, np.inf):
            simulation, watched, samples = softrods.Simulation(driven()), softrods.Simulation(driven()), []
            watched.on_sample(lambda live, samples=samples: samples.append(live.time[0]))
            for live in (simulation, watched):
                live.advance()
                live.advance(seconds)
                self.assertEqual((live.status_texts, live.time.round(12).tolist()), (["done"], [0.03]), seconds)
            self.assertEqual(len(samples), 30)
            with self.assertRaisesRegex(softrods.RodeoError, "no whole number"):
                watched.advance(np.nan)

    def test_a_member_fails_alone_by_an_input_that_is_no_number(self):
        simulation = softrods.Simulation(driven(), members=2)
        simulation.inputs[1] = np.nan
        simulation.advance()
        self.assertEqual(simulation.status_texts, ["pending", "failed"])
        self.assertEqual([simulation.problem(k) for k in range(2)], ["", "input bend is no finite number"])
        np.testing.assert_allclose(simulation.time, [1e-3, 0], atol=1e-12)
        simulation.reset([1])
        self.assertEqual((simulation.problem(1), simulation.inputs[1, 0]), ("", 0))

    def test_pickled_members_go_on_as_they_would(self):
        simulation = softrods.Simulation(driven(), {"rod.radius": [0.004, 0.005]}, members=2)
        drive(simulation, 3)
        simulation.reset([1, 2], {"rod.radius": [0.0045, 0.003]}, [11, 12])
        drive(simulation, 3)
        simulation.inputs[:] = 2
        again = pickle.loads(pickle.dumps(simulation))
        self.assertEqual(again.inputs.tolist(), [[2]] * 4)
        for live in (simulation, again):
            live.advance()
        self.assertEqual(again.position(1).tobytes(), simulation.position(1).tobytes())
        self.assertEqual(drive(again, 5).tobytes(), drive(simulation, 5).tobytes())
        for live in (simulation, again):
            live.reset()
        self.assertEqual(drive(again, 5).tobytes(), drive(simulation, 5).tobytes())
        simulation.advance(1)
        with self.assertRaisesRegex(softrods.DeckError, r"has ended \(done\): only those that run are saved"):
            pickle.dumps(simulation)

    def test_fields_of_nodes_and_elements(self):
        simulation = softrods.Simulation(driven())
        simulation.advance()
        self.assertEqual(simulation.field("velocity").shape, (6, 3))
        self.assertEqual(simulation.field("position").tobytes(), simulation.position().tobytes())

    def test_errors_have_the_sentence_of_the_program(self):
        simulation = softrods.Simulation(driven())
        for call, text in (
            (lambda: softrods.Simulation(cord(rod={"radius": -1})), "rod.radius = '-1' is not allowed"),
            (lambda: softrods.Simulation(driven(), {"rod.lenght": [1]}), "rod.length"),
            (lambda: softrods.Simulation(driven(), {"rod.radius": [-1]}), "rod.radius"),
            (lambda: simulation.advance(1.5e-5), "no whole number of time steps"),
            (lambda: simulation.advance(mask=[True, False]), "a mask has 2 entries"),
            (lambda: simulation.restore(0, b"nonsense"), "this state is truncated"),
            (lambda: simulation.save(1), "there is no member 1"),
            (lambda: simulation.field("colour"), "there is no field colour"),
            (lambda: simulation.position(4), "there is no member 4"),
            (lambda: simulation.observables(4), "there is no member 4"),
            (lambda: simulation.reset(seeds=[1, 2]), "2 seeds for 1 members"),
            (lambda: softrods.Simulation(driven(control=CONTROL | {"interval": 1.2e-4})), "the nearest is 1e-04 s"),
        ):
            with self.subTest(text), self.assertRaisesRegex(softrods.DeckError, text):
                call()
        for call, text in (
            (lambda: softrods.Simulation(driven(), members=0), "members is a whole number from 1 to 4294967295, not 0"),
            (lambda: softrods.Simulation(driven(), members=-1), "members is a whole number .*, not -1"),
            (lambda: softrods.Simulation(driven(), members=10**9), "1000000000 members take .* of memory"),
            (lambda: simulation.clone(copies=2**40), "1099511627776 members take .* of memory"),
            (lambda: simulation.clone(copies=1.5), "copies is a whole number .*, not 1.5"),
            (lambda: simulation.reset(seeds=[1.5]), "A seed is a whole number .*, not 1.5"),
            (lambda: simulation.reset(seeds=[-1]), "A seed is a whole number .*, not -1"),
            (lambda: simulation.save(-1), "there is no member -1: they are 0 to 0"),
            (lambda: simulation.position("first"), "there is no member 'first'"),
            (lambda: softrods.evaluate(cord(), repeats=-1), "repeats is a whole number .*, not -1"),
            (lambda: softrods.evaluate(cord(), repeats=2**32 - 1), "4294967295 results take .* of memory"),
        ):
            with self.subTest(text), self.assertRaisesRegex(softrods.RodeoError, text):
                call()
        whole = softrods.Simulation(driven())
        whole.advance(0.03)
        self.assertEqual(whole.status_texts, ["done"])
        with self.assertRaisesRegex(softrods.DeckError, r"member 0 has ended \(done\)"):
            whole.save()

    def test_a_deck_without_control_is_advanced_by_seconds(self):
        simulation = softrods.Simulation(cord())
        with self.assertRaisesRegex(softrods.RodeoError, "has no .control."):
            simulation.advance()
        simulation.advance(0.01)
        self.assertEqual((simulation.inputs.shape, simulation.signals.shape), ((1, 0), (1, 0)))

    def test_threads_do_not_change_bits(self):
        """Neither how many there are, nor which thread of Python asks, nor that several do at once."""
        code = (f"import sys; sys.path[:0] = [{PACKAGES!r}, {os.path.dirname(__file__)!r}]\n"
                "import simulation_test as test, softrods, threading\n"
                "lives = [softrods.Simulation(test.driven(), members=3) for _ in range(3)]\n"
                "seen = [test.drive(lives[0], 8), None, None]\n"
                "def drive(k): seen[k] = test.drive(lives[k], 8)\n"
                "threads = [threading.Thread(target=drive, args=(k,)) for k in (1, 2)]\n"
                "for thread in threads: thread.start()\nfor thread in threads: thread.join()\n"
                "assert all((one == seen[0]).all() for one in seen)\nprint(seen[0].tobytes().hex())")
        said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                               env=os.environ | {"OMP_NUM_THREADS": threads}).stdout for threads in "12"]
        self.assertEqual(said[0], said[1])
        self.assertGreater(len(said[0]), 1000)

    def test_the_page_of_the_manual_runs(self):
        page = os.path.join(os.path.dirname(__file__), "../../src/manual/python/simulation.md")
        with open(page, encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        self.assertEqual(len(blocks), 2)
        names = {}
        with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(ROOT):
            for block in blocks:
                exec(compile(block, page, "exec"), names)
        np.testing.assert_allclose(names["arms"].signals[:, 0], 0.1, atol=0.03)
        pendulum = names["pendulum"]
        self.assertGreater(-pendulum.signals[0, 0], 0.97)  # it stands
        pendulum.reset()
        pendulum.inputs[0, 0] = -0.1  # the largest couple alone
        highest = -1.0
        while pendulum.time[0] < 2.99:
            pendulum.advance()
            highest = max(highest, -pendulum.signals[0, 0])
        self.assertLess(highest, -0.4)

    def test_an_interrupt_ends_it(self):
        simulation = softrods.Simulation(driven(time={"end": 36000}))
        interrupt = threading.Thread(target=interrupt_what_works)
        with self.assertRaises(KeyboardInterrupt):
            interrupt.start()
            simulation.advance(30000)
        self.assertTrue(0 < simulation.time[0] < 29000, simulation.time)

    def test_other_threads_of_python_go_on(self):
        counts = []
        done = threading.Event()

        def count():
            while not done.is_set():
                counts.append(None)
                time.sleep(0.001)

        simulation = softrods.Simulation(driven(time={"end": 3600}))
        thread = threading.Thread(target=count)
        thread.start()
        try:
            before = len(counts)
            simulation.advance(10)
            self.assertGreater(len(counts) - before, 2)
        finally:
            done.set()
            thread.join()


if __name__ == "__main__":
    unittest.main()

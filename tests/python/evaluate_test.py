"""Members in this process, which have the bits of campaigns."""

import importlib.util
import pathlib
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

from package_test_case import PackageTest, campaign, cord, cords, interrupt_what_works, softrods

HAS_MODULE = importlib.util.find_spec("softrods._native") is not None


class WithoutModule(PackageTest):
    @unittest.skipIf(HAS_MODULE, "the native module is there")
    def test_there_is_a_sentence(self):
        with self.assertRaisesRegex(softrods.NoNativeModule, "needs the native module"):
            softrods.evaluate(cord())


@unittest.skipUnless(HAS_MODULE, "the package was built without its native module")
class Evaluate(PackageTest):
    def assert_same_bits(self, file, found):
        self.assertEqual(found.status.tolist(), file.status.tolist())
        self.assertEqual(found.steps.tolist(), file.steps.tolist())
        self.assertEqual(found.seeds.tolist(), file.seed.tolist())
        self.assertLessEqual(set(file.observables), set(found.observables))
        for name, values in found.observables.items():
            if name in file.observables:
                self.assertEqual(values.tobytes(), file.observables[name].tobytes(), name)
            else:
                self.assertTrue(np.isnan(values).all(), f"{name}, for which the file has no column")

    def points_of(self, file):
        first = file.repeat == 0
        return {key: values[first] for key, values in file.parameters.items()}

    def test_members_have_the_bits_of_a_campaign(self):
        # Random perturbations, several repeats; then implicit steps.
        for deck in (softrods.Deck(campaign.SMALL_DECK), cords(3, model={"kind": "der"}, time={"step": 1e-3, "end": 0.05})):
            file = self.run_alone(deck, overwrite=True)
            found = softrods.evaluate(deck, self.points_of(file), repeats=int(file.repeat.max()) + 1)
            self.assert_same_bits(file, found)
            self.assertEqual({name: found.units[name] for name in file.units}, file.units)

    def test_frames_have_the_bits_of_a_campaign(self):
        deck = cords(2, output={"frames": 3, "fields": "velocity", "observables": "end_z"})
        file = self.run_alone(deck)
        found = softrods.evaluate(deck, self.points_of(file), frames=True)
        for member, frames in enumerate(found.frames):
            for field in ("position", "velocity"):
                self.assertEqual(frames[field].tobytes(), file.trajectory(member, field)[1].tobytes(), field)
            self.assertEqual(frames["time"].tobytes(), file.trajectory(member)[0].tobytes())
            self.assertEqual(frames["end_z"].tobytes(), file.history(member, "end_z")[1].tobytes())

    def test_files_decks_and_overrides_give_the_same(self):
        cord().write(self.folder / "cord.ini")
        one = softrods.evaluate(self.folder / "cord.ini", observables="end_z", overrides={"rod.length": 0.3})
        two = softrods.evaluate(cord(rod={"length": 0.3}), observables=["end_z"])
        three = softrods.evaluate(cord(), {"rod.length": [0.1, 0.3]}, "end_z", first_candidate=5)
        self.assertEqual(one.observables["end_z"][0], two.observables["end_z"][0])
        self.assertEqual(one.observables["end_z"][0], three.observables["end_z"][1])
        self.assertEqual(list(one.members["status"]), ["done"])

    def test_points_that_cannot_start_fail_alone(self):
        found = softrods.evaluate(cord(), {"rod.radius": [0.004, -1, 0.005]}, "end_z")
        self.assertEqual(found.status_texts, ["done", "failed", "done"])
        self.assertIn("rod.radius", found.problems[1])
        self.assertEqual(list(np.isfinite(found.observables["end_z"])), [True, False, True])

    def test_words_are_points_too(self):
        found = softrods.evaluate(cord(), {"boundary.last": ["pinned", "free"]}, "end_z")
        self.assertEqual(found.status_texts, ["done", "done"])
        with self.assertRaisesRegex(softrods.RodeoError, "boundary.last is one of"):
            softrods.evaluate(cord(), {"boundary.last": ["loose"]})

    def test_errors_have_the_sentence_of_the_program(self):
        for call, text in (
            (lambda: softrods.evaluate(cord(rod={"radius": -1})), "rod.radius = '-1' is not allowed"),
            (lambda: softrods.evaluate(cord(), {"rod.lenght": [1]}), "rod.length"),
            (lambda: softrods.evaluate(cord(), observables="end_zz"), "end_z"),
        ):
            with self.assertRaisesRegex(softrods.DeckError, text):
                call()
        with self.assertRaisesRegex(softrods.RodeoError, "differ in how many values"):
            softrods.evaluate(cord(), {"rod.length": [1, 2], "rod.radius": [1]})

    def test_other_threads_of_python_go_on(self):
        counts = []
        done = threading.Event()

        def count():
            while not done.is_set():
                counts.append(time.monotonic())
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        deck = softrods.Deck(model={"kind": "noop"}, noop={"seconds": 1})
        thread.start()
        try:
            before = len(counts)
            softrods.evaluate(deck)
            self.assertGreater(len(counts) - before, 2)
        finally:
            done.set()
            thread.join()

    def test_an_interrupt_ends_it(self):
        deck = cord(time={"end": 3600, "step": 5e-5})
        interrupt = threading.Thread(target=interrupt_what_works)
        with self.assertRaises(KeyboardInterrupt):
            interrupt.start()
            softrods.evaluate(deck)

    def test_it_needs_no_mpi(self):
        code = (f"import sys; sys.path.insert(0, {str(pathlib.Path(softrods.__file__).parents[1])!r})\nimport softrods\n"
                "softrods.evaluate(softrods.Deck(model={'kind': 'noop'}))\nprint('libmpi' in open('/proc/self/maps').read())")
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout.strip(), "False", said.stderr)


if __name__ == "__main__":
    unittest.main()

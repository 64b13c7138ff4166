"""Members whose elements are advanced by all threads of a rank."""

import os
import signal
import subprocess
import unittest

import campaign
from campaign import ROOT, read_ensemble, rodeo
from cli_test_case import CliTest

PILE = ROOT / "inputs" / "examples" / "resting_pile.ini"
# 300 rods of 8 elements: enough for two threads, and for parts.
LARGE = ("--rod.count=300", "--rod.elements=8", "--rod.region_length=0.15", "--rod.region_centre=0, 0, 0.08",
         "--measure.interval=1e-3",
         "--measure.define=moving [1] : last(translational_energy)", "--output.frames=3")
SOON = "--gravity.acceleration=0, 0, -1000"  # they touch after 8 ms; after 12 ms they would pass through each other
LATER = "--gravity.acceleration=0, 0, -300"


class Threads(CliTest):
    def pile(self, name, end, threads, *further):
        result = rodeo("run", PILE, *LARGE, f"--time.end={end}", *further, "--output", self.folder / name,
                       directory=self.folder, OMP_NUM_THREADS=str(threads))
        self.assertEqual(result.returncode, 0, result.stderr)
        return read_ensemble.Ensemble(self.folder / name)

    def test_a_pile_has_the_same_bits_by_one_two_and_four_threads(self):
        alone = self.pile("one.h5", 8e-3, 1, SOON)
        self.assertGreater(alone.observables["contact_count"][0], 0)
        for threads in (2, 4):
            shared = self.pile(f"{threads}.h5", 8e-3, threads, SOON)
            self.assertEqual(campaign.differences(alone, shared), [], f"{threads} threads")

    def test_connected_rods_have_the_same_bits(self):
        further = (SOON, "--connection.spring=rod 0, node 0 to rod 1, node 0 : stiffness 10",)
        files = [self.pile(f"{threads}.h5", 1e-3, threads, *further) for threads in (1, 2, 3)]
        for other in files[1:]:
            self.assertEqual(campaign.differences(files[0], other), [])

    def test_a_killed_pile_goes_on_with_another_number_of_threads(self):
        options = (LATER, "--time.slice_steps=50", "--output.checkpoint_interval=0.05")
        command = campaign.command("run", PILE, *LARGE, "--time.end=0.02", *options, "--output", self.file)
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=os.environ | {"OMP_NUM_THREADS": "2"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        checkpoint = self.folder / "campaign.h5.checkpoints" / "member_0"
        campaign.wait_until(checkpoint.exists, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertTrue(checkpoint.exists())
        self.assertFalse(read_ensemble.Ensemble(self.file).committed.any(), "the member ended before the kill")
        result = rodeo("resume", self.file, directory=self.folder, OMP_NUM_THREADS="3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("anew", result.stderr)
        whole = self.pile("whole.h5", 0.02, 1, *options)
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_check_says_who_takes_the_steps(self):
        def line(*arguments):
            result = rodeo("check", PILE, *arguments, directory=self.folder, OMP_NUM_THREADS="2")
            self.assertEqual(result.returncode, 0, result.stderr)
            return next(text for text in result.stdout.splitlines() if text.startswith("threads"))

        self.assertIn("2 a member", line(*LARGE, "--time.end=4e-3"))
        self.assertIn("one a member", line(*LARGE, "--time.end=4e-3", "--study.repeats=2", "--load.perturbation=1e-9"))
        self.assertIn("one a member", line("--time.end=6"))


if __name__ == "__main__":
    unittest.main()

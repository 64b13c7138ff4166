"""Searches and sweeps that go up a ladder of levels (fidelity.level)."""

import re
import signal
import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import STOPPED, CliTest

SNAKE = campaign.ROOT / "inputs" / "studies" / "snake_search.ini"


class Ladder(CliTest):
    """fidelity.level as users meet it."""

    def test_a_search_goes_up_is_reported_and_is_the_same_on_any_number_of_ranks_and_after_a_stop(self):
        deck = self.deck(campaign.climbing_deck(0.001))
        said = self.succeed("run", deck, "--output", self.file).stdout
        self.assertRegex(said, r"level 1 \(function.name = sphere, function.seconds = 0.001\): \d+ evaluations in \d+ generations")
        self.assertIn("best function_value on level 3: ", said)
        status = self.succeed("status", self.file).stdout
        self.assertRegex(status, r"3 levels, \d+ \+ \d+ \+ \d+ evaluations, rank correlation")
        self.assertIn("complete", status)
        one = read_ensemble.Ensemble(self.file)
        levels = one.tables["fidelity"]
        seconds = one.parameters["function.seconds"].reshape(-1, 2)[:, 0]
        committed = one.committed.reshape(-1, 2)[:, 0]
        for row, value in enumerate((0.001, 0.002, 0.003)):
            ran = np.count_nonzero(committed & (seconds == value))
            self.assertEqual(ran, levels["candidates"][row])
            self.assertGreater(ran, 5)
        # What is said to be best is a member of the last level.
        objective = one.observables["function_value"].reshape(-1, 2)[:, 0]
        last = np.flatnonzero(committed & (seconds == 0.003))
        best = last[np.argmin(objective[last])]
        self.assertEqual(levels["best_candidate"][2], best)
        self.assertEqual(one.optimize["best_candidate"][-1], best)
        self.assertEqual(one.optimize["best"][-1], objective[best])
        self.assertEqual(one.optimize["last"][-1], 1)
        self.assertIn(f"member {2 * best}", status)
        self.assertGreater(objective[best], objective[committed].min(), "the sphere's minimum is not that of the last level")
        self.succeed("best", self.file)
        self.assertEqual(read_ensemble.Ensemble(self.folder / "campaign_best.h5").observables["function_value"][0], objective[best])
        # Another study around it, of a key that made levels.
        self.succeed("best", self.file, "--study.kind=sweep", "--sweep.axis=function.seconds : list(0, 0.001)", "--output", "around.h5")
        self.assertTrue((read_ensemble.Ensemble(self.folder / "around.h5").observables["function_value"] == objective[best]).all())
        self.succeed("run", deck, "--output", "three.h5", ranks=3)
        self.assertEqual(campaign.differences(one, read_ensemble.Ensemble(self.folder / "three.h5")), [])
        # Stopped in the middle, and again near the end.
        process = self.start("run", deck, "--output", "stopped.h5", ranks=2)
        for members in (60, int(0.9 * one.committed.sum())):
            campaign.wait_for_members(self.folder / "stopped.h5", members, process)
            process.send_signal(signal.SIGUSR1)
            self.assertEqual(process.wait(), STOPPED)
            process = self.start("resume", "stopped.h5", ranks=3)
        self.assertEqual(process.wait(), 0)
        self.assertEqual(campaign.differences(one, read_ensemble.Ensemble(self.folder / "stopped.h5")), [])

    def test_the_snake_of_the_shipped_deck_goes_up(self):
        search = [SNAKE, "--optimize.generations=3", "--optimize.population=6", "--fidelity.compared=4", "--fidelity.runners_up=1",
                  "--observe.settle=1e-2", "--fidelity.level=rod.elements = 8, time.step = 2e-4, time.end = 2",
                  "--fidelity.level=rod.elements = 10, time.step = 2e-4, time.end = 5"]
        checked = self.succeed("check", *search).stdout
        self.assertIn("level 2: rod.elements = 10, time.step = 2e-04, time.end = 5", checked)
        self.assertRegex(checked, r"(?m)^predicted .* on one core if its levels correlate")
        self.assertGreater(float(re.search(r"plain study .* on one core at most, ([0-9.]+) times", checked)[1]), 1)
        said = self.succeed("run", *search, "--output", self.file).stdout
        one = read_ensemble.Ensemble(self.file)
        top = one.committed & (one.parameters["time.end"] == 5)
        self.assertEqual(np.count_nonzero(top), 4 + 2)
        self.assertEqual(one.tables["fidelity"]["compared"][0], 4 + 2)
        settled = np.count_nonzero(one.status == read_ensemble.SETTLED)
        self.assertGreater(settled, 1)
        self.assertRegex(said, rf"{settled} members settled, \d+\.\d % of all steps spared")
        self.assertIn("% of all steps spared", self.succeed("status", self.file).stdout)

    def test_a_search_of_members_that_settle_is_confirmed_by_whole_ones(self):
        search = [campaign.ROOT / "inputs" / "studies" / "snake_cma_quick.ini", "--optimize.generations=3", "--optimize.population=6",
                  "--rod.elements=8", "--time.step=2e-4", "--time.end=5", "--fidelity.level=observe.settle = 1e-2",
                  "--fidelity.compared=4", "--fidelity.runners_up=1"]
        self.assertRegex(self.succeed("check", *search).stdout, r"on one core if its levels correlate and no member settles")
        said = self.succeed("run", *search, "--output", self.file).stdout
        one = read_ensemble.Ensemble(self.file)
        whole = one.committed & (one.parameters["observe.settle"] == 0)
        self.assertEqual(np.count_nonzero(whole), 4 + 2)
        self.assertTrue((one.status[whole] == read_ensemble.DONE).all())
        self.assertTrue((one.steps[whole] == 25000).all())
        settled = one.status == read_ensemble.SETTLED
        self.assertGreater(np.count_nonzero(settled), 3)
        self.assertGreater(one.tables["fidelity"]["correlation"][0], 0.7)
        best = np.flatnonzero(whole)[np.argmax(one.observables["forward_speed"][whole])]
        self.assertEqual(one.tables["fidelity"]["best_candidate"][1], best)
        self.assertRegex(said, rf"{np.count_nonzero(settled)} members settled, \d+\.\d % of all steps spared")
        self.assertIn("% of all steps spared", self.succeed("status", self.file).stdout)

    def test_a_sweep_is_screened(self):
        sweep = campaign.SMALL_DECK.replace("seed = 7", "seed = 7\nobjective = bending_energy").replace("repeats = 2", "repeats = 1")
        sweep = sweep.replace("list(2, 60)", "linspace(2, 60, 10)")
        deck = self.deck(sweep + "[fidelity]\nlevel = time.end = 0.5\nlevel = time.end = 1\nshare = 0.1\nrunners_up = 2\ncompared = 4\n")
        said = self.succeed("run", deck, "--output", self.file).stdout
        self.assertIn("best bending_energy on level 2: ", said)
        one = read_ensemble.Ensemble(self.file)
        first = one.committed & (one.parameters["time.end"] == 0.5)
        last = one.committed & (one.parameters["time.end"] == 1)
        self.assertEqual(np.count_nonzero(first), 30)
        self.assertLessEqual(np.count_nonzero(last), 7)
        best = np.flatnonzero(last)[np.argmax(one.observables["bending_energy"][last])]
        self.assertEqual(one.tables["fidelity"]["best_candidate"][1], best)
        self.assertIn(f"member {best}", self.succeed("status", self.file).stdout)
        self.succeed("run", deck, "--output", "three.h5", ranks=3)
        self.assertEqual(campaign.differences(one, read_ensemble.Ensemble(self.folder / "three.h5")), [])
        kept = ["--output.keep=best 2", "--output", "kept.h5"]
        self.succeed("run", deck, *kept)
        frames = read_ensemble.Ensemble(self.folder / "kept_kept.h5")
        self.assertIn(best, frames.candidate)
        self.assertTrue((frames.parameters["time.end"] == 1).all())

    def test_wrong_ladders_are_refused(self):
        search = self.deck(campaign.climbing_deck(0.001))
        first = "--fidelity.level=function.name = sphere"
        for override, mention in (
            (("--fidelity.level=function.name = rosenbrock",), "stands alone, and is what the deck itself says"),
            ((first, "--fidelity.level=function.nmae = rosenbrock"), "did you mean function.name"),
            ((first, "--fidelity.level=function.name = rosenbrok"), "no such choice"),
            ((first, "--fidelity.level=function.seconds = -1"), "out of range"),
            ((first, "--fidelity.level=function.x[0] = 1"), "is varied by the study itself"),
            ((first, "--fidelity.level=study.repeats = 1"), "holds for the study as a whole"),
            ((first, "--fidelity.level=ground.stiffness = 2"), "ground.stiffness has no effect"),
            (("--fidelity.share=0.5",), "has no effect"),
            (("--optimize.restarts=ipop",), "must be none with fidelity.level"),
        ):
            self.refuse("run", search, *override, "--output", self.file, mentions=[mention])
        self.refuse("run", SNAKE, "--fidelity.level=time.end = 3", "--fidelity.level=rod.young_modulus = 1e7, rod.bend_stiffness = 1",
                    "--output", self.file, mentions=["rod.bend_stiffness"])
        self.refuse("run", SNAKE, "--observe.settle=1e-2", "--fidelity.level=time.end = 1", "--fidelity.level=time.end = 1.5", "--output", self.file,
                    mentions=["observe.settle", "can end no member"])
        self.refuse("run", self.deck(), "--fidelity.level=time.end = 1", "--fidelity.level=time.end = 2", "--output", self.file,
                    mentions=["study.objective is missing"])


if __name__ == "__main__":
    unittest.main()

"""Studies of kind optimize."""

import signal
import unittest

import campaign
from campaign import read_ensemble
from cli_test_case import STOPPED, CliTest


class Optimisation(CliTest):
    """study.kind = optimize as users meet it."""

    def search(self, *overrides, generations=30, seconds=0):
        return [self.deck(campaign.search_deck(generations, seconds)), *overrides]

    def test_search_runs_is_reported_and_is_the_same_on_any_number_of_ranks(self):
        said = self.succeed("run", *self.search(), "--output", self.file).stdout
        self.assertIn("stopped by generations after 30 generations and 180 evaluations", said)
        self.assertIn("function.x[2] = ", said)
        status = self.succeed("status", self.file).stdout
        self.assertIn("generation 30 of at most 30", status)
        self.assertIn("complete", status)
        one = read_ensemble.Ensemble(self.file)
        self.assertEqual(len(one.optimize["best"]), 30)
        self.assertEqual(one.optimize["best"][-1], one.observables["function_value"].reshape(-1, 2)[:, 0].min())
        self.succeed("run", *self.search(), "--output", "four.h5", ranks=4)
        self.assertEqual(campaign.differences(one, read_ensemble.Ensemble(self.folder / "four.h5")), [])

    def test_search_that_ends_early_is_complete(self):
        self.succeed("run", *self.search("--optimize.target=1e-3", generations=500), "--output", self.file)
        self.assertIn("stopped by target", self.succeed("status", self.file).stdout)
        self.assertIn("complete", self.succeed("status", self.file).stdout)
        before = read_ensemble.Ensemble(self.file)
        self.succeed("resume", self.file)
        self.assertEqual(campaign.differences(before, read_ensemble.Ensemble(self.file)), [])

    def test_search_stops_on_a_signal_and_resumes(self):
        deck = self.search(seconds=0.01)
        process = self.start("run", *deck, "--output", self.file, ranks=2)
        campaign.wait_for_members(self.file, 20, process)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(timeout=60), STOPPED)
        self.assertIn("not running", self.succeed("status", self.file).stdout)
        self.succeed("resume", self.file, ranks=3)
        self.succeed("run", *deck, "--output", "whole.h5")
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_check_tells_evaluations(self):
        self.assertIn("# evaluations      180 at most, in 30 generations", self.succeed("check", *self.search()).stdout)

    def test_wrong_searches_are_refused(self):
        for override, mention in (
            ("--optimize.parameter=function.z[0] : [0, 1] start 0", "did you mean function.x"),
            ("--optimize.parameter=function.x[7] : [0, 1] start 0", "has no entry to vary at function.x[7]"),
            ("--optimize.parameter=function.x[0] : [0, 1] start 2", "outside the bounds"),
            ("--study.objective=forward_speed", "do not report 'forward_speed'"),
            ("--study.objective=speed", "is no observable"),
            ("--optimize.population=1", "integer in [2, 1000000]"),
        ):
            self.refuse("run", *self.search(override), "--output", self.file, mentions=[mention])


if __name__ == "__main__":
    unittest.main()

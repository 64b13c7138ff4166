"""Studies of kind sensitivity."""

import signal
import subprocess
import unittest

import matplotlib.pyplot as plt
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import STOPPED, CliTest

# Ellipsoid of two numbers: x0^2 + 1e6 x1^2, with variances of squares 4/45 and 1e12 (1e-3)^4 4/45.
ELLIPSOID = campaign.sensitivity_deck(512, 0).replace("rosenbrock", "ellipsoid").replace("x = 0, 0, 0", "x = 0, 0").replace(
    "normal(0.5, 0.2)", "uniform(-1e-3, 1e-3)").replace("parameter = function.x[2] : lognormal(0.5, 0.5)\n", "")


class Sensitivity(CliTest):
    """study.kind = sensitivity as users meet it."""

    def run_to_end(self, deck, ranks=None, output="campaign.h5"):
        said = self.succeed("run", self.deck(deck), "--output", output, ranks=ranks).stdout
        return said, read_ensemble.Ensemble(self.folder / output)

    def test_indices_of_a_closed_form_are_the_same_on_any_number_of_ranks(self):
        said, one = self.run_to_end(ELLIPSOID)
        self.assertIn("by polynomial chaos", said)
        table = one.sensitivity
        self.assertEqual(table["last"][-1], 1)
        self.assertLess(table["evaluations"][-1], 257)
        np.testing.assert_allclose(table["first"][-1], [0.5, 0.5], atol=1e-6)
        self.assertAlmostEqual(table["mean"][-1], 2 / 3, places=6)
        self.assertAlmostEqual(table["deviation"][-1], (8 / 45) ** 0.5, places=6)
        status = self.succeed("status", self.file).stdout
        self.assertIn("complete", status)
        self.assertIn("evaluations, 0 failed, prediction error", status)
        _, three = self.run_to_end(ELLIPSOID, ranks=3, output="three.h5")
        self.assertEqual(campaign.differences(one, three), [])
        plot = subprocess.run([campaign.ROOT / "scripts" / "plot", self.file], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        self.assertEqual(plot.returncode, 0, plot.stderr)
        self.assertRegex(plot.stdout, r"function.x\[1\] +first +0.5000")
        self.assertGreater(plt.imread(self.folder / "campaign.png").std(), 0.05)

    def test_goes_on_after_a_signal_and_a_kill(self):
        deck = campaign.sensitivity_deck(256, 0.01)
        process = self.start("run", self.deck(deck), "--output", self.file, ranks=2)
        campaign.wait_for_members(self.file, 40, process)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(), STOPPED)
        process = self.start("resume", self.file)
        campaign.wait_for_members(self.file, 80, process)
        process.kill()
        process.wait()
        self.succeed("resume", self.file, ranks=3)
        _, whole = self.run_to_end(campaign.sensitivity_deck(256, 0), output="whole.h5")
        resumed = read_ensemble.Ensemble(self.file)
        for name in ("first", "total", "first_error", "quantiles", "evaluations", "steady"):
            self.assertTrue(campaign.same_column(resumed.sensitivity, whole.sensitivity, name), name)

    def test_check_predicts_evaluations(self):
        said = self.succeed("check", self.deck(campaign.sensitivity_deck(1024, 0.01))).stdout
        self.assertIn("varied           function.x[0] uniform(-1, 1)\n                 function.x[1] normal(0.5, 0.2)", said)
        self.assertIn("at most, by rounds of 64, 96, 128, ...; the plain study is Jansen's estimator alone", said)
        self.assertRegex(said, r"(?m)^plain study +\S+ \w+ on one core at most, 5 times as many")

    def test_wrong_studies_are_refused(self):
        for override, mention in (
            ("--sensitivity.parameter=function.x[0] : uniform(0, 1)", "is the only parameter"),
            ("--sensitivity.parameter=function.x[0] : beta(1, 2)", "'beta' is none of uniform(lower,upper) | "),
            ("--sensitivity.observable=function_vaule", "did you mean function_value?"),
            ("--sensitivity.observable=forward_speed", "do not report 'forward_speed'"),
            ("--sensitivity.evaluations=4", "integer in [128, 100000]"),
            ("--study.kind=sweep", "sweep.axis is missing"),
        ):
            self.refuse("run", self.deck(campaign.sensitivity_deck(256, 0)), override, "--output", self.file, mentions=[mention])


if __name__ == "__main__":
    unittest.main()

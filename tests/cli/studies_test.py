"""Studies of inputs/studies whose number stands beside a closed form, as they are shipped or coarser."""

import unittest

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest


class Studies(CliTest):
    def results(self, name, *options, ranks=None):
        self.succeed("run", campaign.ROOT / "inputs" / "studies" / name, *options, "--output", self.file, ranks=ranks)
        return read_ensemble.Ensemble(self.file)

    def test_an_arm_reaches_a_point_with_the_effort_of_an_elastica(self):
        results = self.results("arm_reach.ini", "--optimize.generations=60", ranks=2)
        best = results.observables["cost"][results.committed].argmin()
        self.assertLess(abs(results.observables["excess"][best]), 2e-3)
        self.assertLess(results.observables["miss"][best], 5e-3)


if __name__ == "__main__":
    unittest.main()

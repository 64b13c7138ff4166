"""A nest that a plate presses: its balance of work, the same after a stop, and what the ground refuses."""

import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest

NEST = campaign.ROOT / "inputs" / "studies" / "nest.ini"

# Fewer and stiffer rods in coarser steps, pressed faster.
QUICK = ["--rod.count=30", "--rod.elements=5", "--rod.region_length=0.08", "--rod.region_centre=0, 0, 0.045",
         "--variable.top=0.09", "--variable.floor=0.03", "--variable.stroke=0.015", "--variable.settled=0.3",
         "--variable.cycle=0.1", "--time.end=0.6", "--output.frames=61"]


class Nest(CliTest):
    def test_a_nest_takes_more_than_it_gives_back_and_nothing_is_lost(self):
        self.succeed("run", NEST, *QUICK, "--output", self.file)
        nest = read_ensemble.Ensemble(self.file)
        number = {name: float(nest.observables[name][0]) for name in nest.observables}
        self.assertGreater(number["first_peak"], 1)
        self.assertGreater(number["last_peak"], 1)
        self.assertGreater(number["work"], 0)
        self.assertGreater(number["friction"], 0)
        self.assertLess(abs(number["balance"]), 1e-3)
        time, stress = nest.history(0, "stress")
        pressing, releasing = np.interp([0.34, 0.36], time, stress)  # at one height
        self.assertGreater(pressing, 1.2 * releasing)

    def test_planes_that_cannot_be_end_before_anything_is_written(self):
        for line, parts in (
            ("--ground.planes=0, 0, 0, 0, 0, 0", ("ground.planes", "zero vector")),
            ("--ground.planes=0, 0, 0, 1", ("ground.planes", "each takes 6")),
            ("--ground.platen=0, 0, 0, 0, 0, 1 : 0, 0", ("ground.platen", "a comma should stand here")),
            ("--ground.platen=0, 0, 0, 0, 0, 0 : 0, 0, t", ("ground.platen", "no direction")),
            ("--ground.platen=0, 0, 0, 0, 0, 1 : 0, 0, spead", ("ground.platen", "spead")),
        ):
            self.refuse("run", NEST, line, "--output", self.file, mentions=parts)


if __name__ == "__main__":
    unittest.main()

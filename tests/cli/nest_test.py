"""A nest that a plate presses, and planes that the ground refuses."""

import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest

NEST = campaign.ROOT / "inputs" / "studies" / "nest.ini"

# Fewer rods in coarser steps, pressed faster.
QUICK = ["--rod.count=40", "--rod.elements=5", "--rod.region_length=0.08", "--rod.region_centre=0, 0, 0.045",
         "--variable.top=0.09", "--variable.floor=0.022", "--variable.stroke=0.012", "--variable.settled=0.4",
         "--variable.cycle=0.2", "--time.step=1.8e-5", "--time.end=1", "--measure.interval=1e-3", "--output.frames=101"]


class Nest(CliTest):
    def test_a_nest_stiffens_and_gives_back_less_than_it_takes(self):
        # Nests this small differ much, and which one comes about hangs on the last digit: five of them.
        self.succeed("run", NEST, *QUICK[:-1], "--output.frames=4001", "--study.kind=sweep",
                     "--sweep.axis=rod.young_modulus : linspace(4.9e6, 5.1e6, 5)", "--output", self.file, ranks=3)
        nest = read_ensemble.Ensemble(self.file)
        # In one of them, on some processors, a rod may pass through another.
        ended_well = nest.usable
        self.assertGreaterEqual(sum(ended_well), 4)
        number = {name: float(np.median(nest.observables[name][ended_well])) for name in nest.observables}
        self.assertGreater(number["last_peak"], 10)
        self.assertGreater(number["first_peak"], number["last_peak"])
        # It stiffens: a spring's force would grow by 4/3 over the last quarter of the stroke. Each of them grows by its own
        # factor, 1.3 to 14; the larger nest of the deck is compared with van Wyk's law.
        self.assertGreater(number["growth"], 4 / 3)
        for cycle in ("first", "second", "last"):
            self.assertGreater(np.min(nest.observables[f"{cycle}_loss"][ended_well]), 0)
        self.assertLess(number["last_loss"], number["pressed"])
        # What the plate has done is its force over its way, (1 - cos)/2 of the stroke, here from frames.
        time, stress = nest.history(0, "stress")
        cycle = (time >= 0.4) & (time <= 0.6 + 1e-9)
        height = 0.022 - 0.012 * (1 - np.cos(2 * np.pi * (time[cycle] - 0.4) / 0.2)) / 2
        work = -np.pi * 0.035**2 * np.sum((stress[cycle][1:] + stress[cycle][:-1]) / 2 * np.diff(height))
        self.assertLess(abs(float(nest.observables["first_loss"][0]) / work - 1), 0.2)

    def test_on_springs_all_that_the_plate_does_is_accounted_for(self):
        deck = self.folder / "nest.ini"
        deck.write_text(NEST.read_text().replace("[measure]\n", "[measure]\ndefine = work [J] : last(work_platen)\n"))
        # What friction takes is counted to first order in the step.
        quick = [line for line in QUICK if "time.step" not in line] + ["--time.step=4.5e-6"]
        # The sections of the deck have no energy.
        self.succeed("run", deck, *quick, "--model.section=rigid", "--ground.response=springs", "--ground.velocity_threshold=1e-4",
                     "--ground.static_friction=0.2, 0.2, 0.2", "--ground.kinetic_friction=0.2, 0.2, 0.2",
                     "--rod.damping=0", "--output", self.file)
        nest = read_ensemble.Ensemble(self.file)
        work, gained, rubbed, lost = (float(nest.observables[name][0])
                                      for name in ("work", "energy_drift", "friction_loss", "ground_loss"))
        # What the plate does hangs on which nest comes about; friction turns over more, as the rods fall first.
        self.assertGreater(work, 3e-4)
        self.assertGreater(lost, 3e-4)
        self.assertLess(abs(work - gained - rubbed - lost), 5e-4 * (rubbed + lost))

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

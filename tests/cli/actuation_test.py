"""Rods that formulas drive: the study of a worm, tables that results keep, and errors."""

import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest


WORM = (campaign.ROOT / "inputs" / "studies" / "worm.ini").read_text(encoding="utf-8")

ROD = """\
[rod]
elements = 10
length = 1
radius = 0.02
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5

[time]
step = 1e-3
end = 0.5

[model]
kind = der

[actuation]
"""


class Actuation(CliTest):
    def results(self, text, *options, ranks=None):
        self.succeed("run", self.deck(text), *options, "--output", self.file, "--overwrite", ranks=ranks)
        return read_ensemble.Ensemble(self.file)

    def test_a_worm_that_does_not_slip_follows_its_track(self):
        frictions = "list(0.1, 0.5, 5)"
        text = WORM.replace("logspace(0.1, 5, 9)", frictions)
        self.assertEqual(text.count(frictions), 2)
        alone = self.results(text)
        slips, *holds = alone.observables["advance"]
        self.assertLess(slips, 0.5)
        self.assertTrue(all(0.99 < advance < 1 for advance in holds), holds)
        advances = alone.observables["advance"].tobytes()
        self.assertEqual(self.results(text, ranks=3).observables["advance"].tobytes(), advances)

    def test_a_table_drives_and_stays_with_the_results(self):
        table = self.folder / "pull.csv"
        table.write_text("time, pull\n0, 0\n0.25, 2\n0.5, 2\n", encoding="utf-8")
        text = ROD + "force = x : table(pull.csv, t, pull)\n[measure]\ndefine = v [m/s] : mean_along(vx)\n"
        results = self.results(text)
        mass = 1000 * np.pi * 0.02**2
        np.testing.assert_allclose(results.observables["v"], (0.25 + 0.5) / mass, rtol=0.01)
        table.unlink()
        again = self.folder / "again.h5"
        self.succeed("best", self.file, "--member", "0", "--output", again)
        self.assertEqual(read_ensemble.Ensemble(again).observables["v"].tobytes(),
                         results.observables["v"].tobytes())

    def test_what_cannot_drive_ends_before_anything_is_written(self):
        (self.folder / "falls.csv").write_text("time, pull\n0, 0\n1, 2\n0.5, 2\n", encoding="utf-8")
        (self.folder / "pull.csv").write_text("time, pull\n0, 0\n1, 2\n", encoding="utf-8")
        for line, parts in (
            ("force = x : sin(2 * pi * time)", ("deck.ini:17: actuation.force", "character", "'time'")),
            ("force = up : 1", ("deck.ini:17: actuation.force", "an axis should stand here")),
            ("twist = d1 : 1", ("actuation.twist", "d3")),
            ("couple = x, node 12 : 1", ("actuation.couple", "no such node", "0 to 10")),
            ("force = x : table(none.csv, t, pull)", ("none.csv", "actuation.force", "deck.ini:17")),
            ("force = x : table(falls.csv, t, pull)", ("deck.ini:17", "first column", "falls.csv goes from 1 to 0.5")),
            ("force = x : table(pull.csv, t, pul)", ("'pul'", "did you mean pull?")),
        ):
            with self.subTest(line=line):
                self.refuse("run", self.deck(ROD + line + "\n"), "--output", self.file, mentions=parts)

    def test_signals_and_features_tell_of_it(self):
        self.assertIn("power_actuation", self.succeed("signals").stdout)
        self.assertIn("formulas", self.succeed("features").stdout)


if __name__ == "__main__":
    unittest.main()

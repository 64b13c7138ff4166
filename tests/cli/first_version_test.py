"""Files of version 1 of the format, whose tables had no commit words: tests/output/version_1."""

import shutil
import subprocess
import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest

FILES = campaign.ROOT / "tests" / "output" / "version_1"


class FirstVersion(CliTest):
    def copy(self, name):
        shutil.copy(FILES / name, self.file)
        return read_ensemble.Ensemble(self.file)

    def plot(self):
        result = subprocess.run([campaign.ROOT / "scripts" / "plot", self.file], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_a_search_is_read_and_goes_on(self):
        before = self.copy("search.h5")
        self.assertEqual(before.attributes["schema_version"], 1)
        self.assertEqual(list(before.optimize["evaluations"]), [6, 12])
        self.assertIn("generation 2 of at most 6", self.succeed("status", self.file).stdout)
        self.assertIn("2 generations", self.plot())
        self.assertIn("stopped by generations after 6 generations", self.succeed("resume", self.file).stdout)
        after = read_ensemble.Ensemble(self.file)
        self.assertTrue(after.committed.all())
        kept = before.committed
        self.assertEqual(after.wall_seconds[kept].tobytes(), before.wall_seconds[kept].tobytes())
        # The machine that began it may have rounded otherwise. Two keys of the ground had defaults then, which decks
        # wrote out.
        deck = self.deck(before.deck.replace("velocity_threshold", "# velocity_threshold")
                         .replace("kinetic_friction", "# kinetic_friction"))
        self.succeed("run", deck, "--output", "whole.h5")
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(whole.attributes["schema_version"], 2)
        for name in ("evaluations", "best", "best_candidate", "generation_best", "sigma", "mean_vector", "stop", "last"):
            self.assertTrue(np.allclose(after.optimize[name], whole.optimize[name], rtol=1e-6), name)
        self.assertEqual(after.optimize["stop_names"], whole.optimize["stop_names"])

    def test_a_ladder_is_read_exported_and_told_again(self):
        ladder = self.copy("ladder.h5").convergence
        self.assertEqual((ladder["key"], ladder["reference"]), ("rod.elements", "finest"))
        self.assertIn("3 of 3 members finished", self.succeed("status", self.file).stdout)
        self.assertIn("against finest", self.plot())
        self.succeed("export", self.file, "--member", "1", "--format", "csv")
        self.assertIn("convergence over rod.elements against finest", self.succeed("resume", self.file).stdout)
        again = read_ensemble.Ensemble(self.file).convergence
        for name in ("n", "step", "spacing"):
            self.assertEqual(list(again[name]), list(ladder[name]), name)
        for name in ("L1", "L2", "Linf", "observed_order"):
            self.assertTrue(np.allclose(again[name], ladder[name], rtol=1e-6, equal_nan=True), name)

    def test_a_later_version_is_refused_with_a_sentence(self):
        import h5py

        self.copy("ladder.h5")
        with h5py.File(self.file, "r+") as file:
            file.attrs.modify("schema_version", np.int64(3))
        self.refuse("resume", self.file, mentions=["has schema version 3, this program reads versions 1 to 2"])


if __name__ == "__main__":
    unittest.main()

"""The installed tree, moved to another place: program, scripts, jobs, and a project that is built on the library."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import campaign

BUILD = pathlib.Path(campaign.RODEO).resolve().parent

CORD = """\
[study]
kind = sweep
objective = end_z
[sweep]
axis = rod.young_modulus : list(1e6, 2e6)
[rod]
elements = 10
length = 0.2
radius = 0.004
density = 1100
young_modulus = 3e6
poisson_ratio = 0.5
direction = 1, 0, 0
[boundary]
first = clamped
[gravity]
acceleration = 0, 0, -9.81
[time]
step = 2e-5
end = 0.02
[output]
frames = 3
"""


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)


@unittest.skipUnless((BUILD / "cmake_install.cmake").exists(), "the program stands in no build folder")
class InstalledTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-install-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        done = run("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.prefix = cls.folder / "moved"
        shutil.move(cls.folder / "first", cls.prefix)
        cls.deck = cls.folder / "cord.ini"
        cls.deck.write_text(CORD, encoding="utf-8")

    def expect(self, *command, **options):
        done = run(*command, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_names_no_folder_that_it_came_from(self):
        for path in self.prefix.rglob("*.cmake"):
            text = path.read_text(encoding="utf-8")
            self.assertNotIn(str(campaign.ROOT), text, path)
            self.assertNotIn("first", text, path)

    def test_runs_and_draws(self):
        root = self.prefix / "share" / "rodeo"
        self.assertIn("Kokkos", self.expect(self.prefix / "bin" / "rodeo", "--version"))
        for shell, name in (("bash", "bash-completion/completions/rodeo"), ("zsh", "zsh/site-functions/_rodeo"),
                            ("fish", "fish/vendor_completions.d/rodeo.fish")):
            self.assertEqual((self.prefix / "share" / name).read_text(encoding="utf-8"),
                             self.expect(self.prefix / "bin" / "rodeo", "completion", shell))
        self.expect(root / "build" / "rodeo", "check", root / "inputs" / "quickstart.ini")
        results = self.folder / "cord.h5"
        self.expect(self.prefix / "bin" / "rodeo", "run", self.deck, "--output", results, cwd=self.folder)
        self.expect(self.prefix / "bin" / "rodeo-plot", results)
        self.assertTrue((self.folder / "cord.png").exists())
        for script in ("one_node.sbatch", "campaign.bash", "environments/debian.bash"):
            self.assertTrue((root / "jobs" / script).exists(), script)

    def test_quickstart_runs_where_the_user_stands(self):
        """With fewer and shorter members, as the deck of the installed tree is the user's to change."""
        root, here = self.prefix / "share" / "rodeo", self.folder / "here"
        here.mkdir()
        deck = root / "inputs" / "quickstart.ini"
        whole = deck.read_text(encoding="utf-8")
        self.addCleanup(deck.write_text, whole, encoding="utf-8")
        deck.write_text(re.sub(r"(?m)^repeats = \d+", "repeats = 1", re.sub(r"(?m)^end = \d+", "end = 1", whole)), encoding="utf-8")
        self.assertIn("160 of 160 members", self.expect(root / "scripts" / "quickstart", cwd=here))
        self.assertTrue((here / "quickstart.png").exists())

    def test_an_image_gets_the_program_and_its_decks(self):
        """What scripts/container asks for."""
        image = self.folder / "image"
        self.expect("cmake", "--install", BUILD, "--prefix", image, "--component", "rodeo")
        self.assertEqual({path.name for path in image.iterdir()}, {"bin", "share"})
        root = image / "share" / "rodeo"
        self.expect(image / "bin" / "rodeo", "check", root / "inputs" / "quickstart.ini")
        self.assertTrue((root / "build" / "rodeo").exists())

    def test_a_project_of_ten_lines_runs_a_member(self):
        """With the bits that the program gives."""
        build = self.folder / "consumer"
        self.expect("cmake", "-S", campaign.ROOT / "tests" / "consumer", "-B", build, "-G", "Ninja",
                    f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Release")
        self.expect("cmake", "--build", build)
        values = [float.fromhex(line) for line in self.expect(build / "droop", self.deck).split()]
        results = self.folder / "compared.h5"
        self.expect(self.prefix / "bin" / "rodeo", "run", self.deck, "--output", results)
        self.assertEqual(values, list(campaign.read_ensemble.Ensemble(results).observables["end_z"]))
        wrong = run(build / "droop", self.folder / "nowhere.ini")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("nowhere.ini: cannot read this deck", wrong.stderr)


if __name__ == "__main__":
    unittest.main()

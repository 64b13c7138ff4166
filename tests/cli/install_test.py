"""The installed tree, moved to another place: program, scripts, jobs, and a project that is built on the library."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import campaign

BUILD = pathlib.Path(campaign.RODEO).resolve().parent

CONSUMER = campaign.ROOT / "tests" / "consumer"
sys.path.insert(0, str(CONSUMER))
from pulled_decks import BY_FORMULAS, BY_LAW

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
        done = run("cmake", "--install", BUILD, "--prefix", cls.folder / "before_the_move")
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.prefix = cls.folder / "moved"
        shutil.move(cls.folder / "before_the_move", cls.prefix)
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
            self.assertNotIn("before_the_move", text, path)

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

    def test_a_project_of_a_few_lines_runs_members(self):
        """With the bits that the program gives, and a law of control of its own, whose bits are those of formulas."""
        build = self.folder / "consumer"
        cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
        self.expect("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                    f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DKokkos_DIR={re.search('Kokkos_DIR:PATH=(.*)', cache)[1]}")
        self.expect("cmake", "--build", build, "--target", "droop", "pulled", "line_spring_test")
        self.assertIn("PASSED", self.expect(build / "line_spring_test"))

        pulled = [set(self.expect(build / "pulled", self.save(deck)).splitlines()) for deck in (BY_LAW, BY_FORMULAS)]
        self.assertEqual(pulled[0], pulled[1])
        self.assertEqual(len(pulled[0]), 1, "a member that was cloned has other bits")

        # Of the program with laws no more than how it would be compiled: tests/consumer/with_laws_test.py builds it.
        self.expect("cmake", "--build", build, "--target", "rodeo_with_laws-configure")
        compiled = (build / "rodeo_with_laws" / "build.ninja").read_text(encoding="utf-8")
        generated = build / "rodeo_with_laws" / "generated"
        for name, text in (("laws", "using Laws = LawList<LineSpring>;"), ("keys", "joined(rodeo::own::line_spring_keys)"),
                           ("control_laws", "return {DampedPull::kind()};")):
            self.assertIn(text, (generated / f"own_{name}.hpp").read_text(encoding="utf-8"))
            self.assertIn(f"generated/own_{name}.hpp", compiled)
        self.assertIn("line_spring ", (generated / "rodeo_revision.hpp").read_text(encoding="utf-8"))

        values = [float.fromhex(line) for line in self.expect(build / "droop", self.deck).split()]
        results = self.folder / "compared.h5"
        self.expect(self.prefix / "bin" / "rodeo", "run", self.deck, "--output", results)
        self.assertEqual(values, list(campaign.read_ensemble.Ensemble(results).observables["end_z"]))
        wrong = run(build / "droop", self.folder / "nowhere.ini")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("nowhere.ini: cannot read this deck", wrong.stderr)

    def save(self, deck):
        path = self.folder / "saved.ini"
        path.write_text(deck, encoding="utf-8")
        return path


class Laws(unittest.TestCase):
    """Folders of laws that are none: the build ends before it begins."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-laws-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, *folders):
        script = self.folder / "check.cmake"
        script.write_text(f"include({campaign.ROOT}/src/own_laws.cmake)\nrodeo_check_laws({' '.join(map(str, folders))})\n",
                          encoding="utf-8")
        done = run("cmake", "-P", script)
        self.assertNotIn("(dev)", done.stderr)
        return " ".join(done.stderr.split()) if done.returncode else ""

    def law(self, name, **changes):
        """That of the consumer project under a name, with a text in the place of another."""
        folder = self.folder / name
        shutil.copytree(CONSUMER / "line_spring", folder)
        for path in folder.iterdir():
            text = path.read_text(encoding="utf-8")
            for old, new in changes.items():
                text = text.replace(old, new)
            path.write_text(text, encoding="utf-8")
        return folder

    def test_mistakes_are_told(self):
        self.assertEqual(self.check(CONSUMER / "line_spring", CONSUMER / "damped_pull"), "")
        (self.folder / "empty").mkdir()
        alone = self.law("alone", LineSpring="Alone", line_spring="alone")
        (alone / "keys.hpp").unlink()
        for folder, sentence in (
            ("line_spring", "give it with its whole path"),
            (self.folder / "nowhere", "there is no such folder"),
            (self.law("Capital"), "should be of lower-case letters"),
            (self.folder / "empty", "it has neither law.hpp nor control_law.hpp"),
            (self.law("pull", line_spring="pull"), "law.hpp has no Pull in namespace rodeo::own"),
            (alone, "it has no keys.hpp"),
            (self.law("nameless", LineSpring="Nameless"), "keys.hpp has no list nameless_keys"),
            (self.law("load", LineSpring="Load", line_spring="load"), "rodeo has keys load.… of its own"),
            (self.law("hold", LineSpring="Hold", line_spring="hold", point="along"),
             "keys.hpp has hold.along, which is a key already"),
            (self.law("tie", **{"LineSpring": "Tie", '"line_spring.point': '"load.tether_point', "line_spring": "tie"}),
             "keys.hpp has load.tether_point, which is a key already"),
            (self.law("grip", **{"LineSpring": "Grip", '"line_spring.point': '"grips.point', "line_spring": "grip"}),
             "keys.hpp has grips.point; keys of this law begin with grip."),
        ):
            with self.subTest(sentence):
                self.assertIn(sentence, self.check(folder))
        (self.folder / "other").mkdir()
        self.assertIn("line_spring is called as", self.check(CONSUMER / "line_spring", self.law("other/line_spring")))


if __name__ == "__main__":
    unittest.main()

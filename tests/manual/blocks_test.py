"""What pages of the manual show, as it stands: decks, commands and programs, page by page, in a folder of their own."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from blocks import MANUAL, PAGES, ROOT, RUN, SHOWN, blocks

sys.path.insert(0, str(ROOT / "tests" / "cli"))
import campaign
import softrods

TUTORIAL = MANUAL / "start" / "own_problem.md"


def with_lines(deck, text):
    """A deck with further lines. Those of a repeatable key are added, or take the place of one that is about the same."""
    repeatable = {key.name for key in softrods.keys() if key.repeatable}
    section = ""
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if content.startswith("["):
            section = content.strip("[]")
        elif content:
            name, _, value = content.partition("=")
            key = f"{section}.{name.strip()}"
            if key in repeatable:
                about = value.partition(":")[0].strip()
                deck[key] = [line for line in map(str, deck[key]) if line.partition(":")[0].strip() != about] + [value.strip()]
            else:
                deck[key] = value.strip()
    return deck


class Blocks(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-manual-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def stand_in(self, page):
        """Where a reader stands: a folder with the program in build, and what else the repository has."""
        here = self.folder / str(page.relative_to(ROOT)).replace("/", "_")
        here.mkdir()
        (here / "build").symlink_to(pathlib.Path(campaign.RODEO).resolve().parent)
        for name in ("inputs", "scripts", "jobs", "src", "include"):
            (here / name).symlink_to(ROOT / name)
        return here

    def call(self, here, *command):
        environment = os.environ | {
            "RODEO": campaign.RODEO,
            "PYTHONPATH": str(ROOT / "src" / "python"),
            "MPLBACKEND": "Agg",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",  # of Open MPI 5
        }
        done = subprocess.run(
            list(map(str, command)), cwd=here, env=environment, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, f"{command[-1]}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def try_block(self, here, block):
        if block.mark == "in":
            base = here / block.said
            deck = with_lines(softrods.Deck.read(base).with_absolute_files(), block.text)
            (here / "changed.ini").write_text(str(deck), encoding="utf-8")
            self.call(here, here / "build" / "rodeo", "check", "changed.ini")
        elif block.file:
            (here / block.file).write_text(block.text, encoding="utf-8")
            if block.language == "ini":
                self.call(here, here / "build" / "rodeo", "check", block.file)
        elif block.language == "sh":
            self.call(here, "bash", "-euo", "pipefail", "-c", block.text)
        elif block.language == "python":
            self.call(here, "/usr/bin/python3", "-c", block.text)
        else:
            self.fail(f"a block of {block.language} without the name of a file: see src/manual/project/manual.md\n{block.text}")

    def try_page(self, page):
        """All blocks in order, as one may need what another has made. Returns the folder."""
        here = self.stand_in(page)
        for number, block in enumerate(blocks(page)):
            with self.subTest(page=str(page.relative_to(ROOT)), block=number + 1):
                if block.mark == "not run":
                    self.assertGreater(len(block.said.split()), 3, "a reason of a few words")
                    continue
                self.assertIn(block.language, RUN | SHOWN, f"neither run nor marked:\n{block.text}")
                if block.language not in SHOWN:
                    self.try_block(here, block)
        return here

    def test_all_run_or_say_why_not(self):
        for page in PAGES:
            if page != TUTORIAL:
                self.try_page(page)

    def test_the_tutorial_comes_to_what_it_says(self):
        here = self.try_page(TUTORIAL)
        for picture in ("cord.png", "cords.png", "levels.png"):
            self.assertTrue((here / picture).read_bytes().startswith(b"\x89PNG"), picture)
        heights = softrods.open(here / "cord.h5").trajectory(0)[1][:, -1, 2]
        self.assertLess(heights[-1], -0.03)
        self.assertLess(abs(heights[-1] - heights[-4]), 1e-3 * abs(heights[-1]), "the cord is not at rest")
        droops = softrods.open(here / "cords.h5").observables["tip_deflection"]
        self.assertTrue((np.diff(droops) < 0).all(), droops)
        self.assertLess(droops[0], 0.2)

    def test_the_example_of_the_readme_is_that_of_the_tutorial(self):
        decks = [next(block.text for block in blocks(page) if block.file == "cord.ini") for page in (ROOT / "README.md", TUTORIAL)]
        self.assertEqual(*decks)


if __name__ == "__main__":
    unittest.main()

"""What the tests of the Python package share: a folder of their own, and decks of milliseconds."""

import importlib.util
import os
import pathlib
import signal
import sys
import tempfile
import time
import unittest

import matplotlib

matplotlib.use("Agg")  # before pyplot, so that no display is needed

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "cli")]
if importlib.util.find_spec("softrods") is None:  # what pip installed, with its native module, is tested where it is
    sys.path[:0] = [str(ROOT / "src" / "python")]
import softrods  # before campaign, which takes that of the tree
import campaign

os.environ["RODEO"] = campaign.RODEO
PACKAGES = str(pathlib.Path(softrods.__file__).resolve().parents[1])  # what processes of their own find the same package in

# A cord that swings under its weight: 600 steps.
CORD = {
    "rod": {"elements": 5, "length": 0.2, "radius": 0.004, "density": 1100, "young_modulus": 2e6, "poisson_ratio": 0.5,
            "direction": (1, 0, 0)},
    "boundary": {"first": "clamped"},
    "gravity": {"acceleration": (0, 0, -9.81)},
    "time": {"step": 5e-5, "end": 0.03},
}


def interrupt_what_works():
    """Interrupts this process once it has worked for a fifth of a second, however long that takes."""
    begun = time.process_time()
    while time.process_time() < begun + 0.2:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def cord(**sections):
    """The deck of the cord with sections changed or added."""
    return softrods.Deck(**{name: CORD.get(name, {}) | sections.get(name, {}) for name in CORD | sections})


def cords(count=4, **sections):
    """A sweep over the cord's modulus."""
    return cord(study={"kind": "sweep"}, sweep={"axis": [f"rod.young_modulus : logspace(1e6, 1e7, {count})"]}, **sections)


class PackageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "campaign.h5"

    def run_alone(self, deck, overrides=None, **options):
        return softrods.run(deck, overrides, output=options.pop("output", self.file), launcher=None, progress=False, **options)

#!/usr/bin/python3
"""Workers that end while a campaign runs, where the launcher lets the others go on (mpirun --enable-recovery)."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import campaign
from campaign import read_ensemble, rodeo

RANKS = 4
LAUNCHER = subprocess.run([campaign.MPIRUN, "--version"], capture_output=True, text=True, check=False).stdout


@unittest.skipUnless("Open MPI" in LAUNCHER or "OpenRTE" in LAUNCHER, "only Open MPI's mpirun has --enable-recovery")
class Loss(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-loss-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "campaign.h5"
        self.deck = self.folder / "deck.ini"

    def start(self, deck):
        """Starts a campaign; returns mpirun once the campaign's file is there."""
        self.deck.write_text(deck, encoding="utf-8")
        process = subprocess.Popen(
            campaign.command("run", self.deck, "--output", self.file, ranks=RANKS,
                             launcher_options=["--enable-recovery"]),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        self.addCleanup(process.kill)
        campaign.wait_for_members(self.file, 0, process)
        campaign.wait_until(self.file.exists, process)
        self.ranks = campaign.ranks_of(process)
        return process

    def kill(self, *ranks):
        for rank in ranks:
            os.kill(self.ranks[rank], signal.SIGKILL)

    def running_since(self, instant):
        """How many members run, as the campaign has noted it after an instant; nothing before it has."""
        with h5py.File(self.file, "r", locking=False) as file:
            written, running = file["running"][:2]
        return running if written > instant else None

    def test_the_others_finish(self):
        process = self.start(campaign.long_deck(64, 5))
        campaign.wait_for_members(self.file, 4, process)
        self.kill(2)
        _, errors = process.communicate()
        self.assertIn("lost rank 2", errors)
        self.assertIn("1 rank was lost on the way: 2", errors)
        whole = rodeo("run", self.deck, "--output", self.folder / "whole.h5", ranks=2)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        survived = read_ensemble.Ensemble(self.file)
        self.assertTrue(survived.committed.all())
        self.assertEqual(campaign.differences(read_ensemble.Ensemble(self.folder / "whole.h5"), survived), [])

    def test_a_member_that_ends_two_workers_is_set_aside(self):
        # Rank r runs member r first, and ranks 0 and 1 have members 4 and 5 to come.
        process = self.start(campaign.waiting_deck((8,), repeats=6))
        campaign.wait_until(lambda: self.running_since(0) == 4, process)
        self.kill(1)
        campaign.wait_for_members(self.file, 3, process)
        now = time.time()
        campaign.wait_until(lambda: self.running_since(now) == 3, process)
        self.kill(2, 3)  # which have members 1 and 5 now
        _, errors = process.communicate()
        self.assertIn("member 1 ended two workers", errors)
        self.assertIn("3 ranks were lost on the way: 1 2 3", errors)
        ensemble = read_ensemble.Ensemble(self.file)
        names = [read_ensemble.STATUS_NAMES[status] for status in ensemble.status]
        self.assertEqual(names, ["done", "failed", "done", "done", "done", "done"])

    def test_workers_do_not_outlive_the_master(self):
        process = self.start(campaign.waiting_deck((0.2,), repeats=400))
        campaign.wait_for_members(self.file, 8, process)
        self.kill(0)
        process.communicate()
        stopped = read_ensemble.Ensemble(self.file)
        self.assertFalse(stopped.committed.all())
        status = rodeo("status", self.file)
        self.assertIn("not running", status.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)

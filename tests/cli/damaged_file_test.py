"""Campaigns whose file has lost a byte."""

import concurrent.futures
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

import campaign
from campaign import SMALL_MEMBERS, read_ensemble
from cli_test_case import BAD_INPUT, DONE, CliTest

PLACES = 300
MOST_MEMORY = 300 * 1024  # KiB
MOST_SECONDS = 5


class DamagedFile(CliTest):
    def look(self, broken):
        """Exit code, most memory in KiB, output and errors of rodeo status for a file with these bytes."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            path = pathlib.Path(folder) / "broken.h5"
            path.write_bytes(broken)
            # Texts of the file are told as they are, and the wrong byte may stand in one.
            texts = {"mode": "w+", "encoding": "utf-8", "errors": "replace"}
            with open(path.with_suffix(".out"), **texts) as out, open(path.with_suffix(".err"), **texts) as err:
                process = subprocess.Popen(campaign.command("status", path), stdout=out, stderr=err)
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                out.seek(0)
                err.seek(0)
                return process.returncode, usage.ru_maxrss, out.read(), err.read()

    def test_status_of_a_file_with_a_wrong_byte_answers_or_says_what_is_wrong(self):
        self.succeed("run", self.deck(), "--output", self.file)
        whole = self.file.read_bytes()

        def broken(seed):
            random_number = random.Random(seed)
            copy = bytearray(whole)
            copy[random_number.randrange(len(copy))] ^= random_number.randrange(1, 256)
            return copy

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda seed: self.look(broken(seed)), range(PLACES)))
        refused = 0
        for seed, (code, memory, out, err) in enumerate(results):
            with self.subTest(seed=seed):
                self.assertIn(code, (DONE, BAD_INPUT), err)
                self.assertLess(memory, MOST_MEMORY)
                if code == DONE:
                    # One row at the most has lost a byte.
                    self.assertRegex(out, rf"({SMALL_MEMBERS}|{SMALL_MEMBERS - 1}) of {SMALL_MEMBERS} members finished")
                else:
                    refused += 1
                    self.assertRegex(err, r"^rodeo: error: .*broken\.h5.*\n$")
        self.assertGreater(refused, 5, "the bytes that matter were never hit")

    def test_a_wrong_address_of_a_table_is_found(self):
        self.succeed("run", self.deck(), "--output", self.file)
        whole = self.file.read_bytes()
        with h5py.File(self.file) as file:
            tables = {name: table.id for name, table in file["members"].items()}
            layouts = {name: (table.get_offset(), table.get_storage_size()) for name, table in tables.items()}
        for name, (offset, size) in layouts.items():
            with self.subTest(table=name):
                # Other numbers of the file may be the same as an address alone.
                entry, wrong = (place.to_bytes(8, "little") + size.to_bytes(8, "little") for place in (offset, offset ^ 60))
                self.assertEqual(whole.count(entry), 1)
                code, _, _, err = self.look(whole.replace(entry, wrong))
                self.assertEqual(code, BAD_INPUT)
                self.assertRegex(err, r"^rodeo: error: .*broken\.h5 is damaged: .*\n$")

    def test_parameters_with_wrong_names(self):
        self.succeed("run", self.deck(), "--study.objective=total_energy", "--output", self.file)
        with h5py.File(self.file, "r+") as file:
            names = file["members/parameters"].attrs["names"]
            file["members/parameters"].attrs.modify("names", np.array([b"rod.\x87\x1bend"] + list(names[1:]), dtype=names.dtype))
        best = self.call("best", self.file)
        self.assertEqual(best.returncode, BAD_INPUT)
        self.assertRegex(best.stderr, r"^rodeo: error: .*campaign\.h5 is damaged: its parameters: unknown key 'rod\.\\x87\\x1bend'")
        self.assertFalse((self.folder / "campaign_best.h5").exists())


class DamagedRow(CliTest):
    """A row that lost a bit is told, and its member runs again, whatever the study is and whichever row: with the same bits."""

    STUDIES = {
        "sweep": campaign.SMALL_DECK,
        "search": campaign.search_deck(6, 0),
        "search ahead": campaign.search_deck(6, 0) + "mode = asynchronous\n",
        "scenarios": campaign.scenarios_deck(4, 0),
        "ladder": campaign.climbing_deck(1e-4),
        "sensitivity": campaign.sensitivity_deck(128, 0),
        "boundary": campaign.boundary_deck(),
    }

    def damage(self, dataset, member):
        """Flips a bit of a member's row."""
        with h5py.File(self.file) as file:
            rows = file[dataset]
            width = rows.size // rows.shape[0] * rows.dtype.itemsize
            place = rows.id.get_offset() + member * width + width // 2
        with self.file.open("r+b") as file:
            file.seek(place)
            byte = file.read(1)[0]
            file.seek(place)
            file.write(bytes([byte ^ 4]))

    def check(self, whole, dataset, member):
        self.damage(dataset, member)
        found = json.loads(self.succeed("status", self.file, "--json").stdout)
        self.assertEqual((found["damaged"], found["complete"]), (1, False))
        self.assertIn("1 row is damaged: rodeo resume runs its member again", self.succeed("status", self.file).stdout)
        self.assertIn(", 1 of them in this run", self.succeed("resume", self.file).stdout)
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])
        found = json.loads(self.succeed("status", self.file, "--json").stdout)
        self.assertEqual((found["damaged"], found["complete"]), (0, True))

    def test_any_row_of_any_study(self):
        for study, deck in self.STUDIES.items():
            self.succeed("run", self.deck(deck), "--output", self.file, "--overwrite")
            whole_file = self.folder / "whole.h5"
            shutil.copy(self.file, whole_file)
            whole = read_ensemble.Ensemble(whole_file)
            members = np.flatnonzero(whole.committed)
            for member in members[[0, len(members) // 4, -1]]:
                with self.subTest(study=study, member=member):
                    self.check(whole, "members/observables", member)

    def test_two_rows_of_a_search(self):
        self.succeed("run", self.deck(self.STUDIES["search"]), "--output", self.file)
        shutil.copy(self.file, self.folder / "whole.h5")
        for member in (3, 25):
            self.damage("members/observables", member)
        self.assertIn("2 rows are damaged: rodeo resume runs their members again", self.succeed("status", self.file).stdout)
        self.succeed("resume", self.file)
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_frames(self):
        self.succeed("run", self.deck(), "--output", self.file)
        shutil.copy(self.file, self.folder / "whole.h5")
        self.check(read_ensemble.Ensemble(self.folder / "whole.h5"), "trajectories/position", 4)


if __name__ == "__main__":
    unittest.main()

"""Files of campaigns as numpy, pandas and xarray."""

import subprocess
import unittest

import h5py
import numpy as np

from package_test_case import PackageTest, campaign, cord, cords, softrods
from softrods import ensemble


class File(PackageTest):
    def test_members_and_dataset_hold_what_the_file_holds(self):
        file = self.run_alone(cords(output={"frames": 4, "fields": "velocity, radius, orientation", "observables": "end_z"}))
        table, data = file.members, file.dataset
        with h5py.File(self.file) as stored:
            names = [name.decode() for name in stored["members/observables"].attrs["names"]]
            rows, position = stored["members/observables"][:], stored["trajectories/position"][:]
        self.assertEqual(list(table["status"]), ["done"] * 4)
        self.assertEqual(table.index.name, "member")
        for place, name in enumerate(names):
            for found in (file.observables[name], table[name], data[name]):
                np.testing.assert_array_equal(found, rows[:, place], name)
        np.testing.assert_array_equal(table["rod.young_modulus"], data.coords["rod.young_modulus"])
        self.assertEqual(data["end_z"].attrs["units"], "m")
        self.assertEqual(data["end_z_history"].dims, ("member", "frame"))
        self.assertEqual(data["position"].dims, ("member", "frame", "node", "axis"))
        self.assertEqual(data["velocity"].attrs["units"], "m/s")
        self.assertEqual(data["orientation"].dims[-1], "quaternion")
        self.assertEqual(data["radius"].dims, ("member", "frame", "node"))
        picked = data["position"].sel(axis="z").isel(member=[3, 1], frame=-1)
        np.testing.assert_array_equal(picked, position[[3, 1], -1, :, 2])
        np.testing.assert_array_equal(file.trajectory(2)[1], position[2])
        with self.assertRaisesRegex(softrods.EnsembleError, "holds no 'endz'; did you mean 'end_z'?"):
            file.observables["endz"]

    def test_fields_of_later_revisions_are_read_too(self):
        plain = self.run_alone(cords(output={"frames": 2}))
        with h5py.File(self.file, "r+") as stored:
            stored["trajectories/strain"] = stored["trajectories/position"][:] / 2
        data = softrods.open(self.file).dataset
        self.assertEqual(data["strain"].dims, ("member", "frame", "node", "strain_component"))
        np.testing.assert_array_equal(data["strain"], plain.dataset["position"] / 2)

    def test_columns_of_large_tables_are_read_when_asked_for(self):
        whole = self.run_alone(cords())
        at_once, ensemble.READ_AT_ONCE = ensemble.READ_AT_ONCE, 0
        self.addCleanup(setattr, ensemble, "READ_AT_ONCE", at_once)
        lazy = softrods.open(self.file)
        for name in whole.observables:
            self.assertEqual(lazy.observables[name].tobytes(), whole.observables[name].tobytes(), name)
        self.assertEqual(softrods.open(self.file).members.to_csv(), whole.members.to_csv())
        passing = softrods.open(self.file)
        passing.observables["end_z"]
        for name, column in passing.observables.one_by_one():
            self.assertEqual(column.tobytes(), whole.observables[name].tobytes(), name)
        self.assertEqual(list(passing.observables._read), ["end_z"])  # what nobody asked for is not kept

    def test_members_that_are_not_finished_have_no_numbers(self):
        self.run_alone(cords(output={"frames": 2}))
        with h5py.File(self.file, "r+") as stored:
            stored["members/commit"][1] = 0
        file = softrods.open(self.file)
        self.assertEqual(list(file.members["status"]), ["done", "pending", "done", "done"])
        for values in (file.observables["end_z"], file.members["end_z"], file.dataset["end_z"], file.dataset["time"][:, 0],
                       file.dataset["position"][:, 0, 0, 0], file.dataset["end_z"][[0, 1, 2, 3]]):
            self.assertEqual(list(np.isfinite(values)), [True, False, True, True])
        self.assertTrue(np.isnan(file.dataset["position"][1]).all())

    def test_damaged_rows_count_as_not_finished(self):
        self.run_alone(cords(5, output={"frames": 3, "fields": "velocity", "observables": "end_z"}))
        whole = self.file.read_bytes()
        with h5py.File(self.file) as stored:
            places = {name: (dataset.id.get_offset(), dataset.nbytes // len(dataset))
                      for name, dataset in stored["members"].items() if name != "commit" and not name.endswith("_name")}
            labels = {name: (dataset.id.get_offset(), dataset.nbytes // len(dataset))
                      for name, dataset in stored["members"].items() if name.endswith("_name")}
            frames = {name: (stored["trajectories"][name].id.get_offset(), stored["trajectories"][name].nbytes // 5)
                      for name in ("time", "position", "velocity", "observables/end_z")}

        def damage(offset, size):
            copy = bytearray(whole)
            copy[offset + 3 * size + size // 2] ^= 0x10
            self.file.write_bytes(copy)
            return softrods.open(self.file)

        for name, place in places.items():
            with self.subTest(column=name):
                self.assertEqual(damage(*place).committed.tolist(), [True, True, True, False, True])
        for name, (offset, size) in labels.items():
            with self.subTest(labels=name), self.assertRaisesRegex(softrods.EnsembleError, f"/members/{name} is not as it was"):
                damage(offset - 3 * size, size)
        for name, place in frames.items():
            with self.subTest(field=name):
                file = damage(*place)
                self.assertTrue(file.committed.all())  # its scalars are sound
                file.trajectory(2)
                with self.assertRaisesRegex(softrods.EnsembleError, "The frames of member 3 of .* are damaged"):
                    file.trajectory(3)

    def test_damaged_rows_of_tables_are_left_out(self):
        file = self.run_alone(softrods.Deck(campaign.search_deck(3, 0)))
        self.assertEqual(len(file.optimize["best"]), 3)
        with h5py.File(self.file, "r+") as stored:
            stored["optimize/sigma"][1] *= 2
        self.assertEqual(softrods.open(self.file).optimize["generation"].tolist(), [0, 2])

    def test_packed_files_read_the_same(self):
        plain = self.run_alone(cords(output={"frames": 3}))
        packed = self.folder / "packed.h5"
        tables = "/members/observables,/trajectories/position"
        subprocess.run(["h5repack", "-f", f"{tables}:SHUF", "-f", f"{tables}:GZIP=4", self.file, packed], check=True)
        with h5py.File(packed) as stored:
            self.assertEqual(stored["members/observables"].compression, "gzip")
        other = softrods.open(packed)
        self.assertEqual(other.members.to_csv(), plain.members.to_csv())
        np.testing.assert_array_equal(other.dataset["position"], plain.dataset["position"])

    def test_members_of_different_nodes_stand_in_rows(self):
        deck = cord(study={"kind": "sweep"}, sweep={"axis": "rod.elements : list(4, 6)"}, output={"frames": 3})
        file = self.run_alone(deck)
        data = file.dataset
        self.assertEqual(data["position"].dims, ("row", "axis"))
        nodes, first = int(data["nodes"][1]), int(data["first_row"][1])
        self.assertEqual(nodes, 7)
        rows = data["position"][first : first + 3 * nodes].to_numpy().reshape(3, nodes, 3)
        np.testing.assert_array_equal(rows, file.trajectory(1)[1])

    def test_words_are_categories(self):
        deck = cord(study={"kind": "sweep"}, sweep={"axis": "boundary.last : list(pinned, free)"})
        file = self.run_alone(deck)
        self.assertEqual(list(file.members["boundary.last"]), ["pinned", "free"])

    def test_tables_of_studies(self):
        deck = cord(study={"kind": "convergence"}, convergence={"axis": "rod.elements : list(5, 10, 20)"}, output={"frames": 2},
                    time={"step": 2e-5})
        table = self.run_alone(deck).table("convergence")
        self.assertEqual(list(table["n"]), [5, 10, 20])
        self.assertIn("observed_order[L2]", table)
        with self.assertRaisesRegex(softrods.EnsembleError, "no table 'optimize'; there are: convergence"):
            softrods.open(self.file).table("optimize")

    def test_provenance_and_deck(self):
        file = self.run_alone(cord())
        self.assertEqual(file.dataset.attrs["git_revision"], file.attributes["git_revision"])
        self.assertEqual(softrods.Deck(file.deck).rod.length, 0.2)

    def test_what_is_no_campaign_is_said_in_a_sentence(self):
        with self.assertRaisesRegex(softrods.EnsembleError, "does not exist"):
            softrods.open(self.folder / "none.h5")

    def test_reading_imports_nothing_that_it_does_not_need(self):
        code = "import sys, softrods; print([name for name in ('pandas', 'xarray', 'matplotlib') if name in sys.modules])"
        said = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, check=True,
                              env={"PYTHONPATH": softrods.__path__[0] + "/.."})
        self.assertEqual(said.stdout.strip(), "[]")


if __name__ == "__main__":
    unittest.main()

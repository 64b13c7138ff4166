"""What a campaign's file tells xarray, netCDF and h5py of its dimensions and units."""

import pathlib
import sys
import unittest

import h5py
import numpy as np

from campaign import SMALL_DECK, SMALL_MEMBERS
from cli_test_case import CliTest

sys.path.append(str(pathlib.Path(__file__).parents[2] / "src" / "manual"))
from layout import STUDIES


class Dimensions(CliTest):
    def names(self, dataset):
        """The scale of each dimension, as readers of netCDF find it."""
        for dimension in dataset.dims:
            self.assertEqual(len(dimension), 1, dataset.name)
            self.assertTrue(h5py.h5ds.is_scale(dimension[0].id))
        return [dimension[0].name.lstrip("/") for dimension in dataset.dims]

    def test_every_dataset_of_members_and_frames_has_named_dimensions(self):
        self.succeed("run", self.deck(), "--output", self.file, "--output.fields=curvature, radius",
                     "--output.observables=total_energy")
        with h5py.File(self.file, "r") as file:
            for dataset in list(file["members"].values()) + list(file["trajectories"].values()):
                if isinstance(dataset, h5py.Dataset) and not dataset.name.endswith("_name"):
                    self.assertEqual(self.names(dataset)[0], "member", dataset.name)
                    self.assertTrue(all(scale[0].shape == (length,) for scale, length in zip(dataset.dims, dataset.shape)))
            self.assertEqual(self.names(file["members/observables"]), ["member", "observable"])
            self.assertEqual(self.names(file["members/parameters"]), ["member", "parameter"])
            self.assertEqual(self.names(file["trajectories/position"]), ["member", "frame", "node", "position_component"])
            self.assertEqual(self.names(file["trajectories/observables/total_energy"]), ["member", "frame"])
            self.assertEqual(self.names(file["members/observable_name"]), ["observable", "observable_name_character"])
            names = [b"".join(row).decode() for row in file["members/observable_name"][:]]
            self.assertEqual(names, [name.decode() for name in file["members/observables"].attrs["names"]])
            self.assertEqual([unit.decode() for unit in file["members/parameters"].attrs["units"]],
                             [{"load.axial_force": "N", "rod.bend_stiffness": "N m^2"}[name.decode()] for name in file["members/parameters"].attrs["names"]])
            self.assertEqual(len(file["members/status"].attrs["flag_values"]),
                             len(file["members/status"].attrs["flag_meanings"].split()))
            units = {name: file[name].attrs["units"] for name in ("trajectories/position", "trajectories/time", "trajectories/curvature",
                                                                 "trajectories/observables/total_energy", "members/wall_seconds")}
            self.assertEqual([unit.decode() for unit in units.values()], ["m", "s", "1/m", "J", "s"])
            self.assertEqual(file["member"].shape, (SMALL_MEMBERS,))
            self.assertEqual(file["member"].id.get_storage_size(), 0)

    def test_every_dataset_of_every_study_says_what_it_holds(self):
        """Dimensions with names, a text, and units: of what is a number of one kind."""
        mixed = {"constraints/multiplier", "constraints/factor", "sensitivity/mean", "sensitivity/deviation", "sensitivity/quantiles"}
        for study, deck in STUDIES.items():
            self.succeed("run", self.deck(deck), "--output", self.file, "--overwrite")
            with h5py.File(self.file, "r") as file:
                def look(path, item):
                    if not isinstance(item, h5py.Dataset) or "CLASS" in item.attrs:
                        return
                    with self.subTest(study=study, dataset=path):
                        self.names(item)
                        # A column may be called as it is; what has no text has its own name.
                        self.assertNotEqual(item.attrs["long_name"].decode(), path.rpartition("/")[2])
                        if item.dtype.kind != "S" and path not in mixed:
                            units = np.array(item.attrs["units"])
                            self.assertIn(units.shape, [(), item.shape[-1:]])
                            self.assertTrue((units != b"").all())

                file.visititems(look)

    def test_scales_are_dimensions_of_netcdf(self):
        """The netCDF library knows by this text, and by nothing else, that a scale is no variable."""
        self.succeed("run", self.deck(), "--output", self.file)
        with h5py.File(self.file, "r") as file:
            for name in ("member", "frame", "observable"):
                text = file[name].attrs["NAME"].decode()
                self.assertEqual(text[:53], "This is a netCDF dimension but not a netCDF variable.")
                self.assertEqual(int(text[53:]), len(file[name]))

    def test_members_with_other_numbers_of_nodes_have_rows(self):
        deck = self.deck(SMALL_DECK.replace("axis = load.axial_force : list(2, 60)", "axis = rod.elements : list(8, 12)"))
        self.succeed("run", deck, "--output", self.file, "--study.repeats=1", "--time.end=0.1")
        with h5py.File(self.file, "r") as file:
            self.assertEqual(self.names(file["trajectories/position"]), ["row", "position_component"])
            self.assertEqual(self.names(file["trajectories/nodes"]), ["member"])

    def test_files_of_equal_campaigns_have_equal_scales(self):
        """Where references point to and what they are kept in are the same bytes."""
        for name in ("one.h5", "two.h5"):
            self.succeed("run", self.deck(), "--output", name, "--study.kind=single", "--time.end=0.01", "--output.frames=0")
        one, two = ((self.folder / name).read_bytes() for name in ("one.h5", "two.h5"))
        self.assertEqual(len(one), len(two))
        begin = one.index(b"GCOL")
        self.assertEqual(one[begin : begin + 4096], two[begin : begin + 4096])


if __name__ == "__main__":
    unittest.main()

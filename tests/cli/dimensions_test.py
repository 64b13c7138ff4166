"""What a campaign's file tells xarray, netCDF and h5py of its dimensions and units."""

import unittest

import h5py

from campaign import SMALL_DECK, SMALL_MEMBERS
from cli_test_case import CliTest


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
                if isinstance(dataset, h5py.Dataset):
                    self.assertEqual(self.names(dataset)[0], "member", dataset.name)
                    self.assertTrue(all(scale[0].shape == (length,) for scale, length in zip(dataset.dims, dataset.shape)))
            self.assertEqual(self.names(file["members/observables"]), ["member", "observable"])
            self.assertEqual(self.names(file["members/parameters"]), ["member", "parameter"])
            self.assertEqual(self.names(file["trajectories/position"]), ["member", "frame", "node", "position_component"])
            self.assertEqual(self.names(file["trajectories/observables/total_energy"]), ["member", "frame"])
            units = {name: file[name].attrs["units"] for name in ("trajectories/position", "trajectories/time", "trajectories/curvature",
                                                                 "trajectories/observables/total_energy", "members/wall_seconds")}
            self.assertEqual([unit.decode() for unit in units.values()], ["m", "s", "1/m", "J", "s"])
            self.assertEqual(file["member"].shape, (SMALL_MEMBERS,))
            self.assertEqual(file["member"].id.get_storage_size(), 0)

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

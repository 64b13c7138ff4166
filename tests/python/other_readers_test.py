"""What other people's programs read of campaigns and exports: xarray by netCDF's libraries, meshio and USD, where they are
installed. tests/cli/dimensions_test.py asks plain h5py for the same names."""

import importlib.util
import pathlib
import subprocess
import unittest
import warnings
import xml.etree.ElementTree

import h5py
import numpy as np
import xarray

from package_test_case import ROOT, PackageTest, cords, softrods

LIBRARIES = {"h5netcdf": "h5netcdf", "netCDF4": "netCDF4", "meshio": "meshio", "pxr": "usd-core", "trimesh": "trimesh", "bpy": "bpy"}


def needs(module):
    return unittest.skipIf(importlib.util.find_spec(module) is None, f"not installed: {LIBRARIES[module]} (PyPI)")


def drawn(file, member, path):
    """What `rodeo render` writes of a member."""
    subprocess.run([ROOT / "scripts" / "render", file, "--member", str(member), "-o", path], capture_output=True, check=True)
    return str(path)


class OtherReaders(PackageTest):
    def swept(self):
        return self.run_alone(cords(output={"frames": 4, "fields": "velocity, radius", "observables": "end_z"}))

    def read_by(self, engine):
        """The groups as xarray sees them, without a warning, against the package's own numbers."""
        file = self.swept()
        position = file.trajectory(2)[1]  # before HDF5 has the file open with locks
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            groups = {group: xarray.open_dataset(self.file, group=group, engine=engine)
                      for group in ("/", "members", "trajectories", "trajectories/observables")}
        for data in groups.values():
            self.addCleanup(data.close)
            self.assertFalse([name for name in data.sizes if name.startswith("phony")])
        members, frames = groups["members"], groups["trajectories"]
        named = members.observables.swap_dims(observable="observable_name")
        np.testing.assert_array_equal(named.sel(observable_name="end_z"), file.observables["end_z"])
        keys = members.parameters.swap_dims(parameter="parameter_name")
        np.testing.assert_array_equal(keys.sel(parameter_name="rod.young_modulus"), file.parameters["rod.young_modulus"])
        self.assertEqual(sorted(members.observables.coords), ["candidate", "observable_name", "repeat", "seed", "status"])
        self.assertEqual(frames.position.dims, ("member", "frame", "node", "position_component"))
        self.assertEqual(frames.position.attrs["units"], "m")
        self.assertEqual(frames.position.attrs["long_name"], "position of the node")
        self.assertEqual(frames.velocity.coords["time"].attrs["units"], "s")
        np.testing.assert_array_equal(frames.position[2], position)
        self.assertEqual(groups["trajectories/observables"].end_z.dims, ("member", "frame"))

    @needs("h5netcdf")
    def test_xarray_by_h5netcdf(self):
        self.read_by("h5netcdf")

    @needs("netCDF4")
    def test_xarray_by_netcdf4(self):
        self.read_by("netcdf4")

    @needs("netCDF4")
    def test_dimensions_are_no_variables(self):
        import netCDF4

        self.swept()
        with netCDF4.Dataset(self.file) as file:
            self.assertEqual(sorted(file.variables), ["deck", "running"])
            self.assertEqual(len(file.dimensions["member"]), 4)

    @needs("netCDF4")
    def test_grids_are_written_and_read(self):
        file = self.swept()
        file.grid.to_netcdf(self.folder / "grid.nc", engine="netcdf4")
        with xarray.open_dataset(self.folder / "grid.nc", engine="netcdf4") as read:
            np.testing.assert_array_equal(read["end_z"], file.observables["end_z"])
            self.assertEqual(read["rod.young_modulus"].attrs["units"], "Pa")

    def drawn(self, name):
        return drawn(self.file, 1, self.folder / name)

    @needs("meshio")
    def test_meshio_reads_the_frames(self):
        import meshio

        file = self.swept()
        time, position = file.trajectory(1)
        with meshio.xdmf.TimeSeriesReader(self.drawn("lines.xdmf")) as reader:
            points, (lines,) = reader.read_points_cells()
            np.testing.assert_array_equal(points, position[0])
            self.assertEqual(lines.type, "line")
            np.testing.assert_array_equal(lines.data, [[k, k + 1] for k in range(5)])
            self.assertEqual(reader.num_steps, 4)
            for k in range(4):
                at, of_points, of_cells = reader.read_data(k)
                self.assertEqual(at, time[k])
                np.testing.assert_array_equal(of_points["position"], position[k])
                np.testing.assert_array_equal(of_points["radius"], file.trajectory(1, "radius")[1][k, :, 0])
                np.testing.assert_array_equal(of_cells["rod"], [[0] * 5])

    @needs("pxr")
    def test_usd_reads_the_curves(self):
        from pxr import Usd, UsdGeom

        file = self.swept()
        time, position = file.trajectory(1)
        stage = Usd.Stage.Open(self.drawn("curves.usda"))
        curves = UsdGeom.BasisCurves(stage.GetDefaultPrim())
        self.assertEqual(UsdGeom.GetStageMetersPerUnit(stage), 1)
        self.assertEqual(UsdGeom.GetStageUpAxis(stage), "Z")
        self.assertEqual(list(curves.GetCurveVertexCountsAttr().Get()), [6])
        for k in range(4):
            np.testing.assert_allclose(curves.GetPointsAttr().Get(k), position[k], atol=1e-7)
            np.testing.assert_allclose(curves.GetWidthsAttr().Get(k), 2 * file.trajectory(1, "radius")[1][k, :, 0], rtol=1e-6)
            self.assertEqual(curves.GetPrim().GetAttribute("rodeo:time").Get(k), time[k])

    @needs("pxr")
    def test_usd_has_the_widths_of_the_deck(self):
        from pxr import Usd, UsdGeom

        self.run_alone(cords(rod={"end_radius": 0.002}, output={"frames": 2}))
        stage = Usd.Stage.Open(self.drawn("curves.usda"))
        curves = UsdGeom.BasisCurves(stage.GetDefaultPrim())
        np.testing.assert_allclose(curves.GetWidthsAttr().Get(), np.linspace(0.008, 0.004, 6), rtol=1e-6)


class Scenes(PackageTest):
    """Two rods as plain readers see them: h5py, an XML parser, the text itself."""

    def setUp(self):
        super().setUp()
        rods = {"count": 2, "each": ["rod.length : list(rod.length, rod.length/2)", "rod.origin[1] : list(0, 0.1)"]}
        self.campaign = self.run_alone(cords(rod=rods, output={"frames": 4, "fields": "velocity, radius", "observables": "bending_energy"}))

    def test_xdmf_has_whole_datasets_for_each_frame(self):
        path = pathlib.Path(drawn(self.file, 1, self.folder / "lines.xdmf"))

        def read(item):
            name, dataset = item.text.split(":")
            with h5py.File(path.with_name(name), "r") as file:
                stored = file[dataset]
                self.assertEqual([int(size) for size in item.get("Dimensions").split()], list(stored.shape))
                self.assertEqual(int(item.get("Precision")), stored.dtype.itemsize)
                return stored[()]

        frames = xml.etree.ElementTree.parse(path).getroot().findall("Domain/Grid/Grid")
        time, energy = self.campaign.history(1, "bending_energy")
        self.assertEqual([float(frame.find("Time").get("Value")) for frame in frames], list(time))
        for k, frame in enumerate(frames):
            topology = frame.find("Topology")
            self.assertEqual(topology.get("TopologyType"), "Polyline")
            np.testing.assert_array_equal(read(topology.find("DataItem")), [[i, i + 1] for i in (*range(5), *range(6, 11))])
            found = {one.get("Name"): (one.get("Center"), read(one.find("DataItem"))) for one in frame.findall("Attribute")}
            self.assertEqual(sorted(found), ["position", "radius", "rod", "velocity"])
            self.assertEqual(found["rod"][0], "Cell")
            np.testing.assert_array_equal(found["rod"][1], [0] * 5 + [1] * 5)
            for name in ("position", "velocity"):
                self.assertEqual(found[name][0], "Node")
                np.testing.assert_array_equal(found[name][1], self.campaign.trajectory(1, name)[1][k])
            self.assertEqual(frame.find("Information").get("Name"), "bending_energy")
            self.assertEqual(float(frame.find("Information").get("Value")), energy[k])

    def test_usd_has_a_curve_for_each_rod(self):
        text = pathlib.Path(drawn(self.file, 1, self.folder / "curves.usda")).read_text(encoding="utf-8")
        self.assertTrue(text.startswith("#usda 1.0\n"))
        for line in ("int[] curveVertexCounts = [6, 6]", "endTimeCode = 3", 'upAxis = "Z"', "        0: [(0.0, 0.0, 0.0), (0.04, 0.0, 0.0), "):
            self.assertIn(line, text)
        time, position = self.campaign.trajectory(1)
        for k in range(4):
            x, y, z = map(str, position[k, 7].astype(np.float32))
            self.assertIn(f"({x}, {y}, {z})", text)
            self.assertIn(f"        {k}: {time[k]},\n", text)


class GridTest(PackageTest):
    def test_axes_are_dimensions(self):
        deck = cords(2)
        deck.sweep.axis = ["rod.young_modulus : list(1e6, 4e6, 2e6)", "boundary.last : list(free, pinned)"]
        deck.study.repeats = 2
        deck.load.perturbation = 1e-6
        file = self.run_alone(deck)
        grid = file.grid
        self.assertEqual(dict(grid.sizes), {"rod.young_modulus": 3, "boundary.last": 2, "repeat": 2})
        self.assertEqual(list(grid["boundary.last"].values), ["free", "pinned"])
        for member in range(len(file)):
            at = {"rod.young_modulus": file.parameters["rod.young_modulus"][member], "repeat": file.repeat[member],
                  "boundary.last": file.parameter_text("boundary.last", file.parameters["boundary.last"][member])}  # fmt: skip
            self.assertEqual(float(grid["end_z"].sel(at)), file.observables["end_z"][member])
            self.assertEqual(int(grid["status"].sel(at)), file.status[member])
        self.assertEqual(grid["end_z"].attrs["units"], "m")

    def test_keys_that_move_together_share_a_dimension(self):
        deck = cords(2)
        deck.sweep.axis = ["rod.young_modulus : list(1e6, 4e6) with rod.radius : list(0.004, 0.003)"]
        grid = self.run_alone(deck).grid
        self.assertEqual(dict(grid.sizes), {"rod.young_modulus": 2})
        self.assertEqual(grid["rod.radius"].dims, ("rod.young_modulus",))

    def test_what_is_not_there_is_nan(self):
        import h5py

        self.run_alone(cords(3))
        with h5py.File(self.file, "r+") as stored:
            stored["members/commit"][1] = 0
        grid = softrods.open(self.file).grid
        np.testing.assert_array_equal(np.isnan(grid["end_z"]), [False, True, False])
        np.testing.assert_array_equal(grid["status"], [1, 0, 1])

    def test_points_of_a_sampler_are_no_grid(self):
        deck = cords(2)
        deck.sweep.sampler, deck.sweep.samples = "latin_hypercube", 4
        deck.sweep.axis = ["rod.young_modulus : linspace(1e6, 1e7, 2)"]
        with self.assertRaisesRegex(softrods.EnsembleError, "has no grid"):
            self.run_alone(deck).grid


if __name__ == "__main__":
    unittest.main()

"""What other people's programs read of campaigns and exports: xarray by netCDF's libraries, meshio and USD, where they are
installed. tests/cli/dimensions_test.py asks plain h5py for the same names."""

import importlib.util
import subprocess
import unittest
import warnings

import numpy as np
import xarray

from package_test_case import PackageTest, campaign, cords, softrods

LIBRARIES = {"h5netcdf": "h5netcdf", "netCDF4": "netCDF4", "meshio": "meshio", "pxr": "usd-core", "trimesh": "trimesh", "bpy": "bpy"}


def needs(module):
    return unittest.skipIf(importlib.util.find_spec(module) is None, f"not installed: {LIBRARIES[module]} (PyPI)")


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

    def export(self, form):
        command = [campaign.RODEO, "export", str(self.file), "--member", "1", "--format", form]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.split()[-1]

    @needs("meshio")
    def test_meshio_reads_the_frames(self):
        import meshio

        file = self.swept()
        time, position = file.trajectory(1)
        with meshio.xdmf.TimeSeriesReader(self.export("xdmf3")) as reader:
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
        stage = Usd.Stage.Open(self.export("usd"))
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
        stage = Usd.Stage.Open(self.export("usd"))
        curves = UsdGeom.BasisCurves(stage.GetDefaultPrim())
        np.testing.assert_allclose(curves.GetWidthsAttr().Get(), np.linspace(0.008, 0.004, 6), rtol=1e-6)


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

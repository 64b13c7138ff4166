"""Campaigns from their deck to results: what is printed, written and read back."""

import os
import signal
import subprocess
import unittest

import h5py
import numpy as np

import campaign
from campaign import SMALL_MEMBERS, read_ensemble
from cli_test_case import BAD_INPUT, DONE, CliTest


RODS_DECK = """
[study]
kind = sweep
repeats = 2
[sweep]
axis = rod.radius : list(0.01, 0.02)
[rod]
count = 3
each = rod.elements : list(8, 5, 6)
each = rod.origin[0] : list(0, 0.1, 0)
each = boundary.first : list(clamped, free, free)
each = joint.kind : list(none, none, rigid)
length = 0.4
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
[load]
perturbation = 0.01
[gravity]
acceleration = 1, 0, -9.81
[contact]
kind = penalty
stiffness = 100
[time]
step = 2e-5
end = 0.1
[output]
frames = 3
"""

# Cords whose damping is a fraction of what is critical to their slowest mode; they move by implicit steps.
RATIO_DECK = """
[study]
kind = sweep
[sweep]
axis = boundary.last : list(free, pinned)
axis = rod.end_radius : list(0.002, 0.003, 0.004)
[model]
kind = der
[rod]
elements = 12
length = 0.5
radius = 0.004
density = 1100
young_modulus = 2e7
poisson_ratio = 0.5
direction = 1, 0, 0
damping_ratio = 0.3
[boundary]
first = clamped
[gravity]
acceleration = 0, 0, -9.81
[time]
step = 1e-3
end = 0.05
[output]
frames = 2
"""
VIBRATIONS = ("--model.kind=cosserat", "--time.method=static", "--modes.count=4")  # of the same cords at rest


class Campaign(CliTest):
    def test_sweep_status_and_read_back(self):
        self.succeed("run", self.deck(), "--output", self.file)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(len(ensemble), SMALL_MEMBERS)
        self.assertTrue(ensemble.committed.all())
        self.assertEqual(list(ensemble.parameters), ["rod.bend_stiffness", "load.axial_force"])
        self.assertEqual(sorted(set(ensemble.parameters["rod.bend_stiffness"])), [0.5, 1.0, 1.5])
        self.assertEqual(sorted(set(ensemble.repeat)), [0, 1])

        # 2 N is below the critical force for all three stiffnesses, 60 N far above it.
        far_above = ensemble.parameters["load.axial_force"] == 60
        self.assertTrue((ensemble.observables["buckled"] == far_above).all())
        self.assertTrue((ensemble.status[far_above] == read_ensemble.STOPPED_EARLY).all())
        self.assertTrue((ensemble.status[~far_above] == read_ensemble.DONE).all())
        time, position = ensemble.trajectory(0)
        self.assertEqual((time.shape, position.shape), ((5,), (5, 11, 3)))

        status = self.succeed("status", self.file).stdout
        for word in ("done", "stopped early"):
            self.assertIn(word, status)
        self.assertRegex(status, rf"\b{SMALL_MEMBERS}\b")

    def test_fields_of_trajectories(self):
        deck = self.deck()
        self.refuse("run", deck, "--output.fields=orientation, curvatur", "--output", self.file,
                    mentions=["output.fields", "'curvatur'", "curvature"])
        self.refuse("run", deck, "--output.fields=radius, radius", "--output", self.file, mentions=["twice"])
        self.refuse("run", deck, "--output.fields=radius", "--output.frames=0", "--output", self.file,
                    mentions=["output.fields", "output.frames"])
        self.assertFalse(self.file.exists())
        self.succeed("run", deck, "--output.fields=radius, orientation", "--output", self.file, ranks=2)
        ensemble = read_ensemble.Ensemble(self.file)
        time, orientation = ensemble.trajectory(3, "orientation")
        self.assertEqual(orientation.shape, (5, 11, 4))
        reached = ~np.isnan(time)
        np.testing.assert_allclose(np.linalg.norm(orientation[reached], axis=2), 1, atol=1e-12)
        self.assertEqual(ensemble.trajectory(3, "radius")[1].shape, (5, 11, 1))
        with self.assertRaisesRegex(read_ensemble.EnsembleError, "velocity"):
            ensemble.trajectory(3, "velocity")
        self.succeed("export", self.file, "--member", "3", "--format", "csv")
        header = self.file.with_name(f"{self.file.stem}_member_3.csv").read_text(encoding="utf-8").splitlines()[0]
        self.assertEqual(header, "time,node,x,y,z,orientation_w,orientation_x,orientation_y,orientation_z,radius")

    def test_observables_of_frames(self):
        deck = self.deck()
        self.refuse("run", deck, "--output.observables=total_enrgy", "--output", self.file,
                    mentions=["output.observables", "did you mean total_energy?"])
        self.refuse("run", deck, "--output.observables=forward_speed", "--output", self.file, mentions=["at the end"])
        self.refuse("run", deck, "--output.observables=fluid_force", "--output", self.file, mentions=["do not report"])
        self.assertFalse(self.file.exists())
        self.succeed("run", deck, "--output.observables=total_energy, end_z", "--output", self.file, ranks=2)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.frame_observables, ["end_z", "total_energy"])
        for member in np.flatnonzero(ensemble.status == read_ensemble.DONE):
            time, position = ensemble.trajectory(member)
            np.testing.assert_array_equal(ensemble.history(member, "end_z"), (time, position[:, -1, 2]))
            self.assertEqual(ensemble.history(member, "total_energy")[1][-1], ensemble.observables["total_energy"][member])
        with self.assertRaisesRegex(read_ensemble.EnsembleError, "output.observables"):
            ensemble.history(3, "writhe")

    def test_shape_file_is_stored_with_the_results(self):
        deck = self.deck(campaign.SHAPE_DECK)
        shape = self.folder / "shape.csv"
        shape.write_text("x, y, z\n0, 0, 0\n0, 0, 0.5\n0, 0.25, zero\n", encoding="utf-8")
        self.refuse("run", deck, "--output", self.file, mentions=["shape.csv:4", "zero"])
        self.refuse("run", deck, "--rod.shape_file=none.csv", "--output", self.file, mentions=["none.csv"])
        shape.write_text("x, y, z\n0, 0, 0\n0, 0, 0.5\n0, 0.25, 1\n", encoding="utf-8")
        # The deck may be called from anywhere: its shape file stands beside it.
        self.succeed("run", deck, "--output", self.file, ranks=2)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.trajectory(0)[1][0].tolist(), [[0, 0, 0], [0, 0, 0.5], [0, 0.25, 1]])

        with h5py.File(self.folder / "shapes.h5", "w") as file:
            file["knots/open"] = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5], [0.0, 0.25, 1.0]]
        other = self.folder / "other.h5"
        self.succeed("run", deck, "--rod.shape_file=shapes.h5:/knots/open", "--output", other)
        self.assertEqual(campaign.differences(read_ensemble.Ensemble(other), ensemble), [])
        self.refuse("check", deck, "--rod.shape_file=shapes.h5:/knots/shut", mentions=["no dataset /knots/shut"])

        shape.write_text("0, 0, 0\n0, 0, 0.5\n", encoding="utf-8")
        changed = self.call("run", deck, "--resume", "--output", self.file)
        self.assertEqual(changed.returncode, BAD_INPUT)
        self.assertIn("another deck", changed.stderr)
        shape.unlink()
        self.succeed("resume", self.file)

    def test_status_names_the_best_member(self):
        self.succeed("run", self.deck(), "--study.objective=end_x", "--study.sense=min", "--output", self.file)
        ensemble = read_ensemble.Ensemble(self.file)
        values = ensemble.observables["end_x"]
        best = min((value, member) for member, value in enumerate(values) if value == value)
        self.assertRegex(self.succeed("status", self.file).stdout, rf"best end_x: {best[0]:.6g} m, member {best[1]} at rod")

    def test_status_watches_until_the_end(self):
        deck = self.deck(campaign.waiting_deck((0.5,), repeats=8))
        process = self.start("run", deck, "--output", self.file)
        campaign.wait_until(self.file.exists, process)
        with campaign.held(process), subprocess.Popen(campaign.command("status", self.file, "--watch=1"), text=True,
                                                      stdout=subprocess.PIPE) as watch:
            watched = ""
            while watched.count("members finished") < 2:
                watched += watch.stdout.readline()
            process.send_signal(signal.SIGCONT)
            watched += watch.stdout.read()
        self.assertEqual(process.wait(), DONE)
        self.assertIn("running (process ", watched)
        self.assertIn("8 of 8 members finished (100.0 %), complete", watched)
        self.assertGreater(watched.count("members finished"), 2)

    def test_override_reaches_the_file(self):
        self.succeed("run", self.deck(), "--time.end=0.5", "--study.repeats=1", "--output", self.file)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(len(ensemble), SMALL_MEMBERS // 2)
        self.assertEqual(float(ensemble.deck_values("time.end")[0]), 0.5)

    def test_stored_deck_runs_to_the_same_results(self):
        self.succeed("run", self.deck(), "--output", self.file)
        first = read_ensemble.Ensemble(self.file)
        self.succeed("run", self.deck(first.deck), "--output", "again.h5")
        self.assertEqual(campaign.differences(first, read_ensemble.Ensemble(self.folder / "again.h5")), [])

    def test_bits_do_not_depend_on_the_kernels_of_a_blas(self):
        """OpenBLAS chooses them by the processor, unless its environment names one."""
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "OMP_NUM_THREADS") if name in os.environ}
        for options in ((), VIBRATIONS):
            self.succeed("run", self.deck(RATIO_DECK), *options, "--output", self.file, "--overwrite")
            ours = read_ensemble.Ensemble(self.file)
            self.assertEqual(ours.count(read_ensemble.DONE), 6)
            self.assertEqual("decay_rate_4" in ours.observables, options == VIBRATIONS)
            for kernel in ("Haswell", "Nehalem", "Prescott", None):
                with self.subTest(options=options, kernel=kernel):
                    command = campaign.command("run", self.deck(RATIO_DECK), *options, "--output", "other.h5", "--overwrite")
                    subprocess.run(command, cwd=self.folder, env=kept | ({"OPENBLAS_CORETYPE": kernel} if kernel else {}),
                                   capture_output=True, check=True)
                    other = read_ensemble.Ensemble(self.folder / "other.h5")
                    self.assertEqual(campaign.differences(ours, other), [])
                    self.assertEqual(ours.deck, other.deck)

    def test_existing_output_is_refused_unless_told(self):
        deck = self.deck()
        self.succeed("run", deck, "--output", self.file)
        self.refuse("run", deck, "--output", self.file, mentions=["campaign.h5"])
        self.succeed("run", deck, "--study.repeats=1", "--output", self.file, "--overwrite")
        self.assertEqual(len(read_ensemble.Ensemble(self.file)), SMALL_MEMBERS // 2)

    def test_a_device_that_is_missing_is_told_before_a_file_is_replaced(self):
        deck = self.deck()
        self.succeed("run", deck, "--output", self.file)
        self.refuse("run", deck, "--model.device=gpu", "--output", self.file, "--overwrite",
                    mentions=["model.device", "no library for steps on a device"])
        self.succeed("check", deck, "--model.device=gpu")

    def test_resume_of_a_finished_campaign_changes_no_result(self):
        self.succeed("run", self.deck(), "--output", self.file)
        before = read_ensemble.Ensemble(self.file)
        self.succeed("resume", self.file)
        after = read_ensemble.Ensemble(self.file)
        self.assertEqual(campaign.differences(before, after), [])
        self.assertEqual(before.wall_seconds.tobytes(), after.wall_seconds.tobytes())

    def test_results_do_not_depend_on_the_ranks(self):
        self.check_ranks(self.deck())

    def test_flagella_do_not_depend_on_the_ranks(self):
        one = self.check_ranks(self.deck(campaign.flagella_deck([0.1 * k for k in range(8)], 0.1)))
        self.assertEqual(one.count(read_ensemble.DONE), 8)
        self.assertTrue((one.observables["contact_steps"] > 0).all())
        self.assertEqual(len(set(one.observables["fluid_force"])), 8)

    def check_ranks(self, deck):
        for ranks in (1, 2, 4):
            self.succeed("run", deck, "--output", f"ranks{ranks}.h5", ranks=ranks)
        one = read_ensemble.Ensemble(self.folder / "ranks1.h5")
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                other = read_ensemble.Ensemble(self.folder / f"ranks{ranks}.h5")
                self.assertEqual(campaign.differences(one, other), [])
        return one

    def test_ladder_measures_its_errors_on_any_ranks(self):
        deck = campaign.ROOT / "inputs" / "validation" / "hanging_rod.ini"
        for reference, levels in (("hanging", 5), ("finest", 4)):
            tables = []
            for ranks in (None, 3):
                self.succeed("run", deck, f"--convergence.reference={reference}", "--output", self.file, "--overwrite",
                             ranks=ranks)
                tables.append(read_ensemble.Ensemble(self.file).convergence)
            resumed = self.succeed("resume", self.file).stdout
            tables.append(read_ensemble.Ensemble(self.file).convergence)
            self.assertIn(f"against {reference}", resumed)
            self.assertEqual(list(tables[0]["n"]), [8, 16, 32, 64, 128])
            for order in tables[0]["observed_order"][1:levels].flat:
                self.assertAlmostEqual(order, 2.0, delta=0.02)
            for name in ("L1", "L2", "Linf", "observed_order"):
                for other in tables[1:]:
                    self.assertEqual(tables[0][name].tobytes(), other[name].tobytes())

    def test_several_rods_go_to_the_file_one_after_the_other(self):
        deck = self.deck(RODS_DECK)
        check = self.succeed("check", "--deck", deck)
        self.assertIn("each = rod.elements : list(8, 5, 6)", check.stdout)
        self.succeed("run", deck, "--output", self.file, ranks=2)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.count(read_ensemble.DONE), 4)
        for member in range(4):
            self.assertEqual(list(ensemble.rod_nodes(member)), [9, 6, 7])
            _, rods = ensemble.rods(member)
            self.assertEqual([rod.shape for rod in rods], [(3, 9, 3), (3, 6, 3), (3, 7, 3)])
            for frame in range(3):
                self.assertEqual(list(rods[1][frame, -1]), list(rods[2][frame, 0]))  # joined: one node
                self.assertEqual(list(rods[0][frame, 0]), [0.0, 0.0, 0.0])  # clamped
        alone = self.folder / "alone.h5"
        self.succeed("run", deck, "--output", alone, ranks=1)
        with h5py.File(self.file) as first, h5py.File(alone) as second:
            for name in ("trajectories/position", "members/observables"):
                self.assertEqual(first[name][:].tobytes(), second[name][:].tobytes())
        self.succeed("resume", self.file)

    def test_ladder_without_refinement_is_refused(self):
        deck = campaign.ROOT / "inputs" / "validation" / "hanging_rod.ini"
        self.refuse("run", deck, "--convergence.axis=rod.elements : list(8)", mentions=["convergence.axis", "at least two"])
        self.refuse("check", deck, "--convergence.axis=rod.density : list(1, 2, 3)", mentions=["neither the elements"])

    def test_export_writes_a_file_for_paraview(self):
        self.succeed("run", self.deck(), "--output", self.file)
        self.succeed("export", self.file, "--member", "0")
        time, position = read_ensemble.Ensemble(self.file).trajectory(0)
        reached = np.isfinite(time)
        with h5py.File(self.folder / "campaign_member_0.hdf") as file:
            np.testing.assert_array_equal(file["VTKHDF/Steps/Values"], time[reached])
            np.testing.assert_array_equal(file["VTKHDF/Points"], position[reached].reshape(-1, 3))
        self.refuse("export", self.file, "--member", str(SMALL_MEMBERS))


if __name__ == "__main__":
    unittest.main()

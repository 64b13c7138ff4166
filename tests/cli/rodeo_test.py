"""The program as users and scripts call it: what it prints, what it writes, its exit codes."""

import html.parser
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

import h5py
import matplotlib.pyplot as plt
import numpy as np

import campaign
from campaign import SMALL_DECK, SMALL_MEMBERS, read_ensemble, rodeo

DONE, BAD_INPUT, FAILED, STOPPED = 0, 1, 2, 75


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


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "campaign.h5"

    def deck(self, text=SMALL_DECK):
        path = self.folder / "deck.ini"
        path.write_text(text, encoding="utf-8")
        return path

    def call(self, *arguments, ranks=None):
        return rodeo(*arguments, ranks=ranks, directory=self.folder)

    def succeed(self, *arguments, ranks=None):
        result = self.call(*arguments, ranks=ranks)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return result

    def refuse(self, *arguments, mentions=()):
        """Bad input: exit code 1, a message that says what and where, and no file touched."""
        before = self.contents()
        result = self.call(*arguments)
        self.assertEqual(result.returncode, BAD_INPUT, f"stdout: {result.stdout}\nstderr: {result.stderr}")
        self.assertNotIn("terminate called", result.stderr)
        for text in mentions:
            self.assertIn(text, result.stderr)
        self.assertTrue(result.stderr.strip())
        self.assertEqual(self.contents(), before)

    def contents(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def start(self, *arguments, ranks=None):
        process = subprocess.Popen(
            campaign.command(*arguments, ranks=ranks), cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process


class BadInput(CliTest):
    def test_misspelt_key_names_place_and_nearest_key(self):
        deck = self.deck(SMALL_DECK.replace("bend_stiffness = 1\n", "bend_stifness = 1\n"))
        line = deck.read_text().splitlines().index("bend_stifness = 1") + 1
        self.refuse("run", deck, "--output", self.file, mentions=[f"deck.ini:{line}", "rod.bend_stiffness"])

    def test_value_out_of_range_names_place(self):
        deck = self.deck(SMALL_DECK.replace("mass = 1\n", "mass = -1\n"))
        line = deck.read_text().splitlines().index("mass = -1") + 1
        self.refuse("run", deck, "--output", self.file, mentions=[f"deck.ini:{line}", "rod.mass"])

    def test_value_that_is_no_number(self):
        deck = self.deck(SMALL_DECK.replace("mass = 1\n", "mass = heavy\n"))
        self.refuse("run", deck, "--output", self.file, mentions=["rod.mass", "heavy"])

    def test_bad_override_names_key(self):
        self.refuse("run", self.deck(), "--rod.mass=-1", "--output", self.file, mentions=["rod.mass"])

    def test_unknown_override_names_nearest_key(self):
        self.refuse("run", self.deck(), "--rod.lenght=1", "--output", self.file, mentions=["rod.length"])

    def test_bad_axis(self):
        deck = self.deck(SMALL_DECK.replace("linspace(0.5, 1.5, 3)", "linspace(0.5, 1.5"))
        self.refuse("run", deck, "--output", self.file, mentions=["sweep.axis"])

    def test_axis_over_unknown_key(self):
        deck = self.deck(SMALL_DECK.replace("axis = rod.bend_stiffness", "axis = rod.bend_stifness"))
        self.refuse("run", deck, "--output", self.file, mentions=["rod.bend_stiffness"])

    def test_contradicting_keys(self):
        self.refuse("run", self.deck(), "--rod.density=1000", "--output", self.file, mentions=["rod.density", "rod.mass"])

    def test_missing_deck(self):
        self.refuse("run", "nowhere.ini", "--output", self.file, mentions=["nowhere.ini"])

    def test_unknown_subcommand(self):
        self.refuse("frobnicate", mentions=["frobnicate"])

    def test_no_subcommand(self):
        self.refuse()

    def test_run_without_deck(self):
        self.refuse("run", "--output", self.file)

    def test_check_finds_the_same_errors(self):
        deck = self.deck(SMALL_DECK.replace("bend_stiffness = 1\n", "bend_stifness = 1\n"))
        self.refuse("check", deck, mentions=["rod.bend_stiffness"])

    def test_output_in_a_folder_that_does_not_exist(self):
        self.refuse("run", self.deck(), "--output", "nowhere/campaign.h5", mentions=["nowhere"])

    def test_files_that_are_no_campaigns(self):
        (self.folder / "text.h5").write_text("not HDF5")
        (self.folder / "empty.h5").touch()
        for name in ("absent.h5", "text.h5", "empty.h5"):
            for subcommand in ("resume", "status"):
                with self.subTest(file=name, subcommand=subcommand):
                    self.refuse(subcommand, name, mentions=[name])

    def test_truncated_campaign(self):
        self.succeed("run", self.deck(), "--output", self.file)
        os.truncate(self.file, self.file.stat().st_size // 2)
        for subcommand in ("resume", "status"):
            with self.subTest(subcommand=subcommand):
                self.refuse(subcommand, self.file, mentions=["campaign.h5"])


class Information(CliTest):
    def test_keys_with_pattern(self):
        lines = self.succeed("keys", "stiffness").stdout.splitlines()
        self.assertTrue(any("rod.bend_stiffness" in line for line in lines))
        self.assertFalse(any("time.step" in line for line in lines))

    def test_keys_lists_every_key(self):
        listing = self.succeed("keys").stdout
        for key in ("study.kind", "sweep.axis", "rod.bend_stiffness", "boundary.first", "time.step", "output.frames"):
            self.assertIn(key, listing)

    def test_check_reports_and_creates_nothing(self):
        deck = self.deck()
        before = self.contents()
        report = self.succeed("check", deck).stdout
        self.assertEqual(self.contents(), before)
        self.assertRegex(report, rf"\b{SMALL_MEMBERS}\b")
        self.assertIn("bend_stiffness", report)

    def test_shipped_decks_pass_the_check(self):
        # The reference lists every key, those that exclude each other too, and is no study.
        decks = [deck for deck in sorted((campaign.ROOT / "inputs").rglob("*.ini")) if deck.name != "reference.ini"]
        self.assertTrue(decks)
        for deck in decks:
            with self.subTest(deck=deck.name):
                self.succeed("check", deck)


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
        campaign.wait_for_members(self.file, 1, process)
        watched = self.succeed("status", self.file, "--watch=1").stdout
        self.assertEqual(process.wait(timeout=10), DONE)
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

    def test_existing_output_is_refused_unless_told(self):
        deck = self.deck()
        self.succeed("run", deck, "--output", self.file)
        self.refuse("run", deck, "--output", self.file, mentions=["campaign.h5"])
        self.succeed("run", deck, "--study.repeats=1", "--output", self.file, "--overwrite")
        self.assertEqual(len(read_ensemble.Ensemble(self.file)), SMALL_MEMBERS // 2)

    def test_resume_of_a_finished_campaign_changes_no_result(self):
        self.succeed("run", self.deck(), "--output", self.file)
        before = read_ensemble.Ensemble(self.file)
        self.succeed("resume", self.file)
        after = read_ensemble.Ensemble(self.file)
        self.assertEqual(campaign.differences(before, after), [])
        self.assertEqual(before.wall_seconds.tobytes(), after.wall_seconds.tobytes())

    def test_results_do_not_depend_on_the_ranks(self):
        deck = self.deck()
        for ranks in (1, 2, 4):
            self.succeed("run", deck, "--output", f"ranks{ranks}.h5", ranks=ranks)
        one = read_ensemble.Ensemble(self.folder / "ranks1.h5")
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                other = read_ensemble.Ensemble(self.folder / f"ranks{ranks}.h5")
                self.assertEqual(campaign.differences(one, other), [])

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
        check = self.succeed("check", deck)
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

    def test_export_writes_xdmf_that_names_the_file(self):
        self.succeed("run", self.deck(), "--output", self.file)
        self.succeed("export", self.file, "--member", "0")
        exported = list(self.folder.glob("*.xdmf"))
        self.assertEqual(len(exported), 1)
        text = exported[0].read_text()
        self.assertEqual(xml.etree.ElementTree.fromstring(text).tag, "Xdmf")
        self.assertIn("campaign.h5", text)
        self.refuse("export", self.file, "--member", str(SMALL_MEMBERS))


class Optimisation(CliTest):
    """study.kind = optimize as users meet it."""

    def search(self, *overrides, generations=30, seconds=0):
        return [self.deck(campaign.search_deck(generations, seconds)), *overrides]

    def test_search_runs_is_reported_and_is_the_same_on_any_number_of_ranks(self):
        said = self.succeed("run", *self.search(), "--output", self.file).stdout
        self.assertIn("stopped by generations after 30 generations and 180 evaluations", said)
        self.assertIn("function.x[2] = ", said)
        status = self.succeed("status", self.file).stdout
        self.assertIn("generation 30 of at most 30", status)
        self.assertIn("complete", status)
        one = read_ensemble.Ensemble(self.file)
        self.assertEqual(len(one.optimize["best"]), 30)
        self.assertEqual(one.optimize["best"][-1], one.observables["function_value"].reshape(-1, 2)[:, 0].min())
        self.succeed("run", *self.search(), "--output", "four.h5", ranks=4)
        self.assertEqual(campaign.differences(one, read_ensemble.Ensemble(self.folder / "four.h5")), [])

    def test_search_that_ends_early_is_complete(self):
        self.succeed("run", *self.search("--optimize.target=1e-3", generations=500), "--output", self.file)
        self.assertIn("stopped by target", self.succeed("status", self.file).stdout)
        self.assertIn("complete", self.succeed("status", self.file).stdout)
        before = read_ensemble.Ensemble(self.file)
        self.succeed("resume", self.file)
        self.assertEqual(campaign.differences(before, read_ensemble.Ensemble(self.file)), [])

    def test_search_stops_on_a_signal_and_resumes(self):
        deck = self.search(seconds=0.01)
        process = self.start("run", *deck, "--output", self.file, ranks=2)
        campaign.wait_for_members(self.file, 20, process)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(timeout=60), STOPPED)
        self.assertIn("not running", self.succeed("status", self.file).stdout)
        self.succeed("resume", self.file, ranks=3)
        self.succeed("run", *deck, "--output", "whole.h5")
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_check_tells_evaluations(self):
        self.assertIn("# evaluations      180 at most, in 30 generations", self.succeed("check", *self.search()).stdout)

    def test_wrong_searches_are_refused(self):
        for override, mention in (
            ("--optimize.parameter=function.z[0] : [0, 1] start 0", "did you mean function.x"),
            ("--optimize.parameter=function.x[7] : [0, 1] start 0", "has no entry to vary at function.x[7]"),
            ("--optimize.parameter=function.x[0] : [0, 1] start 2", "outside the bounds"),
            ("--study.objective=forward_speed", "do not report 'forward_speed'"),
            ("--study.objective=speed", "is no observable"),
            ("--optimize.population=1", "integer in [2, 1000000]"),
        ):
            self.refuse("run", *self.search(override), "--output", self.file, mentions=[mention])


class Interruption(CliTest):
    """A signal stops a campaign in good order; resume ends where an uninterrupted run would have."""

    MEMBERS = 128

    def long_campaign(self, ranks=None, end=10):
        deck = self.deck(campaign.long_deck(self.MEMBERS, end))
        process = self.start("run", deck, "--output", self.file, ranks=ranks)
        campaign.wait_for_members(self.file, 1, process)
        return deck, process

    def check_resumed(self, deck, process):
        self.assertEqual(process.wait(timeout=60), STOPPED)
        stopped = read_ensemble.Ensemble(self.file)
        kept = stopped.committed
        self.assertLess(kept.sum(), self.MEMBERS, "the campaign was over before the signal came")
        self.succeed("resume", self.file, ranks=2)
        resumed = read_ensemble.Ensemble(self.file)
        self.assertTrue(resumed.committed.all())
        self.assertEqual(stopped.wall_seconds[kept].tobytes(), resumed.wall_seconds[kept].tobytes(), "members ran twice")
        self.succeed("run", deck, "--output", "whole.h5", ranks=3)
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, resumed), [])

    def test_term_of_a_single_process(self):
        deck, process = self.long_campaign()
        process.send_signal(signal.SIGTERM)
        self.check_resumed(deck, process)

    def test_user_signal_through_mpirun(self):
        deck, process = self.long_campaign(ranks=3)
        process.send_signal(signal.SIGUSR1)
        self.check_resumed(deck, process)

    def test_running_campaign_can_be_read_but_not_taken_over(self):
        # Longer than the seconds for which resume waits in case the writer is only just ending.
        _, process = self.long_campaign(ranks=2, end=60)
        with h5py.File(self.file, "r") as file:
            self.assertEqual(file["members/status"].shape, (self.MEMBERS,))
        self.succeed("status", self.file)
        result = self.call("resume", self.file)
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("campaign.h5", result.stderr)
        self.assertIsNone(process.poll(), "the campaign ended before it could be taken over")
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(timeout=60), STOPPED)


class WallTime(CliTest):
    """A campaign that knows when it must end starts no member that would be cut off, unless it keeps checkpoints."""

    NO_CHECKPOINTS = "--output.checkpoint_interval=0"

    def run_timed(self, deck, *arguments, ranks=None, **environment):
        started = time.monotonic()
        result = rodeo("run", self.deck(deck), "--output", self.file, *arguments, ranks=ranks, directory=self.folder,
                       **environment)
        return result, time.monotonic() - started

    def finished(self):
        ensemble = read_ensemble.Ensemble(self.file)
        return sorted(ensemble.parameters["noop.seconds"][ensemble.committed])

    def test_members_too_long_for_the_time_are_not_started(self):
        result, seconds = self.run_timed(campaign.waiting_deck((0.1, 30, 0.2, 60)), "--wall-time=0:20", self.NO_CHECKPOINTS)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertIn("before the end of its time", result.stderr)
        self.assertEqual(self.finished(), [0.1, 0.2])
        self.assertLess(seconds, 15, "it waited for nothing")

    def test_what_fits_is_done_before_the_end(self):
        deck = campaign.waiting_deck((0.5,), repeats=100)
        result, seconds = self.run_timed(deck, "--wall-time=0:08", ranks=2)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertLess(seconds, 12)
        stopped = read_ensemble.Ensemble(self.file)
        self.assertGreater(stopped.committed.sum(), 5)
        self.assertLess(stopped.committed.sum(), 40)
        self.succeed("resume", self.file, ranks=16)
        resumed = read_ensemble.Ensemble(self.file)
        self.assertTrue(resumed.committed.all())
        kept = stopped.committed
        self.assertEqual(stopped.wall_seconds[kept].tobytes(), resumed.wall_seconds[kept].tobytes())

    def test_nothing_done_is_a_failure(self):
        # With code 75 a batch system would start it again, for ever.
        result, seconds = self.run_timed(campaign.waiting_deck((30,)), "--wall-time=0:10", self.NO_CHECKPOINTS)
        self.assertEqual(result.returncode, FAILED, result.stderr)
        self.assertIn("no member ended within the wall time", result.stderr)
        self.assertLess(seconds, 8)

    def test_end_of_the_slurm_job_counts_too(self):
        end = str(int(time.time()) + 20)
        result, _ = self.run_timed(campaign.waiting_deck((0.1, 30)), "--wall-time=1:00:00", self.NO_CHECKPOINTS,
                                   SLURM_JOB_END_TIME=end)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertEqual(self.finished(), [0.1])

    def test_enough_time_changes_nothing(self):
        result, _ = self.run_timed(campaign.waiting_deck((0.1, 0.2)), "--wall-time=1-00:00:00")
        self.assertEqual(result.returncode, DONE, result.stderr)

    def test_bad_wall_time_is_refused(self):
        for text in ("60", "1:2:3:4", "soon", "1-30", "-1:00", ""):
            with self.subTest(text=text):
                self.refuse("run", self.deck(), "--output", self.file, f"--wall-time={text}", mentions=["--wall-time"])


class Checkpoints(CliTest):
    """Members that run when a campaign ends go on from where they were, bit by bit."""

    def setUp(self):
        super().setUp()
        self.checkpoints = self.folder / "campaign.h5.checkpoints"

    def interrupted(self, signal_number):
        """A campaign of one member of two seconds and more, stopped by a signal once it has a checkpoint."""
        deck = self.deck(campaign.long_deck(1, 600) + "checkpoint_interval = 0.1\n")
        process = self.start("run", deck, "--output", self.file)
        deadline = time.monotonic() + 60
        while not (self.checkpoints / "member_0").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal_number)
        process.wait(timeout=60)
        self.assertFalse(read_ensemble.Ensemble(self.file).committed.any(), "the member ended before the stop")
        self.assertTrue((self.checkpoints / "member_0").exists())
        return deck

    def check_resumed(self, deck):
        result = self.succeed("resume", self.file)
        self.assertFalse(self.checkpoints.exists(), "a checkpoint of a member that ended")
        self.succeed("run", deck, "--output", "whole.h5")
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])
        self.assertFalse((self.folder / "whole.h5.checkpoints").exists())
        return result.stderr

    def test_a_member_goes_on_after_a_signal(self):
        deck = self.interrupted(signal.SIGTERM)
        self.assertIn("checkpoints of 1 members", self.succeed("status", self.file).stdout)
        self.assertNotIn("anew", self.check_resumed(deck))

    def test_a_member_goes_on_after_a_kill(self):
        deck = self.interrupted(signal.SIGKILL)
        self.assertNotIn("anew", self.check_resumed(deck))

    def test_a_bad_checkpoint_is_told_and_its_member_starts_anew(self):
        deck = self.interrupted(signal.SIGTERM)
        path = self.checkpoints / "member_0"
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        self.assertIn("member_0 is damaged: member 0 starts anew", self.check_resumed(deck))

    def test_a_new_campaign_starts_anew(self):
        deck = self.interrupted(signal.SIGTERM)
        self.succeed("run", deck, "--output", self.file, "--overwrite", "--time.end=0.1")
        self.assertFalse(self.checkpoints.exists())
        self.assertEqual(list(read_ensemble.Ensemble(self.file).steps), [2000])

    def test_a_member_longer_than_the_wall_time_ends_after_some_runs(self):
        deck = self.deck(campaign.waiting_deck((7,)))
        result = self.call("run", deck, "--output", self.file, "--wall-time=0:06")
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertIn("1 member in flight will go on from its checkpoint", result.stderr)
        self.assertTrue((self.checkpoints / "member_0").exists())
        self.assertNotIn("anew", self.succeed("resume", self.file).stderr)
        self.assertFalse(self.checkpoints.exists())

    def test_a_member_beyond_its_deadline_is_stopped(self):
        deck = self.deck(campaign.waiting_deck((0.1, 60)))
        self.succeed("run", deck, "--output", self.file, "--study.deadline=0.3")
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual([read_ensemble.STATUS_NAMES[status] for status in ensemble.status], ["done", "timed out"])


class Seeing(CliTest):
    """Pages and pictures of a campaign."""

    def script(self, name, *arguments):
        return subprocess.run(
            [campaign.ROOT / "scripts" / name, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, check=False
        )

    def test_report_is_one_page_with_all_that_matters(self):
        # A step beyond the stability bound: all members of the stiffest rod diverge.
        self.succeed("run", self.deck(), "--sweep.axis=rod.shear_stiffness : list(1e5, 1e9)", "--study.objective=end_z",
                     "--output", self.file)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.count(read_ensemble.DIVERGED), 2)
        result = self.script("report", self.file)
        self.assertEqual(result.returncode, 0, result.stderr)
        page = (self.folder / "campaign.html").read_text(encoding="utf-8")
        sources = []
        parser = html.parser.HTMLParser()
        parser.handle_starttag = lambda tag, attributes: sources.extend(v for k, v in attributes if k in ("src", "href"))
        parser.feed(page)
        self.assertGreaterEqual(len(sources), 3, "pictures are missing")
        self.assertTrue(all(source.startswith("data:image/png;base64,") for source in sources))
        for content in (ensemble.deck.splitlines()[0], "2 of 4 finished members failed", "diverged", "Best members by end_z",
                        str(ensemble.attributes["git_revision"])):
            self.assertIn(html.escape(content), page)

    def test_report_of_an_unfinished_campaign(self):
        process = self.start("run", self.deck(campaign.waiting_deck((30,))), "--output", self.file)
        while not self.file.exists():
            time.sleep(0.05)
        self.assertIn("0 of 1 members finished", self.page_text())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=20), STOPPED)

    def page_text(self):
        result = self.script("report", self.file, "-o", "page.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_render_draws_the_rod_where_it_is(self):
        self.succeed("run", self.deck(), "--output", self.file)
        result = self.script("render", self.file, "--member", "1", "-o", "frames", "--size", "160x90")
        self.assertEqual(result.returncode, 0, result.stderr)
        pictures = sorted((self.folder / "frames").glob("*.png"))
        self.assertEqual(len(pictures), 5)
        # The rod is as wide as the picture and thin: saturated pixels stand in a band across its middle.
        image = plt.imread(pictures[0])[:, :120, :3]
        coloured = (image.max(axis=2) - image.min(axis=2)) > 0.2
        rows, columns = coloured.nonzero()
        self.assertGreater(np.ptp(columns), 80)
        self.assertLess(np.ptp(rows), 20)
        self.assertEqual(self.script("render", self.file, "--frame", "5", "-o", "x.png").returncode, 1)

    def test_files_without_anything_to_show(self):
        (self.folder / "text.h5").write_text("not HDF5")
        for script in ("report", "render"):
            result = self.script(script, "text.h5")
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, f"^{script}: text.h5 is not a readable HDF5 file")


if __name__ == "__main__":
    unittest.main()

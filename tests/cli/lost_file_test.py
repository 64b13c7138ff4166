"""Success is verified where it is cheap: results that are gone or changed, streams and limits that are not as usual, errors of
one rank."""

import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import time
import unittest

import h5py

import campaign
from campaign import SMALL_MEMBERS, read_ensemble
from cli_test_case import BAD_INPUT, DONE, FAILED, STOPPED, CliTest

MEMBERS = 400
DATA_ROWS = 20_000

CAN_TRACE = campaign.can_trace()
LAUNCHER = subprocess.run([campaign.MPIRUN, "--version"], capture_output=True, text=True, check=False).stdout


class StandardStreams(CliTest):
    def test_streams_that_are_closed_are_not_the_results(self):
        deck = self.deck()
        for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                command = campaign.command("run", deck, "--output", self.file, "--overwrite")
                done = subprocess.run(["bash", "-c", f'exec {closed}; exec "$@"', "bash", *command], check=False)
                self.assertEqual(done.returncode, DONE)
                self.assertTrue(read_ensemble.Ensemble(self.file).committed.all())
                self.succeed("status", self.file)


class LostFile(CliTest):
    """The file that is written is no longer the one at its path."""

    def losing(self, lose, ranks=None):
        """What the program says of a file that is lost on the way, and its exit code."""
        deck = self.deck(campaign.waiting_deck([0.02] * MEMBERS))
        process = subprocess.Popen(campaign.command("run", deck, "--output", self.file, ranks=ranks), cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        campaign.wait_for_members(self.file, 1, process)
        lose()
        _, said = process.communicate()
        return process.returncode, said

    def check(self, lose, sentence, ranks=None):
        code, said = self.losing(lose, ranks)
        self.assertEqual(code, FAILED, said)
        self.assertIn(f"rodeo: error: {self.file} {sentence}", said)
        self.assertNotIn("what was written is safe", said)

    def test_a_file_that_is_removed(self):
        self.check(self.file.unlink, "was removed")

    def test_a_file_that_is_removed_under_ranks(self):
        self.check(self.file.unlink, "was removed", ranks=2)

    def test_a_file_that_is_moved_can_be_gone_on_with(self):
        moved = self.folder / "moved.h5"
        self.check(lambda: self.file.rename(moved), "was moved away")
        self.succeed("resume", moved)
        self.assertTrue(read_ensemble.Ensemble(moved).committed.all())

    def test_another_file_in_its_place(self):
        other = self.folder / "other.h5"
        other.write_bytes(b"mine")
        self.check(lambda: other.replace(self.file), "was replaced by another file")
        self.assertEqual(self.file.read_bytes(), b"mine")

    def test_a_file_that_is_cut(self):
        self.check(lambda: os.truncate(self.file, self.file.stat().st_size // 2), "was cut from")

    def is_awaited_by(self, process):
        """Whether a process has the file open to write."""
        for number in os.listdir(f"/proc/{process.pid}/fd"):
            try:
                if os.path.samefile(f"/proc/{process.pid}/fd/{number}", self.file):
                    flags = re.search(r"flags:\s+([0-7]+)", pathlib.Path(f"/proc/{process.pid}/fdinfo/{number}").read_text())
                    return int(flags[1], 8) & os.O_RDWR != 0
            except OSError:  # closed meanwhile
                pass
        return False

    def test_a_resume_that_waits_while_the_file_is_replaced(self):
        deck = self.deck(campaign.waiting_deck([0.01] * 5))
        self.succeed("run", deck, "--output", self.file)
        with self.file.open("r+b") as held:
            lock = (1 << 62).to_bytes(8, "little")
            # struct flock: l_type, l_whence, padding, l_start, l_len, l_pid, padding
            request = (1).to_bytes(2, "little") + bytes(2) + bytes(4) + lock + (1).to_bytes(8, "little") + bytes(8)
            import fcntl

            fcntl.fcntl(held, 37, request)  # F_OFD_SETLK
            waiting = subprocess.Popen(campaign.command("resume", self.file), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.addCleanup(waiting.kill)
            campaign.wait_until(lambda: self.is_awaited_by(waiting), waiting)
            shutil.copy(self.file, self.folder / "new.h5")
            (self.folder / "new.h5").replace(self.file)
        _, said = waiting.communicate()
        self.assertEqual(waiting.returncode, BAD_INPUT, said)
        self.assertIn("was replaced or removed while its lock was waited for", said)


class OtherWriters(CliTest):
    """Programs that open the file to write, as h5py does: one attribute of theirs would destroy it."""

    def check(self, ranks=None, **environment):
        deck = self.deck(campaign.waiting_deck([0] + [1] * (2 * (ranks or 1))))
        process = subprocess.Popen(campaign.command("run", deck, "--output", self.file, ranks=ranks), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, env=os.environ | environment)
        self.addCleanup(process.kill)
        campaign.wait_for_members(self.file, 1, process)
        for mode in ("a", "r+"):
            with self.subTest(mode=mode), self.assertRaises(OSError):
                h5py.File(self.file, mode)
        with h5py.File(self.file, "r") as file:
            self.assertIn("members", file)
        _, said = process.communicate()
        self.assertEqual(process.returncode, DONE, said)
        with h5py.File(self.file, "a") as file:
            file.attrs["comment"] = "nobody else writes"
        self.succeed("resume", self.file)
        self.assertTrue(read_ensemble.Ensemble(self.file).committed.all())

    def test_they_are_refused_while_a_campaign_runs(self):
        self.check()

    def test_they_are_refused_under_ranks(self):
        self.check(ranks=2)

    def test_they_are_refused_where_hdf5_is_told_to_lock(self):
        self.check(HDF5_USE_FILE_LOCKING="TRUE")

    def test_a_file_that_one_has_open_is_not_taken(self):
        deck = self.deck(campaign.waiting_deck([0] * 5))
        self.succeed("run", deck, "--output", self.file)
        with h5py.File(self.file, "r+"):
            for arguments in (["resume", self.file], ["run", deck, "--output", self.file, "--overwrite"]):
                self.refuse(*arguments, mentions=(f"{self.file} is open for writing in another program, such as h5py",))
        with h5py.File(self.file, "r"):
            self.succeed("resume", self.file)

    @unittest.skipUnless(CAN_TRACE, "nothing can be traced here")
    def test_a_file_system_without_flock_is_told(self):
        deck = self.deck(campaign.waiting_deck([0] * 5))
        done = subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", "inject=flock:error=ENOLCK",
                               *campaign.command("run", deck, "--output", self.file)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn(f"the file system of {self.file} refuses flock", done.stderr)


class WithoutLocks(CliTest):
    @unittest.skipUnless(CAN_TRACE, "nothing can be traced here")
    def test_a_second_campaign_is_refused_all_the_same(self):
        deck = self.deck(campaign.waiting_deck([0.02] * MEMBERS))
        traced = ["strace", "-f", "-o", "/dev/null", "-e", "inject=fcntl:error=ENOLCK"]
        process = subprocess.Popen([*traced, *campaign.command("run", deck, "--output", self.file)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        campaign.wait_for_members(self.file, 1, process)
        for arguments in (["resume", self.file], ["run", deck, "--output", self.file, "--overwrite"]):
            second = subprocess.run([*traced, *campaign.command(*arguments)], capture_output=True, text=True, check=False)
            self.assertEqual(second.returncode, BAD_INPUT, second.stderr)
            self.assertIn("is being written by another process, as", second.stderr)
        process.send_signal(signal.SIGTERM)
        process.wait()
        self.assertFalse((self.folder / "campaign.h5.writer").exists())


class Seals(CliTest):
    def test_a_changed_digit_of_the_deck_is_found_by_all_who_read_it(self):
        self.succeed("run", self.deck(), "--output", self.file)
        whole = self.file.read_bytes()
        place = whole.index(b"shear_stiffness = 1") + len(b"shear_stiffness = ")
        self.file.write_bytes(whole[:place] + b"3" + whole[place + 1 :])
        for arguments in (["resume", self.file], ["status", self.file], ["best", self.file, "--member", "1"],
                          ["export", self.file, "--member", "0"]):
            with self.subTest(command=arguments[0]):
                self.refuse(*arguments, mentions=("is damaged: /deck is not as it was written",))
        with self.assertRaisesRegex(read_ensemble.EnsembleError, "is damaged: /deck is not as it was written"):
            read_ensemble.Ensemble(self.file)

    def test_files_without_seals_are_read(self):
        self.succeed("run", self.deck(), "--output", self.file)
        with h5py.File(self.file, "r+") as file:
            del file["deck"].attrs["crc32"]
        self.succeed("resume", self.file)
        self.assertTrue(read_ensemble.Ensemble(self.file).committed.all())


def is_program(process):
    try:
        return os.path.samefile(f"/proc/{process}/exe", campaign.RODEO)
    except OSError:
        return False


class OneRank(CliTest):
    def data_deck(self, count):
        rows = "".join(f"{0.01 * k / count:.9g},10,0,0,0\n" for k in range(1, count + 1))
        (self.folder / "data.csv").write_text("time,node,x,y,z\n" + rows)
        return self.deck("[rod]\nelements = 10\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n"
                         "[time]\nstep = 1e-4\nend = 0.01\n[measure]\ndata = data.csv\n")

    def run_apart(self, deck, first=(), second=()):
        """Two ranks that run a deck, each started by what stands before its command. By a script that knows its rank: mpirun of
        Open MPI 5.0.7 crashes at two commands.
        """
        run = shlex.join(map(str, (campaign.RODEO, "run", deck, "--output", self.file)))
        script = self.folder / "apart.sh"
        script.write_text("case ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in\n"
                          + "".join(f"{rank}) exec {shlex.join(map(str, before))} {run} ;;\n" for rank, before in enumerate((first, second)))
                          + "esac\n")
        return subprocess.run([campaign.MPIRUN, "-n", "2", "sh", script], cwd=self.folder, capture_output=True, text=True,
                              check=False)

    def test_many_points_of_data_reach_all_ranks_and_a_resume(self):
        self.succeed("run", self.data_deck(DATA_ROWS), "--output", self.file, ranks=2)
        self.succeed("resume", self.file)
        self.assertEqual(read_ensemble.Ensemble(self.file).deck.count("\npoint = "), DATA_ROWS)

    def test_an_error_of_one_rank_ends_all(self):
        """The second rank alone cannot have so much memory as the deck takes."""
        deck = self.deck(campaign.waiting_deck([0.01] * 10))
        done = self.run_apart(deck, second=["env", "OMP_NUM_THREADS=100000000"])
        self.assertNotEqual(done.returncode, DONE)
        self.assertIn("OMP_NUM_THREADS = 100000000 asks for more threads", done.stderr)

    def test_a_deck_that_only_the_second_rank_can_read_ends_all(self):
        self.deck()
        (self.folder / "elsewhere").mkdir()
        there = ["env", f"--chdir={self.folder / 'elsewhere'}"]
        done = self.run_apart("deck.ini", first=there)
        self.assertNotEqual(done.returncode, DONE)
        self.assertEqual(done.stderr.count("rodeo: error: "), 1, done.stderr)
        self.assertIn("deck.ini: cannot read this deck", done.stderr)
        self.assertEqual(self.run_apart("deck.ini", second=there).returncode, DONE)

    def test_a_deck_that_only_the_first_rank_has_memory_for_ends_all(self):
        """It takes twice the memory that the second may have."""
        done = self.run_apart(self.data_deck(10 * DATA_ROWS), second=["prlimit", "--data=100000000"])
        self.assertNotEqual(done.returncode, DONE)
        self.assertEqual(done.stderr.count("rodeo: error: "), 1, done.stderr)
        self.assertIn("there is not enough memory", done.stderr)

    @unittest.skipUnless("Open MPI" in LAUNCHER or "OpenRTE" in LAUNCHER, "only Open MPI's mpirun has --enable-recovery")
    def test_a_rank_that_is_lost_at_the_start_ends_the_others(self):
        """Or they go on without it, once they run members. One that is lost before they have seen it is missed after a minute,
        for which the test waits where programs start slowly."""
        deck = self.deck(campaign.waiting_deck([0.5] * 6))
        command = campaign.command("run", deck, "--output", self.file, "--overwrite", ranks=3, launcher_options=["--enable-recovery"])
        program = command.index(campaign.RODEO)
        command[program:program] = ["bash", "-c", '"$@"; echo "ended with $?" >&2', "bash"]  # mpirun returns 0 whatever they do
        for delay in (0.15, 0.2, 0.3):
            with self.subTest(delay=delay):
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                self.addCleanup(process.terminate)
                while len(ranks := list(filter(is_program, campaign.ranks_of(process)))) < 3:
                    self.assertIsNone(process.poll(), "it ended before there were ranks")
                    time.sleep(0.01)
                time.sleep(delay)
                os.kill(ranks[2], signal.SIGKILL)
                _, said = process.communicate()
                self.assertRegex(said, "error: rank [12] was lost while others waited|1 rank was lost on the way: 2")
                self.assertIn(sorted(re.findall(r"ended with (\d+)", said)), (["137", "2", "2"], ["137", "3", "3"]), said)


class Limits(CliTest):
    def test_threads_that_no_machine_has(self):
        result = campaign.rodeo("run", self.deck(), "--output", self.file, OMP_NUM_THREADS="1000000")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("OMP_NUM_THREADS = 1000000 asks for more threads than", result.stderr)

    def test_the_limit_of_a_files_size_is_said(self):
        deck = self.deck()

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        done = subprocess.run(campaign.command("run", deck, "--output", self.file), preexec_fn=limit, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertRegex(done.stderr, r"rodeo: error: .*File too large")

    def test_the_limit_of_memory_is_said(self):
        """As a deck is read, and as members begin."""
        deck = self.deck("[rod]\nelements = 1000000\nlength = 2000\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
                         "poisson_ratio = 0.5\n[time]\nstep = 1e-6\nend = 1e-6\n")
        sweep = ("--study.kind=sweep", "--sweep.axis=rod.radius : linspace(1e-3, 2e-3, 4)", "--rod.elements=300000")
        for megabytes, options in ((300, ()), (400, sweep)):
            with self.subTest(megabytes=megabytes):
                limit = megabytes << 20
                command = campaign.command("run", deck, "--overwrite", "--output", self.file, *options)
                done = subprocess.run(command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
                                      capture_output=True, text=True, check=False)
                self.assertIn(done.returncode, (BAD_INPUT, FAILED), done.stderr)
                self.assertIn("rodeo: error: there is not enough memory\n", done.stderr)

    def test_a_table_without_end_is_refused(self):
        deck = self.deck(campaign.SMALL_DECK + "[actuation]\nforce = x, node -1 : table(/dev/zero, t, a)\n")
        self.refuse("run", deck, "--output", self.file, mentions=("/dev/zero",))

    @unittest.skipUnless(CAN_TRACE, "nothing can be traced here")
    def test_a_close_that_fails_ends_with_a_sentence(self):
        deck = self.deck()
        for ranks, error, first in ((None, "EIO", 1), (None, "EIO", 5), (None, "ENOSPC", 20), (None, "EIO", 28), (2, "EIO", 5)):
            with self.subTest(ranks=ranks, error=error, first=first):
                traced = ["strace", "-f", "-o", "/dev/null", "-e", f"inject=pwrite64:error={error}:when={first}+"]
                command = campaign.command("run", deck, "--output", self.file, "--overwrite", ranks=ranks)
                program = command.index(campaign.RODEO)
                command[program:program] = traced
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                self.assertIn(done.returncode, (BAD_INPUT, FAILED), done.stderr)
                self.assertIn("rodeo: error: ", done.stderr)
                self.assertNotIn("signal 11", done.stderr)


class Seconds(CliTest):
    """The clock is looked at within long slices."""

    PILE = """\
[rod]
count = 60
placement = random
region = cylinder
region_radius = 0.15
region_length = 0.4
region_axis = 0, 0, 1
region_centre = 0, 0, 0.35
elements = 8
length = 0.1
radius = 0.004
density = 1200
young_modulus = 1e6
poisson_ratio = 0.5
relaxation_time = 0.3
[gravity]
acceleration = 0, 0, -9.81
[ground]
kind = plane
normal = 0, 0, 1
response = springs
stiffness = 200
damping = 0.01
static_friction = 0.4, 0.4, 0.4
kinetic_friction = 0.3, 0.3, 0.3
[contact]
kind = imc
tolerance = 2e-4
slip_tolerance = 1e-3
friction = 0.3
[time]
method = implicit
step = 1e-3
end = 5
[output]
frames = 5
checkpoint_interval = 0.15
"""

    def test_a_stop_within_a_slice_keeps_what_was_done(self):
        process = self.start("run", self.deck(self.PILE), "--output", self.file)
        folder = self.folder / "campaign.h5.checkpoints"
        campaign.wait_until(lambda: campaign.newest_checkpoint(self.file) > 0, process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), STOPPED)
        self.assertTrue(any(folder.iterdir()))

    def test_a_deadline_within_a_slice(self):
        result = self.call("run", self.deck(self.PILE), "--output", self.file, "--study.deadline=1")
        self.assertEqual(result.returncode, FAILED, result.stderr)
        file = read_ensemble.Ensemble(self.file)
        self.assertEqual(read_ensemble.STATUS_NAMES[file.status[0]], "timed out")
        self.assertLess(file.steps[0], 1000)


if __name__ == "__main__":
    unittest.main()

"""A process that no launcher started runs without MPI; under one it is a rank as ever."""

import os
import subprocess
import unittest

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest

# Neither Open MPI nor MPICH can start with these.
NO_MPI = {"OMPI_MCA_pml": "none_such", "OMPI_MCA_btl": "none_such", "MPIR_CVAR_DEVICE_COLLECTIVES": "none_such"}


class Start(CliTest):
    def alone(self, *arguments, **environment):
        result = campaign.rodeo(*arguments, directory=self.folder, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_process_that_is_alone_needs_no_mpi(self):
        self.alone("run", self.deck(), "--output", self.file, **NO_MPI)
        self.alone("resume", self.file, **NO_MPI)
        self.alone("best", self.file, "--member", "0", **NO_MPI)

    def test_an_allocation_without_a_launcher_is_none(self):
        # What a batch script of Slurm sees on two nodes.
        slurm = {"SLURM_JOB_ID": "7", "SLURM_NNODES": "2", "SLURM_NTASKS": "8", "SLURM_PROCID": "0"}
        self.alone("run", self.deck(), "--output", self.file, **NO_MPI, **slurm)

    def test_a_launched_process_starts_mpi(self):
        for variable in ("OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"):
            with self.subTest(variable=variable):
                result = campaign.rodeo("run", self.deck(), "--output", self.file, directory=self.folder,
                                        **NO_MPI, **{variable: "1"})
                self.assertNotEqual(result.returncode, 0)
                self.assertFalse(self.file.exists())

    def test_ranks_of_another_mpi_are_refused(self):
        for variable in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"):
            with self.subTest(variable=variable):
                result = campaign.rodeo("run", self.deck(), "--output", self.file, directory=self.folder,
                                        PMI_RANK="1", **{variable: "2"})
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("the launcher started 2 ranks", result.stderr)
                self.assertFalse(self.file.exists())

    def test_results_are_those_of_ranks(self):
        self.alone("run", self.deck(), "--output", self.file)
        self.succeed("run", self.deck(), "--output", "ranks.h5", ranks=2)
        alone = read_ensemble.Ensemble(self.file)
        self.assertTrue(alone.committed.all())
        self.assertEqual(campaign.differences(alone, read_ensemble.Ensemble(self.folder / "ranks.h5")), [])

    def test_a_killed_campaign_goes_on_with_what_it_wrote(self):
        deck = self.deck(campaign.waiting_deck([0.02], repeats=60))
        process = self.start("run", deck, "--output", self.file)
        campaign.wait_for_members(self.file, 10, process)
        process.kill()
        process.wait()
        written = read_ensemble.Ensemble(self.file)
        kept = written.committed.copy()
        seconds = written.wall_seconds[kept].tobytes()
        self.assertGreaterEqual(kept.sum(), 10)
        self.alone("resume", self.file, **NO_MPI)
        resumed = read_ensemble.Ensemble(self.file)
        self.assertTrue(resumed.committed.all())
        self.assertEqual(resumed.wall_seconds[kept].tobytes(), seconds, "what was written is not run again")

    def test_a_file_that_is_written_is_refused_to_others(self):
        process = self.start("run", self.deck(campaign.waiting_deck([0.1], repeats=5000)), "--output", self.file)
        campaign.wait_for_members(self.file, 1, process)
        for ranks in (None, 2):
            with self.subTest(ranks=ranks):
                result = self.call("resume", self.file, ranks=ranks)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn(str(process.pid), result.stderr)

    def test_a_full_disk_is_told(self):
        limit = f'ulimit -f 100; trap "" XFSZ; exec {campaign.RODEO} run {self.deck()} --output {self.file} --output.frames=20000'
        result = subprocess.run(["bash", "-c", limit], capture_output=True, text=True, check=False, cwd=self.folder, env=os.environ)
        self.assertIn(result.returncode, (1, 2), result.stderr)
        self.assertIn("cannot", result.stderr)


if __name__ == "__main__":
    unittest.main()

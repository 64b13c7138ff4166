"""The batch scripts without Slurm: on this machine, on a list of hosts, and as a job of PBS, whose commands stand in here."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

import campaign
from campaign import read_ensemble

JOBS = campaign.ROOT / "jobs"
DECK = "[study]\nrepeats = 6\n[model]\nkind = noop\n[noop]\nseconds = 0.01\n"


class BatchScripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-batch-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "campaign.h5"
        self.deck = self.folder / "deck.ini"
        self.deck.write_text(DECK, encoding="utf-8")

    def start(self, script, *arguments, environment=(), folder=None):
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "PBS"))}
        variables |= {"RODEO": campaign.RODEO, "RODEO_MPIRUN": campaign.MPIRUN, "RODEO_ROOT": str(campaign.ROOT), "OMPI_MCA_rmaps_base_oversubscribe": "1",
                      "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
        return subprocess.Popen(["bash", JOBS / script, *arguments], cwd=folder or self.folder, env=variables | dict(environment),
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run_script(self, *arguments, **options):
        process = self.start(*arguments, **options)
        log, _ = process.communicate()
        return process.returncode, log

    def command(self, name, text):
        """A command that jobs find before all others."""
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
        path.chmod(0o755)

    def pbs(self, **variables):
        nodes = self.folder / "nodes"
        nodes.write_text("localhost\nlocalhost\n", encoding="utf-8")
        self.command("qstat", "echo '    Resource_List.walltime = 00:10:00'\n")
        self.command("qrerun", f'echo "$1" > "{self.folder}/requeued"\n')
        return {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "PBS_JOBID": "7.server", "PBS_NODEFILE": str(nodes),
                "PBS_O_WORKDIR": str(self.folder), **variables}

    def test_this_machine(self):
        code, log = self.run_script("one_node.sbatch", self.deck, self.file)
        self.assertEqual(code, 0, log)
        self.assertIn("on localhost, 1 threads a rank", log)
        self.assertTrue(read_ensemble.Ensemble(self.file).committed.all())

    def test_a_list_of_hosts(self):
        hosts = self.folder / "hosts"
        hosts.write_text("localhost\n", encoding="utf-8")
        code, log = self.run_script("many_nodes.sbatch", self.deck, self.file, environment={"RODEO_HOSTS": str(hosts)})
        self.assertEqual(code, 0, log)
        self.assertTrue(read_ensemble.Ensemble(self.file).committed.all())

    def test_a_list_that_is_missing(self):
        code, log = self.run_script("many_nodes.sbatch", self.deck, self.file, environment={"RODEO_HOSTS": "nowhere"})
        self.assertEqual(code, 1, log)
        self.assertIn("nowhere: No such file or directory", log)
        self.assertFalse(self.file.exists())

    def test_pbs_runs_a_rank_for_each_of_its_hosts_lines(self):
        code, log = self.run_script("many_nodes.sbatch", self.deck, self.file, environment=self.pbs(), folder="/")
        self.assertEqual(code, 0, log)
        self.assertEqual(read_ensemble.Ensemble(self.file).attributes["ranks"], 2)
        self.assertFalse((self.folder / "requeued").exists())

    def test_pbs_puts_a_job_back_that_was_told_to_stop(self):
        self.deck.write_text(DECK.replace("0.01", "2").replace("repeats = 6", "repeats = 60"), encoding="utf-8")
        process = self.start("one_node.sbatch", self.deck, self.file, environment=self.pbs())
        self.addCleanup(process.kill)
        campaign.wait_for_members(self.file, 1, process)
        process.send_signal(signal.SIGUSR1)
        log, _ = process.communicate()
        self.assertEqual(process.returncode, 75, log)
        self.assertEqual((self.folder / "requeued").read_text().strip(), "7.server")

    def test_pbs_arrays_take_their_task_s_deck(self):
        other = self.folder / "other.ini"
        other.write_text(DECK, encoding="utf-8")
        environment = self.pbs(PBS_ARRAY_INDEX="2", RODEO_RESULTS=str(self.folder))
        code, log = self.run_script("array.sbatch", self.deck, other, environment=environment)
        self.assertEqual(code, 0, log)
        self.assertTrue((self.folder / "other.h5").exists())
        self.assertFalse((self.folder / "deck.h5").exists())

    def test_pbs_chains(self):
        self.command("qsub", f'echo "$@" >> "{self.folder}/submitted"\nwc --lines < "{self.folder}/submitted"\n')
        for tool in ("bash", "realpath", "wc"):  # and no sbatch
            (self.folder / "bin" / tool).symlink_to(shutil.which(tool))
        environment = {"PATH": f"{self.folder}/bin", "RODEO_QSUB": "-l walltime=1:00:00"}
        code, log = self.run_script("chain", JOBS / "one_node.sbatch", "a.ini", "b.ini", environment=environment)
        self.assertEqual((code, log), (0, "1\n2\n"))
        script = (JOBS / "one_node.sbatch").resolve()
        self.assertEqual((self.folder / "submitted").read_text().splitlines(),
                         [f"-l walltime=1:00:00 -- {script} a.ini", f"-l walltime=1:00:00 -W depend=afterok:1 -- {script} b.ini"])


if __name__ == "__main__":
    unittest.main()

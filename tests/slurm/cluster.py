"""A Slurm cluster of two nodes on this machine, for as long as the tests run; needs Debian's Slurm, no systemd."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

NODES = ("n1", "n2")

CONFIGURATION = """\
ClusterName=rodeo
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
TmpFS={folder}/tmp/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
SlurmdTimeout=10
ReturnToService=1
KillWait=5
MailProg=/bin/true
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/log/jobcomp.txt
GresTypes=gpu
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first_port}-{last_port}] {topology} RealMemory=4096 Gres=gpu:2
PartitionName=main Nodes=n[1-2] Default=YES OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP
"""


class ClusterError(Exception):
    """The daemons did not come up, or a job did not come to what a test waits for."""


def free_ports(count):
    """The first of `count` free ports in a row."""
    for first in range(17001, 17900, count):
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("", port))
        except OSError:
            continue
        return first
    raise ClusterError("no free ports")


class Cluster:
    """Starts munged, slurmctld and two slurmd in a folder of their own; `stop` ends them and their jobs."""

    def __init__(self):
        missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if shutil.which(name) is None]
        if missing:
            raise ClusterError(f"{', '.join(missing)} not found: scripts/install_dependencies --slurm")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rodeo-slurm-"))
        self.folder.chmod(0o755)
        topology = subprocess.run(["slurmd", "-C"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
        self.topology = " ".join(
            field for field in topology.split() if field.split("=")[0] not in ("NodeName", "RealMemory", "UpTime")
        )
        numbers = dict(field.split("=") for field in self.topology.split())
        self.cores = int(numbers["Boards"]) * int(numbers["SocketsPerBoard"]) * int(numbers["CoresPerSocket"])
        # Nodes that share a machine share its folder for shared memory too, where Open MPI's names tell no nodes apart.
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SBATCH", "OMPI_COMM"))
        } | {"SLURM_CONF": str(self.folder / "slurm.conf"), "OMPI_MCA_btl": "self,tcp"}
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self):
        folder = self.folder
        for name in ("munge", "state", "log", *(f"{kind}/{node}" for kind in ("spool", "tmp") for node in NODES)):
            (folder / name).mkdir(parents=True, mode=0o755)
        first_port = free_ports(3)
        (folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                folder=folder, host=socket.gethostname().split(".")[0], topology=self.topology, controller_port=first_port,
                first_port=first_port + 1, last_port=first_port + 2, user="root" if os.geteuid() == 0 else os.getlogin(),
            )
        )
        # No GPU is behind these, but Slurm wants a device for each.
        for gpu, device in (("gpu0", "/dev/null"), ("gpu1", "/dev/zero")):
            (folder / gpu).symlink_to(device)
        (folder / "gres.conf").write_text(f"AutoDetect=off\nNodeName=n[1-2] Name=gpu File={folder}/gpu[0-1]\n")
        key = folder / "munge" / "key"
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(1024))
        munge = folder / "munge"
        self._call(
            "munged", f"--key-file={key}", f"--socket={munge}/socket", f"--pid-file={munge}/pid", f"--log-file={munge}/log",
            f"--seed-file={munge}/seed",
        )
        self._call("slurmctld", "-c", "-f", str(folder / "slurm.conf"))
        for node in NODES:
            self.start_node(node)
        self.wait_for(lambda: self.node_states() == ["idle", "idle"], "both nodes idle", 60)

    def start_node(self, node):
        self._call("slurmd", "-N", node, "-f", str(self.folder / "slurm.conf"))

    def _call(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ClusterError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        return done.stdout

    def pid(self, daemon):
        """The process of slurmctld, slurmd-n1, slurmd-n2 or munge/pid; None if it is not there."""
        path = self.folder / (daemon if "/" in daemon else f"{daemon}.pid")
        try:
            pid = int(path.read_text())
            os.kill(pid, 0)
            return pid
        except (OSError, ValueError):
            return None

    def stop(self):
        if self.pid("slurmctld") is not None:
            subprocess.run(["scancel", "--user", str(os.geteuid())], env=self.environment, check=False, capture_output=True)
            try:
                self.wait_for(lambda: not self._call("squeue", "--noheader"), "no job left", 60)
            except ClusterError as error:
                print(f"cluster: {error}")
        for daemon in (*(f"slurmd-{node}" for node in NODES), "slurmctld", "munge/pid"):
            pid = self.pid(daemon)
            if pid is not None:
                os.kill(pid, 15)
                self.wait_for(lambda daemon=daemon: self.pid(daemon) is None, f"the end of {daemon}", 60)
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def wait_for(condition, what, timeout):
        """Waits until `condition` gives something true and returns it."""
        deadline = time.monotonic() + timeout
        while not (result := condition()):
            if time.monotonic() > deadline:
                raise ClusterError(f"no {what} within {timeout} s")
            time.sleep(0.1)
        return result

    def node_states(self):
        return self._call("sinfo", "--noheader", "--Node", "--format=%T").split()

    def control(self, *arguments):
        return self._call("scontrol", *arguments)

    def cancel(self, *arguments):
        return self._call("scancel", *arguments)

    def submit(self, *arguments, environment=None):
        """The number of the job that sbatch makes of its arguments, from the root of the repository."""
        root = pathlib.Path(__file__).resolve().parents[2]
        done = subprocess.run(
            ["sbatch", "--parsable", *map(str, arguments)], cwd=root, env=self.environment | (environment or {}),
            capture_output=True, text=True, check=False,
        )
        if done.returncode != 0:
            raise ClusterError(f"sbatch: {done.stderr}")
        return done.stdout.strip()

    def job(self, number):
        """What scontrol knows of a job or a task of an array, by its names (JobState, ExitCode, Restarts, …)."""
        text = self._call("scontrol", "--oneliner", "show", "job", number)
        return dict(field.split("=", 1) for field in text.split() if "=" in field)

    def wait_for_state(self, number, *states, timeout=120):
        """Waits until a job is in one of the states; returns what is known of it."""

        def found():
            job = self.job(number)
            return job if job["JobState"] in states else None

        try:
            return self.wait_for(found, f"{' or '.join(states)} of job {number}", timeout)
        except ClusterError as error:
            raise ClusterError(f"{error}; it is {self.job(number)['JobState']}") from None

    def wait_for_end(self, number, timeout=180):
        return self.wait_for_state(
            number, "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", timeout=timeout
        )

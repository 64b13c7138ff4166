"""What members ask of the system: nothing of their own. Rows go to the file by the hundred; a thread has members to run."""

import collections
import os
import subprocess
import unittest

import campaign
from cli_test_case import DONE, CliTest

# What waits asks again and again for as long as that takes, which is no matter of members.
WAITS = {"nanosleep", "clock_nanosleep", "poll", "epoll_wait", "futex", "sched_yield", "restart_syscall"}


@unittest.skipUnless(campaign.can_trace(), "nothing can be traced here")
class SystemCalls(CliTest):
    def calls(self, deck, ranks=None, **environment):
        """The system calls that all processes of a campaign made, one after the other."""
        log = self.folder / "calls.txt"
        command = campaign.command("run", self.deck(deck), "--output", self.file, "--overwrite", ranks=ranks)
        traced = subprocess.run(["strace", "-f", "-qq", "-o", log, *command], capture_output=True, text=True, check=False,
                                cwd=self.folder, env=os.environ | environment)
        self.assertEqual(traced.returncode, DONE, traced.stderr)
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        names = (line.split(maxsplit=1)[1].split("(", 1)[0] for line in lines if "(" in line and " resumed>" not in line)
        return [name for name in names if name not in WAITS]

    def test_a_member_makes_no_call_of_its_own(self):
        few, many = 2000, 12000
        for ranks in (None, 2):
            with self.subTest(ranks=ranks):
                more = collections.Counter(self.calls(campaign.waiting_deck([0.0], repeats=many), ranks))
                more.subtract(self.calls(campaign.waiting_deck([0.0], repeats=few), ranks))
                a_member = sum(more.values()) / (many - few)
                self.assertLess(a_member, 0.2, more.most_common(8))

    def threads_started(self, members, threads):
        calls = self.calls(campaign.long_deck(members, 0.05), OMP_NUM_THREADS=str(threads))
        starts = [k for k, call in enumerate(calls) if call == "execve"]  # the program may start itself again
        return sum(call in ("clone", "clone3") for call in calls[starts[-1]:])

    def test_no_thread_is_started_that_has_no_member(self):
        """Beside those of the MPI, which Open MPI 5 has."""
        for members, threads in ((1, 1), (2, 2), (12, 3)):
            with self.subTest(members=members):
                self.assertEqual(self.threads_started(members, 3) - self.threads_started(members, 1), threads - 1)


if __name__ == "__main__":
    unittest.main()

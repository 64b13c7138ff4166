"""Sets of kernels: one is chosen at start, or named by RODEO_KERNELS, and gives the same bits on all processors that have it."""

import os
import re
import shutil
import signal
import subprocess
import unittest

import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, DONE, CliTest
from run_test import RATIO_DECK, VIBRATIONS

QEMU = shutil.which("qemu-x86_64")
ALL_SETS = ("v2", "v3", "v4")
# The first processors that can run a set, as qemu knows them. It has none for v4.
PROCESSORS = {"v2": "Nehalem", "v3": "Haswell"}
# What C libraries and a BLAS choose their functions by: here, as if the processor lacked what newer ones have.
LESS = {"v3": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD"}}


def chosen(**environment):
    result = campaign.rodeo("--version", **environment)
    return re.search(r"^kernels +(\w+)$", result.stdout, re.MULTILINE)[1]


HAS_SETS = chosen() in ALL_SETS
RUN_HERE = [name for name in ALL_SETS if campaign.rodeo("--version", RODEO_KERNELS=name).returncode == DONE]


class Kernels(CliTest):
    def run_with(self, name, deck, *options, prefix=(), output="other.h5", **environment):
        subprocess.run([*prefix, *campaign.command("run", deck, *options, "--output", output, "--overwrite")], cwd=self.folder,
                       env=os.environ | {"RODEO_KERNELS": name} | environment, capture_output=True, check=True)
        return read_ensemble.Ensemble(self.folder / output)

    def test_the_set_is_named_in_the_file(self):
        self.succeed("run", self.deck(), "--output", self.file)
        self.assertEqual(read_ensemble.Ensemble(self.file).attributes["kernels"], chosen())

    def test_a_set_that_is_not_there_is_told(self):
        for arguments in (["--version"], ["run", self.deck(), "--output", self.file]):
            result = campaign.rodeo(*arguments, directory=self.folder, RODEO_KERNELS="v5")
            self.assertEqual(result.returncode, BAD_INPUT)
            self.assertIn("RODEO_KERNELS=v5", result.stderr)
            self.assertIn(chosen(), result.stderr)
            self.assertFalse(self.file.exists())


@unittest.skipUnless(HAS_SETS, "this program is compiled for one processor")
class Sets(Kernels):
    def test_the_newest_is_chosen_unless_another_is_named(self):
        self.assertEqual(chosen(), RUN_HERE[-1])
        for name in RUN_HERE:
            self.assertEqual(chosen(RODEO_KERNELS=name), name)

    def test_a_set_that_the_processor_cannot_run_is_told(self):
        for name in set(ALL_SETS) - set(RUN_HERE):
            result = campaign.rodeo("--version", RODEO_KERNELS=name)
            self.assertEqual(result.returncode, BAD_INPUT)
            self.assertIn(f"RODEO_KERNELS={name}", result.stderr)
            self.assertIn("this processor cannot run", result.stderr)

    def test_ranks_run_the_same_set(self):
        each = "RODEO_KERNELS=v$((2 + ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}))"
        deck = self.deck()
        result = subprocess.run([campaign.MPIRUN, "-n", "2", "sh", "-c",
                                 f'{each} exec "$0" "$@"', campaign.RODEO, "run", deck, "--output", self.file],
                                capture_output=True, text=True, check=False)
        if "v3" not in RUN_HERE:
            self.skipTest("this processor runs one set")
        self.assertNotEqual(result.returncode, DONE)
        self.assertIn("set RODEO_KERNELS=v2 on all ranks", result.stderr)
        self.assertFalse(self.file.exists())

    def test_a_campaign_that_goes_on_with_another_set_says_so(self):
        first, *_, last = RUN_HERE
        if first == last:
            self.skipTest("this processor runs one set")
        deck = self.deck(campaign.long_deck(1, 200) + "checkpoint_interval = 0.1\n")
        process = self.start("run", deck, "--output", self.file)
        checkpoint = self.folder / "campaign.h5.checkpoints" / "member_0"
        campaign.wait_until(checkpoint.exists, process)
        process.send_signal(signal.SIGTERM)
        process.wait()
        result = campaign.rodeo("resume", self.file, directory=self.folder, RODEO_KERNELS=first)
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertIn(f"were computed with the kernels {last}, and those that follow are with {first}", result.stderr)
        self.assertIn("with another set of kernels (RODEO_KERNELS): member 0 starts anew", result.stderr)
        whole = self.run_with(first, deck)
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def decks(self):
        """Short ones: an emulator takes twenty times as long. Explicit steps, implicit steps of `der` with damping ratios, vibrations, and rods that touch in a fluid."""
        yield self.deck(), ("--time.end=0.2",)
        yield self.deck(RATIO_DECK), ()
        yield self.deck(RATIO_DECK), VIBRATIONS
        yield self.deck(campaign.flagella_deck([0.3], 0.05)), ()

    @unittest.skipUnless(QEMU, "not installed: qemu-user (Debian)")
    def test_bits_of_a_set_are_those_of_other_processors(self):
        for deck, options in self.decks():
            for name, processor in PROCESSORS.items():
                if name not in RUN_HERE:
                    continue
                with self.subTest(deck=deck.read_text(), options=options, processor=processor):
                    ours = self.run_with(name, deck, *options, output="ours.h5")
                    there = self.run_with(name, deck, *options, prefix=(QEMU, "-cpu", processor))
                    self.assertEqual(campaign.differences(ours, there), [])

    def test_bits_of_a_set_do_not_depend_on_what_libraries_choose(self):
        for deck, options in self.decks():
            for name, environment in LESS.items():
                if name in RUN_HERE:
                    ours = self.run_with(name, deck, *options, output="ours.h5")
                    other = self.run_with(name, deck, *options, **environment)
                    self.assertEqual(campaign.differences(ours, other), [])


if __name__ == "__main__":
    unittest.main()

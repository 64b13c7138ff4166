"""The program with model.device = gpu against its own steps, by a library whose kernels run on the host (stand_in): each of them, with
all that devices take. What reads or writes what it must not, and threads in a race, end a run.
"""

import os
import pathlib
import signal
import subprocess
import sys
import unittest

import numpy as np

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "fuzz")]
import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, DONE, FAILED, STOPPED, CliTest
from quantities import dimension

BUILT = pathlib.Path(os.environ.get("RODEO_TESTS_BUILT", campaign.ROOT / "build" / "tests"))
LIBRARY = BUILT / "device" / "librodeo_device.so"


def finds(library=LIBRARY):
    """The variable with which a program finds a library."""
    return {"LD_LIBRARY_PATH": ":".join(filter(None, [str(library.parent), os.environ.get("LD_LIBRARY_PATH")]))}


ON_DEVICE = "--model.device=gpu"

# The two sum in other orders. A number differs by no more than BOUND of the largest one in its unit, or of SMALL in that unit.
BOUND = 1e-9
SMALL = {"m": 1e-3, "kg": 1e-3, "s": 1e-3}

# A rod that flies. Its steps are right for up to 150 elements.
ROD = """\
[study]
kind = sweep
[sweep]
axis = rod.density : list(1100, 1000)
[rod]
elements = 20
length = 0.2
radius = 0.004
density = 1100
young_modulus = 1e6
poisson_ratio = 0.5
damping = 0.5
direction = 1, 0, 0
normal = 0, 0, 1
velocity = 1, 3, 2
[time]
step = 1e-5
end = 6e-4
slice_steps = 25
[output]
frames = 4
fields = velocity, orientation, angular_velocity, dilatation
"""
CURVED = ("rod.intrinsic_curvature = 20, 10",)
GRAVITY = ("gravity.acceleration = 200, 300, -900",)
CLAMPED = ("boundary.first = clamped", "rod.velocity = 0, 0, 0")
COUPLES = ("muscle.amplitudes = 0.02, 0.05, 0.03, 0.04", "muscle.period = 1e-3", "muscle.wave_number = 30", "muscle.axis = 0, 1, 0")
DRAG = ("fluid.viscosity = 0.5",)
SURFACE = (
    "ground.stiffness = 200", "ground.damping = 0.02", "ground.static_friction = 0.2, 0.3, 0.4", "ground.kinetic_friction = 0.1, 0.15, 0.2",
    "ground.velocity_threshold = 1e-3")
PLANE = ("ground.kind = plane", "ground.normal = 0, 0, 1", "ground.origin = 0, 0, -0.003", *SURFACE)
PUSHED = ("boundary.first = pinned", "boundary.last = pinned_sliding", "rod.velocity = 0, 0, 0", "load.axial_force = 5", "load.perturbation = 10")

# Each has kernels of its own for members of up to 23, 55, 103 and more elements.
PLAIN = {
    "alone": CURVED,
    "under gravity": (*GRAVITY, *CLAMPED),
    "with muscles": (*COUPLES, "load.end_force = 1, 2, 3", "load.end_couple = 0.01, 0, 0.02"),
    "in a fluid": (*CURVED, *GRAVITY, *COUPLES, *DRAG),
    "on a plane": (*GRAVITY, *COUPLES, *PLANE),
}
ELEMENTS = ("20, 23", "24, 55", "56, 103", "104, 130")

LONG = (*CURVED, *GRAVITY, "time.step = 4e-6", "time.end = 8.4e-5", "time.slice_steps = 8")
OTHERS = {
    "three rods, two of them joined": (
        "rod.count = 3", "rod.each = rod.origin[2] : list(0, 0, 0.1)", "rod.each = joint.kind : list(none, ball, none)", "rod.elements = 11",
        *GRAVITY, *DRAG, *COUPLES[:3], "rod.each = muscle.direction : list(d1, d2, d1)"),
    "a rigid joint": (
        "rod.count = 2", "rod.each = rod.direction[1] : list(0, 1)", "joint.kind = rigid", *GRAVITY, "muscle.kind = force", *COUPLES[:3]),
    "a ring": ("rod.shape = ring", "rod.closed = yes", "rod.total_twist = 1", "rod.rest_shape = straight", "load.perturbation = 10"),
    "pushed ends": (*PUSHED, "sweep.axis = boundary.last : list(pinned_sliding, clamped_sliding)"),
    "driven ends": (
        "boundary.first = clamped", "boundary.last = clamped", "rod.velocity = 0, 0, 0", "boundary.twist = 2", "boundary.slack = 0.01",
        "boundary.motion_time = 5e-4"),
    "spread loads": (
        *CLAMPED, "load.distributed_force = 10, 0, 20", "load.distributed_couple = 0, 0.2, 0", "load.follower_force = 2, 1, 0",
        "load.middle_force = 0, 5, 0", "load.ramp_time = 3e-4"),
    "a tether and a magnet": (
        *CLAMPED, "load.tether_point = 0.2, 0.05, 0.02", "load.tether_stiffness = 100", "load.tether_hardening = 1e3",
        "load.tether_length = 0.01", "load.magnetization = 1e6", "load.magnetic_flux_density = 0, 0.02, 0.03"),
    "damping that fades": (*CURVED, "rod.damping_decay_time = 3e-4"),
    "incompressible sections": (*CURVED, *GRAVITY, "model.section = incompressible", "load.end_force = 0.5, 0, 1"),
    "a rod in a ball and a cylinder": (
        *GRAVITY, *SURFACE, "ground.spheres = 0.1, 0, 0, -0.1045", "ground.cylinders = 0, 0, 0, 1, 0, 0, -0.0045"),
    # More than kernels for plain members take: with arrays in scratch memory, and without.
    "404 elements": (*LONG, "rod.elements = 404"),
    "450 elements": (*LONG, "rod.elements = 450"),
}

REFUSED = {
    ("model.precision = single",): "single precision",
    ("rod.section = rectangle", "rod.radius = ", "rod.width = 0.01", "rod.thickness = 0.005"): "sections with two bend stiffnesses",
    ("contact.kind = penalty", "contact.stiffness = 100"): "contact between rods",
    ("motion.position = node 0 : 0, 0, t",): "motions",
    ("connection.spring = node 0 to node 20 : stiffness 1 length 0.1",): "connections",
    ("actuation.force = z : t",): "formulas of time",
    (*PLANE, "ground.response = springs"): "ground on springs",
    (*SURFACE, "ground.planes = 0, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0"): "ground on springs, further planes",
    (*SURFACE, "ground.spheres = 0, 0, -1, 0.5"): "ground on springs, further planes, platens, or balls and cylinders that rods are outside of",
    ("rod.elements = 4000", "time.step = 1e-7"): "members of so many elements",
}


class OnDevice(CliTest):
    def rod(self, *lines):
        """ROD with other lines, of which the last one of a key counts; an empty value takes it away."""
        sections = {}
        for line in (*ROD.splitlines(), *lines):
            if line.startswith("["):
                section = line.strip("[]")
                continue
            key, value = line.split(" = ", 1)
            *own, key = key.split(".")
            entries = sections.setdefault(*own or [section], {})
            entries[key] = [*entries.get(key, []), value] if key == "each" else [value]
        return self.deck("".join(
            f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, values in entries.items() for value in values if value)
            for name, entries in sections.items()))

    def on_device(self, *arguments, ranks=None, code=DONE, library=LIBRARY, **environment):
        result = campaign.rodeo(*arguments, ranks=ranks, directory=self.folder, **finds(library), **environment)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def ensemble(self, name):
        return read_ensemble.Ensemble(self.folder / f"{name}.h5")

    def run_both(self, deck):
        """Runs a deck on the host and on a device."""
        self.succeed("run", deck, "--output", "host.h5", "--overwrite")
        self.on_device("run", deck, ON_DEVICE, "--output", "device.h5", "--overwrite")

    def check_both(self):
        """Checks that the two have come to the same; gives the device's."""
        host, device = self.ensemble("host"), self.ensemble("device")
        self.assertEqual(list(device.status), list(host.status))
        self.assertEqual(list(device.steps), list(host.steps))
        units = {name: host.unit(name).replace("SI", "1") for name in host.observables}
        largest = {unit: np.prod([size ** power for size, power in zip(SMALL.values(), dimension(unit))]) for unit in units.values()}
        for name, values in host.observables.items():
            largest[units[name]] = max(largest[units[name]], np.max(np.abs(values[np.isfinite(values)]), initial=0.0))
        for name, values in host.observables.items():
            self.check_close(device.observables[name], values, largest[units[name]], name)
        for member in range(len(host)):
            for field in ("position", "velocity", "orientation", "angular_velocity", "dilatation"):
                (times, right), (own_times, found) = (one.trajectory(member, field) for one in (host, device))
                np.testing.assert_array_equal(own_times, times)
                self.check_close(found, right, np.nanmax(np.abs(right), initial=0.0), field)
        return device

    def check_close(self, found, right, largest, name):
        np.testing.assert_allclose(found, right, rtol=0, atol=BOUND * largest, err_msg=name)

    def test_plain_members(self):
        for name, lines in PLAIN.items():
            for elements in ELEMENTS:
                with self.subTest(member=name, elements=elements):
                    self.run_both(self.rod(*lines, f"sweep.axis = rod.elements : list({elements})"))
                    self.check_both()

    def test_other_members(self):
        for name, lines in OTHERS.items():
            with self.subTest(member=name):
                self.run_both(self.rod(*lines))
                self.check_both()

    def test_more_members_than_one_batch_of_which_some_stop_early(self):
        self.run_both(self.rod(*PUSHED, "rod.elements = 5", "study.repeats = 17", "time.end = 3e-4", "sweep.axis = load.axial_force : list(0.01, 50)",
                               "observe.buckling_translational_energy = 0.1"))
        self.assertEqual(set(self.check_both().status), {read_ensemble.DONE, read_ensemble.STOPPED_EARLY})

    def test_members_of_several_kinds(self):
        self.run_both(self.rod(*GRAVITY, *PLANE, "sweep.axis = ground.kind : list(plane, none)", "sweep.axis = rod.elements : list(8, 30)"))
        self.check_both()

    def test_members_that_are_made_longer(self):
        self.run_both(self.rod(*CURVED, *DRAG, "time.end = 3e-4", "output.states = last"))
        for name, call in (("host", self.succeed), ("device", self.on_device)):
            call("extend", f"{name}.h5", "--time.end=6e-4")
        np.testing.assert_array_equal(self.ensemble("device").steps, 60)
        self.check_both()

    def test_a_campaign_on_two_ranks(self):
        deck = self.rod(*PUSHED, "study.repeats = 3", ON_DEVICE[2:].replace("=", " = "))
        self.on_device("run", deck, "--output", "one.h5")
        self.on_device("run", deck, "--output", "two.h5", ranks=2)
        self.assertEqual(campaign.differences(self.ensemble("one"), self.ensemble("two")), [])

    def test_a_campaign_that_is_stopped_and_resumed(self):
        deck = self.rod(*CURVED, *GRAVITY, "time.end = 0.02", "output.checkpoint_interval = 0.05")
        self.on_device("run", deck, ON_DEVICE, "--output", "whole.h5")
        process = self.start("run", deck, ON_DEVICE, "--output", self.file, env=os.environ | finds())
        campaign.wait_until((self.folder / "campaign.h5.checkpoints" / "member_0").exists, process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), STOPPED)
        self.assertFalse(self.ensemble("campaign").committed.any())
        self.on_device("resume", self.file)
        self.assertEqual(campaign.differences(self.ensemble("whole"), self.ensemble("campaign")), [])

    def test_what_devices_do_not_take_is_refused(self):
        for lines, words in REFUSED.items():
            with self.subTest(words):
                deck = self.rod(*lines)
                self.succeed("check", deck)
                self.refuse("check", deck, ON_DEVICE, mentions=[f"model.device: = gpu has no {words}", "host has them"])

    def test_a_library_of_another_version(self):
        revision = next(line.split()[-1] for line in self.succeed("--version").stdout.splitlines() if "revision" in line).encode()
        other = self.folder / LIBRARY.name
        other.write_bytes(LIBRARY.read_bytes().replace(revision, b"x" * len(revision)))
        result = self.on_device("run", self.rod(ON_DEVICE[2:].replace("=", " = ")), "--output", self.file, code=BAD_INPUT, library=other)
        self.assertIn(f"librodeo_device.so is of {'x' * len(revision)}", result.stderr)

    def test_what_a_device_complains_of(self):
        result = self.on_device("run", self.rod(), ON_DEVICE, "--output", self.file, code=FAILED, RODEO_STAND_IN_MEMORY="1000")
        self.assertIn("the device failed to get memory: out of memory", result.stderr)

    def test_the_comparison_that_is_taken_to_other_machines(self):
        environment = os.environ | finds()
        subprocess.run([BUILT / "rodeo_save_batches", "batches"], cwd=self.folder, check=True, capture_output=True, env=environment)
        found = subprocess.run([BUILT / "rodeo_check_batches", "batches", "brief"], cwd=self.folder, capture_output=True, text=True, env=environment)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)


if __name__ == "__main__":
    unittest.main()

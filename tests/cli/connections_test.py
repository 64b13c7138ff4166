"""Connections of rods: balance of work, the same for any ranks, and messages."""

import unittest

from campaign import read_ensemble
from cli_test_case import CliTest


# Three rods that swing from one end, with a connection of every kind, whose bond breaks here and there.
CONNECTED = """\
[study]
kind = sweep

[sweep]
axis = rod.radius : list(0.01, 0.012)

[model]
section = rigid

[rod]
count = 3
elements = 8
length = 0.5
radius = 0.01
density = 1000
young_modulus = 1e7
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 1, 0
each = rod.origin[0] : list(0, 0, 0.5)
each = rod.origin[1] : list(0, 0.03, 0)
each = boundary.first : list(clamped, free, free)

[connection]
bond = rod 0 to rod 1 : stiffness 2e4 damping 3 strength 45
ball = rod 0, end to rod 2, start
hinge = rod 1, s 0.9 to rod 2, node 2 : axis 0 1 0 rotational_damping 1e-4
spring = rod 0, middle to rod 2, element -1 : stiffness 3 damping 0.02

[gravity]
acceleration = 0, 0, -9.81

[time]
step_per_length = 4e-4
end = 0.3
slice_steps = 100

[measure]
interval = 1e-4
define = gain [J] : last(total_energy) + last(connection_energy) - at(0, total_energy) - at(0, connection_energy)
define = work [J] : integral(power_gravity)
define = lost [J] : integral(power_connection_damping)
define = passed_on [J] : integral(power_connections(rod 2))
define = broken [1] : broken_bonds
"""

# A turned element with a hinge beside it and a node that is moved, joined by a spring.
MOVED = """
[motion]
rotation = rod 2, element 2 about 0 1 0 : 0.2 * smooth(t, 0, 0.2) until 0.25
position = rod 2, end : 0, free, 0.02 * smooth(t, 0, 0.2)
"""
NAMES = ("gain", "work", "lost", "passed_on", "broken", "connection_energy", "end_z")


class Connections(CliTest):
    def results(self, text, *options, ranks=None):
        self.succeed("run", self.deck(text), *options, "--output", self.file, "--overwrite", ranks=ranks)
        return read_ensemble.Ensemble(self.file).observables

    def test_work_is_what_energy_and_dampers_took(self):
        unbroken = CONNECTED.replace(" strength 45", "")
        for options in ((), ("--model.kind=der", "--time.scheme=sdirk2", "--time.step_per_length=4e-3", "--measure.interval=2.5e-4")):
            found = self.results(unbroken, *options)
            for gain, work, lost in zip(found["gain"], found["work"], found["lost"]):
                self.assertLess(abs(gain - lost - work), 1e-3 * abs(work))
                self.assertLess(lost, -1e-4 * abs(work))

    def test_work_of_motions_of_what_is_joined_goes_into_it(self):
        driven = CONNECTED.replace(" strength 45", "").replace("integral(power_gravity)",
                                                               "integral(power_gravity) + last(work_motions)") + MOVED
        for options in ((), ("--model.kind=der", "--time.scheme=sdirk2", "--time.step_per_length=4e-3", "--measure.interval=2.5e-4")):
            found = self.results(driven, "--sweep.axis=rod.radius : list(0.012)", *options)
            for gain, work, lost in zip(found["gain"], found["work"], found["lost"]):
                self.assertLess(abs(gain - lost - work), 1e-3 * abs(work))

    def test_bonds_break_the_same_for_any_ranks(self):
        alone = self.results(CONNECTED)
        self.assertTrue(any(0 < count < 8 for count in alone["broken"]), alone["broken"])
        shared = self.results(CONNECTED, ranks=3)
        for name in NAMES:
            self.assertEqual(list(shared[name]), list(alone[name]), name)

    def test_checks_say_the_step_that_springs_allow(self):
        report = self.succeed("check", self.deck(CONNECTED)).stdout
        self.assertIn("  connections ", report)
        self.assertIn("s by the stiffness of connections", report)

    def test_messages_name_line_and_character(self):
        self.refuse("run", self.deck(CONNECTED.replace("rod 2, start", "rod 3, start")),
                    mentions=("deck.ini", "connection.ball", "character", "no such rod"))
        self.refuse("run", self.deck(CONNECTED.replace("rod 2, start", "rod 2, end")),
                    mentions=("deck.ini:26: connection.ball", "stand 0.5 m apart"))


if __name__ == "__main__":
    unittest.main()

"""Simulators of PyElastica as decks: what PyElastica computes of them against what rodeo computes of their decks, where PyElastica
is installed. The set-ups follow PyElastica's published examples."""

import importlib.util
import unittest
import warnings

import numpy as np

from package_test_case import PackageTest, softrods

INSTALLED = importlib.util.find_spec("elastica") is not None
if INSTALLED:
    import elastica
    from softrods.adapters.pyelastica import NoCounterpart, NotTheSame

    class Simulator(elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing, elastica.Damping, elastica.Connections,
                    elastica.Contact, elastica.CallBacks):  # fmt: skip
        """All that there is."""

X, Y, Z = np.eye(3)
STEP = 1e-4


def rod(elements=20, along=Z, normal=X, start=(0.0, 0.0, 0.0), length=1.0, radius=0.05, density=1000.0, young=1e6, **more):
    return elastica.CosseratRod.straight_rod(elements, np.array(start), along.copy(), normal.copy(), length, radius, density,
                                             youngs_modulus=young, shear_modulus=young / 1.5, **more)  # fmt: skip


def simulator(*systems):
    made = Simulator()
    for system in systems:
        made.append(system)
    return made


def clamp(made, system):
    made.constrain(system).using(elastica.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))


def pull(made, system, first, last, time=0.1):
    made.add_forcing_to(system).using(elastica.EndpointForces, np.array(first), np.array(last), ramp_up_time=time)


def damp(made, *systems, rate=0.5, step=STEP):
    for system in systems:
        made.dampen(system).using(elastica.AnalyticalLinearDamper, uniform_damping_constant=rate, time_step=step)


def weigh(made, *systems, acceleration=(0.0, 0.0, -9.81)):
    for system in systems:
        made.add_forcing_to(system).using(elastica.GravityForces, acc_gravity=np.array(acceleration))


def cantilever():
    """A stout beam, clamped, under a force at its end and its weight."""
    beam = rod()
    made = simulator(beam)
    clamp(made, beam)
    pull(made, beam, (0.0, 0.0, 0.0), (-2.0, 0.5, 0.0))
    weigh(made, beam, acceleration=(0.0, -2.0, 0.0))
    return made


def stretched():
    """Axial stretching."""
    beam = rod(19, X, Y, radius=0.025, young=1e4)
    made = simulator(beam)
    clamp(made, beam)
    pull(made, beam, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.01)
    damp(made, beam)
    return made


def butterfly():
    """A rod that starts with a kink and springs straight."""
    half = np.linspace(0.0, 1.0, 11)
    rise, fall = (np.array([np.cos(0.5), sign * np.sin(0.5), 0.0]) for sign in (1, -1))
    bent = np.concatenate([np.outer(half, rise), rise + np.outer(half[1:], fall)]).T
    return simulator(rod(20, X, Z, length=2.0, young=1e4, position=bent))


def catenary():
    """Held at both ends, it hangs."""
    cable = rod(30, X, Z, radius=0.01, young=1e4)
    made = simulator(cable)
    made.constrain(cable).using(elastica.FixedConstraint, constrained_position_idx=(0, -1), constrained_director_idx=(0, -1))
    weigh(made, cable)
    damp(made, cable)
    return made


def twisted():
    """Helical buckling before it buckles: ends are turned and brought together."""
    cable = rod(20, length=2.0, density=100.0)
    made = simulator(cable)
    made.constrain(cable).using(elastica.HelicalBucklingBC, constrained_position_idx=(0, -1), constrained_director_idx=(0, -1),
                                twisting_time=0.4, slack=0.1, number_of_rotations=0.5)  # fmt: skip
    made.add_forcing_to(cable).using(elastica.UniformForces, 2.0, Y)
    damp(made, cable)
    return made


def ring():
    closed = elastica.CosseratRod.ring_rod(24, np.zeros(3), X.copy(), Z.copy(), 1.0, 0.02, 1000.0, youngs_modulus=1e5,
                                           shear_modulus=1e5 / 1.5)  # fmt: skip
    made = simulator(closed)
    pull(made, closed, (0.0, 0.05, 0.0), (0.0, -0.05, 0.0))
    return made


def swimmer():
    """A flagellum: a wave of muscles in a viscous fluid."""
    body = rod(40, Z, Y, radius=0.025)
    made = simulator(body)
    made.add_forcing_to(body).using(
        elastica.MuscleTorques, base_length=1.0, b_coeff=np.array([1.7, 4.8, 0.5, 1.4]), period=1.0, wave_number=2 * np.pi,
        phase_shift=0.3, direction=Y.copy(), rest_lengths=body.rest_lengths, ramp_up_time=0.3, with_spline=True,
    )  # fmt: skip
    made.add_forcing_to(body).using(elastica.SlenderBodyTheory, dynamic_viscosity=10.0)
    return made


def slider():
    """A rod that slides over a floor until friction has stopped it almost."""
    body = rod(10, Z, Y, start=(0.0, 0.05, 0.0))
    floor = elastica.Plane(plane_origin=np.zeros(3), plane_normal=Y.copy())
    body.velocity_collection[2] = 1.0
    made = simulator(body, floor)
    weigh(made, body, acceleration=(0.0, -9.81, 0.0))
    made.detect_contact_between(body, floor).using(
        elastica.RodPlaneContactWithAnisotropicFriction, k=1e3, nu=1e-3, slip_velocity_tol=1e-8, static_mu_array=np.zeros(3),
        kinetic_mu_array=np.array([0.1, 0.2, 0.3]),
    )  # fmt: skip
    return made


def joined(kind):
    """Two rods in line, the first one clamped, the end of the other moved about."""

    def build():
        first, second = rod(10, X, Y, length=0.5), rod(10, X, Y, (0.5, 0.0, 0.0), length=0.5)
        made = simulator(first, second)
        clamp(made, first)
        joint = made.connect(first, second, first_connect_idx=-1, second_connect_idx=0)
        if kind == "ball":
            joint.using(elastica.FreeJoint, k=1e4, nu=1.0)
        else:
            joint.using(elastica.FixedJoint, k=1e4, nu=1.0, kt=1e2, nut=0.0)
        made.add_forcing_to(second).using(elastica.EndpointForcesSinusoidal, start_force_mag=0.0, end_force_mag=0.5,
                                          ramp_up_time=0.1, tangent_direction=X.copy(), normal_direction=Z.copy())  # fmt: skip
        damp(made, first, second)
        return made

    return build


def hinged():
    first, second = rod(10, X, Y, length=0.5), rod(10, X, Y, (0.5, 0.0, 0.0), length=0.5)
    made = simulator(first, second)
    clamp(made, first)
    made.connect(first, second, first_connect_idx=-1, second_connect_idx=0).using(
        elastica.HingeJoint, k=1e4, nu=1.0, kt=1e2, normal_direction=Y.copy())  # fmt: skip
    pull(made, second, (0.0, 0.0, 0.0), (0.0, 0.2, 0.5))
    damp(made, first, second)
    return made


def coupled():
    """A beam under a couple that is spread over it, in a wind that is too."""
    beam = rod(20, X, Y)
    made = simulator(beam)
    clamp(made, beam)
    made.add_forcing_to(beam).using(elastica.UniformTorques, 0.5, Z.copy())
    made.add_forcing_to(beam).using(elastica.UniformForces, 0.5, Z.copy())
    return made


def pair():
    """Two rods that are not alike, one of them bent and both with loads of their own."""
    bent = np.stack([np.linspace(0.0, 0.6, 13), 0.05 * np.linspace(0.0, 1.0, 13) ** 2, np.ones(13)])
    first, second = rod(20, young=2e6, radius=0.04), rod(12, X, Z, (0.0, 0.0, 1.0), length=0.6, density=900.0, position=bent)
    made = simulator(first, second)
    clamp(made, first)
    weigh(made, second)
    pull(made, first, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    damp(made, first, rate=0.5)
    damp(made, second, rate=1.0)
    return made


def laid_down():
    """A rod that lies on a floor without friction and is pulled at its end."""
    body = rod(10, Z, Y, start=(0.0, 0.05, 0.0))
    floor = elastica.Plane(plane_origin=np.zeros(3), plane_normal=Y.copy())
    made = simulator(body, floor)
    weigh(made, body, acceleration=(0.0, -9.81, 0.0))
    pull(made, body, (0.0, 0.0, 0.0), (0.5, 0.0, 0.0))
    made.detect_contact_between(body, floor).using(elastica.RodPlaneContact, k=1e3, nu=1.0)
    return made


def curved():
    """Naturally curved and twisted, and straight at the start."""
    body = rod(20, young=1e5)
    body.rest_kappa[:] = np.array([0.5, -0.3, 0.8])[:, None]
    made = simulator(body)
    clamp(made, body)
    return made


def thrown():
    """A rod that starts stretched, moving and spinning, with a heavy end and stiffer about one axis."""
    body = rod(16, Y, Z, young=1e5)
    body.position_collection *= 1.01
    body.velocity_collection[:] = np.linspace(-1, 1, 17) * Z[:, None]
    body.omega_collection[2] = 3.0
    body.mass[-1] += 0.5
    body.bend_matrix[1, 1] *= 2
    return simulator(body)


def guided():
    """A node that slides along one line."""
    body = rod(12)
    made = simulator(body)
    made.constrain(body).using(elastica.GeneralConstraint, constrained_position_idx=(4,), constrained_director_idx=(),
                               translational_constraint_selector=np.array([True, False, True]))  # fmt: skip
    weigh(made, body, acceleration=(1.0, -2.0, 0.5))
    return made


def meeting():
    """Two rods of which one falls on the other, crosswise."""
    low, high = rod(10, X, Y), rod(10, Y, Z, (0.55, -0.55, 0.11))
    high.velocity_collection[2] = -0.5
    made = simulator(low, high)
    made.detect_contact_between(low, high).using(elastica.RodRodContact, k=2e4, nu=0.0)
    return made


def bounced():
    """A rod that bounces off a ball which is held."""
    body, ball = rod(10, X, Y, (-0.55, 0.0, 0.151)), elastica.Sphere(np.zeros(3), 0.1, 1000.0)
    body.velocity_collection[2] = -1.0
    made = simulator(body, ball)
    made.constrain(ball).using(elastica.FixedConstraint, constrained_position_idx=(0,), constrained_director_idx=(0,))
    made.detect_contact_between(body, ball).using(elastica.RodSphereContact, k=1e3, nu=0.0)
    return made


# A set-up, its time and step, and what of its way the results may differ by: rounding, the order of steps that both take alike,
# or what from_pyelastica warns of.
SAME = {
    "cantilever": (cantilever, 0.3, STEP, 1e-6),
    "stretched": (stretched, 0.3, STEP, 1e-4),
    "butterfly": (butterfly, 0.5, STEP, 1e-4),
    "catenary": (catenary, 0.3, STEP, 1e-4),
    "twisted": (twisted, 0.6, 5e-5, 2e-3),
    "ring": (ring, 0.3, STEP, 1e-8),
    "ball": (joined("ball"), 0.3, STEP, 1e-4),
    "fixed": (joined("fixed"), 0.3, STEP, 1e-4),
    "curved": (curved, 0.2, STEP, 1e-4),
    "thrown": (thrown, 0.2, STEP, 1e-6),
    "guided": (guided, 0.2, STEP, 1e-6),
    "slider": (slider, 0.2, 5e-5, 1e-6),
    "coupled": (coupled, 0.2, STEP, 1e-6),
    "pair": (pair, 0.2, STEP, 1e-4),
    "laid_down": (laid_down, 0.2, 5e-5, 1e-3),
}
SIMILAR = {"swimmer": (swimmer, 0.5, 5e-5, 0.02), "hinged": (hinged, 0.3, STEP, 0.1)}
# The same of the middles of rods alone, which feel all forces of contact and not where they act.
TOUCHING = {"meeting": (meeting, 0.2, 5e-5, 0.05), "bounced": (bounced, 0.1, 5e-5, 0.12)}


@unittest.skipUnless(INSTALLED, "not installed: pyelastica (PyPI)")
class FromPyElastica(PackageTest):
    def convert(self, made, *arguments, **options):
        """The deck, and what was warned of."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            deck = softrods.from_pyelastica(made, *arguments, **options)
        return deck, [str(one.message) for one in caught if one.category is NotTheSame]

    def compare(self, build, end, step, allowed, of=lambda nodes: nodes, **options):
        """The deck, what was warned of, and how far the results are apart over the way they came: of all nodes, or of what `of`
        makes of them."""
        made = build()
        deck, notes = self.convert(made, end, step, frames=3, **options)
        made.finalize()
        finalized, _ = self.convert(made, end, step, frames=3, **options)
        self.assertEqual(str(deck), str(finalized))
        rods = [system for system in made if hasattr(system, "bend_matrix") and not type(system).__name__.startswith("MemoryBlock")]
        before = [of(body.position_collection.T.copy()) for body in rods]
        stepper, now = elastica.PositionVerlet(), 0.0
        for _ in range(round(end / step)):
            now = stepper.step(made, now, step)
        file = self.run_alone(deck, overwrite=True)
        found = [of(nodes[-1]) for nodes in file.rods(0)[1]]
        after = [of(body.position_collection.T) for body in rods]
        way = max(np.abs(last - first).max() for last, first in zip(after, before))
        off = max(np.abs(last - other[: len(last)]).max() for last, other in zip(after, found))
        self.assertGreater(way, 1e-4)
        self.assertLess(off, allowed * way)
        return deck, notes, off / way

    def test_examples_become_decks_with_the_same_motion(self):
        for name, case in SAME.items():
            with self.subTest(example=name):
                self.compare(*case)

    def test_what_is_a_little_different_is_said(self):
        for name, case in SIMILAR.items():
            with self.subTest(example=name):
                _, notes, _ = self.compare(*case)
                self.assertTrue(notes)
        for name, case in TOUCHING.items():
            with self.subTest(example=name):
                _, notes, _ = self.compare(*case, of=lambda nodes: nodes.mean(axis=0))
                self.assertTrue(notes)

    def test_clamps_of_the_ends_alone_are_nearer_to_the_beam(self):
        deck, _ = self.convert(cantilever(), 0.1, STEP, clamps="ends")
        self.assertEqual(deck.boundary.first, "clamped")
        self.assertNotIn("motion.position", deck)

    def test_dampers_by_their_constants(self):
        """Both programs damp by steps, to first order in them."""
        for options in ({"uniform_damping_constant": 2.0}, {"damping_constant": 0.01}):
            with self.subTest(**options):

                def build(step):
                    made = cantilever()
                    made.dampen(made[0]).using(elastica.AnalyticalLinearDamper, time_step=step, **options)
                    return made

                errors = [self.compare(lambda: build(step), 0.2, step, 0.02)[2] for step in (STEP, STEP / 4)]
                self.assertLess(errors[1], 0.35 * errors[0])

    def test_what_has_no_counterpart_is_refused_by_name(self):
        class Wind(elastica.NoForces):
            """A force of one's own."""

        class Heavier(elastica.GravityForces):
            """A class that does something else."""

        def with_force(kind, *arguments):
            made = cantilever()
            made.add_forcing_to(made[0]).using(kind, *arguments)
            return made

        with self.assertRaisesRegex(NoCounterpart, "Wind, a class of your own"):
            self.convert(with_force(Wind), 0.1, STEP)
        with self.assertRaisesRegex(NoCounterpart, "Heavier, a class of your own"):
            self.convert(with_force(Heavier, Z), 0.1, STEP)
        made = with_force(Wind)
        made.finalize()
        with self.assertRaisesRegex(NoCounterpart, "Wind, a class of your own"):
            self.convert(made, 0.1, STEP)
        deck, notes = self.convert(made, 0.1, STEP, without=["Wind"])
        self.assertEqual(notes, ["Wind is left out"])
        self.assertEqual(str(deck), str(self.convert(cantilever(), 0.1, STEP)[0]))

    def test_bodies_that_move_are_refused(self):
        body, ball = rod(10, X, Y, (-0.5, 0.0, 0.2)), elastica.Sphere(np.zeros(3), 0.1, 1000.0)
        made = simulator(body, ball)
        made.detect_contact_between(body, ball).using(elastica.RodSphereContact, k=1e4, nu=0.0)
        with self.assertRaisesRegex(NoCounterpart, "a Sphere that moves"):
            self.convert(made, 0.1, STEP)

    def test_a_filter_and_callbacks_are_named(self):
        made = cantilever()
        made.dampen(made[0]).using(elastica.LaplaceDissipationFilter, filter_order=5)
        made.collect_diagnostics(made[0]).using(elastica.CallBackBaseClass)
        _, notes = self.convert(made, 0.1, STEP)
        self.assertTrue(any("LaplaceDissipationFilter" in note for note in notes))
        self.assertTrue(any("callbacks" in note for note in notes))

    def test_uneven_rods_are_refused(self):
        made = cantilever()
        made[0].bend_matrix[0, 0, 5] *= 1.5
        made[0].rest_sigma[2] = 0.1
        with self.assertRaisesRegex(NoCounterpart, "rod 0, whose bend_stiffness is not .*; rod 0, whose natural strains"):
            self.convert(made, 0.1, STEP)

    def test_lengths_and_inertias_that_were_changed_are_carried_or_refused(self):
        made = cantilever()
        made[0].rest_voronoi_lengths *= 2
        with self.assertRaisesRegex(NoCounterpart, "rod 0, whose rest_voronoi_lengths are not those of its elements"):
            self.convert(made, 0.1, STEP)
        made = cantilever()
        made[0].inv_mass_second_moment_of_inertia *= 0.5
        with self.assertRaisesRegex(NoCounterpart, "rod 0, whose inv_mass_second_moment_of_inertia is not the inverse"):
            self.convert(made, 0.1, STEP)
        made[0].mass_second_moment_of_inertia *= 2.0
        deck, _ = self.convert(made, 0.1, STEP)
        np.testing.assert_allclose(deck.rod.inertia_ratio, 2.0, rtol=1e-12)
        made[0].mass_second_moment_of_inertia[0, 1] = made[0].mass_second_moment_of_inertia[0, 0]
        with self.assertRaisesRegex(NoCounterpart, "inertia"):
            self.convert(made, 0.1, STEP)

    def test_tapers(self):
        deck, _ = self.convert(simulator(rod(10, radius=np.linspace(0.05, 0.03, 21)[1::2])), 0.1, STEP)
        np.testing.assert_allclose([deck.rod.radius, deck.rod.end_radius], [0.05, 0.03], rtol=1e-12)


if __name__ == "__main__":
    unittest.main()

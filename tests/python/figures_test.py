"""How pictures show rods in space, and what these lie on."""

import unittest

import matplotlib.pyplot as plt
import numpy as np

from package_test_case import PackageTest, softrods
from softrods.figures import shape, surroundings
from softrods.figures.view import turned

ANGLES = np.linspace(0, 2 * np.pi, 60)
RING = np.column_stack([np.cos(ANGLES), np.sin(ANGLES), np.zeros(60)])
REACH = 1 + 0.4 * np.cos(3 * ANGLES)
TREFOIL = np.column_stack([REACH * np.cos(2 * ANGLES), REACH * np.sin(2 * ANGLES), 0.1 * np.sin(3 * ANGLES)])  # nearly flat
FRONT = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # a view along y: x to the right, z up


class Scene:
    """What pictures ask a campaign for of its deck."""

    deck_values, deck_numbers = softrods.Ensemble.deck_values, softrods.Ensemble.deck_numbers

    def __init__(self, **sections):
        self.deck = str(softrods.Deck(**sections))


def gravity(*acceleration):
    return Scene(gravity={"acceleration": acceleration})


def directions(count=200):
    """Unit vectors, spread evenly over half a sphere (Fibonacci's lattice)."""
    height = (np.arange(count) + 0.5) / count
    turn = np.pi * (1 + np.sqrt(5)) * np.arange(count)
    return np.column_stack([*(np.sqrt(1 - height**2) * [np.cos(turn), np.sin(turn)]), height])


def across(axis):
    """Two directions at right angles to an axis."""
    first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first)


class Views(unittest.TestCase):
    def test_whoever_goes_round_sees_up_upwards(self):
        right, up = np.array([0.0, 1, 0]), np.array([1.0, 0, 0])
        for azimuth, elevation in ((0, 0), (30, 25), (165, -40)):
            view = turned(right, up, azimuth, elevation)
            np.testing.assert_allclose(view @ view.T, np.eye(3), atol=1e-15)
            np.testing.assert_allclose(np.cross(view[0], view[1]), view[2], atol=1e-15)
            tilt = np.radians(elevation)
            np.testing.assert_allclose(view @ up, [0, np.cos(tilt), np.sin(tilt)], atol=1e-15)

    def test_gravity_points_down(self):
        for down in ([0, 0, -9.81], [0, -9.81, 0], [3, 0, -4]):
            seen = shape.view_axes(gravity(*down), np.random.default_rng(1).normal(size=(20, 3))) @ down
            self.assertAlmostEqual(seen[0], 0, places=12)
            self.assertLess(seen[1], 0)
        # A rod in a plane that falls farther than it is long, and one that is longer.
        for extent in ([1, 0, 3], [3, 0, 1]):
            self.assertEqual(shape.plane_axes(gravity(0, 0, -9.81), np.array(extent)), [0, 2])

    def test_no_ring_and_no_knot_stands_edge_on(self):
        """From one fixed place some of them are lines."""
        for down in ((0, 0, -9.81), (0, 0, 0), (3, 0, -4)):
            for axis in directions():
                for curve in (RING, TREFOIL):
                    rod = [5, 0, 2] + curve @ np.array([*across(axis), axis])
                    seen = rod @ shape.view_axes(gravity(*down), rod)[:2].T
                    length, breadth = np.linalg.svd(seen - seen.mean(axis=0), compute_uv=False)
                    self.assertGreater(breadth / length, 0.12, f"about {axis}, gravity {down}")


class Surroundings(unittest.TestCase):
    CENTRE, SIZE = np.array([0.0, 0, 1]), 2.0

    def outlines(self, axes=FRONT, **ground):
        return surroundings.outlines(Scene(ground=ground), axes, self.CENTRE, self.SIZE)

    def test_a_deck_without_ground_has_none(self):
        self.assertEqual(surroundings.outlines(Scene(), FRONT, self.CENTRE, self.SIZE), [])

    def test_planes_are_where_they_are(self):
        for ground in ({"kind": "plane", "origin": (7, 7, -1), "normal": (0, 0, 3)}, {"planes": (7, 7, -1, 0, 0, 3)}):
            (beside,), (above,) = self.outlines(**ground), self.outlines(np.eye(3), **ground)
            np.testing.assert_allclose(beside[:, 1], -1)
            np.testing.assert_allclose(np.ptp(above, axis=0), 1.2 * self.SIZE)
            np.testing.assert_allclose(above.mean(axis=0), self.CENTRE[:2], atol=1e-12)  # below the rods
        self.assertEqual(len(self.outlines(kind="plane", origin=(0, 0, 0), normal=(0, 0, 1), planes=(0, 0, 5, 0, 0, -1) * 2)), 3)

    def test_balls_are_circles_from_anywhere(self):
        for toward in directions(10):
            axes = np.array([*across(toward), toward])
            for circle, place in zip(self.outlines(axes, spheres=(1, 2, 3, 0.5, -1, 0, 0, -0.5)), ([1, 2, 3], [-1, 0, 0]), strict=True):
                np.testing.assert_allclose(np.linalg.norm(circle - axes[:2] @ place, axis=1), 0.5)

    def test_cylinders_are_strips_or_circles_of_their_thickness(self):
        (strip,) = self.outlines(cylinders=(9, 3, 2, 4, 0, 0, 0.25))
        np.testing.assert_allclose(strip.min(axis=0), [-1.2, 1.75])
        np.testing.assert_allclose(strip.max(axis=0), [1.2, 2.25])
        (circle,) = self.outlines(cylinders=(1, 9, 2, 0, 4, 0, -0.25))
        np.testing.assert_allclose(np.linalg.norm(circle - [1, 2], axis=1), 0.25)


class Pictures(PackageTest):
    def test_rods_beside_each_other_leave_nothing_white(self):
        """In a pile the margins of the nearer rods covered the farther ones."""
        random = np.random.default_rng(3)
        rods = [np.array([[-1, height, depth], [0, height, depth], [1, height, depth]])
                for height, depth in zip(np.arange(-1, 1.01, 0.1), random.permutation(21))]
        figure = plt.figure(figsize=(4, 4))
        self.addCleanup(plt.close, figure)
        panel = figure.add_axes((0, 0, 1, 1))
        shape.draw_tubes(panel, rods, [0.05] * len(rods))
        panel.set(xlim=(-0.9, 0.9), ylim=(-0.9, 0.9))
        panel.axis("off")
        figure.canvas.draw()
        pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3]
        self.assertEqual(np.count_nonzero(pixels.min(axis=2) > 240), 0)

    def test_a_tilted_ring_and_what_stands_around_it_are_in_the_picture(self):
        sight = turned(np.array([1.0, 0, 0]), np.array([0, 0, 1.0]), 30, 25)[0]
        deck = softrods.Deck(
            rod={"shape": "ring", "elements": 24, "length": 1, "radius": 0.01, "density": 1100, "young_modulus": 1e6,
                 "poisson_ratio": 0.5, "direction": sight, "origin": (0, 0, 2), "normal": np.cross(sight, [0.0, 1, 0])},
            gravity={"acceleration": (0, 0, -9.81)}, time={"step": 1e-4, "end": 1e-3}, output={"frames": 2},
            ground={"kind": "plane", "normal": (0, 0, 1), "spheres": (0, 0, 0, 0.3), "cylinders": (0, 0, 0, 1, 0, 0, 0.1)})
        figure = softrods.plot(self.run_alone(deck))
        self.assertEqual(len(figure.axes), 2)
        for panel in figure.axes:
            around, tubes = panel.collections
            self.assertEqual(len(around.get_paths()), 3)
            corners = np.concatenate([path.vertices for path in tubes.get_paths()])
            self.assertGreater(np.ptp(corners, axis=0).min(), 0.5 * np.ptp(corners, axis=0).max())


if __name__ == "__main__":
    unittest.main()

"""How pictures show rods in space, and what these lie on."""

import tracemalloc
import unittest

import matplotlib.pyplot as plt
import numpy as np

from package_test_case import PackageTest, cord, cords, softrods
from softrods.figures import shape, surroundings, sweep
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


    def test_level_rods_are_level_in_pictures(self):
        """Each of several rods along x stood there tilted by 14 degrees."""
        rods = np.array([[x, y, z] for y in (0, 0.1, 0.2) for z in (0, 0.1) for x in (0, 0.25, 0.5)])
        for down in ((0, 0, -9.81), (0, 0, 0)):
            for turn in (0.0, 0.7, 2.0):  # about z
                c, s = np.cos(turn), np.sin(turn)
                view = shape.view_axes(gravity(*down), rods @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]))
                np.testing.assert_allclose(view @ [c, s, 0] * np.sign(view[0] @ [c, s, 0]), [1, 0, 0], atol=1e-12)

    def test_films_show_what_bends_sideways(self):
        from softrods.figures import film

        along = np.linspace(0, 1, 20)
        for aside, lifted in ((1, True), (0, False)):
            rod = np.column_stack([along, aside * 0.2 * along**2, -(1 - aside) * 0.2 * along**2])
            down = np.array([0, 0, -9.81])
            turn = film.from_above(rod[None], down, (0.0, 20.0))
            self.assertEqual(turn, (0.0, 65.0 if lifted else 20.0))
            bend = rod - rod @ film.view_axes(rod[None], down, turn)[0][:, None] * film.view_axes(rod[None], down, turn)[0]
            seen = bend @ film.view_axes(rod[None], down, turn)[1]
            self.assertGreater(np.ptp(seen), 0.85 * np.linalg.norm(np.ptp(bend, axis=0)))
        self.assertEqual(film.from_above(np.column_stack([along, 0 * along, 0 * along])[None], down, (0.0, 20.0)), (0.0, 20.0))


class Grids(unittest.TestCase):
    def test_places_on_an_axis_take_no_memory_for_each_of_its_points(self):
        """A map of 1000 x 1000 members took 16 GB: 16 bytes a member and point."""
        axis = sweep.Axis(np.linspace(-1, 1, 1000))
        places = np.random.default_rng(2).integers(1000, size=100_000)
        values = axis.points[places] + np.random.default_rng(3).uniform(-0.4, 0.4, len(places)) * np.diff(axis.points)[0]
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        np.testing.assert_array_equal(axis.index(values), places)
        self.assertLess(tracemalloc.get_traced_memory()[1], 100 * len(places))
        np.testing.assert_array_equal(sweep.Axis(np.array([3.0])).index([1, 3, 9]), [0, 0, 0])
        np.testing.assert_array_equal(sweep.Axis(np.geomspace(1, 1e4, 5)).index([1e-3, 70, 1e6]), [0, 2, 4])


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

    def tilted(self, **shape):
        """A rod about an axis that is none of the coordinates', above a floor, a ball and a post."""
        sight = turned(np.array([1.0, 0, 0]), np.array([0, 0, 1.0]), 30, 25)[0]
        return softrods.Deck(
            rod={"elements": 24, "length": 1, "radius": 0.01, "density": 1100, "young_modulus": 1e6, "poisson_ratio": 0.5,
                 "direction": sight, "origin": (0, 0, 2), "normal": np.cross(sight, [0.0, 1, 0]), **shape},
            gravity={"acceleration": (0, 0, -9.81)}, time={"step": 1e-4, "end": 1e-3}, output={"frames": 2},
            ground={"kind": "plane", "normal": (0, 0, 1), "spheres": (0, 0, 0, 0.3), "cylinders": (0, 0, 0, 1, 0, 0, 0.1)})

    def test_a_tilted_ring_is_seen_in_its_own_plane(self):
        figure = softrods.plot(self.run_alone(self.tilted(shape="ring")))
        panel = figure.axes[0]
        extents = np.ptp(panel.lines[0].get_xydata(), axis=0)
        self.assertGreater(extents.min(), 0.95 * extents.max())
        self.assertRegex(panel.get_xlabel(), r"^along \(.*\) \(m\)$")
        (around,) = panel.collections
        self.assertEqual(len(around.get_paths()), 3)

    def test_a_rod_in_space_and_what_stands_around_it_are_in_the_picture(self):
        figure = softrods.plot(self.run_alone(self.tilted(shape="helix", helix_radius=0.1, helix_pitch=0.2, radius=0.004)))
        self.assertEqual(len(figure.axes), 2)
        for panel in figure.axes:
            (around,) = panel.collections
            self.assertEqual(len(around.get_paths()), 2)  # the floor is in the image, with the light on it
            (image,) = panel.images
            pixels = image.get_array()
            covered = (pixels[..., 3] > 0.5) & (np.ptp(pixels[..., :3], axis=2) > 0.1)
            rim = pixels[[0, -1], :, 3][~covered[[0, -1]]]
            self.assertLess(rim.max(), 0.1, "the frame cuts the floor")
            self.assertTrue(covered.any(axis=0).sum() > 0.8 * covered.shape[1] and covered.any(axis=1).sum() > 0.8 * covered.shape[0])
            self.assertLess(covered.mean(), 0.5)  # the rest is clear

    def test_axes_of_one_scale_have_one_unit(self):
        """x stood there in m and z, of 0.3 m, in mm."""
        sagging = cord(rod={"length": 0.6, "young_modulus": 6e7}, time={"method": "static"}, output={"frames": 3})
        panel = softrods.plot(self.run_alone(sagging)).axes[0]
        self.assertEqual(panel.get_aspect(), 1)
        self.assertEqual((panel.get_xlabel(), panel.get_ylabel()), ("$x$ (m)", "$z$ (m)"))
        self.assertLess(max(np.abs(line.get_ydata()).max() for line in panel.lines), 0.5)  # which alone would be in mm

    def test_frames_of_a_branch_are_told_by_its_key(self):
        branch = {"key": "load.end_force[2]", "from": 0, "to": 1e-2, "points": 30}
        for more, label, title in (({"observables": "branch_value"}, r"load.end_force\[2\] \(m?N\)", r"end_force\[2\] = 0\.01 N$"),
                                   ({}, "point of the branch", r"from point 0 to point \d+$")):
            deck = cord(gravity={"acceleration": (0, 0, 0)}, load={"end_force": (0, 0, 0)}, time={"method": "static"}, branch=branch,
                        output={"frames": 5, **more})
            deck["time.step"] = deck["time.end"] = None
            figure = softrods.plot(self.run_alone(deck, overwrite=True))
            self.assertRegex(figure.axes[-1].get_ylabel(), label)
            self.assertRegex(figure._suptitle.get_text(), title)

    def test_a_bend_out_of_the_plane_is_drawn(self):
        """Of a rod along x that bends by 4 along y and by 5 along z only x and z were drawn."""
        bent = cord(gravity={"acceleration": (0, -4, -5)}, time={"method": "static"}, output={"frames": 2})
        file = self.run_alone(bent)
        drawn = softrods.plot(file).axes[0].lines[1].get_xydata()
        tip = file.trajectory(0)[1][-1, -1]
        self.assertAlmostEqual(abs(drawn[-1, 1] - drawn[0, 1]) / np.hypot(*tip[1:]), 1, delta=0.02)

    def test_a_member_that_failed_late_is_drawn_up_to_there(self):
        burst = cord(actuation={"force": ["z : 1e9 * ramp(t, 0.02, 0.03)"]}, output={"frames": 11})
        with self.assertRaises(softrods.RunError):
            self.run_alone(burst)
        figure = softrods.plot(self.file)
        lines = [line for line in figure.axes[0].lines if line.get_linestyle() != "None"]
        self.assertGreaterEqual(len(lines), 6)
        self.assertIn("[1 diverged]", figure._suptitle.get_text())

    def test_parameters_of_a_search_fill_their_panel(self):
        """Three numbers from 0.9 to 1.1 stood there on an axis from -1.5 to 1.5."""
        search = softrods.Deck(study={"kind": "optimize", "objective": "function_value", "sense": "min", "seed": 1},
                               optimize={"parameter": ["function.x[0:3] : [0.9, 1.1] start 1 scale 0.05"], "generations": 10},
                               model={"kind": "function"}, function={"name": "sphere", "x": (1, 1, 1)})  # fmt: skip
        panel = softrods.plot(self.run_alone(search)).axes[2]
        low, high = panel.get_ylim()
        means = np.concatenate([line.get_ydata() for line in panel.lines if len(line.get_ydata()) > 2])
        self.assertTrue(low < means.min() and means.max() < high)
        self.assertTrue(0.7 < low and high < 1.3, (low, high))

    def test_numbers_stand_in_units_that_people_use(self):
        file = self.run_alone(cords(5, output={"frames": 2}))
        figure = softrods.plot(file, "tip_deflection")
        panel = figure.axes[0]
        self.assertEqual(panel.get_xlabel(), "rod.young_modulus (MPa)")
        self.assertRegex(panel.get_ylabel(), r"^tip deflection \((mm|µm)\)$")
        np.testing.assert_array_equal(panel.lines[0].get_xdata(), file.parameters["rod.young_modulus"])  # what is drawn is SI
        self.assertEqual([panel.xaxis.get_major_formatter()(value, 0) for value in (1e6, 2.5e6)], ["1", "2.5"])

    def test_held_ends_are_marked(self):
        marks = {}
        for words in ({"first": "clamped"}, {"first": "pinned", "last": "pinned_sliding"}):
            figure = softrods.plot(self.run_alone(cord(boundary=words, output={"frames": 2}), overwrite=True))
            marks[len(words)] = [line for line in figure.axes[0].lines if line.get_linestyle() == "None"]
        self.assertEqual({count: len(found) for count, found in marks.items()}, {1: 1, 2: 2})
        np.testing.assert_allclose(marks[1][0].get_xydata(), [[0, 0]], atol=1e-12)

    def vibrations(self, count, **sections):
        deck = softrods.Deck(time={"method": "static"}, modes={"count": count}, output={"frames": 2}, **sections)
        return softrods.plot(self.run_alone(deck, overwrite=True))

    def test_each_vibration_is_seen_from_where_it_swings(self):
        steel = {"elements": 24, "length": 0.5, "density": 7800, "young_modulus": 2e11, "poisson_ratio": 0.3}
        figure = self.vibrations(4, rod={**steel, "shape": "ring", "radius": 0.002})  # out of its plane, and in it
        for panel in figure.axes:
            rest, one_way, other_way = (line.get_xydata() for line in panel.lines[:3])
            self.assertGreater(np.linalg.norm(one_way - other_way, axis=1).max(), 0.1 * np.ptp(rest[:, 0]))
            self.assertGreater(np.ptp(rest, axis=0).min(), 0.2 * np.ptp(rest[:, 0]))  # no ring edge-on
        self.assertRegex(figure.axes[0].get_title(), r"^1: .* Hz, along z$")
        self.assertIn("How does the rod vibrate? The 4 slowest modes, enlarged", [text.get_text() for text in figure.texts])

        figure = self.vibrations(6, rod={**steel, "length": 0.2, "radius": 0.02, "direction": (1, 1, 0)},
                                 boundary={"first": "clamped", "last": "clamped"})  # fmt: skip
        bent = [panel for panel in figure.axes if panel.get_title() and not panel.get_xlabel()]
        for panel in bent:
            rest = panel.lines[0].get_xydata()
            marks = np.concatenate([line.get_xydata() for line in panel.lines if line.get_linestyle() == "None"])
            np.testing.assert_allclose(marks, rest[[0, -1]], atol=1e-12)
            self.assertRegex(panel.get_title(), r"^\d: [0-9.]+ k?Hz, along ")
        curves = {panel.get_ylabel(): panel.lines[0].get_xydata() for panel in figure.axes if panel.get_xlabel()}
        self.assertEqual(set(curves), {"twist", "displacement along the rod"})
        for curve in curves.values():  # half a sine each
            place, size = curve[:, 0] / 0.2, curve[:, 1] / np.abs(curve[:, 1]).max()
            np.testing.assert_allclose(np.abs(size), np.sin(np.pi * place), atol=0.02)

    def test_films_of_vibrations_are_seen_from_where_they_swing(self):
        from softrods.figures import film

        ring = softrods.Deck(rod={"elements": 24, "length": 0.5, "radius": 0.002, "density": 7800, "young_modulus": 2e11,
                                  "poisson_ratio": 0.3, "shape": "ring"},
                             time={"method": "static"}, modes={"count": 4}, output={"frames": 2})  # fmt: skip
        file = self.run_alone(ring)
        for mode in range(1, 5):  # two out of the ring's plane, two in it
            made = film.Film(file, 0, (0.0, 20.0), (160, 90), mode=mode)
            swing = (made.nodes - made.nodes[0]).reshape(-1, 3)
            self.assertGreater(np.linalg.norm(swing @ made.axes[:2].T), 0.85 * np.linalg.norm(swing), mode)

    def test_a_ring_is_bent_where_it_meets_itself_as_elsewhere(self):
        from softrods.figures import film

        angles = np.linspace(0, 2 * np.pi, 25)
        ring = 0.1 * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
        open_arc = ring[:13] * [1, 3, 1]  # an ellipse's half, bent unevenly
        strain = film.bending_strain(np.concatenate([ring, open_arc]), film.Strands([25, 13], [0.002, 0.004]))
        np.testing.assert_allclose(strain[:25], strain[5], rtol=1e-9)
        np.testing.assert_array_equal(strain[[25, 37]], strain[[26, 36]])

    def test_no_rod_comes_where_the_text_of_a_film_stands(self):
        from softrods.figures import film

        hanging = cord(rod={"direction": (0, 0, -1)}, output={"frames": 3})
        made = film.Film(self.run_alone(hanging), 0, (0.0, 0.0), (320, 180))
        for frame in range(3):
            rod = np.abs(made.image(frame) - film.backdrop(320, 180, (0, 0), 1, [])).max(axis=2) > 0.05
            self.assertTrue(rod.any())
            rows = np.flatnonzero(rod.any(axis=1))
            self.assertGreater(np.ptp(rows), 0.7 * 180)
            self.assertGreaterEqual(rows.min(), int(0.1 * 180))
            self.assertLessEqual(rows.max(), int(0.88 * 180))

    def test_tapered_rods_are_drawn_as_they_are(self):
        """As thick at each node as its deck says, with the strain that follows from this."""
        from softrods.figures import film

        rod = {"elements": 20, "length": 0.2, "radius": 0.01, "end_radius": 0.002, "density": 1000, "young_modulus": 1e6,
               "poisson_ratio": 0.5, "direction": (1, 0, 0), "normal": (0, 0, 1)}
        bent = softrods.Deck(rod=rod, boundary={"first": "clamped"}, load={"end_force": (0, 0, -0.001)}, time={"method": "static"},
                             output={"frames": 2, "fields": "curvature"})  # fmt: skip
        file = self.run_alone(bent)
        (radii,) = file.node_radii(0)
        np.testing.assert_allclose(radii, np.linspace(0.01, 0.002, 21), rtol=1e-3)
        made = film.Film(file, 0, (0.0, 0.0), (320, 180), -1)
        np.testing.assert_array_equal(made.strands.radius, radii)
        self.assertEqual(made.measure, "bending strain")
        curvature = np.linalg.norm(file.trajectory(0, "curvature")[1][-1, :, :2], axis=1)
        strain = film.bending_strain(made.nodes[-1], made.strands)
        np.testing.assert_allclose(strain[1:-1], (radii * curvature)[1:-1], rtol=0.02, atol=1e-7)
        covered = np.abs(made.image(0) - film.backdrop(320, 180, (0, 0), 1, [])).max(axis=2) > 0.05
        columns = np.flatnonzero(covered.any(axis=0))
        thick = [covered[:, columns[k]].sum() for k in (len(columns) // 10, 9 * len(columns) // 10)]
        self.assertAlmostEqual(thick[1] / thick[0], 0.28 / 0.92, delta=0.08)
        stored = self.run_alone(bent, {"output.fields": "radius"}, overwrite=True)
        np.testing.assert_allclose(stored.node_radii(0)[0], radii, atol=2.1e-4)  # of elements

    def test_what_colours_tell_has_its_name(self):
        from softrods.figures import film

        def measure(**rod):
            file = self.run_alone(cord(rod=rod, output={"frames": 2}), overwrite=True)
            return film.Film(file, 0, (0.0, 0.0), (160, 90)).measure, file.node_radii(0)[0][0]

        self.assertEqual(measure()[0], "bending strain")
        self.assertEqual(measure(intrinsic_curvature=(1, 0))[0], "radius times curvature")
        flat = cord()
        flat["rod.radius"] = None
        flat.update({"rod.section": "rectangle", "rod.width": 0.004, "rod.thickness": 0.01})
        file = self.run_alone(flat, {"output.frames": 2}, overwrite=True)
        made = film.Film(file, 0, (0.0, 0.0), (160, 90))
        self.assertEqual(made.measure, "curvature (1/m)")
        np.testing.assert_allclose(made.strands.radius, np.sqrt(0.004 * 0.01 / np.pi))

    def test_rods_throw_shadows_on_their_floor_and_many_have_colours_of_their_own(self):
        from softrods.figures import film

        lying = cord(rod={"count": 9, "origin": (0, 0, 0.03), "placement": "lattice", "lattice": (1, 9, 1), "lattice_spacing": (0, 0.03, 0)}, boundary={"first": "free"},
                     ground={"kind": "plane", "normal": (0, 0, 1)}, output={"frames": 2})
        file = self.run_alone(lying)

        def floor(made):
            image = made.image(0)
            return image[np.ptp(image, axis=2) < 0.03]  # what has no colour

        made = film.Film(file, 0, (0.0, 20.0), (320, 180), 0)
        self.assertEqual((made.told, len({tuple(colour) for colour in made.rods})), ("rod", 9))
        self.assertGreater((floor(made) < 0.65).mean(), 0.02)
        made.floors = []
        self.assertLess((floor(made) < 0.65).mean(), 0.002)
        high = film.Film(file, 0, (0.0, 20.0), (320, 180), 0, colours="height")
        np.testing.assert_allclose(high.values(made.nodes[0]), 0, atol=1e-12)
        self.assertEqual(high.measure, "height (m)")

    def test_pictures_show_the_ground_of_their_member(self):
        from softrods.figures import film

        deck = cord(rod={"origin": (-0.1, 0, 0.06)}, output={"frames": 2}, study={"kind": "sweep"},
                    ground={"cylinders": (0, 0, 0, 0, 1, 0, 0.01), "response": "springs", "stiffness": 500},
                    sweep={"axis": ["ground.cylinders[6] : list(0.01, 0.02) with gravity.acceleration[2] : list(-9.81, 5)"]})
        file = self.run_alone(deck)
        for member, radius, up in ((0, 0.01, 1), (1, 0.02, -1)):
            made = film.Film(file, member, (0.0, 0.0), (160, 90))
            (circle,) = made.around
            np.testing.assert_allclose(0.5 * np.ptp(circle, axis=0), radius, rtol=1e-2)
            np.testing.assert_allclose(made.axes[1], [0, 0, up], atol=1e-12)


if __name__ == "__main__":
    unittest.main()

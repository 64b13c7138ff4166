"""Tubes of `rodeo render -o SCENE.glb`, read by the specification of glTF 2.0, by trimesh and by Blender where these are
installed."""

import json
import pathlib
import struct
import subprocess
import sys
import unittest
from unittest import mock

import numpy as np

from other_readers_test import drawn, needs
from package_test_case import PackageTest, cords, softrods
from softrods.figures.gltf import write_glb

SIDES = 8
# Prints the points of the only mesh at each frame of its animation.
IN_BLENDER = """
import sys, json, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[1], merge_vertices=False)
mesh, = (thing for thing in bpy.data.objects if thing.type == "MESH")
frames = []
for frame in range(int(sys.argv[2])):
    bpy.context.scene.frame_set(frame)
    seen = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    frames.append([list(seen.matrix_world @ vertex.co) for vertex in seen.data.vertices])
print("FRAMES " + json.dumps([bpy.context.scene.render.fps, frames]))
"""


class Glb:
    """A binary file of glTF 2.0, and whether its parts fit each other."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        magic, version, size, json_size, json_kind = struct.unpack_from("<4s3I4s", data)
        assert (magic, version, size, json_kind, json_size % 4) == (b"glTF", 2, len(data), b"JSON", 0)
        self.json = json.loads(data[20 : 20 + json_size])
        numbers_size, numbers_kind = struct.unpack_from("<I4s", data, 20 + json_size)
        self.numbers = data[28 + json_size :]
        assert (numbers_kind, numbers_size) == (b"BIN\0", len(self.numbers)) and numbers_size % 4 == 0
        assert self.json["buffers"] == [{"byteLength": numbers_size}]
        assert self.json["asset"]["version"] == "2.0"
        end = 0
        for view in self.json["bufferViews"]:  # one after the other, with nothing between
            assert view["byteOffset"] == end
            end += view["byteLength"]
        assert end == numbers_size
        self.used = [self.read(k) for k in range(len(self.json["accessors"]))]

    def read(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        components = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
        kind = np.dtype({5126: "<f4", 5125: "<u4"}[accessor["componentType"]])
        assert view.get("byteStride", kind.itemsize * components) == kind.itemsize * components
        assert accessor["byteOffset"] + accessor["count"] * components * kind.itemsize <= view["byteLength"]
        start = view["byteOffset"] + accessor["byteOffset"]
        values = np.frombuffer(self.numbers, kind, accessor["count"] * components, start).reshape(-1, components)
        assert np.isfinite(values).all()
        if "min" in accessor:
            np.testing.assert_array_equal(values.min(axis=0), np.float32(accessor["min"]))
            np.testing.assert_array_equal(values.max(axis=0), np.float32(accessor["max"]))
        return values

    def parts(self):
        """Each part's material, corners, and points and normals by frame."""
        (mesh,) = self.json["meshes"]
        for part in mesh["primitives"]:
            points, normals = (self.read(part["attributes"][name]).astype(float) for name in ("POSITION", "NORMAL"))
            frames = [(points, normals)]
            for target in part.get("targets", []):
                assert "min" in self.json["accessors"][target["POSITION"]]
                frames.append((points + self.read(target["POSITION"]), normals + self.read(target["NORMAL"])))
            yield self.json["materials"][part["material"]], self.read(part["indices"]).reshape(-1, 3), frames


class Gltf(PackageTest):
    def export(self, member=1):
        return drawn(self.file, member, self.folder / "scene.glb")

    def two_rods(self, **output):
        rods = {"count": 2, "each": ["rod.length : list(rod.length, rod.length/2)", "rod.origin[1] : list(0, 0.1)"]}
        return self.run_alone(cords(rod=rods, output={"frames": 4} | output))

    def check_rings(self, points, normals, nodes, radii):
        """Vertices of one rod: a disc, a ring round each node, a disc."""
        rings, outward = (vectors.reshape(len(nodes) + 2, SIDES, 3) for vectors in (points, normals))
        rounding = 4 * np.finfo(np.float32).eps * np.abs(points).max()
        np.testing.assert_allclose(rings.mean(axis=1)[1:-1], nodes, atol=rounding, rtol=0)
        np.testing.assert_array_equal(rings[0], rings[1])
        np.testing.assert_array_equal(rings[-1], rings[-2])
        spokes = rings[1:-1] - nodes[:, None]
        np.testing.assert_allclose(np.linalg.norm(spokes, axis=2), np.broadcast_to(radii[:, None], spokes.shape[:2]), atol=2 * rounding)
        np.testing.assert_allclose(spokes / radii[:, None, None], outward[1:-1], atol=2 * rounding / radii.min())
        np.testing.assert_allclose(np.linalg.norm(outward, axis=2), 1, atol=1e-6)
        along = np.gradient(nodes, axis=0)
        along /= np.linalg.norm(along, axis=1)[:, None]
        np.testing.assert_allclose(np.einsum("rsk,rk->rs", spokes, along) / radii[:, None], 0, atol=1e-2)
        for disc, end in ((outward[0], -along[0]), (outward[-1], along[-1])):
            np.testing.assert_allclose(disc, np.tile(end, (SIDES, 1)), atol=1e-5)
        turns = np.arccos(np.clip(np.einsum("rk,rk->r", outward[1:-2, 0], outward[2:-1, 0]), -1, 1))
        bends = np.arccos(np.clip(np.einsum("rk,rk->r", along[:-1], along[1:]), -1, 1))
        self.assertLess((turns - bends).max(), 0.05, "rings turn about the rod")

    def test_tubes_are_round_the_rods_of_each_frame(self):
        file = self.two_rods(fields="radius")
        glb = Glb(self.export())
        time, position = file.trajectory(1)
        radius = file.trajectory(1, "radius")[1][:, :, 0]
        self.assertGreater(np.ptp(position[:, :6, 2]), 1e-3, "nothing moves")
        parts = list(glb.parts())
        self.assertEqual([material["name"] for material, _, _ in parts], ["rod 0", "rod 1"])
        self.assertNotEqual(*(material["pbrMetallicRoughness"]["baseColorFactor"] for material, _, _ in parts))
        for rod, (_, corners, frames) in enumerate(parts):
            self.assertEqual(len(frames), 4)
            nodes = slice(6 * rod, 6 * rod + 6)
            for k, (points, normals) in enumerate(frames):
                self.check_rings(points, normals, position[k, nodes], radius[k, nodes])
            self.assertEqual(set(corners.ravel()), set(range(SIDES * 8)))
            a, b, c = (frames[3][0][corners[:, corner]] for corner in range(3))
            faces = np.cross(b - a, c - a)
            outward = frames[3][1][corners].mean(axis=1)
            self.assertTrue((np.einsum("fk,fk->f", faces, outward) > 0).all(), "a face looks inward")
        ((animation,), (node,)) = glb.json["animations"], glb.json["nodes"]
        (sampler,), (channel,) = animation["samplers"], animation["channels"]
        self.assertEqual(channel, {"sampler": 0, "target": {"node": 0, "path": "weights"}})
        np.testing.assert_allclose(glb.read(sampler["input"])[:, 0], np.arange(4) / 24, rtol=1e-6)
        np.testing.assert_array_equal(glb.read(sampler["output"]).reshape(4, 3), np.eye(4)[:, 1:])
        np.testing.assert_array_equal(node["extras"]["time"], time)
        x, y, z, w = node["rotation"]
        self.assertEqual((y, z), (0, 0))
        np.testing.assert_allclose([2 * w * x, w * w - x * x], [-1, 0], atol=1e-15)  # a quarter turn, z to y

    def test_radii_of_the_deck(self):
        self.run_alone(cords(rod={"end_radius": 0.002}, output={"frames": 2}))
        ((_, _, ((points, _), _)),) = Glb(self.export()).parts()
        rings = points.reshape(8, SIDES, 3)
        radii = np.linalg.norm(rings - rings.mean(axis=1)[:, None], axis=2)[1:-1]
        np.testing.assert_allclose(radii, np.tile(np.linspace(0.004, 0.002, 6)[:, None], SIDES), rtol=1e-5)

    def written(self, rods, time, radius=0.01):
        """Rods [frames, nodes, 3] whose radius at each frame is given."""
        radii = [np.broadcast_to(np.reshape(radius, (-1, 1, 1)), (*rod.shape[:2], 1)) for rod in rods]
        campaign = mock.Mock(path="campaign.h5", rods=lambda member, field="position": (time, rods if field == "position" else radii),
                             rod_numbers=lambda member: range(len(rods)), deck_numbers=lambda key: [])  # fmt: skip
        write_glb(campaign, 0, self.folder / "scene.glb")
        return Glb(self.folder / "scene.glb")

    def test_frames_whose_numbers_are_not_finite_are_left_out(self):
        rod = np.tile(np.linspace([0, 0, 0], [0, 0, 1], 5), (4, 1, 1))
        rod[1, 2, 1] = np.inf
        time = np.array([0, 0.1, 0.2, np.nan])
        moving = self.written([rod], time).json
        self.assertEqual(moving["nodes"][0]["extras"], {"time": [0, 0.2]})
        self.assertIn("animations", moving)
        still = self.written([rod], time, [1, 1, np.nan, 1]).json
        self.assertEqual(still["nodes"][0]["extras"], {"time": [0]})
        self.assertNotIn("animations", still)
        self.assertNotIn("targets", still["meshes"][0]["primitives"][0])
        rod[0, 0, 0] = 1e39  # beyond single precision
        with self.assertRaisesRegex(softrods.RodeoError, "Member 0 of campaign.h5 has no frame that could be drawn"):
            self.written([rod], time, [1, 1, np.nan, 1])

    def test_nodes_that_are_one_point(self):
        """All nodes at one place; two of them; a rod that folds back on itself; the rod the other way round."""
        nodes = np.arange(5.0)
        along = [0 * nodes, np.where(nodes < 2, 0, nodes), np.where(nodes < 3, nodes, 1), -nodes]
        glb = self.written([np.stack([np.outer(x, [1, 0, 0]) for x in along])], np.arange(4.0))
        ((_, _, frames),) = glb.parts()  # where numbers are looked at
        for _, normals in frames:
            np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)

    def test_radii_that_nobody_knows(self):
        rod = np.tile(np.linspace([0, 0, 0], [0, 0, 1], 5), (2, 1, 1))
        campaign = mock.Mock(path="campaign.h5", node_radii=lambda member: None)
        campaign.rods.side_effect = [(np.arange(2.0), [rod]), softrods.EnsembleError("no radius")]
        with self.assertRaisesRegex(softrods.RodeoError, "run it with output.fields = radius"):
            write_glb(campaign, 0, self.folder / "scene.glb")

    @needs("trimesh")
    def test_trimesh_reads_closed_tubes(self):
        import trimesh

        self.two_rods()
        scene = trimesh.load(self.export())
        self.assertEqual(len(scene.geometry), 2)
        # Polygons that a cylinder's surface holds.
        area = SIDES / 2 * np.sin(2 * np.pi / SIDES) * 0.004**2
        for mesh, length in zip(scene.geometry.values(), (0.2, 0.1)):
            mesh.merge_vertices(merge_norm=True, merge_tex=True)
            self.assertTrue(mesh.is_watertight)
            self.assertAlmostEqual(mesh.volume / (area * length), 1, delta=1e-4)
        lowest, highest = scene.bounds
        self.assertAlmostEqual(highest[0] - lowest[0], 0.2, delta=1e-6)

    @needs("bpy")
    def test_blender_moves_the_tubes(self):
        file = self.two_rods()
        position = file.trajectory(1)[1]
        done = subprocess.run([sys.executable, "-c", IN_BLENDER, self.export(), "4"], capture_output=True, text=True, check=True)
        (line,) = (line for line in done.stdout.splitlines() if line.startswith("FRAMES "))
        rate, frames = json.loads(line.removeprefix("FRAMES "))
        self.assertEqual(rate, 24)
        for k, points in enumerate(np.array(frames)):
            rings = points.reshape(2, 8, SIDES, 3).mean(axis=2)[:, 1:-1].reshape(12, 3)
            np.testing.assert_allclose(rings, position[k], atol=1e-6)


if __name__ == "__main__":
    unittest.main()

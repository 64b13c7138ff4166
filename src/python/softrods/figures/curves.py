"""A member as curves for other programs: USD for those that draw, such as Blender, and XDMF 3 for meshio and ParaView."""

from __future__ import annotations

import contextlib
import pathlib
import xml.etree.ElementTree as xml

import h5py
import numpy as np

from ..checksums import FIELDS
from ..ensemble import Ensemble, EnsembleError
from ..own_files import MARK, staged

FRAMES_A_SECOND = 24  # of animations, whatever the instants: frames may be microseconds apart, or no times at all


def drawn_frames(ensemble: Ensemble, member: int):
    """The numbers [frames] and instants (s) of a member's frames that can be drawn, and of each rod its nodes [frames, nodes, 3] and
    their radii [frames, nodes] in m, or None for these where the deck gives none. Left out are frames that the member never reached,
    and those with a number that single precision does not hold. Raises EnsembleError if that leaves none."""
    time, rods = ensemble.rods(member)
    try:
        radii = [rod[..., 0] for rod in ensemble.rods(member, "radius")[1]]
    except EnsembleError:  # not among output.fields
        radii = ensemble.node_radii(member)
        radii = radii and [np.broadcast_to(radius, rod.shape[:2]) for radius, rod in zip(radii, rods)]
    most = np.finfo(np.float32).max
    numbers = np.concatenate([*(rod.reshape(len(time), -1) for rod in rods), *(radii or [])], axis=1)
    good = np.isfinite(time) & (np.abs(np.nan_to_num(numbers, nan=np.inf)) <= most).all(axis=1)
    if not good.any():
        raise EnsembleError(f"Member {member} of {ensemble.path} has no frame that could be drawn.")
    return np.flatnonzero(good), time[good], [rod[good] for rod in rods], radii and [radius[good] for radius in radii]


def y_is_up(ensemble: Ensemble) -> bool:
    """Whether y is up, not z: of these two the one that gravity is along."""
    gravity = ensemble.deck_numbers("gravity.acceleration") or [0, 0, 0]
    return abs(gravity[1]) > abs(gravity[2])


def write_usd(ensemble: Ensemble, member: int, path: pathlib.Path) -> None:
    """Writes curves that move, as thick as the rods, in the text form of USD. Raises EnsembleError, NotOurs."""
    frames, time, rods, radii = drawn_frames(ensemble, member)

    def list_of(numbers):
        return "[" + ", ".join(map(str, numbers)) + "]"

    def samples(name, values):
        lines = "".join(f"        {frame}: {value},\n" for frame, value in zip(frames, values))
        return f"    {name}.timeSamples = {{\n{lines}    }}\n"

    points = np.concatenate(rods, axis=1).astype(np.float32)
    text = (f'#usda 1.0\n(\n    defaultPrim = "rods"\n    doc = "member {member} of a campaign, {MARK}"\n    metersPerUnit = 1\n'
            f'    upAxis = "{"Y" if y_is_up(ensemble) else "Z"}"\n    startTimeCode = 0\n    endTimeCode = {frames[-1]}\n'
            f'    timeCodesPerSecond = {FRAMES_A_SECOND}\n)\n\ndef BasisCurves "rods"\n{{\n'
            '    uniform token type = "linear"\n    uniform token wrap = "nonperiodic"\n'
            f"    int[] curveVertexCounts = {list_of(rod.shape[1] for rod in rods)}\n")  # fmt: skip
    text += samples("point3f[] points", (list_of("(" + ", ".join(map(str, point)) + ")" for point in frame) for frame in points))
    if radii is not None:
        widths = 2 * np.concatenate(radii, axis=1).astype(np.float32)
        if (widths == widths[0]).all():
            text += f'    float[] widths = {list_of(widths[0])} (interpolation = "vertex")\n'
        else:
            text += samples("float[] widths", map(list_of, widths))
    with staged(path) as temporary:
        temporary.write_text(text + samples("custom double rodeo:time", time.tolist()) + "}\n", encoding="utf-8")


def write_xdmf(ensemble: Ensemble, member: int, path: pathlib.Path) -> None:
    """Writes lines of two nodes in XDMF 3, and their numbers to NAME_frames.h5 beside. Raises EnsembleError, NotOurs."""
    time, rods = ensemble.rods(member)
    begins = np.cumsum([0, *(rod.shape[1] for rod in rods)])
    starts = np.concatenate([np.arange(first, end - 1) for first, end in zip(begins, begins[1:])])
    of_rods = np.repeat(ensemble.rod_numbers(member), np.diff(begins) - 1).astype(np.int64)
    fields, histories = {}, {}
    for name in FIELDS:
        with contextlib.suppress(EnsembleError):  # not among output.fields
            values = ensemble.trajectory(member, name)[1]
            fields[name] = values[..., 0] if values.shape[2] == 1 else values
    for name in ensemble.frame_observables:
        histories[name] = ensemble.history(member, name)[1]
    root = xml.Element("Xdmf", Version="3.0")
    root.append(xml.Comment(MARK))
    grids = xml.SubElement(xml.SubElement(root, "Domain"), "Grid", Name=f"member {member}", GridType="Collection", CollectionType="Temporal")
    numbers = path.with_name(f"{path.stem}_frames.h5")
    with staged(path) as text, staged(numbers) as data, h5py.File(data, "w") as file:
        file.attrs["software"] = MARK

        def refer(parent, name, values):
            if name not in file:
                file[name] = values
            kind = "Int" if values.dtype.kind == "i" else "Float"
            xml.SubElement(parent, "DataItem", Dimensions=" ".join(map(str, values.shape)), NumberType=kind,
                           Precision=str(values.dtype.itemsize), Format="HDF").text = f"{numbers.name}:/{name}"  # fmt: skip

        def attribute(grid, name, kind, centre):
            return xml.SubElement(grid, "Attribute", Name=name, AttributeType=kind, Center=centre)

        for frame in np.flatnonzero(np.isfinite(time)):
            grid = xml.SubElement(grids, "Grid", Name=f"frame {frame}", GridType="Uniform")
            xml.SubElement(grid, "Time", Value=repr(float(time[frame])))
            lines = xml.SubElement(grid, "Topology", TopologyType="Polyline", NodesPerElement="2", NumberOfElements=str(len(starts)))
            refer(lines, "lines", np.column_stack([starts, starts + 1]))
            refer(xml.SubElement(grid, "Geometry", GeometryType="XYZ"), f"position/{frame}", fields["position"][frame])
            refer(attribute(grid, "rod", "Scalar", "Cell"), "rod", of_rods)
            for name, values in fields.items():
                kind = "Scalar" if values.ndim == 2 else "Vector" if values.shape[2] == 3 else "Matrix"
                refer(attribute(grid, name, kind, "Node"), f"{name}/{frame}", values[frame])
            for name, values in histories.items():
                xml.SubElement(grid, "Information", Name=name, Value=repr(float(values[frame])))
        xml.indent(root)
        xml.ElementTree(root).write(text, encoding="unicode", xml_declaration=True)

"""The page about the result file: what files of small studies hold, each dataset with what it means.

What they hold is said by the files themselves (attribute long_name), so that the page cannot differ from the program. One that says
nothing of itself, or a remark on one that no file has, is an error.
"""

import fnmatch
import pathlib
import sys
import tempfile

ROD = """[rod]
elements = 4
length = 0.2
radius = 0.004
density = 1100
young_modulus = 2e6
poisson_ratio = 0.5
direction = 1, 0, 0
[boundary]
first = clamped
[gravity]
acceleration = 0, 0, -9.81
[time]
method = static
"""
COLUMN = """[rod]
elements = 8
length = 1
radius = 0.025
density = 500
bend_stiffness = 1
twist_to_bend_ratio = 0.67
shear_stiffness = 1e5
stretch_stiffness = 1e5
[boundary]
first = pinned
last = pinned_sliding
[time]
method = static
"""
MOTION = ROD.replace("method = static", "step = 1e-4\nend = 1e-3")
FREE = MOTION.replace("direction = 1, 0, 0\n[boundary]\nfirst = clamped\n", "")
SEARCH = (
    ROD
    + """[study]
kind = optimize
objective = tip_deflection
sense = min
[optimize]
parameter = rod.length : [0.1, 0.3] start 0.2
generations = 2
population = 4
"""
)
# Small studies that have all tables between them, by name.
STUDIES = {
    "sweep": ROD
    + """[study]
kind = sweep
pareto = tip_deflection min, end_x max
[sweep]
axis = rod.length : list(0.1, 0.2)
[output]
frames = 2
fields = velocity, orientation, angular_velocity, dilatation, radius, curvature
observables = end_z
""",
    "words": ROD
    + """[study]
kind = sweep
[sweep]
axis = boundary.last : list(free, pinned)
axis = rod.elements : list(4, 5)
[output]
frames = 2
[measure]
define = droop [m] : -z(end)
""",
    "data": MOTION
    + """[measure]
point = 1e-3, end : 0.2, , 0
[output]
frames = 2
""",
    "rods": FREE
    + """[rod]
count = 4
placement = random
region_size = 1, 1, 1
[output]
frames = 2
rods = every 2
""",
    "modes": ROD
    + """[modes]
count = 2
[output]
frames = 2
""",
    "convergence": ROD
    + """[study]
kind = convergence
[convergence]
axis = rod.elements : list(4, 8, 16)
[output]
frames = 2
""",
    "convergence_of_observables": ROD
    + """[study]
kind = convergence
[convergence]
axis = rod.elements : list(4, 8, 16)
observables = tip_deflection
""",
    "search": SEARCH
    + """[fidelity]
level = rod.elements = 3
level = rod.elements = 4
compared = 0
""",
    "constraint": SEARCH
    + """constraint = end_x >= 0.05
""",
    "sensitivity": ROD
    + """[study]
kind = sensitivity
[sensitivity]
observable = tip_deflection
parameter = rod.length : uniform(0.19, 0.21)
parameter = rod.radius : uniform(0.0039, 0.0041)
evaluations = 128
""",
    "boundary": COLUMN
    + """[study]
kind = boundary
[sweep]
axis = load.axial_force : linspace(1, 20, 9)
axis = rod.bend_stiffness : linspace(0.5, 1.5, 9)
[refine]
observable = unstable_modes
level = 0.5
""",
    "branch": COLUMN
    + """[study]
kind = branch
[branch]
key = load.axial_force
to = 15
turns = 0
bifurcations = 1
[output]
frames = 102
observables = branch_value
""",
}
PARTS = (
    ("", "The whole"),
    ("members", "Members: what ran, and what came out"),
    ("trajectories", "Motions: what frames hold (with `output.frames`)"),
    ("convergence", "A convergence study"),
    ("optimize", "A search: a row a generation"),
    ("constraints", "A search with constraints: a row a generation"),
    ("fidelity", "Levels of a ladder: a row a level"),
    ("pareto", "Several objectives: a row a candidate"),
    ("sensitivity", "A study of sensitivities: a row for each round and observable"),
    ("boundary", "A boundary: a row for each node of the grid, in the order of candidates"),
    ("boundary_counts", "How far a boundary is"),
    ("branch", "Branches of equilibria: a row a branch"),
    ("branch_counts", "How far a study of branches is"),
    ("scene", "Rods that random numbers place or make: a row a rod"),
)
# What else there is to say of datasets than the file itself does.
REMARKS = {
    "deck": "Attribute `crc32` is a checksum of its bytes",
    "members/parameters": "Attributes `names`, `units`, and `words` if a study varies words: `a\\|b\\|c` for each key that takes"
    " them, whose values are their places 0, 1, 2",
    "members/observables": "Those that members of the deck can have a number of. Attributes `names`, `units`, and `definitions` of the"
    " last ones: the deck's measures",
    "members/status": "[Statuses](statuses.md)",
    "members/parameter_name": "For readers of netCDF, as characters",
    "members/observable_name": "For readers of netCDF, as characters",
    "trajectories/position": "If members differ in nodes the first two extents are one, rows: each member has its first row in"
    " `offset` and its nodes in `nodes`",
    "trajectories/orientation": "An element's values stand at its first node",
    "trajectories/observables/*": "Those of `output.observables`, as they stand at each frame",
    "trajectories/at_data": "With `measure.data`: points of the deck's `measure.point` after those of the file",
    "trajectories/mode_shapes": "With `modes.count`: m, and rad along d1, d2, d3, with a modal mass of 1 kg. If members differ in"
    " nodes: rows, each member with its modes one after the other",
    "trajectories/rod_nodes": "With several rods, whose nodes follow one another. The node of a joint stands in both rods; 0 where"
    " a member has fewer rods than others",
    "trajectories/rod_numbers": "With `output.rods`, from 0; -1 where `rod_nodes` is 0",
    "boundary/point": "Attribute `categories` of the group: axes whose values are taken by themselves",
    "scene/candidate": "Rows of those candidates whose rods are not those of the one before",
    "scene/*": "`rod.scene = FILE.h5:/scene` reads the rods of a single run",
}
# Names of which there may be any number: one line for all, with a text of its own.
TOGETHER = {"trajectories/observables/*": "observable", "pareto/*": "objective of the candidate",
            "scene/*": "value of the key for the rod", "*/commit": "not 0 once the row is complete; its checksum"}  # fmt: skip
TOLD_APART = ("pareto/in_set", "scene/candidate", "scene/rod")
TEXT = """The root attributes say which program, command line, machine and time made the file. Texts have a fixed length (bytes in
h5py). Every row carries a checksum (`commit`), and so do the deck, the labels and the tables of nodes (attribute `crc32`, of their
bytes).
rodeo and the Python package take a damaged row for one that is not finished, and refuse a damaged deck.

The root's attribute `tables` lists the tables of the study, and the group's attribute `columns` their columns. Attribute
`long_name` says what a dataset holds, `units` its units, one for each entry of a row where they differ, and `names` what the entries
of a row are.

Dimensions have names: the datasets `/member`, `/observable`, `/frame`, `/node` … are scales of HDF5 without values, as netCDF has
dimensions. So xarray, ncview and all that reads netCDF-4 open the groups. [Other programs](../howto/other_programs.md) has
examples. [Read results](../howto/results.md) shows how to read the file in Python, also while the campaign runs.
"""


def line_of(name):
    """The name or the pattern that stands on the page for a dataset."""
    patterns = [pattern for pattern in TOGETHER if fnmatch.fnmatchcase(name, pattern)]
    return patterns[0] if patterns and name not in TOLD_APART else name


def datasets(program):
    """Of all datasets of the studies their extents by name, type, unit and long name; the dimensions; the root's attributes."""
    try:
        import h5py
    except ImportError:
        sys.exit("pages: h5py is missing (scripts/install_dependencies installs Debian's)")

    found, dimensions, attributes = {}, {}, {}
    with tempfile.TemporaryDirectory(prefix="rodeo-manual-") as folder:
        folder = pathlib.Path(folder)
        for name, deck in STUDIES.items():
            (folder / f"{name}.ini").write_text(deck, encoding="utf-8")
            program("run", folder / f"{name}.ini", "--output", folder / f"{name}.h5")
            with h5py.File(folder / f"{name}.h5", locking=False) as file:
                attributes |= dict.fromkeys(file.attrs)

                def look(path, item):
                    if not isinstance(item, h5py.Dataset):
                        return
                    if "CLASS" in item.attrs:
                        dimensions[path] = None
                        return
                    named = [dimension[0].name.strip("/") if len(dimension) else "" for dimension in item.dims]
                    named = ["" if name.endswith(("_component", "_entry")) else name for name in named]
                    named = ["row" if name.endswith("_row") and name != "mode_row" else name for name in named]
                    extents = [
                        name or str(extent) for name, extent in zip(named, item.shape)
                    ]
                    unit = item.attrs.get("units", b"")
                    unit = unit.decode() if isinstance(unit, bytes) else ""
                    text = item.attrs["long_name"].decode()
                    if text == path.rpartition("/")[2]:
                        raise SystemExit(f"pages: src/output/stored_ensemble.cpp says nothing of {path}")
                    if path not in found or len(extents) > len(found[path][0]):
                        found[path] = (extents, item.dtype.name if item.dtype.kind != "S" else "text", unit, text)

                file.visititems(look)
    return found, list(dimensions), list(attributes)


def write(site, program, root):
    found, dimensions, attributes = datasets(program)
    rows, used = {}, set()
    for path, (extents, kind, unit, text) in found.items():
        line = line_of(path)
        used.add(line)
        group = path.rpartition("/")[0].partition("/")[0]
        name = f"/{path}" if line == "*/commit" else f"/{line}"
        shape = ", ".join(extents) if extents else ""
        text = ". ".join(part for part in (TOGETHER.get(line, text), REMARKS.get(line, "")) if part)
        rows.setdefault(group, {}).setdefault(name, f"| `{name}` | {shape} | {kind} | {'' if '*' in name else unit} | {text} |")
    if unused := set(REMARKS) - used:
        raise SystemExit(f"pages: layout.py has remarks on what no file has: {sorted(unused)}")
    own = [name for name in dimensions if not any(name.startswith(f"{table}_") for table, _ in PARTS if table)]
    names = ", ".join(f"`/{name}`" for name in own if not name.endswith("_component"))
    rows[""]["dimensions"] = (f"| {names}, `/*_component`, `/TABLE_row`, `/TABLE_COLUMN_entry` | | float32 | | "
                              "named dimensions, as netCDF has them, without values |")
    unknown = set(rows) - {part for part, _ in PARTS}
    if unknown:
        raise SystemExit(f"pages: layout.py has no part for {sorted(unknown)}")
    lines = [
        "# The file of a campaign",
        "",
        "Every dataset, as files of small studies have it. A name as extent is a named dimension; `row`: the rows of a table.",
        "",
        TEXT,
    ]
    for part, title in PARTS:
        lines += [
            f"## {title}",
            "",
            "| dataset | extents | type | unit | what it is |",
            "|---|---|---|---|---|",
            *sorted(rows[part].values(), key=lambda row: row.count("`/") > 1),
            "",
        ]
    lines += ["## Attributes of the root", "", ", ".join(f"`{name}`" for name in sorted(attributes)), ""]
    site.write("reference/file.md", "\n".join(lines))

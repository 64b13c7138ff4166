"""The page about the result file: what files of small studies hold, each dataset with what it means.

A dataset that datasets.txt does not describe, or a description of one that no file has, is an error: the page cannot
differ from the program.
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
DIMENSIONS = ("member", "parameter", "observable", "frame", "node", "rod", "mode", "data_point", "row", "*_component")
COMMIT = "not 0 once the row is complete; its checksum"


def described():
    """What datasets.txt says, by path."""
    lines = (pathlib.Path(__file__).with_name("datasets.txt")).read_text(encoding="utf-8").replace("\n    ", " ").splitlines()
    return dict(line.split(": ", 1) for line in lines if not line.startswith("#"))


MEANINGS = described() | dict.fromkeys(DIMENSIONS, "named dimensions, as netCDF has them, without values")
TEXT = """The root attributes say which program, command line, machine and time made the file. Texts have a fixed length (bytes in
h5py). Every row carries a checksum (`commit`), and so do the deck and the tables of nodes (attribute `crc32`, of their bytes).
rodeo and the Python package take a damaged row for one that is not finished, and refuse a damaged deck.

The root's attribute `tables` lists the tables of the study, and the group's attribute `columns` their columns. Attributes `unit`
or `units` are units, `names` what the entries of a row are.

Files of version 1 (attribute `schema_version`) had no list of tables and no commit words in them. rodeo and the scripts read
them, and `rodeo resume` goes on with them.

Dimensions have names: the datasets `/member`, `/observable`, `/frame`, `/node` … are scales of HDF5 without values, as netCDF has
dimensions, so that `xarray.open_dataset("FILE.h5", group="trajectories", engine="h5netcdf")` has them. [Read
results](../howto/results.md) shows how to read the file; plain h5py reads it also while the campaign runs.
"""


def meaning(name):
    if name.endswith("/commit"):
        return "*/commit", COMMIT
    if name in MEANINGS:
        return name, MEANINGS[name]
    patterns = [pattern for pattern in MEANINGS if fnmatch.fnmatchcase(name, pattern)]
    return (patterns[0], MEANINGS[patterns[0]]) if patterns else (None, None)


def datasets(program):
    """Of all datasets of the studies their extents by name, type and unit; the root's attributes."""
    try:
        import h5py
    except ImportError:
        sys.exit("pages: h5py is missing (scripts/install_dependencies installs Debian's)")

    found, attributes = {}, {}
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
                    named = [dimension[0].name.strip("/") if len(dimension) else "" for dimension in item.dims]
                    named = ["" if name.endswith("_component") else name for name in named]
                    extents = [
                        name or ("row" if place == 0 and "/" in path else str(extent))
                        for place, (name, extent) in enumerate(zip(named, item.shape))
                    ]
                    unit = item.attrs.get("unit", item.attrs.get("units", b""))
                    unit = unit.decode() if isinstance(unit, bytes) else ""
                    if path not in found or len(extents) > len(found[path][0]):
                        found[path] = (extents, item.dtype.name if item.dtype.kind != "S" else "text", unit)

                file.visititems(look)
    return found, list(attributes)


def write(site, program, root):
    found, attributes = datasets(program)
    rows, used = {}, set()
    if silent := [path for path in found if meaning(path)[1] is None]:
        raise SystemExit(f"pages: layout.py says nothing of {silent}")
    names = ", ".join(f"`/{name}`" for name in DIMENSIONS)
    for path, (extents, kind, unit) in found.items():
        pattern, text = meaning(path)
        used.add(pattern)
        group = path.rpartition("/")[0].partition("/")[0]
        name = f"/{pattern}" if "*" in pattern and pattern != "*/commit" else f"/{path}"
        shape = ", ".join(extents) if extents else ""
        if pattern in DIMENSIONS:
            rows.setdefault(group, {})["dimensions"] = f"| {names} | | {kind} | | {text} |"
            continue
        rows.setdefault(group, {}).setdefault(name, f"| `{name}` | {shape} | {kind} | {'' if '*' in name else unit} | {text} |")
    unused = set(MEANINGS) - used
    if unused:
        raise SystemExit(f"pages: layout.py describes what no file has: {sorted(unused)}")
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

"""What the tests of the rodeo program share: decks, calls of the program, comparison of ensemble files."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src" / "python"))
from softrods import ensemble as read_ensemble
from softrods import launch

RODEO = os.environ.get("RODEO_EXECUTABLE", str(ROOT / "build" / "rodeo"))
MPIRUN = launch.mpirun()
os.environ |= launch.mpirun_environment()



def seconds(text):
    """A time as the program writes it: "0.08 s", "2.4 min"."""
    number, unit = text.split()
    return float(number) * {"ms": 1e-3, "s": 1, "min": 60, "h": 3600}[unit]


# Twelve members of 4000 steps, some of which buckle: tens of milliseconds in all.
SMALL_DECK = """\
[study]
kind = sweep
seed = 7
repeats = 2

[sweep]
axis = rod.bend_stiffness : linspace(0.5, 1.5, 3)
axis = load.axial_force : list(2, 60)

[rod]
elements = 10
length = 1
mass = 1
radius_per_length = 0.025
bend_stiffness = 1
twist_to_bend_ratio = 0.6666666666666666
shear_stiffness = 1e5
stretch_stiffness = 1e5

[boundary]
first = pinned
last = pinned_sliding

[load]
axial_force = 1
perturbation = 1e-2
perturbation_duration = 0.01

[time]
step = 5e-5
end = 2

[observe]
buckling_energy = 1e-3

[output]
frames = 5
"""
SMALL_MEMBERS = 12


# One short member whose shape stands in a file beside the deck.
SHAPE_DECK = """\
[rod]
shape = file
shape_file = shape.csv
radius = 0.02
mass = 1
young_modulus = 1e6
poisson_ratio = 0.5

[time]
step = 1e-4
end = 0.01

[output]
frames = 2
"""


def long_deck(members, end):
    """Members that never buckle, so that each takes its time: 20 elements, end / 5e-5 s steps."""
    return (
        SMALL_DECK.replace("repeats = 2", f"repeats = {members}")
        .replace("axis = rod.bend_stiffness : linspace(0.5, 1.5, 3)\n", "")
        .replace("list(2, 60)", "list(2)")
        .replace("elements = 10", "elements = 20")
        .replace("end = 2", f"end = {end}")
    )


def failing_deck(end):
    """Steps that are too long for two of three stiffnesses: eight of twelve members diverge."""
    return SMALL_DECK.replace("linspace(0.5, 1.5, 3)", "list(1, 4000, 9000)").replace("end = 2", f"end = {end}")


def flagella_deck(frictions, end):
    """Two flagella for each coefficient of friction, in a viscous fluid and touching from the start; steps of 1 ms."""
    return f"""\
[study]
kind = sweep

[sweep]
axis = contact.friction : list({", ".join(map(str, frictions))})

[model]
kind = der

[rod]
count = 2
polygon_side = 3.15e-3
shape = file
shape_file = {ROOT / "inputs" / "validation" / "flagellum.csv"}
direction = 1, 0, 0
normal = 0, 1, 0
radius = 1e-3
density = 1e4
young_modulus = 3e6
poisson_ratio = 0.5

[boundary]
first = clamped_element
driven = first
twist = 392.7
motion_time = 250

[fluid]
kind = stokeslets
viscosity = 1

[contact]
kind = imc
tolerance = 1e-5
slip_tolerance = 1e-4

[newton]
tolerance = 1e-3
relative_tolerance = 1e-3
iterations = 1000

[time]
step = 1e-3
end = {end}
slice_steps = 50

[output]
frames = 5
"""


def search_deck(generations, seconds):
    """An optimisation of three parameters, whose members wait between `seconds` and twice as long."""
    waits = f"seconds = {seconds}\nslowest = 2\n" if seconds > 0 else ""
    return f"""\
[study]
kind = optimize
repeats = 2
objective = function_value
sense = min

[model]
kind = function

[function]
name = rosenbrock
x = 0, 0, 0
{waits}
[optimize]
parameter = function.x[0:3] : [-2, 2] start -1
population = 6
generations = {generations}
"""


def scenarios_deck(generations, seconds):
    """A search over two parameters, whose candidates meet three scenarios."""
    text = search_deck(generations, seconds).replace("x[0:3]", "x[0:2]")
    return text.replace("kind = optimize", "kind = optimize\nscenarios = function.x[2] : list(0, 1, 2)", 1)


def climbing_deck(seconds):
    """A search that goes up three levels; each has another function or members that wait longer."""
    return search_deck(90, 0).replace("[optimize]", "[optimize]\ntolerance = 1e-3") + f"""
[fidelity]
level = function.name = sphere, function.seconds = {seconds}
level = function.name = rosenbrock, function.seconds = {2 * seconds}
level = function.name = rosenbrock, function.seconds = {3 * seconds}
correlation = 0.2
tolerance = 0.1
"""


def sensitivity_deck(evaluations, seconds):
    """A study of sensitivities of three parameters, whose members wait between `seconds` and twice as long."""
    waits = f"seconds = {seconds}\nslowest = 2\n" if seconds > 0 else ""
    return f"""\
[study]
kind = sensitivity

[sensitivity]
observable = function_value
parameter = function.x[0] : uniform(-1, 1)
parameter = function.x[1] : normal(0.5, 0.2)
parameter = function.x[2] : lognormal(0.5, 0.5)
evaluations = {evaluations}

[model]
kind = function

[function]
name = rosenbrock
x = 0, 0, 0
{waits}"""


def race_deck(generations, step):
    """A search over rods that fall along their axis, which takes 0.1 s / `step` steps."""
    return f"""\
[study]
kind = optimize
objective = forward_speed

[optimize]
parameter = gravity.acceleration[0:2] : [-1, 1] start -0.5
population = 16
generations = {generations}

[gravity]
acceleration = 0, 0, 0

[muscle]
period = 0.01

[rod]
elements = 6
length = 1
radius = 0.05
density = 1000
bend_stiffness = 0.8
twist_stiffness = 0.5
shear_stiffness = 2000
stretch_stiffness = 3000
direction = 1, 0, 0
normal = 0, 0, 1

[time]
step = {step}
end = 0.1

[output]
frames = 11
"""


def ladder_deck(end):
    """A ladder of seven levels, each of which takes about twice as long as the one before; all leave checkpoints."""
    return f"""\
[study]
kind = convergence

[convergence]
axis = rod.elements : list(8, 11, 16, 23, 32, 45, 64)

[gravity]
acceleration = -9.81, 0, 0

[rod]
elements = 8
length = 1
radius = 0.025
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 0, 0, 1
normal = 1, 0, 0

[boundary]
first = clamped

[time]
step_per_length = 1e-3
end = {end}

[output]
frames = 5
checkpoint_interval = 0.05
"""


def boundary_deck(repeats=1, end=2, refine=""):
    """Where pinned rods buckle, over two axes of 17 values: members of a millisecond or so, soft in stretch for longer steps."""
    return (
        SMALL_DECK.replace("kind = sweep", "kind = boundary")
        .replace("stiffness = 1e5", "stiffness = 1e4")
        .replace("step = 5e-5", "step = 1.5e-4")
        .replace("repeats = 2", f"repeats = {repeats}")
        .replace("linspace(0.5, 1.5, 3)", "linspace(0.2, 2, 17)")
        .replace("list(2, 60)", "linspace(1, 33, 17)")
        .replace("end = 2", f"end = {end}")
        .replace("frames = 5", "frames = 0")
    ) + f"[refine]\nobservable = buckled\nlevel = 0.5\n{refine}"


def waiting_deck(seconds, repeats=1):
    """Members that do nothing but wait, for each of the times in `seconds`."""
    return (
        f"[study]\nkind = sweep\nrepeats = {repeats}\n[model]\nkind = noop\n"
        f"[sweep]\naxis = noop.seconds : list({', '.join(map(str, seconds))})\n"
    )


def command(*arguments, ranks=None, launcher_options=()):
    """The command line of a rodeo call, under mpirun if `ranks` is given."""
    launcher = [MPIRUN, *launcher_options, "-n", str(ranks)]
    return [*(launcher if ranks is not None else ()), RODEO, *map(str, arguments)]


def rodeo(*arguments, ranks=None, directory=None, **environment):
    """Runs rodeo to its end; returns the completed process with its output as text."""
    return subprocess.run(
        command(*arguments, ranks=ranks), cwd=directory, capture_output=True, text=True, check=False,
        env=os.environ | environment,
    )


def can_trace():
    """Whether strace is there and may be used: some containers do not let processes trace others."""
    return shutil.which("strace") is not None and subprocess.run(
        ["strace", "-o", "/dev/null", "true"], capture_output=True, check=False
    ).returncode == 0


def ranks_of(mpirun):
    """Process ids of the ranks that `mpirun` started on this machine, in the order of their ranks. They are its children, or
    under MPICH those of a proxy."""
    parents, found = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # The command's name, in brackets, may hold blanks: the fields are counted from behind it.
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # ended meanwhile, or not ours
        for variable in environment:
            if variable.startswith((b"OMPI_COMM_WORLD_RANK=", b"PMI_RANK=")):
                found[int(entry.name)] = int(variable.partition(b"=")[2])
    started = [pid for pid in found if mpirun.pid in (parents[pid], parents.get(parents[pid]))]
    return sorted(started, key=found.get)


def committed_members(path):
    """How many members a file holds so far; 0 while there is no readable file."""
    try:
        return int(read_ensemble.Ensemble(path).committed.sum())
    except read_ensemble.EnsembleError:
        return 0


def wait_until(has_come, process):
    """Waits for what comes while a process runs; RuntimeError if that ends before."""
    while not has_come():
        if process.poll() is not None and not has_come():
            raise RuntimeError(f"a process ended with {process.returncode} before that for which a test waits")
        time.sleep(0.01)


def wait_for_members(path, count, process):
    """Waits until the campaign of `process` has committed `count` members; RuntimeError if it ends before."""
    wait_until(lambda: committed_members(path) >= count, process)


def when_free(*arguments, ranks=None, directory=None):
    """Calls rodeo once a file's last writer is gone: the ranks of an mpirun that was killed end by themselves, some time later."""
    while True:
        result = rodeo(*arguments, ranks=ranks, directory=directory)
        if "is being written by" not in result.stderr:
            return result
        time.sleep(0.1)


@contextlib.contextmanager
def held(process):
    """A process that does nothing meanwhile, however long that takes where others use the machine."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def newest_checkpoint(path):
    """When the newest checkpoint of a campaign was written; 0 without any."""
    times = [0]
    for file in pathlib.Path(f"{path}.checkpoints").glob("member_*"):
        with contextlib.suppress(FileNotFoundError):  # replaced meanwhile
            times.append(file.stat().st_mtime_ns)
    return max(times)


def same_column(ours, theirs, name):
    """True if a column of two studies' tables is equal bit by bit."""
    return theirs is not None and np.asarray(ours[name]).tobytes() == np.asarray(theirs[name]).tobytes()


def differences(left, right):
    """Names of the results in which two ensembles are not equal bit by bit, wall time and rank left aside."""
    found = [
        name
        for name in ("status", "candidate", "scenario", "repeat", "seed", "steps")
        if getattr(left, name).tobytes() != getattr(right, name).tobytes()
    ]
    for table in ("parameters", "observables"):
        ours, theirs = getattr(left, table), getattr(right, table)
        if list(ours) != list(theirs):
            found.append(f"names of {table}")
        else:
            found += [name for name in ours if ours[name].tobytes() != theirs[name].tobytes()]
    for table, columns in left.tables.items():
        found += [f"{table}/{name}" for name in columns if not same_column(columns, right.tables.get(table), name)]
    if left.frames != right.frames:
        return found + ["frames"]
    for member in np.flatnonzero(left.committed) if left.frames else ():
        if any(a.tobytes() != b.tobytes() for a, b in zip(left.trajectory(member), right.trajectory(member))):
            return found + [f"trajectory of member {member}"]
    return found

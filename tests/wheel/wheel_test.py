"""The wheels that scripts/wheel made, where nothing of this tree is: a root with Debian's Python alone, and a user without rights.

    tests/wheel/wheel_test.py [WHEEL ...]        (default: those in build-wheel/dist)

One for Python 3.11 is used in Debian 12, one for 3.12 and later in Debian 13. Needs root, and Debian's packages by debootstrap,
which it installs. What pip installs there is fetched here first, by this machine's pip. The bits are held against those of the
program that RODEO_EXECUTABLE names, or build-portable/rodeo, where it is.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
WHEEL = None
DEBIAN = {"cp311": ("bookworm", "3.11"), "abi3": ("trixie", "3.13")}  # a name and its Python, by what stands in a wheel's name
MOST_BYTES = 25e6
USER = 1000
TREES = pathlib.Path(os.environ.get("RODEO_EXECUTABLE", ROOT / "build-portable" / "rodeo"))
# As a user without rights, in the root's home folder, with no variables but these.
ENTER = """
set -e
root=$1 command=$2
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
for device in null zero random urandom; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mkdir "$root/dev/shm"; mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
exec env -i HOME=/home/user PATH=/home/user/env/bin:/usr/bin:/bin LANG=C.UTF-8 \
  /usr/sbin/chroot --userspec=1000:1000 "$root" /bin/bash -c "cd && $command"
"""
CORD = """[rod]
elements = 20
length = 0.2
radius = 0.004
density = 1100
young_modulus = 2e6
poisson_ratio = 0.5
direction = 1, 0, 0
damping_ratio = 1

[boundary]
first = clamped

[gravity]
acceleration = 0, 0, -9.81

[time]
step = 1e-5
end = 3

[output]
frames = 31
"""


def setUpModule():
    global ROOM, BARE, HOME
    if os.geteuid() != 0:
        raise unittest.SkipTest("needs root")
    if shutil.which("debootstrap") is None:
        subprocess.run(["apt-get", "--quiet=2", "install", "--no-install-recommends", "debootstrap"], check=True,
                       env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, stdout=subprocess.DEVNULL)
    ROOM = tempfile.TemporaryDirectory(prefix="rodeo-wheel-")
    BARE = pathlib.Path(ROOM.name, "root")
    suite, python = next(debian for tag, debian in DEBIAN.items() if f"-{tag}-" in WHEEL.name)
    kept = ROOT / "build-wheel" / f"{suite}.tar"
    if kept.exists():
        BARE.mkdir()
        subprocess.run(["tar", "-xf", kept, "-C", BARE], check=True)
    else:
        subprocess.run(["debootstrap", "--variant=minbase", "--include=python3,python3-venv", suite, BARE], check=True,
                       stdout=subprocess.DEVNULL)
        kept.parent.mkdir(exist_ok=True)
        subprocess.run(["tar", "-cf", kept, "-C", BARE, "."], check=True)
    HOME = BARE / "home" / "user"
    wheels = HOME / "wheels"
    wheels.mkdir(parents=True)
    subprocess.run(["/usr/bin/python3", "-m", "venv", pathlib.Path(ROOM.name, "pip")], check=True)
    pip = pathlib.Path(ROOM.name, "pip", "bin", "pip")
    subprocess.run([pip, "download", "--quiet", "--dest", wheels, "--python-version", python, "--only-binary=:all:",
                    f"{WHEEL}[plot]", "mpich"], check=True)  # fmt: skip
    (HOME / "cord.ini").write_text(CORD)
    shutil.copy(ROOT / "inputs" / "quickstart.ini", HOME)
    for path in (HOME, *HOME.rglob("*")):
        os.chown(path, USER, USER)


def tearDownModule():
    ROOM.cleanup()


def inside(command, check=True):
    done = subprocess.run(["unshare", "--mount", "bash", "-c", ENTER, "enter", BARE, command], capture_output=True, text=True,
                          check=False)
    if check and done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Wheel(unittest.TestCase):
    """In the order of their names, as a user would go."""

    def test_1_is_small_and_says_its_licences(self):
        self.assertLessEqual(WHEEL.stat().st_size, MOST_BYTES)
        with zipfile.ZipFile(WHEEL) as wheel:
            names = wheel.namelist()
            metadata = wheel.read(next(name for name in names if name.endswith("/METADATA"))).decode()
        self.assertIn("GPL-3.0-or-later", metadata)
        self.assertIn("softrods/py.typed", names)
        for part in ("libcholmod3", "libumfpack5", "libopenblas0-serial", "kokkos", "libhdf5-mpich-dev"):
            self.assertTrue(any(name.endswith(f"/licenses/{part}") for name in names), part)
        self.assertFalse([name for name in names if "libmpi" in name])

    def test_2_is_installed_and_draws(self):
        begun = time.monotonic()
        inside("python3 -m venv env && env/bin/pip install --quiet --no-index --find-links wheels 'softrods[plot]'")
        inside("rodeo check cord.ini && rodeo run cord.ini && rodeo plot cord.h5")
        self.assertTrue((HOME / "cord.png").read_bytes().startswith(b"\x89PNG"))
        print(f"installed, ran and drew the cord in {time.monotonic() - begun:.1f} s")

    def test_3_a_launcher_without_its_library_is_told(self):
        done = inside("PMI_RANK=0 PMI_SIZE=1 PMI_FD=9 rodeo run cord.ini --output two.h5", check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("pip install mpich", done.stderr)
        done = inside("RODEO_LIBMPI=/nowhere/libmpi.so PMI_RANK=0 PMI_FD=9 rodeo run cord.ini --output two.h5", check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("/nowhere/libmpi.so", done.stderr)

    def test_4_runs_on_two_ranks_with_the_bits_of_the_tree(self):
        import campaign
        from campaign import read_ensemble

        begun = time.monotonic()
        inside("env/bin/pip install --quiet --no-index --find-links wheels mpich")
        inside("OMP_NUM_THREADS=1 mpiexec -n 2 rodeo run quickstart.ini --output two.h5")
        print(f"installed mpich and ran the quickstart's deck on two ranks in {time.monotonic() - begun:.1f} s")
        two = read_ensemble.Ensemble(HOME / "two.h5")
        self.assertEqual(two.attributes["ranks"], 2)
        if not TREES.exists():
            self.skipTest(f"no {TREES} to compare with")
        kernels = two.attributes["kernels"]
        for deck, file in ((HOME / "quickstart.ini", two), (HOME / "cord.ini", read_ensemble.Ensemble(HOME / "cord.h5"))):
            other = pathlib.Path(ROOM.name, "other.h5")
            subprocess.run([TREES, "run", deck, "--output", other, "--overwrite"], check=True, capture_output=True,
                           env=os.environ | {"RODEO_KERNELS": kernels})
            self.assertEqual(campaign.differences(read_ensemble.Ensemble(other), file), [])

    def test_5_goes_on_in_pythons_own_process(self):
        inside("""python -c "
import softrods
deck = softrods.Deck.read('cord.ini')
softrods.evaluate(deck, observables='end_z')
file = softrods.run(deck, {'time.end': 0.01}, output='again.h5', ranks=2)
assert file.attributes['ranks'] == 2 and softrods.__version__
" """)


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument.endswith(".whl")]
    wheels = given or sorted(map(str, (ROOT / "build-wheel" / "dist").glob("*.whl")))
    if not wheels:
        sys.exit("wheel_test: no wheel: scripts/wheel makes one")
    passed = True
    for wheel in wheels:
        WHEEL = pathlib.Path(wheel).resolve()
        print(WHEEL.name, flush=True)
        done = unittest.main(argv=[argument for argument in sys.argv if argument not in given], exit=False)
        passed = passed and done.result.wasSuccessful()
    sys.exit(not passed)

"""Loops over the lanes of rods are compiled for the vector units, and what is to be rounded as it is written is.

    tests/vectors_test.py BUILD_FOLDER

GCC says nothing where it gives up vectorising a loop, and steps then take several times as long; nor where it forgets
-ffp-contract=off, and rods alone then lose the bits of rods in lanes. Reads the objects of the kernels and of these sources.
"""

import pathlib
import re
import subprocess
import sys

KERNELS = ("cosserat", "general", "two_axes")
# What runs formulas, goes to places, branches or draws random numbers, one element at a time.
SCALAR = ("Actuation::evaluate", "Actuation::add_force", "Actuation::add_couple", "Connections::", "RandomPerturbation::add", "sort_into_cells")
FEWEST = 40  # instructions of vector registers: shorter loops copy or clear


def lines_of(path):
    return subprocess.run(["objdump", "-dC", "--no-show-raw-insn", path], check=True, text=True, capture_output=True).stdout.splitlines()


def loops_of(path):
    """Loops by name, with how many instructions of theirs use whole vector registers (256 bits or more) and how many parts."""
    counts, name = {}, None
    for line in lines_of(path):
        begins = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if begins:
            loop = re.search(r"run_lanes<(.*)", begins[1])
            name = loop and loop[1]
        elif name and "mm" in line:
            wide, narrow = counts.get(name, (0, 0))
            is_wide = "%ymm" in line or "%zmm" in line
            counts[name] = (wide + is_wide, narrow + (not is_wide))
    return counts


def fused_in(path):
    """Functions in which products and sums are rounded once, but Eigen's, which asks for that itself."""
    functions, name = set(), ""
    for line in lines_of(path):
        begins = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if begins:
            name = begins[1]
        elif "Eigen::" not in name and re.search(r"\bvfn?m(add|sub)[0-9]", line):
            functions.add(name)
    return functions


def main():
    build = pathlib.Path(sys.argv[1])
    for path in sorted((*build.glob("apart/*_unfused.o"), *build.glob("apart/*_in_lanes.o"))):
        if functions := fused_in(path):
            sys.exit("\n".join(f"{path.name}: products and sums are fused in {function[:160]}" for function in sorted(functions)))
    objects = build / "CMakeFiles" / "rodeo_cosserat_kernels.dir" / "src" / "cosserat"
    found = 0
    for kernels in KERNELS:
        loops = loops_of(objects / f"{kernels}_kernels.cpp.o")
        if not any(wide for wide, _ in loops.values()):
            print("vectors_test: this processor has no registers of 256 bits")
            return
        for name, (wide, narrow) in loops.items():
            if wide == 0 and narrow > FEWEST and not any(known in name for known in SCALAR):
                found += 1
                print(f"{kernels}_kernels.cpp: {narrow} instructions without a vector in {name[:160]}")
    sys.exit(f"{found} loops are not vectorised" if found else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""What rodeo is built with is said alike by CMake, which names what is missing, by the recipes of Spack and conda, and by
scripts/install_dependencies."""

import ast
import pathlib
import re
import shlex
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
COLUMNS = 4
FOR_TESTS = {"GoogleTest", "Google Benchmark"}


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def needs():
    """What CMake looks for, with the packages of Debian, Fedora, conda-forge and Spack: {name: [packages of each]}."""
    rows = [shlex.split(row) for row in re.findall(r"^ *rodeo_needs\(([^)]*)\)", read("CMakeLists.txt"), re.MULTILINE)]
    return {row[0]: [entry.strip("'").split(";") if entry else [] for entry in row[1 : 1 + COLUMNS]] for row in rows}


def name_of(spec):
    """A package without version, build and variants."""
    return re.match(r"[A-Za-z0-9_-]+", spec)[0]


def packages(column, tests=False):
    return {name_of(entry) for name, row in needs().items() if (name in FOR_TESTS) <= tests for entry in row[column]}


class Packages(unittest.TestCase):
    def test_every_row_has_all_columns(self):
        self.assertGreater(len(needs()), 7)
        for name, row in needs().items():
            for system, entries in zip(("Debian", "Fedora", "conda", "Spack"), row, strict=True):
                if (name, system) != ("Kokkos with OpenMP", "Debian"):  # which scripts/install_dependencies builds
                    self.assertTrue(entries, f"{name}: {system}")

    def test_debian_installs_what_cmake_names(self):
        script = read("scripts/install_dependencies")
        installed = set(re.search(r"^packages=\((.*?)\)", script, re.MULTILINE | re.DOTALL)[1].split())
        self.assertLessEqual(packages(0, tests=True), installed)
        compiled_with = {package for package in installed if package.startswith("lib") and package.endswith("-dev")}
        self.assertEqual(compiled_with, {package for package in packages(0, tests=True) if package.endswith("-dev")})

    def test_conda(self):
        recipe = read("src/packages/conda/recipe.yaml")
        host = re.search(r"^  host:.*\n((?:    - .*\n)+)", recipe, re.MULTILINE)[1]
        self.assertEqual({name_of(line.removeprefix("    - ")) for line in host.splitlines()}, packages(2))
        self.assert_version(re.search(r'^  version: "(.*)"$', recipe, re.MULTILINE)[1])

    def test_citation(self):
        self.assert_version(re.search(r"^version: (.*)$", read("CITATION.cff"), re.MULTILINE)[1])
        self.assert_version(re.search(r"^  version = {(.*)},$", read("src/manual/howto/cite.md"), re.MULTILINE)[1])

    def test_spack(self):
        recipe = next(part for part in ast.parse(read("src/packages/spack/packages/rodeo/package.py")).body
                      if isinstance(part, ast.ClassDef))  # fmt: skip
        depends, versions = {None: set(), "build": set(), "test": set()}, []
        for call in (part.value for part in recipe.body if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call)):
            first, options = call.args[0].value, {option.arg: ast.literal_eval(option.value) for option in call.keywords}
            if call.func.id == "depends_on":
                depends[options.get("type")].add(first)
            elif call.func.id == "version":
                versions.append(first)
        self.assertEqual({name_of(spec) for spec in depends[None]}, packages(3))
        self.assertEqual(depends["test"], packages(3, tests=True) - packages(3))
        for needed in (entry for row in needs().values() for entry in row[3] if "+" in entry):
            package, variant = needed.split("+")
            self.assertTrue([spec for spec in depends[None] if name_of(spec) == package and spec.endswith(f"+{variant}")], needed)
        self.assertEqual(len(versions), 1)
        self.assert_version(versions[0])

    def assert_version(self, version):
        self.assertEqual(version, re.search(r"project\(rodeo VERSION ([0-9.]+)", read("CMakeLists.txt"))[1])

    def test_least_versions_are_those_that_cmake_asks_for(self):
        cmake = read("CMakeLists.txt")
        least = {"cmake": re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)", cmake)[1],
                 "eigen": re.search(r"find_package\(Eigen3 ([0-9.]+)", cmake)[1],
                 "boost": re.search(r"find_package\(Boost ([0-9.]+)", cmake)[1]}  # fmt: skip
        spack, conda = read("src/packages/spack/packages/rodeo/package.py"), read("src/packages/conda/recipe.yaml")
        for package, version in least.items():
            self.assertIn(f'"{package}@{version}:', spack)
            self.assertRegex(conda, rf"(?m)^    - (lib)?{package}(-devel)? >={version}$")


if __name__ == "__main__":
    unittest.main()

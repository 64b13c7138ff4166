#!/usr/bin/python3
"""A folder includes itself and those on the floors below it: no circle, and nothing below that knows what is above."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
# From the ground up, as they are linked. What stands on one floor does not include each other either.
LIST = re.search(r"set\(RODEO_FLOORS(.*?)\)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.DOTALL)[1]
FLOORS = [floor.split() for floor in re.findall(r'"([^"]*)"', LIST)]
FOLDER_OF_HEADER = {"rodeo.hpp": "library"}  # what other programs include stands beside the folders
FLOOR_OF = {folder: level for level, folders in enumerate(FLOORS) for folder in folders}


def sources():
    yield from (ROOT / "include" / "rodeo").rglob("*.hpp")
    for path in (ROOT / "src").rglob("*.[ch]pp"):
        place = path.relative_to(ROOT / "src").parts
        if len(place) > 1 and place[0] != "python":  # the module of the Python package stands on all of them
            yield path


def folder_of(path):
    place = path.relative_to(ROOT / ("include/rodeo" if "include" in path.parts else "src")).parts[0]
    return FOLDER_OF_HEADER.get(place, place)


class Floors(unittest.TestCase):
    def test_every_folder_has_its_floor(self):
        self.assertEqual({folder_of(path) for path in sources()}, set(FLOOR_OF))

    def test_nothing_includes_what_is_above_or_beside_it(self):
        for path in sources():
            own = folder_of(path)
            for place in re.findall(r'^#include "(?:rodeo/)?([a-z_]+(?=/)|rodeo.hpp)', path.read_text(encoding="utf-8"), re.MULTILINE):
                folder = FOLDER_OF_HEADER.get(place, place)
                if folder != own:
                    self.assertLess(FLOOR_OF[folder], FLOOR_OF[own], f"{path.relative_to(ROOT)} includes {folder}")

    def test_physics_knows_neither_messages_nor_files(self):
        for path in sources():
            if FLOOR_OF[folder_of(path)] <= FLOOR_OF["input"]:
                self.assertNotRegex(path.read_text(encoding="utf-8"), r"#include <(mpi|hdf5)\.h>", path)

    def test_types_of_headers_have_names_of_their_own(self):
        """Two types of one name in one namespace are one to the linker, which takes either: no compiler tells."""
        found = {}
        for path in sources():
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".hpp":
                space = re.search(r"^namespace (rodeo[\w:]*) {", text, re.MULTILINE)
                for name in re.findall(r"^(?:struct|class|enum class) (\w+)(?: final)? *(?:{|:[^:])", text, re.MULTILINE):
                    found.setdefault((space and space[1], name), []).append(str(path.relative_to(ROOT)))
        self.assertGreater(len(found), 100)
        self.assertEqual([], [(key, paths) for key, paths in found.items() if len(paths) > 1])


class UnitTests(unittest.TestCase):
    def test_those_of_all_folders_are_compiled(self):
        text = (ROOT / "tests" / "CMakeLists.txt").read_text(encoding="utf-8")
        tested = [folder for folder in FLOOR_OF if list((ROOT / "tests" / folder).glob("*_test.cpp"))]
        self.assertIn("forces", tested)
        self.assertEqual([], [folder for folder in tested if f'/{folder}/*.cpp"' not in text])


class Presets(unittest.TestCase):
    def test_warnings_stop_the_builds_of_developers_alone(self):
        """Other compilers warn of other things, and users build with whichever they have."""
        presets = {preset["name"]: preset for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}

        def stops(name):
            preset = presets[name]
            own = preset.get("cacheVariables", {})
            if "RODEO_WARNINGS_ARE_ERRORS" in own:
                return own["RODEO_WARNINGS_ARE_ERRORS"] == "ON"
            return "inherits" in preset and stops(preset["inherits"])

        stopped = {name: stops(name) for name in presets}
        self.assertEqual([name for name in stopped if not stopped[name]], ["default", "portable"])
        self.assertRegex((ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), r'option\(RODEO_WARNINGS_ARE_ERRORS "[^"]*" OFF\)')


if __name__ == "__main__":
    unittest.main()

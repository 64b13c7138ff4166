#!/usr/bin/python3
"""The statements of each room of src and include, against tests/sizes.txt. A room grows only in a commit that names the ability it
brings, and renews its line: tests/size_test.py --renew. One that shrinks by a tenth or more renews it too."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests" / "sizes.txt"
IDLE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)  # comments and texts


def statements(text):
    return IDLE.sub("", text).count(";")


def sizes():
    """Statements by room: a folder of src with that of include/rodeo; "src" is what stands beside the folders."""
    found = {}
    for top in (ROOT / "src", ROOT / "include" / "rodeo"):
        for path in sorted(top.rglob("*")):
            if path.suffix in (".cpp", ".hpp", ".cu"):
                place = path.relative_to(top).parts
                room = place[0] if len(place) > 1 else "src"
                found[room] = found.get(room, 0) + statements(path.read_text(encoding="utf-8"))
    return found


class Size(unittest.TestCase):
    def test_rooms_are_no_larger_than_their_line_says(self):
        noted = {room: int(count) for room, count in (line.split() for line in TABLE.read_text(encoding="utf-8").splitlines())}
        present = sizes()
        self.assertEqual(set(noted), set(present), "rooms differ: tests/size_test.py --renew")
        for room, count in present.items():
            self.assertLessEqual(count, noted[room], f"{room} has grown: say in the commit what for, and run tests/size_test.py --renew")
            self.assertGreater(count, 0.9 * noted[room], f"{room} has shrunk: tests/size_test.py --renew keeps it so")

    def test_comments_and_texts_are_no_statements(self):
        self.assertEqual(statements('a(";", \';\'); // b;\n/* c; */ R"x(d;)x"; char e = \'"\'; f("\\";");'), 4)


if __name__ == "__main__":
    if sys.argv[1:] == ["--renew"]:
        TABLE.write_text("".join(f"{room} {count}\n" for room, count in sorted(sizes().items())), encoding="utf-8")
    else:
        unittest.main()

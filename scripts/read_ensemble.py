#!/usr/bin/python3
"""Prints a summary of a campaign's file, with --csv its finished members as a table: python3 -m softrods of src/python."""

import sys

sys.dont_write_bytecode = True  # scripts/ may be read-only
import in_tree  # finds the package
from softrods.__main__ import main

if __name__ == "__main__":
    main("read_ensemble")

"""Texts of files for terminals and pages."""


def printable(value) -> str:
    """A text as one line of what can be shown: control characters, which tell a terminal what to do, and bytes of a file's name that
    are no text become what a Python string has for them, \\x1b."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in str(value))

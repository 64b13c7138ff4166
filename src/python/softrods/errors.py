"""What the package raises."""

import operator


class RodeoError(Exception):
    """Something that cannot be done; the text is one sentence that says what and why."""


def whole_number(number, name: str, least: int, most: int | None = None) -> int:
    """A number that a caller gives, if it is a whole one of a range; else RodeoError says what it is."""
    try:
        whole = operator.index(number)
    except TypeError:
        whole = None
    if whole is None or whole < least or (most is not None and whole > most):
        raise RodeoError(f"{name} is a whole number from {least} {'up' if most is None else f'to {most}'}, not {number!r}.")
    return whole

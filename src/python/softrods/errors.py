"""What the package raises."""


class RodeoError(Exception):
    """Something that cannot be done; the text is one sentence that says what and why."""

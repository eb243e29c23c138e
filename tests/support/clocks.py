"""Time that a test moves."""


class Clock:
    """Clock that shows `now` until the test sets another moment."""

    def __init__(self, now=0.0):
        self.now = now

    def __call__(self):
        return self.now

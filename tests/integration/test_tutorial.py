"""The tutorial works as it stands there: its files are written, its commands run, and print what it shows."""

from tests.support.walkthrough import walk


def test_the_tutorial(daemon_root):
    walk("tutorial.md", daemon_root, ports=("18080", "18081", "14605", "14606"))

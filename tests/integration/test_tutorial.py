"""The tutorial, followed as written: its files, its commands and the output that it shows."""

from tests.support.walkthrough import walk


def test_the_tutorial(daemon_root):
    walk("tutorial.md", daemon_root, ports=("18080", "18081", "14605", "14606"))

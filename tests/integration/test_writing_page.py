"""The plugins of docs/writing.md, tested as the page describes them."""

from tests.support.walkthrough import walk


def test_the_plugins_of_the_page(daemon_root):
    walk("writing.md", daemon_root, ports=("14705", "14706"))

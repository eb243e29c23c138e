"""Modules that a fork imports, preloaded by its server for later forks."""

import os
import sys

import pytest

from tests.support.fork_server import Imports


@pytest.fixture
def imports():
    """Return the imports of this process, which stands in for a server."""
    return Imports()


def import_in_fork(imports, name, path=None):
    """Import a module in a fork of this process, which reports its imports and ends."""
    if pid := os.fork():
        os.waitpid(pid, 0)
        return
    try:
        sys.path[:0] = [str(path)] if path else []
        __import__(name)
        imports.report()
    finally:
        os._exit(0)


def test_modules_that_one_fork_imports_are_preloaded_for_the_next(imports):
    # salt-g does not use it.
    sys.modules.pop("colorsys", None)

    import_in_fork(imports, "colorsys")
    assert "colorsys" not in sys.modules
    imports.learn()

    assert "colorsys" in sys.modules


def test_users_plugins_stay_in_their_fork(imports, tmp_path):
    (tmp_path / "plugin_of_a_user.py").write_text("")

    import_in_fork(imports, "plugin_of_a_user", tmp_path)
    imports.learn()

    assert "plugin_of_a_user" not in sys.modules

"""Modules that a fork imports, preloaded by its server for later forks."""

import os
import sys

import pytest

from tests.support.fork_server import Imports


@pytest.fixture
def imports():
    """Return the imports of this process, which stands in for a server."""
    return Imports()


def import_in_fork(imports, name):
    """Import a module in a fork of this process, which reports its imports and ends."""
    if pid := os.fork():
        os.waitpid(pid, 0)
        return
    try:
        __import__(name)
        imports.report()
    finally:
        os._exit(0)


def test_modules_that_one_fork_imports_are_preloaded_for_the_next(imports):
    # salt-g does not use it.
    sys.modules.pop("colorsys", None)

    import_in_fork(imports, "colorsys")
    assert "colorsys" not in sys.modules

    assert imports.learn()
    assert "colorsys" in sys.modules
    assert not imports.learn()


def test_users_plugins_stay_in_their_fork(imports, tmp_path, monkeypatch):
    (tmp_path / "plugin_of_a_user.py").write_text("")
    # The server could import it, too.
    monkeypatch.syspath_prepend(tmp_path)

    import_in_fork(imports, "plugin_of_a_user")
    imports.learn()

    assert "plugin_of_a_user" not in sys.modules

"""Functions and machine access that a state needs, read from its source."""

from salt_g.loader.index import IndexEntry
from salt_g.minion.resources.state_needs import StateNeeds

SOURCE = """
import os
import shutil
from salt_g.api import call


def gentle(name):
    return _finish(call("pkg.list_pkgs"))


def _finish(value):
    return __salt__["pkg.install"](value)


def rough(name):
    os.rename(name, name + ".old")
    shutil.copy(name, name)


def looks(name):
    return os.path.join(name, os.sep)
"""


def test_functions_are_followed_through_the_plugin_and_work_on_the_machine_is_seen(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(SOURCE)
    needs, entry = StateNeeds(), IndexEntry("x", str(path), ("x",), False, ())

    assert needs.of(entry, "gentle") == (("pkg.list_pkgs", "pkg.install"), ())
    assert set(needs.of(entry, "rough").touches) == {"os.rename", "shutil"}
    assert needs.of(entry, "looks") == ((), ())


def test_a_plugin_in_several_files_is_read_as_one(tmp_path):
    (tmp_path / "__init__.py").write_text("from x._more import more\n\n\ndef fun(name):\n    return more()\n")
    (tmp_path / "_more.py").write_text("def more():\n    return call('svc.start')\n")
    entry = IndexEntry("x", str(tmp_path / "__init__.py"), ("x",), False, ())

    assert StateNeeds().of(entry, "fun").functions == ("svc.start",)

"""States of a pyenv kept in memory."""

import pytest

from salt_g.states import pyenv


class _Pyenv:
    def __init__(self, *versions, is_installed=True, default="3.11.1"):
        self.there = list(versions)
        self.is_installed = is_installed
        self.chosen = default

    def install(self, runas=None):
        self.is_installed = True
        return True

    def install_python(self, python, runas=None):
        if python == "bad":
            return False
        self.there.append(python)
        return ""

    def uninstall_python(self, python, runas=None):
        self.there.remove(python)
        return True

    def default(self, python=None, runas=None):
        self.chosen = python or self.chosen
        return self.chosen

    def functions(self):
        return {
            "pyenv.install": self.install,
            "pyenv.install_python": self.install_python,
            "pyenv.uninstall_python": self.uninstall_python,
            "pyenv.default": self.default,
            "pyenv.versions": lambda runas=None: self.there,
            "pyenv.is_installed": lambda runas=None: self.is_installed,
        }


@pytest.fixture
def enter(call_context):
    """Return a function that enters a call with this pyenv."""

    def begin(kept, *, test=False):
        call_context(functions=kept.functions(), opts={"test": test})
        return kept

    return begin


def test_a_version_is_installed_with_its_pyenv(enter):
    kept = enter(_Pyenv("3.11.1", is_installed=False))

    result = pyenv.installed("python-3.12.1", default=True)

    assert (result["result"], result["comment"]) == (True, "Successfully installed python")
    assert result["changes"] == {"3.12.1": "Installed"}
    assert (kept.is_installed, kept.chosen) == (True, "3.12.1")


def test_a_present_version_may_become_the_default(enter):
    kept = enter(_Pyenv("3.11.1", "3.10.2"))

    result = pyenv.installed("3.10.2", default=True)

    assert (result["result"], result["comment"], result["changes"]) == (True, "Requested python exists.", {})
    assert kept.chosen == "3.10.2"


def test_a_failed_build_fails(enter):
    enter(_Pyenv())

    result = pyenv.installed("bad")

    assert (result["result"], result["comment"]) == (False, "Could not install python.")


def test_a_version_is_removed(enter):
    kept = enter(_Pyenv("3.11.1"))

    assert pyenv.absent("3.11.1")["changes"] == {"3.11.1": "Uninstalled"}
    assert kept.there == []
    assert pyenv.absent("3.11.1")["comment"] == "python 3.11.1 is already absent"


def test_test_mode_changes_nothing(enter):
    kept = enter(_Pyenv("3.11.1", is_installed=False), test=True)

    assert pyenv.installed("3.12.1")["comment"] == "python 3.12.1 is set to be installed"
    assert pyenv.installed("3.11.1", default=True)["result"] is True
    assert pyenv.absent("3.11.1")["comment"] == "python 3.11.1 is set to be uninstalled"
    assert pyenv.install_pyenv("x")["comment"] == "pyenv is set to be installed"
    assert (kept.there, kept.is_installed) == (["3.11.1"], False)


def test_pyenv_itself_is_installed(enter):
    kept = enter(_Pyenv(is_installed=False))

    assert pyenv.install_pyenv("x")["result"] is True
    assert kept.is_installed
    assert pyenv.install_pyenv("x")["comment"] == "pyenv is already installed"

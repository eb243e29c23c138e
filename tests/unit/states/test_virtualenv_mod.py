"""`virtualenv.managed`: creation, clearing and filling of an environment."""

import pytest

from salt_g.errors import CommandNotFound
from salt_g.states.virtualenv_mod import managed


class Environments:
    """Fake execution functions that make an environment with packages; `calls` are names and arguments."""

    def __init__(self, name):
        self.name = name
        self.packages = {"old==1"}
        self.calls = []
        self.retcode = 0
        self.functions = {
            "virtualenv.create": self.create,
            "pip.install": self.install,
            "pip.freeze": lambda bin_env, user=None: sorted(self.packages),
            "cmd.run_stderr": lambda argv, python_shell: "Python 3.11.2\n",
        }

    def create(self, name, **how):
        self.calls.append(("create", how))
        if self.retcode is None:
            raise CommandNotFound("no virtualenv here")
        (self.name / "bin").mkdir(parents=True, exist_ok=True)
        (self.name / "bin" / "python").write_text("")
        return {"retcode": self.retcode, "stdout": "out", "stderr": "err"}

    def install(self, bin_env, **options):
        self.calls.append(("install", options))
        self.packages |= set(options["pkgs"] or ())
        return {"retcode": 0, "stdout": "installed"}


@pytest.fixture
def environments(tmp_path):
    return Environments(tmp_path / "venv")


@pytest.fixture
def state(call_context, environments):
    """Return a function that runs the state and returns its return."""

    def run(*, test=False, **options):
        call_context(functions=environments.functions, opts={"test": test})
        return managed(str(environments.name), **options)

    return run


def test_a_missing_environment_is_created_once(state, environments):
    ret = state(python="python3", user="web")

    assert (ret["result"], ret["comment"]) == (True, "Created new virtualenv")
    assert ret["changes"] == {"new": "Python 3.11.2"}
    ((_, how),) = environments.calls
    assert (how["python"], how["user"], how["clear"]) == ("python3", "web", False)

    assert (state()["comment"], state()["changes"]) == ("virtualenv exists", {})
    assert len(environments.calls) == 1


def test_an_environment_is_cleared_each_time(state):
    state()

    ret = state(clear=True)

    assert ret["comment"] == "Cleared existing virtualenv"
    assert ret["changes"] == {
        "cleared_packages": ["old==1"],
        "old": "Python 3.11.2",
        "new": "Python 3.11.2",
    }


@pytest.mark.parametrize(
    ("retcode", "words"), [(1, "outerr"), (None, "Failed to create virtualenv: no virtualenv here")]
)
def test_an_environment_that_cannot_be_made_is_a_failure(state, environments, retcode, words):
    environments.retcode = retcode

    ret = state(pip_pkgs=["requests"])

    assert (ret["result"], ret["comment"]) == (False, words)
    assert [name for name, _ in environments.calls] == ["create"]


def test_packages_are_installed_and_reported(state):
    ret = state(pip_pkgs=["requests==2"])

    assert ret["comment"] == "Created new virtualenv"
    assert ret["changes"]["packages"] == {"new": ["requests==2"], "old": ""}


def test_in_test_mode_nothing_is_made(state, environments):
    assert state(test=True)["comment"].endswith("is set to be created")
    assert environments.calls == []
    state()
    assert state(test=True)["comment"].endswith("is already created")
    cleared = state(test=True, clear=True)
    assert (cleared["result"], cleared["changes"]["cleared_packages"]) == (None, ["old==1"])
